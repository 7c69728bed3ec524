"""A sum of fractions over their common denominator: the line between what several heads add and what that comes to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.hyperbolic import same, units
from weightproof.symbolic.writing.presentation import presented, without_ones


@dataclass(frozen=True)
class Product:
    """A product that is not multiplied out: its sign, and its factors, none of which is 1."""

    negative: bool
    factors: tuple[sympy.Expr, ...]

    def value(self) -> sympy.Expr:
        return sympy.Mul(-1 if self.negative else 1, *self.factors)


@dataclass(frozen=True)
class Joined:
    """The sum of the numerators over the denominator."""

    numerators: tuple[Product, ...]
    denominator: tuple[sympy.Expr, ...]

    def value(self) -> sympy.Expr:
        return sympy.Add(*(product.value() for product in self.numerators)) / sympy.Mul(*self.denominator)


def joined(parts: Sequence[sympy.Expr], total: sympy.Expr, vocabulary: Vocabulary) -> Joined | None:
    """The sum of the parts over a common denominator, powers of e above it; None where the denominator would be a
    number, or where the sum is not shown to be the total, as a rational function of counts and powers of e."""
    if any(not power.exp.is_Rational for part in (total, *parts) for power in part.atoms(sympy.Pow)):
        return None
    apart = [_apart(presented(part, vocabulary), vocabulary) for part in parts]
    below: dict[sympy.Expr, int] = {}
    for _, _, under in apart:
        for base, power in under.items():
            below[base] = max(below.get(base, 0), power)
    if not below:
        return None
    number = math.lcm(*(int(coefficient.q) for coefficient, _, _ in apart))
    result = Joined(
        tuple(
            Product(bool(coefficient < 0), without_ones([abs(coefficient) * number, *above, *_missing(below, under)]))
            for coefficient, above, under in apart
        ),
        without_ones([sympy.Integer(number), *(base**power for base, power in below.items())]),
    )
    exponents = units(sympy.Add(total, *parts), vocabulary)
    return result if same(total, result.value(), exponents) else None


Apart = tuple[sympy.Rational, list[sympy.Expr], dict[sympy.Expr, int]]
"""A number, the factors above the line, and the powers below."""


def _apart(product: sympy.Expr, vocabulary: Vocabulary) -> Apart:
    coefficient, factors = product.as_coeff_Mul()
    powers_of_e = units(product, vocabulary)
    above, below = [], {}
    for factor in sympy.Mul.make_args(factors):
        base, exponent = factor.as_base_exp()
        if exponent.is_Integer and exponent < 0 and base not in powers_of_e:
            below[base] = -int(exponent)
        elif factor != 1:
            above.append(factor)
    return coefficient, above, below


def _missing(below: dict[sympy.Expr, int], under: dict[sympy.Expr, int]) -> Iterator[sympy.Expr]:
    """What a numerator is multiplied with."""
    return (base ** (power - under.get(base, 0)) for base, power in below.items())
