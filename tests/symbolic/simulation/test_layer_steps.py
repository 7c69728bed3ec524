"""What is recorded of a step of a simulator: the rule, the scores and the vectors that the paper speaks of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proofs.simulation.test_simulations_proved import SMALL
from weightproof.constructions.library import FAMILIES, simulation_of
from weightproof.constructions.machines.rnn import BEGIN
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.proofs.simulation.holding import HALVED
from weightproof.proofs.simulation.simulates import induction_steps
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.decoder import LayerStep
from weightproof.symbolic.simulation.polynomial import Polynomial

T, J, ONE = Polynomial.atom("t"), Polynomial.atom("j"), Polynomial.number(1)


def looked_up(network: EncoderDecoder, number: int) -> LayerStep:
    """The first layer, at the moment of that number, where the input holds t and 1."""
    moment = list(induction_steps(SMALL))[number].moment
    (layer,) = decoder.layer_steps(network, {"t": moment.step.index, "1": ONE}, {}, moment)
    return layer


@pytest.mark.parametrize("number", [1, -1])
def test_the_score_of_the_look_up_is_the_distance(number: int) -> None:
    layer = looked_up(simulation_of("rnn-by-encoder-decoder", SMALL).network, number)
    (look,) = layer.looks
    step = list(induction_steps(SMALL))[number].moment.step.index
    assert look.rule == "position"
    assert set(look.products.values()) == {J - step}
    assert set(layer.hidden) == {f"{kind} {unit}" for kind in ("new", "old") for unit in SMALL.units}


def test_a_changed_weight_changes_the_recorded_score() -> None:
    network = simulation_of("rnn-by-encoder-decoder", SMALL).network
    (layer,) = network.layers
    (head,) = layer.cross_heads
    doubled = replace(head, W_Q={"q1": {"t": 2}, "q2": {"1": 2}})
    changed = replace(network, layers=(replace(layer, cross_heads=(doubled,)),))
    assert set(looked_up(changed, 1).looks[0].products.values()) == {J + J - T - T}


def test_without_positions_a_mean_comes_first_and_then_the_token_that_has_grown() -> None:
    obligation = next(each for each in induction_steps(SMALL) if each.moment.token == SMALL.alphabet[0])
    before = {f"w before {token}": obligation.before[share(token)] for token in SMALL.tokens}
    network = simulation_of("rnn-by-directional", SMALL).network
    looks = [
        look
        for layer in decoder.layer_steps(network, {"2^-t": obligation.before[HALVED], **before}, {}, obligation.moment)
        for look in layer.looks
    ]
    assert [look.rule for look in looks] == ["mean", "token"]
    assert set(looks[0].products.values()) == {Polynomial()}
    assert looks[1].added == looks[1].values[obligation.moment.token]
    assert looks[1].products[BEGIN] == Polynomial() != looks[1].products[obligation.moment.token]


@pytest.mark.parametrize("family", FAMILIES)
def test_layers_pass_on_what_they_make(family: str) -> None:
    """Attended is the input of a layer and what its heads add; the next layer starts from the output."""
    network = simulation_of(family, SMALL).network
    moment = next(iter(induction_steps(SMALL))).moment
    vector = {name: Polynomial.number(int(name in ("1", "2^-t"))) for name in network.coordinates}
    start, layers = vector, decoder.layer_steps(network, vector, {}, moment)
    assert len(layers) == len(network.layers)
    for layer in layers:
        for name in network.coordinates:
            added = [look.added.get(name, Polynomial()) for look in layer.looks]
            assert layer.attended.get(name, Polynomial()) == sum(added, vector.get(name, Polynomial()))
        vector = dict(layer.output)
    assert decoder.step(network, start, {}, moment) == vector
