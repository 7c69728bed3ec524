"""Enclosures hold what they enclose: each operation against exact numbers or balls of many bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from weightproof.proofs.running.enclosures import TINY, Enclosed, enclosed, point

RANDOM = np.random.default_rng(0)
WIDE = 400
"""Bits of the balls that enclosures are held against."""


def drawn(shape: tuple[int, ...], spread: int = 8) -> Enclosed:
    """Numbers of many sizes, some exact, some 0, some known with a radius."""
    middle = RANDOM.normal(size=shape) * np.exp2(RANDOM.integers(-spread, spread, size=shape))
    middle = np.where(RANDOM.random(shape) < 0.2, np.rint(middle), middle)
    radius = np.where(RANDOM.random(shape) < 0.5, 0.0, np.abs(middle) * 2.0**-40)
    return Enclosed(middle, radius)


def members(x: Enclosed) -> list[arb]:
    """A number of each, at one end or the other."""
    ends = RANDOM.choice([-1.0, 0.0, 1.0], size=x.middle.shape)
    return [arb(m) + arb(r) * arb(e) for m, r, e in zip(x.middle.flat, x.radius.flat, ends.flat, strict=True)]


def require_inside(x: Enclosed, numbers: list[arb]) -> None:
    for middle, radius, number in zip(x.middle.flat, x.radius.flat, numbers, strict=True):
        assert abs(number - arb(middle)) <= arb(radius), (middle, radius, number)


BINARY: dict[str, Callable[[Enclosed | arb, Enclosed | arb], Enclosed | arb]] = {
    "sum": lambda a, b: a + b,  # type: ignore[operator]
    "difference": lambda a, b: a - b,  # type: ignore[operator]
    "product": lambda a, b: a * b,  # type: ignore[operator]
}


@pytest.mark.parametrize("name", BINARY)
def test_sums_and_products_lie_inside(name: str) -> None:
    with ctx.workprec(WIDE):
        a, b = drawn((2000,)), drawn((2000,))
        found = BINARY[name](a, b)
        assert isinstance(found, Enclosed)
        exact = [BINARY[name](x, y) for x, y in zip(members(a), members(b), strict=True)]
        require_inside(found, exact)  # type: ignore[arg-type]


def test_quotients_roots_and_powers_of_e_lie_inside() -> None:
    with ctx.workprec(WIDE):
        a, b = drawn((2000,)), drawn((2000,))
        positive = Enclosed(np.abs(b.middle) + 2.0**-9, b.radius / 4)
        ends = members(positive)
        require_inside(a / positive, [x / y for x, y in zip(members(a), ends, strict=True)])
        require_inside(positive.root(), [x.sqrt() for x in ends])
        exponents = Enclosed(-np.abs(a.middle) * 4, a.radius)
        require_inside(exponents.exp(), [x.exp() for x in members(exponents)])
        far = point(np.array([-745.0, -1e6, -690.0, 0.0, 1.0, 300.0]))
        require_inside(far.exp(), [arb(x).exp() for x in far.middle])


def sigmoid(x: arb) -> arb:
    return 1 / (1 + (-x).exp())


CURVES: dict[str, tuple[Callable[[Enclosed], Enclosed], Callable[[arb], arb]]] = {
    "tanh": (Enclosed.tanh, arb.tanh),
    "sigmoid": (Enclosed.sigmoid, sigmoid),
    "silu": (Enclosed.silu, lambda x: x * sigmoid(x)),
    "erf": (Enclosed.erf, arb.erf),
    "gelu": (Enclosed.gelu, lambda x: x * (1 + (x / arb(2).sqrt()).erf()) / 2),
    "gelu-tanh": (
        Enclosed.gelu_tanh,
        lambda x: x * sigmoid((8 / arb.pi()).sqrt() * (x + arb(fmpq(44715, 10**6)) * x**3)),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_curves_lie_inside_and_not_far_from_it(name: str) -> None:
    of, exactly = CURVES[name]
    with ctx.workprec(WIDE):
        a = drawn((4000,))
        wide = Enclosed(a.middle, a.radius * 2.0**38)
        for x in (a, wide, point(np.array([0.0, -0.0, 6.0, -6.0, 5.999, 1e-300, -745.0, 1e6, -1e6, 40.0]))):
            found = of(x)
            require_inside(found, [exactly(each) for each in members(x)])
            assert found.known.all()
        at_points = of(point(a.middle))
        assert (at_points.radius <= 1e-12 * (1 + np.abs(a.middle))).all()
    assert not of(Enclosed(np.array([0.0]), np.array([np.inf]))).known.any()


def test_products_of_matrices_lie_inside() -> None:
    with ctx.workprec(WIDE):
        a, b = drawn((5, 30)), drawn((30, 4))
        left, right = np.array(members(a)).reshape(5, 30), np.array(members(b)).reshape(30, 4)
        exact = [sum((left[i, k] * right[k, j] for k in range(30)), arb(0)) for i in range(5) for j in range(4)]
        require_inside(a @ b, exact)
        require_inside(a.sum(1), [sum(row, arb(0)) for row in left])


def test_what_is_exact_stays_so_and_what_is_not_does_not() -> None:
    halves, thirds = point(np.array([[0.5, 3.0]])), point(np.array([[1 / 3, 1 / 3]]))
    assert (halves @ halves.transposed).radius.max() == 0
    assert (thirds @ thirds.transposed).radius.max() > 0
    assert (halves + halves).radius.max() == 0
    assert (point(np.array([1.0])) + point(np.array([2.0**-60]))).radius[0] >= 2.0**-60


def test_nothing_is_said_where_nothing_is_known() -> None:
    unsure = Enclosed(np.array([1e-20, 0.0, -1.0]), np.array([1e-19, 0.0, 0.0]))
    assert not (point(np.ones(3)) / unsure).known.any()
    assert not unsure.root().known.any()
    assert not Enclosed(np.array([1.0]), np.array([2.0])).exp().known.any()


def test_a_number_is_enclosed_however_many_bits_it_has() -> None:
    third = enclosed([fmpq(1, 3)], ())
    assert abs(Fraction(1, 3) - Fraction(float(third.middle))) <= Fraction(float(third.radius))
    assert (enclosed([fmpq(3, 4)], ()).radius, enclosed([fmpq(10**400)], ()).known) == (0.0, False)
    assert math.isclose(float(enclosed([arb(2).log()], ()).middle), math.log(2))
    assert float(enclosed([fmpq(1, 10**400)], ()).radius) >= TINY
