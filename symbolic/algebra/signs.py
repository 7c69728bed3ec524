"""The sign of a bracket-free expression in a context, by exact means only: factor by factor, each by linear elimination
or by a certificate of nonnegative coefficients."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import Enum

import sympy

from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.constants import number_bounds
from weightproof.symbolic.algebra.iverson import Iverson, bracket, canonical
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary


class Sign(Enum):
    POSITIVE = 1
    ZERO = 0
    NEGATIVE = -1
    OPEN = None


@dataclass(frozen=True)
class Signed:
    """direction * (a positive number) * the product of the open factors of numerator and denominator.

    direction is 0 where some factor of the numerator is; open factors have no power.
    """

    direction: int
    numerator: tuple[sympy.Expr, ...] = ()
    denominator: tuple[sympy.Expr, ...] = ()


def signed(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Signed:
    """What is known of the sign of a rational function."""
    direction = 1
    sides: list[tuple[sympy.Expr, ...]] = []
    for side in _sides(expression):
        if side.constant == 0:
            return Signed(0)
        direction *= 1 if side.constant > 0 else -1
        powers = (
            power for power in side.powers if sign_of(power.as_base_exp()[0], context, vocabulary) is not Sign.POSITIVE
        )
        open_factors: list[sympy.Expr] = list(powers)
        for factor, power in side.factors:
            match factor_sign(factor, context, vocabulary):
                case Sign.OPEN:
                    open_factors.append(factor if power % 2 else factor**2)
                case Sign.ZERO:
                    direction = 0
                case Sign.NEGATIVE if power % 2:
                    direction = -direction
        sides.append(tuple(open_factors))
    return Signed(direction, *sides) if direction else Signed(0)


@dataclass(frozen=True)
class _Side:
    """A numerator or denominator: the constant, irreducible polynomials with their powers, powers with exponents that
    are no integers."""

    constant: sympy.Expr
    factors: tuple[tuple[sympy.Expr, int], ...]
    powers: tuple[sympy.Expr, ...]


@functools.lru_cache(maxsize=100_000)
def _sides(expression: sympy.Expr) -> tuple[_Side, _Side]:
    """What does not depend on the context, in which the same expression is often asked for."""
    numerator, denominator = sympy.fraction(canonical(expression))
    return _side(numerator), _side(denominator)


def _side(part: sympy.Expr) -> _Side:
    rest, powers = sympy.S.One, []
    for factor in sympy.Mul.make_args(sympy.factor_terms(part)):
        if factor.as_base_exp()[1].is_Integer:
            rest *= factor
        else:
            powers.append(factor)
    constant, factors = sympy.factor_list(rest)
    return _Side(constant, tuple(factors), tuple(powers))


def sign_of(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Sign:
    known = signed(expression, context, vocabulary)
    return Sign.OPEN if known.numerator or known.denominator else Sign(known.direction)


def positive_bracket(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Iverson | None:
    """[expression > 0]: factors of known sign are dropped, one integer form may remain; None where more is open."""
    known = signed(expression, context, vocabulary)
    open_factors = known.numerator + known.denominator
    if not open_factors:
        return Iverson.constant(int(known.direction > 0))
    if len(open_factors) == 1 and (form := linear_form(known.direction * open_factors[0])) is not None:
        return bracket(">", form.expression())
    return None


def factor_sign(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Sign:
    """The sign of a polynomial that does not factor."""
    form = linear_form(expression)
    if form is not None:
        if context.positive(form):
            return Sign.POSITIVE
        if context.positive(-form):
            return Sign.NEGATIVE
        return Sign.ZERO if context.nonnegative(form) and context.nonnegative(-form) else Sign.OPEN
    number = number_bounds(expression)
    if number is not None and (number[0] > 0 or number[1] < 0):
        return Sign.POSITIVE if number[0] > 0 else Sign.NEGATIVE
    if certify(expression, context, vocabulary, strict=True) is not None:
        return Sign.POSITIVE
    if certify(-expression, context, vocabulary, strict=True) is not None:
        return Sign.NEGATIVE
    return Sign.OPEN
