"""What an invariant has names for: the least that a position adds to a sum, the most that an end earns beside it."""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.cases import cases, cleared
from weightproof.proofs.solving.logic import Formula, bracket_of, conjunction, disjunction, expressions_of
from weightproof.proofs.strategies.direct import logit_cases, moved
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, at_point, canonical, substitute
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_scale, j
from weightproof.symbolic.derivation import Derivation, ExplicitSum

Rewards = tuple[tuple[sympy.Expr, Formula], ...]
"""Values, each with what is known of the words that it is said of."""


def least_before_last(total: ExplicitSum, vocabulary: Vocabulary, words: Context) -> sympy.Expr:
    """The least absolute value of what position j adds to a sum where it adds anything and is not the last one; 0 if no
    value is least."""
    return least_addition(total, j, vocabulary.last - 1, vocabulary, words) or sympy.S.Zero


def least_addition(
    total: ExplicitSum, position: sympy.Expr, last: sympy.Expr, vocabulary: Vocabulary, words: Context
) -> sympy.Expr | None:
    """The least absolute value of what a position up to the last one adds to a sum where it adds anything; None if no
    value is least."""
    context = words.given(form_of(position - vocabulary.first), form_of(last - position))
    body = vocabulary.tokens_in_range(substitute(total.body, {j: position}), context)
    added: list[tuple[sympy.Expr, Context]] = []
    candidates: set[sympy.Expr] = set()
    for conditions, value in body.terms:
        inside = context.given(*(form for condition in conditions for form in condition.forms()))
        direction = sign_of(value, inside, vocabulary)
        if direction in (Sign.OPEN, Sign.ZERO):
            return None
        size = Iverson.constant(value * direction.value)
        added.append((value * direction.value, inside))
        ends = [(c.axis, end) for c in conditions for end in (c.lo, c.hi) if end is not None]
        for option in (size, *(at_point(size, axis, end) for axis, end in ends)):
            candidates |= {canonical(number) for _, number in option.terms}
    bounds = [
        bound
        for bound in sorted(candidates, key=str)
        if all(is_scale(atom) for atom in bound.atoms(AppliedUndef))
        and sign_of(bound, context, vocabulary) is Sign.POSITIVE
        and all(_at_least(value, bound, inside, vocabulary) for value, inside in added)
    ]
    best = (bound for bound in bounds if all(_at_least(bound, other, context, vocabulary) for other in bounds))
    return next(best, None)


def _at_least(value: sympy.Expr, bound: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    difference = cleared(value - bound, context, vocabulary)
    form = linear_form(difference)
    if form is not None:
        return context.nonnegative(form)
    return certify(difference, context, vocabulary, strict=False) is not None


def reward(derivation: Derivation, words: Context, accepts: Formula, flags: set[str]) -> Rewards:
    """The most that the logit of an accepted word has beside its sums, and of which words that is said; what it has in
    each case, if no value is the most, or if that is had only where the last symbol is a certain one: of words that end
    otherwise, a step need not show that they are outweighed by as much."""
    vocabulary = derivation.vocabulary
    context = words.given(form_of(vocabulary.last - vocabulary.first))
    hypothesis = moved(accepts, {}, dict.fromkeys(flags, True))
    values: dict[sympy.Expr, Formula] = {}
    for where, value in logit_cases(derivation, words):
        if any(cases(conjunction(where, hypothesis), context)):
            alone = canonical(value.xreplace(dict.fromkeys(derivation.sums, sympy.S.Zero)))
            values[alone] = disjunction(where, values[alone]) if alone in values else where
    for value in sorted(values, key=str):
        most = all(sign_of(value - other, context, vocabulary) in (Sign.ZERO, Sign.POSITIVE) for other in values)
        if most and not _speaks_of(vocabulary.token(vocabulary.last), values[value]):
            return ((value, values[value]),)
    return tuple((value, values[value]) for value in sorted(values, key=str))


def _speaks_of(atom: sympy.Expr, formula: Formula) -> bool:
    return any(expression.has(atom) for expression in expressions_of(formula))


def reward_of(most: Rewards) -> Iverson:
    """One value for all words, or its cases, which are disjoint, and 0 elsewhere."""
    if len(most) == 1:
        return Iverson.constant(most[0][0])
    total = ZERO
    for value, where in most:
        total += bracket_of(where).scaled(value)
    return total
