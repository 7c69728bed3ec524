"""Quotients of polynomials in the position and the length: whether they rise with the position, or fall, and how far.

A polynomial in numbers that are 0 or more is above 0 where its constant is, and no coefficient is less. The length is
the position, the position behind, and such a number more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

Powers = tuple[int, ...]
Terms = tuple[tuple[Powers, fmpq], ...]
VARIABLES = fmpq_mpoly_ctx.get(("j", "n"), Ordering.lex)
POSITION, LENGTH = VARIABLES.gens()
SHIFTS = 8
"""Positions that are looked at one by one, before the others are together."""
_Quotient = tuple[fmpq_mpoly, fmpq_mpoly]


@dataclass(frozen=True)
class Ratio:
    """A quotient of two polynomials in the position and the length, by their powers; those of the length may be
    negative. The divisor is never 0."""

    above: Terms
    under: Terms


@dataclass(frozen=True)
class Rise:
    """What rises, side 1, or falls, side -1, with every step to the next position: by `least` or more, and in all of
    a word by less than `most`, or nobody knows by how much."""

    side: int
    least: fmpq
    most: fmpq | None


def never_0(terms: Terms) -> bool:
    """Whether a polynomial is not 0 at any position of any word."""
    above, _ = _polynomial(terms)
    return _sign(above.compose(POSITION, POSITION + 1 + LENGTH)) is not None


def rise_of(parts: Iterable[tuple[Ratio, fmpq]]) -> Rise | None:
    """Of a sum of quotients, each with a factor; None where it is not shown that it rises or falls."""
    above, under = VARIABLES.constant(0), VARIABLES.constant(1)
    for ratio, factor in parts:
        own, divisor = _quotient(ratio)
        above, under = above * divisor + factor * own * under, under * divisor
    step = _difference(_at((above, under), POSITION + 1, LENGTH), (above, under))
    side = _sign_of(_at(step, POSITION, POSITION + 2 + LENGTH))
    if side is None:
        return None
    first, last = (_at((above, under), at, POSITION + 1) for at in (VARIABLES.constant(0), POSITION))
    whole = _difference(last, first, side)  # by the last position, which is the length less 1
    most = _limit(whole) if _direction(whole) == 1 else None
    least = fmpq(0) if _has_length(step) else _least((side * step[0], step[1]))
    return Rise(side, least, most)


def _polynomial(terms: Terms) -> _Quotient:
    """Over a power of the length."""
    less = -min((0, *(power for (_, power), _ in terms)))
    return VARIABLES.from_dict({(i, n + less): value for (i, n), value in terms}), LENGTH**less


def _quotient(ratio: Ratio) -> _Quotient:
    (above, less), (under, more) = _polynomial(ratio.above), _polynomial(ratio.under)
    return above * more, under * less


def _at(quotient: _Quotient, position: fmpq_mpoly, length: fmpq_mpoly) -> _Quotient:
    above, under = (part.compose(position, length) for part in quotient)
    return above, under


def _difference(one: _Quotient, other: _Quotient, factor: int = 1) -> _Quotient:
    """Times a factor."""
    return (one[0] * other[1] - other[0] * one[1]) * factor, one[1] * other[1]


def _sign(polynomial: fmpq_mpoly, shifts: int = SHIFTS) -> int | None:
    """Where both of its variables are 0 or more; None where it is not shown, or is 0 somewhere."""
    coefficients = polynomial.to_dict()
    for sign in (1, -1):
        if all(sign * each > 0 for each in coefficients.values()) and (0, 0) in coefficients:
            return sign
    for place, variable in enumerate((POSITION, LENGTH)):
        if any(powers[place] for powers in coefficients):
            if not shifts:
                return None
            at = [POSITION, LENGTH]
            at[place] = VARIABLES.constant(0)
            here = _sign(polynomial.compose(*at), shifts)
            at[place] = variable + 1
            return here if here is not None and _sign(polynomial.compose(*at), shifts - 1) == here else None
    return None


def _sign_of(quotient: _Quotient) -> int | None:
    above, under = map(_sign, quotient)
    return None if above is None or under is None else above * under


def _has_length(quotient: _Quotient) -> bool:
    return any(powers[1] for part in quotient for powers in part.to_dict())


def _direction(of_position: _Quotient) -> int | None:
    """1 where a quotient without the length rises with every step, -1 where it falls, 0 where it is constant."""
    change = _difference(_at(of_position, POSITION + 1, LENGTH), of_position)
    return _sign_of(change) if change[0].to_dict() else 0


def _limit(of_position: _Quotient) -> fmpq | None:
    """What a quotient without the length comes to; None where it grows without end."""
    (above, own), (under, other) = (_leading(part) for part in of_position)
    if above > under:
        return None
    return own / other if above == under else fmpq(0)


def _leading(of_position: fmpq_mpoly) -> tuple[int, fmpq]:
    """The greatest power of the position, and its coefficient."""
    return max((int(powers[0]), value) for powers, value in of_position.to_dict().items())


def _least(of_position: _Quotient) -> fmpq:
    """A number that a quotient without the length, which is above 0, is never less than."""
    direction = _direction(of_position)
    if direction is None:
        return fmpq(0)
    if direction == -1:
        limit = _limit(of_position)
        return fmpq(0) if limit is None else limit
    above, under = (part.to_dict().get((0, 0), fmpq(0)) for part in of_position)
    return above / under
