"""Exact real numbers, and all that may be asked of them: sums, products, quotients, powers, exp, log, sqrt, tanh, erf,
sines, cosines, and the sign. What these mean is what they mean in mathematics. Balls that contain them, and the numbers
of a format, are asked in the same words.

A number is a fraction, or a form that says how it is made of fractions. How forms are computed with is said in
`irrational` and in `cosines`, and is no part of what a network means: what they answer is true, or they raise
Undecided, or another ArithmeticError where there is no value, or none that could be written down.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any, TypeAlias

from flint import arb, ctx, fmpq

from weightproof.constructions.scalars import work

HIGHEST_PRECISION = 1 << 14
"""Bits at which a sign that is still open is given up as undecided."""
STEPS_A_SIGN = 100
LARGEST_POWER = 1 << 24
"""Bits of a power above which it is an error, not an attempt: it would fill the memory, or take hours to write down."""


class Undecided(ArithmeticError):
    """A sign that ball arithmetic could not certify at the highest precision."""


class RealForm:
    """A number that is no fraction, or is not known to be one. Its kind says what these operators are, which take
    fractions, integers and forms; the others follow from them."""

    __add__: Any
    __mul__: Any
    __truediv__: Any
    __rtruediv__: Any
    __pow__: Any

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __neg__(self) -> Any:
        return self * fmpq(-1)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    @property
    def enclosure(self) -> arb:
        """A ball that contains it, at the working precision of python-flint's context."""
        raise NotImplementedError

    @property
    def is_zero(self) -> bool | None:
        """Whether it is 0, where its form tells; else None."""
        return None

    def has_large_power(self, exponent: int) -> bool:
        """Whether the power is too large to write down; exponent: a natural number."""
        raise NotImplementedError


Real: TypeAlias = fmpq | RealForm


@functools.singledispatch
def exp(value: Any) -> Any:
    """e to the power of a number, which is in balls or a format where the number is."""
    return value.exp()


@functools.singledispatch
def log(value: Any) -> Any:
    """The natural logarithm; ArithmeticError for a number that is not positive."""
    return value.log()


@functools.singledispatch
def sqrt(value: Any) -> Any:
    """The square root that is not negative; ArithmeticError for a negative number."""
    return value.sqrt()


@functools.singledispatch
def tanh(value: Any) -> Any:
    """The hyperbolic tangent."""
    return value.tanh()


@functools.singledispatch
def erf(value: Any) -> Any:
    """The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0."""
    return value.erf()


@functools.singledispatch
def cos(value: Any) -> Any:
    """The cosine of a number in radians."""
    return value.cos()


@functools.singledispatch
def sin(value: Any) -> Any:
    """The sine of a number in radians."""
    return value.sin()


@functools.singledispatch
def cosine(turn: fmpq) -> Any:
    """cos(2 pi turn), which is exact."""
    raise NotImplementedError


@functools.singledispatch
def pi_times(number: fmpq) -> Any:
    """pi times a rational number, which is exact."""
    raise NotImplementedError


def power(base: Real, exponent: int) -> Real:
    """base ** exponent; ArithmeticError where the result would be too large to write down."""
    size = abs(exponent)
    if isinstance(base, fmpq):
        bits = base.height_bits()
        large = bits > 1 and bits * size > LARGEST_POWER  # 0, 1 and -1 are short whatever the exponent
    else:
        large = base.has_large_power(size)
    if large:
        raise ArithmeticError(f"a power with exponent {exponent} is too large to write down")
    return base**exponent


def sign(value: Any, highest: int = HIGHEST_PRECISION) -> int:
    """-1, 0 or 1. Undecided where that of an exact number is open with `highest` bits, and where a ball has numbers of
    two signs, or none, as after a division by 0."""
    if isinstance(value, fmpq | int):
        return int(value > 0) - int(value < 0)
    if isinstance(value, arb):
        if value > 0 or value < 0 or value == 0:
            return int(value > 0) - int(value < 0)
        raise Undecided(f"the sign of {value.str(10)} is open")
    if not isinstance(value, RealForm):
        return int(value.sign)
    bits = 64
    while bits <= highest:
        work.spend(STEPS_A_SIGN)
        enclosed = ball(value, bits)
        if enclosed > 0 or enclosed < 0:
            return 1 if enclosed > 0 else -1
        if bits == 128 and value.is_zero:
            return 0
        bits *= 2
    raise Undecided(f"the sign of {str(enclosed)[:60]} is open at {highest} bits; choose another parameter value")


def enclosure(value: Real) -> arb:
    """A ball that contains `value`, at the working precision of python-flint's context."""
    return arb(value) if isinstance(value, fmpq) else value.enclosure


def ball(value: Real, bits: int = 128) -> arb:
    """A ball that contains `value`, computed with `bits` bits."""
    with ctx.workprec(bits):
        return enclosure(value)


def identity(value: Any) -> Hashable:
    """What is equal where two forms, or two balls, are, and quick to look up, as a fraction is not."""
    if isinstance(value, arb):
        return value.mid().man_exp(), value.rad().man_exp()
    return (value.p, value.q) if isinstance(value, fmpq) else value
