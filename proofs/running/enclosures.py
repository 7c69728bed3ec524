"""Many real numbers at a time, each enclosed: a float64, and how far from it the number may lie.

What is relied on is binary64 of IEEE 754: a sum, product, quotient or root of two numbers is off by at most U times
itself, and a sum of k products, in whatever order and fused or not, by k*U/(1 - k*U) times the sum of their absolute
values (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1); where numbers underflow, by less than TINY
more. A radius is itself computed in float64, and then made greater than its own rounding can have made it less. A
radius that is infinite or no number says nothing of the number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

U = 2.0**-53
TINY = 2.0**-1000
GRID, GREATEST = 2.0**10, 2.0**33
"""Products of multiples of 1/GRID add up without rounding as long as they stay below GREATEST."""
NEAR_ZERO = -700.0
"""Below this e^x is less than TINY."""
SMALL = 2.0**-100
"""Divisors are at least so great: less would make more than TINY of an underflow."""


@dataclass(frozen=True, eq=False)
class Enclosed:
    """middle - radius <= x <= middle + radius, for each of the numbers x."""

    middle: Floats
    radius: Floats

    def __getitem__(self, index: Any) -> Enclosed:
        return Enclosed(self.middle[index], self.radius[index])

    @property
    def transposed(self) -> Enclosed:
        """The matrices on the last two axes, rows as columns."""
        return Enclosed(np.swapaxes(self.middle, -1, -2), np.swapaxes(self.radius, -1, -2))

    @property
    def known(self) -> NDArray[np.bool_]:
        """Of which the radius says something."""
        return np.isfinite(self.middle) & np.isfinite(self.radius)

    @property
    def positive(self) -> NDArray[np.bool_]:
        return self.middle > self.radius

    @property
    def negative(self) -> NDArray[np.bool_]:
        return -self.middle > self.radius

    @property
    def zero(self) -> NDArray[np.bool_]:
        return (self.middle == 0) & (self.radius == 0)

    def __neg__(self) -> Enclosed:
        return Enclosed(-self.middle, self.radius)

    def __add__(self, other: Enclosed) -> Enclosed:
        """The error of a sum is itself a float64 (Knuth): where there is none, the sum is exact."""
        total = self.middle + other.middle
        part = total - self.middle
        error = np.abs((self.middle - (total - part)) + (other.middle - part))
        return Enclosed(total, (self.radius + other.radius + error) * (1 + 12 * U))  # sums do not underflow

    def __sub__(self, other: Enclosed) -> Enclosed:
        return self + -other

    def __mul__(self, other: Enclosed) -> Enclosed:
        product = self.middle * other.middle
        radius = np.abs(self.middle) * other.radius + self.radius * (np.abs(other.middle) + other.radius)
        return Enclosed(product, np.where(self.zero | other.zero, 0.0, _greater(radius + U * np.abs(product), 6)))

    def __truediv__(self, other: Enclosed) -> Enclosed:
        """Infinite where the divisor is not positive for certain."""
        least = (other.middle - other.radius) * (1 - 4 * U)
        with np.errstate(all="ignore"):
            quotient = self.middle / other.middle
            size = np.abs(quotient)
            radius = _greater((self.radius + size * (1 + 4 * U) * other.radius) / least + U * size, 8)
        return Enclosed(quotient, np.where(least >= SMALL, radius, np.inf))

    def __matmul__(self, other: Enclosed) -> Enclosed:
        """Products of matrices, on the last two axes."""
        terms = self.middle.shape[-1]
        product, sizes = self.middle @ other.middle, np.abs(self.middle) @ np.abs(other.middle)
        if _on_grid(self) and _on_grid(other) and not (sizes >= GREATEST / 2).any():
            return Enclosed(product, np.zeros_like(product))
        radius = np.abs(self.middle) @ other.radius + self.radius @ (np.abs(other.middle) + other.radius)
        return Enclosed(product, _greater(radius + 2 * (terms + 1) * U * sizes, 2 * terms + 8))

    def sum(self, axis: int) -> Enclosed:
        """Over an axis."""
        terms = self.middle.shape[axis]
        radius = self.radius.sum(axis) + 2 * (terms + 1) * U * np.abs(self.middle).sum(axis)
        return Enclosed(self.middle.sum(axis), _greater(radius, 2 * terms + 4))

    def size(self) -> Enclosed:
        """|x|."""
        return Enclosed(np.abs(self.middle), self.radius)

    def clipped(self, least: float, most: float) -> Enclosed:
        """The nearest number from least to most, exactly where that is one of them for certain."""
        beyond = (self.middle + 2 * self.radius < least) | (self.middle - 2 * self.radius > most)
        return Enclosed(np.clip(self.middle, least, most), np.where(beyond, 0.0, self.radius))

    def root(self) -> Enclosed:
        """sqrt(x); infinite where x is not positive for certain."""
        with np.errstate(invalid="ignore", divide="ignore"):
            root = np.sqrt(self.middle)
            radius = _greater(self.radius / root + U * root, 6)
        return Enclosed(root, np.where(self.middle * (1 - 4 * U) - self.radius > SMALL, radius, np.inf))

    def exp(self) -> Enclosed:
        """e^x = 2^k e^t, where t = x - k log(2) is small, by Taylor's formula."""
        low = self.middle + self.radius <= NEAR_ZERO
        middle = np.where(low, 0.0, self.middle)
        k = np.rint(middle / LOG_2.middle)
        t = point(middle) - point(k) * LOG_2
        total = np.full_like(middle, COEFFICIENTS[-1])
        for coefficient in COEFFICIENTS[-2::-1]:
            total *= t.middle
            total += coefficient
        at_middle = np.where(np.abs(t.middle) + t.radius <= FARTHEST, 2 * t.radius + REST, np.inf)
        r = self.radius  # e^r - 1 <= r + r*r up to r = 1
        spread = np.where(r <= 1, (total + at_middle) * (r + r * r), np.inf)
        power = k.clip(-(2**30), 2**30).astype(np.int64)
        radius = np.ldexp(_greater(at_middle + spread, 8), power) + TINY
        return Enclosed(np.where(low, 0.0, np.ldexp(total, power)), np.where(low, TINY, radius))

    def around(self, function: Callable[[Enclosed], Enclosed], slope: float | Floats) -> Enclosed:
        """A function whose slope is nowhere within the radius more than that: at a number there it is off by at most
        the slope times the radius from what it is in the middle."""
        at_middle = function(point(self.middle))
        return Enclosed(at_middle.middle, _greater(at_middle.radius + slope * self.radius, 3))

    def tanh(self) -> Enclosed:
        """Of slope 1 - tanh(x)^2 <= 1; of x >= 0 it is (1 - e)/(1 + e) with e = e^-2x, and it is odd."""

        def at(x: Enclosed) -> Enclosed:
            power = point(-2 * np.abs(x.middle)).exp()
            size = (point(np.ones_like(x.middle)) - power) / (point(np.ones_like(x.middle)) + power)
            return Enclosed(np.copysign(size.middle, x.middle), size.radius)

        return self.around(at, 1.0)

    def sigmoid(self) -> Enclosed:
        """1/(1 + e^-x), of slope s(1 - s) at s, which is at most 1/4, and at most e^-|x|, where |x| is at least that of
        the middle less the radius; of x >= 0 it is 1/(1 + e) with e = e^-x, and else e/(1 + e) with e = e^x."""

        def at(x: Enclosed) -> Enclosed:
            one, power = point(np.ones_like(x.middle)), point(-np.abs(x.middle)).exp()
            is_high = x.middle >= 0
            above = Enclosed(np.where(is_high, 1.0, power.middle), np.where(is_high, 0.0, power.radius))
            return above / (one + power)

        least = (np.abs(self.middle) - self.radius).clip(0, None) * (1 - 2 * U)
        power = point(-least).exp()
        return self.around(at, np.minimum(0.25, power.middle + power.radius))

    def silu(self) -> Enclosed:
        """x s(x) with s the sigmoid; of slope s + x s (1 - s), at most 1 + |x| e^-|x| <= 1 + 1/e < 1.4, as s and 1 - s
        are at most 1 and one of them is at most e^-|x|."""
        return self.around(lambda x: x * x.sigmoid(), 1.4)

    def gelu(self) -> Enclosed:
        """x F(x) with F the normal distribution function, F(x) = (1 + erf(x/sqrt(2)))/2; of slope F + x F'(x), at most
        1 + |x| e^(-x^2/2)/sqrt(2 pi) <= 1 + 1/sqrt(2 pi e) < 1.25."""
        return self.around(lambda x: x * (point(np.ones(())) + (x * ROOT_HALF).erf()) * HALF, 1.25)

    def gelu_tanh(self) -> Enclosed:
        """x s(2u) with u = c (x + a x^3), as (1 + tanh(u))/2 is s(2u); of slope s + 2 x u' s (1 - s). Here |x u'| is
        c (|x| + 3 a |x|^3) <= 3 |u|, and s (1 - s) <= e^-2|u|, so that it is at most 1 + 6 |u| e^-2|u| <= 1 + 3/e
        < 2.2."""
        return self.around(lambda x: x * ((x + x * x * x * CUBIC) * TWICE_ROOT_2_OVER_PI).sigmoid(), 2.2)

    def erf(self) -> Enclosed:
        """2/sqrt(pi) times x e^(-x^2) (1 + 2x^2/3 (1 + 2x^2/5 (1 + ...))) (Abramowitz and Stegun, 7.1.6), of slope
        2/sqrt(pi) e^(-x^2) < 1.13; from FAR on it is 1, less at most e^(-x^2) < 1e-15."""
        return self.around(_erf, 1.13)


