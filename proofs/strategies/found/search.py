"""Finds an invariant of an induction over positions, where none is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.strategies.found.clauses import Candidate, Clause, first_clauses, later_clauses, read
from weightproof.proofs.strategies.found.houdini import concludes, inductive, largest_inductive
from weightproof.proofs.strategies.found.relations import relations
from weightproof.proofs.strategies.found.states import states, surviving
from weightproof.proofs.strategies.inductive.induction import Reading, reading_of
from weightproof.proofs.theorem import OnWords
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

SHAPES = (
    "a quantified part of the language at its position, signs and sizes of sums, what is wanted at the end, "
    "linear relations of counts, sums, positions and symbols at fixed places"
)


def find(derivation: Derivation, theorem: OnWords, words: Context, deadline: Deadline) -> Expression:
    """An invariant in the language of theorems; Underivable where there is none among the candidates, TimeUp where
    that is not known in time."""
    reading = reading_of(derivation, theorem, words)
    seen = states(reading)
    tried, alive, kept = 0, list[Candidate](), list[Candidate]()
    for clauses in (first_clauses(reading), [*relations(reading, seen), *later_clauses(reading)]):
        candidates = read(reading, clauses)
        tried += len(candidates)
        alive = surviving(_once([*alive, *candidates]), seen)
        kept = largest_inductive(reading, alive, deadline)
        if concludes(reading, kept, deadline):
            return Expression(_together(reading, _simplest(reading, kept, deadline)))
    raise Underivable(
        f"no invariant is found: of {tried} candidates ({SHAPES}) {len(alive)} hold on short words and {len(kept)} are "
        "inductive, which do not decide the words: give the theorem an invariant"
    )


def _once(candidates: Iterable[Candidate]) -> list[Candidate]:
    return list({candidate.formula: candidate for candidate in reversed(list(candidates))}.values())[::-1]


def _simplest(reading: Reading, kept: Sequence[Candidate], deadline: Deadline) -> list[Candidate]:
    """Those of an invariant that suffice: without those that neither the conclusion nor a step needs, longest first."""
    left = list(kept)
    for candidate in sorted(kept, key=lambda each: len(each.clause.text), reverse=True):
        fewer = [each for each in left if each is not candidate]
        if concludes(reading, fewer, deadline):
            left = fewer
    needed = left
    if inductive(reading, needed, deadline):
        return needed
    left = list(kept)
    for candidate in sorted(kept, key=lambda each: len(each.clause.text), reverse=True):
        fewer = [each for each in left if each is not candidate]
        if candidate not in needed and inductive(reading, fewer, deadline):
            left = fewer
    return left


def _together(reading: Reading, clauses: Sequence[Candidate]) -> str:
    """The clauses as one formula; where one quantified part is told apart, what holds as long as it has held and what
    holds from then on."""
    found = [candidate.clause for candidate in clauses]
    parts = []
    if len(reading.flags) == 1:
        [flag] = reading.flags
        ways = []
        for said in (flag, f"not {flag}"):
            inside = [_without(said, clause) for clause in found if said in clause.guard]
            ways.append(" and ".join([said, *(f"({text})" for text in inside)]))
        parts = [" or ".join(f"({way})" for way in ways)]
        found = [clause for clause in found if not {flag, f"not {flag}"} & set(clause.guard)]
        if ways == [flag, f"not {flag}"]:
            parts = []
    parts += [clause.text for clause in found]
    return " and ".join(f"({part})" for part in parts) if len(parts) > 1 else (*parts, "j == j")[0]


def _without(said: str, clause: Clause) -> str:
    return Clause(tuple(part for part in clause.guard if part != said), clause.says).text
