"""Exact scalars rounded to a floating-point format, correctly and once: to nearest, ties to even.

Every format here is contained in float64, so a rounded value is handed on as a Python float, exactly.

Position encodings that are rational functions of i are rounded at all positions at once, as exact quotients of
integers. Integers are int64 while a bound on every result shows that it fits, and Python's own integers otherwise.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from math import copysign, inf, ldexp
from operator import add, mul
from typing import Any

import numpy as np
from flint import arb, fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.constructions.scalars.values import evaluate


class NotRational(Exception):
    """The scalar has parts that are no rational functions: it has to be evaluated position by position."""


class DividesByZero(Exception):
    """Somewhere the scalar does; `position` counts from the start of the slice."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


FITS = 2**62
"""int64 holds what is smaller, and its negative, and the sum of two."""


def largest(integers: np.ndarray) -> int:
    """The greatest absolute value."""
    return max(abs(int(integers.max())), abs(int(integers.min())))


def is_one(values: np.ndarray) -> bool:
    """Whether it is 1, for all positions."""
    return values.size == 1 and bool(values.flat[0] == 1)


def exact(operation: Callable[[Any, Any], Any], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A sum, product or power of integers; what the operation makes of the largest bounds what it makes of all."""
    if operation is mul and (is_one(left) or is_one(right)):
        return right if is_one(left) else left
    if operation(largest(left), largest(right)) >= FITS:
        left, right = left.astype(object), right.astype(object)
    return operation(left, right)


@dataclass(frozen=True)
class Quotients:
    """numerators / denominators, one for each position or one for all; integers, denominators positive."""

    numerators: np.ndarray
    denominators: np.ndarray

    def __add__(self, other: Quotients) -> Quotients:
        left = exact(mul, self.numerators, other.denominators)
        right = exact(mul, other.numerators, self.denominators)
        return Quotients(exact(add, left, right), exact(mul, self.denominators, other.denominators))

    def __neg__(self) -> Quotients:
        return Quotients(-self.numerators, self.denominators)

    def __sub__(self, other: Quotients) -> Quotients:
        return self + -other

    def __mul__(self, other: Quotients) -> Quotients:
        return Quotients(
            exact(mul, self.numerators, other.numerators), exact(mul, self.denominators, other.denominators)
        )

    def __truediv__(self, other: Quotients) -> Quotients:
        if (other.numerators == 0).any():
            raise DividesByZero(int(np.argmax(other.numerators == 0)))
        sign = np.where(other.numerators < 0, integers(-1), integers(1))
        return self * Quotients(sign * other.denominators, abs(other.numerators))

    def whole(self) -> np.ndarray:
        """The values as integers; NotRational where some are none."""
        if is_one(self.denominators):
            return self.numerators
        if (self.numerators % self.denominators != 0).any():
            raise NotRational
        return self.numerators // self.denominators


def integers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64 if max(map(abs, values)) < FITS else object)


def quotients(scalar: Expression, names: Mapping[str, Real], n: int, start: int, stop: int) -> Quotients:
    """The values of a scalar at i = start..stop-1, or the one that it has there; NotRational where it is no rational
    function of integers."""
    one = integers(1)

    def constant(value: int | fmpq) -> Quotients:
        exactly = fmpq(value)
        return Quotients(integers(int(exactly.p)), integers(int(exactly.q)))

    def name(identifier: str) -> Quotients:
        if identifier == "i":
            return Quotients(np.arange(start, stop, dtype=np.int64), one)
        value = fmpq(n) if identifier == "n" else names[identifier]
        if not isinstance(value, fmpq):
            raise NotRational
        return constant(value)

    def function(which: str, argument: Quotients) -> Quotients:
        if which != "cospi":
            raise NotRational
        return Quotients(1 - 2 * (argument.whole() & 1), one)

    def compare(op: str, left: Quotients, right: Quotients) -> np.ndarray:
        return COMPARE[op]((left - right).numerators, 0).astype(bool)

    def modulo(left: Quotients, right: Quotients) -> Quotients:
        divisors = right.whole()
        if (divisors == 0).any():
            raise InputError("a position encoding divides by 0")
        return Quotients(left.whole() % divisors, one)

    def power(base: Quotients, exponent: Quotients) -> Quotients:
        if (base.numerators == -base.denominators).all():
            return Quotients(1 - 2 * (exponent.whole() & 1), one)
        exponents = exponent.whole()
        if (exponents < 0).any() or (exponents > 64).any():
            raise NotRational
        return Quotients(exact(pow, base.numerators, exponents), exact(pow, base.denominators, exponents))

    def bracket(truth: np.ndarray) -> Quotients:
        return Quotients(truth.astype(np.int64), one)

    meaning = Meaning(
        number=constant,
        name=name,
        function=function,
        compare=compare,
        bracket=bracket,
        conjunction=partial(reduce, np.logical_and),
        disjunction=partial(reduce, np.logical_or),
        negation=np.logical_not,
        modulo=modulo,
        power=power,
    )
    try:
        result = fold(scalar.tree, meaning)
    except DividesByZero as error:
        raise InputError(f"a position encoding divides by 0 at position {start + error.position}") from error
    return result if isinstance(result, Quotients) else bracket(result)


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: precision in bits, hidden bit included, and the range of its exponents.

    Normal numbers are m * 2^(e - precision + 1) with 2^(precision-1) <= |m| < 2^precision and least <= e <= greatest.
    """

    name: str
    precision: int
    least: int
    greatest: int

    @property
    def unit_roundoff(self) -> Fraction:
        """u: a result rounded to nearest, in the normal range, is off by at most u times itself."""
        return Fraction(1, 2**self.precision)

    @property
    def smallest(self) -> Fraction:
        """The least positive number, a subnormal one."""
        return Fraction(1, 2 ** (self.precision - 1 - self.least))


FORMATS = {
    format.name: format
    for format in (
        Format("float64", 53, -1022, 1023),
        Format("float32", 24, -126, 127),
        Format("bfloat16", 8, -126, 127),
        Format("float16", 11, -14, 15),
    )
}


def format_named(name: str) -> Format:
    """InputError for what is none of FORMATS."""
    if name not in FORMATS:
        raise InputError(f"unknown dtype {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


MOST_BITS = 1 << 14


def nearest(value: Fraction, format: Format) -> float:
    """The number of the format nearest to a rational; infinite beyond the greatest."""
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    quantum = max(exponent, format.least) - format.precision + 1
    steps = round(size / Fraction(2) ** quantum)  # Python rounds halves to even
    if steps * Fraction(2) ** quantum >= Fraction(2) ** (format.greatest + 1):
        return inf if value > 0 else -inf
    return copysign(ldexp(steps, quantum), value)


def rounded(value: Real, format: Format) -> float:
    """The number of the format nearest to an exact real.

    Raises InputError where a real that is not rational is too close to the middle of two numbers to tell.
    """
    if isinstance(value, fmpq):
        return nearest(fraction(value), format)
    found = nearest_enclosed(lambda bits: ball(value, bits), format)
    if found is None:
        raise InputError(f"a weight is too close to the middle between two {format.name} numbers to be rounded")
    return found


def nearest_enclosed(enclosed: Callable[[int], arb], format: Format) -> float | None:
    """The number of the format nearest to a real of which there are balls of so many bits; None where it is too close
    to the middle of two to tell."""
    bits = 128
    while bits <= MOST_BITS:
        around = enclosed(bits)
        middle, radius = to_fraction(around.mid()), to_fraction(around.rad())
        low, high = nearest(middle - radius, format), nearest(middle + radius, format)
        if low == high:
            return low
        bits *= 2
    return None


def fraction(value: object) -> Fraction:
    """An exact rational as a Fraction."""
    assert isinstance(value, fmpq)
    return Fraction(int(value.p), int(value.q))


def lowest_bit(value: Fraction) -> Fraction | None:
    """The greatest power of two of which a rational is an integer multiple; 0 has none, nor have thirds."""
    if value == 0 or value.denominator & (value.denominator - 1):
        return None
    return Fraction(value.numerator & -value.numerator, value.denominator)


MOST_EXPONENT = 1 << 20
"""Of a power of two that is written out."""


def to_fraction(exact: arb) -> Fraction:
    huge = InputError("a weight is too large or too small for any format of floating point")
    if not exact.is_finite():
        raise huge
    mantissa, exponent = exact.man_exp()
    if abs(exponent) > MOST_EXPONENT:
        raise huge
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


SLICE = 1 << 16
"""Positions computed at a time: half a megabyte of integers, which stays in the cache."""


def over_positions(
    scalar: Expression, names: Mapping[str, Real], n: int, format: Format, *, start: int = 0, stop: int | None = None
) -> np.ndarray:
    """A function of i at the positions start..stop-1 of n, all unless told, each value rounded once; float64."""
    stop = n if stop is None else stop
    result = np.empty(stop - start)
    for first in range(start, stop, SLICE):
        last = min(first + SLICE, stop)
        result[first - start : last - start] = _over_slice(scalar, names, n, format, first, last)
    return result


def _over_slice(
    scalar: Expression, names: Mapping[str, Real], n: int, format: Format, start: int, stop: int
) -> np.ndarray:
    try:
        values = quotients(scalar, names, n, start, stop)
    except NotRational:
        exact = (evaluate(scalar, {**names, "n": fmpq(n), "i": fmpq(i)}) for i in range(start, stop))
        return np.array([rounded(value, format) for value in exact], dtype=np.float64)
    return _nearest_quotients(values, format)


def _nearest_quotients(values: Quotients, format: Format) -> np.ndarray:
    """Division of integers that float64 or float32 holds is correctly rounded there; rounding its result again is wrong
    only where it became a midpoint."""
    above, below = values.numerators, values.denominators
    if is_one(below) and largest(above) < 2 ** min(format.precision, format.greatest):
        return above.astype(np.float64)  # the format holds these integers
    if format.name == "float32" and max(largest(above), largest(below)) <= 2**24:
        return (above.astype(np.float32) / below.astype(np.float32)).astype(np.float64)
    if max(largest(above), largest(below)) >= 2**53:
        common = np.gcd(above, below)
        above, below = above // common, below // common
    if max(largest(above), largest(below)) >= 2**53:
        pairs = np.broadcast(above, below)
        return np.array([nearest(Fraction(int(a), int(b)), format) for a, b in pairs], dtype=np.float64)
    once = above.astype(np.float64) / below.astype(np.float64)
    twice, midpoint = quantised(once, format)
    above, below = np.broadcast_arrays(above, below)
    for place in np.flatnonzero(midpoint):
        twice[place] = nearest(Fraction(int(above[place]), int(below[place])), format)
    return twice


def quantised(values: np.ndarray, format: Format) -> tuple[np.ndarray, np.ndarray]:
    """float64 numbers rounded to a narrower format, and which of them lay in the middle between two of its numbers.

    The bits of a float64 number, read as an integer, grow with its size; those that the format does not hold are
    rounded away from them, and what is carried goes on into the exponent. Subnormal numbers of the format hold fewer.
    """
    dropped = 53 - format.precision
    if not dropped:
        return values.copy(), np.zeros(values.shape, dtype=bool)
    half, bits = 1 << (dropped - 1), values.view(np.int64)
    midpoint = (bits & (2 * half - 1)) == half
    whole = bits >> dropped
    whole &= 1
    whole += bits
    whole += half - 1
    whole &= -2 * half
    result, sizes = whole.view(np.float64), np.abs(values)
    if sizes.min() < 2.0**format.least:
        few = sizes < 2.0**format.least
        steps = np.ldexp(values[few], format.precision - 1 - format.least)
        result[few] = np.ldexp(np.rint(steps), format.least - format.precision + 1)
        midpoint[few] = np.abs(steps - np.floor(steps)) == 0.5
    if sizes.max() >= 2.0**format.greatest:
        result[np.abs(result) >= 2.0 ** (format.greatest + 1)] *= inf
    return result, midpoint
