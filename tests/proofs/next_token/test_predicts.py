"""Theorems about predicted tokens: proved, refuted with a word that is replayed, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.constructions.predicting.ranking import ranking
from weightproof.constructions.library import load
from weightproof.constructions.meaning import outputs
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import predict
from weightproof.constructions.meaning.schema import Linear
from weightproof.constructions.scalars.exact import Undecided
from weightproof.proofs.deciding import UNDECIDED
from weightproof.proofs.next_token import replaying
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.quantities import analysis
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.theorem import EVERYTHING, Decides, Predicts
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Result, Unknown

OUTWEIGHS = "exp(N + 1)*(count('1') - count('0')) > count('2')*(N*(1 + exp(1)) + exp(1)) + N*(1 + exp(1))**2"


def only(construction: Construction, theorem: Predicts, timeout: float = 20.0) -> Result:
    [result] = prove(construction, [theorem], timeout=timeout)
    return result


def replayed(construction: Construction, result: Result) -> Counterexample:
    """The word of a refutation, after which the exact interpreter predicts what is said."""
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    again = predict(construction, found.word, found.parameters)
    assert (again.token, again.decided and again.token == found.right) == (found.predicted, found.accepts)
    return found


def test_the_default_theorem() -> None:
    construction = ranking()
    [theorem] = default_theorems(construction)
    verdict = only(construction, theorem).verdict  # type: ignore[arg-type]
    assert isinstance(verdict, Proved)
    assert verdict.scope == "all lengths"


@pytest.mark.parametrize(
    "W",
    [
        Linear({"0": {"s": 1}, "1": {"s": -1}, "CLS": {}}, {"CLS": -1}),
        Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {}}, {"CLS": "1/100"}),
        Linear({"0": {}, "1": {"s": 1}, "CLS": {}}, {"CLS": "1/100", "1": "1/100"}),
        Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {"s": 1}}),
    ],
)
def test_wrong_weights_are_refuted(W: Linear) -> None:
    construction = ranking(W=W)
    found = replayed(construction, only(construction, Predicts("all", "a test")))
    assert not found.accepts
    assert found.right is not None


def test_a_tie_is_lost() -> None:
    """1 comes before CLS, so that it is predicted; but it is not alone."""
    construction = ranking(W=Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {"s": 1}}))
    found = replayed(construction, only(construction, Predicts("all", "a test")))
    assert (found.right, found.predicted, found.logit) == ("1", "1", "0")
    assert "another output is equal" in found.note


def test_a_margin_that_only_long_words_fall_below() -> None:
    """1/n falls below 1/20 beyond 20 positions."""
    construction = ranking(W=Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {}}, {"CLS": "1/20"}))
    assert isinstance(only(construction, Predicts("some", "a test", given="n < 20")).verdict, Proved)
    found = replayed(
        construction, only(construction, Predicts("all", "a test", given="n > 2 and count('0') + 1 == count('1')"))
    )
    assert len(found.word) >= 19


def test_where_it_is_exactly_right() -> None:
    construction = ranking(W=Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {}}, {"CLS": "1/2"}))
    where = {"0": "2*(count('0') - count('1')) > n", "1": "2*(count('1') - count('0')) > n"}
    assert isinstance(only(construction, Predicts("where", "a test", where)).verdict, Proved)
    for token, wrong in (
        ("1", "2*(count('1') - count('0')) >= n"),
        ("1", "3*(count('1') - count('0')) > n"),
        ("0", "count('0') - count('1') > n"),
        ("0", EVERYTHING),
    ):
        replayed(construction, only(construction, Predicts("where", "a test", {**where, token: wrong})))
    replayed(construction, only(construction, Predicts("never", "a test", {"0": where["0"]})))


def test_nothing_is_proved_of_no_words() -> None:
    verdict = only(ranking(), Predicts("none", "a test", given="n < 1")).verdict
    assert isinstance(verdict, Unknown)
    assert "vacuous" in verdict.reason
    one = only(ranking(), Predicts("only 0", "a test", given="count('0') > count('1')")).verdict
    assert isinstance(one, Proved)


@pytest.mark.parametrize(
    ("construction", "theorem", "said"),
    [
        (ranking(), Predicts("x", "a test", {"CLS": "n > 1"}), "'CLS' is never right"),
        (ranking(), Predicts("x", "a test", {"0": "c > 1"}), "where, '0'"),
        (ranking(), Predicts("x", "a test", given="1/(n - 2) > 0"), "has no value"),
        (ranking(labels={}, label=None), Predicts("x", "a test"), "does not say which token is right"),
        (ranking(), Predicts("x", "a test", up_to=0), "up_to is 0, not a number of positions"),
        (ranking(), Predicts("x", "a test", up_to="12"), "up_to is '12', not a number of positions"),  # type: ignore[arg-type]
        (load("one"), Predicts("x", "a test"), "predicts nothing"),
        (ranking(), Decides("x", "a test"), "reads out no logit; write a Predicts"),
    ],
)
def test_what_is_refused(construction: Construction, theorem: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        list(prove(construction, [theorem]))


def test_the_wall_finds_outputs_that_are_put_together_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each derived difference is held against the whole network's outputs."""

    def without_bias(construction: Construction, token: str, other: str | None = None) -> Construction:
        right = outputs.logit_difference(construction, token, other)
        network: Any = right.network
        W = Linear(network.readout.W.weights)
        return replace(right, network=replace(network, readout=replace(network.readout, W=W)))

    monkeypatch.setattr(analysis, "logit_difference", without_bias)
    with pytest.raises(InternalError, match=r"ranking, output .* the derived logit is"):
        only(ranking(), Predicts("all", "a test", given="n > 5"))


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("noisy-majority", {"4": EVERYTHING, "5": OUTWEIGHS.replace("(1 + exp(1))**2", "(1 + exp(1))")}),
        ("noisy-majority", {"4": EVERYTHING, "5": OUTWEIGHS.replace("exp(N + 1)", "exp(N)")}),
        ("noisy-majority", {"4": EVERYTHING, "5": EVERYTHING}),
        ("noisy-majority", {"4": "count('2') == 0", "5": OUTWEIGHS}),
        ("noisy-majority-as-printed", {"4": EVERYTHING, "5": OUTWEIGHS}),
        ("noisy-majority-silent-2", {"4": EVERYTHING, "5": OUTWEIGHS}),
    ],
)
def test_wrong_regions_are_refuted(name: str, where: dict[str, str]) -> None:
    replayed(load(name), only(load(name), Predicts("where", "a test", where)))


def test_what_no_run_decides_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some words that are run, that is enough."""
    theorem, seen = Predicts("right", "a test"), list[int]()

    def undecided_but_for(some: int) -> Any:
        def found(_: object, theorem: object, word: str, parameters: object) -> None:
            seen.append(len(word))
            if len(word) != some:
                raise Undecided("a sign is open")

        return found

    for some, expected in ((-1, UNDECIDED), (17, None)):
        monkeypatch.setattr(replaying, "certain_misprediction", undecided_but_for(some))
        assert replaying.require_true(Analysis(load("noisy-majority")), theorem) == expected
    assert {*seen} >= {*range(41)}


def test_no_larger_number_saves_the_published_network_from_noise() -> None:
    """The word may have another N each time, as far as a search comes: so this is a test, and stands in no table."""
    result = only(load("noisy-majority"), Predicts("everywhere", "a test", given="N >= 3"))
    assert replayed(load("noisy-majority"), result).word.count("2") > 0
