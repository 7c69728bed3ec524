"""Exact sums of cosines of rational multiples of pi: the real numbers that roots of unity make.

A product of two cosines is half the sum of two others, so that sums, differences and products are sums again, and what
the addition theorems make equal has mostly one form. What else makes forms equal, as that the cosines of 2 pi k/5 for
k = 0, ..., 4 add up to 0, is asked of the cyclotomic polynomial when a sign is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm, prod
from typing import Any

from flint import arb, fmpq, fmpq_poly, fmpz, fmpz_poly

from weightproof.constructions.scalars.exact import RealForm, cosine

HALF, QUARTER = fmpq(1, 2), fmpq(1, 4)
LARGEST_ORDER = 1 << 16
"""Of the roots of unity in a sum of which it is asked whether it is 0."""
LARGEST_POWER = 1 << 6
"""Exponent above which a power is an error, not an attempt."""


@dataclass(frozen=True)
class Cosines(RealForm):
    """The sum of coefficient * cos(2 pi turn) over its terms (turn, coefficient).

    0 <= turn < 1/4, in rising order; no coefficient is 0, and some turn is not. Made by `number`.
    """

    terms: tuple[tuple[fmpq, fmpq], ...]

    def __add__(self, other: Any) -> Any:
        added = _terms(other)
        return NotImplemented if added is None else number((*self.terms, *added))

    def __mul__(self, other: Any) -> Any:
        factors = _terms(other)
        if factors is None:
            return NotImplemented
        half = ((a, x, b, y * x / 2) for a, x in self.terms for b, y in factors)
        return number(tuple(term for a, _, b, y in half for term in ((a + b, y), (a - b, y))))

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Cosines):
            return self * other.inverse
        return self * (1 / fmpq(other)) if isinstance(other, fmpq | int) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return self.inverse * other

    def __pow__(self, exponent: int) -> Any:
        return prod([self if exponent >= 0 else self.inverse] * abs(exponent), start=fmpq(1))

    def __str__(self) -> str:
        """In the expression language."""
        parts = []
        for turn, x in self.terms:
            half_turns = 2 * turn
            above = "pi" if half_turns.p == 1 else f"{half_turns.p}*pi"
            cosine = f"cos({above}/{half_turns.q})"
            factor = {fmpq(1): "", fmpq(-1): "-"}.get(x, f"{x}*")
            parts.append(str(x) if turn == 0 else f"{factor}{cosine}")
        return " + ".join(parts).replace("+ -", "- ")

    @property
    def enclosure(self) -> arb:
        return sum((arb(x) * arb.cos_pi_fmpq(2 * turn) for turn, x in self.terms), arb(0))

    @property
    def is_zero(self) -> bool | None:
        """None where the roots of unity are of too large an order to ask."""
        order = self._order
        return None if order > LARGEST_ORDER else bool(self._polynomial(order) % _cyclotomic(order) == 0)

    def has_large_power(self, exponent: int) -> bool:
        return exponent > LARGEST_POWER

    @property
    def inverse(self) -> Any:
        """ZeroDivisionError where it is 0; another ArithmeticError where the order is too large."""
        order = self._order
        if order > LARGEST_ORDER:
            raise ArithmeticError(f"a quotient by a sum of cosines with roots of unity of order {order} is too large")
        divisor, factor, _ = self._polynomial(order).xgcd(_cyclotomic(order))
        if divisor.degree() != 0:
            raise ZeroDivisionError("division by zero")
        return number(tuple((fmpq(exponent, order), x) for exponent, x in enumerate(factor.coeffs())))

    @property
    def _order(self) -> int:
        """The least N such that all of it are sums of powers of an N-th root of unity."""
        return lcm(*(int(turn.q) for turn, _ in self.terms))

    def _polynomial(self, order: int) -> fmpq_poly:
        """In a primitive root of unity z: x cos(2 pi t) is x/2 (z^(t N) + z^(-t N)). The number is
        real: of any polynomial that is equal to it, the cosines of the exponents have the same sum."""
        coefficients = [fmpq(0)] * (order + 1)
        for turn, x in self.terms:
            exponent = int((turn * order).p)
            coefficients[exponent] += x / 2
            coefficients[(order - exponent) % order] += x / 2
        return fmpq_poly(coefficients)


def _cyclotomic(order: int) -> fmpq_poly:
    return fmpq_poly(fmpz_poly.cyclotomic(order))


@cosine.register
def _cosine(turn: fmpq) -> Any:
    """A rational number where it is one."""
    return number(((turn, fmpq(1)),))


def number(terms: tuple[tuple[fmpq, fmpq], ...]) -> Any:
    """The sum of such terms with any turns: a rational number where all turns that are left are 0."""
    found: dict[tuple[fmpz, fmpz], fmpq] = {}
    for turn, x in terms:
        place, sign = _reduced(turn)
        key = place.p, place.q
        found[key] = found.get(key, fmpq(0)) + sign * x
    kept = tuple(sorted((fmpq(*key), x) for key, x in found.items() if x != 0))
    return Cosines(kept) if any(turn != 0 for turn, _ in kept) else sum((x for _, x in kept), fmpq(0))


def _reduced(turn: fmpq) -> tuple[fmpq, fmpq]:
    """A turn in [0, 1/4), and a factor: they say the same together; cosines that are rational (Niven) stand at 0."""
    turn = fmpq(turn.p % turn.q, turn.q)
    turn = min(turn, 1 - turn)
    turn, sign = (HALF - turn, fmpq(-1)) if turn > QUARTER else (turn, fmpq(1))
    if turn == QUARTER:
        return fmpq(0), fmpq(0)
    return (fmpq(0), sign / 2) if turn == fmpq(1, 6) else (turn, sign)


def _terms(value: Any) -> tuple[tuple[fmpq, fmpq], ...] | None:
    if isinstance(value, Cosines):
        return value.terms
    return ((fmpq(0), fmpq(value)),) if isinstance(value, fmpq | int) else None
