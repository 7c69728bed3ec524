"""The one way from a theorem, whatever it is about, to a result; and from obligations that exact arithmetic settles, in
the numbers of their kind and without a solver, to a verdict.

These are closed one after the other, up to the first that stays open; then a word is looked for that refutes the
theorem. Where none stays open words are run before the proof counts: a difference there is an internal error, no
verdict.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from weightproof.constructions.files import write
from weightproof.constructions.meaning.record import plain
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.solving.polynomials import EVERYWHERE, Fact, script
from weightproof.proofs.solving.solver_process import versions
from weightproof.proofs.solving.solvers import Answer
from weightproof.proofs.verdict import (
    NOWHERE,
    Certified,
    Checked,
    Counterexample,
    Evidence,
    Folders,
    Proved,
    Refuted,
    Result,
    Unchecked,
    Unknown,
    Verdict,
    Written,
)
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Region

PROVING = 2 / 3
"""The share of the time after which a proof gives way to the search for a word."""
SEARCH = "the search for a word"
SCOPE = "all words, all steps"
"""What is proved of what runs step by step."""
T = TypeVar("T")
Script = Callable[[], str]
"""Makes an obligation as SMT-LIB 2; Underivable where no rule covers it."""


class Shown(Protocol):
    """What is looked at, as a value that a proof is told by. gap: why it is not as it has to be, None where it is."""

    @property
    def gap(self) -> object | None: ...


@dataclass(frozen=True)
class Obligation:
    """What is left to show of a theorem. gap: why it stays open, None where it is closed; Underivable where no rule
    covers it. smt: None where it is no formula. shown: what is looked at, of which `gap` says whether it is as it has
    to be; None where there is no more to it than its name. part: of the proof, which it belongs to."""

    name: str
    gap: Callable[[], object | None]
    smt: Script | None = None
    shown: Callable[[], Shown] | None = None
    part: str = ""

    def value(self, kind: type[T]) -> T:
        """What is looked at, a value of this kind; AssertionError where it is another one, or none."""
        found = None if self.shown is None else self.shown()
        assert isinstance(found, kind), f"{self.name}: {found!r}"
        return found


Obligations = Iterable[Obligation]


def checked(name: str, reason: str | None, smt: Script | None = None, part: str = "") -> Obligation:
    """An obligation of which it is known why it stays open, or that it does not."""
    return Obligation(name, lambda: reason, smt, part=part)


def seen(name: str, value: Shown, part: str = "", smt: Script | None = None) -> Obligation:
    """An obligation by what is looked at."""
    return Obligation(name, lambda: value.gap, smt, lambda: value, part)


def stated(name: str, reason: str | None, facts: Iterable[Fact], region: Region = EVERYWHERE) -> Obligation:
    """The obligation that facts are so, whatever the atoms of a region are; reason: why it stays open, if it does."""
    return checked(name, reason, lambda: script(name, region, facts, reason is None))


@dataclass(frozen=True)
class Decided:
    """closed: the obligations that were; counterexample: where the theorem fails; gap: the obligation that stayed open,
    "" where it came to none, and why; neither where all were closed. timed_out: more time might settle it."""

    closed: tuple[Obligation, ...]
    counterexample: Counterexample | None = None
    gap: tuple[str, str] | None = None
    timed_out: bool = False

    @property
    def obligations(self) -> int:
        """How many were closed."""
        return len(self.closed)

    def verdict(self, scope: str, evidence: Evidence = Evidence.CERTIFICATE) -> Verdict:
        """scope, evidence: what a proof is of, and rests on."""
        if self.counterexample is not None:
            return Refuted(self.counterexample)
        if self.gap is not None:
            obligation, reason = self.gap
            return Unknown(reason, obligation or None, self.timed_out)
        if not self.obligations:
            raise AssertionError("nothing was asked, which proves nothing")
        return Proved(scope, evidence)


@dataclass
class Progress:
    """How far a proof has come, which is kept when it is stopped: these obligations are closed, and `current` is
    asked, "" where none is yet; reason: why it stays open."""

    closed: list[Obligation] = field(default_factory=list)
    current: str = ""
    reason: object | None = None
    timed_out: bool = False

    def close(self, obligations: Obligations) -> None:
        """One after the other, up to the first that stays open."""
        self.closed, self.current, self.reason = [], "", None
        try:
            for each in obligations:
                self.current = each.name
                self.reason = each.gap()
                if self.reason is not None:
                    return
                self.closed.append(each)
                self.current = ""
        except Underivable as error:
            self.reason = f"not derived: {error}"

    def decided(self, counterexample: Counterexample | None = None, late: TimeUp | None = None) -> Decided:
        """late: what else was not done in time."""
        said = [str(each) for each in (self.reason, late) if each is not None]
        gap = (self.current, "; ".join(dict.fromkeys(said))) if said else None
        timed_out = counterexample is None and (self.timed_out or late is not None)
        return Decided(tuple(self.closed), counterexample, gap, timed_out)

    def held_against(self, run: Callable[[], Counterexample | None], deadline: Deadline | None = None) -> Decided:
        """run: the first word that fails of those to refute, or where the proof is complete of those to check it."""
        try:
            found = within(deadline, SEARCH, run)
        except TimeUp as late:
            self.current = self.current if self.reason is not None else ""
            return self.decided(late=late)
        if self.reason is None and found is not None:
            with_these = f"with {found.parameters} " if found.parameters else ""
            raise AssertionError(f"proved, but {with_these}on {found.word!r} {found.note}")
        return self.decided(found)


def within(deadline: Deadline | None, stage: str, work: Callable[[], T]) -> T:
    """What the work gives; TimeUp where there is a deadline and it comes first."""
    return work() if deadline is None else deadline.during(stage, work)


def proved_in_time(prove: Callable[[Progress], None], deadline: Deadline | None) -> Progress:
    """A proof, as far as it comes in its share of the time."""
    proof = Progress()
    try:
        within(deadline and deadline.share(PROVING), "the proof", lambda: prove(proof))
    except TimeUp as late:
        proof.reason, proof.timed_out = str(late), True
    return proof


def first(found: Iterable[T | None]) -> T | None:
    return next((each for each in found if each is not None), None)


def settle(
    obligations: Obligations,
    search: Callable[[], Counterexample | None] = lambda: None,
    check: Callable[[], Counterexample | None] = lambda: None,
    deadline: Deadline | None = None,
) -> Decided:
    """search: a word that fails, where an obligation stays open; check: the same of the words that are run before a
    proof counts."""
    proof = proved_in_time(lambda proof: proof.close(obligations), deadline)
    return proof.held_against(check if proof.reason is None else search, deadline)


@dataclass(frozen=True)
class Reached:
    """What a theorem came to. obligations: how many were closed by which evidence, and how many stayed "open"; answers:
    those of the solvers that were asked; invariant: the one of the proof that was found, as text; exactly: the
    obligations that exact arithmetic closed one after the other."""

    verdict: Verdict
    obligations: dict[str, int] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    invariant: str | None = None
    exactly: tuple[Obligation, ...] = ()


@dataclass(frozen=True)
class Provable(ABC):
    """A theorem with what it is about. The fields that are not its own are as in `Result`."""

    construction: str
    name: str
    statement: str
    expected: Literal["proved", "refuted"] = field(default="proved", kw_only=True)
    given: tuple[str, ...] = field(default=(), kw_only=True)
    accepts: str | None = field(default=None, kw_only=True)
    predicts: dict[str, str] | None = field(default=None, kw_only=True)

    @property
    def said(self) -> dict[str, Any]:
        """What it states, as data."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(Provable)}

    @abstractmethod
    def reached(self, deadline: Deadline) -> Reached:
        """What its proof, or the search for a word, comes to in time; TimeUp where that is nothing."""

    @abstractmethod
    def formulas(self, reached: Reached) -> tuple[Obligations, str]:
        """Its obligations, and why some are no formulas, in a clause."""

    def kernel(self, reached: Reached, folder: Path, deadline: Deadline) -> Checked | Unchecked:
        """What the kernel of Coq says of its proof, which is written to a folder; deadline: for writing it."""
        return Unchecked(written=False, reason="the definition in Coq of what is no encoder")

    def certified(self, reached: Reached, path: Path) -> Certified:
        """The certificate of a proof by covering, written to a file."""
        return Certified("", 0, "it is not proved by covering")


