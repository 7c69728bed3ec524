"""Turing machines beside the networks that simulate them, step by step."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.library import network_of, simulation_of
from weightproof.constructions.machines import rnn, turing
from weightproof.constructions.machines.numbered import every_rnn, with_numbers
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.interpreter import DecodedStep, decoded_steps
from weightproof.constructions.meaning.running import decode

Held = Mapping[str, Any]
"""Unit -> exact value."""
SIMULATORS = {"rnn": "", "transformer": "rnn-by-encoder-decoder", "directional": "rnn-by-directional"}
"""As they are called in a run, with the families of the transformers."""
LONGEST_WORD = 2000
"""Symbols; at every step a transformer looks at all of them."""


@dataclass(frozen=True)
class MachineStep:
    """A configuration of a machine, and what the units of each simulator hold of it.

    agrees: they hold exactly this configuration, and in every unit and every step since the last one both transformers
    hold what the recurrent network holds.
    """

    number: int
    configuration: Configuration
    held: Mapping[str, Held]
    agrees: bool


def side_by_side(machine: TuringMachine, word: str) -> Iterator[MachineStep]:
    """Every step of the machine until it halts, with its simulators; InputError for a symbol outside the alphabet, and
    for a word of more than LONGEST_WORD symbols."""
    if len(word) > LONGEST_WORD:
        raise InputError(f"a word of {len(word)} symbols is too long for a machine; give {LONGEST_WORD} or less")
    network = network_of(machine)
    runs = [
        rnn.states(network.rnn, word),
        *(decode(simulation_of(family, network.rnn).network, word) for family in SIMULATORS.values() if family),
    ]
    units = list(network.encoded(turing.start(machine, word)))
    steps = network.first(word) + 1
    for number, configuration in enumerate(turing.run(machine, word)):
        states: tuple[Held, ...] = ()
        same = True
        for states in itertools.islice(zip(*runs, strict=True), steps):
            same &= all(state[unit] == states[0][unit] for state in states[1:] for unit in network.rnn.units)
        steps = network.every
        held = {name: {unit: state[unit] for unit in units} for name, state in zip(SIMULATORS, states, strict=True)}
        wanted = network.encoded(configuration)
        yield MachineStep(number, configuration, held, same and all(each == wanted for each in held.values()))


@dataclass(frozen=True)
class NetworkStep:
    """A step of a recurrent network on a token: its state, what a transformer holds of it, and all that it computes."""

    number: int
    token: str
    state: Held
    held: Held
    decoded: DecodedStep


BEHIND = 8
"""Steps behind the end of the word, unless more are asked for."""


def family_steps(family: str, word: str, numbers: Mapping[str, str], steps: int | None) -> Iterator[NetworkStep]:
    """A recurrent network of one unit, one input and one symbol, with a family's transformer; its numbers are 0 but
    for those that are given. InputError for others, and for a symbol outside the alphabet."""
    simulation = with_numbers(simulation_of(family, every_rnn(1, 1, 1)), numbers)
    network = simulation.rnn
    refuse_foreign(network.name, network.alphabet, word)
    runs = zip(rnn.read(network, word), rnn.states(network, word), decoded_steps(simulation.network, word), strict=True)
    for number, (token, h, made) in enumerate(itertools.islice(runs, len(word) + BEHIND if steps is None else steps)):
        yield NetworkStep(number, token, h, {unit: made.output[unit] for unit in network.units}, made)
