"""`run`: one word, exactly, and in floating point where a dtype is asked for."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from flint import ctx, fmpq

from weightproof.constructions.languages.membership import is_member, right_token
from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers, decision
from weightproof.constructions.meaning.outputs import outputs
from weightproof.constructions.meaning.running import Prediction, Run, parameter_values, predict, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.trace import Trace, trace
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.values import ZERO, Number
from weightproof.document.blocks import Heading, Plain, Styled, Table, Text, pairs
from weightproof.kinds import PREDICTOR, Running, require, require_tolerance
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.reported import Ran
from weightproof.reports import tracing
from weightproof.terminal.digits import decimal, equation, fraction

LONGEST_TRACED = 2_000
"""Symbols of a word that is traced, or where a head is causal: the interpreter compares all pairs of positions, and
takes minutes beyond."""
INTERPRETED = 200
"""Symbols of a word that the interpreter runs where the linear pass could."""
LONGEST_SHOWN = 200
"""Symbols of a word whose tokens are listed."""
LONGEST_EXACT = 20_000
"""Symbols of a word that the linear pass in exact arithmetic runs; no head may be causal, no trace be asked for."""
INTERPRETER, IN_BALLS, LINEAR_PASS = "interpreter", "interpreter, in balls", "linear pass"
"""By what an answer was computed, as JSON has it: the interpreter, which says what a network means, or another reading
of the same data."""
PATIENCE = 5.0
"""Seconds of counted work that exact numbers may take, before a word is run in balls."""
PRECISIONS = (128, 512, 2048)
"""Bits of the balls, until all signs are certain."""
Made = TypeVar("Made")
SAID_OF_LINEAR = "by a pass that computes equal queries once, not by the interpreter, which says what a network means"


def in_numbers(name: str, ran: Callable[[int | None], Made], exactly: bool) -> tuple[Made, int | None]:
    """What comes of a run, and of how many bits its balls are, None of exact numbers. ran: the run, given these bits.

    Exact numbers are given up where they take too long, unless nothing else will do. InputError where the balls leave a
    sign open then.
    """
    if exactly:
        return ran(None), None
    with suppress(TimeUp):
        return Deadline.after(PATIENCE).during("the run", lambda: ran(None)), None
    for bits in PRECISIONS:
        with suppress(Undecided), ctx.workprec(bits):
            return ran(bits), bits
    raise InputError(
        f"{name}: exact numbers take too long, and balls of {PRECISIONS[-1]} bits leave a sign open; with --exact, in "
        "Python exact=True, it is run exactly, however long that takes"
    )


def said_of_balls(bits: int | None) -> Iterator[tuple[str, Text]]:
    """What a report says of numbers that are not exact."""
    if bits is not None:
        yield "evaluated", f"in balls of {bits} bits, as exact numbers take too long; the digits shown are certain"


def exact(construction: Construction, word: str, how: Running, alone: bool) -> tuple[Run | None, int | None]:
    """The run, exact or in balls of so many bits, without its streams where the word is long; None where the word is
    too long for exact arithmetic.

    Raises InputError where the network has no value on the word, where a long word is to be traced, or where nothing
    but the exact run is asked for (`alone`) and the word is too long for it.
    """
    if how.trace and len(word) > LONGEST_TRACED:
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long to trace; give {LONGEST_TRACED} or less"
        )
    most = _longest(construction)
    if len(word) > most:
        if alone:
            raise InputError(
                f"{construction.name}: a word of {len(word)} symbols is too long for exact arithmetic; give "
                f"{most} or less, or run it in floating point with --dtype float32, say"
            )
        return None, None
    with valued(construction, word):
        if how.trace or most == LONGEST_TRACED or len(word) <= INTERPRETED:
            return in_numbers(
                construction.name, lambda bits: run(construction, word, how.parameters, bits), _exactly(how)
            )
        return _linear(construction, word, how.parameters), None


def _exactly(how: Running) -> bool:
    """Whether a trace or a picture needs exact numbers, or they are asked for."""
    return how.exact or how.trace or how.picture is not None


def _longest(construction: Construction) -> int:
    network = construction.network
    return LONGEST_TRACED if isinstance(network, Encoder) and network.causal else LONGEST_EXACT


def _linear(construction: Construction, word: str, given: Mapping[str, str]) -> Run:
    """The logit by a pass that computes equal queries once; a value that the interpreter needs and that is not there
    is missed here, too."""
    from weightproof.numeric.model.strict import exact_pass

    network = construction.encoder
    names = {**parameter_values(construction, given), "d": fmpq(len(network.coordinates))}
    done = exact_pass(construction, word, names)
    done.stream(max(0, done.stages - 2), 0, done.n)  # the last layer reads it, whether the readout sees that or not
    done.stream(done.stages, *done.seen(done.stages))  # every coordinate, whether the readout reads it or not
    logit, accepts = done.logits()[0], done.accepts()
    return Run(add_markers(network, word), (), logit, accepts, decision(network.readout, logit)[1])


@dataclass(frozen=True, repr=False, kw_only=True)
class Answer(Ran):
    """What a construction makes of a word.

    argument: the construction as the user named it; exact: None where the word is too long for that; bits: of the balls
    that its numbers are, None where they are exact; numeric: the readings in floating point; trace: of the positions
    that are shown, None where none was asked for. That it agrees with the language is a finding, not a must.
    """

    argument: str
    construction: Construction
    given: Mapping[str, str]
    exact: Run | Prediction | None
    bits: int | None
    numeric: tuple[Mapping[str, Any], ...]
    trace: Trace | None
    shown: tuple[int, ...]
    must_agree: ClassVar[bool] = False

    @property
    def member(self) -> bool:
        """Whether the word is in the language."""
        return is_member(self.construction, self.word, parameter_values(self.construction, self.given))

    @property
    def logit(self) -> Number | None:
        """Exact, or in a ball; None of a word that is too long for that, and of what predicts a token or a class."""
        return None

    @property
    def accepts(self) -> bool | None:
        return None

    @property
    def prediction(self) -> str | None:
        """The token that is predicted, the first of several; None of a network that reads out a logit."""
        return None

    @property
    def evaluated(self) -> str | None:
        """By what the exact answer was computed; None where there is none."""
        if self.exact is None:
            return None
        return LINEAR_PASS if not self.exact.streams else INTERPRETER if self.bits is None else IN_BALLS

    @property
    def tokens(self) -> tuple[str, ...] | None:
        """With the markers; None where there is no exact answer."""
        return None if self.exact is None else self.exact.tokens

    @property
    @abstractmethod
    def exactly(self) -> dict[str, Any]:
        """What the JSON says of the exact answer; null where the word is too long for that."""

    @property
    def data(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "construction": self.argument,
            "word": self._word,
            "parameters": parameters_of(self.construction, self.given),
            "tokens": None if self.tokens is None or len(self.word) > LONGEST_TRACED else list(self.tokens),
            "member": self.member,
            "evaluated": self.evaluated,
            **self.exactly,
            "numeric": list(self.numeric),
        }
        return values | ({} if self.trace is None else {"trace": tracing.as_data(self.trace)})

    @property
    def _word(self) -> str:
        return self.word if len(self.word) <= LONGEST_SHOWN else compact(self.word)

    def report(self) -> Iterator[Plain]:
        """The exact answer, then a table of the numeric ones, then the trace."""
        language = self.construction.language
        values = ", ".join(f"{name} = {value}" for name, value in parameters_of(self.construction, self.given).items())
        yield Heading(3, f"{self.construction.name} on {self._word!r}")
        yield pairs(
            [
                ("language", f"{language.name}: {language.description}" if language.description else language.name),
                *([("parameters", values)] if values else []),
                ("positions", _positions(self.construction, self.word)),
                *self.facts(),
            ]
        )
        yield from self.beside()
        yield from in_floating_point(*self.floats())
        if self.trace is not None:
            yield from tracing.report(self.construction, self.trace, self.shown)

    @abstractmethod
    def facts(self) -> Iterator[tuple[str, Text]]:
        """What the exact answer says, by its names in the report."""

    @abstractmethod
    def floats(self) -> tuple[tuple[str, ...], list[list[Text]], frozenset[str]]:
        """Header and rows of the answers in floating point, and the columns that are numbers."""

    def beside(self) -> Iterator[Plain]:
        yield from ()

    def picture(self, path: str | Path | None = None) -> Picture:
        """Attention, the residual stream and the logit with its closed form, drawn, and written to an SVG or a PNG, as
        the name ends, if one is given.

        InputError for a network that predicts a token or a class, for a word of more than 200 symbols, and where the
        file cannot be written.
        """
        from weightproof.reports.drawing import draw, drawn, pictured, require_drawable, require_picture

        if not isinstance(self, Recognised):
            require(self.argument, PREDICTOR, "run", ["--picture"])
        assert isinstance(self, Recognised)
        require_drawable(self.word) if path is None else require_picture(Path(path), self.word)
        assert self.exact is not None
        shown = pictured(self.construction, self.word, self.given, self.exact)
        if path is not None:
            draw(shown, Path(path))
        return Picture(drawn(shown, "svg").decode())


@dataclass(frozen=True)
class Picture:
    """An SVG, which shows itself in a notebook."""

    svg: str

    def __repr__(self) -> str:
        return f"a picture of {len(self.svg):,} characters of SVG, which a notebook shows"

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, repr=False, kw_only=True)
class Recognised(Answer):
    """What a network that reads out a logit makes of a word."""

    exact: Run | None

    @property
    def logit(self) -> Number | None:
        return None if self.exact is None else self.exact.logit

    @property
    def accepts(self) -> bool | None:
        return None if self.exact is None else self.exact.accepts

    @property
    def agrees(self) -> bool | None:
        """Whether the network decides as the language does; None where there is no exact answer."""
        return None if self.exact is None else self.exact.accepts == self.member

    @property
    def exactly(self) -> dict[str, Any]:
        text = None if self.exact is None else fraction(self.exact.logit)
        digits = None if self.exact is None else decimal(self.exact.logit).digits
        return {
            "accepts": self.accepts,
            "agrees": self.agrees,
            "logit": digits if text is None else text,
            "logit_decimal": digits,
            "logit_is_exact": None if self.exact is None else text is not None,
            "decided": None if self.exact is None else self.exact.decided,
        }

    def facts(self) -> Iterator[tuple[str, Text]]:
        if self.evaluated == LINEAR_PASS:
            yield "evaluated", SAID_OF_LINEAR
        yield from said_of_balls(self.bits)
        if self.exact is None:
            most = _longest(self.construction)
            yield "logit", f"not computed: exact arithmetic takes words of at most {most} symbols"
            yield "member", yes(self.member)
            return
        yield "logit", Styled(equation(self.exact.logit))
        yield "accepts", f"{yes(self.exact.accepts)} ({self.construction.network.readout.accept})"
        yield "member", yes(self.member)
        yield "agrees", agreement(self.agrees)
        if not self.exact.decided:
            yield "undecided", Styled("the logit is 0, which rejects", "yellow")

    def floats(self) -> tuple[tuple[str, ...], list[list[Text]], frozenset[str]]:
        header, member = (*PLACE, "logit", "rule", "accepts", "agrees"), self.member
        rows: list[list[Text]] = [
            [*place(row), str(row["logit"]), rule, yes(accepts), agreement(accepts == member)]
            for row in self.numeric
            for rule, accepts in row["rules"].items()
        ]
        return header, rows, frozenset({"logit"})


@dataclass(frozen=True, repr=False, kw_only=True)
class Predicted(Answer):
    """What a network that predicts a token or a class makes of a word."""

    exact: Prediction | None

    @property
    def right(self) -> str | None:
        """The token that is to come; None where the language says of none."""
        return _right(self.construction, self.word)

    @property
    def member(self) -> bool:
        return self.right is not None

    @property
    def agrees(self) -> bool | None:
        """Whether the right token is predicted, alone; None where there is none, or no exact run."""
        if self.exact is None or self.right is None:
            return None
        return self.exact.decided and self.exact.token == self.right

    @property
    def prediction(self) -> str | None:
        return None if self.exact is None else self.exact.token

    @property
    def exactly(self) -> dict[str, Any]:
        outputs = {} if self.exact is None else self.exact.outputs
        return {
            **dict.fromkeys(("accepts", "logit", "logit_decimal", "logit_is_exact")),
            "agrees": self.agrees,
            "decided": None if self.exact is None else self.exact.decided,
            "outputs": {token: fraction(x) or decimal(x).digits for token, x in outputs.items()} or None,
            "token": self.prediction,
            "right": self.right,
        }

    def facts(self) -> Iterator[tuple[str, Text]]:
        yield from said_of_balls(self.bits)
        if self.exact is not None:
            alone = "" if self.exact.decided else ", but another output is equal"
            yield "predicts", Styled(f"{self.exact.token}{alone}")
        yield "right", "no output is said to be" if self.right is None else self.right
        if self.agrees is not None:
            yield "agrees", agreement(self.agrees)

    def beside(self) -> Iterator[Plain]:
        """The outputs, in the order of the readout's rows."""
        if self.exact is not None:
            yield Heading(3, "Outputs")
            yield pairs((token, equation(output)) for token, output in self.exact.outputs.items())

    def floats(self) -> tuple[tuple[str, ...], list[list[Text]], frozenset[str]]:
        tokens = list(outputs(self.construction))
        rows: list[list[Text]] = [
            [
                *place(row),
                *(str(row["outputs"][token]) for token in tokens),
                row["token"] if row["decided"] else f"{row['token']}, not alone",
                agreement(row["agrees"]),
            ]
            for row in self.numeric
        ]
        return (*PLACE, *tokens, "predicts", "agrees"), rows, frozenset(tokens)


