"""Sums of products: what is found is an identity, and nothing that is changed in it passes the check."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
import sympy

from tests.support.derived import derivation_of
from weightproof.proofs.solving.close import by_products
from weightproof.proofs.solving.implication import Implication, implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.solving.products import SumOfProducts, _Terms, check, sum_of_products
from weightproof.symbolic.algebra.vocabulary import n

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


SIGNS = {">": lambda v: v > 0, ">=": lambda v: v >= 0, "==": lambda v: v == 0}
ZEROS, ONES = (VOCABULARY.total(symbol) for symbol in VOCABULARY.alphabet)
VALUES = [sympy.Rational(x) for x in ("-3", "-1", "-1/2", "0", "1/3", "1", "2")]


def drawn(random: Random) -> sympy.Expr:
    linear = random.randint(-3, 3) * ZEROS + random.randint(-3, 3) * ONES + random.randint(-3, 3)
    real = random.randint(-2, 2) * S * U + random.randint(-2, 2) * U + random.randint(-1, 2)
    size = random.randint(-2, 2) * sympy.Abs(S) + linear
    return sympy.expand(random.choice([linear, linear + random.randint(-2, 2) * S, linear * S + 1, real, size]))


def test_nothing_is_shown_that_a_point_refutes() -> None:
    """Counts, which are integers, a real number, its size, and e^c > 1, at 245 points each."""
    random, shown = Random(5), 0
    points = [
        {ZEROS: x, ONES: y, n: x + y + 1, S: s, sympy.Abs(S): abs(s), U: u}
        for x, y in itertools.product(range(5), repeat=2)
        for s in VALUES
        for u in (sympy.Rational(11, 10), sympy.Integer(3))
    ]
    for _ in range(250):
        relations = [Rel(random.choice([">", ">=", ">=", "=="]), drawn(random)) for _ in range(random.randint(1, 4))]
        if any(each.expression.is_number for each in relations):
            continue
        goal, *hypotheses = relations
        item = implication("drawn", VOCABULARY, VOCABULARY.words(), hypotheses, goal)
        if by_products(item, 1) is None:
            continue
        shown += 1
        for point in points:
            given = all(SIGNS[each.op](each.expression.xreplace(point)) for each in hypotheses)
            assert not given or SIGNS[goal.op](goal.expression.xreplace(point)), (hypotheses, goal, point)
    assert shown > 30


def test_no_hypothesis_of_a_linear_sum_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no other weights are those of a sum it is not tried without each of them, and comes out the same."""
    random, numbers = Random(3), sympy.symbols("x1:7", real=True)
    told, own = list[bool](), _Terms._is_only_way
    monkeypatch.setattr(_Terms, "_is_only_way", lambda *given: told.append(own(*given)) or told[-1])
    for _ in range(12):
        forms = [sum((random.randint(-2, 2) * x for x in numbers), sympy.S.Zero) for _ in range(8)]
        goal = sympy.expand(sum((random.randint(0, 2) * form for form in random.sample(forms, 4)), 1))
        hypotheses = [Rel(random.choice([">=", ">=", "=="]), form) for form in forms]
        summed = found(Rel(">=", goal), *hypotheses)
        assert summed is not None
        used = [rel for product in summed.products for rel in product.factors]
        assert all(found(summed.goal, *(each for each in used if each != rel)) is None for rel in used)
    assert sum(told) > 6
