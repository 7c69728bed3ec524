"""`run` of a network that takes the argmax over tokens: its outputs, what it predicts, and what is right."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from weightproof.constructions.languages.membership import right_token
from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.outputs import outputs
from weightproof.constructions.meaning.running import Prediction, Run, predict
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.trace import Trace, trace
from weightproof.constructions.scalars.numbers import ZERO
from weightproof.document.blocks import Heading, Plain, Styled, Table, Text, pairs
from weightproof.reports import tracing
from weightproof.reports.running import INTERPRETER, LONGEST, LONGEST_SHOWN, FloatingPoint
from weightproof.sources import Source
from weightproof.terminal.digits import decimal, equation, fraction


@dataclass(frozen=True)
class Predicted:
    """What a network makes of a word. argument: the construction as the user named it; found: None where the word is
    too long for exact arithmetic; the others as in `reports.running.Answer`."""

    argument: str
    construction: Construction
    word: str
    given: Mapping[str, str]
    found: Prediction | None
    numeric: tuple[Mapping[str, Any], ...] = ()
    trace: Trace | None = None
    shown: tuple[int, ...] = ()

    @property
    def right(self) -> str | None:
        """The token that is to come; None where the language says of none."""
        return None if self.construction.language.label is None else right_token(self.construction, self.word)

    @property
    def member(self) -> bool:
        return self.right is not None

    @property
    def agrees(self) -> bool | None:
        """Whether the right token has the greatest output, alone; None where there is none, or no exact run."""
        if self.found is None or self.right is None:
            return None
        return self.found.decided and self.found.token == self.right


def predicted(
    source: Source,
    word: str,
    given: Mapping[str, str],
    floating: FloatingPoint | None = None,
    traced: bool = False,
    positions: Collection[int] = (),
) -> Predicted:
    """Run a word, as `reports.running.answered` does."""
    construction = source.construction
    if len(word) > LONGEST and (traced or floating is None):
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long for exact arithmetic; give {LONGEST} or "
            "less, or run it in floating point with --dtype float32, say"
        )
    try:
        found = predict(construction, word, given) if len(word) <= LONGEST else None
    except ArithmeticError as error:
        raise InputError(f"{construction.name}: no exact value on {compact(word)!r}: {error}") from error
    steps, shown = None, tuple[int, ...]()
    if traced and found is not None:
        shown = tuple(tracing.shown(construction, len(found.tokens), positions))
        steps = trace(construction, Run(found.tokens, found.streams, ZERO, False, True), given, shown)
    rows = () if floating is None else tuple(_numeric(construction, word, given, floating))
    return Predicted(source.argument, construction, word, given, found, rows, steps, shown)


def _numeric(
    construction: Construction, word: str, given: Mapping[str, str], floating: FloatingPoint
) -> Iterator[dict[str, Any]]:
    """The same weights in floating point, one row for each dtype, device and kind of attention."""
    from weightproof.numeric.model.transformer import Transformer

    if floating.tolerance is not None:
        raise InputError("--tolerance is for networks that accept where the logit is 0; the greatest output has none")
    right = None if construction.language.label is None else right_token(construction, word)
    for dtype, device, attention in product(floating.dtypes, floating.devices, floating.attentions):
        model = Transformer(construction, given, dtype, device, attention)
        found = dict(zip(model.rows, model.outputs([word])[0].tolist(), strict=True))
        best = max(found.values())
        greatest = [token for token, output in found.items() if output == best]
        yield {
            "dtype": dtype,
            "device": device,
            "attention": attention,
            "logit": None,
            "accepts": None,
            "rules": {},
            "outputs": {token: output if math.isfinite(output) else str(output) for token, output in found.items()},
            "token": greatest[0] if greatest else None,
            "decided": len(greatest) == 1,
            "agrees": None if right is None else greatest == [right],
        }


def payload(answer: Predicted) -> dict[str, Any]:
    """The JSON: that of a recogniser, in which logit and accepts are null, and the outputs beside."""
    construction, word, found = answer.construction, answer.word, answer.found
    values: dict[str, Any] = {
        "construction": answer.argument,
        "word": word if len(word) <= LONGEST_SHOWN else compact(word),
        "parameters": {
            parameter.name: answer.given.get(parameter.name, parameter.default.source)
            for parameter in construction.parameters
        },
        "tokens": None if found is None else list(found.tokens),
        "member": answer.member,
        "accepts": None,
        "agrees": answer.agrees,
        "logit": None,
        "logit_decimal": None,
        "logit_is_exact": None,
        "evaluated": None if found is None else INTERPRETER,
        "decided": None if found is None else found.decided,
        "outputs": None if found is None else {t: fraction(x) or decimal(x).digits for t, x in found.outputs.items()},
        "token": None if found is None else found.token,
        "right": answer.right,
        "numeric": list(answer.numeric),
    }
    return values | ({} if answer.trace is None else {"trace": tracing.payload(answer.trace)})


def report(answer: Predicted) -> Iterator[Plain]:
    """The exact answer, its outputs, the greatest first, then a table of the numeric ones, then the trace."""
    data, construction, found = payload(answer), answer.construction, answer.found
    language, network = construction.language, construction.network
    assert isinstance(network, Encoder)
    values = ", ".join(f"{name} = {value}" for name, value in data["parameters"].items())
    count = len(add_markers(network, answer.word))
    shown = f"{count}: {' '.join(found.tokens)}" if found is not None and count <= LONGEST_SHOWN else str(count)
    yield Heading(3, f"{construction.name} on {data['word']!r}")
    yield pairs(
        [
            ("language", f"{language.name}: {language.description}" if language.description else language.name),
            *([("parameters", values)] if values else []),
            ("positions", shown),
            *([("predicts", Styled(_said(found)))] if found is not None else []),
            ("right", "no token is said to be" if answer.right is None else answer.right),
            *([("agrees", _agreement(answer.agrees))] if answer.agrees is not None else []),
        ]
    )
    if found is not None:
        yield Heading(3, "Outputs")
        yield pairs([(token, equation(output)) for token, output in found.outputs.items()])
    if answer.numeric:
        yield Heading(3, "In floating point")
        tokens = list(outputs(construction))
        rows: list[list[Text]] = [
            [
                *(row[key] for key in ("dtype", "device", "attention")),
                *(str(row["outputs"][token]) for token in tokens),
                row["token"] if row["decided"] else f"{row['token']}, not alone",
                *([_agreement(row["agrees"])] if row["agrees"] is not None else ["-"]),
            ]
            for row in answer.numeric
        ]
        header = ("dtype", "device", "attention", *tokens, "predicts", "agrees")
        yield Table(header, rows, right=frozenset(tokens))
    if answer.trace is not None:
        yield from tracing.report(construction, answer.trace, answer.shown)


def _said(found: Prediction) -> str:
    return found.token if found.decided else f"{found.token}, but another output is as great"


def _agreement(agrees: bool | None) -> Styled:
    return Styled("yes", "green") if agrees else Styled("no", "bold red")
