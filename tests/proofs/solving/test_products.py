"""Sums of products: what is found is an identity, and nothing that is changed in it passes the check."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy

from tests.support.derived import derivation_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.solving.products import SumOfProducts, check, sum_of_products

VOCABULARY = derivation_of("parity").vocabulary
U = VOCABULARY.unit("c")
S, T = sympy.symbols("S1 S2", real=True)
ABOVE, ROOM = Rel(">", T - S), Rel(">", T)


def found(goal: Rel, *hypotheses: Rel) -> SumOfProducts | None:
    return sum_of_products(Implication("sum", VOCABULARY, VOCABULARY.words(), hypotheses, goal), VOCABULARY)


def test_a_product_of_hypotheses_shows_what_none_shows_alone() -> None:
    """u T > S, as u > 1, T > S and T > 0."""
    shown = found(Rel(">", U * T - S), ABOVE, ROOM)
    assert shown is not None
    assert check(shown)
    assert max(len(product.factors) for product in shown.products) == 2


def test_what_does_not_follow_is_not_found() -> None:
    assert found(Rel(">", T - U * S), ABOVE, ROOM) is None
    assert found(Rel(">", T - S), Rel(">=", T - S)) is None  # it may be 0


def test_whatever_is_changed_is_seen() -> None:
    shown = found(Rel(">", U * T - S), ABOVE, ROOM)
    assert shown is not None
    first, *rest = shown.products
    assert not check(replace(shown, products=(replace(first, weight=first.weight + 1), *rest)))
    assert not check(replace(shown, products=tuple(rest)))
    assert not check(replace(shown, constant=Fraction(1)))
    assert not check(replace(shown, goal=Rel(">", shown.goal.expression + 1)))
    weak = tuple(replace(each, factors=tuple(Rel(">=", r.expression) for r in each.factors)) for each in shown.products)
    assert not check(replace(shown, products=weak))  # what is not strict shows nothing that is
    negative = replace(first, weight=-first.weight)
    assert not check(replace(shown, goal=Rel(">=", negative.expression()), products=(negative,)))
