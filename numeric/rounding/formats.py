"""Exact scalars rounded to a floating-point format, correctly and once: to nearest, ties to even.

Every format here is contained in float64, so a rounded value is handed on as a Python float, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, inf, ldexp

import numpy as np
from flint import arb, fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.rounding.quotients import NotRational, Quotients, largest, quotients


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
        return copysign(inf, value)
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


SLICE = 1 << 17
"""Positions computed at a time: a megabyte of integers, so that long words need little memory but their result."""


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
    """Division in float64 is correctly rounded; rounding its result again is wrong only where it became a midpoint."""
    above, below = values.numerators, values.denominators
    if max(largest(above), largest(below)) >= 2**53:
        common = np.gcd(above, below)
        above, below = above // common, below // common
    if max(largest(above), largest(below)) >= 2**53:
        pairs = zip(above.tolist(), below.tolist(), strict=True)
        return np.array([nearest(Fraction(a, b), format) for a, b in pairs], dtype=np.float64)
    once = above.astype(np.float64) / below.astype(np.float64)
    twice, midpoint = quantised(once, format)
    for place in np.flatnonzero(midpoint):
        twice[place] = nearest(Fraction(int(above[place]), int(below[place])), format)
    return twice


def quantised(values: np.ndarray, format: Format) -> tuple[np.ndarray, np.ndarray]:
    """float64 numbers rounded to a narrower format, and which of them lay in the middle between two of its numbers."""
    if format.precision == 53:
        return values.copy(), np.zeros(values.shape, dtype=bool)
    _, exponents = np.frexp(values)
    quantum = np.maximum(exponents - 1, format.least) - format.precision + 1
    steps = np.ldexp(values, -quantum)
    with np.errstate(over="ignore"):  # infinite beyond the greatest, as it should be
        result = np.ldexp(np.rint(steps), quantum)
    result[np.abs(result) >= 2.0 ** (format.greatest + 1)] *= inf
    return result, np.abs(steps - np.floor(steps)) == 0.5
