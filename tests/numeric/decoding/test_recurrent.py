"""Recurrent networks in PyTorch against their exact states, and against fractions rounded one operation at a time."""

from __future__ import annotations

import itertools

import pytest
from flint import fmpq
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import machines, networks
from tests.numeric.decoding.naive import Naive
from weightproof.constructions.library import network_of
from weightproof.constructions.machines.rnn import RNN, read, states
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.numeric.decoding.networks import RecurrentNetwork
from weightproof.numeric.rounding.formats import FORMATS

KINDS = ("strict", "explicit")


def rounded_states(network: RNN, word: str, dtype: str, steps: int) -> list[list[float]]:
    """W_h h, then W_x x, then b."""
    naive, found = Naive(FORMATS[dtype], {}), []
    h = dict.fromkeys(network.units, 0.0)
    for token in itertools.islice(read(network, word), steps):
        x = naive.row(network.embedding.WE.get(token, {}), network.inputs)
        recurring, entering = naive.rows(network.W_h.weights, h), naive.rows(network.W_x.weights, x)
        b = naive.row(network.W_x.bias, network.units)
        h = {
            unit: min(max(naive.add([recurring.get(unit, 0.0), entering.get(unit, 0.0), b[unit]]), 0.0), 1.0)
            for unit in network.units
        }
        found.append([*h.values()])
    return found


@pytest.mark.parametrize("dtype", FORMATS)
@settings(max_examples=25, phases=[Phase.generate])
@given(networks(), st.data())
def test_strict_is_each_operation_rounded(dtype: str, network: RNN, data: st.DataObject) -> None:
    word = data.draw(st.text(network.alphabet, max_size=4))
    found = RecurrentNetwork(network, dtype, attention="strict")([word], 8)[0].tolist()
    assert found == rounded_states(network, word, dtype, 8)


@settings(max_examples=15, phases=[Phase.generate])
@given(machines().filter(lambda machine: len(machine.symbols) in (2, 4)), st.data())
def test_machines_in_a_base_that_is_a_power_of_two_are_run_exactly(machine: TuringMachine, data: st.DataObject) -> None:
    network = network_of(machine).rnn
    word = data.draw(st.text(machine.alphabet, max_size=4))
    wanted = [[h[unit] for unit in network.units] for h in itertools.islice(states(network, word), 40)]
    for kind in KINDS:
        found = RecurrentNetwork(network, attention=kind)([word], 40)[0].tolist()
        assert [[fmpq(*x.as_integer_ratio()) for x in row] for row in found] == wanted


def test_what_cannot_be_run_is_refused() -> None:
    network = RNN("none", ("a",), ("h",), ("x",), Embedding({"a": {}}), Linear(), Linear())
    with pytest.raises(InputError, match="unknown dtype"):
        RecurrentNetwork(network, "float12")
    for words, says in ((["a", "aa"], "of one length"), (["b"], "not in the alphabet")):
        with pytest.raises(InputError, match=says):
            RecurrentNetwork(network)(words, 1)
