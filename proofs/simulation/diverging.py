"""Where a simulation fails: words, and states that are put in, on which both have been run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from flint import fmpq

from weightproof.constructions.languages.samples import words
from weightproof.constructions.machines import rnn, turing
from weightproof.constructions.machines.numbered import with_numbers
from weightproof.constructions.machines.rnn import RNN, State
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.interpreter import decoded_steps
from weightproof.constructions.scalars.exact import Real
from weightproof.proofs.prover import first
from weightproof.proofs.verdict import Counterexample, WrongStep
from weightproof.symbolic.simulation.parts import applied, embedded, weight
from weightproof.symbolic.simulation.polynomial import ONE, ZERO, Polynomial

BEHIND = 8
"""Steps behind the end of the word in which a recurrent network and its simulator are compared."""
MOST_STEPS = 40
"""Steps of a machine that are compared."""
VALUES, MOST_NUMBERS, LONGEST_WORD = ("1", "-1", "1/2", "2"), 3, 4
"""What the numbers of the recurrent networks are that are run to refute a family, how many are not 0, and how long the
words are."""


def run_diverges(network: MachineNetwork, word: str, put_in: Configuration | None = None) -> Counterexample | None:
    """The first of MOST_STEPS configurations that the network does not hold when it should; put_in: one in the place of
    the first."""
    machine, ready = network.machine, network.first(word)
    begin = turing.start(machine, word) if put_in is None else put_in
    configurations = list(itertools.islice(turing.run_from(machine, begin), MOST_STEPS))
    state: Mapping[str, Real] = {} if put_in is None else network.encoded(put_in)
    # What is put in stands before the step behind `ready`.
    run = rnn.states(network.rnn, word, ready + 1, state)
    states = list(itertools.islice(run, ready + network.every * len(configurations) + 1))
    for number, configuration in enumerate(configurations):
        step, halts = ready + network.every * number, turing.step(machine, configuration) is None
        held = [] if number == 0 and put_in is not None else list(network.encoded(configuration).items())
        compared = [(step, unit, value) for unit, value in held]
        compared.append((step + network.every, network.halted, fmpq(int(halts))))
        if halts:  # and it stays
            compared += [(step + network.every, unit, value) for unit, value in network.encoded(configuration).items()]
        for at, unit, value in compared:
            if states[at][unit] != value:
                before = 0 if put_in is None else ready + 1
                found = WrongStep(at, unit, str(value), str(states[at][unit]), before, _nonzero(state))
                return Counterexample.at(found, machine.name, word)
    return None


def configurations(machine: TuringMachine, depth: int) -> Iterator[Configuration]:
    """All whose half tapes have so many symbols, the blanks at their ends counted."""
    halves = [tuple("".join(half).rstrip(machine.blank)) for half in itertools.product(machine.symbols, repeat=depth)]
    for state, left, right in itertools.product(machine.states, halves, halves):
        yield Configuration(state, left, right)


def simulation_diverges(
    simulation: Simulation, word: str, at: int = 0, put_in: Mapping[str, Real] | None = None
) -> Counterexample | None:
    """The first step at which the output vector does not hold the state, or the next input does not; put_in: a state in
    the place of that before step `at`."""
    steps = len(word) + 2 + BEHIND
    state: Mapping[str, Real] = {} if put_in is None else put_in
    right, made = rnn.states(simulation.rnn, word, at, state), decoded_steps(simulation.network, word, at, state)
    for number, (h, step) in enumerate(itertools.islice(zip(right, made, strict=True), steps)):
        for vector in (step.output, step.next_input):
            for unit in simulation.rnn.units:
                if h[unit] != vector[unit]:
                    found = WrongStep(number, unit, str(h[unit]), str(vector[unit]), at, _nonzero(state))
                    return Counterexample.at(found, simulation.name, word)
    return None


def _nonzero(state: Mapping[str, Real]) -> dict[str, str]:
    return {unit: str(value) for unit, value in state.items() if value != 0}


def put_in_states(network: RNN, units: Sequence[str]) -> Iterator[State]:
    """States in which some of these units are about to be neither 0 nor 1 where that can be, or at an end of what they
    can be: those between the state in which the argument of the unit is least and that in which it is greatest.

    Underivable where the weights are not rational."""
    for unit, token in itertools.product(units, network.tokens):
        constant = weight(network.W_x.bias[unit]) if unit in network.W_x.bias else Polynomial()
        read = applied({unit: network.W_x.weights.get(unit, {})}, embedded(network, token))
        row = {name: weight(w).at({}) for name, w in network.W_h.weights.get(unit, {}).items()}
        least = (constant + read[unit]).at({}) + sum((min(w, ZERO) for w in row.values()), ZERO)
        span = sum(map(abs, row.values()), ZERO)
        low, high = max(least, ZERO), min(least + span, ONE)
        for share, others in itertools.product(SHARES, OTHERS):
            part = share if low >= high else (low + share * (high - low) - least) / span
            near = {name: part if w > 0 else ONE - part for name, w in row.items()}
            yield dict.fromkeys(network.units, others) | near


SHARES = (fmpq(1, 2), ZERO, ONE, fmpq(1, 5))
OTHERS = (fmpq(1, 3), ZERO, ONE)
"""How far the argument of a unit is between its ends, and what all units are that it does not depend on."""


def network_that_fails(
    family: Callable[[RNN], Simulation],
    network: RNN,
    fails: Callable[[Simulation, str], Counterexample | None] = simulation_diverges,
) -> Counterexample | None:
    """Numbers of a recurrent network, as few as possible that are not 0, with which a family's transformer fails on a
    word, as short a one as possible: unless it is said how, it does not simulate the network."""
    general = family(network)
    for numbers in numberings(network):
        simulation = with_numbers(general, numbers)
        found = first(fails(simulation, word) for word in words(network.alphabet, LONGEST_WORD))
        if found is not None:
            return replace(found, parameters=numbers)
    return None


def numberings(network: RNN) -> Iterator[dict[str, str]]:
    """Values for the numbers of a recurrent network that are not 0, the fewest first."""
    for size in range(MOST_NUMBERS + 1):
        for names in itertools.combinations(network.numbers, size):
            for values in itertools.product(VALUES, repeat=size):
                yield dict(zip(names, values, strict=True))
