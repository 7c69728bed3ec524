"""The candidates for an invariant: clauses of a few shapes, in the language of theorems, so that one can be pasted.

A clause says something where its guard holds: that a quantified part of the language has held so far, or has not; that
the word is in one case of the closed form; that a position is the last one. What it says is one of

- a quantified part at position j itself;
- a sum is 0, or has a sign; it is as large as one addition, or smaller than the next;
- what is wanted of the logit at the end, with the sums so far: for the word that is there, or for one that ends at j.

`relations` adds linear relations among counts, sums, positions and tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.proofs.solving.cases import cases
from weightproof.proofs.solving.logic import (
    TRUE,
    And,
    Flag,
    Formula,
    Or,
    Rel,
    conjunction,
    negation,
    of_cell,
)
from weightproof.proofs.strategies.goals import goal, sides
from weightproof.proofs.strategies.inductive.induction import Reading
from weightproof.symbolic.algebra.iverson import Iverson, bracket, substitute
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
        """The clause in the language of theorems."""
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
    """The opposite of a part of a guard."""
    return text.removeprefix("not ") if text.startswith("not ") else f"not {text}"


def read(reading: Reading, clauses: Iterable[Clause]) -> list[Candidate]:
    """Those that have a truth value at every position; each formula once, the first way to say it."""
    found: dict[Formula, Clause] = {}
    for clause in clauses:
        try:
            formula = reading.formula(Expression(clause.text))
        except (Underivable, ExpressionError):  # the latter where it is longer than any formula that is read
            continue
        if formula not in (TRUE, *found):
            found[formula] = clause
    return [Candidate(clause, formula) for formula, clause in found.items()]


def written(formula: Formula, vocabulary: Vocabulary) -> str | None:
    """A formula in the language of theorems; None where a part of it is too long to be read."""
    match formula:
        case Rel(op=op, expression=expression):
            if any(vocabulary.is_token(atom) for atom in expression.atoms(AppliedUndef)):
                return _case(bracket(op, expression), vocabulary) or None
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
            texts = [text for part in parts if (text := written(part, vocabulary)) is not None]
            if len(texts) < len(parts):
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
    for guard, case, wanted in _wanted(reading):
        if case:
            yield Clause((*guard, f"({case})"), wanted)
    ended = f"j == {number(vocabulary.last, vocabulary)}"
    for where, side, relation in _goals(reading):
        accepts = written(reading.accepts if side else negation(reading.accepts), vocabulary)
        wanted_there = written(relation, vocabulary)
        if wanted_there is not None and accepts is not None:
            parts = [text for text in (ended, _case(where, vocabulary), accepts) if text]
            yield Clause(tuple(f"({text})" for text in parts), wanted_there)


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
        # Where no addition is the least, S1_least is 0, and says no more than a sign.
        has_least = reading.formula(Expression(f"{total}_least == 0")) != TRUE
        sizes = [f"{total}_first", *([f"{total}_least"] if has_least else [])]
        above = {sign: [f"{sign}{total} >= {size}" for size in sizes] for sign in ("", "-")}
        either = [f"{total} >= {size} or -{total} >= {size}" for size in sizes]
        for guard in guards(reading):
            yield Clause(guard, f"{total} == 0")
            for says in (*above[""], *above["-"]):
                yield Clause(guard, says)
            for says, one, other in zip(either, above[""], above["-"], strict=True):
                yield Clause(guard, says, (one, other))
            yield Clause(guard, f"{total} > 0", (*above[""],))
            yield Clause(guard, f"{total} < 0", (*above["-"],))
            yield Clause(guard, f"{total} >= 0", (f"{total} == 0", f"{total} > 0", *above[""]))
            yield Clause(guard, f"{total} <= 0", (f"{total} == 0", f"{total} < 0", *above["-"]))
            yield Clause(guard, f"{total} != 0", (f"{total} > 0", f"{total} < 0", *above[""], *above["-"], *either))


def _goals(reading: Reading) -> Iterator[tuple[Iverson, bool, Rel]]:
    """For each case of the closed form, as a bracket, and each side the relations that are wanted of the logit."""
    derivation, theorem = reading.derivation, reading.theorem
    rule = derivation.construction.network.readout.accept
    for conditions, value in derivation.logit.terms:
        where = Iverson(((conditions, sympy.S.One),))
        for side in sides(theorem):
            wanted: dict[Rel, None] = {}
            for context, _ in cases(conjunction(of_cell(where), reading.given), reading.words):
                with suppress(Underivable):
                    formula = goal(theorem, rule, value, side, context, derivation.vocabulary)
                    parts = formula.parts if isinstance(formula, And) else (formula,)
                    wanted |= dict.fromkeys(part for part in parts if isinstance(part, Rel))
            yield from ((where, side, relation) for relation in wanted)


def _wanted(reading: Reading) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """A guard, a case, and what is wanted there of the sums so far: of the whole word in which they stand, and of the
    word that ends with position j."""
    vocabulary = reading.derivation.vocabulary
    here = {n: j + (n - vocabulary.last), vocabulary.token(vocabulary.last): vocabulary.token(j)}
    here |= {vocabulary.total(symbol): vocabulary.prefix_atom(symbol)(j) for symbol in vocabulary.alphabet}
    for where, _, relation in _goals(reading):
        for change in (dict[sympy.Expr, sympy.Expr](), here):
            said = Rel(relation.op, relation.expression.xreplace(change))
            told = None if _is_of_the_end(said, vocabulary) else written(said, vocabulary)
            if told is not None:
                for guard in guards(reading):
                    yield guard, _case(substitute(where, change), vocabulary), told


def _case(where: Iverson, vocabulary: Vocabulary) -> str:
    """Where a bracket is 1; "" where it always is."""
    return condition(where.terms[0][0], vocabulary) if where.terms else ""


def _is_of_the_end(relation: Rel, vocabulary: Vocabulary) -> bool:
    """Whether it speaks of counts or of a symbol that are not known before the end."""
    known = {vocabulary.total(symbol) for symbol in vocabulary.alphabet} | {vocabulary.token(vocabulary.last)}
    return bool(relation.expression.has(*known))