def between(low: Floats, high: Floats) -> Enclosed:
    """All from a number to another one; an infinite radius where one of them is not known."""
    middle = np.where(low == high, low, (low + high) / 2)
    radius = np.maximum(high - middle, middle - low)
    known = np.isfinite(middle) & np.isfinite(radius)
    exact = known & (radius == 0)
    return Enclosed(
        np.where(known, middle, 0.0), np.where(exact, 0.0, np.where(known, radius * (1 + 4 * U) + TINY, np.inf))
    )


def under(x: Floats) -> Floats:
    """The next smaller float."""
    return np.nextafter(x, -np.inf)


def over(x: Floats) -> Floats:
    """The next greater float."""
    return np.nextafter(x, np.inf)


def _erf(x: Enclosed) -> Enclosed:
    """At points. All terms are positive, and each step of Horner's rule adds less than 5 U to the error of its bracket
    relative to it: that of 2x^2/(2k + 1), a product, and a sum. With that of x^2 in front, of which all of them are
    made, no bracket is off by more than 7 U ERF_TERMS of itself. What is left out is less than the last term that is
    there, as at 2x^2 <= 2 FAR^2 = 72 terms fall by more than half from the 72nd on."""
    is_far = np.abs(x.middle) >= FAR
    middle = np.where(is_far, 0.0, x.middle)
    square = 2 * middle * middle
    total, last = np.ones_like(middle), np.ones_like(middle)
    for term in range(ERF_TERMS, 0, -1):
        total = 1 + square / (2 * term + 1) * total
        last = last * square / (2 * term + 1)
    bracket = Enclosed(total, 7 * U * ERF_TERMS * total + 2 * last + TINY)
    near = point(middle) * (-(point(middle) * point(middle))).exp() * bracket * TWO_OVER_ROOT_PI
    return Enclosed(np.where(is_far, np.sign(x.middle), near.middle), np.where(is_far, 1e-15, near.radius))


