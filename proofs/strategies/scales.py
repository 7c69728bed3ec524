"""The scales of normalised rows in a proof: which of them a theorem need not ask for, and how two of them compare.

A scale is known by its square: a R(i) <= b R(j), for a, b >= 0, where a^2/R(j)^2 <= b^2/R(i)^2.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.cases import Literals, cases, cleared, status
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import And, Formula, Or, Rel, expressions_of, negation, read_formula
from weightproof.proofs.strategies.goals import require_disjoint
from weightproof.proofs.theorem import Compares, Decides, Margin, OnWords
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.iverson import Iverson, canonical, substitute
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cases_of, is_power_of_e, is_scale
from weightproof.symbolic.derivation import Derivation, ExplicitSum, square_of

COMPARED = "scales compared"
"""What an obligation is called that compares squares; its goal says which."""


def without_scales(derivation: Derivation, theorem: OnWords) -> Derivation:
    """The derivation, where only the sign of the logit is asked for without the scales that are factors of all of it.

    One of which the sign of a value is left stays as it is. Raises Underivable where scales are left and nothing
    compares them: inductions, pairs of positions and squares do.
    """
    if derivation.nonzero:
        return derivation
    if isinstance(theorem, Decides) and (derivation.sums or any(_opaque(x) for _, x in derivation.logit.terms)):
        derivation = replace(derivation, logit=_without_logarithms(derivation, theorem))
    logit = derivation.logit
    if not derivation.sums and (isinstance(theorem, Decides) or _compares_with_zero(theorem)):
        logit = _of_the_same_sign(derivation)
    elif isinstance(theorem, Decides):
        for scale in {atom for _, x in logit.terms for atom in _opaque(x)}:
            divided = tuple((conditions, canonical(x / scale)) for conditions, x in logit.terms)
            if not any(x.has(scale) for _, x in divided):
                logit = Iverson(divided)
        logit = _with_plain_sums(logit, derivation)
    if theorem.invariant is None and isinstance(theorem, Margin):
        left = sorted({str(atom) for _, x in logit.terms for atom in _opaque(x)})
        if left:
            raise Underivable(f"the closed form keeps the scales {', '.join(left)}")
    return replace(derivation, logit=logit, sums=_mentioned(logit, derivation))


def _mentioned(logit: Iverson, derivation: Derivation) -> dict[sympy.Symbol, ExplicitSum]:
    """The sums that are left in a logit, in their bodies, and in the squares of its scales."""
    found: set[sympy.Expr] = set()
    values = [logit]
    while values:
        value = values.pop()
        scales = set().union(*(scales_of(x) for _, x in value.terms)) - found
        sums = (value.free_symbols & derivation.sums.keys()) - found
        values += [square_of(scale, derivation.scales) for scale in scales]
        values += [derivation.sums[symbol].body for symbol in sums]
        found |= scales | sums
    return {symbol: total for symbol, total in derivation.sums.items() if symbol in found}


def _compares_with_zero(theorem: OnWords) -> bool:
    return isinstance(theorem, Compares) and theorem.value.source == "0"


def _without_logarithms(derivation: Derivation, theorem: OnWords) -> Iverson:
    """A logit with the same sign, less the logarithms that are factors of all of it and of which the hypothesis tells
    the sign."""
    value, vocabulary = derivation.logit, derivation.vocabulary
    for logarithm in sorted({atom for _, x in value.terms for atom in x.atoms(sympy.log)}, key=str):
        terms = tuple((conditions, canonical(x / logarithm)) for conditions, x in value.terms)
        sign = told_sign(logarithm, theorem.hypothesis, vocabulary)
        if sign is not None and not any(x.has(logarithm) for _, x in terms):
            value = Iverson(terms).scaled(sign)
    return value


def told_sign(logarithm: sympy.Expr, hypothesis: Expression, vocabulary: Vocabulary) -> int | None:
    """That of a logarithm, where a hypothesis tells it."""
    told = cases(read_formula(hypothesis, vocabulary), vocabulary.words())
    signs = {_sign_told(logarithm, literals) for _, literals in told}
    return signs.pop() if len(signs) == 1 else None


def _sign_told(logarithm: sympy.Expr, literals: Literals) -> int | None:
    """That of log x is the one of x - 1."""
    of = logarithm.args[0] - 1
    for literal in literals:
        ratio = canonical(of / literal.expression)
        if literal.op == ">" and ratio.is_Rational and ratio != 0:
            return 1 if ratio > 0 else -1
    return None


def _with_plain_sums(logit: Iverson, derivation: Derivation) -> Iverson:
    """Each case divided by a positive factor that all its sums have: what is beside them compares with them then."""
    words, vocabulary = derivation.vocabulary.words(), derivation.vocabulary
    terms = []
    for conditions, x in logit.terms:
        inside = words.given(*(form for condition in conditions for form in condition.forms()))
        expanded = sympy.expand(x)
        factors = {canonical(expanded.coeff(symbol)) for symbol in derivation.sums if x.has(symbol)}
        factor = factors.pop() if len(factors) == 1 else sympy.S.One
        sign = sign_of(factor, inside, vocabulary)
        known = sign in (Sign.POSITIVE, Sign.NEGATIVE)
        terms.append((conditions, canonical(x / (sign.value * factor)) if known else x))
    return Iverson(tuple(terms))


def _of_the_same_sign(derivation: Derivation) -> Iverson:
    """In each case the open factors alone; Underivable where the cases are not disjoint."""
    vocabulary, terms = derivation.vocabulary, []
    words = vocabulary.words()
    if not any(_opaque(x) for _, x in derivation.logit.terms):
        return derivation.logit
    require_disjoint(derivation, words)
    for conditions, coefficient in derivation.logit.terms:
        inside = words.given(*(form for condition in conditions for form in condition.forms()))
        known = signed(coefficient, inside, vocabulary)
        terms.append((conditions, sympy.Mul(known.direction, *known.numerator, *known.denominator)))
    return Iverson(tuple((conditions, x) for conditions, x in terms if x != 0))


def _opaque(expression: sympy.Expr) -> set[sympy.Expr]:
    return {atom for atom in expression.atoms(sympy.Symbol, AppliedUndef) if is_scale(atom) or is_power_of_e(atom)}


def at_most(
    left: sympy.Expr,
    right: sympy.Expr,
    context: Context,
    derivation: Derivation,
    here: Mapping[sympy.Expr, sympy.Expr] | None = None,
    strict: bool = False,
) -> list[tuple[Context, Rel]] | None:
    """What shows that left <= right, or left < right if `strict`, multiples a R(i) and b R(j) of scales with a, b >= 0:
    in each case of the squares how these compare; None where that is not shown. here: what is known of the atoms of the
    squares."""
    vocabulary = derivation.vocabulary
    (a, smaller), (b, larger) = _multiple(left), _multiple(right)
    if any(certify(cleared(x, context, vocabulary), context, vocabulary, strict=False) is None for x in (a, b)):
        return None
    over, under = (square_of(scale, derivation.scales) for scale in (smaller, larger))
    return _shown(over.scaled(b**2) - under.scaled(a**2), context, derivation, here or {}, strict)


def is_below(
    scale: sympy.Expr, square: sympy.Rational, context: Context, derivation: Derivation
) -> list[tuple[Context, Rel]] | None:
    """As `at_most`: what shows that a scale is at most the root of a number."""
    over = square_of(scale, derivation.scales)
    return _shown(over.scaled(square) - Iverson.constant(1), context, derivation, {}, strict=False)


def _shown(
    value: Iverson, context: Context, derivation: Derivation, here: Mapping[sympy.Expr, sympy.Expr], strict: bool
) -> list[tuple[Context, Rel]] | None:
    """What shows, in each case of it, that a value is >= 0, or > 0 if `strict`."""
    vocabulary = derivation.vocabulary
    shown: list[tuple[Context, Rel]] = []
    for inside, number in cases_of(vocabulary.settle(substitute(value, dict(here))), context):
        polynomial = _numerator(number, inside, vocabulary)
        if certify(polynomial, inside, vocabulary, strict=strict) is None:
            return None
        shown.append((inside, Rel(">" if strict else ">=", polynomial)))
    return shown


def _numerator(total: sympy.Expr, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """As `cleared`, faster for a sum of products of a long polynomial and short factors: only these are cancelled."""
    parts = []
    for term in sympy.Add.make_args(total):
        above, below = sympy.fraction(term)
        longest, *factors = sorted(sympy.Mul.make_args(above), key=sympy.count_ops, reverse=True)
        parts.append((longest, *sympy.fraction(canonical(sympy.Mul(*factors) / below))))
    common = functools.reduce(sympy.lcm, (below for *_, below in parts), sympy.S.One)
    sign = sign_of(common, context, vocabulary)
    if sign not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable(f"the sign of the denominator {common} is open")
    return sympy.expand(
        sympy.Add(*(sign.value * long * above * canonical(common / below) for long, above, below in parts))
    )


def _multiple(value: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    [scale] = scales_of(value)
    return canonical(value / scale), scale


def scales_of(value: sympy.Expr) -> set[sympy.Expr]:
    return {atom for atom in value.atoms(sympy.Symbol, AppliedUndef) if is_scale(atom)}


def with_comparison(
    item: Implication,
    least: sympy.Expr,
    where: Formula,
    values: Iterable[sympy.Expr],
    derivation: Derivation,
    here: Mapping[sympy.Expr, sympy.Expr],
) -> Iterator[Implication]:
    """What shows that `least` is at most the size of each value, and then the obligation with that among its
    hypotheses: where a formula holds and elsewhere, in each case as far as it is shown there and asked for. Compared
    are multiples of scales that the obligation speaks of."""
    vocabulary = derivation.vocabulary
    spoken_of = set().union(*(scales_of(expression) for expression in item.expressions()))
    sizes = {size for value in values for size in _size(value, item.context, vocabulary)}
    compared = sorted((size for size in sizes if scales_of(least) | scales_of(size) <= spoken_of), key=str)
    if not compared or not _is_multiple(least):
        yield item
        return
    parts = [(f"where {k}", *case) for k, case in enumerate(cases(where, item.context), start=1)]
    parts += [(f"elsewhere {k}", *case) for k, case in enumerate(cases(negation(where), item.context), start=1)]
    for part, context, literals in parts:
        name, relations = f"{item.name}, {part}", [*item.relations, *literals]
        for size in compared if _asks_for(item.goal, least, context) else ():
            less = at_most(least, size, context, derivation, here, strict=True)
            shown = at_most(least, size, context, derivation, here) if less is None else less
            for number, (inside, goal) in enumerate(shown or (), start=1):
                yield Implication(f"{name}, {COMPARED}, {number}", vocabulary, inside, literals, goal)
            if shown is not None:
                relations.append(Rel(">=" if less is None else ">", cleared(size - least, context, vocabulary)))
        yield replace(item, name=name, context=context, relations=tuple(relations))


def _asks_for(goal: Formula, value: sympy.Expr, context: Context) -> bool:
    """Whether a goal speaks of the scales of a value where the context does not settle it."""
    if status(goal, context) is not None:
        return False
    match goal:
        case And(parts=parts) | Or(parts=parts):
            return any(_asks_for(part, value, context) for part in parts)
    return any(scales_of(value) <= scales_of(expression) for expression in expressions_of(goal))


def _size(value: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Iterator[sympy.Expr]:
    """The absolute value of a multiple of a scale."""
    if _is_multiple(value):
        sign = sign_of(value, context, vocabulary)
        if sign in (Sign.POSITIVE, Sign.NEGATIVE):
            yield canonical(sign.value * value)


def _is_multiple(value: sympy.Expr) -> bool:
    scales = scales_of(value)
    return len(scales) == 1 and not scales_of(canonical(value / next(iter(scales))))
