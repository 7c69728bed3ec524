"""Exact scalars are rounded once: against fractions, against torch's own conversions, and position by position."""

from __future__ import annotations

from fractions import Fraction
from math import inf, ulp

import numpy as np
import pytest
import torch
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.model.parts import DTYPES
from weightproof.numeric.rounding import formats
from weightproof.numeric.rounding import formats as rounding
from weightproof.numeric.rounding.formats import FORMATS, Format, nearest, over_positions, quantised, rounded

FORMAT = st.sampled_from(list(FORMATS.values()))
FINITE = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=500)
@given(FINITE, FORMAT)
def test_float64_numbers_round_as_torch_converts_them(value: float, format: Format) -> None:
    converted = torch.tensor(value, dtype=torch.float64).to(DTYPES[format.name]).item()
    assert nearest(Fraction(value), format) == converted
    assert quantised(np.array([value]), format)[0][0] == converted


@settings(max_examples=500)
@given(st.fractions(), FORMAT)
def test_no_number_of_the_format_is_nearer(value: Fraction, format: Format) -> None:
    chosen = nearest(value, format)
    if abs(chosen) == inf:
        return
    for other in neighbours(chosen, format):
        assert abs(Fraction(chosen) - value) <= abs(Fraction(other) - value)


def neighbours(value: float, format: Format) -> list[float]:
    """The numbers of the format on both sides, found by nudging in float64."""
    step = Fraction(ulp(value)) if format.precision == 53 else abs(Fraction(value)) * format.unit_roundoff * 2
    step = max(step, format.smallest)
    found = [nearest(Fraction(value) + sign * step, format) for sign in (-1, 1)]
    return [x for x in found if abs(x) != inf]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        # To float64 first, each of these becomes a tie, and the tie goes to the wrong side.
        ("float32", Fraction(1) + Fraction(1, 2**24) + Fraction(1, 2**60), 1 + 2**-23),
        ("float32", Fraction(1) + Fraction(3, 2**24) - Fraction(1, 2**60), 1 + 2**-23),
        ("bfloat16", Fraction(1) + Fraction(1, 2**8) + Fraction(1, 2**70), 1 + 2**-7),
        ("float16", Fraction(1) + Fraction(3, 2**11) - Fraction(1, 2**70), 1 + 2**-10),
        ("float16", Fraction(65519), 65504.0),
        ("float16", Fraction(65520), inf),
        ("float16", -Fraction(65520), -inf),
        ("float16", Fraction(1, 2**25), 0.0),
        ("float16", Fraction(3, 2**26), 2**-24),
        ("float64", Fraction(1, 3), 1 / 3),
    ],
)
def test_hard_cases(name: str, value: Fraction, expected: float) -> None:
    assert nearest(value, FORMATS[name]) == expected


def test_irrational_weights_are_rounded_from_a_ball_that_is_small_enough() -> None:
    for text, value in (("sqrt(2)", 2**0.5), ("exp(1)", 2.718281828459045), ("log(2)", 0.6931471805599453)):
        assert rounded(evaluate(expression(text), {}), FORMATS["float64"]) == value


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        "i/n",
        "1/(i + 1)",
        "cos(pi*i)",
        "(-1)**i",
        "(i == 1)",
        "(i <= (n - 1)/2 and not i == 0)",
        "n - i - 1",
        "i % 3 - 1",
        "(i*i + 1)/(n*n + 3)",
        "2**(i % 5)/-3",
        "c*i/7",
        "2**i",
        "sqrt(i)/n",
        "exp(-i)",
    ],
)
def test_all_positions_at_once_are_as_one_by_one(text: str, format: Format) -> None:
    n, names = 83, {"c": fmpq(22, 7)}
    scalar = expression(text)
    single = [rounded(evaluate(scalar, {**names, "n": fmpq(n), "i": fmpq(i)}), format) for i in range(n)]
    assert over_positions(scalar, names, n, format).tolist() == single


SCALARS = [
    "i/n",
    "1/(i + 1)",
    "i/n - 1/n",
    "(i*i - n)/(n*n + 3)",
    "2**(i % 60)/-3",
    "(2*i + 1 > n)",
    "c*i**3/(i - 1/2)",
]


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("text", SCALARS)
@pytest.mark.parametrize("n", [300, 2**31, 10**8, 10**18])
def test_int64_gives_what_python_integers_give(
    text: str, n: int, format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At both ends and in the middle of n positions; without int64 where nothing fits it."""

    def ends() -> list[list[float]]:
        names, scalar = {"c": fmpq(22, 7)}, expression(text)
        starts = (0, n // 2 - 100, n - 200)
        return [over_positions(scalar, names, n, format, start=i, stop=i + 200).tolist() for i in starts]

    fast = ends()
    monkeypatch.setattr(formats, "FITS", 0)
    assert fast == ends()


@pytest.mark.parametrize("text", ["i/n", "i", "sqrt(i)", "2**i", "3"])
def test_slices_are_parts_of_the_whole(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = over_positions(expression(text), {}, 200, FORMATS["float32"]).tolist()
    monkeypatch.setattr(rounding, "SLICE", 7)
    assert over_positions(expression(text), {}, 200, FORMATS["float32"]).tolist() == whole
    assert over_positions(expression(text), {}, 200, FORMATS["float32"], start=50, stop=101).tolist() == whole[50:101]


@settings(max_examples=100)
@given(st.integers(1, 2**40), st.integers(1, 2**40), FORMAT)
def test_quotients_are_rounded_once(a: int, b: int, format: Format) -> None:
    scalar = expression(f"({a} + i)/({b} + i)")
    found = over_positions(scalar, {}, 5, format).tolist()
    assert found == [nearest(Fraction(a + i, b + i), format) for i in range(5)]


def test_a_division_by_zero_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounding, "SLICE", 2)
    with pytest.raises(InputError, match="divides by 0 at position 2"):
        over_positions(expression("1/(i - 2)"), {}, 5, FORMATS["float64"])
