"""Sums of powers of a transcendental number: proved 0 only where each coefficient is, and not where that is not so."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.deciding import obligations
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.close import close
from weightproof.proofs.strategies import transcendence
from weightproof.proofs.strategies.transcendence import by_transcendence, has_transcendental_base
from weightproof.proofs.theorem import Compares, Decides
from weightproof.proofs.verdict import Proved
from weightproof.symbolic.algebra.constants import constant_unit
from weightproof.symbolic.algebra.vocabulary import Underivable, j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive


def with_scale(scale: str) -> Construction:
    """PALINDROME in base e^scale, without a parameter."""
    construction = load("palindrome")
    network = construction.network
    assert isinstance(network, Encoder)
    first, second = network.layers
    heads = tuple(replace(head, W_Q={"q": {"[w=CLS]": 1}}, scale=scale) for head in second.heads)
    layers = (first, replace(second, heads=heads))
    return replace(construction, parameters=(), network=replace(network, layers=layers))


RECOGNISES = Decides("recognises", "accepts exactly the palindromes")
UP_TO = "all({} or w[j] == w[n - 1 - j] for j in positions)"


@pytest.fixture(scope="module")
def low() -> Derivation:
    """Of a base of 1.5: below 2, where no induction on the size of the sum goes through."""
    return derive(with_scale("1/sqrt(6)"))


def open_ones(derivation: Derivation, accepts: str | None) -> int:
    """Of the obligations, those that no solver closes."""
    theorem = replace(RECOGNISES, accepts=None) if accepts is None else Decides("t", "t", accepts=accepts)
    words = derivation.vocabulary.words()
    items = list(by_transcendence(derivation, theorem, words))
    assert items
    return sum(close(item, 10).evidence is None for item in items)


def test_a_base_below_2_is_proved() -> None:
    [result] = prove(with_scale("1/sqrt(6)"), (RECOGNISES,), timeout=60)
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


def test_the_strategy_is_taken_and_closes(low: Derivation) -> None:
    assert has_transcendental_base(low, RECOGNISES)
    words = low.vocabulary.words()
    names = {item.name for item in obligations(low, RECOGNISES, words)}
    assert names
    assert all(name.startswith("position ") for name in names)
    assert open_ones(low, None) == 0


def test_another_formula_of_the_language_closes(low: Derivation) -> None:
    """The position in the middle is its own mirror image."""
    assert open_ones(low, UP_TO.format("2*j > n - 2")) == 0


@pytest.mark.parametrize("spared", ["2*j > n - 5", "j > 3", "2*j > n - 1 or j == 1", "2*j > n"])
def test_another_language_stays_open(low: Derivation, spared: str) -> None:
    """One that asks less of some position than the coefficients do; the last one asks more of one position, which its
    mirror image asks, too: it is the same language, but not position by position."""
    assert open_ones(low, UP_TO.format(spared)) > 0


@pytest.mark.parametrize("accepts", ["any(w[j] == '1' for j in positions)", "count('1') > 0", "w[1] == '1'"])
def test_what_is_no_statement_about_all_positions_is_refused(low: Derivation, accepts: str) -> None:
    with pytest.raises(Underivable, match="one statement about all positions"):
        list(by_transcendence(low, Decides("t", "t", accepts=accepts), low.vocabulary.words()))


@pytest.mark.parametrize("scale", ["log(2)", "log(1/2 + sqrt(5)/2)", "log(3)/2"])
def test_an_algebraic_base_is_not_taken_for_a_transcendental_one(scale: str) -> None:
    assert not has_transcendental_base(derive(with_scale(scale)), RECOGNISES)


def test_a_base_with_a_parameter_and_other_theorems_are_not_taken(low: Derivation) -> None:
    assert not has_transcendental_base(derive(load("palindrome")), RECOGNISES)
    assert not has_transcendental_base(low, Compares(">=", "0"))


u = constant_unit(sympy.sqrt(6) / 6)


@pytest.mark.parametrize(
    "summand",
    [
        u**3,
        j * u**j,
        sympy.sqrt(2) * u**j,
        u ** (j / 2),
        u**j + u ** (2 * j),
        u**n,
        u**j * constant_unit(sympy.sqrt(5)),
    ],
)
def test_what_is_no_rational_multiple_of_a_power_of_its_own_is_refused(summand: sympy.Expr) -> None:
    assert transcendence._exponent(sympy.Rational(-3, 2) * u ** (n - 2 * j), u) == n - 2 * j
    with pytest.raises(Underivable, match="no rational multiple"):
        transcendence._exponent(summand, u)


def test_which_exponents_are_algebraic() -> None:
    for number in (sympy.Rational(1, 3), sympy.sqrt(2) + sympy.sqrt(3) / 5, sympy.root(2, 3)):
        assert transcendence._is_algebraic(number)
    for number in (sympy.log(2), sympy.pi, sympy.E, sympy.Symbol("c"), sympy.Integer(2) ** sympy.sqrt(2)):
        assert not transcendence._is_algebraic(number)
