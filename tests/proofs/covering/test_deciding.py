"""Theorems up to a length, decided by sets of words: as every word, run, says."""

from __future__ import annotations

import dataclasses
import itertools
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.proofs.covering.random_networks import encoder
from tests.proofs.covering.trained import TRAINED
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
)
from weightproof.proofs import deciding as of_all
from weightproof.proofs.covering import deciding, searching
from weightproof.proofs.covering.deciding import by_covering
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.running.every import Decided, every_word
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown, Verdict


def covered(construction: Construction, theorem: Decides) -> Verdict | None:
    return by_covering(Decided(Analysis(construction), theorem), Deadline.after(60))[0]


def kinds(verdict: Verdict | None) -> str:
    return "open" if verdict is None else verdict.name


@pytest.mark.parametrize("seeds", [range(0, 30)])
def test_no_verdict_is_another_than_that_of_every_word(seeds: range) -> None:
    found = []
    for seed in seeds:
        construction = encoder(Random(seed))
        theorem = Decides("drawn", "drawn", up_to=6, strict=seed % 3 == 0)
        run, by_sets = every_word(Analysis(construction), theorem, 1 << 14), covered(construction, theorem)
        if by_sets is not None and not isinstance(run, Unknown) and not isinstance(by_sets, Unknown):
            assert kinds(by_sets) == kinds(run), seed
        if isinstance(by_sets, Refuted) and isinstance(run, Refuted):
            assert len(by_sets.counterexample.word) == len(run.counterexample.word), seed
        found.append(kinds(by_sets))
    assert found.count("refuted") > 15


def test_a_trained_network_is_right_up_to_a_length_and_not_beyond() -> None:
    """2^24 words and more, none of which is run."""
    verdict = covered(TRAINED, Decides("majority", "accepts MAJ", up_to=25))
    assert isinstance(verdict, Proved)
    assert (verdict.scope, verdict.evidence) == ("n <= 25", Evidence.COVERING)
    assert verdict.covered is not None
    assert verdict.covered.words == 2**25 - 1
    assert verdict.covered.run < 100
    assert verdict.covered.margin is not None
    assert float(verdict.covered.margin) > 0


def test_the_shortest_wrong_word_is_found_where_nothing_is_known_of_all() -> None:
    (result,) = prove(TRAINED)
    verdict = result.verdict
    assert isinstance(verdict, Refuted)
    assert verdict.right_up_to == 41
    assert len(verdict.counterexample.word) == 41
    assert verdict.counterexample.member
    assert not verdict.counterexample.accepts


def test_where_no_wrong_word_is_found_the_length_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "MOST_POSITIONS", 20)
    monkeypatch.setattr(of_all, "_by_automata", lambda *_: "")  # a solver finds a word of 41 symbols
    (result,) = prove(TRAINED)
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.reason.endswith("; every word of n <= 20 positions is right, by covering")


def test_margins_are_those_of_words() -> None:
    """The least |logit| of all words up to a length is no less than what the sets say, and not much more."""
    construction = TRAINED
    analysis, margins = Analysis(construction), []
    for length in range(8):
        for word in itertools.product(construction.alphabet, repeat=length):
            margins.append(abs(float(analysis.run(word, {}, 128).logit.mid())))  # type: ignore[union-attr]
    verdict = covered(construction, Decides("majority", "accepts MAJ", up_to=8))
    assert isinstance(verdict, Proved)
    assert verdict.covered is not None
    assert 0 < float(verdict.covered.margin or 0) <= min(margins)


@pytest.mark.parametrize("factor", ["0", "-1", "1/2"])
def test_changed_weights_are_refuted_or_right(factor: str) -> None:
    """As every word says."""
    construction = TRAINED
    readout = construction.encoder.readout
    name, weight = next(iter(readout.W.weights["logit"].items()))
    changed = {"logit": {**readout.W.weights["logit"], name: f"({weight})*({factor})"}}
    network = dataclasses.replace(
        construction.encoder,
        readout=dataclasses.replace(readout, W=dataclasses.replace(readout.W, weights=changed)),
    )
    other = dataclasses.replace(construction, network=network)
    theorem = Decides("majority", "accepts MAJ", up_to=10)
    assert kinds(covered(other, theorem)) == kinds(every_word(Analysis(other), theorem, 1 << 14))


