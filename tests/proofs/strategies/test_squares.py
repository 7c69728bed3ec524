"""Scales that are left in a logit: what is shown by their squares, and that nothing is shown that is not so."""

from __future__ import annotations

from itertools import product

import pytest
import sympy
from flint import fmpq
from sympy.core.function import AppliedUndef

from weightproof.constructions.chiang2022.transformed import EXACTLY, FIRST_REPAIRED, GROWING, NORMALISED
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs.prove import proofs, prove
from weightproof.proofs.solving.logic import Formula, Rel
from weightproof.proofs.strategies import squares
from weightproof.proofs.theorem import Compares, Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.linear import Form
from weightproof.symbolic.algebra.vocabulary import is_power_of_e, n
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.forward import derive

SCALED = transformed(load("first"), (*GROWING, *NORMALISED))
ACCEPTED, REJECTED = "w[1] == '1'", "w[1] == '0'"
RECOGNISES = Decides("recognises", "accepts exactly the words that start with 1")


def verdict(construction: Construction, theorem: Compares | Decides, timeout: float = 20.0) -> Verdict:
    [result] = prove(construction, [theorem], timeout=timeout)
    return result.verdict


def test_a_positive_logit_is_more_than_a_negative_value() -> None:
    assert isinstance(verdict(SCALED, Compares(">", "-1", ACCEPTED)), Proved)


@pytest.mark.parametrize(
    "theorem",
    [
        Compares(">=", "1/4", ACCEPTED),
        Compares(">", "1/4", "n >= 1", given="epsilon <= 1/2"),
        Compares("<=", "-4/5", REJECTED, given="epsilon <= 1/1000"),
    ],
    ids=str,
)
def test_a_wrong_bound_is_refuted(theorem: Compares) -> None:
    assert isinstance(verdict(SCALED, theorem), Refuted)


@pytest.mark.parametrize(
    "theorem",
    [
        Compares(">=", "2/5", ACCEPTED, given="epsilon <= 1/2"),  # true: 0.42, which takes more than n^r >= n
        Compares(">=", "1/4", ACCEPTED, given="epsilon <= 3/4"),  # false, of words beyond those that are tried
        Compares("==", "1/4", "n > 10**9"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("little_search")
def test_what_the_squares_do_not_show_is_open(theorem: Compares) -> None:
    assert isinstance(verdict(SCALED, theorem, timeout=4.0), Unknown)


def test_a_power_of_n_is_compared_with_whole_powers_alone() -> None:
    """Beyond the last of them nothing is gained: the cases are r < 1, 1 <= r < 2, 2 <= r < 3 and 3 <= r."""
    [proof] = proofs(SCALED, [Compares(">=", "1/4", ACCEPTED, given="epsilon <= 3/10")])
    assert isinstance(proof.result.verdict, Proved)
    shown = [closed.obligation for closed in proof.closed if closed.obligation.name.startswith("case")]
    relations = [relation.expression for item in shown for relation in item.relations]
    power_of_e = {atom for relation in relations for atom in relation.atoms(AppliedUndef) if is_power_of_e(atom)}
    [power] = power_of_e
    assert {sympy.degree(power - each, n) for each in relations if each.has(power)} == {0, 1, 2, 3}


EPSILONS = ("0", "1/10", "3/10", "1/2")
WORDS = ("0", "1", "01", "10", "11", "100", "0110")


def met_by_words(theorem: Compares) -> list[bool]:
    """Of each obligation whose hypotheses about the word hold: whether one of the cases does that n^r may fall in, and
    whether all of it that such a case says holds, its goal included; at the exact values of the scales, in balls."""
    derivation = derive(SCALED)
    items = list(squares.by_squares(derivation, theorem, derivation.vocabulary.words()))
    found = []
    for symbols, epsilon in product(WORDS, EPSILONS):
        values = parameter_values(SCALED, {"epsilon": epsilon})
        word = Word(derivation.vocabulary, add_markers(network(), symbols), values, derivation.scales)
        spoken_of = [item for item in items if all(holds(form, word) for form in item.context.constraints)]
        cases = [item for item in spoken_of if all(true(rel, word) for rel in item.relations)]
        if spoken_of and sign(word.expression(sympy.Symbol("epsilon", real=True)) - fmpq(3, 10)) <= 0:
            found.append(len(cases) > 0 and all(true(item.goal, word) for item in cases))
    return found


def network() -> Encoder:
    assert isinstance(SCALED.network, Encoder)
    return SCALED.network


def holds(form: Form, word: Word) -> bool:
    return sign(word.expression(form.expression())) >= 0


def true(rel: Formula, word: Word) -> bool:
    assert isinstance(rel, Rel)
    value = ball(word.expression(rel.expression))
    return bool(value > 0 if rel.op == ">" else not value < 0)


BOUND = Compares(">=", "1/4", ACCEPTED, given="epsilon <= 3/10")


def test_some_case_holds_of_every_word_and_its_goal_with_it() -> None:
    met = met_by_words(BOUND)
    assert len(met) > 10
    assert all(met)


@pytest.mark.parametrize("factor", ["1/100", "100"])
def test_with_a_wrong_square_that_is_not_so(monkeypatch: pytest.MonkeyPatch, factor: str) -> None:
    right = squares.square_of
    monkeypatch.setattr(squares, "square_of", lambda *given: right(*given).scaled(sympy.Rational(factor)))
    assert not all(met_by_words(BOUND))


@pytest.mark.controls
def test_a_sum_of_different_scales_has_no_square_of_known_terms() -> None:
    """(R5 + 2 R3 e^x)^2 has R3 R5 in it, of which the square is known, and not the value."""
    repaired = transformed(load("first"), (FIRST_REPAIRED, *NORMALISED))
    found = verdict(repaired, Compares("<=", "-1/1000000", REJECTED, given="epsilon <= 1/10 and n <= 5"), timeout=15.0)
    assert isinstance(found, Unknown)
    assert "an odd power of the scale" in found.reason


REPAIRED = [(FIRST_REPAIRED, *NORMALISED), (FIRST_REPAIRED, *EXACTLY)]


@pytest.mark.controls
@pytest.mark.parametrize("asked", REPAIRED, ids=["every epsilon", "epsilon = 0"])
def test_scales_that_are_added_up_are_compared_too(asked: tuple[str, ...]) -> None:
    """2 R3 e^(c R5 R3) > R5, as e^x > 1 for x > 0, and 4/R5^2 > 1/R3^2."""
    repaired = transformed(load("first"), asked)
    assert isinstance(verdict(repaired, RECOGNISES), Proved)
    assert sign(run(repaired, "", bits=256).logit) < 0


@pytest.mark.parametrize("to", ["1/4", "-1"])
def test_another_weight_in_its_stead_is_refuted(to: str) -> None:
    """A positive one accepts the empty word; a large one rejects words that start with 1, for some c."""
    changed = transformed(load("first"), (FIRST_REPAIRED.replace("to=-1/4", f"to={to}"), *NORMALISED))
    found = verdict(changed, RECOGNISES)
    assert isinstance(found, Refuted)
    counterexample = found.counterexample
    again = run(changed, counterexample.word, counterexample.parameters, counterexample.bits)
    assert (sign(again.logit) > fmpq(0)) != counterexample.member
