"""A sum of fractions over their common denominator: the line between what several heads add and what that comes to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.hyperbolic import Units, exponential, same, units
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
    """The sum of the numerators over the denominator; units: the powers of e that it is made of."""

    numerators: tuple[Product, ...]
    denominator: tuple[sympy.Expr, ...]
    units: Units

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
        units(sympy.Add(total, *parts), vocabulary),
    )
    return result if same(total, result.value(), result.units) else None


def multiplied_out(joined: Joined) -> tuple[tuple[sympy.Expr, sympy.Expr], ...] | None:
    """What stands above the line as (coefficient, product of powers of e), no such product twice, what is subtracted
    last; None where no sinh or cosh has to be taken apart for it, or where it is not shown to be the same."""
    above = sympy.Add(*(product.value() for product in joined.numerators))
    if not above.has(sympy.sinh, sympy.cosh) or above.has(sympy.tanh):
        return None
    found: dict[sympy.Expr, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(exponential(above, joined.units))):
        coefficient, power = term.as_independent(*joined.units, as_Add=False)
        found[power] = found.get(power, sympy.S.Zero) + coefficient
    told = [(coefficient, power) for power, coefficient in found.items() if coefficient != 0]
    if not same(sympy.Add(*itertools.starmap(sympy.Mul, told)), above, joined.units):
        return None
    return tuple(sorted(told, key=lambda each: (each[0].could_extract_minus_sign(), str(each[1]))))


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
