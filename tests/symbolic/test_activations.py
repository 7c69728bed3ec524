"""Units of every activation: derived as the interpreter runs them, or refused by the name of the activation."""

from __future__ import annotations

import itertools
from dataclasses import replace
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
    [result] = wp.prove(balance(activation), [Decides("said", "a test", accepts=accepts)])
    return result.verdict


@pytest.mark.parametrize("activation", [each for each in get_args(Activation) if each not in CURVES])
def test_closed_forms_are_what_the_interpreter_runs(activation: Activation) -> None:
    construction = balance(activation)
    derived = derive(construction)
    for length in range(5):
        for word in map("".join, itertools.product("01", repeat=length)):
            tokens = add_markers(construction.encoder, word)
            assert evaluate_logit(derived, tokens, {}) == run(construction, word).logit, word


GATE = Linear({"h": {"x": 1, "mean": -2}}, {"h": "1/3"})


def gated(activation: Activation) -> Construction:
    """The unit of the balance, which the gate opens, and beside it one of the opposite gate."""
    construction = balance(activation)
    [layer] = construction.encoder.layers
    opposite = {**GATE.weights, "k": {"x": -1, "mean": 2}}
    units = FeedForward(
        Linear({"h": {"mean": 1}, "k": {"mean": 1}}),
        Linear({"y": {"h": 1, "k": -1}}),
        activation,
        gate=Linear(opposite, {"h": "1/3", "k": "-1/3"}),
    )
    network = replace(construction.encoder, layers=(replace(layer, feed_forward=units),))
    return replace(construction, network=network)


@pytest.mark.parametrize("activation", [each for each in get_args(Activation) if each not in CURVES])
def test_behind_a_gate_closed_forms_are_what_the_interpreter_runs(activation: Activation) -> None:
    construction = gated(activation)
    derived = derive(construction)
    for length in range(5):
        for word in map("".join, itertools.product("01", repeat=length)):
            tokens = add_markers(construction.encoder, word)
            assert evaluate_logit(derived, tokens, {}) == run(construction, word).logit, word


def test_a_product_that_is_left_out_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    construction, applied = gated("square"), feedforward._applied
    units = construction.encoder.layers[0].feed_forward
    assert units is not None
    monkeypatch.setattr(feedforward, "_applied", lambda _, *more: applied(units.gate, *more))
    assert evaluate_logit(derive(construction), ("CLS", "0"), {}) != run(construction, "0").logit


def test_identity_and_size_are_proved_for_all_lengths() -> None:
    assert isinstance(verdict("identity", MORE), Proved)
    assert isinstance(verdict("abs", "count('1') != count('0')"), Proved)
    found = verdict("abs", MORE)
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "0"


@pytest.mark.parametrize("activation", CURVES)
def test_a_curve_has_no_closed_form_and_the_line_names_it(activation: Activation) -> None:
    with pytest.raises(Underivable, match=f"^layer 1, feed-forward network: {activation} has no rule") as refused:
        derive(balance(activation))
    assert "\n" not in str(refused.value)
    found = verdict(activation, MORE)
    assert isinstance(found, Unknown)
    assert activation in found.reason


def test_a_unit_whose_argument_is_0_is_not_taken_for_one_that_adds_nothing() -> None:
    construction = balance("sigmoid")
    [layer] = construction.encoder.layers
    units = FeedForward(Linear({"h": {}}), Linear({"y": {"h": 1}}), "sigmoid")
    network = replace(construction.encoder, layers=(replace(layer, feed_forward=units),))
    with pytest.raises(Underivable, match="sigmoid has no rule"):
        derive(replace(construction, network=network))


def test_a_size_that_is_none_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    positive = feedforward._positive
    monkeypatch.setattr(feedforward, "_positive", lambda x, *more, keep: positive(x, *more, keep=keep).scaled(2))
    construction = balance("abs")
    derived = derive(construction)
    assert evaluate_logit(derived, ("CLS", "0"), {}) != run(construction, "0").logit
