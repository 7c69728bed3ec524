"""Numbers of s bits, as Fraknoi (2024), section 3.3, has them: every operation is rounded, and saturates.

The numbers of a format are the multiples of 2^-fraction from -B to B, its greatest one. A result is rounded to the
nearest of them, where two are as near to the one of smaller absolute value, so that what lies beyond -B or B becomes
that. A format has few numbers: each stands there once, and what was made of them is kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from weightproof.constructions.scalars.exact import HIGHEST_PRECISION, Real, Undecided, enclosure

FEWEST_BITS, MOST_BITS = 2, 64
"""Bits of a format: one is the sign."""
KEPT = 1 << 18
"""Results that are kept of each operation."""


@dataclass(frozen=True)
class FixedPoint:
    """A format: bits in all, the sign among them, and those of them that stand behind the point."""

    bits: int
    fraction: int

    @property
    def unit(self) -> fmpq:
        """The least positive number."""
        return fmpq(1, 2**self.fraction)

    @property
    def greatest(self) -> fmpq:
        """B, the greatest number."""
        return (2 ** (self.bits - 1) - 1) * self.unit

    @property
    def name(self) -> str:
        return f"{self.bits} bits, {self.fraction} of them behind the point"


class DividesByZero(ArithmeticError):
    """A quotient that has no value."""


@functools.cache
def _known(format: FixedPoint) -> dict[int, Fixed]:
    return {}


def _number(numerator: int, format: FixedPoint) -> Fixed:
    """The number numerator * 2^-fraction, or the greatest one of its sign."""
    most = 2 ** (format.bits - 1) - 1
    numerator = max(-most, min(most, numerator))
    known = _known(format)
    if numerator not in known:
        known[numerator] = Fixed(numerator, format)
    return known[numerator]


def rounded(x: Real, format: FixedPoint) -> Fixed:
    """The number nearest to x, the one of smaller absolute value where two are. Undecided where no number of bits tells
    which one that is."""
    if isinstance(x, fmpq):
        scaled = x * 2**format.fraction
        return _number(_nearest(int(scaled.p), int(scaled.q)), format)
    return _of_ball(lambda: enclosure(x), format)


def _nearest(p: int, q: int) -> int:
    """The integer nearest to p/q, q > 0; of two the one nearer to 0."""
    size = (2 * abs(p) + q - 1) // (2 * q)
    return size if p >= 0 else -size


def _of_ball(ball: Callable[[], arb], format: FixedPoint) -> Fixed:
    """The rounded value of what the ball contains, at the precision that tells it."""
    bits = 64
    while bits <= HIGHEST_PRECISION:
        with ctx.workprec(bits):
            scaled = ball() * 2**format.fraction
            size = (abs(scaled) - fmpq(1, 2)).ceil().unique_fmpz()
            if size is not None and (size <= 0 or not scaled.contains(0)):
                return _number(max(0, int(size)) * (1 if scaled > 0 else -1), format)
        bits *= 2
    raise Undecided("no number of bits tells how a number is rounded")


class Fixed:
    """A number of a format; +, -, * and / with another one, or with an exact number that is rounded first."""

    __slots__ = ("format", "numerator")

    def __init__(self, numerator: int, format: FixedPoint) -> None:
        self.numerator, self.format = numerator, format

    @property
    def value(self) -> fmpq:
        return fmpq(self.numerator, 2**self.format.fraction)

    @functools.lru_cache(KEPT)  # noqa: B019 - all numbers of a format are kept anyway
    def __add__(self, other: Fixed | Real | int) -> Fixed:
        return _number(self.numerator + self._same(other).numerator, self.format)

    @functools.lru_cache(KEPT)  # noqa: B019
    def __mul__(self, other: Fixed | Real | int) -> Fixed:
        return _number(_nearest(self.numerator * self._same(other).numerator, 2**self.format.fraction), self.format)

    @functools.lru_cache(KEPT)  # noqa: B019
    def __truediv__(self, other: Fixed | Real | int) -> Fixed:
        divisor = self._same(other)
        if divisor.numerator == 0:
            raise DividesByZero("a quotient by 0 has no value")
        return rounded(self.value / divisor.value, self.format)

    def __radd__(self, other: Fixed | Real | int) -> Fixed:
        return self + other

    def __rmul__(self, other: Fixed | Real | int) -> Fixed:
        return self * other

    def __neg__(self) -> Fixed:
        return _number(-self.numerator, self.format)

    def __sub__(self, other: Fixed | Real | int) -> Fixed:
        return self + -self._same(other)

    def __rsub__(self, other: Fixed | Real | int) -> Fixed:
        return self._same(other) + -self

    def __rtruediv__(self, other: Fixed | Real | int) -> Fixed:
        return self._same(other) / self

    def _same(self, other: Fixed | Real | int) -> Fixed:
        if isinstance(other, Fixed):
            if other.format != self.format:
                raise TypeError(f"a number of {self.format.name} and one of {other.format.name}")
            return other
        return rounded(fmpq(other) if isinstance(other, int) else other, self.format)

    @property
    def sign(self) -> int:
        return (self.numerator > 0) - (self.numerator < 0)

    @functools.lru_cache(KEPT)  # noqa: B019
    def exp(self) -> Fixed:
        return _of_ball(lambda: arb(self.value).exp(), self.format) if self.numerator else rounded(fmpq(1), self.format)

    def tanh(self) -> Fixed:
        return _of_ball(lambda: arb(self.value).tanh(), self.format) if self.numerator else self

    def erf(self) -> Fixed:
        return _of_ball(lambda: arb(self.value).erf(), self.format) if self.numerator else self

    def sqrt(self) -> Fixed:
        if self.numerator < 0:
            raise ArithmeticError("the square root of a negative number")
        return _of_ball(lambda: arb(self.value).sqrt(), self.format) if self.numerator else self

    def log(self) -> Fixed:
        if self.numerator <= 0:
            raise ArithmeticError("the logarithm of a number that is not positive")
        one = self.value == 1
        return rounded(fmpq(0), self.format) if one else _of_ball(lambda: arb(self.value).log(), self.format)

    def __str__(self) -> str:
        return str(self.value)

    __repr__ = __str__
