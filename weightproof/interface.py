"""The commands as functions: they return what the commands print, as the frozen values of `weightproof.results`.

Wherever a construction is asked for, a built-in one's name, the path of a file that defines one, or the Construction
itself will do; `prove` and `derive` take Turing machines and recurrent networks, too, and whatever else the commands
take. What cannot be used raises InputError.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, overload

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.expressions import ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.extras import told
from weightproof.kinds import Measuring, Running, Showing
from weightproof.reported import Ran, Shown
from weightproof.results import Derived, DerivedSteps, Judgements, Measurements
from weightproof.subjects.registry import Given, measured, replayed, subject_of, to_judge, with_theorems

if TYPE_CHECKING:
    from weightproof.constructions.machines.rnn import RNN
    from weightproof.constructions.machines.turing import TuringMachine
    from weightproof.exports.exporting import Exported
    from weightproof.measuring.replaying import Replayed
    from weightproof.proofs.theorem import Theorem
    from weightproof.reports.proving import Results
    from weightproof.website.building import Site


def load(given: Given) -> Construction:
    """The built-in construction of that name, or the one that a file defines."""
    subject = subject_of(given)
    if subject.source is None:
        raise InputError(f"{subject.argument} is {subject.kind.noun}, and no construction; see weightproof list")
    return subject.source.construction


def transformed(given: Given, *transforms: str) -> Construction:
    """The construction after transformations, each as `--with` takes it: "layer-norm:epsilon=0", say."""
    from weightproof.constructions.transforms import by_name

    return by_name.transformed(load(given), transforms)


def show(given: Given, *parts: str, dense: bool = False, **parameters: object) -> Shown:
    """What was named, written out: a construction with its weights, a Turing machine with its table. parts: only these,
    as "embedding", "layer-1" or "readout". parameters: which member of a family."""
    return subject_of(given).show(Showing(_exact(parameters), parts, dense))


@told()
def run(
    given: Given,
    word: str,
    *,
    dtype: str | Sequence[str] = (),
    device: str | Sequence[str] = (),
    attention: str | Sequence[str] = (),
    tolerance: float | None = None,
    trace: bool = False,
    positions: Sequence[int] = (),
    max_steps: int | None = None,
    exact: bool = False,
    **parameters: object,
) -> Ran:
    """Run a word in exact arithmetic, and in floating point where a dtype is given. Where exact numbers take too long
    it is in balls, and the answer says so; exact: however long they take.

    word: without markers; 1{9}(01){4} repeats. device, attention, tolerance: of the runs in floating point. trace: with
    every vector and attention weight, in a long word at these positions, too. max_steps: of a machine, or tokens that a
    decoder appends. parameters: exact values: D=3, c="1/2".
    """
    how = Running(
        _exact(parameters),
        _several(dtype),
        _several(device),
        _several(attention),
        tolerance,
        trace,
        tuple(positions),
        max_steps=max_steps,
        exact=exact,
    )
    return subject_of(given).run(word, how)


@overload
def derive(given: TuringMachine | RNN) -> DerivedSteps: ...
@overload
def derive(given: Construction) -> Derived | DerivedSteps: ...
@overload
def derive(given: str | Path) -> Derived | DerivedSteps: ...
def derive(given: Given) -> Derived | DerivedSteps:
    """Derive the logit for words of every length, or of a decoder what it appends to words of every length, or of a
    machine, a recurrent network or a family of simulators every step; InputError where there is no closed form."""
    return subject_of(given).derive()


def prove(given: Given, theorems: Sequence[Theorem] | None = None, *, timeout: float | None = None) -> Results:
    """Prove or refute theorems about a construction, its own if none are given; or that networks run a Turing machine,
    or simulate a recurrent network, for every word and every number of steps.

    timeout: seconds for all of it, reading a file included. Without a limit work is counted, not time, and the verdicts
    are the same on every machine. InputError where the time is up before the first theorem is begun.
    """
    from weightproof.reports.proving import proved

    found = proved(lambda: [with_theorems(subject_of(given), theorems).statements()], timeout)
    if found.late is not None and not found.outcomes:
        raise InputError(str(found.late))
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def claims(*given: Given, paper: str | None = None, timeout: float | None = None) -> Judgements:
    """Judge what is printed about constructions, or in formulas that are about none, by their name; all that stands in
    papers if nothing is given. paper: all that this one prints, as "chiang2022". timeout: seconds for all of it;
    without, work is counted. InputError for both, and for a paper of which nothing is known."""
    from weightproof.proofs.claims.judging import READING
    from weightproof.proofs.deadline import clock
    from weightproof.reports.claiming import sections

    with clock(timeout):
        if paper is not None and given:
            raise InputError("paper is all that the paper prints: give it alone, or what is to be judged alone")
        own = [subject_of(each).claims() for each in given]
        seconds = READING if timeout is None else timeout
        wanted = (lambda: own) if given else partial(to_judge, (), paper, ())
        judged = sections(wanted, seconds, here=bool(given) or timeout is not None)
        if judged.interrupted:
            raise KeyboardInterrupt
        return Judgements(judged, seconds, of_paper=paper is not None)


@told()
def precision(
    given: Given,
    *,
    dtype: str | Sequence[str] = (),
    device: str | Sequence[str] = (),
    attention: str | Sequence[str] = (),
    max_length: int = 1_000_000,
    tolerance: float | None = None,
    law: bool = False,
    **parameters: object,
) -> Measurements:
    """Find the length at which rounding breaks a construction, and certify one below which it cannot.

    dtype: all of them if none is given; device, attention: the CPU, and the usual kind of what is measured.
    max_length: symbols of the longest words. tolerance: where logit 0 accepts, |logit| up to it does, too. law: also
    how the certified length grows with the precision. parameters: as in `run`.
    """
    devices, attentions = _several(device), _several(attention)
    how = Measuring(_exact(parameters), _several(dtype), devices, attentions, max_length, tolerance, law)
    found = measured(lambda: [subject_of(given)], how, None)
    if found.interrupted:
        raise KeyboardInterrupt
    return found


@told()
def replay(file: str | Path, *, max_length: int | None = None) -> Replayed:
    """Run the witnesses of rows that `precision` has kept in a file, and say which hold on this machine.

    max_length: longer ones are left out. InputError for what is no file of rows.
    """
    found = replayed(Path(file), max_length)
    if found.interrupted:
        raise KeyboardInterrupt
    return found


@told()
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
    """Write a construction for another program: "safetensors", "transformer-lens", "onnx", "edges" or "coq".

    dtype: of the rounded weights. length: symbols of the words of an ONNX network. max_length: symbols of the longest
    words that position tables are made for. parameters: as in `run`.
    """
    from weightproof.exports.exporting import Options, exported

    return exported(
        subject_of(given).network("export"), to, Path(folder), Options(_exact(parameters), dtype, length, max_length)
    )


def site(folder: str | Path, *, rows: Sequence[str | Path] = ()) -> Site:
    """Write pages of all that is built in, and of the papers, to be read in a browser; minutes of work.

    rows: files in which `precision` has kept rows, which the pages then tell. InputError for a folder that holds
    anything else.
    """
    from weightproof.website.building import built

    return built(Path(folder), tuple(map(Path, rows)))


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _exact(parameters: dict[str, object]) -> dict[str, str]:
    """Parameter values as a command line writes them; numbers are taken exactly."""
    try:
        return {name: value if isinstance(value, str) else str(expression(value)) for name, value in parameters.items()}
    except ExpressionError as error:
        raise InputError(f"parameters: {error}") from error
