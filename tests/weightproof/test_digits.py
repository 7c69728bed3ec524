"""Decimals: every printed digit is a digit of the number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.scalars.exact import Real, ball, sqrt
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.terminal import digits
from weightproof.terminal.digits import cell, decimal, equation, exactly


def real(text: str) -> Real:
    return evaluate(expression(text), {})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("0", "0"),
        ("12", "12"),
        ("1/2", "1/2 = 0.5"),
        ("-1/3", "-1/3 = -0.333333333333333..."),
        ("2/3", "2/3 = 0.666666666666666..."),
        ("10**20/3", "100000000000000000000/3 = 3.33333333333333...e19"),
        ("1/10**9", "1/1000000000 = 1e-9"),
        ("999999999999999999/10**18", "999999999999999999/1000000000000000000 = 0.999999999999999..."),
        ("sqrt(2)", "1.41421356237309..."),
        ("-exp(-100)", "-3.72007597602083...e-44"),
    ],
)
def test_equations(value: str, written: str) -> None:
    assert equation(real(value)) == written


def test_a_cell_keeps_short_exact_values() -> None:
    texts = ("0", "-1/3", "1/10**12", "-3*log(2)/2", "log(2)*sqrt(3)/5")
    assert [cell(real(text)) for text in texts] == ["0", "-1/3", "1e-12", "-3*log(2)/2", "0.240113..."]


def test_roots_of_roots_are_not_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level has the one below twice, so that a formula of a few dozen levels is never done."""
    value = real("sqrt(2)")
    for _ in range(8):
        value = sqrt(value + 1 / value)
    monkeypatch.setattr(digits, "formula", lambda _: pytest.fail("it is written out"))
    assert cell(value) == "1.46557..."
    assert exactly(value).startswith("1.46557")


def test_what_no_precision_decides_is_an_enclosure() -> None:
    hidden_one = real("sqrt(1 + sqrt(2))*sqrt(sqrt(2) - 1)")
    assert str(decimal(hidden_one)).startswith("[1.0000")
    assert "+/-" in str(decimal(hidden_one))


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30))
def test_rational_digits_are_the_leading_ones(numerator: int, denominator: int) -> None:
    value = decimal(fmpq(numerator, denominator))
    digits, exact = Fraction(value.digits), Fraction(numerator, denominator)
    if value.complete:
        assert digits == exact
    else:
        assert abs(digits) < abs(exact) < abs(digits) * (1 + Fraction(1, 10**14))
        assert (digits > 0) == (exact > 0)


@given(st.integers(1, 400), st.integers(1, 50))
def test_irrational_digits_are_the_leading_ones(p: int, q: int) -> None:
    value = real(f"exp({p}/{q}) - log({q + 1})")
    shown = decimal(value)
    assert not shown.complete
    middle = ball(value, 2048).mid().fmpq()
    reference, digits = Fraction(int(middle.p), int(middle.q)), Fraction(shown.digits)
    assert abs(digits) <= abs(reference) < abs(digits) * (1 + Fraction(1, 10**14))
