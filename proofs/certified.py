"""Theorems that exact arithmetic settles, in the numbers of their kind, without a solver: the one way from obligations
to a verdict.

Obligations are closed one after the other, up to the first that stays open; then a word is looked for that refutes the
theorem. Where none stays open words are run before the proof counts: a difference there is an internal error, no
verdict.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from weightproof.constructions.files import write
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.verdict import (
    Counterexample,
    Evidence,
    Proved,
    Refuted,
    Result,
    Unknown,
    Verdict,
    Written,
)
from weightproof.symbolic.algebra.vocabulary import Underivable

PROVING = 2 / 3
"""The share of the time after which a proof gives way to the search for a word."""
SEARCH = "the search for a word"
SCOPE = "all words, all steps"
"""What is proved of what runs step by step."""
T = TypeVar("T")
Gaps = Iterator[tuple[str, str | None]]
"""What obligations are about, with the reason why one stays open, None where it is closed."""
Obligations = Iterable[tuple[str, Callable[[], object | None]]]
"""The same, where the reason is yet to be found; Underivable where no rule covers it."""
Scripts = Iterable[tuple[str, Callable[[], str]]]
"""Obligations as SMT-LIB 2, by name; Underivable as above."""


def lazily(gaps: Iterable[tuple[str, str | None]]) -> Obligations:
    """Of obligations that were asked."""

    def told(reason: str | None) -> Callable[[], str | None]:
        return lambda: reason

    return ((name, told(reason)) for name, reason in gaps)


@dataclass(frozen=True)
class Decided:
    """counterexample: where the theorem fails; gap: the obligation that stayed open, "" where it came to none, and why;
    neither where all obligations were closed, of which there were so many. timed_out: more time might settle it."""

    obligations: int
    counterexample: Counterexample | None = None
    gap: tuple[str, str] | None = None
    timed_out: bool = False

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
    """How far a proof has come, which is kept when it is stopped: so many obligations are closed, and this one is
    asked, "" where none is yet; reason: why it stays open."""

    closed: int = 0
    asked: str = ""
    reason: object | None = None
    timed_out: bool = False

    def close(self, obligations: Obligations) -> None:
        """One after the other, up to the first that stays open."""
        self.closed, self.asked, self.reason = 0, "", None
        try:
            for self.asked, gap in obligations:
                self.reason = gap()
                if self.reason is not None:
                    return
                self.closed, self.asked = self.closed + 1, ""
        except Underivable as error:
            self.reason = f"not derived: {error}"

    def decided(self, counterexample: Counterexample | None = None, late: TimeUp | None = None) -> Decided:
        """late: what else was not done in time."""
        said = [str(each) for each in (self.reason, late) if each is not None]
        gap = (self.asked, "; ".join(dict.fromkeys(said))) if said else None
        timed_out = counterexample is None and (self.timed_out or late is not None)
        return Decided(self.closed, counterexample, gap, timed_out)

    def held_against(self, run: Callable[[], Counterexample | None], deadline: Deadline | None = None) -> Decided:
        """run: the first word that fails of those to refute, or where the proof is complete of those to check it."""
        try:
            found = within(deadline, SEARCH, run)
        except TimeUp as late:
            self.asked = self.asked if self.reason is not None else ""
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
    refuting: Callable[[], Counterexample | None] = lambda: None,
    spot: Callable[[], Counterexample | None] = lambda: None,
    deadline: Deadline | None = None,
) -> Decided:
    """refuting: a word that fails, where an obligation stays open; spot: the same of the words that are run before a
    proof counts."""
    proof = proved_in_time(lambda proof: proof.close(obligations), deadline)
    return proof.held_against(spot if proof.reason is None else refuting, deadline)


@dataclass(frozen=True)
class Stated:
    """A theorem of a construction, or of what else there is. scope, evidence: what a proof is of, and rests on; given:
    what is asked of it; smt: its obligations, by name, as SMT-LIB 2; unwritten: why there are none, in a clause."""

    construction: str
    name: str
    statement: str
    scope: str
    decide: Callable[[Deadline], Decided]
    expected: Literal["proved", "refuted"] = "proved"
    evidence: Evidence = Evidence.CERTIFICATE
    given: tuple[str, ...] = ()
    smt: Callable[[], Scripts] | None = None
    unwritten: str = ""


def written(scripts: Scripts, directory: Path, place: str) -> Written:
    """Obligations, each to a file; place: what tells those of a theorem apart from all others."""
    files, open_ones = 0, list[str]()
    try:
        for name, script in scripts:
            try:
                text = script()
            except Underivable:
                open_ones.append(name)
                continue
            files += 1
            directory.mkdir(parents=True, exist_ok=True)
            write(directory / f"{re.sub(r'[^A-Za-z0-9-]+', '-', f'{place}-{files:02}-{name}')}.smt2", text)
    except Underivable as error:
        open_ones.append(str(error))
    return Written(files, f"this is not derived: {', '.join(open_ones)}" if open_ones else "")


def proved(theorems: Iterable[Stated], timeout: float = TIMEOUT, smt_directory: Path | None = None) -> Iterator[Result]:
    """The results of theorems, one after the other. timeout: seconds for all of a theorem; smt_directory: where their
    obligations are written."""
    for place, each in enumerate(theorems, start=1):
        begin = time.monotonic()
        try:
            decided = each.decide(Deadline.after(timeout))
        except TimeUp as late:
            decided = Decided(0, gap=("", str(late)), timed_out=True)
        yield Result(
            construction=each.construction,
            theorem=each.name,
            statement=each.statement,
            given=each.given,
            accepts=None,
            verdict=decided.verdict(each.scope, each.evidence),
            expected=each.expected,
            solvers=(),
            obligations={each.evidence.value: decided.obligations},
            seconds=time.monotonic() - begin,
            solver_seconds=0.0,
            written=None if smt_directory is None else _written(each, smt_directory, place),
        )


def _written(theorem: Stated, directory: Path, place: int) -> Written:
    if theorem.smt is None:
        return Written(0, theorem.unwritten)
    return written(theorem.smt(), directory, f"{theorem.construction}-{place}-{theorem.name}")
