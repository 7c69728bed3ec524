"""What is printed of Turing machines: their tables, and their runs beside those of the networks that simulate them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import network_of
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.interpreter import LayerStep
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.machines.running import SIMULATORS, MachineStep, NetworkStep
from weightproof.reports.running import INTERPRETER

RECURRENCE = "recurrence"
"""By what a recurrent network is run, as JSON has it; a transformer is by the interpreter."""


def payload(machine: TuringMachine, word: str, steps: Sequence[MachineStep], halted: bool) -> dict[str, Any]:
    """The JSON of a run; head is a position on the tape, 0 that of the first symbol, and tape begins at "from"."""
    return {
        "machine": machine.name,
        "word": word,
        "halted": halted,
        "agrees": all(step.agrees for step in steps),
        "evaluated": {name: INTERPRETER if family else RECURRENCE for name, family in SIMULATORS.items()},
        "steps": [
            {
                "step": step.number,
                "state": step.configuration.state,
                "tape": tape(step.configuration, machine.blank),
                "from": step.configuration.head - len(step.configuration.left),
                "head": step.configuration.head,
                "agrees": step.agrees,
                **{name: {unit: str(value) for unit, value in held.items()} for name, held in step.held.items()},
            }
            for step in steps
        ],
    }


def family_payload(family: str, word: str, numbers: Mapping[str, str], steps: Sequence[NetworkStep]) -> dict[str, Any]:
    """The JSON of a family's run."""
    return {
        "family": family,
        "word": word,
        "numbers": dict(numbers),
        "agrees": all(step.state == step.held for step in steps),
        "evaluated": {"rnn": RECURRENCE, "transformer": INTERPRETER},
        "steps": [
            {
                "step": step.number,
                "token": step.token,
                "rnn": {unit: str(value) for unit, value in step.state.items()},
                "transformer": {unit: str(value) for unit, value in step.held.items()},
                "input": _exact(step.decoded.input),
                "layers": [_layer_payload(layer) for layer in step.decoded.layers],
                "output": _exact(step.decoded.output),
            }
            for step in steps
        ],
    }


def _exact(vector: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in vector.items()}


def _layer_payload(layer: LayerStep) -> dict[str, Any]:
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


def family_report(
    family: str, word: str, numbers: Mapping[str, str], steps: Sequence[NetworkStep], with_trace: bool
) -> Iterator[Plain]:
    """Every step, where the transformer differs first, and, with a trace, what else its output vectors hold."""
    yield Heading(3, f"{family} on {quoted(word)}")
    said = ", ".join(f"{name} = {value}" for name, value in numbers.items())
    yield Paragraph(f"A recurrent network of one unit; its numbers are 0{f' but {said}' if said else ''}.")
    cells: list[list[Text]] = [
        [str(step.number), step.token, *(", ".join(map(str, held.values())) for held in (step.state, step.held))]
        for step in steps
    ]
    yield Table(("step", "token", "state", "transformer"), cells, right=frozenset({"step"}))
    if with_trace:
        yield Heading(3, "What the transformer computes, but for coordinates that are 0")
        for step in steps:
            yield from _trace(step)
    wrong = next((step for step in steps if step.state != step.held), None)
    if wrong is None:
        yield Paragraph(Styled("They agree at every step, exactly.", "green"))
    else:
        yield Paragraph(Styled(f"They differ first at step {wrong.number}.", "red"))


def tape(at: Configuration, blank: str) -> str:
    """What was visited of the tape or is not blank, from left to right, the cell under the head included."""
    return "".join((*reversed(at.left), *(at.right or (blank,))))


def report(
    machine: TuringMachine, word: str, steps: Sequence[MachineStep], halted: bool, every: bool
) -> Iterator[Plain]:
    """The steps, all or the last one, and whether all simulators did the same."""
    network = network_of(machine)
    yield Heading(3, f"{machine.name} on {quoted(word)}")
    shown = steps if every else steps[-1:]
    cells: list[list[Text]] = [
        [
            str(step.number),
            step.configuration.state,
            _marked(step.configuration, machine.blank),
            *(_written(network, step, name) for name in SIMULATORS),
        ]
        for step in shown
    ]
    columns = ("step", "state", "tape", "recurrent network", "transformer", "directional transformer")
    yield Table(columns, cells, right=frozenset({"step"}))
    yield Paragraph(network.legend)
    if halted:
        yield Paragraph(f"It halts in state {steps[-1].configuration.state!r} after {steps[-1].number} steps.")
    else:
        yield Paragraph(
            Styled(f"It has not halted after {steps[-1].number} steps; raise --max-steps to go on.", "yellow")
        )
    wrong = next((step for step in steps if not step.agrees), None)
    if wrong is None:
        yield Paragraph(Styled("The machine, the network and both transformers agree at every step, exactly.", "green"))
    else:
        yield Paragraph(Styled(f"They differ first at step {wrong.number}.", "red"))


def _marked(at: Configuration, blank: str) -> str:
    """The tape with the head in brackets."""
    right = at.right or (blank,)
    return f"{''.join(reversed(at.left))}[{right[0]}]{''.join(right[1:])}"


def _written(network: MachineNetwork, step: MachineStep, name: str) -> str:
    """What a simulator holds; "the same" where that is what the recurrent network holds."""
    held, first = step.held[name], step.held[next(iter(SIMULATORS))]
    return "the same" if name != next(iter(SIMULATORS)) and held == first else network.written(dict(held))


def overview(machine: TuringMachine) -> dict[str, Any]:
    return {
        "name": machine.name,
        "title": machine.title,
        "states": list(machine.states),
        "symbols": list(machine.symbols),
        "blank": machine.blank,
        "start": machine.start,
        "example": machine.example,
        "units": len(network_of(machine).rnn.units),
    }


def full(machine: TuringMachine) -> dict[str, Any]:
    table = {
        state: {
            symbol: {"write": transition.write, "move": transition.move, "state": transition.state}
            for symbol, transition in row.items()
        }
        for state, row in machine.table.items()
    }
    return overview(machine) | {"table": table}


def draw(machine: TuringMachine) -> Iterator[Plain]:
    """The table of a machine, a row a state, a column a symbol."""
    yield Heading(3, f"{machine.name}{f': {machine.title}' if machine.title else ''}")
    cells: list[list[Text]] = [
        [Styled(state), *(_instruction(machine, state, symbol) for symbol in machine.symbols)]
        for state in machine.states
    ]
    yield Table(("state", *(repr(symbol) for symbol in machine.symbols)), cells)
    yield Paragraph(
        f"It starts in state {machine.start!r}; the blank is {machine.blank!r}; an instruction writes, moves, goes."
    )
    network = network_of(machine)
    units = len(network.rnn.units)
    yield Paragraph(f"Its recurrent network has {units} units, and takes {network.every} steps for one of the machine.")


def _instruction(machine: TuringMachine, state: str, symbol: str) -> str:
    transition = machine.table[state].get(symbol)
    return "halts" if transition is None else f"{transition.write!r} {transition.move} {transition.state}"
