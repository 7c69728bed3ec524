"""Intervals of reals with balls for ends: what is known of a quantity over all words of a block of lengths.

python-flint's own balls keep 30 bits of their radius, so that the interval from 0 to 1 would reach below 0; here both
ends are balls of their own, and an end that is 0 stays exactly 0. All comparisons are certain ones: `x <= y` of balls
is true only where it holds for every number in them.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

ZERO = arb(0)


@dataclass(frozen=True)
class Range:
    """The reals from low to high; each end is a ball, and the interval is meant to contain both balls."""

    low: arb
    high: arb

    @classmethod
    def of(cls, value: int | fmpq | arb) -> Range:
        exact = arb(value)
        return cls(exact, exact)

    @property
    def size(self) -> arb:
        """The greatest absolute value."""
        return abs(self.low).max(abs(self.high))

    @property
    def width(self) -> arb:
        return self.high - self.low

    @property
    def nonnegative(self) -> bool:
        return bool(self.low >= 0)

    @property
    def one_sign(self) -> bool:
        return self.nonnegative or bool(self.high <= 0)

    @property
    def is_zero(self) -> bool:
        return bool(self.low.is_zero() and self.high.is_zero())

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __sub__(self, other: Range) -> Range:
        return self + -other

    def __mul__(self, other: Range) -> Range:
        ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high]
        return Range(least(ends), greatest(ends))

    def __truediv__(self, other: Range) -> Range:
        """Not finite where the divisor may be 0: such a range bounds nothing."""
        if not (other.low > 0 or other.high < 0):
            return Range(arb("-inf"), arb("inf"))
        return self * Range(1 / other.high, 1 / other.low)

    def hull(self, other: Range) -> Range:
        return Range(self.low.min(other.low), self.high.max(other.high))

    def positive_part(self) -> Range:
        return Range(self.low.max(ZERO), self.high.max(ZERO))

    def power(self, exponent: int) -> Range:
        result = Range.of(1)
        for _ in range(abs(exponent)):
            result = result * self
        if exponent % 2 == 0 and exponent != 0:
            result = Range(result.low.max(ZERO), result.high)
        return result if exponent >= 0 else Range.of(1) / result

    def function(self, name: str) -> Range | None:
        """An increasing elementary function; None for one that is not known."""
        if name in ("exp", "sinh", "tanh"):
            return Range(getattr(self.low, name)(), getattr(self.high, name)())
        if name in ("log", "sqrt") and self.low > 0:
            return Range(getattr(self.low, name)(), getattr(self.high, name)())
        if name == "cosh":
            inner = ZERO if not self.one_sign else abs(self.low).min(abs(self.high))
            return Range(inner.cosh(), self.size.cosh())
        return None


def least(values: list[arb]) -> arb:
    result = values[0]
    for value in values[1:]:
        result = result.min(value)
    return result


def greatest(values: list[arb]) -> arb:
    result = values[0]
    for value in values[1:]:
        result = result.max(value)
    return result


def compare(op: str, left: Range, right: Range) -> bool | None:
    """Whether a comparison holds for all numbers of two ranges (True), for none (False), or neither is certain."""
    gap = left - right
    if op in (">", ">="):
        op, gap = {">": "<", ">=": "<="}[op], -gap
    if op in ("==", "!="):
        same = True if gap.is_zero else False if gap.low > 0 or gap.high < 0 else None
        return same if op == "==" or same is None else not same
    if op == "<":
        return True if gap.high < 0 else False if gap.low >= 0 else None
    return True if gap.high <= 0 else False if gap.low > 0 else None
