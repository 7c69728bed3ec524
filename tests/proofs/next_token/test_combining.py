"""A goal from one hypothesis, bounds of parameters from hypotheses, tangents of e^c: what is shown, and what is not."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest
import sympy

from weightproof.constructions.library import load
from weightproof.constructions.meaning.outputs import logit_difference
from weightproof.proofs.solving.combining import follows, within_bounds
from weightproof.proofs.solving.facts import TANGENTS
from weightproof.proofs.solving.implication import implication, to_smt
from weightproof.proofs.solving.logic import FALSE, Rel
from weightproof.proofs.solving.solvers import ask
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_power_of_e, n

VOCABULARY = Vocabulary.of(logit_difference(load("noisy-majority"), "4"))
WORDS = VOCABULARY.words()
N, U = VOCABULARY.parameter("N"), VOCABULARY.unit("N")
E = exponential(sympy.S.One, VOCABULARY)
K = VOCABULARY.total("0")
E2, E3, E4 = (sympy.Function("exp", positive=True)(N**power) for power in (2, 3, 4))


@pytest.mark.parametrize(
    ("goal", "known", "shown"),
    [
        (Rel(">", 4 * K * U - N), Rel(">", 2 * K * U - N), True),
        (Rel(">", 4 * E * K * U - N), Rel(">", K * U - N), True),
        (Rel(">", K * U - 2 * N), Rel(">", K * U - N), False),
        (Rel(">", K * U - N), Rel(">=", K * U - N), False),
        (Rel(">=", K * U - N), Rel(">=", K * U - N), True),
        (Rel(">", K * U - N), Rel(">", N - K * U), False),
        (Rel(">=", K * U - N), Rel("==", N - K * U), True),
        (Rel("==", K * U - N), Rel("==", K * U - N), False),
    ],
)
def test_a_goal_from_a_hypothesis(goal: Rel, known: Rel, shown: bool) -> None:
    assert (follows(goal, (known,), WORDS, VOCABULARY) is not None) is shown


def test_bounds_of_parameters_come_from_below_alone() -> None:
    def bound(*known: Rel) -> tuple[Fraction, bool] | None:
        return within_bounds(VOCABULARY, known).lower_bound(N)

    assert bound() == (0, True)
    assert bound(Rel(">=", N - 3)) == (3, False)
    assert bound(Rel(">", 2 * N - 3)) == (Fraction(3, 2), True)
    assert bound(Rel(">=", N - 3), Rel(">", N - 2)) == (3, False)
    for no_bound in (Rel(">=", 3 - N), Rel("==", N - 3), Rel(">=", N**2 - 9), Rel(">=", N + 3), Rel(">=", U - 3)):
        assert bound(no_bound) == (0, True), no_bound
    assert within_bounds(VOCABULARY, (Rel(">=", N - 3),)).lower_bound(U) == VOCABULARY.lower_bound(U)


def test_tangents_lie_below() -> None:
    """Those that the solvers are told, at numbers on both sides of where they touch."""
    script = to_smt(implication("a test", VOCABULARY, WORDS, [Rel(">", U - N)], FALSE), integers=False)
    told = re.findall(r"\(>= \|u_N\| \(\* \(/ (\d+)\.0 (\d+)\.0\) \(- \|N\| (\d+)\.0\)\)\)", script)
    assert len(told) == len(TANGENTS)
    for upper, lower, zero in told:
        slope = Fraction(int(upper), int(lower))
        assert slope > 0.999 * Fraction(exp(int(zero) + 1))
        for value in (Fraction(k, 8) for k in range(-40, 80)):
            assert Fraction(exp(value)) * (1 + Fraction(1, 10**12)) >= slope * (value - int(zero))
    assert "(>= |u_N| (+ |N| 1.0))" in script
    alone = to_smt(implication("a test", VOCABULARY, WORDS, [Rel(">", U - 2)], FALSE), integers=False)
    assert "(>= |u_N| (+" not in alone


def test_tangents_show_what_is_true_and_no_more() -> None:
    def asked(goal: Rel) -> str:
        return ask("z3", to_smt(implication("a test", VOCABULARY, WORDS, [], goal), integers=False), 5.0).status

    assert asked(Rel(">", U - N)) == "unsat"
    assert asked(Rel(">", U - 2 * N)) == "unsat"
    assert asked(Rel(">", U - 3 * N)) == "sat"  # e^(6/5) < 18/5


def test_a_power_of_e_is_at_least_1_and_its_least_exponent() -> None:
    above = within_bounds(VOCABULARY, (Rel(">=", N - Fraction(23, 5)),))
    power = sympy.Function("exp", positive=True)
    assert above.lower_bound(power(N**2)) == (Fraction(554, 25), True)
    assert above.lower_bound(power(N**2 + N / 2)) == (Fraction(554, 25) + Fraction(23, 10), True)
    below = replace(VOCABULARY, bounds=(("N", Fraction(-1), False),))
    for vocabulary, exponent in ((below, N**2), (above, 5 * N - N**2), (above, N**2 * n), (above, sympy.log(2) * N**2)):
        assert vocabulary.lower_bound(power(exponent)) == (0, True), exponent
    assert certify(power(N**2) - 22, WORDS, above, strict=True) is not None
    assert certify(power(N**2) - 23, WORDS, above, strict=True) is None


@pytest.mark.parametrize(
    ("least", "value", "strict", "shown"),
    [
        (2, E4 - 13 * E2, True, True),  # 16 - 4 is 12
        (2, E4 - 14 * E2, True, False),
        (2, E4 + E2 - 2 * E3, True, True),
        (2, 2 * E2 - E3, False, False),
        (1, E4 - E2, True, False),  # as great at N = 1
        (1, E4 - E2, False, True),
        (0, E4 - E2, False, False),  # less between 0 and 1
    ],
)
def test_powers_of_e_are_compared_by_their_exponents(least: int, value: sympy.Expr, strict: bool, shown: bool) -> None:
    vocabulary = within_bounds(VOCABULARY, (Rel(">=", N - least),))
    assert (certify(value, WORDS, vocabulary, strict=strict) is not None) == shown


def test_powers_of_e_in_parameters_alone() -> None:
    for exponent, least in ((N**2, (1, True)), (N**4, (1, True)), (N / (1 + E), (0, True))):
        power = exponential(exponent, VOCABULARY)
        assert is_power_of_e(power)
        assert VOCABULARY.lower_bound(power) == least
    assert exponential(N**3 + N**2 + N, VOCABULARY) == exponential(N**3, VOCABULARY) * exponential(N**2, VOCABULARY) * U
    assert exponential(-(N**2), VOCABULARY) == 1 / exponential(N**2, VOCABULARY)
    for exponent in (n**2, N * n * K, N**2 * n):
        with pytest.raises(Underivable):
            exponential(exponent, VOCABULARY)
