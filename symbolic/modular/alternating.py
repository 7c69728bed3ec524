"""Numbers that are polynomials in the number j of a unit, and in (-1)^j: exact, and summed in closed form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.symbolic.algebra.vocabulary import Underivable

Term = tuple[int, int]
"""The exponents of j, and of (-1)^j: 0 or 1."""


@dataclass(frozen=True)
class Alternating:
    """The sum of coefficient * j^degree * (-1)^(j sign) over its terms, in order, none of them 0."""

    terms: tuple[tuple[Term, fmpq], ...] = ()

    @staticmethod
    def of(terms: Iterable[tuple[Term, fmpq]]) -> Alternating:
        found: dict[Term, fmpq] = {}
        for (degree, sign), x in terms:
            place = degree, sign % 2
            found[place] = found.get(place, fmpq(0)) + x
        return Alternating(tuple(sorted((place, x) for place, x in found.items() if x != 0)))

    @staticmethod
    def number(value: fmpq | int) -> Alternating:
        return Alternating.of([((0, 0), fmpq(value))])

    def __add__(self, other: Alternating) -> Alternating:
        return Alternating.of((*self.terms, *other.terms))

    def __neg__(self) -> Alternating:
        return Alternating.of((place, -x) for place, x in self.terms)

    def __sub__(self, other: Alternating) -> Alternating:
        return self + -other

    def __mul__(self, other: Alternating) -> Alternating:
        return Alternating.of(((a + b, s + t), x * y) for (a, s), x in self.terms for (b, t), y in other.terms)

    def __truediv__(self, other: Alternating) -> Alternating:
        divisor = other.constant
        if divisor is None or divisor == 0:
            raise Underivable(f"division by {other}")
        return self * Alternating.number(1 / divisor)

    @property
    def constant(self) -> fmpq | None:
        """Its value, where it is the same for every j."""
        known = dict(self.terms)
        return known.get((0, 0), fmpq(0)) if known.keys() <= {(0, 0)} else None

    @property
    def affine(self) -> tuple[fmpq, fmpq] | None:
        """(x, y) where it is x + y j."""
        known = dict(self.terms)
        return (known.get((0, 0), fmpq(0)), known.get((1, 0), fmpq(0))) if known.keys() <= {(0, 0), (1, 0)} else None

    def before(self) -> Alternating:
        """The number with j - 1 in the place of j."""
        shifted = Alternating()
        less = J - Alternating.number(1)
        for (degree, sign), x in self.terms:
            part = Alternating.of([((0, sign), -x if sign else x)])
            for _ in range(degree):
                part = part * less
            shifted = shifted + part
        return shifted

    def at(self, j: int) -> fmpq:
        return sum((x * j**degree * (-1) ** (j * sign) for (degree, sign), x in self.terms), fmpq(0))

    def __str__(self) -> str:
        def written(degree: int, sign: int, x: fmpq) -> str:
            factors = ["j"] * degree + ["(-1)^j"] * sign
            sign_alone = "-" if x == -1 and factors else ""
            return sign_alone + "*".join(([] if abs(x) == 1 and factors else [str(x)]) + factors)

        return " + ".join(written(*place, x) for place, x in self.terms).replace("+ -", "- ") or "0"


J = Alternating.of([((1, 0), fmpq(1))])


def telescoped(terms: Alternating) -> Alternating:
    """The sum of the terms 1 to m, as a function of m in the place of j: F with F(0) = 0 and F(m) - F(m-1) = term m,
    which is checked. Underivable where j stands in the terms otherwise than in (-1)^j."""
    if any(degree for (degree, _), _ in terms.terms):
        raise Underivable(f"no sum of {terms} is known")
    known = dict(terms.terms)
    steady, alternating = known.get((0, 0), fmpq(0)), known.get((0, 1), fmpq(0))
    total = Alternating.of([((1, 0), steady), ((0, 1), alternating / 2), ((0, 0), -alternating / 2)])
    if not is_sum(total, terms):
        raise Underivable(f"{total} is not the sum of {terms}")
    return total


def is_sum(total: Alternating, terms: Alternating) -> bool:
    """Whether it is, by induction: nothing of no term, and each term what it adds."""
    return total.at(0) == 0 and (total - total.before() - terms).terms == ()


def read(weight: Expression, unit: str) -> Alternating:
    """What a weight is as a function of the number of a unit; Underivable where it is no such polynomial."""

    def name(identifier: str) -> Alternating:
        if identifier != unit:
            raise Underivable(f"{weight} depends on {identifier}")
        return J

    def refused(*_: Any) -> Any:
        raise Underivable(f"{weight} is no polynomial in {unit} and (-1)^{unit}")

    def power(base: Alternating, exponent: Alternating) -> Alternating:
        times, affine = exponent.constant, exponent.affine
        if base.constant == -1 and affine is not None and all(x.q == 1 for x in affine):
            first, step = (int(x.p) for x in affine)
            return Alternating.of([((0, step % 2), fmpq((-1) ** (first % 2)))])
        if times is None or times.q != 1 or not 0 <= times <= 8:
            return refused()
        result = Alternating.number(1)
        for _ in range(int(times.p)):
            result = result * base
        return result

    meaning = meaning_of_part(refused, number=Alternating.number, name=name, power=power)
    found: Alternating = fold(weight.tree, meaning)
    return found
