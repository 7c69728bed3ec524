"""The commands as functions: they return what the commands print, as frozen values that show themselves.

A value's text is the report of the command line, and in a notebook the same as Markdown, or a formula; `data` is what
the command prints with --json. Wherever a construction is asked for, a built-in one's name, the path of a file that
defines one, or the Construction itself will do; `prove` and `derive` take Turing machines and recurrent networks, too,
and whatever else the commands take. What cannot be used raises InputError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast, overload

from weightproof.constructions.languages.notation import expand
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.ran import Ran
from weightproof.sources import Source, exact_values, source_of
from weightproof.terminal.page import Page, plain

if TYPE_CHECKING:
    from weightproof.constructions.machines.rnn import RNN
    from weightproof.constructions.machines.turing import TuringMachine
    from weightproof.machines.derivable import Derivable
    from weightproof.proofs.claims.judging import Judgement
    from weightproof.proofs.theorem import Theorem
    from weightproof.proofs.verdict import Result
    from weightproof.reports.claiming import Section
    from weightproof.reports.precision import Session
    from weightproof.reports.proving import Outcome
    from weightproof.symbolic.derivation import Derivation

Given = str | Path | Construction
"""A name, a path, or the construction itself."""


def load(given: Given) -> Construction:
    """The built-in construction of that name, or the one that a file defines."""
    return source_of(given).construction


def transformed(given: Given, *asked: str) -> Construction:
    """The construction after transformations, each as `--with` takes it: "layer-norm:epsilon=0", say."""
    from weightproof.constructions.transforms import chosen

    return chosen.transformed(load(given), asked)


@dataclass(frozen=True, repr=False)
class Shown:
    """A construction, written out. parts: only these, all if there are none; dense: zeros, too."""

    source: Source
    parts: tuple[str, ...] = ()
    dense: bool = False

    @property
    def construction(self) -> Construction:
        return self.source.construction

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.reports.payload import full

        return full(self.source)

    def report(self, page: Page) -> None:
        from weightproof.reports.sheet import Sheet

        Sheet(page, self.source, self.dense).write(self.parts)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        return _markdown(self)


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
    about = source, expand(word), exact_values(parameters), floating, trace, positions
    return Ran(predicted(*about) if ranks(source.construction) else answered(*about))


@dataclass(frozen=True, repr=False)
class Derived:
    """The closed form of a logit, and the derivation that led to it."""

    argument: str
    derivation: Derivation

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def closed_form(self) -> str:
        """As text, in the language that expressions are written in."""
        from weightproof.symbolic.writing.plain import closed_form

        return closed_form(self.derivation)

    @property
    def latex(self) -> str:
        """The closed form, for amsmath and amssymb, without dollars."""
        from weightproof.symbolic.writing.latex import closed_form

        return closed_form(self.derivation)

    @property
    def steps(self) -> str:
        """Every step, as text."""
        from weightproof.symbolic.writing.plain import steps

        return steps(self.derivation)

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.appendix.deriving import payload

        return payload(self.argument, self.derivation)

    def report(self, page: Page) -> None:
        from weightproof.appendix.deriving import report

        report(page, self.derivation, with_steps=False)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_latex_(self) -> str:
        return f"$$\n{self.latex}\n$$"


@dataclass(frozen=True, repr=False)
class DerivedSteps:
    """What a network that runs a machine, or a transformer that simulates one, makes at each step of every run."""

    derivable: Derivable

    @property
    def latex(self) -> str:
        """The steps as a part of a LaTeX document."""
        return str(self.data["latex"])

    @property
    def steps(self) -> str:
        """Every step, with all its parts, as text."""
        return plain(lambda page: self.derivable.report(page, True))

    @property
    def data(self) -> dict[str, Any]:
        return self.derivable.payload()

    def report(self, page: Page) -> None:
        self.derivable.report(page, False)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        return _markdown(self)


@overload
def derive(given: TuringMachine | RNN) -> DerivedSteps: ...
@overload
def derive(given: Construction) -> Derived: ...
@overload
def derive(given: str | Path) -> Derived | DerivedSteps: ...
def derive(given: Given | TuringMachine | RNN) -> Derived | DerivedSteps:
    """Derive the logit for words of every length, or of a machine, a recurrent network or a family of simulators every
    step; InputError where there is no closed form."""
    from weightproof.appendix.deriving import derived
    from weightproof.machines.derivable import derivable

    if (other := derivable(given)) is not None:
        return DerivedSteps(other)
    source = source_of(cast(Given, given))
    return Derived(source.argument, derived(source.construction))


@dataclass(frozen=True, repr=False)
class Results:
    """Theorems with their verdicts, in their order."""

    outcomes: tuple[Outcome, ...]

    def __iter__(self) -> Iterator[Result]:
        return (outcome.result for outcome in self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __getitem__(self, theorem: str) -> Result:
        """By the name of the theorem; KeyError if there is none."""
        return {result.theorem: result for result in self}[theorem]

    def __bool__(self) -> NoReturn:
        raise TypeError("results have no truth value; ask whether they are .as_expected, or match on their verdicts")

    @property
    def as_expected(self) -> bool:
        """Whether every verdict is the expected one; unknown never is."""
        return all(result.as_expected for result in self)

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.reports.proving import payload

        return payload(self.outcomes)

    def report(self, page: Page) -> None:
        from weightproof.reports.proving import report

        report(page, self.outcomes)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        return _markdown(self)


def prove(
    given: Given | TuringMachine | RNN, theorems: Sequence[Theorem] | None = None, *, timeout: float = 30.0
) -> Results:
    """Prove or refute theorems about a construction, its own if none are given; or that networks run a Turing machine,
    or simulate a recurrent network, for every word and every number of steps.

    timeout: seconds for each of them, derivation and searches included.
    """
    from weightproof.machines.proving import simulated
    from weightproof.reports.proving import Session

    session, simulators = Session(timeout), simulated(given)
    if simulators is None:
        session.prove([source_of(cast(Given, given), theorems)], None)
    elif theorems is None:
        session.prove([], None, [simulators])
    else:
        raise InputError(f"{simulators.argument} is no construction, and has theorems of its own; leave out theorems")
    if session.interrupted:
        raise KeyboardInterrupt
    return Results(tuple(session.outcomes))


@dataclass(frozen=True, repr=False)
class Judgements:
    """What is printed about constructions, judged."""

    sections: tuple[Section, ...]

    def __iter__(self) -> Iterator[Judgement]:
        return (judgement for section in self.sections for judgement in section.judgements)

    def __len__(self) -> int:
        return sum(len(section.judgements) for section in self.sections)

    def __getitem__(self, claim: str) -> Judgement:
        """By the claim's id; KeyError if there is none."""
        return {judgement.claim.id: judgement for judgement in self}[claim]

    def __bool__(self) -> NoReturn:
        raise TypeError("judgements have no truth value; each has its own .verdict")

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.reports.claimdata import payload

        return payload(self.sections)

    def report(self, page: Page) -> None:
        from weightproof.reports.claimtext import report

        report(page, self.sections)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        return _markdown(self)


