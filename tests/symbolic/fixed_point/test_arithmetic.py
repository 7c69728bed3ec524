"""The symbolic arithmetic of s-bit numbers, held against the numbers of the interpreter."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import Fixed, FixedPoint, rounded
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP, EveryFormat, Number, OneFormat

FORMATS = [FixedPoint(2, 0), FixedPoint(3, 1), FixedPoint(4, 2), FixedPoint(5, 0)]
ENOUGH = [FixedPoint(3, 0), FixedPoint(4, 0), FixedPoint(5, 1), FixedPoint(6, 2), FixedPoint(9, 3)]
"""With B >= 3, and exp(-B) rounded to 0."""


def fixed(x: Number, format: FixedPoint) -> Fixed:
    value = x.number + x.tops * Fraction(int(format.greatest.p), int(format.greatest.q))
    return rounded(fmpq(value.numerator, value.denominator), format)


def number(x: Fixed) -> Number:
    return Number(Fraction(int(x.value.p), int(x.value.q)))


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_one_format_computes_what_the_interpreter_computes(format: FixedPoint) -> None:
    arithmetic, most = OneFormat(format), 2 ** (format.bits - 1) - 1
    numbers = [Number(Fraction(numerator, 2**format.fraction)) for numerator in range(-most, most + 1)]
    for x, y in itertools.product(numbers, repeat=2):
        a, b = fixed(x, format), fixed(y, format)
        assert arithmetic.plus(x, y) == number(a + b)
        assert arithmetic.times(x, y) == number(a * b)
        if y.number:
            assert arithmetic.over(x, y) == number(a / b)
    for x in numbers:
        assert arithmetic.exp(x) == number(fixed(x, format).exp())
        assert arithmetic.sign(x) == fixed(x, format).sign


def test_what_is_true_of_every_format_is_true_of_each() -> None:
    """Sums, products and signs of integers and multiples of B; what is not decided is said to be open."""
    arithmetic = EveryFormat(3)
    numbers = [Number(Fraction(r), Fraction(s)) for r, s in itertools.product((-3, -2, -1, 0, 1, 2, 3), (-1, 0, 1))]
    known = [x for x in numbers if x.tops == 0 or x.number == 0 or x.number * x.tops < 0]  # those of every format
    decided = 0
    for x, y in itertools.product(known, repeat=2):
        for symbolic, exact in ((arithmetic.plus, Fixed.__add__), (arithmetic.times, Fixed.__mul__)):
            try:
                made = symbolic(x, y)
            except Underivable:
                continue
            decided += 1
            for format in ENOUGH:
                assert fixed(made, format) is exact(fixed(x, format), fixed(y, format)), (x, y, made, format)
    assert decided > 200
    for x in known:
        try:
            sign = arithmetic.sign(x)
        except Underivable:
            continue
        assert {fixed(x, format).sign for format in ENOUGH} == {sign}


def test_exponentials_and_quotients_of_every_format() -> None:
    arithmetic = EveryFormat(3)
    zero, one, lowest = (Number(Fraction(r), Fraction(s)) for r, s in ((0, 0), (1, 0), (0, -1)))
    assert (arithmetic.exp(zero), arithmetic.exp(lowest)) == (one, zero)
    for format in ENOUGH:
        assert fixed(lowest, format).exp().value == 0
        assert fixed(zero, format).exp().value == 1
    assert arithmetic.over(one, one) == one
    with pytest.raises(Underivable, match="depends on the format"):
        arithmetic.exp(Number(Fraction(-1)))
    with pytest.raises(Underivable, match="depends on the format"):
        arithmetic.over(one, Number(Fraction(2)))


def test_weights_of_every_format_are_integers_and_multiples_of_its_greatest_number() -> None:
    arithmetic = EveryFormat(3)
    assert arithmetic.scalar(Expression(f"-({TOP})")) == Number(Fraction(0), Fraction(-1))
    with pytest.raises(Underivable, match="not an integer"):
        arithmetic.scalar(Expression("1/2"))
    with pytest.raises(Underivable, match="beyond B"):
        arithmetic.scalar(Expression("4"))
