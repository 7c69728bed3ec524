"""Norms before sublayers and before the readout, by the root mean square, with gain and bias: closed forms of them are
what the interpreter runs, or they are refused by name."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

import weightproof as wp
from tests.symbolic.test_activations import MORE, balance
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Stream, Value
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, FeedForward, Head, LayerNorm, Linear, RootMeanSquare
from weightproof.constructions.scalars.values import difference
from weightproof.proofs.theorem import ClosedForm, Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import norms

GAIN, SHIFT = {"x": 1, "mean": 3, "y": "-2/3"}, {"x": "1/5", "y": 1}
SHIFTED = LayerNorm("1/7", gain=GAIN, bias=SHIFT)
SCALED = RootMeanSquare("1/9", gain=GAIN)
PLACES: dict[str, dict[str, Any]] = {
    "behind attention": {"attention_norm": SHIFTED},
    "behind the network": {"feed_forward_norm": SCALED},
    "before attention": {"attention_norm_before": SHIFTED},
    "before attention, by the root mean square": {"attention_norm_before": SCALED},
    "before the network": {"feed_forward_norm_before": SHIFTED},
    "before the network, by the root mean square": {"feed_forward_norm_before": SCALED},
    "before the readout": {"final_norm": SCALED},
    "before the readout, shifted": {"final_norm": SHIFTED},
    "everywhere": {
        "attention_norm_before": SCALED,
        "attention_norm": RootMeanSquare("1/2"),
        "feed_forward_norm_before": SHIFTED,
        "feed_forward_norm": LayerNorm(1, bias=SHIFT),
        "final_norm": SCALED,
    },
}
BITS = 256


def normed(position: str = "first", **parts: Any) -> Construction:
    """Means, squares, and these norms."""
    construction, final = balance("square"), parts.pop("final_norm", None)
    network = construction.encoder
    [layer] = network.layers
    units = FeedForward(Linear({"h": {"mean": 1, "y": 1}}, {"h": "1/3"}), Linear({"y": {"h": 1}}), "square")
    made = replace(layer, heads=(Head({"mean": {"x": 1}, "y": {"x": "1/2"}}),), feed_forward=units, **parts)
    embedding = Embedding(network.embedding.WE, {"mean": "1/3 + i/n"})
    readout = replace(network.readout, W=Linear({"logit": {"y": 1, "x": "1/4"}}, {"logit": "-3/7"}), position=position)
    return replace(
        construction,
        network=replace(network, embedding=embedding, layers=(made,), readout=readout, final_norm=final),
    )


def wrong(derived: Derivation) -> list[str]:
    """Words on which it is not what the interpreter runs, in balls."""
    construction = derived.construction
    words = ("".join(word) for length in range(4) for word in itertools.product("01", repeat=length))
    found = []
    for word in words:
        tokens = add_markers(construction.encoder, word)
        gap = difference(run(construction, word, bits=BITS).logit, evaluate_logit(derived, tokens, {}, BITS))
        if not abs(gap) < 1e-50:
            found.append(word)
    return found


@pytest.mark.parametrize("position", ["first", "sum", "mean"])
@pytest.mark.parametrize("place", PLACES)
def test_closed_forms_are_what_the_interpreter_runs(place: str, position: str) -> None:
    assert wrong(derive(normed(position, **PLACES[place]))) == []


def test_a_gain_that_is_left_out_and_a_mean_that_is_taken_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    scaled = norms._scaled
    monkeypatch.setattr(norms, "_scaled", lambda norm, *more: scaled(LayerNorm(norm.epsilon), *more))
    assert wrong(derive(normed(final_norm=SCALED)))
    monkeypatch.setattr(norms, "_scaled", scaled)
    monkeypatch.setattr("weightproof.symbolic.forward.normalised", scaled)
    assert wrong(derive(normed(final_norm=SCALED)))
    monkeypatch.undo()
    assert not wrong(derive(normed(final_norm=SCALED)))


@pytest.mark.parametrize("which", ["query_norm", "key_norm"])
def test_norms_of_queries_and_keys_are_refused_by_name(which: str) -> None:
    construction = normed()
    [layer] = construction.encoder.layers
    head = Head({"y": {"x": 1}}, {"q": {"mean": 1}}, {"q": {"x": 1}}, **{which: RootMeanSquare(1)})
    network = replace(construction.encoder, layers=(replace(layer, heads=(head,)),))
    with pytest.raises(Underivable, match=r"^layer 1: norms of queries and keys have no rule for closed forms$"):
        derive(replace(construction, network=network))


def test_decisions_behind_a_final_norm_are_proved_for_all_lengths() -> None:
    """It multiplies by a positive number, which leaves the sign of the logit; a gain below 0 turns it round."""

    def verdict(norm: RootMeanSquare) -> Any:
        construction = balance("identity")
        construction = replace(construction, network=replace(construction.encoder, final_norm=norm))
        [result] = wp.prove(construction, [Decides("said", "a test", accepts=MORE)])
        return result.verdict

    assert isinstance(verdict(RootMeanSquare(1, gain={"y": "1/3"})), Proved)
    found = verdict(RootMeanSquare(1, gain={"y": "-1/3"}))
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "0"


def test_a_formula_before_the_final_norm_is_judged_and_one_that_needs_more_coordinates_left_open() -> None:
    def verdict(of: Stream, value: str, **parts: Any) -> Any:
        claim = Published("said", "here", "it is so", Value(of, value, "n >= 1"))
        [result] = wp.prove(normed(**parts), [ClosedForm(claim)])
        return result.verdict

    mean = "(count('1') - count('0'))/n + 1/3 + i/n"
    assert isinstance(verdict(Stream("mean", 1), mean, final_norm=SCALED), Proved)
    assert isinstance(verdict(Stream("mean", 1), f"{mean} + 1", final_norm=SCALED), Refuted)
    found = verdict(Stream("h", 1, "activation"), "1", attention_norm=SCALED)
    assert isinstance(found, Unknown)
    assert "the prover does not know norms by the root mean square" in found.reason
