"""What a run computes with: exact numbers, or balls that contain them, which are quick where exact forms grow long; or
the numbers of a format, where rounding is part of what a construction means.

A ball answers only what is true of every number in it, so that what is decided in balls is certain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping
from typing import TypeAlias

from flint import arb, ctx, fmpq

from weightproof.constructions.scalars import exact
from weightproof.constructions.scalars.exact import HIGHEST_PRECISION, Real, Undecided, enclosure
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import Fixed
from weightproof.constructions.scalars.values import evaluate

Number: TypeAlias = Real | arb | Fixed
ZERO, ONE = fmpq(0), fmpq(1)

PRECISE = 1 << 10
"""Bits to subtract in, more than any run is made with."""
Evaluator = Callable[[Expression], Number]
"""The number that a scalar of the data stands for, where its names have values."""


def exactly(names: Mapping[str, Real]) -> Evaluator:
    """Exact values; KeyError for a name without a value, ArithmeticError outside the domain."""
    values = dict(names)
    return lambda scalar: evaluate(scalar, values)


def in_balls(names: Mapping[str, Real]) -> Evaluator:
    """Balls that contain the exact values, at the working precision of python-flint's context."""
    values = dict(names)
    return functools.cache(lambda scalar: enclosure(evaluate(scalar, values)))


def sign(x: Number, highest: int = HIGHEST_PRECISION) -> int:
    """-1, 0 or 1; Undecided where a ball has numbers of two signs, or none, as after a division by 0, and where that of
    an exact number is open with `highest` bits."""
    if isinstance(x, fmpq):
        return (x > 0) - (x < 0)
    if isinstance(x, Fixed):
        return x.sign
    if not isinstance(x, arb):
        return exact.sign(x, highest)
    if x > 0:
        return 1
    if x < 0:
        return -1
    if x == 0:
        return 0
    raise Undecided(f"the sign of {x.str(10)} is open")


def is_zero(x: Number) -> bool:
    """Whether it is 0 for certain. A ball that contains 0 and more divides into a ball of all numbers, or of
    none, which decides nothing."""
    return bool(x == 0) if isinstance(x, arb) else sign(x) == 0


def identity(x: Number) -> Hashable:
    """Equal where two numbers, or two balls, are the same."""
    return (x.mid().man_exp(), x.rad().man_exp()) if isinstance(x, arb) else exact.identity(x)


def positive_part(x: Number) -> Number:
    """The larger of x and 0."""
    if isinstance(x, arb):
        return (x + abs(x)) / 2
    return x if sign(x) > 0 else ZERO


def difference(x: Number, y: Number) -> Number:
    """x - y, a ball where x or y is one, and no wider than they make it."""
    if not isinstance(x, arb) and not isinstance(y, arb):
        return x - y
    if isinstance(x, Fixed) or isinstance(y, Fixed):
        raise TypeError("a ball and a number of a format")
    with ctx.workprec(PRECISE):
        left, right = (value if isinstance(value, arb) else enclosure(value) for value in (x, y))
        return left - right
