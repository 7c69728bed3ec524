"""Polynomials over simplices: what is said of all their values is true of the values at random points."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from weightproof.symbolic.simulation.polynomial import (
    Polynomial,
    Rectified,
    Region,
    Saturated,
    Simplex,
    Unknown,
    interval,
    total,
)

ZERO = fmpq(0)
TRIANGLE = Simplex(("P", "W"), ((ZERO, ZERO), (fmpq(1), ZERO), (ZERO, fmpq(4, 5))))
X, Z = Polynomial.atom("x"), Polynomial.atom("z")
REGION = Region(
    (TRIANGLE, interval("x", 0, 1), interval("y", -1, fmpq(1, 2)), interval("z", 0, fmpq(1, 2))),
    positive=frozenset({"x", "p"}),
    not_negative=frozenset({"more"}),
    equal={("x", "z"): X - Z},
)
SATURATED = Saturated(X, positive=False)
ATOMS = ("P", "W", "x", "y", "z", "p", "free", "more", SATURATED)
RATIONALS = st.fractions(Fraction(-3), Fraction(3), max_denominator=6).map(lambda x: fmpq(x.numerator, x.denominator))
UNIT = st.fractions(Fraction(0), Fraction(1), max_denominator=9).map(lambda x: fmpq(x.numerator, x.denominator))
MONOMIALS = st.lists(st.sampled_from(ATOMS), max_size=3).map(lambda names: tuple(sorted(names)))
POLYNOMIALS = st.dictionaries(MONOMIALS, RATIONALS, max_size=4).map(Polynomial.of)
MULTI_AFFINE = st.dictionaries(
    st.sampled_from([(), ("P",), ("W",), ("x",), ("y",), ("P", "x"), ("W", "y"), ("x", "y"), ("P", "x", "y")]),
    RATIONALS,
).map(Polynomial.of)


@st.composite
def points(draw: st.DrawFn) -> dict[str, fmpq]:
    """Values of the atoms as the region says; at vertices, often."""
    weights = [draw(UNIT) for _ in TRIANGLE.vertices]
    corner = draw(st.integers(0, 5))
    if corner < len(weights) or not sum(weights, ZERO):
        weights = [fmpq(int(number == corner % len(weights))) for number in range(len(weights))]
    whole = sum(weights, ZERO)
    P, W = (sum((w * v[k] for w, v in zip(weights, TRIANGLE.vertices, strict=True)), ZERO) / whole for k in (0, 1))
    x = draw(UNIT.filter(bool))
    positive = draw(RATIONALS.filter(lambda value: value > 0))
    free = draw(RATIONALS)
    y, more = fmpq(3, 2) * draw(UNIT) - 1, abs(draw(RATIONALS))
    return {"P": P, "W": W, "x": x, "y": y, "z": x / (1 + x), "p": positive, "free": free, "more": more, SATURATED: x}


@pytest.mark.controls
@given(POLYNOMIALS, POLYNOMIALS, points())
def test_polynomials_compute_like_their_values(left: Polynomial, right: Polynomial, at: dict[str, fmpq]) -> None:
    assert (left + right).at(at) == left.at(at) + right.at(at)
    assert (left - right).at(at) == left.at(at) - right.at(at)
    assert (left * right).at(at) == left.at(at) * right.at(at)
    assert total([left, right, left]).at(at) == 2 * left.at(at) + right.at(at)
    assert left.replaced({"P": right}).at(at) == left.at(at | {"P": right.at(at)})
    assert (left == right) == ((left - right).terms == ())


@pytest.mark.controls
@given(POLYNOMIALS | MULTI_AFFINE, points())
def test_what_is_said_of_a_region_is_true_everywhere_in_it(polynomial: Polynomial, at: dict[str, fmpq]) -> None:
    value = polynomial.at(at)
    bounds = REGION.bounds(polynomial)
    if bounds is not None:
        assert bounds[0] <= value <= bounds[1]
    if REGION.is_positive(polynomial):
        assert value > 0
    if REGION.is_not_negative(polynomial):
        assert value >= 0
    saturated = REGION.saturated(polynomial)
    if saturated.atoms <= at.keys():
        assert saturated.at(at) == min(max(value, ZERO), fmpq(1))
    else:
        assert saturated == Polynomial.atom(Saturated(polynomial, REGION.is_positive(polynomial)))
    again = {"P": polynomial, "W": Polynomial.number(fmpq(1, 5))}
    if REGION.holds_in(TRIANGLE, again):
        assert value >= 0
        assert fmpq(1, 5) <= fmpq(4, 5) * (1 - value)


def atom(name: str, factor: fmpq | int = 1) -> Polynomial:
    return Polynomial.number(factor) * Polynomial.atom(name)


ONE = Polynomial.number(1)
BOUNDS = [
    (atom("P") + atom("W"), (0, 1)),
    (ONE - atom("P") - atom("W", fmpq(5, 4)), (0, 1)),
    (atom("x") * (ONE - atom("y")), (0, 2)),
    (atom("P") * atom("y"), (-1, fmpq(1, 2))),
    (atom(SATURATED, 3) - ONE, (-1, 2)),
]


@pytest.mark.parametrize(("polynomial", "bounds"), BOUNDS, ids=lambda value: str(value))
def test_bounds_are_attained(polynomial: Polynomial, bounds: tuple[fmpq, fmpq]) -> None:
    assert REGION.bounds(polynomial) == bounds


@pytest.mark.parametrize("polynomial", [atom("free"), atom("p"), atom("P") * atom("W"), atom("x") * atom("x")], ids=str)
def test_where_no_bounds_are_known(polynomial: Polynomial) -> None:
    """Of free atoms; and of squares and products within a group, which have extremes elsewhere."""
    assert REGION.bounds(polynomial) is None


def test_strict_signs() -> None:
    assert REGION.is_positive(atom("p") * atom("x"))
    assert REGION.is_positive(atom("p") + atom("P") * atom("W"))
    assert not REGION.is_positive(atom("P"))
    assert not REGION.is_positive(atom("p") * atom("y"))
    assert not REGION.is_positive(atom("p") - atom("x"))
    assert not REGION.is_positive(Polynomial())
    assert REGION.is_positive(ONE)


def test_what_is_not_negative() -> None:
    assert REGION.is_not_negative(atom("more") + X * Z)
    assert REGION.is_not_negative(X - atom("y") * atom("y")) is False
    assert REGION.is_not_negative(X - X * Z)  # z
    assert not REGION.is_not_negative(Z - X)
    assert REGION.is_not_negative(atom("more") + atom("p"))
    assert not REGION.is_not_negative(atom("more") - atom("p"))


def test_a_saturated_value_is_at_most_what_it_is_of() -> None:
    """If that is not negative: of -1 it is 0. And it is positive where that is."""
    big = REGION.saturated(atom("more", 2))
    assert REGION.is_not_negative(atom("more", 2) - big)
    assert not REGION.is_not_negative(atom("more") - big)
    assert not REGION.is_not_negative(atom("free") - REGION.saturated(atom("free")))
    assert not REGION.is_not_negative(atom("y") * (big - atom("more", 2)))
    assert REGION.is_positive(REGION.saturated(atom("p")))
    assert not REGION.is_positive(big)


def test_what_is_equal_is_known_of_saturated_values() -> None:
    assert REGION.saturated(atom("x", 2) - atom("x", 2) * Z) == atom("x", 2) - atom("x", 2) * Z  # 2 z
    assert REGION.saturated(Z - X + X * Z - atom("more")) == Polynomial()


def test_a_point_outside_is_noticed() -> None:
    half = Polynomial.number(fmpq(1, 2))
    assert REGION.holds_in(TRIANGLE, {"P": atom("P") * half, "W": atom("W")})
    assert not REGION.holds_in(TRIANGLE, {"P": atom("P"), "W": atom("W") + atom("P", fmpq(1, 9))})
    assert not REGION.holds_in(TRIANGLE, {"P": atom("P") - atom("x"), "W": Polynomial()})
    assert not REGION.holds_in(TRIANGLE, {"P": atom("free"), "W": Polynomial()})


def test_what_is_open_is_an_atom_of_its_own() -> None:
    assert REGION.saturated(atom("x") - ONE) == Polynomial()
    assert REGION.saturated(atom("x") + ONE) == ONE
    assert REGION.saturated(atom("x")) == atom("x")
    found = REGION.saturated(atom("free", 2) - atom("x"))
    assert str(found) == "'saturated(2*free + -1*x)'"
    assert found == Polynomial.atom(Saturated(atom("free", 2) - atom("x"), False))


def test_what_is_made_equals_no_name() -> None:
    made = [Saturated(X, False), Saturated(X, True), Rectified(X), Unknown("x"), Saturated(Z, False)]
    for atom_made in made:
        name = str(atom_made)
        assert Polynomial.atom(atom_made) != Polynomial.atom(name)
        assert len({atom_made, name}) == len({name, atom_made}) == 2
        assert [made.index(other) for other in made if other == atom_made] == [made.index(atom_made)]
        both = Polynomial.atom(name) * Polynomial.atom(atom_made)
        assert both == Polynomial.atom(atom_made) * Polynomial.atom(name)
        assert both.replaced({name: ONE}) == Polynomial.atom(atom_made)
    assert Saturated(atom("x"), False) == Saturated(X, False)


@given(POLYNOMIALS, POLYNOMIALS)
def test_different_polynomials_are_written_differently(left: Polynomial, right: Polynomial) -> None:
    """What is open is told apart by how it is written."""
    assert (str(left) == str(right)) == (left == right)


def test_names_cannot_look_like_sums() -> None:
    assert str(atom("a + b")) == "'a + b'" != str(atom("a") + atom("b"))
    assert str(atom("2*a")) != str(atom("a", 2))
    assert str(atom("state 'x'")) == "\"state 'x'\""