def claims(*given: Given) -> Judgements:
    """Judge what is printed about constructions, or in formulas that are about none, by their name; all that stands in
    papers if nothing is given."""
    from weightproof.constructions.library import CIRCUITS, FORMULAS
    from weightproof.kinds import require_claims
    from weightproof.reports.claiming import sections, sections_of

    for each in given:
        if isinstance(each, str):
            require_claims(each)
    printed = [each for each in given if isinstance(each, str) and each in FORMULAS]
    circuits = [each for each in given if isinstance(each, str) and each in CIRCUITS]
    sources = [source_of(each) for each in given if each not in (*printed, *circuits)]
    return Judgements(tuple(sections_of(sources, printed=printed, circuits=circuits) if given else sections(())))


@dataclass(frozen=True, repr=False)
class Measurements:
    """Where rounding breaks a construction, and up to which length it cannot."""

    session: Session

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """One for each format, device, attention and rule of acceptance."""
        return tuple(self.session.rows)

    @property
    def data(self) -> dict[str, Any]:
        return self.session.payload()

    def report(self, page: Page) -> None:
        from weightproof.reports.precision import report

        report(page, self.session)

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        return _markdown(self)


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
        subjects(
            sources, exact_values(parameters), dtypes, _several(device), _several(attention), max_length, tolerance
        )
    )
    if session.interrupted:
        raise KeyboardInterrupt
    return Measurements(session)


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _markdown(shown: Shown | Ran | DerivedSteps | Results | Judgements | Measurements) -> str:
    from weightproof.document.page import as_markdown

    return as_markdown(shown.report)
