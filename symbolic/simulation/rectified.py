"""max(0, x) of a polynomial x, as an atom: what hardmax makes of two values that are as far apart as their scores."""

from __future__ import annotations

from typing import Self

from flint import fmpq

from weightproof.symbolic.simulation.polynomial import Made, Polynomial, Region, Saturated
from weightproof.symbolic.simulation.recurrent import Values

NOTHING, ONE = Polynomial(), Polynomial.number(1)
MINUS = Polynomial.number(-1)


class Rectified(Made):
    """max(0, x), of a polynomial x whose first coefficient but the constant is 1."""

    argument: Polynomial

    def __new__(cls, argument: Polynomial) -> Self:
        made = super().__new__(cls, f"rectified({argument})", argument)
        made.argument = argument
        return made


def rectified(x: Polynomial, region: Region) -> Polynomial:
    """max(0, x): x or 0 where that is certain, or else in terms of an atom, of which x and -x, and all multiples of
    them, have the same: max(0, c x) = c max(0, x) for c > 0, and max(0, -x) = max(0, x) - x."""
    if region.is_not_negative(x):
        return x
    if region.is_not_negative(MINUS * x):
        return NOTHING
    leading = next(value for monomial, value in x.terms if monomial)
    if leading < 0:
        return x + rectified(MINUS * x, region)
    return Polynomial.number(leading) * Polynomial.atom(Rectified(Polynomial.number(1 / leading) * x))


def same(left: Polynomial, right: Polynomial, region: Region) -> bool:
    """Whether two are equal for certain, where min(1, max(0, x)) is max(0, x) - max(0, x - 1): Bhattamishra et al.
    (2020), section 3.2."""
    return left == right or _in_rectified(left, region) == _in_rectified(right, region)


def _in_rectified(polynomial: Polynomial, region: Region) -> Polynomial:
    saturated = [atom for atom in polynomial.atoms if isinstance(atom, Saturated)]
    return polynomial.replaced(
        {atom: rectified(atom.argument, region) - rectified(atom.argument - ONE, region) for atom in saturated}
    )


def looked_at(left: Values, right: Values, ahead: Polynomial, region: Region) -> dict[str, Polynomial] | None:
    """What hardmax brings of two values, where the score of the left one is that of the right one and `ahead`, and
    both are looked at, with any weights, where that is 0; None where this is not known.

    Where the values differ by c times `ahead`, they are the same where both are looked at.
    """
    if region.is_positive(ahead):
        return dict(left)
    if region.is_positive(MINUS * ahead):
        return dict(right)
    found = {}
    for row in dict.fromkeys((*left, *right)):
        other = right.get(row, NOTHING)
        more = left.get(row, NOTHING) - other
        factor = _ratio(more, ahead)
        if factor is None:
            return None
        found[row] = other + (rectified(more, region) if factor > 0 else MINUS * rectified(MINUS * more, region))
    return found


def _ratio(x: Polynomial, of: Polynomial) -> fmpq | None:
    """c, where x is c times the other."""
    if x == NOTHING:
        return fmpq(0)
    known = dict(of.terms)
    monomial, value = x.terms[0]
    if monomial not in known:
        return None
    factor: fmpq = value / known[monomial]
    return factor if Polynomial.number(factor) * of == x else None