def recognised(source: Named, word: str, how: Running) -> Recognised:
    """Run a word of a network that reads out a logit, in floating point, too, where formats are named; InputError as in
    `exact`, and for options that do not go together."""
    floating, construction = floating_point(how), source.construction
    found, bits = exact(construction, word, how, floating is None)
    rows = () if floating is None else numeric(construction, word, how.parameters, floating)
    return Recognised(**_of(source, word, how, found), exact=found, bits=bits, numeric=rows)


def predicted(source: Named, word: str, how: Running) -> Predicted:
    """Run a word of a network that predicts a token or a class, as `recognised` does."""
    floating, construction = floating_point(how), source.construction
    if len(word) > LONGEST_TRACED and (how.trace or floating is None):
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long for exact arithmetic; give "
            f"{LONGEST_TRACED} or less, or run it in floating point with --dtype float32, say"
        )
    found, bits = None, None
    if len(word) <= LONGEST_TRACED:
        with valued(construction, word):
            found, bits = in_numbers(
                construction.name, lambda bits: predict(construction, word, how.parameters, bits), _exactly(how)
            )
    rows = () if floating is None else _predicted_rows(construction, word, how.parameters, floating)
    run = None if found is None else Run(found.tokens, found.streams, ZERO, False, True)
    return Predicted(**_of(source, word, how, run), exact=found, bits=bits, numeric=rows)


