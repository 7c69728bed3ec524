"""What is exported, at which values and in which numbers, and what is said of it beside its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Names, add_markers
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.exports.tensors import output_names
from weightproof.proofs.theorem import most_positions
from weightproof.sources import Source
from weightproof.stating import theorems_about

LONGEST_IN_TABLES = 32
"""Symbols of the longest words that position tables are made for, unless told."""


@dataclass(frozen=True)
class Options:
    """How it is exported. given: parameter values as they were written; dtype: of the rounded weights; length: symbols
    of the words of a network for one length; max_length: of the longest words that position tables are made for, None
    where it is not said."""

    given: Mapping[str, str]
    dtype: str = "float64"
    length: int | None = None
    max_length: int | None = None


@dataclass(frozen=True)
class Exporting:
    """An encoder, and how it is exported."""

    source: Source
    options: Options

    @property
    def construction(self) -> Construction:
        return self.source.construction

    @property
    def network(self) -> Encoder:
        network = self.construction.network
        if not isinstance(network, Encoder):
            raise InputError(f"{self.construction.name}: only encoders are exported, and this is none")
        return network

    @property
    def tokens(self) -> tuple[str, ...]:
        """In the order of their ids: the alphabet, then the markers."""
        return (*self.construction.language.alphabet, *self.network.markers)

    @property
    def names(self) -> Names:
        """The values of parameters and of d."""
        values = parameter_values(self.construction, self.options.given)
        return {**values, "d": fmpq(len(self.network.coordinates))}

    @property
    def max_length(self) -> int:
        """Symbols of the longest words that position tables are made for."""
        return LONGEST_IN_TABLES if self.options.max_length is None else self.options.max_length

    def positions(self, length: int) -> int:
        """Of a word of so many symbols, markers included."""
        return length + len(add_markers(self.network, ()))

    def refused(self, format: str, why: str) -> InputError:
        return InputError(f"{self.construction.name}: {format} cannot hold it: {why}")


def about(exporting: Exporting) -> dict[str, Any]:
    """What every format says of a construction: its hash, its values, its words, and what is stated of it."""
    construction, network = exporting.construction, exporting.network
    language = construction.language
    written = {parameter.name: parameter.default.source for parameter in construction.parameters}
    return {
        "name": construction.name,
        "title": construction.title,
        "source": construction.source,
        "sha256": digest(construction),
        "parameters": written | dict(exporting.options.given),
        "language": {
            "name": language.name,
            "description": language.description,
            "characterisation": language.characterisation.source,
        },
        "tokens": list(exporting.tokens),
        "begin": network.begin,
        "end": network.end,
        "coordinates": list(network.coordinates),
        "outputs": list(output_names(construction)),
        "readout": {"position": network.readout.position, "accept": network.readout.accept},
        "theorems": {
            "note": "as stated; this export proves none of them",
            "prove": f"weightproof prove {exporting.source.argument}" if exporting.source.is_named else None,
            "stated": stated(exporting),
        },
    }


def stated(exporting: Exporting) -> list[dict[str, Any]]:
    """Each theorem that is stated of the construction, for all values of its parameters: what it says, where, and which
    verdict is expected of it."""
    return [
        {
            "name": theorem.name,
            "statement": str(theorem.statement),
            "given": theorem.given.source,
            "scope": "all lengths" if (most := most_positions(theorem)) is None else f"n <= {most}",
            "expected": theorem.expected,
        }
        for theorem in theorems_about(exporting.source)
    ]


def require_unset(format: str, **options: object) -> None:
    """InputError for an option that a format has no use for."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name.replace('_', '-')} is for other formats; leave it out with --to {format}")


def depends_on_length(expressions: Sequence[Any]) -> bool:
    return any("n" in expression.names for expression in expressions)


def as_json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