def _greater(radius: Floats, operations: int) -> Floats:
    """At least what a radius would be without the rounding of so many operations, and the underflow of a product."""
    return radius * (1 + 4 * operations * U) + TINY


def _on_grid(x: Enclosed) -> bool:
    return not x.radius.any() and bool((np.rint(x.middle * GRID) == x.middle * GRID).all())


def point(middle: Floats) -> Enclosed:
    """Numbers that are known exactly."""
    return Enclosed(middle, np.zeros_like(middle))


def enclosed(values: Iterable[arb | fmpq], shape: Sequence[int]) -> Enclosed:
    """Numbers, or balls that contain them."""
    balls = [arb(value) for value in values]
    middles = [float(ball.mid()) for ball in balls]
    radii = [_radius(ball, middle) for ball, middle in zip(balls, middles, strict=True)]
    return Enclosed(np.array(middles, dtype=np.float64).reshape(shape), np.array(radii).reshape(shape))


def _radius(ball: arb, middle: float) -> float:
    if not math.isfinite(middle):
        return math.inf
    away = abs(ball - arb(middle))
    if away == 0:
        return 0.0
    return float(away.abs_upper()) * (1 + 8 * U) + TINY


LOG_2 = enclosed([arb(2).log()], ())
FARTHEST, TERMS = 0.5, 15
COEFFICIENTS = [1 / math.factorial(power) for power in range(TERMS)]
HALF, CUBIC = enclosed([fmpq(1, 2)], ()), enclosed([fmpq(44715, 1_000_000)], ())
ROOT_HALF = enclosed([arb(fmpq(1, 2)).sqrt()], ())
TWICE_ROOT_2_OVER_PI = enclosed([(8 / arb.pi()).sqrt()], ())
TWO_OVER_ROOT_PI = enclosed([2 / arb.pi().sqrt()], ())
FAR, ERF_TERMS = 6.0, 150
REST = 2e-14
"""More than what is left out, FARTHEST^TERMS/TERMS! * e^FARTHEST < 4e-17, and what Horner's rule with rounded
coefficients is off by, 2 (2 TERMS + 1) U e^FARTHEST < 1.2e-14 (Higham, section 5.1). Up to FARTHEST e^t changes by less
than twice what t does."""
