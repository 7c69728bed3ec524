"""Short expressions near to numbers: found where they are, with the difference, and nowhere else."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from flint import arb, fmpq

from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.imports.recognising import _table, recognised

DOUBLE, SINGLE = 2.0**-52, 2.0**-23


@pytest.mark.parametrize(
    ("value", "expression"),
    [
        (1 / 3, "1/3"),
        (-2 / 3, "-2/3"),
        (1 / math.sqrt(5), "1/sqrt(5)"),
        (1 / math.sqrt(12), "sqrt(3)/6"),
        (-math.sqrt(2), "-sqrt(2)"),
        (math.log(2), "log(2)"),
        (-3 * math.log(2) / 2, "-3*log(2)/2"),
        (1 / math.log(2), "1/log(2)"),
        (math.sqrt(2) * math.log(2), "sqrt(2)*log(2)"),
        (1e-5, "1/100000"),
        (0.1, "1/10"),
    ],
)
@pytest.mark.parametrize("precision", [DOUBLE, SINGLE])
def test_it_is_recognised_in_both_formats(value: float, expression: str, precision: float) -> None:
    rounded = value if precision == DOUBLE else float(np.float32(value))
    found = recognised(rounded, precision, "there")
    assert found is not None
    assert (found.expression, found.value, found.place) == (expression, rounded, "there")
    exact = ball(evaluate(Expression(expression), {}), 400)
    assert found.difference == pytest.approx(float((arb(rounded) - exact).mid()), rel=2.0**-50, abs=0)
    assert 0 < abs(found.difference) <= 2 * precision * abs(rounded)


@pytest.mark.parametrize("value", [0.5, -0.5, 3.0, 1023.0, 1 / 1024, -0.75])
def test_what_is_short_itself_stays(value: float) -> None:
    assert recognised(value, SINGLE, "") is None


def test_a_number_a_little_off_is_not_recognised() -> None:
    assert recognised(1 / 3 + 1e-6, SINGLE, "") is None
    assert recognised(1 / 3 + 1e-12, DOUBLE, "") is None
    found = recognised(1 / 3 + 1e-12, SINGLE, "")
    assert found is not None
    rounding = 2.0**-54  # of 1/3, of 1e-12, and of their sum: half a distance of neighbours below 1/2, twice, and less
    assert found.difference == pytest.approx(1e-12, rel=0, abs=1.01 * rounding)


def test_random_numbers_are_hardly_ever_recognised() -> None:
    random = Random(0)
    assert sum(recognised(random.uniform(-4, 4), DOUBLE, "") is not None for _ in range(2000)) == 0


def test_the_values_of_the_table_are_those_of_its_expressions() -> None:
    """All of them, in exact arithmetic."""
    assert len(_table()) > 10_000
    for value, text in _table()[::97]:
        exact = evaluate(Expression(text), {})
        near = Fraction(int(exact.p), int(exact.q)) if isinstance(exact, fmpq) else Fraction(float(ball(exact).mid()))
        assert abs(near - Fraction(value)) <= Fraction(1, 10**15) * (1 + abs(near)), text
