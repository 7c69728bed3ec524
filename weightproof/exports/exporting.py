"""Writes a construction in a format of another program into a folder; what every format says of it, and its position
encodings and scales of heads as tables, as far as they depend on the number of positions."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment, add_markers
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.values import evaluate
from weightproof.exports.tensors import finite, output_names
from weightproof.filed import Filed, filed
from weightproof.named import Named
from weightproof.proofs.theorem import said_scope
from weightproof.stating import theorems_about

if TYPE_CHECKING:
    import torch

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

    source: Named
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
    def names(self) -> Environment:
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
            "scope": said_scope(theorem),
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


FORMATS = {"safetensors": "weights", "transformer-lens": "lens", "onnx": "verifying", "edges": "edges", "coq": "coq"}
"""Name -> module of this package, whose function `files` makes the contents of files by name."""


@dataclass(frozen=True, repr=False)
class Exported(Filed):
    """name, sha256: of the construction; format: in which the files hold it."""

    name: str
    sha256: str
    format: str

    @property
    def title(self) -> str:
        return f"{self.name} as {self.format}"

    @property
    def data(self) -> dict[str, Any]:
        return {"construction": self.name, "sha256": self.sha256, "format": self.format, **super().data}


def exported(source: Named, format: str, folder: Path, options: Options) -> Exported:
    """Write it; the folder is made where it is not there. InputError for what the format cannot hold."""
    from weightproof.numeric.rounding.formats import FORMATS as DTYPES

    if format not in FORMATS:
        raise InputError(f"--to {format}: no such format; there are {', '.join(FORMATS)}")
    if options.dtype not in DTYPES:
        raise InputError(f"unknown dtype {options.dtype!r}; there are {', '.join(DTYPES)}")
    if options.max_length is not None and options.max_length < 1:
        raise InputError(f"--max-length {options.max_length} leaves no word: give 1 or more")
    parameter_values(source.construction, options.given)
    contents = importlib.import_module(f"weightproof.exports.{FORMATS[format]}").files(Exporting(source, options))
    return Exported(folder, filed(folder, contents), source.construction.name, digest(source.construction), format)


LARGEST_TABLE = 1 << 28
"""Bytes of a table."""


def encodings_depend_on_length(exporting: Exporting) -> bool:
    return depends_on_length(tuple(exporting.network.embedding.PE.values()))


def table(exporting: Exporting, n: int) -> torch.Tensor:
    """The position encodings of words of n positions, each rounded once: [n, d_model]."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, over_positions

    network, format = exporting.network, FORMATS[exporting.options.dtype]
    result = torch.zeros(n, len(network.coordinates), dtype=torch.float64)
    for coordinate, encoding in network.embedding.PE.items():
        try:
            values = over_positions(encoding, exporting.names, n, format)
        except (InputError, ArithmeticError) as error:
            raise InputError(f"{exporting.construction.name}: of words of {n} positions {error}") from error
        result[:, network.coordinates.index(coordinate)] = torch.from_numpy(values)
    return finite("W_pos", result, format).to(DTYPES[exporting.options.dtype])


def tables(exporting: Exporting) -> torch.Tensor:
    """W_pos of words of up to max_length symbols, N positions: [N, d_model] where encodings do not depend on n, and
    else [N + 1, N, d_model], of which W_pos[n, :n] is for words of n positions; the rest is 0."""
    import torch

    most, width = exporting.positions(exporting.max_length), len(exporting.network.coordinates)
    each = encodings_depend_on_length(exporting)
    if 8 * width * most * (most + 1 if each else 1) > LARGEST_TABLE:
        raise InputError(f"--max-length {exporting.max_length}: the position tables get too large; give less")
    if not each:
        return table(exporting, most)
    first = table(exporting, most)
    result = torch.zeros(most + 1, most, width, dtype=first.dtype)
    for n in _lengths(exporting):
        result[n, :n] = table(exporting, n)
    return result


def scales(exporting: Exporting) -> dict[str, torch.Tensor]:
    """By the name of a layer's attention what multiplies its scores: [heads], or, where one depends on n, [N + 1,
    heads] by the number of positions; where there is no word of so many, 0."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, rounded

    format, dtype = FORMATS[exporting.options.dtype], DTYPES[exporting.options.dtype]
    most, found = exporting.positions(exporting.max_length), {}
    for number, layer in enumerate(exporting.network.layers):
        if not layer.heads:
            continue
        each = depends_on_length([head.scale for head in layer.heads])
        result = torch.zeros(most + 1 if each else 1, len(layer.heads), dtype=torch.float64)
        for n in _lengths(exporting) if each else [0]:
            names = {**exporting.names, "n": fmpq(n)}
            exact = [rounded(evaluate(head.scale, names), format) for head in layer.heads]
            result[n] = torch.tensor(exact, dtype=torch.float64)
        name = f"blocks.{number}.attn.scale"
        found[name] = finite(name, result if each else result[0], format).to(dtype)
    return found


def _lengths(exporting: Exporting) -> range:
    """Numbers of positions, those of the empty word first."""
    return range(max(1, exporting.positions(0)), exporting.positions(exporting.max_length) + 1)
