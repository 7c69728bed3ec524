"""Arithmetic in numbers of s bits, of one format, or of all whose greatest number is large enough.

A second reading of what `constructions.scalars.fixed_point` means, written independently of it. In the arithmetic of
all formats numbers are r + s B with integers r and s, and B is only known to be at least so much: what that does not
decide is not decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from flint import arb, ctx, fmpq

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import Underivable

TOP = "B"
"""What the greatest number is called where it has no value."""


@dataclass(frozen=True, order=True)
class Number:
    """number + tops * B; tops is 0 where B has a value. They are integers where B has none, which are quick to compute
    with."""

    number: Fraction | int
    tops: Fraction | int = 0

    def __str__(self) -> str:
        if not self.tops:
            return str(self.number)
        times = {1: "B", -1: "-B"}.get(int(self.tops), f"{self.tops} B")
        return f"{self.number} + {times}" if self.number else times


ZERO, ONE = Number(0), Number(1)


class Arithmetic(Protocol):
    """Every operation is rounded; Underivable where it is not known to what."""

    @property
    def name(self) -> str: ...

    def scalar(self, weight: Expression) -> Number: ...

    def plus(self, x: Number, y: Number) -> Number: ...

    def minus(self, x: Number) -> Number: ...

    def times(self, x: Number, y: Number) -> Number: ...

    def over(self, x: Number, y: Number) -> Number: ...

    def exp(self, x: Number) -> Number: ...

    def sign(self, x: Number) -> int: ...


@dataclass(frozen=True)
class OneFormat:
    """The arithmetic of a format."""

    format: FixedPoint

    @property
    def name(self) -> str:
        return self.format.name

    @property
    def _greatest(self) -> Fraction:
        return Fraction(2 ** (self.format.bits - 1) - 1, 2**self.format.fraction)

    def _rounded(self, x: Fraction | int) -> Number:
        """To the nearest number, of two the one nearer to 0."""
        unit = Fraction(1, 2**self.format.fraction)
        far = abs(Fraction(x))
        below = far // unit * unit
        size = min(below + unit if far - below > unit / 2 else below, self._greatest)
        return Number(size if x > 0 else -size)

    def scalar(self, weight: Expression) -> Number:
        value = evaluate(weight, {TOP: fmpq(self._greatest.numerator, self._greatest.denominator)})
        if not isinstance(value, fmpq):
            raise Underivable(f"the weight {weight} is not rational")
        return self._rounded(Fraction(int(value.p), int(value.q)))

    def plus(self, x: Number, y: Number) -> Number:
        return self._rounded(x.number + y.number)

    def minus(self, x: Number) -> Number:
        return Number(-x.number)

    def times(self, x: Number, y: Number) -> Number:
        return self._rounded(x.number * y.number)

    def over(self, x: Number, y: Number) -> Number:
        if not y.number:
            raise Underivable("a quotient by 0 has no value")
        return self._rounded(Fraction(x.number) / y.number)

    def exp(self, x: Number) -> Number:
        if not x.number:
            return self._rounded(1)
        with ctx.workprec(256):
            ball = arb(fmpq(x.number.numerator, x.number.denominator)).exp()
            ends = {self._rounded(Fraction(str(end.mid().fmpq()))) for end in (ball.lower(), ball.upper())}
        if len(ends) > 1:
            raise Underivable(f"exp({x}) is too close to the middle of two numbers")
        return ends.pop()

    def sign(self, x: Number) -> int:
        return (x.number > 0) - (x.number < 0)


@dataclass(frozen=True)
class EveryFormat:
    """The arithmetic of all formats with B >= least, least >= 1, of which it is known that exp(-B) is rounded to 0.

    Integers up to B are numbers of each of these, and so is B; so are their sums, as far as B.
    """

    least: int

    @property
    def name(self) -> str:
        return f"every format with B >= {self.least} in which exp(-B) is rounded to 0"

    def scalar(self, weight: Expression) -> Number:
        if weight.source in (TOP, f"-({TOP})"):
            return Number(0, 1 if weight.source == TOP else -1)
        value = evaluate(weight, {})
        if not isinstance(value, fmpq) or value.q != 1:
            raise Underivable(f"the weight {weight} is not an integer: how it is rounded depends on the format")
        return self._saturated(Number(int(value.p)))

    def plus(self, x: Number, y: Number) -> Number:
        return self._saturated(Number(x.number + y.number, x.tops + y.tops))

    def minus(self, x: Number) -> Number:
        return Number(-x.number, -x.tops)

    def times(self, x: Number, y: Number) -> Number:
        if x.tops and y.tops:
            raise Underivable(f"({x}) ({y}) is a square of B")
        return self._saturated(Number(x.number * y.number, x.number * y.tops + x.tops * y.number))

    def over(self, x: Number, y: Number) -> Number:
        if x == ZERO and self.sign(y):
            return ZERO
        if x == y and self.sign(y):
            return ONE
        raise Underivable(f"({x}) / ({y}) depends on the format")

    def exp(self, x: Number) -> Number:
        if x == ZERO:
            return ONE
        if x == Number(0, -1):
            return ZERO
        raise Underivable(f"exp({x}) depends on the format")

    def sign(self, x: Number) -> int:
        """The sign of x at every B >= least."""
        at_least, slope = x.number + x.tops * self.least, x.tops
        if at_least > 0 and slope >= 0:
            return 1
        if at_least < 0 and slope <= 0:
            return -1
        if at_least == 0 and slope == 0:
            return 0
        raise Underivable(f"the sign of {x} depends on the format")

    def _saturated(self, x: Number) -> Number:
        """x, or B or -B where it is known to lie at or beyond that."""
        for direction in (1, -1):
            beyond, slope = direction * x.number + (direction * x.tops - 1) * self.least, direction * x.tops - 1
            if beyond >= 0 and slope >= 0:
                return Number(0, direction)
            if beyond > 0 or slope > 0:
                raise Underivable(f"whether {x} lies beyond B depends on the format")
        return x
