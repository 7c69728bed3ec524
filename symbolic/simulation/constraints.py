"""Linear inequalities between counts: what is known of the shares of tokens beside that they add up to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import MINUS, ONE, ZERO, Polynomial, Region

SHARE = "share of "
"""Begins the names of shares."""


def share(token: str) -> str:
    """The atom for the share of a token among the positions that are seen: of the first min(t, n) ones at step t."""
    return f"{SHARE}{token}"


@dataclass(frozen=True)
class Constrained(Region):
    """A region, with affine polynomials that are greater than 0 there, and others that are not less."""

    above: tuple[Polynomial, ...] = ()
    not_below: tuple[Polynomial, ...] = ()

    def is_positive(self, polynomial: Polynomial) -> bool:
        return super().is_positive(polynomial) or any(
            least > 0 or (strict and factor > 0 and least >= 0) for factor, least, strict in self._less(polynomial)
        )

    def is_not_negative(self, polynomial: Polynomial) -> bool:
        return super().is_not_negative(polynomial) or any(least >= 0 for _, least, _ in self._less(polynomial))

    def saturated(self, polynomial: Polynomial) -> Polynomial:
        if self.is_not_negative(MINUS * polynomial):
            return Polynomial()
        less = Polynomial.number(1) - polynomial
        if self.is_not_negative(MINUS * less):
            return Polynomial.number(1)
        if self.is_not_negative(polynomial) and self.is_not_negative(less):
            return polynomial
        return super().saturated(polynomial)

    def cases(self, x: Polynomial) -> tuple[Constrained, Constrained]:
        """The parts of the region where x is positive, and where it is not."""
        return replace(self, above=(*self.above, x)), replace(self, not_below=(*self.not_below, MINUS * x))

    def _less(self, polynomial: Polynomial) -> Iterator[tuple[fmpq, fmpq, bool]]:
        """c >= 0, the least value of the polynomial less c times one that is known not to be negative, and whether that
        is known to be positive.

        Where both are affine in the atoms of one simplex, and one such fact is enough, some c shows it (Farkas): it is
        between that at which no vertex where the fact is negative is negative any more, and that from which on a vertex
        is where it is positive. The ends are enough.
        """
        for facts, strict in ((self.above, True), (self.not_below, False)):
            for fact in facts:
                for factor in self._ends(polynomial, fact):
                    bounds = self.bounds(polynomial - Polynomial.number(factor) * fact)
                    if factor >= 0 and bounds is not None:
                        yield factor, bounds[0], strict

    def _ends(self, polynomial: Polynomial, fact: Polynomial) -> Iterator[fmpq]:
        atoms = polynomial.atoms | fact.atoms
        for simplex in self.simplices:
            if atoms <= set(simplex.atoms):
                points = [dict(zip(simplex.atoms, vertex, strict=True)) for vertex in simplex.vertices]
                values = [(polynomial.at(point), fact.at(point)) for point in points]
                yield max((x / y for x, y in values if y < 0), default=ZERO)
                yield min((x / y for x, y in values if y > 0), default=ZERO)


@dataclass(frozen=True)
class _Form:
    """A linear form in counts, divided by the number of positions, and a constant that is not."""

    shares: Polynomial
    constant: fmpq = ZERO

    def __add__(self, other: _Form) -> _Form:
        return _Form(self.shares + other.shares, self.constant + other.constant)

    def __neg__(self) -> _Form:
        return self * _Form(Polynomial(), fmpq(-1))

    def __sub__(self, other: _Form) -> _Form:
        return self + -other

    def __mul__(self, other: _Form) -> _Form:
        if self.shares.terms and other.shares.terms:
            raise Underivable("a product of counts")
        scaled = Polynomial.number(other.constant) * self.shares + Polynomial.number(self.constant) * other.shares
        return _Form(scaled, self.constant * other.constant)

    def __truediv__(self, other: _Form) -> _Form:
        if other.shares.terms or other.constant == 0:
            raise Underivable("a division by a count")
        return self * _Form(Polynomial(), ONE / other.constant)


Facts = tuple[tuple[Polynomial, bool], ...]
"""Polynomials in shares that are not negative, with whether they are positive."""


def facts(formula: Expression, share: Callable[[str], Polynomial]) -> Facts:
    """What a conjunction of comparisons of counts, of all positions, says of shares; Underivable for others."""
    found: Facts = fold(formula.tree, _meaning(share))
    return found


def _meaning(share: Callable[[str], Polynomial]) -> Meaning:
    def refuse(*_: Any) -> Any:
        raise Underivable("a hypothesis that is no conjunction of comparisons of counts")

    def name(called: str) -> _Form:
        return _Form(Polynomial.number(1)) if called == "n" else refuse()

    def count(symbol: str, last: object | None) -> _Form:
        return _Form(share(symbol)) if last is None else refuse()

    def compare(op: str, left: _Form, right: _Form) -> Facts:
        more = left - right
        if more.constant != 0:
            raise Underivable("a hypothesis that compares counts with a number")
        match op:
            case ">" | ">=":
                return ((more.shares, op == ">"),)
            case "<" | "<=":
                return (((-more).shares, op == "<"),)
            case "==":
                return ((more.shares, False), ((-more).shares, False))
        return refuse()

    return meaning_of_part(
        refuse,
        number=lambda value: _Form(Polynomial(), fmpq(value)),
        name=name,
        compare=compare,
        count=count,
        conjunction=lambda parts: tuple(fact for part in parts for fact in part),
    )
