"""Sums of powers of e: what is shown is so on a grid of exponents, and each condition is needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import pytest
import sympy
from flint import fmpq

from tests.support.derived import derivation_of
from weightproof.constructions.library import load
from weightproof.constructions.scalars.exact import ball, exp
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs.strategies.powers import Power, Powers
from weightproof.proofs.strategies.scales import is_below
from weightproof.symbolic.algebra.vocabulary import n
from weightproof.symbolic.forward import derive

POINTS = [sympy.Rational(step, 4) for step in range(-6, 7, 2)] + [sympy.Rational(1, 8), sympy.Rational(-1, 8)]


def powers() -> Powers:
    derivation = derivation_of("parity")
    return Powers(derivation, derivation.vocabulary.words(), "a test")


def wrong_ones(of: Powers) -> Iterator[tuple[sympy.Expr, ...]]:
    """Exponents of two powers and of two that are less, as far as is shown, and are not."""
    for exponents in product(POINTS, repeat=4):
        if len(set(exponents)) < 4:
            continue
        shown = of.below_the_mean(*exponents)
        if shown is None:
            continue
        value = sum((ball(exp(fmpq(int(e.p), int(e.q)))) * s for e, s in zip(exponents, (1, 1, -1, -1), strict=True)))
        if not value > 0 if shown[1] else value < 0:
            yield exponents


def test_two_powers_are_below_two_others_where_the_rule_says_so() -> None:
    assert list(wrong_ones(powers())) == []


def test_the_rule_shows_what_karamata_does_not() -> None:
    """e^(1/8) + e^(-1) < 2 < e^0 + e^(1/100), though 1/8 is above both."""
    of = powers()
    eighth, hundredth = sympy.Rational(1, 8), sympy.Rational(1, 100)
    exponents = (sympy.S.Zero, hundredth, eighth, sympy.S.NegativeOne)
    assert of.apart(*exponents) is None
    assert of.below_the_mean(*exponents) == ([], True)
    signed = [Power(sympy.Integer(f), e) for f, e in zip((1, 1, -1, -1), exponents, strict=True)]
    assert all(of.sum_at_least_0(list(order)) == ([], True) for order in permutations(signed))
    assert of.below_the_mean(*exponents[:2], sympy.S.Half, sympy.S.NegativeOne) is None


@pytest.mark.parametrize("condition", ["bound", "all_at_least_0"])
def test_without_a_condition_something_wrong_would_be_shown(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B taken for 0; and P for positive."""
    always = {"bound": lambda *_: (sympy.S.Zero, []), "all_at_least_0": lambda *_: ([], True)}[condition]
    monkeypatch.setattr(Powers, condition, always)
    assert next(wrong_ones(powers()), None) is not None


def test_a_parameter_that_nothing_bounds_is_no_part_of_a_bound() -> None:
    derivation = derive(transformed(load("parity"), ["remove-centering", "layer-norm:epsilon=0"]))
    of = Powers(derivation, derivation.vocabulary.words(), "a test")
    scale = next(scale.func(0) for scale in derivation.scales if scale.args)
    known = of.bound(sympy.sqrt(2) * scale**2 - scale)
    assert known is not None
    assert 6.36 < known[0] < 6.5  # the root of 2 times 9/2, rounded up
    assert [item.goal for item in known[1]] != []
    assert of.bound(derivation.vocabulary.parameter("c") * scale) is None
    assert of.bound(sympy.pi * scale) is None
    assert of.bound(n * scale) is None


def test_a_scale_is_below_a_number_or_not() -> None:
    """The scale of PARITY's rows at position 0 is 3n/sqrt(K_1^2 + 2n^2 + 1): below the root of 9/2, and of no less."""
    derivation = derive(transformed(load("parity"), ["remove-centering", "layer-norm:epsilon=0"]))
    words = derivation.vocabulary.words()
    scale = next(scale.func(0) for scale in derivation.scales if scale.args)
    assert is_below(scale, sympy.Rational(9, 2), words, derivation)
    assert is_below(scale, sympy.Rational(22, 5), words, derivation) is None
