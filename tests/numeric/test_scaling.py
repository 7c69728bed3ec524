"""How lengths grow with the precision: known laws are found again, and the certificates follow theirs."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import pytest

from tests.numeric.test_certificate import CASES, MARGINS
from weightproof.numeric.certificate.scaling import Law, certified_points, fitted


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1, 2), 1])
def test_a_power_is_found_again(rate: Fraction) -> None:
    law = fitted([(p, round(3 * 2 ** (p * rate))) for p in (16, 24, 32, 40, 53)])
    assert law is not None
    assert law.form == "power"
    assert law.rate == pytest.approx(float(rate), abs=0.01)


def test_a_logarithm_is_found_again() -> None:
    law = fitted([(p, 7 + 2 * p) for p in (8, 11, 24, 53)])
    assert law == Law("logarithm", pytest.approx(2))  # type: ignore[arg-type]


def test_a_wrong_form_fits_worse_but_can_be_asked_for() -> None:
    points = [(p, 7 + 2 * p) for p in (8, 11, 24, 53)]
    law = fitted(points, "power")
    assert law is not None
    assert law.form == "power"


@pytest.mark.parametrize("points", [[], [(24, 100)], [(24, 100), (24, 200)], [(24, 100), (53, 0)]])
def test_less_than_two_precisions_have_no_law(points: list[tuple[int, int]]) -> None:
    assert fitted(points) is None


def test_a_law_extends_a_length() -> None:
    assert Law("power", 0.5).extended(24, 5858, 53) == round(5858 * 2**14.5)
    assert Law("logarithm", 2.0).extended(11, 10, 24) == 36
    assert Law("power", 1.0).extended(11, 512, 8) == 64


def test_laws_read_well() -> None:
    assert str(Law("power", 0.5)) == "u^-0.50"
    assert str(Law("logarithm", 2)) == "2.00 log2(1/u)"
    assert str(Law("power", 0.001)) == "constant"


LAWS = [
    ("first", 1),
    *(pytest.param(*law, marks=pytest.mark.controls) for law in [("parity", 1 / 2), ("one", 1), ("balanced", 1 / 3)]),
]


@pytest.mark.parametrize(("name", "rate"), LAWS)
def test_the_laws_of_the_certificates(name: str, rate: float) -> None:
    law = fitted(certified_points(CASES[name], MARGINS[name]))
    assert law is not None
    assert law.form == "power"
    assert law.rate == pytest.approx(rate, abs=0.03)


def test_a_margin_that_halves_with_each_symbol_gives_a_logarithm() -> None:
    """The numbers that are compared halve with every second symbol, and their roundings with them."""
    points = certified_points(CASES["palindrome"], MARGINS["palindrome"], tolerance="1/(2**n - 1)/2")
    law = fitted(points)
    assert law is not None
    assert law.form == "logarithm"
    (low, shortest), (high, longest) = points[0], points[-1]
    slower = 2 * log2(longest / shortest) / (high - low)  # where errors grow with the length at most
    assert 2 - slower - 1 / (high - low) <= law.rate <= 2


def test_without_margins_there_are_no_points() -> None:
    assert certified_points(CASES["one"], ()) == []
