"""A transformer without feed-forward networks holds the states of random recurrent networks, exactly."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.proofs.machines.test_simulations_proved import SMALL
from weightproof.constructions.bhattamishra2020.no_feed_forward import rnn_without_feed_forward
from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.machines.deciding import simulation_diverges


@settings(max_examples=40, deadline=None)
@given(networks(), st.data())
def test_it_holds_every_state(rnn: RNN, data: st.DataObject) -> None:
    simulation = rnn_without_feed_forward(rnn)
    assert all(layer.feed_forward is None for layer in simulation.network.layers)
    assert simulation.network.encoder.layers == ()
    assert simulation_diverges(simulation, data.draw(st.text(rnn.alphabet, max_size=5))) is None


def test_without_its_third_layer_it_does_not() -> None:
    simulation = rnn_without_feed_forward(SMALL)
    first, second, _, last = simulation.network.layers
    cut = replace(simulation, network=replace(simulation.network, layers=(first, second, last)))
    assert any(simulation_diverges(cut, word) for word in ("", "a", "ab"))
