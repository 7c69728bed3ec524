"""The rounding model: what is assumed of floating-point arithmetic, in one place.

Every basic operation (+, -, *, /, square root) is correctly rounded: its result is off by at most u times itself, and
by at most half the least positive number where it underflows. A sum of m terms, in any order and with or without fused
multiply-add, is off by at most gamma(m-1) times the sum of the terms' sizes, gamma(k) = k*u/(1 - k*u) (Higham, Accuracy
and Stability of Numerical Algorithms, section 4.2). exp is off by at most EXP_ULPS units in the last place, which is an
assumption: vector libraries promise between 1 and 4 and torch promises nothing; so is that exp(0) is 1, as annex F of
the C standard has it. Nothing overflows: a ball that is not finite bounds nothing.

A computed quantity is held as a ball that contains it (python-flint's arb, outward rounded).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from weightproof.numeric.rounding.formats import Format

EXP_ULPS = 4


@dataclass(frozen=True)
class RoundingModel:
    """Balls that contain what a format's arithmetic computes from computed quantities in balls."""

    format: Format

    @property
    def u(self) -> arb:
        return arb(fmpq(1, self.format.unit_roundoff.denominator))

    def rounded(self, exact: arb, times: int = 1) -> arb:
        """After `times` roundings of relative size u."""
        least = arb(fmpq(1, self.format.smallest.denominator))
        return exact + arb(0, 1) * (self._gamma(times) * abs(exact) + times * least)

    def _gamma(self, count: int) -> arb:
        return count * self.u / (1 - count * self.u)

    def total(self, terms: Sequence[arb]) -> arb:
        """A sum in any order."""
        if len(terms) < 2:
            return sum(terms, arb(0))
        sizes = sum((abs(term) for term in terms), arb(0))
        return sum(terms, arb(0)) + arb(0, 1) * (self._gamma(len(terms) - 1) * sizes)

    def exp(self, x: arb) -> arb:
        return self.rounded(x.exp(), 2 * EXP_ULPS)  # a unit in the last place is at most 2u of the number

    def softmax(self, scores: Sequence[arb]) -> list[arb]:
        """Weights e^(s - max) over their sum: a division, or a reciprocal and a product."""
        powers = self.powers(scores)
        total = self.total(powers)
        return [self.rounded(power / total, 2) for power in powers]

    def powers(self, scores: Sequence[arb]) -> list[arb]:
        """e^(s - m), where m is the greatest of the scores as computed."""
        greatest = largest(scores)
        return [self.exp(self.rounded(score - greatest)) for score in scores]


def largest(balls: Sequence[arb]) -> arb:
    """The greatest of numbers in balls."""
    result = balls[0]
    for ball in balls[1:]:
        result = result.max(ball)
    return result


def hull(balls: Sequence[arb]) -> arb:
    """A ball that contains all the balls."""
    result = balls[0]
    for ball in balls[1:]:
        result = result.union(ball)
    return result
