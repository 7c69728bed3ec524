"""Units of every activation: derived as the interpreter runs them, or refused by the name of the activation."""

from __future__ import annotations

import itertools
from typing import Any, get_args

import pytest

import weightproof as wp
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import (
    Activation,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import feedforward

CURVES = ("tanh", "sigmoid", "silu", "gelu", "gelu-tanh")
MORE = "count('1') > count('0')"


def balance(activation: Activation) -> Construction:
    """The mean of +1 for each 1 and -1 for each 0, through a unit; less the sigmoid of 0."""
    network = Encoder(
        coordinates=("x", "mean", "y"),
        embedding=Embedding({"0": {"x": -1}, "1": {"x": 1}, "CLS": {}}),
        layers=(
            Layer(
                (Head({"mean": {"x": 1}}),),
                FeedForward(Linear({"h": {"mean": 1}}), Linear({"y": {"h": 1}}), activation),
            ),
        ),
        readout=Readout(Linear({"logit": {"y": 1}}, {"logit": "-1/2"} if activation == "sigmoid" else {})),
    )
    language = Language("MORE", ("0", "1"), lambda word: word.count("1") > word.count("0"), MORE)
    return Construction("balance", "b", "a test", language, network)


def verdict(activation: Activation, accepts: str) -> Any:
    [result] = wp.prove(balance(activation), [Decides("said", "a test", accepts=accepts)], timeout=20)
    return result.verdict


@pytest.mark.parametrize("activation", [each for each in get_args(Activation) if each not in CURVES])
def test_closed_forms_are_what_the_interpreter_runs(activation: Activation) -> None:
    construction = balance(activation)
    derived = derive(construction)
    for length in range(5):
        for word in map("".join, itertools.product("01", repeat=length)):
            tokens = add_markers(construction.encoder, word)
            assert evaluate_logit(derived, tokens, {}) == run(construction, word).logit, word


def test_identity_and_size_are_proved_for_all_lengths() -> None:
    assert isinstance(verdict("identity", MORE), Proved)
    assert isinstance(verdict("abs", "count('1') != count('0')"), Proved)
    found = verdict("abs", MORE)
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "0"


@pytest.mark.parametrize("activation", CURVES)
def test_a_curve_has_no_closed_form_and_the_line_names_it(activation: Activation) -> None:
    with pytest.raises(
        Underivable, match=f"^layer 1, feed-forward network, unit h: {activation} has no rule"
    ) as refused:
        derive(balance(activation))
    assert "\n" not in str(refused.value)
    found = verdict(activation, MORE)
    assert isinstance(found, Unknown)
    assert activation in found.reason


def test_a_size_that_is_none_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    positive = feedforward._positive
    monkeypatch.setattr(feedforward, "_positive", lambda x, *more, keep: positive(x, *more, keep=keep).scaled(2))
    construction = balance("abs")
    derived = derive(construction)
    assert evaluate_logit(derived, ("CLS", "0"), {}) != run(construction, "0").logit