def _of(source: Named, word: str, how: Running, run: Run | None) -> dict[str, Any]:
    """What an answer of either kind has, with the trace of a run where one is asked for."""
    steps, shown, construction = None, tuple[int, ...](), source.construction
    if how.trace and run is not None:
        shown = tuple(tracing.shown(construction, len(run.tokens), how.positions))
        steps = trace(construction, run, how.parameters, shown)
    common = {"argument": source.argument, "construction": construction, "word": word, "given": how.parameters}
    return common | {"trace": steps, "shown": shown}


@contextmanager
def valued(construction: Construction, word: str) -> Iterator[None]:
    """InputError where a network has no exact value on a word."""
    try:
        yield
    except ArithmeticError as error:
        raise InputError(f"{construction.name}: no exact value on {compact(word)!r}: {error}") from error


def parameters_of(construction: Construction, given: Mapping[str, str]) -> dict[str, str]:
    """The values of all parameters: those that are given, and default ones."""
    return {each.name: given.get(each.name, each.default.source) for each in construction.parameters}


PLACE = ("dtype", "device", "attention")


def place(row: Mapping[str, Any]) -> list[str]:
    """The cells of these columns: behind fused attention stands the name of the kernel."""
    kernel = "" if row["kernel"] is None else f" ({row['kernel']})"
    return [row["dtype"], row["device"], f"{row['attention']}{kernel}"]


