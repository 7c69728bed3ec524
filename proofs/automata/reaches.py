"""Which positions a head shows a position, by its mask and by what it `sees`, as far as that depends on i - j alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, floor

from weightproof.constructions.meaning.choices import Choices, Reach
from weightproof.constructions.meaning.schema import Head
from weightproof.symbolic.algebra.vocabulary import Underivable


@dataclass(frozen=True)
class Side:
    """Of the positions on one side of another one those that it sees: at a distance from `near`, which is 1 or more, to
    `far`; None is no end."""

    near: int
    far: int | None

    @property
    def remembered(self) -> int:
        """How many of the nearest positions have to be known one by one, to know which are seen."""
        return self.near - 1 if self.far is None else self.far


def reach_of(head: Head, reading: Choices, location: str) -> Reach:
    """What a head shows; Underivable where its formula is more than bounds of i - j."""
    masked = reading.reach(head.mask)
    if head.sees is None:
        return masked
    refusal = Underivable(
        f"{location}: {reading.reading} knows a formula of what is seen, as {head.sees} is, where it bounds i - j alone"
    )
    return reduce(Reach.within, _bounds(head.sees.tree, refusal), masked)


def before(reach: Reach) -> Side | None:
    """What is seen before a position."""
    near = 1 if reach.least is None else max(1, reach.least)
    return Side(near, reach.most) if reach.most is None or reach.most >= near else None


def behind(reach: Reach) -> Side | None:
    """What is seen behind a position."""
    least, most = (None if end is None else -end for end in (reach.most, reach.least))
    return before(Reach(least, most))


def nearest(reach: Reach, offset: int) -> int:
    """Which i - j that is shown is nearest to a number."""
    least = offset if reach.least is None else max(offset, reach.least)
    return least if reach.most is None else min(least, reach.most)


def _bounds(node: ast.expr, refusal: Underivable) -> Iterator[Reach]:
    """Of i - j, all of which hold."""
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            for each in values:
                yield from _bounds(each, refusal)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in BOUNDS:
            own, other, number = (
                a - b for a, b in zip(_linear(left, refusal), _linear(right, refusal), strict=True)
            )  # own i + other j + number, compared with 0
            if own == 0 or own != -other:
                raise refusal
            at = -number / own
            yield (BOUNDS if own > 0 else TURNED)[type(op)](at)
        case _:
            raise refusal


BOUNDS: dict[type[ast.cmpop], Callable[[Fraction], Reach]] = {
    ast.Lt: lambda at: Reach(most=ceil(at) - 1),
    ast.LtE: lambda at: Reach(most=floor(at)),
    ast.Gt: lambda at: Reach(least=floor(at) + 1),
    ast.GtE: lambda at: Reach(least=ceil(at)),
    ast.Eq: lambda at: Reach(least=ceil(at), most=floor(at)),
}
"""What i - j is where it compares so with a number."""
TURNED = BOUNDS | {
    ast.Lt: BOUNDS[ast.Gt],
    ast.LtE: BOUNDS[ast.GtE],
    ast.Gt: BOUNDS[ast.Lt],
    ast.GtE: BOUNDS[ast.LtE],
}
"""The same where both sides were multiplied by a number below 0."""


def _linear(node: ast.expr, refusal: Underivable) -> tuple[Fraction, Fraction, Fraction]:
    """The factors of i and of j, and the rest, of what is linear in them."""
    match node:
        case ast.Constant(value=int(value)):
            return Fraction(0), Fraction(0), Fraction(value)
        case ast.Name(id="i"):
            return Fraction(1), Fraction(0), Fraction(0)
        case ast.Name(id="j"):
            return Fraction(0), Fraction(1), Fraction(0)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            i, j, number = _linear(operand, refusal)
            return -i, -j, -number
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = 1 if isinstance(op, ast.Add) else -1
            parts = zip(_linear(left, refusal), _linear(right, refusal), strict=True)
            i, j, number = (a + sign * b for a, b in parts)
            return i, j, number
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, other = _linear(left, refusal), _linear(right, refusal)
            for factor, of in ((one, other), (other, one)):
                if factor[0] == factor[1] == 0:
                    i, j, number = (factor[2] * each for each in of)
                    return i, j, number
    raise refusal
