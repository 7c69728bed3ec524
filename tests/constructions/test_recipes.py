"""The parts of the recipes of Yang et al. (2025), each as the function that it is said to be, at many points of its
domain, through the interpreter. What is proved of them is in tests/proofs/test_recipes.py."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from random import Random

import pytest
from flint import fmpq

from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.interpreter import apply_layer
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer
from weightproof.constructions.scalars.values import exactly
from weightproof.constructions.yang2025cookbook.boolean_functions import conjunction, disjunction, full_dnf
from weightproof.constructions.yang2025cookbook.canceling_residuals import linear, replacing
from weightproof.constructions.yang2025cookbook.comparing_counts import gtz, is_positive, is_zero
from weightproof.constructions.yang2025cookbook.if_then_else import if_then_else
from weightproof.constructions.yang2025cookbook.min_and_max import maximum, minimum
from weightproof.constructions.yang2025cookbook.on_words import side_by_side
from weightproof.constructions.yang2025cookbook.piecewise_linear import piecewise_linear
from weightproof.constructions.yang2025cookbook.predecessor_head import predecessor
from weightproof.constructions.yang2025cookbook.table_lookup import by_distance, by_hash, by_square

Values = Mapping[str, int | fmpq]
X = ("x0", "x1", "x2")


def found(part: FeedForward, values: Values, into: str) -> fmpq:
    """What is at a coordinate behind a part, of a stream that has these values and else 0."""
    vector = {**dict.fromkeys(part.second.rows, fmpq(0)), **{name: fmpq(value) for name, value in values.items()}}
    [behind] = apply_layer(Layer(feed_forward=part), [vector], exactly({}))
    return behind[into]


def seen(head: Head, stream: list[Values], into: str) -> list[fmpq]:
    """What a head adds at each position."""
    vectors = [{**{name: fmpq(value) for name, value in values.items()}, into: fmpq(0)} for values in stream]
    return [vector[into] for vector in apply_layer(Layer(heads=(head,)), vectors, exactly({}))]


def numbers(count: int) -> list[fmpq]:
    random = Random(0)
    return [fmpq(random.randint(-9, 9), random.randint(1, 4)) for _ in range(count)]


@pytest.mark.parametrize("table", range(256))
def test_every_boolean_function_of_three(table: int) -> None:
    def function(*values: bool) -> bool:
        return bool(table >> sum(value << at for at, value in enumerate(values)) & 1)

    part = full_dnf(function, X, "y")
    for values in itertools.product((False, True), repeat=3):
        assert found(part, dict(zip(X, map(int, values), strict=True)), "y") == function(*values)


def test_conjunctions_and_disjunctions() -> None:
    for values in itertools.product((0, 1), repeat=3):
        given = dict(zip(X, values, strict=True))
        assert found(conjunction(dict.fromkeys(X, True), "y"), given, "y") == all(values)
        assert found(conjunction({"x0": True, "x2": False}, "y"), given, "y") == (values[0] and not values[2])
        assert found(disjunction(X, "y"), given, "y") == any(values)


def test_of_any_two_numbers() -> None:
    for x, y in itertools.product(numbers(12), repeat=2):
        given = {"x": x, "y": y}
        assert found(minimum("x", "y", "z"), given, "z") == min(x, y)
        assert found(maximum("x", "y", "z"), given, "z") == max(x, y)
        assert found(linear({"x": 2, "y": "-1/3"}, "z"), given, "z") == 2 * x - y / 3
        assert found(replacing(linear({"x": 1, "y": 1}, "y"), ("y",)), given, "y") == x + y


def test_one_of_two_numbers_from_0_to_1() -> None:
    for p, x, y in itertools.product((0, 1), (0, fmpq(1, 3), 1), (0, fmpq(1, 2), 1)):
        assert found(if_then_else("p", "x", "y", "z"), {"p": p, "x": x, "y": y}, "z") == (x if p else y)


def test_a_coordinate_may_be_given_twice() -> None:
    """As p for x, where the conditional says whether one of two is so, and y for x, of which both are the least."""
    for p, y in itertools.product((0, 1), map(fmpq, (0, 1))):
        given = {"p": fmpq(p), "y": y}
        assert found(if_then_else("p", "p", "y", "z"), given, "z") == (1 if p else y)
        assert found(if_then_else("p", "y", "p", "z"), given, "z") == (y if p else 0)
    for x in numbers(9):
        assert found(minimum("x", "x", "z"), {"x": x}, "z") == found(maximum("x", "x", "z"), {"x": x}, "z") == x


def test_piecewise_linear_functions_between_points_and_beyond() -> None:
    part = piecewise_linear(((-3, 2), (-1, 1), (1, 5), (2, 5)), "x", "y", "one")
    right = {-5: 3, -3: 2, -2: fmpq(3, 2), -1: 1, 0: 3, 1: 5, 2: 5, 4: 5}
    for (x, y), one in itertools.product(right.items(), (fmpq(1), fmpq(1, 7))):
        assert found(part, {"x": x * one, "one": one}, "y") == y * one


def test_comparisons_of_integers() -> None:
    for x, one in itertools.product(range(-5, 6), (fmpq(1), fmpq(1, 9))):
        given = {"x": x * one, "one": one}
        assert found(is_positive("x", "y", "one"), given, "y") == (x > 0) * one
        assert found(is_zero("x", "y", "one"), given, "y") == (x == 0) * one
        assert found(gtz({"x": 1}, "y", "one"), given, "y") == (one / 2 if x > 0 else -one / 2)


def test_parts_side_by_side_do_what_each_does() -> None:
    part = side_by_side(minimum("x", "y", "least"), maximum("x", "y", "greatest"))
    given = {"x": 3, "y": -2}
    assert (found(part, given, "least"), found(part, given, "greatest")) == (-2, 3)
    with pytest.raises(ConstructionError, match="m: beyond"):
        side_by_side(minimum("x", "y", "m"), maximum("x", "y", "m"))


@pytest.mark.parametrize("points", [(), ((0, 1),), ((0, 1), (0, 2)), ((1, 0), (0, 0))])
def test_no_function_goes_through_fewer_points_or_back(points: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ConstructionError, match="f: a piecewise linear function goes through 2 points or more"):
        piecewise_linear(points, "x", "f", "1")


def test_a_coordinate_is_named_once() -> None:
    with pytest.raises(ConstructionError, match="y: a full DNF of x, x names a coordinate twice"):
        full_dnf(lambda left, right: left, ("x", "x"), "y")


def test_the_position_before_and_table_lookup() -> None:
    table = [fmpq(7), fmpq(-1), fmpq(4), fmpq(0), fmpq(9)]
    asked = [3, 0, 4, 4, 1]
    stream = [
        {"j": j, "j^2": j * j, "1": 1, "f": table[j], "a": asked[j] / fmpq(j + 1), "unit": 1 / fmpq(j + 1)}
        for j in range(5)
    ]
    assert seen(predecessor({"y": {"f": 1}}), stream, "y") == [table[0], *table[:-1]]
    right = [table[a] for a in asked]
    assert seen(by_distance({"y": {"f": 1}}, {"a": 1}, {"unit": 1}, "j", "1"), stream, "y") == right
    assert seen(by_square({"y": {"f": 1}}, {"a": 1}, {"unit": 1}, "j", "j^2"), stream, "y") == right
    assert seen(by_hash({"y": {"f": 1}}, {"a": 1}, {"unit": 1}, {"j": 1}, {"1": 1}), stream, "y") == right
