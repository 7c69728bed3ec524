"""Approximations: how sums of powers of e compare for a large parameter, and what vanishes on each word."""

from __future__ import annotations

import itertools

import pytest
import sympy

from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import Logit, Predicts, Stream, Value
from weightproof.constructions.fraknoi2024.noisy_majority_claims import A
from weightproof.constructions.library import load
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.outputs import logit_difference
from weightproof.proofs.claims.judging import judge_claims
from weightproof.proofs.claims.orders import Growth, growing
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary

VOCABULARY = Vocabulary.of(logit_difference(load("noisy-majority"), "4"))
N, U, K = VOCABULARY.parameter("N"), VOCABULARY.unit("N"), VOCABULARY.total("0")
RATIO = "(count('0')*N + count('1')*exp(1)*(N + 1))/(count('0') + count('1')*exp(1))"
SOME = "count('0') + count('1') > 0"


def power(exponent: sympy.Expr) -> sympy.Expr:
    return exponential(exponent, VOCABULARY)


def test_growths_are_ordered() -> None:
    rising = [
        power(-(N**2)), 1 / U, U**-1 * N**3, 1 / N, sympy.S.One, N, N**2, U, U * N, U**2, power(N**2), power(N**2) * N,
        power(N**2) * U, power(N**3), power(N**3) * power(N**2), power(N**4),
    ]  # fmt: skip
    growths = [next(iter(growing(each, "N", VOCABULARY))) for each in rising]
    assert growths == sorted(growths)
    assert all(not right < left and left < right for left, right in itertools.pairwise(growths))


@pytest.mark.parametrize("rate", ["1/2", "2/3", "1", "3/2", "4"])
@pytest.mark.parametrize("degree", [-2, 0, 1])
def test_a_growth_is_written_as_the_formula_that_it_is(rate: str, degree: int) -> None:
    said = Growth(sympy.Rational(rate), sympy.Integer(degree))
    assert sympy.sympify(said.text()).subs("n", 3) == said.rate**3 * sympy.Integer(3) ** degree


def test_terms_of_the_same_growth_are_added() -> None:
    [(_, constant)] = growing(2 * K * U - K * U, "N", VOCABULARY).items()
    assert constant == K
    assert growing(K * U - K * U, "N", VOCABULARY) == {}


def test_what_is_no_such_sum_is_not_told() -> None:
    E = exponential(sympy.S.One, VOCABULARY)
    for each in (power(N * E / (1 + E) + N**2), sympy.log(N), 1 / (1 + N)):
        with pytest.raises(Underivable):
            growing(each, "N", VOCABULARY)


def verdict(statement: Value, name: str = "noisy-majority-as-printed") -> str:
    [judgement] = judge_claims(load(name), Claims(name, Published("a", "a test", "a test", statement)))
    return judgement.verdict


@pytest.mark.parametrize(
    ("printed", "when", "expected"),
    [
        (f"{RATIO} - {A}", SOME, "true"),
        (f"{RATIO} - {A} + 1/N", SOME, "true"),
        (f"{RATIO} - {A} + exp(-N)*N**3", SOME, "true"),
        (f"{RATIO} - {A} + 1/1000", SOME, "false"),
        (f"{RATIO} - {A} + count('2')", SOME, "false"),
        (f"{RATIO} - {A} + count('2')", f"{SOME} and count('2') == 0", "true"),
        (f"{RATIO}", SOME, "false"),
        (f"-{A}", "count('0') + count('1') == 0", "false"),
        (f"exp(1)/(1 + exp(1) + count('2')) - {A}", "count('0') + count('1') == 0", "true"),
        (f"{RATIO} - {A}", "n >= 1", "unknown"),
        (f"{RATIO} - {A}", "n < 1", "unknown"),
    ],
)
def test_what_vanishes(printed: str, when: str, expected: str) -> None:
    assert verdict(Value(Logit("4"), printed, when, tends="N")) == expected


def test_a_limit_is_no_equation() -> None:
    assert verdict(Value(Logit("4"), f"{RATIO} - {A}", SOME)) == "false"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (Value(Logit("4"), "0", tends="M"), "tends: 'M' is no real parameter"),
        (Value(Logit("6"), "0"), "there is no output '6'"),
        (Value(Logit(), "0"), "there is no output None"),
        (Predicts("c > 0"), "uses c"),
    ],
)
def test_what_is_refused(statement: Value, said: str) -> None:
    with pytest.raises(ConstructionError, match=said):
        verdict(statement)


def test_a_recogniser_has_no_outputs_and_predicts_nothing() -> None:
    for statement in (Value(Logit("1"), "0"), Predicts()):
        with pytest.raises(ConstructionError, match=r"no output|predicts nothing"):
            verdict(statement, "one")  # type: ignore[arg-type]


def test_a_limit_of_a_coordinate_is_open() -> None:
    assert verdict(Value(Stream("x", 1), "N", tends="N")) == "unknown"
