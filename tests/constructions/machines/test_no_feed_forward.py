"""A transformer without feed-forward networks holds the states of random recurrent networks, exactly."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.proofs.simulation.test_simulations_proved import SMALL
from weightproof.constructions.bhattamishra2020.no_feed_forward import rnn_without_feed_forward
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.simulation.deciding import simulation_diverges


@settings(max_examples=40, deadline=None)
@given(networks(), st.data())
def test_it_holds_every_state(rnn: RNN, data: st.DataObject) -> None:
    simulation = rnn_without_feed_forward(rnn)
    assert all(layer.feed_forward is None for layer in simulation.network.layers)
    assert simulation.network.encoder.layers == ()
    assert simulation_diverges(simulation, data.draw(st.text(rnn.alphabet, max_size=5))) is None


def test_a_block_has_one_head_at_most() -> None:
    layers = rnn_without_feed_forward(SMALL).network.layers
    assert all(len(layer.heads) <= 1 and len(layer.cross_heads) <= 1 for layer in layers)


@pytest.mark.parametrize("gone", range(4))
def test_without_one_of_its_layers_it_does_not(gone: int) -> None:
    """Of a network whose unit gets less than 0, more than 1, and what is between."""
    rnn = numbered(every_rnn(1, 1, 2), {"f_a_x1": "3/4", "f_b_x1": -1, "W_h1_h1": "1/2", "W_h1_x1": 1})
    simulation = rnn_without_feed_forward(rnn)
    layers = simulation.network.layers
    cut = replace(simulation, network=replace(simulation.network, layers=(*layers[:gone], *layers[gone + 1 :])))
    assert any(simulation_diverges(cut, word) for word in ("a", "aa", "ab"))
