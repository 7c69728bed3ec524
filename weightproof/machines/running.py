"""Turing machines beside the networks that simulate them, step by step."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import network_of, simulation_of
from weightproof.constructions.machines import rnn, turing
from weightproof.constructions.machines.numbered import every_rnn, with_numbers
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.interpreter import DecodedStep, LayerStep, decoded_steps
from weightproof.constructions.meaning.running import decode
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, pairs
from weightproof.kinds import Running
from weightproof.reports.running import INTERPRETER
from weightproof.results import Ran

RECURRENCE = "recurrence"
"""By what a recurrent network is run, as JSON has it; a transformer is by the interpreter."""
MOST_STEPS = 1000
"""Steps of a Turing machine, unless more are asked for."""
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


@dataclass(frozen=True, repr=False, kw_only=True)
class MachineRun(Ran):
    """A machine on a word, beside its simulators. halted: it has after the last of the steps; every: all are shown."""

    machine: TuringMachine
    steps: tuple[MachineStep, ...]
    halted: bool
    every: bool

    @property
    def agrees(self) -> bool:
        return all(step.agrees for step in self.steps)

    @property
    def data(self) -> dict[str, Any]:
        """head is a position on the tape, 0 that of the first symbol, and tape begins at "from"."""
        return {
            "machine": self.machine.name,
            "word": self.word,
            "halted": self.halted,
            "agrees": self.agrees,
            "evaluated": {name: INTERPRETER if family else RECURRENCE for name, family in SIMULATORS.items()},
            "steps": [
                {
                    "step": step.number,
                    "state": step.configuration.state,
                    "tape": tape(step.configuration, self.machine.blank),
                    "from": step.configuration.head - len(step.configuration.left),
                    "head": step.configuration.head,
                    "agrees": step.agrees,
                    **{name: _exact(held) for name, held in step.held.items()},
                }
                for step in self.steps
            ],
        }

    def report(self) -> Iterator[Plain]:
        """The steps, all or the last one, and whether all simulators did the same."""
        network, last = network_of(self.machine), self.steps[-1]
        yield Heading(3, f"{self.machine.name} on {quoted(self.word)}")
        rows = [
            [
                str(step.number),
                step.configuration.state,
                _marked(step.configuration, self.machine.blank),
                *(_written(network, step, name) for name in SIMULATORS),
            ]
            for step in (self.steps if self.every else (last,))
        ]
        columns = ("step", "state", "tape", "recurrent network", "transformer", "directional transformer")
        yield Table(columns, rows, right=frozenset({"step"}))
        yield Paragraph(network.legend)
        if self.halted:
            yield Paragraph(f"It halts in state {last.configuration.state!r} after {last.number} steps.")
        else:
            told = f"It has not halted after {last.number} steps; raise --max-steps to go on."
            yield Paragraph(Styled(told, "yellow"))
        wrong = next((step for step in self.steps if not step.agrees), None)
        yield _outcome(wrong, "The machine, the network and both transformers agree at every step, exactly.")


def ran(machine: TuringMachine, word: str, how: Running) -> MachineRun:
    """All steps until the machine halts, or as many as there may be; InputError as in `side_by_side`."""
    most = MOST_STEPS if how.max_steps is None else min(how.max_steps, sys.maxsize - 1)
    steps = tuple(itertools.islice(side_by_side(machine, word), most + 1))
    halted = turing.step(machine, steps[-1].configuration) is None
    return MachineRun(word=word, machine=machine, steps=steps, halted=halted, every=how.steps)


def _outcome(wrong: MachineStep | NetworkStep | None, right: str) -> Plain:
    return Paragraph(
        Styled(right, "green") if wrong is None else Styled(f"They differ first at step {wrong.number}.", "red")
    )


def tape(at: Configuration, blank: str) -> str:
    """What was visited of the tape or is not blank, from left to right, the cell under the head included."""
    return "".join((*reversed(at.left), *(at.right or (blank,))))


def _marked(at: Configuration, blank: str) -> str:
    """The tape with the head in brackets."""
    right = at.right or (blank,)
    return f"{''.join(reversed(at.left))}[{right[0]}]{''.join(right[1:])}"


def _written(network: MachineNetwork, step: MachineStep, name: str) -> str:
    """What a simulator holds; "the same" where that is what the recurrent network holds."""
    held, first = step.held[name], step.held[next(iter(SIMULATORS))]
    return "the same" if name != next(iter(SIMULATORS)) and held == first else network.written(dict(held))


@dataclass(frozen=True)
class NetworkStep:
    """A step of a recurrent network on a token: its state, what a transformer holds of it, and all that it computes."""

    number: int
    token: str
    state: Held
    held: Held
    decoded: DecodedStep


@dataclass(frozen=True, repr=False, kw_only=True)
class SimulatorRun(Ran):
    """A recurrent network of one unit beside a family's transformer; its numbers are 0 but for those that are named;
    traced: with what else the transformer computes."""

    family: str
    numbers: Mapping[str, str]
    steps: tuple[NetworkStep, ...]
    traced: bool

    @property
    def wrong(self) -> NetworkStep | None:
        """The first step at which they differ."""
        return next((step for step in self.steps if step.state != step.held), None)

    @property
    def agrees(self) -> bool:
        return self.wrong is None

    @property
    def data(self) -> dict[str, Any]:
        return {
            "family": self.family,
            "word": self.word,
            "numbers": dict(self.numbers),
            "agrees": self.agrees,
            "evaluated": {"rnn": RECURRENCE, "transformer": INTERPRETER},
            "steps": [
                {
                    "step": step.number,
                    "token": step.token,
                    "rnn": _exact(step.state),
                    "transformer": _exact(step.held),
                    "input": _exact(step.decoded.input),
                    "layers": [_layer_data(layer) for layer in step.decoded.layers],
                    "output": _exact(step.decoded.output),
                }
                for step in self.steps
            ],
        }

    def report(self) -> Iterator[Plain]:
        """Every step, where the transformer differs first, and, with a trace, what else its output vectors hold."""
        yield Heading(3, f"{self.family} on {quoted(self.word)}")
        said = ", ".join(f"{name} = {value}" for name, value in self.numbers.items())
        yield Paragraph(f"A recurrent network of one unit; its numbers are 0{f' but {said}' if said else ''}.")
        rows = [
            [str(step.number), step.token, *(", ".join(map(str, held.values())) for held in (step.state, step.held))]
            for step in self.steps
        ]
        yield Table(("step", "token", "state", "transformer"), rows, right=frozenset({"step"}))
        if self.traced:
            yield Heading(3, "What the transformer computes, but for coordinates that are 0")
            for step in self.steps:
                yield from _trace(step)
        yield _outcome(self.wrong, "They agree at every step, exactly.")


BEHIND = 8
"""Steps behind the end of the word, unless more are asked for."""


def family_ran(family: str, word: str, how: Running) -> SimulatorRun:
    """InputError for numbers that the network does not have, and for a symbol outside the alphabet."""
    simulation = with_numbers(simulation_of(family, every_rnn(1, 1, 1)), how.parameters)
    network = simulation.rnn
    refuse_foreign(network.name, network.alphabet, word)
    runs = zip(rnn.read(network, word), rnn.states(network, word), decoded_steps(simulation.network, word), strict=True)
    most = len(word) + BEHIND if how.max_steps is None else how.max_steps
    steps = tuple(
        NetworkStep(number, token, h, {unit: made.output[unit] for unit in network.units}, made)
        for number, (token, h, made) in enumerate(itertools.islice(runs, most))
    )
    return SimulatorRun(word=word, family=family, numbers=how.parameters, steps=steps, traced=how.trace)


def _exact(vector: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in vector.items()}


def _layer_data(layer: LayerStep) -> dict[str, Any]:
    return {
        "scores": [list(map(str, scores)) for scores in layer.scores],
        "weights": [list(map(str, weights)) for weights in layer.weights],
        **{what.replace(" ", "-"): _exact(vector) for what, vector in _vectors(layer)},
    }


def _vectors(layer: LayerStep) -> tuple[tuple[str, Mapping[str, object]], ...]:
    return (
        ("looked up", layer.looked),
        ("attended", layer.attended),
        ("hidden", layer.hidden),
        ("update", layer.update),
        ("output", layer.output),
    )


def _trace(step: NetworkStep) -> Iterator[Plain]:
    """The input of a step, and what each layer makes of it."""

    def vector(what: str, values: Mapping[str, object]) -> tuple[str, str]:
        return what, ", ".join(f"{name} = {value}" for name, value in values.items() if value != 0) or "0"

    yield Paragraph(f"step {step.number}", 1)
    yield pairs([vector("input", step.decoded.input)], 2)
    for number, layer in enumerate(step.decoded.layers, start=1):
        yield Paragraph(f"layer {number}", 2)
        looked = [
            (f"{what} of positions", ", ".join(map(str, row)))
            for what, rows in (("scores", layer.scores), ("weights", layer.weights))
            for row in rows
        ]
        yield pairs([*looked, *(vector(what, values) for what, values in _vectors(layer))], 3)
