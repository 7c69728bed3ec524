"""Values of the symbolic reading with Python's operators, for `expressions.fold` to compute with."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import sympy
from flint import arb, fmpq

from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.iverson import MOST_RESIDUES, ZERO, Iverson, remainder, residue
from weightproof.symbolic.algebra.linear import Form, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, cells


@dataclass(frozen=True)
class Value:
    """An Iverson with Python's operators, so that `fold` can compute with it."""

    value: Iverson

    def plain(self) -> sympy.Expr:
        if self.value.axes:
            raise Underivable("a bracket stands where a plain number is needed")
        return sum((coefficient for _, coefficient in self.value.terms), sympy.S.Zero)

    def __add__(self, other: Value) -> Value:
        return Value(self.value + other.value)

    def __sub__(self, other: Value) -> Value:
        return Value(self.value - other.value)

    def __neg__(self) -> Value:
        return Value(self.value.scaled(-1))

    def __mul__(self, other: Value) -> Value:
        return Value(self.value * other.value)

    def __truediv__(self, other: Value) -> Value:
        """The quotient by cases of the divisor. Where it is 0 there is no value, which `definedness` excludes."""
        parts = ((self.value * cell).scaled(1 / divisor) for cell, divisor in cells(other.value) if divisor != 0)
        return Value(sum(parts, ZERO))

    def modulo(self, other: Value) -> Value:
        modulus = other.plain()
        what = f"({self.plain()}) % ({modulus})"
        form = _integer_form(self, what)
        if not modulus.is_Integer or modulus <= 0:
            raise Underivable(f"{what} is read at integers only")
        if modulus > MOST_RESIDUES:
            return Value(Iverson.constant(remainder(form, int(modulus))))
        total = ZERO
        for r in range(1, int(modulus)):
            total += residue(form, int(modulus), r).scaled(r)
        return Value(total)

    def power(self, other: Value) -> Value:
        """The power by cases of the base and of the exponent."""
        if other.value.axes:
            powers = (Value(cell) * self.power(Value(Iverson.constant(number))) for cell, number in cells(other.value))
            return sum(powers, Value(ZERO))
        if self.value.axes:
            powers = (Value(cell) * Value(Iverson.constant(number)).power(other) for cell, number in cells(self.value))
            return sum(powers, Value(ZERO))
        base, exponent = self.plain(), other.plain()
        if exponent == 0:
            return Value(Iverson.constant(1))
        if base == -1:
            return alternating(other, f"(-1)**({exponent})")
        _integer_form(other, f"({base})**({exponent})")
        if base == 0 and exponent.is_negative:  # no value, which `definedness` excludes
            return Value(ZERO)
        if base == 0 and not exponent.is_positive:
            raise Underivable(f"0**({exponent}) is not read")
        return Value(Iverson.constant(base**exponent))


def _integer_form(value: Value, what: str) -> Form:
    form = linear_form(value.plain())
    if form is None or any(number.denominator != 1 for number in (form.constant, *(f for _, f in form.terms))):
        raise Underivable(f"{what} is read at integers only")
    return form


def wave(which: str, turns: Value) -> Value:
    """cos(pi*x) or sin(pi*x) for a rational combination x of integers: by the residues of an integer form, of which the
    wave is a function. Underivable unless the values are made of roots of rational numbers."""
    what = f"{which}(pi*({turns.plain()}))"
    form = linear_form(turns.plain())
    if form is None:
        raise Underivable(f"{what} is read at linear functions of integers only")
    q = form.denominator
    step = gcd(2 * q, *(int(factor * q) for _, factor in form.terms))
    period, integers = 2 * q // step, Form(form.terms) * Fraction(q, step)
    if period > MOST_RESIDUES:
        raise Underivable(f"{what} has a period of {period} integers, and up to {MOST_RESIDUES} are told apart")
    start = sympy.Rational(form.constant.numerator, form.constant.denominator)
    total = ZERO
    for r in range(period):
        value = (sympy.cos if which == "cos" else sympy.sin)(sympy.pi * (start + sympy.Rational(step * r, q)))
        if value.has(sympy.cos, sympy.sin) or not all(power.base.is_Rational for power in value.atoms(sympy.Pow)):
            raise Underivable(f"{what} has the value {value}, which is made of more than roots of rational numbers")
        turn = start + sympy.Rational(step * r, q) - (sympy.Rational(1, 2) if which == "sin" else 0)
        _require_cosine(value, turn)
        total += residue(integers, period, r).scaled(sympy.expand(value))
    return Value(total)


@functools.cache
def _require_cosine(value: sympy.Expr, half_turns: sympy.Rational) -> None:
    """Raises Underivable unless it is certain that a number made of roots is cos(pi*p/q).

    The q-th Chebyshev polynomial of such a cosine is cos(pi*p), 1 or -1. So is that of q + 1 numbers at most, the
    cosines of the multiples of pi/q, which lie further apart than the balls are wide.
    """
    p, q = int(half_turns.p), int(half_turns.q)
    number = evaluate(Expression(str(value)), {})
    before, polynomial = fmpq(1), number
    for _ in range(q - 1):
        before, polynomial = polynomial, 2 * number * polynomial - before
    apart = abs(ball(number) - arb.cos_pi_fmpq(fmpq(p, q)))
    wanted = -1 if p % 2 else 1
    if sign(polynomial - wanted) != 0 or not apart < arb(1) / (4 * q**2):
        raise Underivable(f"{value} is not certain to be cos(pi*{half_turns})")


def alternating(exponent: Value, what: str) -> Value:
    """(-1)**exponent."""
    form = _integer_form(exponent, what)
    return Value(residue(form, 2, 0) - residue(form, 2, 1))