@dataclass(frozen=True)
class Exact(Provable):
    """A theorem that exact arithmetic settles. scope, evidence: what a proof is of, and rests on; decide: how it is
    settled where closing its obligations one after the other is not all; unwritten: why some of them, or all, are no
    formulas, in a clause."""

    scope: str
    obligations: Callable[[], Obligations]
    decide: Callable[[Deadline], Decided] | None = None
    evidence: Evidence = Evidence.CERTIFICATE
    unwritten: str = ""

    def decided(self, deadline: Deadline) -> Decided:
        return settle(self.obligations(), deadline=deadline) if self.decide is None else self.decide(deadline)

    def reached(self, deadline: Deadline) -> Reached:
        try:
            decided = self.decided(deadline)
        except TimeUp as late:
            decided = Decided((), gap=("", str(late)), timed_out=True)
        counted = {self.evidence.value: decided.obligations}
        return Reached(decided.verdict(self.scope, self.evidence), counted, exactly=decided.closed)

    def formulas(self, reached: Reached) -> tuple[Obligations, str]:
        return self.obligations(), self.unwritten


def file_name(text: str) -> str:
    """What tells an obligation apart, as the name of a file."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)


def _written(obligations: Obligations, unwritten: str, directory: Path, place: str) -> Written:
    """Obligations, each to a file; place: what tells those of a theorem apart from all others."""
    files, others, open_ones = 0, 0, list[str]()
    try:
        for each in obligations:
            if each.smt is None:
                others += 1
                continue
            try:
                text = each.smt()
            except Underivable:
                open_ones.append(each.name)
                continue
            files += 1
            directory.mkdir(parents=True, exist_ok=True)
            write(directory / f"{file_name(f'{place}-{files:02}-{each.name}')}.smt2", text)
    except Underivable as error:
        open_ones.append(str(error))
    reasons = [f"this is not derived: {', '.join(open_ones)}"] if open_ones else []
    if others or not files + len(open_ones):
        reasons.append(unwritten)
    return Written(files, "; ".join(reasons))


def proved(theorems: Iterable[Provable], timeout: float = TIMEOUT, folders: Folders = NOWHERE) -> Iterator[Result]:
    """The results of theorems, one after the other. timeout: seconds for all of a theorem; folders: where their
    obligations are written, and their proofs."""
    return (result for result, _ in settled(theorems, timeout, folders))


def settled(
    theorems: Iterable[Provable], timeout: float = TIMEOUT, folders: Folders = NOWHERE
) -> Iterator[tuple[Result, Reached]]:
    """As `proved`, with what each result was made of."""
    for place, each in enumerate(theorems, start=1):
        begin = time.monotonic()
        reached = each.reached(Deadline.after(timeout))
        result = Result(
            construction=each.construction,
            theorem=each.name,
            statement=each.statement,
            hypotheses=each.given,
            accepts=each.accepts,
            verdict=reached.verdict,
            expected=each.expected,
            solvers=_used(reached.answers),
            obligations=reached.obligations,
            seconds=time.monotonic() - begin,
            solver_seconds=sum((answer.seconds for answer in reached.answers), 0.0),
            predicts=each.predicts,
            invariant=reached.invariant,
        )
        if folders.smt is not None:
            stem = f"{each.construction}-{place}-{each.name}"
            result = replace(result, written=_written(*each.formulas(reached), folders.smt, stem))
        if folders.kernel is not None:
            result = _with_kernel(result, each.kernel(reached, folders.kernel, Deadline.after(timeout)))
        if folders.covering is not None:
            path = folders.covering / f"{file_name(f'{each.construction}-{place}-{each.name}')}.json.gz"
            result = replace(result, certified=each.certified(reached, path))
        yield result, reached


def _with_kernel(result: Result, found: Checked | Unchecked) -> Result:
    """What is checked is stronger evidence for what is settled; what is not leaves the verdict as it was."""
    verdict = result.verdict
    if isinstance(found, Checked) and isinstance(verdict, Proved | Refuted):
        verdict = replace(verdict, evidence=Evidence.KERNEL)
    return replace(result, verdict=verdict, kernel=found)


def _used(answers: Iterable[Answer]) -> tuple[str, ...]:
    """The solvers that closed an obligation."""
    closed_by = {answer.solver for answer in answers if answer.status == "unsat"}
    return tuple(f"{solver} {version}" for solver, version in versions().items() if solver in closed_by)
