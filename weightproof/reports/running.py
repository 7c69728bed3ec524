"""`run`: one word, exactly, and in floating point where a dtype is asked for."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from flint import fmpq

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers, decision
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.meaning.trace import Trace, trace
from weightproof.document.blocks import Heading, Plain, Styled, Table, Text, pairs
from weightproof.reports import tracing
from weightproof.sources import Source
from weightproof.terminal.digits import decimal, equation, fraction

LONGEST = 2_000
"""Symbols of a word that is traced, or where a head is causal: the interpreter compares all pairs of positions, and
takes minutes beyond."""
INTERPRETED = 200
"""Symbols of a word that the interpreter runs where the linear pass could."""
LONGEST_SHOWN = 200
"""Symbols of a word whose tokens are listed."""
LONGEST_EXACT = 20_000
"""Symbols of a word that the linear pass in exact arithmetic runs; no head may be causal, no trace be asked for."""
INTERPRETER, LINEAR_PASS = "interpreter", "linear pass"
"""By what an answer was computed, as JSON has it: the interpreter, which says what a network means, or another reading
of the same data."""
SAID_OF_LINEAR = "by a pass that computes equal queries once, not by the interpreter, which says what a network means"


def exact(construction: Construction, word: str, given: Mapping[str, str], traced: bool, alone: bool) -> Run | None:
    """The exact run, without its streams where the word is long; None where the word is too long for exact arithmetic.

    Raises InputError where the network has no value on the word, where a long word is to be traced, or where nothing
    but the exact run is asked for (`alone`) and the word is too long for it.
    """
    if traced and len(word) > LONGEST:
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long to trace; give {LONGEST} or less"
        )
    most = _longest(construction)
    if len(word) > most:
        if alone:
            raise InputError(
                f"{construction.name}: a word of {len(word)} symbols is too long for exact arithmetic; give "
                f"{most} or less, or run it in floating point with --dtype float32, say"
            )
        return None
    try:
        if traced or most == LONGEST or len(word) <= INTERPRETED:
            return run(construction, word, given)
        return _linear(construction, word, given)
    except ArithmeticError as error:
        raise InputError(f"{construction.name}: no exact value on {compact(word)!r}: {error}") from error


def _longest(construction: Construction) -> int:
    network = construction.network
    return LONGEST if isinstance(network, Encoder) and network.causal else LONGEST_EXACT


def _linear(construction: Construction, word: str, given: Mapping[str, str]) -> Run:
    """The logit by a pass that computes equal queries once; a value that the interpreter needs and that is not there
    is missed here, too."""
    from weightproof.numeric.search.mechanism import exact_pass

    network = construction.network
    assert isinstance(network, Encoder)
    names = {**parameter_values(construction, given), "d": fmpq(len(network.coordinates))}
    done = exact_pass(construction, word, names)
    done.stream(max(0, done.stages - 2), 0, done.n)  # the last layer reads it, whether the readout sees that or not
    logit, accepts = done.logits()[0], done.accepts()
    return Run(add_markers(network, word), (), logit, accepts, decision(network.readout, logit)[1])


@dataclass(frozen=True)
class Answer:
    """What a construction makes of a word.

    argument: the construction as the user named it; exact: None where the word is too long for exact arithmetic;
    numeric: the readings in floating point; trace: of the positions that are shown, None where none was asked for.
    """

    argument: str
    construction: Construction
    word: str
    given: Mapping[str, str]
    exact: Run | None
    numeric: tuple[Mapping[str, Any], ...] = ()
    trace: Trace | None = None
    shown: tuple[int, ...] = ()

    @property
    def evaluated(self) -> str | None:
        """By what the exact answer was computed; None where there is none."""
        return None if self.exact is None else INTERPRETER if self.exact.streams else LINEAR_PASS

    @property
    def member(self) -> bool:
        return is_member(self.construction, self.word, parameter_values(self.construction, self.given))

    @property
    def agrees(self) -> bool | None:
        """Whether the network decides as the language does; None where there is no exact answer."""
        return None if self.exact is None else self.exact.accepts == self.member


def answered(
    source: Source,
    word: str,
    given: Mapping[str, str],
    floating: FloatingPoint | None = None,
    traced: bool = False,
    positions: Collection[int] = (),
) -> Answer:
    """Run a word; floating: in floating point, too; traced: with every intermediate quantity; positions: of a long
    word, which ones its trace shows beside the first and the last. Raises InputError as `exact` does."""
    construction = source.construction
    if isinstance(construction.network, Decoder):
        raise InputError(f"{construction.name} is a decoder, which appends tokens: see weightproof run --help")
    result = exact(construction, word, given, traced, floating is None)
    steps, shown = None, tuple[int, ...]()
    if traced and result is not None:
        shown = tuple(tracing.shown(construction, len(result.tokens), positions))
        steps = trace(construction, result, given, shown)
    rows = () if floating is None else tuple(numeric(construction, word, given, floating))
    return Answer(source.argument, construction, word, given, result, rows, steps, shown)


EXACT = ("accepts", "agrees", "logit", "logit_decimal", "logit_is_exact", "decided")


def payload(answer: Answer) -> dict[str, Any]:
    """The JSON; what is exact is null where the word is too long for that."""
    construction, word, result = answer.construction, answer.word, answer.exact
    values: dict[str, Any] = {
        "construction": answer.argument,
        "word": word if len(word) <= LONGEST_SHOWN else compact(word),
        "parameters": {
            parameter.name: answer.given.get(parameter.name, parameter.default.source)
            for parameter in construction.parameters
        },
        "tokens": None if result is None or len(word) > LONGEST else list(result.tokens),
        "member": answer.member,
        "evaluated": answer.evaluated,
        **(dict.fromkeys(EXACT) if result is None else _exact_values(result, answer.member)),
        "numeric": list(answer.numeric),
    }
    return values | ({} if answer.trace is None else {"trace": tracing.payload(answer.trace)})


def _exact_values(result: Run, member: bool) -> dict[str, Any]:
    text, digits = fraction(result.logit), decimal(result.logit)
    return {
        "accepts": result.accepts,
        "agrees": member == result.accepts,
        "logit": digits.digits if text is None else text,
        "logit_decimal": digits.digits,
        "logit_is_exact": text is not None,
        "decided": result.decided,
    }


@dataclass(frozen=True)
class FloatingPoint:
    """In which formats, where and how a word is run; tolerance: where logit 0 accepts, |logit| up to it does, too."""

    dtypes: Sequence[str]
    devices: Sequence[str] = ("cpu",)
    attentions: Sequence[str] = ("explicit",)
    tolerance: float | None = None


def numeric(
    construction: Construction, word: str, given: Mapping[str, str], floating: FloatingPoint
) -> Iterator[dict[str, Any]]:
    """The same weights in floating point, one row for each dtype, device and kind of attention.

    "accepts" is by the construction's own rule, "rules" by each one that `precision` knows.
    """
    from weightproof.kinds import require_tolerance
    from weightproof.numeric.model.acceptance import rules
    from weightproof.numeric.model.transformer import Transformer

    require_tolerance(floating.tolerance)
    for dtype, device, attention in product(floating.dtypes, floating.devices, floating.attentions):
        model = Transformer(construction, parameters=given, dtype=dtype, device=device, attention=attention)
        logits = model.logits([word])
        logit = float(logits[0])
        decisions = {
            rule.name: bool(rule.accepts(model, logits)[0]) for rule in rules(model.network, floating.tolerance)
        }
        yield {
            "dtype": dtype,
            "device": device,
            "attention": attention,
            "logit": logit if math.isfinite(logit) else str(logit),  # JSON has no NaN
            "accepts": next(iter(decisions.values())),
            "rules": decisions,
        }


def report(answer: Answer) -> Iterator[Plain]:
    """The exact answer, then a table of the numeric ones, then the trace."""
    data, construction, word, result = (
        payload(replace(answer, trace=None)),
        answer.construction,
        answer.word,
        answer.exact,
    )
    language, rule = construction.language, construction.network.readout.accept
    values = ", ".join(f"{name} = {value}" for name, value in data["parameters"].items())
    description = f": {language.description}" if language.description else ""
    yield Heading(3, f"{construction.name} on {data['word']!r}")
    yield pairs(
        [
            ("language", f"{language.name}{description}"),
            *([("parameters", values)] if values else []),
            ("positions", _positions(construction, word)),
            *([("evaluated", SAID_OF_LINEAR)] if answer.evaluated == LINEAR_PASS else []),
            *(_exactly(data, rule, result) if result is not None else _too_long(construction)),
            ("member", _yes(data["member"])),
            *([("agrees", _agreement(data["agrees"]))] if result is not None else []),
            *(
                []
                if data["decided"] in (True, None)
                else [("undecided", Styled("the logit is 0, which rejects", "yellow"))]
            ),
        ]
    )
    if data["numeric"]:
        yield Heading(3, "In floating point")
        header = ("dtype", "device", "attention", "logit", "rule", "accepts", "agrees")
        rows: list[list[Text]] = [
            [
                row["dtype"],
                row["device"],
                row["attention"],
                str(row["logit"]),
                rule,
                _yes(accepts),
                _agreement(accepts == data["member"]),
            ]
            for row in data["numeric"]
            for rule, accepts in row["rules"].items()
        ]
        yield Table(header, rows, right=frozenset({"logit"}))
    if answer.trace is not None:
        yield from tracing.report(construction, answer.trace, answer.shown)


def _too_long(construction: Construction) -> list[tuple[str, str | Styled]]:
    most = _longest(construction)
    return [("logit", f"not computed: exact arithmetic takes words of at most {most} symbols")]


def _exactly(data: Mapping[str, Any], rule: str, result: Run) -> list[tuple[str, str | Styled]]:
    return [
        ("logit", Styled(equation(result.logit))),
        ("accepts", f"{_yes(data['accepts'])} ({rule})"),
    ]


def _positions(construction: Construction, word: str) -> str:
    network = construction.network
    assert isinstance(network, Encoder)
    if len(word) > LONGEST_SHOWN:
        return str(len(word) + (network.begin is not None) + (network.end is not None))
    tokens = add_markers(network, word)
    return f"{len(tokens)}: {' '.join(tokens)}"


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _agreement(agrees: bool) -> Styled:
    return Styled("yes", "green") if agrees else Styled("no", "bold red")
