"""The candidates for an invariant: clauses of a few shapes, in the language of theorems, so that one can be pasted.

A clause says something where its guard holds: that a quantified part of the language has held so far, or has not; that
the word is in one case of the closed form; that a position is the last one. What it says is one of

- a quantified part at position j itself;
- a sum is 0 (while a quantified part has held); it has a sign; it is as large as one addition, or smaller than the next;
- what is wanted of the logit at the end, with the sums so far: for the word that is there, or for one that ends at j.

`relations` adds linear relations among counts, sums, positions and tokens.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.cases import cases
from weightproof.proofs.solving.logic import (
    TRUE,
    And,
    Flag,
    Formula,
    Or,
    Rel,
    conjunction,
    expressions_of,
    negation,
    substitute_formula,
)
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.goals import goal, sides
from weightproof.proofs.strategies.inductive.induction import Reading
from weightproof.symbolic.algebra.iverson import bracket
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j, n
from weightproof.symbolic.writing.plain import condition, number

MOST_TERMS = 12
"""Terms of a relation that is written down; longer ones are no candidates."""


@dataclass(frozen=True)
class Clause:
    """Where every part of `guard` holds, `says` does; both as texts. above: what says more, in the place of `says`."""

    guard: tuple[str, ...]
    says: str
    above: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " or ".join((*(negated(part) for part in self.guard), f"({self.says})" if self.guard else self.says))


    def follows_from(self, other: Clause) -> bool:
        """Whether it does by its form alone."""
        return set(other.guard) <= set(self.guard) and other.says in (self.says, *self.above)


@dataclass(frozen=True)
class Candidate:
    """A clause, read."""

    clause: Clause
    formula: Formula


def negated(text: str) -> str:
    return text.removeprefix("not ") if text.startswith("not ") else f"not {text}"


def read(reading: Reading, clauses: Iterable[Clause]) -> list[Candidate]:
    """Those that have a truth value at every position; each formula once, the first way to say it."""
    found: dict[Formula, Clause] = {}
    for clause in clauses:
        try:
            formula = reading.formula(Expression(clause.text))
        except Underivable:
            continue
        if formula not in (TRUE, *found):
            found[formula] = clause
    return [Candidate(clause, formula) for formula, clause in found.items()]


def written(formula: Formula, vocabulary: Vocabulary) -> str | None:
    """A formula in the language of theorems; None where a part of it is too long to be read."""
    match formula:
        case Rel(op=op, expression=expression):
            if any(vocabulary.is_token(atom) for atom in expression.atoms(AppliedUndef)):
                [(conditions, _)] = bracket(op, expression).terms
                return condition(conditions, vocabulary)
            terms = sympy.Add.make_args(sympy.expand(expression))
            if len(terms) > MOST_TERMS:
                return None
            left = sympy.Add(*(term for term in terms if not term.could_extract_minus_sign()))
            right = sympy.Add(*(-term for term in terms if term.could_extract_minus_sign()))
            if left.is_number and not right.is_number:
                left, right, op = right, left, op.replace(">", "<")
            return f"{number(left, vocabulary)} {op} {number(right, vocabulary)}"
        case Flag(name=name, value=value):
            return name if value else f"not {name}"
        case And(parts=()) | Or(parts=()):
            return None
        case And(parts=parts) | Or(parts=parts):
            texts = [written(part, vocabulary) for part in parts]
            if any(text is None for text in texts):
                return None
            word = " and " if isinstance(formula, And) else " or "
            return word.join(f"({text})" for text in texts) if len(texts) > 1 else texts[0]
    raise TypeError(formula)


def first_clauses(reading: Reading) -> Iterator[Clause]:
    """The simple shapes: quantified parts, sizes of sums, what is wanted at the end whatever the case."""
    yield from _of_flags(reading)
    yield from _of_sums(reading)
    for guard, _, wanted in _wanted(reading):
        yield Clause(guard, wanted)


def later_clauses(reading: Reading) -> Iterator[Clause]:
    """What is wanted at the end, in each case of the closed form, and at the last position."""
    vocabulary = reading.derivation.vocabulary
    ended = f"j == {number(vocabulary.last, vocabulary)}"
    for guard, case, wanted in _wanted(reading):
        if case is not None:
            yield Clause((*guard, f"({case})"), wanted)
    for where, side, relation in _goals(reading):
        accepts = reading.accepts if side else negation(reading.accepts)
        case, of_side, wanted = (written(part, vocabulary) for part in (where, accepts, relation))
        if wanted is not None and of_side is not None:
            guard = [f"({text})" for text in (ended, case, of_side) if text is not None]
            yield Clause(tuple(guard), wanted)


def _of_flags(reading: Reading) -> Iterator[Clause]:
    vocabulary = reading.derivation.vocabulary
    for quantifier in reading.quantifiers:
        body = written(quantifier.body(j), vocabulary)
        if body is not None:
            yield Clause((quantifier.flag,), body)


def guards(reading: Reading) -> list[tuple[str, ...]]:
    """None; that a quantified part has held so far; that it has not."""
    return [(), *((said,) for flag in reading.flags for said in (flag, f"not {flag}"))]


def _of_sums(reading: Reading) -> Iterator[Clause]:
    for total in map(str, reading.derivation.sums):
        for sign in ("", "-"):
            strictest = f"{sign}{total} + {total}_first <= {total}_next"
            yield Clause((), strictest)
            yield Clause((), f"{sign}{total} < {total}_next", (strictest,))
        sizes = [f"{total}_first", f"{total}_least"]
        above = {sign: [f"{sign}{total} >= {size}" for size in sizes] for sign in ("", "-")}
        for guard in guards(reading):
            yield Clause(guard, f"{total} == 0")
            for says in (*above[""], *above["-"]):
                yield Clause(guard, says)
            for size, one, other in zip(sizes, above[""], above["-"], strict=True):
                yield Clause(guard, f"{total} >= {size} or -{total} >= {size}", (one, other))
            yield Clause(guard, f"{total} >= 0", (f"{total} == 0", *above[""]))
            yield Clause(guard, f"{total} <= 0", (f"{total} == 0", *above["-"]))
            either = (f"{total} >= {size} or -{total} >= {size}" for size in sizes)
            yield Clause(guard, f"{total} != 0", (*above[""], *above["-"], *either))


def _goals(reading: Reading) -> Iterator[tuple[Formula, bool, Rel]]:
    """For each case of the closed form and each side the relations that are wanted of the logit."""
    derivation, theorem = reading.derivation, reading.theorem
    rule = derivation.construction.network.readout.accept
    for where, value in logit_cases(derivation, reading.words):
        for side in sides(theorem):
            wanted: dict[Rel, None] = {}
            for context, _ in cases(conjunction(where, reading.given), reading.words):
                with suppress(Underivable):
                    asked = goal(theorem, rule, value, side, context, derivation.vocabulary)
                    parts = asked.parts if isinstance(asked, And) else (asked,)
                    wanted |= dict.fromkeys(part for part in parts if isinstance(part, Rel))
            yield from ((where, side, relation) for relation in wanted)


def _wanted(reading: Reading) -> Iterator[tuple[tuple[str, ...], str | None, str]]:
    """A guard, a case, and what is wanted there of the sums so far: of the whole word in which they stand, and of the
    word that ends with position j."""
    vocabulary = reading.derivation.vocabulary
    here = {n: j + (n - vocabulary.last), vocabulary.token(vocabulary.last): vocabulary.token(j)}
    here |= {vocabulary.total(symbol): vocabulary.prefix_atom(symbol)(j) for symbol in vocabulary.alphabet}
    for where, _, relation in _goals(reading):
        for change in ({}, here):
            said = substitute_formula(relation, lambda e, c=change: e.xreplace(c), {})
            case = substitute_formula(where, lambda e, c=change: e.xreplace(c), {})
            told = None if _is_of_the_end(said, vocabulary) else written(said, vocabulary)
            if told is not None:
                in_case = written(case, vocabulary)
                for guard in guards(reading):
                    yield guard, in_case, told


def _is_of_the_end(formula: Formula, vocabulary: Vocabulary) -> bool:
    """Whether it speaks of counts or of a symbol that are not known before the end."""
    known = {vocabulary.total(symbol) for symbol in vocabulary.alphabet} | {vocabulary.token(vocabulary.last)}
    return any(expression.has(*known) for expression in expressions_of(formula))
