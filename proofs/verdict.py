"""What the machine may say of a theorem. A verdict has no truth value: nobody can write ``if prove(...)``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, NoReturn

from weightproof.constructions.languages.notation import run_command


class Evidence(StrEnum):
    """What a proof rests on, strongest first; a theorem is as strong as its weakest step.

    KERNEL: all of it, from the weights to the theorem, was checked by the kernel of Coq. COVERING: every word of the
    lengths in the scope lies in a set of words on which intervals decide. BOUNDED: every length, size or format up to
    the one in the scope was gone through. SAMPLED: some step was compared at chosen points alone, which
    the scope names; beyond them nothing is proved.
    """

    KERNEL = "kernel"
    CERTIFICATE = "certificate"
    TWO_SOLVERS = "two solvers"
    ONE_SOLVER = "one solver"
    COVERING = "covering"
    BOUNDED = "bounded check"
    SAMPLED = "sampled"


def weakest(evidence: Iterable[Evidence]) -> Evidence:
    """That of a proof whose steps rest on these."""
    return max(evidence, key=list(Evidence).index)


LONGEST_COMMAND = 20_000
"""Symbols of a word that the command line runs."""


@dataclass(frozen=True)
class WrongStep:
    """The first step, from 0, at which a run holds another value than it should: of which unit or other coordinate.

    put_in: the state, but for units that are 0, that was put in the place of the one before step `at`, if any was.
    beside: whether it is a coordinate beside the units, which only a trace shows.
    """

    number: int
    unit: str
    expected: str
    found: str
    at: int = 0
    put_in: dict[str, str] = field(default_factory=dict)
    beside: bool = False

    def __str__(self) -> str:
        differs = f"at step {self.number} {self.unit!r} is {self.found}, not {self.expected}"
        if not self.put_in:
            return differs
        state = ", ".join(f"{unit!r} = {value}" for unit, value in self.put_in.items())
        return f"{differs}, if before step {self.at} this state is put in: {state}, the others 0"


@dataclass(frozen=True)
class Counterexample:
    """A word of which the theorem says what is not so; it has been run.

    word excludes the markers; parameters are exact, as text; note says what is wrong where acceptance does not.

    member, accepts: whether the word is in the language, and accepted, of a network that decides; logit is exact or a
    certified ball, as text; bits are those of the balls it was replayed in, None where that was exact.

    right, predicted: of a network that predicts a token, the one that is to come, and the one that is predicted; the
    logit is then by how much the output of the right one is ahead of all others.

    symbols: how many it has, where it is too long for the interpreter: then the word stands in short, as 0{1000}1{1001}
    or 2{2^650}=, and it has not been replayed. Its outputs were computed run by run, equal symbols in a row at once.

    step: of what runs step by step, where it goes wrong; parameters are then the numbers of a family's member that are
    not 0, and nothing is accepted.
    """

    construction: str
    word: str
    parameters: dict[str, str]
    member: bool | None = None
    accepts: bool | None = None
    logit: str = ""
    note: str = ""
    bits: int | None = None
    right: str | None = None
    predicted: str | None = None
    symbols: int | None = None
    step: WrongStep | None = None

    @classmethod
    def at(cls, step: WrongStep, construction: str, word: str, bits: int | None = None) -> Counterexample:
        return cls(construction, word, {}, note=str(step), bits=bits, step=step)

    @property
    def counted(self) -> bool:
        """Whether it was computed run by run, and not replayed."""
        return self.symbols is not None

    @property
    def length(self) -> int:
        """How many symbols the word has."""
        return len(self.word) if self.symbols is None else self.symbols

    @property
    def evidence(self) -> str:
        how = "exactly" if self.bits is None else "in balls"
        if self.step is not None:
            return f"run {how}"
        return f"counted {how}, not replayed" if self.counted else f"replayed {how}"

    def command(self) -> str | None:
        """The command line that replays it; None where it is too long for that."""
        if self.length > LONGEST_COMMAND:
            return None
        if self.step is None:
            options = "".join(f" --param {name}={value!r}" for name, value in self.parameters.items())
        else:
            options = "".join(f" --param {shlex.quote(f'{name}={value}')}" for name, value in self.parameters.items())
            options += f" --steps{' --trace' if self.step.beside else ''}"
        return run_command(self.construction, self.word, options)


class _NoTruth:
    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; match on Proved, Refuted or Unknown")


@dataclass(frozen=True)
class Covered:
    """All words of some lengths in sets. words: how many; sets: in how many they were shown to be as they should be;
    run: how many of the words were run one by one, as intervals did not decide their sets. margin: how far from 0 what
    had to be shown is on every other word, at least, as a decimal that is rounded down; None where all were run."""

    words: int
    sets: int
    run: int
    margin: str | None

    def __add__(self, other: Covered) -> Covered:
        """Of other words, too."""
        margins = [each for each in (self.margin, other.margin) if each is not None]
        least = min(margins, key=float, default=None)
        return Covered(self.words + other.words, self.sets + other.sets, self.run + other.run, least)


@dataclass(frozen=True)
class Proved(_NoTruth):
    """scope: "all lengths", "n <= N" where every length up to N was settled and no further, of what runs step by step
    "all words, all steps", and of a family the members that it is proved of, as "all moduli, all residues", "up to 2^24
    wires" or "RNNs of 1/1/1 units/inputs/symbols". Evidence that is sampled has a scope that names the points. words:
    how many were run, of a bounded check that ran each of them; covered: of a proof by covering; None of any other."""

    scope: str
    evidence: Evidence
    words: int | None = None
    covered: Covered | None = None
    name: Literal["proved"] = field(default="proved", init=False)

    @property
    def from_words(self) -> bool:
        """Whether words were run, or covered, so that nothing was derived."""
        return self.words is not None or self.covered is not None


@dataclass(frozen=True)
class Refuted(_NoTruth):
    """evidence: KERNEL where Coq has checked that the statement is false of the word; None where that was computed, and
    no more. right_up_to: so many positions, markers among them, have only words that are right, as was shown by
    covering, so that no shorter word refutes it; None where that was not asked."""

    counterexample: Counterexample
    evidence: Evidence | None = None
    right_up_to: int | None = None
    name: Literal["refuted"] = field(default="refuted", init=False)

    @property
    def rests_on(self) -> str:
        """The evidence, or how the word was computed."""
        return self.counterexample.evidence if self.evidence is None else self.evidence.value


@dataclass(frozen=True)
class Unknown(_NoTruth):
    """reason: why neither was reached; obligation: the one that stayed open, if it came to that.

    timed_out: a solver was stopped at the deadline, and more time might settle it.
    """

    reason: str
    obligation: str | None = None
    timed_out: bool = False
    name: Literal["unknown"] = field(default="unknown", init=False)


Verdict = Proved | Refuted | Unknown


@dataclass(frozen=True)
class Folders:
    """Where proofs are written to: obligations as SMT-LIB 2, developments that the kernel of Coq checks there, and
    certificates of proofs by covering; None where they are not to be."""

    smt: Path | None = None
    kernel: Path | None = None
    covering: Path | None = None


NOWHERE = Folders()


@dataclass(frozen=True)
class Written:
    """How many obligations of a theorem were written as SMT-LIB 2; reason: why none was, empty where one was."""

    files: int
    reason: str = ""


@dataclass(frozen=True)
class Certified:
    """The certificate of a proof by covering. file: where it was written, and size: how many bytes it has; reason: why
    there is none, empty where there is one."""

    file: str
    size: int
    reason: str = ""


@dataclass(frozen=True)
class Compiled:
    """A file that Coq has compiled. seconds: of the clock, when that was done."""

    name: str
    lines: int
    seconds: float


@dataclass(frozen=True)
class Checked:
    """What the kernel of Coq has checked. coq: its version; files: in the order in which they compile; axioms: those
    that the theorem rests on, by their full names."""

    coq: str
    files: tuple[Compiled, ...]
    axioms: tuple[str, ...]


@dataclass(frozen=True)
class Unchecked:
    """What it has not checked. written: whether the proof could be written for it; reason: the step that is missing
    where it could not, and else what is wrong, in one line."""

    written: bool
    reason: str

    def __str__(self) -> str:
        return f"not {'checked' if self.written else 'written'}: {self.reason}"


@dataclass(frozen=True)
class Result:
    """A theorem with its verdict. seconds: wall-clock time in all; solver_seconds: the part spent in solvers.

    hypotheses: what it asks of words and parameters, nothing where it speaks of all of them. accepts: the words that
    are said to be accepted, as a formula; None for those of the language, and where the theorem says something else.
    predicts: of each right token, after which words it is said to be predicted; None after all of them, or where the
    theorem says something else.
    invariant: of a proof by induction, the one that was found; None where it was given, or where none was needed.
    solvers: names and versions of those that closed an obligation; obligations: how many were closed,
    by evidence, and how many stayed "open", where one did.
    written: what was written of them, kernel: what Coq said of the proof, and certified: the certificate that was
    written of it; None where nothing was to be.
    """

    construction: str
    theorem: str
    statement: str
    hypotheses: tuple[str, ...]
    accepts: str | None
    verdict: Verdict
    expected: Literal["proved", "refuted"]
    solvers: tuple[str, ...]
    obligations: dict[str, int]
    seconds: float
    solver_seconds: float
    predicts: dict[str, str] | None = None
    invariant: str | None = None
    written: Written | None = None
    kernel: Checked | Unchecked | None = None
    certified: Certified | None = None

    @property
    def as_expected(self) -> bool:
        return self.verdict.name == self.expected