@dataclass(frozen=True)
class FloatingPoint:
    """In which formats, where and how a word is run; tolerance: where logit 0 accepts, |logit| up to it does, too."""

    dtypes: Sequence[str]
    devices: Sequence[str] = ("cpu",)
    attentions: Sequence[str] = ("explicit",)
    tolerance: float | None = None

    def rows(self, answer: Callable[[str, str, str], dict[str, Any]]) -> tuple[dict[str, Any], ...]:
        """A row for each format, device and kind of attention: its fused kernel, if any, and what the answer there
        is."""
        from weightproof.numeric.model.kernels import kernel_of

        return tuple(
            {"dtype": dtype, "device": device, "attention": kind, "kernel": kernel_of(kind, device, dtype)}
            | answer(dtype, device, kind)
            for dtype, device, kind in product(self.dtypes, self.devices, self.attentions)
        )


def floating_point(how: Running) -> FloatingPoint | None:
    """In which formats and how a word is run beside its exact run; InputError for how without formats, and for
    positions of a trace that is not asked for."""
    if how.positions and not how.trace:
        raise InputError("--position is for the trace of a word; add --trace")
    if how.dtypes:
        return FloatingPoint(how.dtypes, how.devices or ("cpu",), how.attentions or ("explicit",), how.tolerance)
    if how.devices or how.attentions or how.tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    return None


