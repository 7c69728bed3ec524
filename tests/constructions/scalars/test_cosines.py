"""Sums of cosines of rational multiples of pi: their arithmetic against balls, and their zeros, which are decided."""

from __future__ import annotations

from fractions import Fraction
from math import cos, isclose, pi

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.scalars.cosines import LARGEST_ORDER, Cosines, number
from weightproof.constructions.scalars.exact import Undecided, ball, cosine, exp, sign, sqrt
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.terminal.digits import decimal, formula

TURNS = st.builds(lambda p, q: fmpq(p, q), st.integers(-30, 30), st.integers(1, 24))
SMALL = st.builds(lambda p, q: fmpq(p, q), st.integers(-5, 5), st.integers(1, 4))
SUMS = st.lists(st.tuples(TURNS, SMALL), max_size=3).map(lambda terms: number(tuple(terms)))


def value(text: str) -> object:
    return evaluate(expression(text), {})


def near(exact: object, wanted: float) -> bool:
    return isclose(float(ball(exact).mid()), wanted, rel_tol=1e-12, abs_tol=1e-12)  # type: ignore[arg-type]


@given(turn=TURNS)
def test_a_cosine_is_that_of_its_turn(turn: fmpq) -> None:
    assert near(cosine(turn), cos(2 * pi * int(turn.p) / int(turn.q)))


@given(turn=TURNS)
def test_it_is_a_rational_number_where_it_is_one(turn: fmpq) -> None:
    """0, 1/2 and 1 with both signs, and no other (Niven)."""
    made = cosine(turn)
    is_rational = min(abs(float(ball(made).mid()) - x) for x in (-1, -0.5, 0, 0.5, 1)) < 1e-9
    assert isinstance(made, fmpq) == is_rational


@pytest.mark.controls
@given(x=SUMS, y=SUMS)
def test_arithmetic_is_that_of_real_numbers(x: Cosines, y: Cosines) -> None:
    left, right = (float(ball(each).mid()) for each in (x, y))
    assert near(x + y, left + right)
    assert near(x - y, left - right)
    assert near(x * y, left * right)
    assert near(-x, -left)
    assert sign(x - y) == -sign(y - x)
    if sign(y) != 0:
        assert sign(x / y * y - x) == 0
        assert sign(1 / y * y - 1) == 0


@given(turn=TURNS, other=TURNS)
def test_addition_theorems_hold(turn: fmpq, other: fmpq) -> None:
    a, b = (f"pi*({x})" for x in (turn, other))

    def same(left: str, right: str) -> bool:
        return sign(value(left) - value(right)) == 0  # type: ignore[operator]

    assert same(f"cos({a})*cos({b}) - sin({a})*sin({b})", f"cos(pi*(({turn}) + ({other})))")
    assert same(f"sin({a})*cos({b}) + cos({a})*sin({b})", f"sin(pi*(({turn}) + ({other})))")
    assert same(f"cos({a})**2 + sin({a})**2", "1")


@pytest.mark.parametrize("p", range(2, 25))
def test_the_roots_of_unity_add_up_to_0(p: int) -> None:
    """No form says so for most p, and no number of bits shows it."""
    total = sum((cosine(fmpq(k, p)) for k in range(p)), fmpq(0))
    assert sign(total) == 0
    assert sign(total + fmpq(1, 10**300)) == 1


def test_a_number_that_is_0_divides_nothing() -> None:
    zero = value("cos(pi/5) - cos(2*pi/5) - 1/2")
    assert isinstance(zero, Cosines)
    assert sign(zero) == 0
    assert str(decimal(zero)) == "0"
    for divided in (lambda: 1 / zero, lambda: cosine(fmpq(1, 7)) / zero, lambda: zero**-1):
        with pytest.raises(ZeroDivisionError):
            divided()


def test_zeros_of_a_large_order_stay_open() -> None:
    p = LARGEST_ORDER + 1  # a prime
    total = number(tuple((fmpq(k, p), fmpq(1)) for k in range(p)))
    with pytest.raises(Undecided):
        sign(total, 256)
    assert sign(cosine(fmpq(1, 10**15)) - 1) == -1
    with pytest.raises(ArithmeticError, match="too large"):
        1 / cosine(fmpq(1, p))


def test_they_stand_among_other_exact_numbers() -> None:
    x = cosine(fmpq(1, 5))
    mixed = sqrt(fmpq(2)) * x + exp(x) + sqrt(x)
    assert near(mixed, 2**0.5 * cos(2 * pi / 5) + 2.718281828459045 ** cos(2 * pi / 5) + cos(2 * pi / 5) ** 0.5)
    assert sign(mixed - mixed) == 0
    assert near(value("cos(pi/5)**(-3)"), cos(pi / 5) ** -3)
    with pytest.raises(ArithmeticError):
        value("cos(pi/5)**1000000")


@pytest.mark.parametrize("text", ["cos(pi/7)", "1/2*cos(2*pi/9) - 3", "sin(pi/5)*cos(pi/9)", "-cos(pi/5)"])
def test_its_text_is_read_as_the_same_number(text: str) -> None:
    made = value(text)
    assert value(formula(made)) == made  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("cos(2*pi*3/7)", "cos(pi*(6/7))"),
        ("cos(-pi/7)", "cos(pi/7)"),
        ("sin(3*pi*2/(7*2))", "sin(pi*(3/7))"),
        ("cos(2*(pi/7))", "cos(pi*(2/7))"),
        ("sin(pi)", "0"),
    ],
)
def test_pi_may_stand_in_a_product_or_above_a_quotient(text: str, same: str) -> None:
    assert value(text) == value(same)


def test_fractions_are_no_turns() -> None:
    assert cosine(fmpq(1, 8)) != cosine(fmpq(3, 8))
    assert Fraction(1, 2) == Fraction(int(cosine(fmpq(1, 6)).p), int(cosine(fmpq(1, 6)).q))
