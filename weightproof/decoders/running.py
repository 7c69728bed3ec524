"""`run` of a decoder: the tokens that it appends to a word, exactly, and in floating point where that is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Produced
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.reports.running import INTERPRETER, LONGEST, FloatingPoint
from weightproof.sources import Source
from weightproof.terminal.digits import decimal, fraction


@dataclass(frozen=True)
class Generated:
    """What a decoder appends to a word, `produced` in exact arithmetic; argument: the construction as the user named
    it; numeric: the readings in floating point."""

    argument: str
    construction: Construction
    word: str
    given: Mapping[str, str]
    produced: tuple[Produced, ...]
    numeric: tuple[Mapping[str, Any], ...]

    @property
    def stopped(self) -> bool:
        network = self.construction.network
        assert isinstance(network, Decoder)
        return bool(self.produced) and self.produced[-1].token == network.stop


def generated(
    source: Source, word: str, given: Mapping[str, str], most: int, floating: FloatingPoint | None = None
) -> Generated:
    """Run a word until the decoder stops, or `most` tokens are appended; InputError for what cannot be run."""
    construction = source.construction
    if len(word) > LONGEST:
        raise InputError(f"{construction.name}: a word of {len(word)} symbols is too long; give {LONGEST} or less")
    try:
        produced = tuple(itertools.islice(generate(construction, word, given), most))
    except ArithmeticError as error:
        raise InputError(f"{construction.name}: no exact value on {compact(word)!r}: {error}") from error
    wanted = [each.token for each in produced]
    rows = () if floating is None else tuple(_numeric(construction, word, given, floating, wanted, most))
    return Generated(source.argument, construction, word, given, produced, rows)


def _numeric(
    construction: Construction,
    word: str,
    given: Mapping[str, str],
    floating: FloatingPoint,
    wanted: list[str],
    most: int,
) -> Iterator[dict[str, Any]]:
    from weightproof.numeric.decoding.decoder import DecoderTransformer

    for dtype, device, attention in product(floating.dtypes, floating.devices, floating.attentions):
        model = DecoderTransformer(construction, given, dtype, device, attention)
        tokens = [each.tokens[0] for each in itertools.islice(model.generate([word]), most)]
        kind = {"dtype": dtype, "device": device, "attention": attention}
        yield {**kind, "tokens": tokens, "agrees": tokens == wanted}


def payload(found: Generated) -> dict[str, Any]:
    """The JSON."""
    return {
        "construction": found.argument,
        "word": found.word,
        "parameters": {
            parameter.name: found.given.get(parameter.name, parameter.default.source)
            for parameter in found.construction.parameters
        },
        "appended": [
            {"token": each.token, "outputs": {token: _exact(value) for token, value in each.outputs.items()}}
            for each in found.produced
        ],
        "stopped": found.stopped,
        "evaluated": INTERPRETER,
        "numeric": list(found.numeric),
    }


def _exact(value: Any) -> str:
    return fraction(value) or decimal(value).digits


def report(found: Generated, every: bool) -> Iterator[Plain]:
    """The tokens, with their outputs where every step is asked for, and those in floating point."""
    data = payload(found)
    yield Heading(3, f"{found.construction.name} on {compact(found.word)!r}")
    values = ", ".join(f"{name} = {value}" for name, value in data["parameters"].items())
    tokens = [each.token for each in found.produced]
    yield pairs(
        [
            *([("parameters", values)] if values else []),
            ("appends", Styled(" ".join(tokens) or "nothing yet")),
        ]
    )
    if every:
        outputs = list(found.produced[0].outputs) if found.produced else []
        cells: list[list[Text]] = [
            [str(number), each["token"], *(each["outputs"][token] for token in outputs)]
            for number, each in enumerate(data["appended"], start=1)
        ]
        yield Table(("step", "token", *map(repr, outputs)), cells, right=frozenset({"step"}))
    if found.numeric:
        yield Heading(3, "In floating point")
        rows: list[list[Text]] = [
            [
                *(row[name] for name in ("dtype", "device", "attention")),
                " ".join(row["tokens"]),
                Styled("yes", "green") if row["agrees"] else Styled("no", "bold red"),
            ]
            for row in found.numeric
        ]
        yield Table(("dtype", "device", "attention", "appends", "agrees"), rows)
    if not found.stopped:
        yield Paragraph(Styled(f"It has not stopped after {len(tokens)} tokens; raise --max-steps to go on.", "yellow"))
