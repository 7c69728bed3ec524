"""A recurrent network that runs a Turing machine, and two transformers that run a recurrent network: step by step the
same, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.constructions.machines.test_turing import shipped
from tests.controls.random_machines import machines, networks
from weightproof.constructions.bhattamishra2020.directional import rnn_by_directional
from weightproof.constructions.bhattamishra2020.encoder_decoder import rnn_by_encoder_decoder
from weightproof.constructions.machines import turing
from weightproof.constructions.machines.files import SHIPPED
from weightproof.constructions.machines.rnn import RNN, states
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import Embedding, Linear, Readout
from weightproof.constructions.siegelmann1992.machine_network import machine_network

FAMILIES = (rnn_by_encoder_decoder, rnn_by_directional)
HEADER = "random, and simulated by both transformers\tdrawn\tsteps"


def first_difference(simulation: Simulation, word: str, steps: int) -> tuple[int, str] | None:
    """The first step, and a unit, in which the decoder's output vector and the state differ."""
    runs = zip(states(simulation.rnn, word), decode(simulation.network, word), strict=False)
    for number, (h, z) in enumerate(itertools.islice(runs, steps)):
        for unit in simulation.rnn.units:
            if h[unit] != z[unit]:
                return number, unit
    return None


def check_machine(network: MachineNetwork, word: str, longest: int) -> int:
    """That the network runs the machine; steps of the network that were compared."""
    machine, first, every = network.machine, network.first(word), network.every
    configurations = list(itertools.islice(turing.run(machine, word), longest + 1))
    found = list(itertools.islice(states(network.rnn, word), first + every * len(configurations) + 1))
    for number, configuration in enumerate(configurations):
        h = found[first + every * number]
        assert h[network.halted] == 0
        for unit, value in network.encoded(configuration).items():
            assert h[unit] == value, (number, unit)
    assert found[-1][network.halted] == int(turing.step(machine, configurations[-1]) is None)
    return len(found)


@pytest.mark.parametrize("name", SHIPPED)
def test_networks_run_shipped_machines(name: str) -> None:
    machine = shipped(name)
    network = machine_network(machine)
    for length in range(4):
        for word in map("".join, itertools.product(machine.alphabet, repeat=length)):
            check_machine(network, word, longest=50)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("name", "word"), [("increment", "101110111111"), ("busy-beaver-3", ""), ("increment", "")])
def test_transformers_run_a_machine_to_its_end(family: Callable[[RNN], Simulation], name: str, word: str) -> None:
    network = machine_network(shipped(name))
    steps = network.first(word) + network.every * len(list(turing.run(network.machine, word)))
    assert first_difference(family(network.rnn), word, steps) is None


def drawn(number: int, examples: int, compare: Callable[[st.DataObject], int]) -> tuple[int, int]:
    """Random cases: how many were drawn, and the steps that were compared."""
    counted = [0, 0]

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None)
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        steps = compare(data)
        counted[0] += 1
        counted[1] += steps

    agree()
    return counted[0], counted[1]


def machine_case(data: st.DataObject) -> int:
    machine = data.draw(machines())
    word = data.draw(st.text(machine.alphabet, max_size=5))
    network = machine_network(machine)
    steps = check_machine(network, word, longest=8)
    for family in FAMILIES:
        assert first_difference(family(network.rnn), word, steps) is None
    return steps


def network_case(data: st.DataObject) -> int:
    network = data.draw(networks())
    word = data.draw(st.text(network.alphabet, max_size=8))
    steps = len(word) + 6
    for family in FAMILIES:
        assert first_difference(family(network), word, steps) is None
    return steps


