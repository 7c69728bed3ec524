"""The transformer without feed-forward networks, whose invariant tells step 0 apart: what is changed is not proved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq

from tests.support.changes import changed_weights
from weightproof.constructions.bhattamishra2020.no_feed_forward import rnn_without_feed_forward
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Linear
from weightproof.proofs.changes import weights
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.simulation.components import simulates
from weightproof.proofs.simulation.deciding import decide_simulation, simulation_diverges
from weightproof.proofs.theorems.bhattamishra2020 import components as stated

RATIONAL = numbered(
    every_rnn(1, 1, 2), {"f_begin_x1": "1/2", "f_a_x1": "3/4", "f_b_x1": -1, "W_h1_h1": "1/2", "W_h1_x1": 1}
)
"""Its unit gets less than 0, more than 1, and what is between."""


@pytest.mark.controls
def test_no_changed_weight_is_proved_that_a_run_shows_to_be_wrong() -> None:
    """Of the one without feed-forward networks, every third change; most of them are refuted."""
    whole = rnn_without_feed_forward(RATIONAL)
    assert decide_simulation(whole, stated.step_0_apart(RATIONAL)).gap is None
    refuted, proved = 0, 0
    for place, what, network in changed_weights(weights(whole.network), one_of=3):
        wrong = replace(whole, network=network)
        decided = decide_simulation(wrong, stated.step_0_apart(RATIONAL))
        seen = [simulation_diverges(wrong, word) for word in ("", "a", "b", "aa", "ab", "ba", "aab")]
        assert decided.gap is not None or not any(seen), (place, what)
        proved, refuted = proved + (decided.gap is None), refuted + (decided.counterexample is not None)
    assert refuted > 2 * proved > 0


def test_a_wrong_weight_without_feed_forward_networks_stays_open_for_every_network() -> None:
    def made(rnn: RNN) -> Simulation:
        plain = rnn_without_feed_forward(rnn)
        feedback = Linear({**plain.network.feedback.weights, "later": {"1": 2}})
        return replace(plain, network=replace(plain.network, feedback=feedback))

    decided = simulates("wrong", made, stated.step_0_apart).decided(Deadline.after(60))
    assert decided.gap is not None
    assert "'later' is 2, not 1" in decided.gap[1]


def test_nothing_is_said_of_states_that_are_put_in_before_step_0() -> None:
    """There the value of step 0 is no 0; the invariant tells it apart, and what is put in later is simulated."""
    simulation = rnn_without_feed_forward(RATIONAL)
    assert simulation_diverges(simulation, "bb", 0, {"h1": fmpq(1)}) is not None
    for at in range(1, 6):
        assert simulation_diverges(simulation, "bb", at, {"h1": fmpq(1)}) is None
