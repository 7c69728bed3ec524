"""Numbers of s bits: rounding, ties, saturation and functions, held against fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import DividesByZero, Fixed, FixedPoint, rounded
from weightproof.constructions.scalars.values import in_format

SMALL = [FixedPoint(2, 0), FixedPoint(3, 0), FixedPoint(3, 1), FixedPoint(4, 2), FixedPoint(5, 1), FixedPoint(5, 4)]


def numbers(format: FixedPoint) -> list[Fraction]:
    most = 2 ** (format.bits - 1) - 1
    return [Fraction(numerator, 2**format.fraction) for numerator in range(-most, most + 1)]


def nearest(x: Fraction, format: FixedPoint) -> Fraction:
    """By looking at all of them."""
    return min(numbers(format), key=lambda number: (abs(number - x), abs(number)))


def made(x: Fraction, format: FixedPoint) -> Fixed:
    return rounded(fmpq(x.numerator, x.denominator), format)


def fraction(x: Fixed) -> Fraction:
    return Fraction(int(x.value.p), int(x.value.q))


@pytest.mark.parametrize("format", SMALL, ids=lambda format: format.name)
def test_every_operation_is_rounded_to_the_nearest_number_and_ties_to_the_smaller(format: FixedPoint) -> None:
    for x, y in itertools.product(numbers(format), repeat=2):
        a, b = made(x, format), made(y, format)
        assert fraction(a + b) == nearest(x + y, format)
        assert fraction(a - b) == nearest(x - y, format)
        assert fraction(a * b) == nearest(x * y, format)
        if y:
            assert fraction(a / b) == nearest(x / y, format)


@pytest.mark.parametrize("format", SMALL, ids=lambda format: format.name)
def test_functions_are_rounded_once(format: FixedPoint) -> None:
    for x in numbers(format):
        assert fraction(made(x, format).exp()) == nearest(Fraction(math.exp(x)), format)
        if x > 0:
            assert fraction(made(x, format).log()) == nearest(Fraction(math.log(x)), format)
        if x >= 0:
            assert fraction(made(x, format).sqrt()) == nearest(Fraction(math.sqrt(x)), format)


@pytest.mark.parametrize("format", SMALL, ids=lambda format: format.name)
def test_exact_numbers_are_rounded_when_they_come_in(format: FixedPoint) -> None:
    for x in (Fraction(numerator, 24) for numerator in range(-200, 201)):
        assert fraction(made(x, format)) == nearest(x, format)


def test_a_tie_goes_to_the_smaller_absolute_value() -> None:
    format = FixedPoint(4, 1)
    assert made(Fraction(1, 4), format).value == 0
    assert made(Fraction(-1, 4), format).value == 0
    assert made(Fraction(3, 4), format).value == fmpq(1, 2)
    assert made(Fraction(-3, 4), format).value == fmpq(-1, 2)


def test_sums_saturate_and_do_not_associate() -> None:
    format = FixedPoint(3, 0)
    three, two = made(Fraction(3), format), made(Fraction(2), format)
    assert ((three + two) - two).value == 1
    assert (three + (two - two)).value == 3


def test_scalars_of_the_data_are_rounded_once() -> None:
    scalars = in_format(FixedPoint(6, 2), {})
    assert scalars(Expression("sqrt(2)")).value == fmpq(3, 2)
    assert scalars(Expression("-sqrt(2)")).value == fmpq(-3, 2)
    assert scalars(Expression("100")).value == fmpq(31, 4)


def test_a_quotient_by_zero_has_no_value() -> None:
    format = FixedPoint(3, 0)
    with pytest.raises(DividesByZero):
        made(Fraction(1), format) / made(Fraction(0), format)


def test_numbers_of_two_formats_do_not_mix() -> None:
    with pytest.raises(TypeError, match="3 bits"):
        made(Fraction(1), FixedPoint(3, 0)) + made(Fraction(1), FixedPoint(4, 0))
