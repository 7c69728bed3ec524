"""What the machine may say of a theorem. A verdict has no truth value: nobody can write ``if prove(...)``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NoReturn

from weightproof.constructions.languages.notation import run_command


class Evidence(StrEnum):
    """What a proof rests on, strongest first; a theorem is as strong as its weakest obligation."""

    CERTIFICATE = "certificate"
    TWO_SOLVERS = "two solvers"
    ONE_SOLVER = "one solver"
    BOUNDED = "bounded check"


@dataclass(frozen=True)
class Counterexample:
    """A word that the interpreter decides otherwise than the theorem says; it has been replayed.

    word excludes the markers; parameters are exact, as text; logit is exact or a certified ball, as text; note says
    what is wrong where acceptance does not; bits are those of the balls it was replayed in, None where that was exact.

    right, predicted: of a network that takes the argmax over tokens, the token that is to come, and the one that has
    the greatest output; the logit is then by how much the output of the right one exceeds all others.

    counted: it has not been replayed, as it is too long to be written out. The word has a run of 2^k equal symbols, as
    "2{2^650}="; its outputs were computed in balls from how often each token is there, which is all that the network
    sees of it.
    """

    construction: str
    word: str
    parameters: dict[str, str]
    member: bool
    accepts: bool
    logit: str
    note: str = ""
    bits: int | None = None
    right: str | None = None
    predicted: str | None = None
    counted: bool = False

    @property
    def evidence(self) -> str:
        if self.counted:
            return "counted in balls, not replayed"
        return "replayed exactly" if self.bits is None else "replayed in balls"

    def command(self) -> str | None:
        """The command line that replays it; None where it is counted."""
        if self.counted:
            return None
        given = "".join(f" --param {name}={value!r}" for name, value in self.parameters.items())
        return run_command(self.construction, self.word, given)


@dataclass(frozen=True)
class Divergence:
    """A word on which a simulator holds another value than it should: the first step, and a unit or another coordinate;
    both have been run, exactly. A word is as in `Counterexample`, and so is what can be asked of both; parameters are
    the numbers of a family's recurrent network that are not 0; put_in is the state, but for units that are 0, that was
    put in the place of the one before step `at`, if any was."""

    construction: str
    word: str
    step: int
    unit: str
    expected: str
    found: str
    parameters: dict[str, str] = field(default_factory=dict)
    at: int = 0
    put_in: dict[str, str] = field(default_factory=dict)
    beside: bool = False
    """Whether it is a coordinate beside the units, which only a trace shows."""

    @property
    def evidence(self) -> str:
        return "run exactly"

    @property
    def note(self) -> str:
        told = f"at step {self.step} {self.unit!r} is {self.found}, not {self.expected}"
        if not self.put_in:
            return told
        state = ", ".join(f"{unit!r} = {value}" for unit, value in self.put_in.items())
        return f"{told}, if before step {self.at} this state is put in: {state}, the others 0"

    def command(self) -> str:
        """The command line that runs it."""
        given = "".join(f" --param {shlex.quote(f'{name}={value}')}" for name, value in self.parameters.items())
        return run_command(self.construction, self.word, f"{given} --steps{' --trace' if self.beside else ''}")


class _NoTruth:
    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; match on Proved, Refuted or Unknown")


@dataclass(frozen=True)
class Proved(_NoTruth):
    """scope: "all lengths", "n <= N" where every length up to N was checked and no further, of what runs step by step
    "all words, all steps", or, of addition modulo p, "all moduli, all residues"."""

    scope: str
    evidence: Evidence
    name: Literal["proved"] = field(default="proved", init=False)


@dataclass(frozen=True)
class Refuted(_NoTruth):
    counterexample: Counterexample | Divergence
    name: Literal["refuted"] = field(default="refuted", init=False)


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
class Result:
    """A theorem with its verdict. seconds: wall-clock time in all; solver_seconds: the part spent in solvers.

    given: what it asks of words and parameters, nothing where it speaks of all of them. accepts: the words that are
    said to be accepted, as a formula; None for those of the language, and where the theorem says something else.
    predicts: of each right token, after which words it is said to be predicted; None after all of them, or where the
    theorem says something else.
    invariant: of a proof by induction, the one that was found; None where it was given, or where none was needed.
    solvers: names and versions of those that closed an obligation; obligations: how many were closed, by evidence.
    """

    construction: str
    theorem: str
    statement: str
    given: tuple[str, ...]
    accepts: str | None
    verdict: Verdict
    expected: Literal["proved", "refuted"]
    solvers: tuple[str, ...]
    obligations: dict[str, int]
    seconds: float
    solver_seconds: float
    predicts: dict[str, str] | None = None
    invariant: str | None = None

    @property
    def as_expected(self) -> bool:
        return self.verdict.name == self.expected