def test_with_parameters_nothing_is_covered() -> None:
    construction = dataclasses.replace(TRAINED, parameters=(Parameter("c", "c > 0", "1"),))
    assert covered(construction, Decides("majority", "accepts MAJ", up_to=5)) is None


def test_a_hypothesis_that_no_word_satisfies_proves_nothing() -> None:
    verdict = covered(TRAINED, Decides("majority", "accepts MAJ", given="count('1') > n", up_to=5))
    assert isinstance(verdict, Unknown)


def test_a_word_that_is_wrong_where_intervals_say_right_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(searching.SIGNS, "positive", lambda low, high: np.ones_like(low, dtype=np.bool_))
    with pytest.raises(InternalError, match="right by intervals, wrong when run"):
        covered(TRAINED, Decides("never", "accepts nothing", accepts="count('1') > n + 1 or count('1') == 0", up_to=4))


def test_a_formula_without_a_value_on_some_word_is_not_covered() -> None:
    assert covered(TRAINED, Decides("divided", "accepts", accepts="1/count('1') < 1", up_to=5)) is None


def assert_words_with_b_have_no_value(network: Encoder) -> None:
    """And all others are accepted."""
    language = Language("ALL", ("a", "b"), lambda word: True, "n >= 1")
    construction, theorem = Construction("norms", "", "", language, network), Decides("all", "all", up_to=4)
    for verdict in (covered(construction, theorem), every_word(Analysis(construction), theorem, 1 << 14)):
        assert isinstance(verdict, Refuted)
        assert verdict.counterexample.word == "b"
    right = dataclasses.replace(theorem, given="count('b') == 0")
    assert isinstance(covered(construction, right), Proved)


READ, NOTHING = {"z": {"x": 1}}, {"z": {}}
WITHOUT_VALUE: dict[str, Layer] = {
    "seen by nobody that is read": Layer((Head(READ, mask="causal", scale=1),)),
    "read by nobody": Layer((), FeedForward(Linear({"h": {"x": 1}}), Linear({"z": {"h": 1}}))),
    "with values that are 0": Layer((Head(NOTHING, scale=1),)),
    "not the greatest": Layer((Head(READ, {"q": {"x": 1}}, {"q": {"x": 1}}, normaliser="hardmax", scale=1),)),
}


@pytest.mark.parametrize("where", WITHOUT_VALUE)
@pytest.mark.parametrize("kind", [LayerNorm, RootMeanSquare])
@pytest.mark.parametrize("before", [False, True])
def test_a_position_whose_norm_has_no_value_leaves_the_word_without_one(
    where: str, kind: type[LayerNorm | RootMeanSquare], before: bool
) -> None:
    """Though nothing of it reaches the readout: "b" is 0 at its position."""
    if before:
        first = Layer((Head(NOTHING, scale=1),), attention_norm_before=kind(0))
    else:
        first = Layer((), FeedForward(Linear({"h": {"x": 1}}), Linear(NOTHING)), feed_forward_norm=kind(0))
    network = Encoder(
        ("x", "y", "z"),
        Embedding({"a": {"x": 1, "y": -1}, "b": {}, "CLS": {"x": 1}}),
        (first, WITHOUT_VALUE[where]),
        Readout(Linear({"logit": {"x": 1}}, {"logit": 5})),
    )
    assert_words_with_b_have_no_value(network)


@pytest.mark.parametrize("norm", ["query_norm", "key_norm"])
def test_a_head_whose_norm_has_no_value_at_a_position_leaves_the_word_without_one(norm: str) -> None:
    """Though nothing reads what the last layer makes of that position."""
    norms: dict[str, Any] = {norm: RootMeanSquare(0)}
    head = Head(READ, {"q": {"x": 1}}, {"q": {"x": 1}}, mask="causal", scale=1, **norms)
    network = Encoder(
        ("x", "z"),
        Embedding({"a": {"x": 1}, "b": {}, "CLS": {"x": 1}}),
        (Layer((head,)),),
        Readout(Linear({"logit": {"x": 1}}, {"logit": 5})),
    )
    assert_words_with_b_have_no_value(network)
