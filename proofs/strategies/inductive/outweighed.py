"""Sums that are bounded by multiples of scales: what a bound after position j says of one after j+1.

A step of an induction knows a S <= u R(j) and is to show b S <= v R(j+1), for a, b > 0 and a sum S. That follows where
b u R(j) <= a v R(j+1): the sum is gone, and scales compare by their squares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import sympy

from weightproof.proofs.solving.cases import cases, status
from weightproof.proofs.solving.implication import Implication, implication
from weightproof.proofs.solving.logic import And, Formula, Or, Rel, negation, relation, substitute_formula
from weightproof.proofs.strategies.scales import COMPARED, at_most, scales_of
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import Derivation

MOST_SPLITS = 3
"""Relations of a goal between whose cases a step is split."""


def at_the_last_place(item: Implication, position: sympy.Expr, counts: Mapping[sympy.Expr, sympy.Expr]) -> Implication:
    """With n, the totals, the token and the scales at the last position written as what they are at another one, of
    which these counts and the token are known, where the context says that it is the last one."""
    vocabulary = item.vocabulary
    last = vocabulary.last
    if not status(relation("==", last - position), item.context):
        return item
    scales = {scale for e in item.expressions() for scale in scales_of(e) if scale.args == (last,)}
    moved = {scale: scale.func(position) for scale in scales} | {n: n - last + position}
    moved |= {vocabulary.total(a): counts[vocabulary.prefix_atom(a)(position)] for a in vocabulary.alphabet}
    moved[vocabulary.token(last)] = counts[vocabulary.token(position)]
    relations = tuple(Rel(rel.op, sympy.expand(rel.expression.xreplace(moved))) for rel in item.relations)
    goal = substitute_formula(item.goal, lambda e: sympy.expand(e.xreplace(moved)), {})
    return replace(item, relations=relations, goal=goal)


@dataclass(frozen=True, eq=False)
class Bounds:
    """The bounds of sums in a step from j to j+1, compared in its context. here: what is known of the atoms of the
    squares. before: the answers that were found."""

    derivation: Derivation
    context: Context
    here: Mapping[sympy.Expr, sympy.Expr]
    before: dict[tuple[Rel, Rel, sympy.Symbol], list[tuple[Context, Rel]]] = field(default_factory=dict)

    def compared(self, item: Implication) -> Iterator[Implication]:
        """For each bound that is asked for and each that is known: what shows that the one follows from the other, as
        far as it is shown, and then the obligation with that among its hypotheses. In each of the cases between which
        the goal distinguishes, as a factor may have one sign in each of them."""
        parts = list(_cases_of_goal(item))
        for number, part in enumerate(parts, start=1):
            if len(parts) == 1:
                yield from self._compared(item)
            else:
                where = replace(self, context=part.context, before={})
                yield from where._compared(replace(part, name=f"{item.name}, case {number}"))

    def _compared(self, item: Implication) -> Iterator[Implication]:
        found: list[Rel] = []
        pairs = itertools.product(dict.fromkeys(_literals(item.goal)), item.relations, self.derivation.sums)
        for sought, known, total in pairs:
            shown = self._follows(sought, known, total) if sought not in found else []
            for number, (where, goal) in enumerate(shown, start=1):
                name = f"{item.name}, {COMPARED} without {total}, {len(found) + 1}, {number}"
                yield Implication(name, item.vocabulary, where, (), goal)
            found += [sought] if shown else []
        yield replace(item, relations=(*item.relations, *found), otherwise=None)

    def _follows(self, sought: Rel, known: Rel, total: sympy.Symbol) -> list[tuple[Context, Rel]]:
        """What shows that the one follows from the other; nothing where that is not shown."""
        if (sought, known, total) not in self.before:
            rest = self._without(total, sought, known)
            ways = (
                at_most(*sides, self.context, self.derivation, self.here, strict=sought.op == ">")
                for sides in _sides(rest)
            )
            self.before[sought, known, total] = next((shown for shown in ways if shown), [])
        return self.before[sought, known, total]

    def _without(self, total: sympy.Symbol, sought: Rel, known: Rel) -> sympy.Expr:
        """What remains of `sought` times a positive number when `known` times one is subtracted, such that a sum
        cancels; 0 where it does not, or where the two do not speak of scales at j+1 and j alone."""
        places = [{scale.args for scale in scales_of(rel.expression)} for rel in (sought, known)]
        if known.op != ">=" or places != [{(j + 1,)}, {(j,)}]:
            return sympy.S.Zero
        vocabulary = self.derivation.vocabulary
        factors = [sympy.expand(rel.expression).coeff(total) for rel in (sought, known)]
        signs = [sign_of(factor, self.context, vocabulary) for factor in factors]
        if signs not in ([Sign.POSITIVE] * 2, [Sign.NEGATIVE] * 2):
            return sympy.S.Zero
        wanted, given = (signs[0].value * factor for factor in factors)
        rest = sympy.expand(given * sought.expression - wanted * known.expression)
        return sympy.S.Zero if rest.has(total) else rest


def _cases_of_goal(item: Implication, most: int = MOST_SPLITS) -> Iterator[Implication]:
    """The obligation in each case of the linear relations of its goal that its context leaves open, the first `most` of
    them; together they say as much as it does."""
    linear = (rel for rel in _literals(item.goal) if linear_form(rel.expression) is not None)
    rel = next((rel for rel in linear if status(rel, item.context) is None), None) if most else None
    if rel is None:
        yield item
        return
    for side in (rel, negation(rel)):
        for context, literals in cases(side, item.context):
            part = implication(item.name, item.vocabulary, context, (*item.relations, *literals), item.goal)
            yield from _cases_of_goal(part, most - 1)


def _literals(formula: Formula) -> Iterator[Rel]:
    match formula:
        case Rel(op=">=" | ">"):
            yield formula
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _literals(part)


def _sides(rest: sympy.Expr) -> list[tuple[sympy.Expr, sympy.Expr]]:
    """Which multiple of a scale is to be at most which of another one, in both ways of which one may make sense."""
    terms = [rest.coeff(scale) * scale for scale in sorted(scales_of(rest), key=str)]
    if len(terms) != 2 or sympy.expand(rest - sum(terms)) != 0 or any(len(scales_of(term)) != 1 for term in terms):
        return []
    first, second = terms
    return [(-first, second), (-second, first)]
