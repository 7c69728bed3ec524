"""The commands as functions: they return what the commands print, as the frozen values of `weightproof.results`.

Wherever a construction is asked for, a built-in one's name, the path of a file that defines one, or the Construction
itself will do; `prove` and `derive` take Turing machines and recurrent networks, too, and whatever else the commands
take. What cannot be used raises InputError.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast, overload

from weightproof.constructions.languages.notation import expand
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.expressions import ExpressionError, expression
from weightproof.ran import Ran
from weightproof.results import Derived, DerivedSteps, Judgements, Measurements, Results, Shown
from weightproof.sources import source_of

if TYPE_CHECKING:
    from weightproof.constructions.machines.rnn import RNN
    from weightproof.constructions.machines.turing import TuringMachine
    from weightproof.exports.export import Exported
    from weightproof.proofs.theorem import Theorem

Given = str | Path | Construction
"""A name, a path, or the construction itself."""


def load(given: Given) -> Construction:
    """The built-in construction of that name, or the one that a file defines."""
    return source_of(given).construction


def transformed(given: Given, *asked: str) -> Construction:
    """The construction after transformations, each as `--with` takes it: "layer-norm:epsilon=0", say."""
    from weightproof.constructions.transforms import chosen

    return chosen.transformed(load(given), asked)


def show(given: Given, *parts: str, dense: bool = False) -> Shown:
    """A construction with its weights. parts: only these, as "embedding", "layer-1" or "readout"."""
    return Shown(source_of(given), parts, dense)


def run(
    given: Given,
    word: str,
    *,
    dtype: str | Sequence[str] = (),
    device: str | Sequence[str] = "cpu",
    attention: str | Sequence[str] = "explicit",
    tolerance: float | None = None,
    trace: bool = False,
    positions: Sequence[int] = (),
    **parameters: object,
) -> Ran:
    """Run a word in exact arithmetic, and in floating point where a dtype is given.

    word: without markers; 1{9}(01){4} repeats. device, attention, tolerance: of the runs in floating point. trace: with
    every vector and attention weight, in a long word at these positions, too. parameters: exact values: D=3, c="1/2".
    """
    from weightproof.constructions.meaning.outputs import ranks
    from weightproof.predicting.running import predicted
    from weightproof.reports.running import FloatingPoint, answered

    floating = FloatingPoint(_several(dtype), _several(device), _several(attention), tolerance) if dtype else None
    source = source_of(given)
    about = source, expand(word, source.construction.language.alphabet), _exact(parameters), floating, trace, positions
    return Ran(predicted(*about) if ranks(source.construction) else answered(*about))


@overload
def derive(given: TuringMachine | RNN) -> DerivedSteps: ...
@overload
def derive(given: Construction) -> Derived | DerivedSteps: ...
@overload
def derive(given: str | Path) -> Derived | DerivedSteps: ...
def derive(given: Given | TuringMachine | RNN) -> Derived | DerivedSteps:
    """Derive the logit for words of every length, or of a decoder what it appends to words of every length, or of a
    machine, a recurrent network or a family of simulators every step; InputError where there is no closed form."""
    from weightproof.appendix.deriving import derived
    from weightproof.constructions.meaning.schema import Decoder
    from weightproof.decoders import deriving as decoders
    from weightproof.machines.derivable import derivable

    if (other := derivable(given)) is not None:
        return DerivedSteps(other)
    source = source_of(cast(Given, given))
    if isinstance(source.construction.network, Decoder):
        return DerivedSteps(decoders.derivable(source))
    return Derived(source.argument, derived(source.construction))


def prove(
    given: Given | TuringMachine | RNN, theorems: Sequence[Theorem] | None = None, *, timeout: float | None = None
) -> Results:
    """Prove or refute theorems about a construction, its own if none are given; or that networks run a Turing machine,
    or simulate a recurrent network, for every word and every number of steps.

    timeout: seconds for all of it, reading a file included. Without a limit work is counted, not time, and the verdicts
    are the same on every machine. InputError where the time is up before the first theorem is begun.
    """
    from weightproof.machines.proving import simulated
    from weightproof.proofs.deadline import TimeUp, clock
    from weightproof.reports.proving import Session

    session = Session.of(timeout)
    try:
        with clock(timeout):
            simulators = simulated(given)
            if simulators is None:
                session.prove([source_of(cast(Given, given), theorems)], None)
            elif theorems is None:
                session.prove([], None, [simulators])
            else:
                named = simulators.argument
                raise InputError(f"{named} is no construction, and has theorems of its own; leave out theorems")
    except TimeUp as late:
        if not session.outcomes:
            raise InputError(str(late)) from late
    if session.interrupted:
        raise KeyboardInterrupt
    return Results(tuple(session.outcomes))


def claims(*given: Given, timeout: float | None = None) -> Judgements:
    """Judge what is printed about constructions, or in formulas that are about none, by their name; all that stands in
    papers if nothing is given. timeout: seconds for all of it; without, work is counted."""
    from weightproof.constructions.library import CIRCUITS, FORMULAS
    from weightproof.kinds import require_claims
    from weightproof.proofs.claims.judging import READING
    from weightproof.proofs.deadline import clock
    from weightproof.reports.claiming import sections, sections_of

    for each in given:
        if isinstance(each, str):
            require_claims(each)
    printed = [each for each in given if isinstance(each, str) and each in FORMULAS]
    circuits = [each for each in given if isinstance(each, str) and each in CIRCUITS]
    seconds = READING if timeout is None else timeout
    with clock(timeout):
        sources = [source_of(each) for each in given if each not in (*printed, *circuits)]
        if not given:
            return Judgements(tuple(sections((), timeout=seconds)))
        return Judgements(tuple(sections_of(sources, printed=printed, circuits=circuits, timeout=seconds)))


def precision(
    given: Given,
    *,
    dtype: str | Sequence[str] = (),
    device: str | Sequence[str] = "cpu",
    attention: str | Sequence[str] = "strict",
    max_length: int = 1_000_000,
    tolerance: float | None = None,
    **parameters: object,
) -> Measurements:
    """Find the length at which rounding breaks a construction, and certify one below which it cannot.

    dtype: all of them if none is given. max_length: symbols of the longest words. tolerance: where logit 0 accepts,
    |logit| up to it does, too. parameters: as in `run`.
    """
    from weightproof.reports.measuring import subjects
    from weightproof.reports.precision import DTYPES, Session

    sources, dtypes = [source_of(given)], _several(dtype) or DTYPES
    session = Session(None)
    session.measure(
        subjects(sources, _exact(parameters), dtypes, _several(device), _several(attention), max_length, tolerance)
    )
    if session.interrupted:
        raise KeyboardInterrupt
    return Measurements(session)


def export(
    given: Given,
    to: str,
    folder: str | Path,
    *,
    dtype: str = "float64",
    length: int | None = None,
    max_length: int | None = None,
    **parameters: object,
) -> Exported:
    """Write a construction for another program: "safetensors", "transformer-lens", "onnx" or "edges".

    dtype: of the rounded weights. length: symbols of the words of an ONNX network. max_length: symbols of the longest
    words that position tables are made for. parameters: as in `run`.
    """
    from weightproof.exports.export import exported
    from weightproof.exports.subject import Options

    return exported(source_of(given), to, Path(folder), Options(_exact(parameters), dtype, length, max_length))


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _exact(parameters: dict[str, object]) -> dict[str, str]:
    """Parameter values as text, which is read exactly."""
    try:
        return {name: str(expression(value)) for name, value in parameters.items()}
    except ExpressionError as error:
        raise InputError(f"parameters: {error}") from error