CASES = {"machines": (machine_case, 30, 300), "networks": (network_case, 60, 1000)}


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.controls) for number in (1, 2))])
def test_random_ones_are_simulated(
    what: str, number: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    compare, few, many = CASES[what]
    examples = many if number else few
    cases, steps = drawn(number, examples, compare)
    count_row(HEADER, what, (cases, steps))
    assert cases >= examples


ONE_UNIT = RNN(
    name="one unit",
    alphabet=("a",),
    units=("h",),
    inputs=("x",),
    embedding=Embedding(WE={"a": {"x": "1/2"}}),
    W_h=Linear({"h": {"h": "1/2"}}),
    W_x=Linear({"h": {"x": 1}}, bias={"h": "1/8"}),
)


def test_states_follow_the_recurrence() -> None:
    """h_0 from "#", h_1 and h_2 from "a", then from "$"; 1 is the most."""
    found = [h["h"] for h in itertools.islice(states(ONE_UNIT, "aa"), 4)]
    assert found == [fmpq(1, 8), fmpq(11, 16), fmpq(31, 32), fmpq(39, 64)]
    steep = replace(ONE_UNIT, W_x=Linear({"h": {"x": 3}}))
    assert [h["h"] for h in itertools.islice(states(steep, "a"), 3)] == [0, 1, fmpq(1, 2)]


def test_a_changed_weight_is_noticed() -> None:
    """The comparison can fail: a transformer of another network differs at the step where that does."""
    other = replace(ONE_UNIT, W_x=Linear({"h": {"x": 1}}, bias={"h": "1/4"}))
    late = replace(ONE_UNIT, embedding=Embedding(WE={"a": {"x": "1/2"}, "$": {"x": "1/16"}}))
    for family in FAMILIES:
        assert first_difference(replace(family(ONE_UNIT), rnn=other), "a", 5) == (0, "h")
        assert first_difference(replace(family(ONE_UNIT), rnn=late), "aa", 5) == (3, "h")
        assert first_difference(family(ONE_UNIT), "aa", 50) is None


DIRECTIONAL = rnn_by_directional(ONE_UNIT)
READS = Readout(Linear({"logit": {"h": 1}}))
TWICE = Embedding(WE={"a": {"x": "1/2"}, "b": {"x": 1}})


def of_letters(*alphabet: object) -> RNN:
    return replace(ONE_UNIT, alphabet=alphabet, embedding=Embedding(WE={letter: {} for letter in alphabet}))


REFUSED = [
    (lambda: replace(ONE_UNIT, W_h=Linear({"h": {"h": "1/2"}}, bias={"h": "1/4"})), "one unit: W_h: the bias of a rec"),
    (
        lambda: replace(ONE_UNIT, embedding=Embedding(WE={"a": {"x": 1}}, PE={"x": "i"})),
        "one unit: embedding: a recurrent network has no position encodings PE",
    ),
    (lambda: replace(ONE_UNIT, embedding=TWICE), "one unit: embedding: token 'b' does not exist"),
    (lambda: of_letters(), "one unit: network: the alphabet is empty"),
    (lambda: of_letters("a", "a"), "one unit: network: the alphabet is empty or repeats a symbol"),
    (lambda: of_letters("a", "bc"), "one unit: network: symbols of the alphabet are single characters, not 'bc'"),
    (lambda: of_letters("a", "\n"), "one unit: network: symbol '.*' of the alphabet cannot be printed"),
    (lambda: of_letters("a", 1), "one unit: network: alphabet, entry 2 is 1, not a str"),
    (lambda: replace(ONE_UNIT, alphabet="a"), "one unit: network: alphabet is 'a', not a tuple"),
    (lambda: replace(ONE_UNIT, units=("h", "h")), "one unit: units: 'h' stands twice"),
    (lambda: replace(ONE_UNIT, inputs=("x", "x")), "one unit: inputs: 'x' stands twice"),
    (lambda: replace(ONE_UNIT, units=()), "one unit: units: the network needs at least one name"),
    (lambda: replace(ONE_UNIT, numbers=("u", "u")), "one unit: number 'u': the name is reserved, repeated"),
    (lambda: replace(ONE_UNIT, numbers=("n",)), "one unit: number 'n': the name is reserved"),
    (lambda: replace(ONE_UNIT, fractions=("u",)), "one unit: fractions: 'u' is none of the numbers"),
    (lambda: replace(ONE_UNIT, name=""), "a construction needs a name"),
    (
        lambda: replace(
            rnn_by_directional(ONE_UNIT), network=replace(rnn_by_directional(ONE_UNIT).network, readout=READS)
        ),
        ".*: decoder, readout: its vectors are the states",
    ),
    (lambda: replace(ONE_UNIT, units=("g",)), "one unit: W_h: row 'h' does not exist"),
    (lambda: replace(ONE_UNIT, embedding=Embedding(None)), "one unit: embedding: None is no mapping from names"),
    (lambda: replace(ONE_UNIT, alphabet=("a", "b")), "one unit: embedding: symbol 'b' has no embedding"),
    (lambda: replace(ONE_UNIT, inputs=("y",)), "one unit: embedding, token 'a': coordinate 'x' does not exist"),
    (
        lambda: replace(rnn_by_directional(ONE_UNIT), name="s", rnn=replace(ONE_UNIT, units=("h", "g"))),
        "s: decoder: no",
    ),
]


@pytest.mark.parametrize(("build", "says"), REFUSED)
def test_what_is_malformed_is_refused(build: Callable[[], object], says: str) -> None:
    with pytest.raises(ConstructionError, match=f"^{says}"):
        build()
