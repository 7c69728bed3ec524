"""Roots and irrational powers of a length, as attention scaled by its logarithm leaves them."""

from __future__ import annotations

import pytest
import sympy

from weightproof.constructions.library import load
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, n

VOCABULARY = Vocabulary.of(load("first"))


def certified(expression: sympy.Expr, least: int, strict: bool = True) -> bool:
    """Whether an expression in n >= least is certified to be positive, or not negative."""
    length = linear_form(n - least)
    assert length is not None
    return certify(expression, VOCABULARY.words().given(length), VOCABULARY, strict=strict) is not None


@pytest.mark.parametrize(
    ("expression", "least"),
    [
        (sympy.sqrt(n) + n - 1, 1),
        (sympy.sqrt(n) - 1, 2),
        (sympy.sqrt(n - 3) + n - 4, 4),
        (2 * n ** sympy.Rational(2, 3) + n - 2, 1),
    ],
)
def test_the_root_of_a_length_is_at_least_1(expression: sympy.Expr, least: int) -> None:
    assert certified(expression, least)


@pytest.mark.parametrize(
    ("expression", "least"),
    [
        (sympy.sqrt(n) + n - 2, 1),
        (sympy.sqrt(n) - 1, 1),
        (sympy.sqrt(n - 3), 3),
        (1 / sympy.sqrt(n) + n - 2, 1),
        (sympy.sqrt(n) - n + 1, 1),
    ],
)
def test_a_value_that_may_be_0_or_less_is_not_positive(expression: sympy.Expr, least: int) -> None:
    assert not certified(expression, least)


def test_a_root_may_be_1() -> None:
    assert certified(sympy.sqrt(n) - 1, 1, strict=False)


def test_powers_of_one_length_are_added_up() -> None:
    power = exponential(sympy.log(n) - sympy.sqrt(6) * sympy.log(n) / 6, VOCABULARY)
    assert VOCABULARY.lower_bound(power) == (1, False)
    assert exponential(sympy.log(n) * 2 - sympy.log(n), VOCABULARY) == n
    assert exponential(sympy.log(n) + sympy.log(n - 1), VOCABULARY) == n * (n - 1)
    with pytest.raises(Underivable, match="no integer form"):
        exponential(sympy.log(n) / 3 - sympy.sqrt(6) * sympy.log(n) / 6, VOCABULARY)
