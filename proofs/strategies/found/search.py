"""Finds an invariant of an induction over positions, where none is given: the largest inductive subset of candidates
(Flanagan and Leino (2001), Houdini, an annotation assistant for ESC/Java).

All candidates together are the invariant; those that the base or some step does not lead to are taken out, and so on
until every one stays. Whether an obligation is closed is asked here of certificates and of one solver, which answers
after a fixed number of steps, not of seconds: the same candidates stay on every machine. What stays is proved anew, as
an invariant that is given is.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence

from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.solving.close import by_certificate
from weightproof.proofs.solving.implication import Implication, to_smt
from weightproof.proofs.solving.logic import And, conjunction
from weightproof.proofs.solving.solvers import ask
from weightproof.proofs.strategies.found.clauses import Candidate, Clause, first_clauses, later_clauses, read
from weightproof.proofs.strategies.found.relations import relations
from weightproof.proofs.strategies.found.states import states, surviving
from weightproof.proofs.strategies.inductive.induction import Reading, base, conclusion, moves, reading_of
from weightproof.proofs.strategies.scales import scales_of
from weightproof.proofs.strategies.signs import by_sign
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

SHAPES = (
    "a quantified part of the language at its position, signs and sizes of sums, what is wanted at the end, "
    "linear relations of counts, sums, positions and symbols at fixed places"
)


def takes_one(derivation: Derivation, theorem: OnWords) -> bool:
    """Whether a theorem without an invariant is to be proved by an induction over positions: where the logit keeps sums
    over the word, or the language speaks of all positions. Sums of scales are paired instead."""
    if theorem.invariant is not None or (isinstance(theorem, Decides) and theorem.up_to is not None):
        return False
    if derivation.nonzero:
        (derivation, theorem), _ = by_sign(derivation, theorem)
    bodies = (x for total in derivation.sums.values() for _, x in total.body.terms)
    if any(scales_of(x) for x in itertools.chain(bodies, (x for _, x in derivation.logit.terms))):
        return False
    accepts = theorem.accepts or derivation.construction.language.characterisation
    return bool(derivation.sums) or any(map(_is_of_all_positions, ast.walk(accepts.tree)))


def _is_of_all_positions(node: ast.AST) -> bool:
    match node:
        case ast.GeneratorExp() | ast.Call(func=ast.Name(id="matches")):
            return True
    return False


ALWAYS = "j <= n"
"""The invariant where none is needed."""


def find(derivation: Derivation, theorem: OnWords, deadline: Deadline) -> Expression:
    """An invariant in the language of theorems; Underivable where there is none among the candidates, TimeUp where
    that is not known in time."""
    if derivation.nonzero:
        (derivation, theorem), _ = by_sign(derivation, theorem)
    words = derivation.vocabulary.words()
    reading = reading_of(derivation, theorem, words)
    seen = states(reading)
    tried, alive, kept = 0, list[Candidate](), list[Candidate]()
    for clauses in (first_clauses(reading), [*relations(reading, seen), *later_clauses(reading)]):
        candidates = read(reading, clauses)
        tried += len(candidates)
        alive = surviving(_once([*alive, *candidates]), seen)
        kept = largest_inductive(reading, alive, deadline)
        if concludes(reading, kept, deadline):
            return _readable(_together(reading, _simplest(reading, kept, deadline)))
    raise Underivable(
        f"no invariant is found: of {tried} candidates ({SHAPES}) {len(alive)} hold on short words and {len(kept)} are "
        "inductive, which do not decide the words: give the theorem an invariant"
    )


def _readable(text: str) -> Expression:
    """Underivable where it is longer than any formula that is read."""
    try:
        return expression(text)
    except ExpressionError as error:
        raise Underivable(f"the invariant that is found cannot be written down: {error}") from error


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
            ways.append(" and ".join([said, *(_bound(text) for text in inside)]))
        if ways != [flag, f"not {flag}"]:
            parts = [" or ".join(_bound(way) for way in ways)]
        found = [clause for clause in found if not {flag, f"not {flag}"} & set(clause.guard)]
    parts += [clause.text for clause in found]
    return " and ".join(map(_bound, parts)) if len(parts) > 1 else (*parts, ALWAYS)[0]


def _bound(text: str) -> str:
    """In brackets where it has parts."""
    return f"({text})" if " and " in text or " or " in text else text


def _without(said: str, clause: Clause) -> str:
    return Clause(tuple(part for part in clause.guard if part != said), clause.says).text


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
        left = [c for c in left if shown(move.known.with_goal(move.after(c.formula)), deadline)]
    return left


def inductive(reading: Reading, candidates: Sequence[Candidate], deadline: Deadline) -> bool:
    """Whether every step leads from all candidates to all of them."""
    return all(
        shown(move.known.with_goal(move.after(candidate.formula)), deadline)
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
        return all(shown(item.with_goal(part), deadline) for part in item.goal.parts)
    scripts = (to_smt(item, integers=integers) for integers in (False, True))
    return any(ask("z3", script, min(LONGEST_QUESTION, deadline.remaining())).status == "unsat" for script in scripts)