def numeric(
    construction: Construction, word: str, given: Mapping[str, str], floating: FloatingPoint
) -> tuple[dict[str, Any], ...]:
    """The same weights in floating point: "accepts" is by the construction's own rule, "rules" by each one that
    `precision` knows."""
    from weightproof.numeric.model.transformer import Transformer, rules

    require_tolerance(floating.tolerance)

    def answer(dtype: str, device: str, attention: str) -> dict[str, Any]:
        model = Transformer(construction, given, dtype, device, attention)
        logits = model.logits([word])
        logit = float(logits[0])
        decisions = {
            rule.name: bool(rule.accepts(model, logits)[0]) for rule in rules(model.network, floating.tolerance)
        }
        return {
            "logit": logit if math.isfinite(logit) else str(logit),  # JSON has no NaN
            "accepts": next(iter(decisions.values())),
            "rules": decisions,
        }

    return floating.rows(answer)


def _predicted_rows(
    construction: Construction, word: str, given: Mapping[str, str], floating: FloatingPoint
) -> tuple[dict[str, Any], ...]:
    from weightproof.numeric.model.transformer import Transformer

    if floating.tolerance is not None:
        raise InputError("--tolerance is for networks that accept where the logit is 0; a predicted token has none")
    right, rank = _right(construction, word), Choices("run").ranked(construction.encoder.readout.accept)

    def answer(dtype: str, device: str, attention: str) -> dict[str, Any]:
        model = Transformer(construction, given, dtype, device, attention)
        found = dict(zip(model.rows, model.outputs([word])[0].tolist(), strict=True))
        best = max(found.values(), key=lambda output: output * rank.sign)
        first = [token for token, output in found.items() if output == best]
        return {
            "logit": None,
            "accepts": None,
            "rules": {},
            "outputs": {token: output if math.isfinite(output) else str(output) for token, output in found.items()},
            "token": first[0] if first else None,
            "decided": len(first) == 1,
            "agrees": None if right is None else first == [right],
        }

    return floating.rows(answer)


def _right(construction: Construction, word: str) -> str | None:
    return None if construction.language.label is None else right_token(construction, word)


def _positions(construction: Construction, word: str) -> str:
    network = construction.encoder
    if len(word) > LONGEST_SHOWN:
        return str(len(word) + (network.begin is not None) + (network.end is not None))
    tokens = add_markers(network, word)
    return f"{len(tokens)}: {' '.join(tokens)}"


def in_floating_point(
    header: Sequence[str], rows: Sequence[Sequence[Text]], right: frozenset[str] = frozenset()
) -> Iterator[Plain]:
    """A table of what a word comes to in floating point, if it was run there."""
    if rows:
        yield Heading(3, "In floating point")
        yield Table(header, rows, right=right)


def yes(truth: bool) -> str:
    return "yes" if truth else "no"


def agreement(agrees: bool | None) -> Text:
    """A dash where nothing is known to agree with."""
    return "-" if agrees is None else Styled("yes", "green") if agrees else Styled("no", "bold red")
