"""Heads that find their own position or step, and layers of encoders, against runs; and what is refused of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.proofs.simulation.test_simulations_proved import SMALL
from tests.symbolic.simulation.test_decoder import compare_steps, moment_of, opened, replace_head
from weightproof.constructions.bhattamishra2020 import components
from weightproof.constructions.library import simulation_of
from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import FeedForward, Head, LayerNorm, Linear
from weightproof.proofs.simulation.holding import Invariant
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import before
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.parts import Distance, Place, distance
from weightproof.symbolic.simulation.polynomial import Polynomial

__all__ = ["opened"]  # a fixture
POSITIONS: Invariant = {"t": "t", "1": "1"}
HALVES: Invariant = {"2^-t": "2^-t", "1": "1"}
MADE: dict[str, tuple[Callable[[RNN], Simulation], Invariant]] = {
    "complete": (components.complete, POSITIONS),
    "encoder heads find their position": (components.without_encoder_attention_residual, POSITIONS),
    "the encoder's residual is cut": (components.without_encoder_feed_forward_residual, HALVES),
    "decoder heads find their step": (components.without_decoder_attention_residual, POSITIONS),
    "the decoder's residual is cut": (components.without_decoder_feed_forward_residual, POSITIONS),
}


@pytest.mark.parametrize("what", MADE)
def test_a_symbolic_step_is_the_step_of_a_run(what: str, opened: dict[str, Polynomial]) -> None:
    made, invariant = MADE[what]

    @settings(max_examples=15, deadline=None)
    @given(networks(), st.data())
    def compare(rnn: RNN, data: st.DataObject) -> None:
        opened.clear()
        compare_steps(made(rnn), invariant, data.draw(st.text(rnn.alphabet, max_size=4)), opened)

    compare()


def test_dot_products_that_grow_with_the_step_find_it(opened: dict[str, Polynomial]) -> None:
    """As -2^-s does, in a directional transformer."""
    plain, invariant = simulation_of("rnn-by-directional", SMALL), invariant_of("rnn-by-directional", SMALL)
    first, second = plain.network.layers
    grows = Head(
        W_Q={"q": {"1": 1}},
        W_K={"q": {"2^-t": -1}},
        W_V={"own": {"2^-t": 1}},
        normaliser="hardmax",
        scale=1,
    )
    network = replace(plain.network, coordinates=(*plain.network.coordinates, "1", "own"), PE={"1": 1})
    simulation = replace(plain, network=network)
    invariant = {**invariant, "1": "1"}
    compare_steps(with_layers(simulation, replace(first, heads=(grows,)), second), invariant, "abba", opened)
    for W in ({"W_K": {"q": {"2^-t": 1}}}, {"W_Q": {"q": {"w before #": 1}}}):  # step 0; a query that is no number
        head = replace_head(grows, **W)
        with pytest.raises(Underivable, match="earlier steps"):
            run(with_layers(simulation, replace(first, heads=(head,)), second), invariant, 1)


def with_layers(simulation: Simulation, *layers: Any) -> Simulation:
    return replace(simulation, network=replace(simulation.network, layers=layers))


def run(simulation: Simulation, invariant: Invariant, step: int) -> dict[str, Polynomial]:
    """A step on a symbol."""
    obligation = moment_of(SMALL, [BEGIN, "a", "b", END], step)
    held = {name: obligation.before.get(said, Polynomial()) for name, said in invariant.items() if said != "1"}
    ones = {name: Polynomial.number(1) for name, said in invariant.items() if said == "1"}
    return decoder.step(simulation.network, {**held, **ones}, before(invariant, SMALL), obligation.moment)


def encoder_with(**parts: Any) -> Simulation:
    simulation = components.complete(SMALL)
    encoder = simulation.network.encoder
    [layer] = encoder.layers
    encoder = replace(encoder, layers=(replace(layer, **parts),))
    return replace(simulation, network=replace(simulation.network, encoder=encoder))


def decoder_with(**parts: Any) -> Simulation:
    simulation = components.complete(SMALL)
    [layer] = simulation.network.layers
    return with_layers(simulation, replace(layer, **parts))


def own_head(place: str, **parts: Any) -> Head:
    head = Head(
        W_Q={"q1": {place: 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {place: 1}},
        W_V={"1": {"1": 1}},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )
    return replace_head(head, **parts)


BOTH = FeedForward(Linear({"u": {"j": 1}}), Linear({"1": {"u": 1}}), "saturated-linear")
REFUSED = {
    "an encoder head of dot products": (encoder_with(heads=(own_head("j", score="dot"),)), "own position"),
    "an encoder head that looks one ahead": (
        encoder_with(heads=(own_head("j", W_Q={"q1": {"j": 1, "1": 1}, "q2": {"1": 1}}),)),
        "own position",
    ),
    "an encoder head whose scores read the token": (
        encoder_with(heads=(own_head("j", W_K={"q1": {"1": -1}, "q2": {"j": 1, "x1": 1}}),)),
        "own position",
    ),
    "an encoder head of softmax": (encoder_with(heads=(own_head("j", normaliser="softmax"),)), "softmax"),
    "a saturated position": (encoder_with(feed_forward=BOTH), "at every position"),
    "a norm in the encoder": (encoder_with(feed_forward_norm=LayerNorm()), "norms"),
    "a norm in the decoder": (decoder_with(attention_norm=LayerNorm()), "norms"),
    "a head that looks one step back": (
        decoder_with(heads=(own_head("t", W_Q={"q1": {"t": 1, "1": -1}, "q2": {"1": 1}}),)),
        "earlier steps",
    ),
    "a head that looks for a state": (
        decoder_with(heads=(own_head("t", W_K={"q1": {"1": -1}, "q2": {"h1": 1}}),)),
        "earlier steps",
    ),
    "a head that takes the mean of all steps": (
        decoder_with(heads=(own_head("t", W_Q={}, W_K={}, score="dot"),)),
        "earlier steps",
    ),
    "a head that takes the first step": (
        decoder_with(heads=(own_head("t", W_Q={"q1": {"1": 1}}, W_K={"q1": {"t": -1}}, score="dot"),)),
        "earlier steps",
    ),
    "a head that scores the other way": (decoder_with(heads=(own_head("t", scale=-1),)), "sign of the scale"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_rule_covers_is_underivable(what: str) -> None:
    simulation, says = REFUSED[what]
    with pytest.raises(Underivable, match=says):
        run(simulation, POSITIONS, 1)
    run(components.complete(SMALL), POSITIONS, 1)


def test_what_a_layer_writes_is_not_known_of_earlier_steps() -> None:
    """A second layer cannot find its step by a coordinate that the first one has changed at every step."""
    simulation = components.complete(SMALL)
    [layer] = simulation.network.layers
    behind = replace(layer, heads=(own_head("t"),), cross_heads=(), feed_forward=None)
    run(with_layers(simulation, layer, behind), POSITIONS, 1)
    assert layer.feed_forward is not None
    second = layer.feed_forward.second
    writes = replace(layer.feed_forward, second=Linear({**second.weights, "t": {"new h1": 1}}, second.bias))
    [cut] = components.without_decoder_attention_residual(SMALL).network.layers
    for first in (replace(layer, feed_forward=writes), cut):
        with pytest.raises(Underivable, match="earlier steps"):
            run(with_layers(simulation, first, behind), POSITIONS, 1)


def test_distances() -> None:
    here = Place.called("t")
    s, t = Polynomial.atom("s"), here.index
    three = Polynomial.number(-3)
    assert distance(three * (s - t), here, "s") == Distance(fmpq(-3), False)
    assert distance(three * (Polynomial.atom("2^-s") - here.halved), here, "s") == Distance(fmpq(-3), True)
    for score in (Polynomial(), s, s - t + Polynomial.number(1), Polynomial.atom("h") * (s - t), s - here.halved):
        assert distance(score, here, "s") is None
