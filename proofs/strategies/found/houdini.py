"""The largest inductive subset of candidates: Flanagan and Leino (2001), Houdini, an annotation assistant for ESC/Java.

All candidates together are the invariant; those that the base or some step does not lead to are taken out, and so on
until every one stays. Whether an obligation is closed is asked here of certificates and of one solver, which answers
after a fixed number of steps, not of seconds: the same candidates stay on every machine. What stays is proved anew, as
an invariant that is given is.
"""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.proofs.deadline import Deadline
from weightproof.proofs.solving.close import by_certificate
from weightproof.proofs.solving.implication import Implication, implication, to_smt
from weightproof.proofs.solving.logic import And, Formula, conjunction
from weightproof.proofs.solving.solvers import ask
from weightproof.proofs.strategies.found.clauses import Candidate
from weightproof.proofs.strategies.inductive.induction import Reading, base, conclusion, moves

LONGEST_QUESTION = 4.0
"""Seconds of counted work."""


def largest_inductive(reading: Reading, candidates: Sequence[Candidate], deadline: Deadline) -> list[Candidate]:
    """The candidates that stay when all are put together."""
    kept = [c for c in candidates if all(shown(item, deadline) for item in base(reading, c.formula))]
    while True:
        left = _after_a_step(reading, kept, deadline)
        if len(left) == len(kept):
            return kept
        kept = left


def _after_a_step(reading: Reading, kept: Sequence[Candidate], deadline: Deadline) -> list[Candidate]:
    left = list(kept)
    for move in moves(reading, conjunction(*(candidate.formula for candidate in kept))):
        left = [c for c in left if shown(_with_goal(move.known, move.after(c.formula)), deadline)]
    return left


def inductive(reading: Reading, candidates: Sequence[Candidate], deadline: Deadline) -> bool:
    """Whether every step leads from all candidates to all of them."""
    return all(
        shown(_with_goal(move.known, move.after(candidate.formula)), deadline)
        for move in moves(reading, conjunction(*(candidate.formula for candidate in candidates)))
        for candidate in candidates
    )


def concludes(reading: Reading, kept: Sequence[Candidate], deadline: Deadline) -> bool:
    """Whether the candidates together decide every word as the theorem wants it."""
    invariant = conjunction(*(candidate.formula for candidate in kept))
    return all(shown(item, deadline) for item in conclusion(reading, invariant))


def shown(item: Implication, deadline: Deadline) -> bool:
    """Whether certificates or Z3 close an obligation."""
    if by_certificate(item):
        return True
    if isinstance(item.goal, And):
        return all(shown(_with_goal(item, part), deadline) for part in item.goal.parts)
    scripts = (to_smt(item, integers=integers) for integers in (False, True))
    return any(ask("z3", script, min(LONGEST_QUESTION, deadline.remaining())).status == "unsat" for script in scripts)


def _with_goal(item: Implication, goal: Formula) -> Implication:
    return implication(item.name, item.vocabulary, item.context, item.relations, goal)
