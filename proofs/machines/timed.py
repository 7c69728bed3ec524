"""What was decided in the time there was: how far a proof came, and whether more time might settle it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.machines.holding import Gap
from weightproof.proofs.verdict import Divergence, Evidence, Proved, Refuted, Unknown, Verdict

PROVING = 2 / 3
"""The share of the time after which a proof gives way to the search for a word."""
SCOPE = "all words, all steps"
T = TypeVar("T")


@dataclass(frozen=True)
class Decided:
    """divergence: where the simulation fails; gap: the obligation that stayed open, "" where it came to none, and why;
    neither where all obligations were closed, of which there were so many. timed_out: more time might settle it."""

    obligations: int
    divergence: Divergence | None = None
    gap: tuple[str, str] | None = None
    timed_out: bool = False


@dataclass
class Progress:
    """How far a proof has come, which is kept when it is stopped: so many obligations are closed, and this one is
    asked, "" before the first; reason: why it stays open."""

    closed: int = 0
    asked: str = ""
    reason: Gap | str | None = None
    timed_out: bool = False

    def decided(self, divergence: Divergence | None = None, late: TimeUp | None = None) -> Decided:
        """late: what else was not done in time."""
        said = [str(each) for each in (self.reason, late) if each is not None]
        gap = (self.asked, "; ".join(dict.fromkeys(said))) if said else None
        return Decided(self.closed, divergence, gap, divergence is None and (self.timed_out or late is not None))


def within(deadline: Deadline | None, stage: str, work: Callable[[], T]) -> T:
    """What the work gives; TimeUp where there is a deadline and it comes first."""
    return work() if deadline is None else deadline.during(stage, work)


def in_time(deadline: Deadline, decide: Callable[[], Decided]) -> Decided:
    """A decision that is made in time, or else that it was not."""
    try:
        return deadline.during("the proof", decide)
    except TimeUp as late:
        return undecided(late)


def undecided(late: TimeUp) -> Decided:
    """What has no answer in time."""
    return Decided(0, gap=("", str(late)), timed_out=True)


def proved_in_time(prove: Callable[[Progress], None], deadline: Deadline | None) -> Progress:
    """A proof, as far as it comes in its share of the time."""
    proof = Progress()
    try:
        within(deadline and deadline.share(PROVING), "the proof", lambda: prove(proof))
    except TimeUp as late:
        proof.reason, proof.timed_out = str(late), True
    return proof


def verdict(decided: Decided, scope: str = SCOPE) -> Verdict:
    """scope: what a proof is of."""
    if decided.divergence is not None:
        return Refuted(decided.divergence)
    if decided.gap is not None:
        obligation, reason = decided.gap
        return Unknown(reason, obligation or None, decided.timed_out)
    return Proved(scope, Evidence.CERTIFICATE)
