"""What a derivation says, before it is written down: the parts that plain text and LaTeX have in common.

Expressions are brought into the form in which they are read, quotients are taken apart, and conditions become
statements about numbers and tokens.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.symbolic.algebra.constants import exponent_of
from weightproof.symbolic.algebra.iverson import Condition, Conditions, Iverson, intersect, substitute
from weightproof.symbolic.algebra.linear import Form, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary, j, n
from weightproof.symbolic.derivation import Derivation, ExplicitSum
from weightproof.symbolic.writing.hyperbolic import forms, step, units
from weightproof.symbolic.writing.hypotheses import impossible, simplified

HIGHEST = 32
"""Powers of a unit up to which a polynomial is factored; where all are multiples of one power, that one counts as 1."""


@functools.lru_cache(maxsize=20_000)
def presented(expression: sympy.Expr, vocabulary: Vocabulary) -> sympy.Expr:
    """Factored; factors of units alone are multiplied out again, so that e^(2c) - 1 stays in one piece, or written with
    hyperbolic functions where that is shorter."""
    if any(not power.exp.is_Rational for power in expression.atoms(sympy.Pow)) or expression.has(sympy.log):
        return sympy.factor_terms(expression)
    exponents = units(expression, vocabulary)
    steps = {unit: step(expression, unit) for unit in exponents}
    if any(highest > HIGHEST * common for highest, common in steps.values()):
        return sympy.factor_terms(expression)
    common = {unit: common for unit, (highest, common) in steps.items() if highest > HIGHEST}
    factored = sympy.factor(expression.xreplace({unit: unit ** (1 / power) for unit, power in common.items()}))
    real = {vocabulary.unit(name) for name in vocabulary.real}
    result = []
    for side in sympy.fraction(factored):
        own = [factor for factor in sympy.Mul.make_args(side) if factor.is_Add or factor.is_Pow]
        alone = [factor for factor in own if factor.free_symbols and factor.free_symbols <= real]
        rest = sympy.Mul(*(factor for factor in sympy.Mul.make_args(side) if factor not in alone))
        result.append((rest, sympy.expand(sympy.Mul(*alone))))
    (above, above_units), (below, below_units) = result
    exponential = sympy.Mul(above, above_units, 1 / below, 1 / below_units, evaluate=True)
    others = forms(factored, {unit: exponent * common.get(unit, 1) for unit, exponent in exponents.items()})
    written = [form.xreplace({unit: unit**power for unit, power in common.items()}) for form in (exponential, *others)]
    return min(written, key=size)


def size(expression: sympy.Expr) -> int:
    """How long an expression is on paper, about: its numbers, letters and brackets; a name counts as one letter."""
    match expression:
        case sympy.Rational():
            return len(str(expression).removeprefix("-"))
        case sympy.Symbol():
            return 2 if str(expression).startswith("u_") or exponent_of(expression) is not None else 1
        case sympy.Add():
            return sum(map(size, expression.args)) + len(expression.args) - 1
        case sympy.Mul():
            return sum(size(factor) + factor.is_Add for factor in expression.args if factor != -1)
        case sympy.Pow(base=base, exp=exponent):
            falls = exponent.could_extract_minus_sign()
            power = -exponent if falls else exponent
            return size(base) + base.is_Add + falls + (0 if power == 1 else size(power))
    return 2 + sum(map(size, expression.args))


def summands(expression: sympy.Add) -> list[sympy.Expr]:
    """The terms of a sum, those with a minus sign last."""
    return sorted(expression.as_ordered_terms(), key=lambda term: term.could_extract_minus_sign())


@dataclass(frozen=True)
class Fraction:
    """A product as it is written: its sign, the factors above the line, and those below. No factor is 1."""

    negative: bool
    above: tuple[sympy.Expr, ...]
    below: tuple[sympy.Expr, ...]


def as_fraction(expression: sympy.Expr, vocabulary: Vocabulary) -> Fraction:
    """A product: negative powers below the line, powers of one unit joined, no sign where what stands alone above the
    line can take it."""
    coefficient, factors = expression.as_coeff_mul()
    above, below = [sympy.Integer(abs(coefficient.p))], [sympy.Integer(coefficient.q)]
    negative = coefficient < 0
    exponents: dict[sympy.Expr, sympy.Expr] = {}
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if base in {vocabulary.unit(name) for name in vocabulary.real}:
            exponents[base] = exponents.get(base, sympy.S.Zero) + exponent
        elif exponent.could_extract_minus_sign():
            below.append(base**-exponent)
        else:
            above.append(factor)
    for unit, exponent in exponents.items():
        falls = exponent.is_Rational and exponent < 0
        (below if falls else above).append(unit ** (-exponent if falls else exponent))
    above.sort(key=lambda factor: bool(factor.free_symbols))
    match without_ones(above):
        case (sympy.Add(args=terms) as factor,) if negative:
            if 2 * sum(term.could_extract_minus_sign() for term in terms) >= len(terms):
                above, negative = [-factor], False
    return Fraction(bool(negative), without_ones(above), without_ones(below))


def without_ones(factors: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    """The factors that are not 1."""
    return tuple(factor for factor in factors if factor != 1)


@dataclass(frozen=True)
class Compared:
    """left op right, for integers."""

    left: sympy.Expr
    op: str
    right: sympy.Expr


@dataclass(frozen=True)
class TokenIs:
    """The token at `place` is `symbol`, or, negated, is something else."""

    place: sympy.Expr
    symbol: str
    negated: bool = False


@dataclass(frozen=True)
class SameToken:
    left: sympy.Expr
    right: sympy.Expr


@dataclass(frozen=True)
class AnyOf:
    """At least one of several conjunctions holds; there are two or more."""

    ways: tuple[tuple[Statement, ...], ...]


Statement = Compared | TokenIs | SameToken | AnyOf
ALWAYS, NEVER = Compared(n, ">=", sympy.S.One), Compared(n, "<", sympy.S.One)


def statements(one: Condition, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """A condition as a conjunction of statements."""
    tokens = sorted((atom for atom in one.axis.atoms if vocabulary.is_token(atom)), key=str)
    if not tokens:
        return _linear(one)
    if len(one.axis.terms) == 1:
        return _one_token(tokens[0], one, vocabulary)
    if len(tokens) == len(one.axis.terms) == 2 and (one.lo, one.hi) == (0, 0):
        (_, left), (_, right) = one.axis.terms
        if left + right == 0:
            return (SameToken(tokens[0].args[0], tokens[1].args[0]),)
    return _by_tokens(tokens, one, vocabulary)


def _is(token: sympy.Expr, index: int, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    if index >= 0:
        return (TokenIs(token.args[0], vocabulary.alphabet[index]),)
    return tuple(TokenIs(token.args[0], letter, negated=True) for letter in vocabulary.alphabet)


def _one_token(token: sympy.Expr, one: Condition, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    indices = range(-1, len(vocabulary.alphabet))
    allowed = [index for index in indices if one.covers(index, index)]
    if -1 in allowed:
        excluded = [vocabulary.alphabet[index] for index in indices if index not in allowed]
        return tuple(TokenIs(token.args[0], letter, negated=True) for letter in excluded) or (ALWAYS,)
    return _any([_is(token, index, vocabulary) for index in allowed])


def _by_tokens(tokens: Sequence[sympy.Expr], one: Condition, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """A condition that adds up token indices, by cases of the tokens."""
    ways: list[tuple[Statement, ...]] = []
    for indices in itertools.product(range(-1, len(vocabulary.alphabet)), repeat=len(tokens)):
        known = dict(zip(tokens, indices, strict=True))
        shift = sum(int(factor) * known[atom] for atom, factor in one.axis.terms if atom in known)
        rest = Form(tuple((atom, factor) for atom, factor in one.axis.terms if atom not in known))
        left = Condition(rest, None if one.lo is None else one.lo - shift, None if one.hi is None else one.hi - shift)
        if rest.terms or left.covers(0, 0):
            here = [part for token, index in known.items() for part in _is(token, index, vocabulary)]
            ways.append((*here, *(_linear(left) if rest.terms else ())))
    return _any(ways)


def _any(ways: list[tuple[Statement, ...]]) -> tuple[Statement, ...]:
    if not ways:
        return (NEVER,)
    return ways[0] if len(ways) == 1 else (AnyOf(tuple(ways)),)


def _linear(one: Condition) -> tuple[Statement, ...]:
    """lo <= axis <= hi with only positive terms on either side."""
    left = Form(tuple((atom, factor) for atom, factor in one.axis.terms if factor > 0)).expression()
    right = -Form(tuple((atom, factor) for atom, factor in one.axis.terms if factor < 0)).expression()
    if one.lo is not None and one.lo == one.hi:
        return (Compared(left, "==", right + one.lo),)
    parts: list[Statement] = []
    if one.lo is not None:
        parts.append(Compared(left, ">", right) if one.lo == 1 else Compared(left, ">=", right + one.lo))
    if one.hi is not None:
        parts.append(Compared(left, "<", right) if one.hi == -1 else Compared(left, "<=", right + one.hi))
    return tuple(parts)


def logit(derivation: Derivation) -> Iverson:
    """The logit as it is printed: what holds of every word goes without saying."""
    return simplified(derivation.logit, derivation.vocabulary.words(), derivation.vocabulary)


def mentioned_scales(derivation: Derivation) -> dict[sympy.Expr, Iverson]:
    """The scales that the logit or a sum mentions, at whatever position, or the square of one of these."""
    found: dict[sympy.Expr, Iverson] = {}
    values = [derivation.logit, *(total.body for total in derivation.sums.values())]
    while values:
        names = {_called(atom) for _, x in values.pop().terms for atom in x.atoms(sympy.Symbol, AppliedUndef)}
        for scale, square in derivation.scales.items():
            if _called(scale) in names and scale not in found:
                found[scale] = square
                values.append(square)
    return {scale: square for scale, square in derivation.scales.items() if scale in found}


def _called(atom: sympy.Expr) -> str:
    return str(atom.func) if isinstance(atom, AppliedUndef) else str(atom)


def disjoint_cases(iverson: Iverson, vocabulary: Vocabulary) -> tuple[tuple[sympy.Expr, Conditions], ...] | None:
    """(value, conditions) for each term if in no word two hold together; where none holds, the value is 0."""
    words = vocabulary.words()
    terms = [term for term in iverson.terms if not impossible(words, vocabulary, term[0])]
    for (left, _), (right, _) in itertools.combinations(terms, 2):
        both = intersect(left, right)
        if both is not None and not impossible(words, vocabulary, both):
            return None
    return tuple((value, conditions) for conditions, value in terms)


def exhaustive(iverson: Iverson, vocabulary: Vocabulary) -> bool:
    """Whether in every word one of the conditions holds."""
    held = Iverson(tuple((conditions, sympy.S.One) for conditions, _ in iverson.terms))
    return not vocabulary.tokens_in_range(Iverson.constant(1) - held, vocabulary.words()).terms


@dataclass(frozen=True)
class SumParts:
    """An explicit sum: over the positions that hold symbols and are within the bounds, and what it adds beyond them.

    at_least, at_most: bounds of j that are narrower than the positions that hold symbols.
    """

    at_least: sympy.Expr | None
    at_most: sympy.Expr | None
    body: Iverson
    beyond: tuple[Iverson, ...]


def sum_parts(total: ExplicitSum, vocabulary: Vocabulary) -> SumParts:
    first, last = sympy.Integer(vocabulary.first), vocabulary.last
    below, above = first - total.lo, sympy.expand(total.hi - last)
    beyond = [total.lo + step for step in range(max(int(below), 0))] if below.is_Integer else []
    beyond += [last + 1 + step for step in range(max(int(above), 0))] if above.is_Integer else []
    narrow = (
        None if below.is_Integer and below >= 0 else total.lo,
        None if above.is_Integer and above >= 0 else total.hi,
    )
    return SumParts(
        at_least=narrow[0],
        at_most=narrow[1],
        body=summand(total, vocabulary, first, last),
        beyond=tuple(substitute(total.body, {j: place}) for place in beyond),
    )


def summand(total: ExplicitSum, vocabulary: Vocabulary, *bounds: sympy.Expr) -> Iverson:
    """What a sum adds up, as it is printed: that j is within its bounds, and others, goes without saying."""
    low, high = bounds or (total.lo, total.hi)
    ends = (total.lo, total.hi), (low, high)
    known = [linear_form(form) for lo, hi in ends for form in (j - lo, hi - j)]
    return simplified(total.body, vocabulary.words().given(*(form for form in known if form is not None)), vocabulary)
