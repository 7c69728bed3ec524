"""How far rounding can take a recurrent network: bounds that hold of every run, and that find what is wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import machines, networks
from weightproof.constructions.library import network_of
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.rnn import RNN, states
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.schema import Linear
from weightproof.numeric.decoding.networks import RecurrentNetwork
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.simulation.certificate import bounds
from weightproof.numeric.simulation.search import Runs, certain, certified, departures, search, simulator

STEPS = 12


def shipped(name: str) -> MachineNetwork:
    machine = find_machine(name)
    assert machine is not None
    return network_of(machine)


def outside(network: RNN, word: str, dtype: str, forgotten: str = "") -> list[tuple[int, str, str]]:
    """Where what is computed, in two orders of summation, is farther from the exact number than the bound says;
    forgotten: a bound that is taken to be 0."""
    found = []
    exact = list(itertools.islice(states(network, word), STEPS))
    bound = list(itertools.islice(bounds(network, [word], FORMATS[dtype]), STEPS))
    for kind in ("strict", "explicit"):
        computed = RecurrentNetwork(network, dtype, attention=kind)([word], STEPS)[0].double().tolist()
        for step, unit in itertools.product(range(STEPS), range(len(network.units))):
            wanted = exact[step][network.units[unit]]
            true = Fraction(int(wanted.p), int(wanted.q))  # type: ignore[union-attr]
            h = replace(bound[step], **({forgotten: np.zeros_like(bound[step].off)} if forgotten else {}))
            if abs(Fraction(computed[step][unit]) - true) > Fraction(float(h.off[0, unit])):
                found.append((step, network.units[unit], kind))
            if abs(Fraction(float(h.beside[0, unit])) - true) > Fraction(float(h.beside_off[0, unit])):
                found.append((step, network.units[unit], "beside"))
    return found


@pytest.mark.parametrize("dtype", FORMATS)
@settings(max_examples=40, phases=[Phase.generate])
@given(networks(), st.data())
def test_no_run_is_farther_off_than_its_bound(dtype: str, network: RNN, data: st.DataObject) -> None:
    assert outside(network, data.draw(st.text(network.alphabet, max_size=6)), dtype) == []


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("name", SHIPPED)
def test_nor_is_that_of_a_shipped_machine(name: str, dtype: str) -> None:
    network = shipped(name).rnn
    assert outside(network, network.alphabet[-1] * 4, dtype) == []


@pytest.mark.parametrize("forgotten", ["beside_off", "off"])
def test_a_bound_that_is_forgotten_is_noticed(forgotten: str) -> None:
    """The comparison can fail."""
    network = shipped("increment").rnn
    assert outside(network, "11", "float32") == []
    assert outside(network, "11", "float32", forgotten) != []


@settings(max_examples=25, phases=[Phase.generate])
@given(machines(), st.sampled_from(("float16", "bfloat16", "float32")), st.data())
def test_where_it_is_certain_nothing_departs(machine: TuringMachine, dtype: str, data: st.DataObject) -> None:
    """Whatever the order of summation."""
    network = network_of(machine)
    word = data.draw(st.text(machine.alphabet, max_size=4))
    runs = Runs(network, [word], 10)
    [open_at] = certain(runs, FORMATS[dtype])
    for kind in ("strict", "explicit"):
        for departure in departures(runs, RecurrentNetwork(network.rnn, dtype, attention=kind).states([word])):
            assert 0 < open_at <= departure.cells


@pytest.mark.controls
@settings(max_examples=2, phases=[Phase.generate])
@given(machines(), st.sampled_from(("float16", "bfloat16", "float32")))
def test_a_certified_length_is_below_every_failing_one(machine: TuringMachine, dtype: str) -> None:
    network = network_of(machine)
    safe = certified(network, None, dtype, 2)
    for kind in ("strict", "explicit"):
        found = search(network, simulator(network, None, dtype, "cpu", kind), 2)
        assert safe is not None
        assert found.departure is None or safe < found.departure.cells


def with_weight(network: MachineNetwork, unit: str, other: str, weight: str) -> MachineNetwork:
    rnn = network.rnn
    rows = {name: dict(row) for name, row in rnn.W_h.weights.items()}
    rows[unit][other] = weight  # type: ignore[assignment]
    return replace(network, rnn=replace(rnn, W_h=Linear(rows)))


def test_a_network_with_a_changed_weight_is_not_certified() -> None:
    """A certificate is about what the machine does, not about what the network does: a wrong one has none."""
    network = shipped("busy-beaver-3")
    assert certified(network, None, "float64", 3) == 3
    changed = with_weight(network, "right", "loaded", "1/2")
    safe = certified(changed, None, "float64", 3)
    assert safe is not None
    assert safe < 1
    assert search(changed, simulator(changed, None, "float64", "cpu", "strict"), 3).departure is not None
