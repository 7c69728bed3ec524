"""What is wrong with objects that networks are made of or are said to simulate, and with networks that are said to:
circuits, machines, recurrent networks, residues. A malformed one is refused when it is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from reprlib import repr as short
from typing import get_args

from weightproof.constructions.checks import parts
from weightproof.constructions.checks.networks import refuse, refuse_malformed
from weightproof.constructions.checks.scalars import scalar_problems
from weightproof.constructions.circuits.circuit import ALPHABET, Circuit, CircuitNetwork, Gate, Kind, conjoins
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.machines.turing import Move, Transition, TuringMachine
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.constructions.modular.addition import EQUALS, Adder
from weightproof.constructions.modular.counting import INPUT, UNIT, Units
from weightproof.constructions.scalars.frozen import check
from weightproof.constructions.scalars.grammar import is_free


def _refuse(name: str, problems: Iterator[str]) -> None:
    for message in problems:
        raise InputError(f"{name}: {message}")


@check.register
def _circuit(circuit: Circuit) -> None:
    _refuse(circuit.name, _of_circuit(circuit))


def _of_circuit(circuit: Circuit) -> Iterator[str]:
    yield from parts.types(circuit, "circuit", name=str, inputs=int, title=str)
    yield from parts.tuples(circuit, "circuit", gates=Gate, outputs=int)
    if circuit.inputs < 1:
        yield "a circuit without inputs gives the network nothing to begin with; give it one"
    for number, gate in enumerate(circuit.gates, start=circuit.inputs + 1):
        if gate.kind not in get_args(Kind):
            yield f"gate {number} is {short(gate)}, neither an AND nor a NOT"
        yield from parts.types(gate, f"gate {number}", a=int, b=int)
        for wire in (gate.a, gate.b):
            if not 1 <= wire <= circuit.wires:
                yield f"gate {number} reads wire {wire}, which is missing; there are 1 to {circuit.wires}"
            if wire >= number:
                yield f"gate {number} reads wire {wire}, which does not stand before it"
        if not conjoins(gate.kind) and gate.a != gate.b:
            yield f"gate {number} is a NOT of two wires, {gate.a} and {gate.b}"
    for wire in circuit.outputs:
        if not 1 <= wire <= circuit.wires:
            yield f"output {wire} is missing; there are wires 1 to {circuit.wires}"


@check.register
def _circuit_network(network: CircuitNetwork) -> None:
    refuse_malformed(network.name, network.network, ALPHABET, ())


@check.register
def _machine(machine: TuringMachine) -> None:
    _refuse(machine.name, _of_machine(machine))


def _of_machine(machine: TuringMachine) -> Iterator[str]:
    yield from parts.types(machine, "machine", blank=str, start=str, table=Mapping, title=str, example=str)
    if len(machine.blank) != 1:
        yield f"blank {machine.blank!r} is no single character"
    if not machine.blank.isprintable():
        yield f"blank {machine.blank!r} cannot be printed; take another character"
    for state, row in machine.table.items():
        if not isinstance(state, str) or not state.isprintable():
            yield f"state {state!r} cannot be printed; give it another name"
        if not isinstance(row, Mapping):
            yield f"state {state!r}: {short(row)} is no mapping from symbols to transitions"
    if machine.start not in machine.table:
        yield f"start state {machine.start!r} is not in the table; it has {', '.join(machine.table) or 'no state'}"
    for state, row in machine.table.items():
        for symbol, transition in row.items():
            place = f"state {state!r}, symbol {symbol!r}"
            if not isinstance(symbol, str) or len(symbol) != 1:
                yield f"{place}: a symbol is a single character"
            if not isinstance(transition, Transition):
                yield f"{place}: {short(transition)} is no Transition"
            yield from parts.types(transition, place, write=str, state=str)
            if len(transition.write) != 1:
                yield f"{place}: writes {transition.write!r}, which is no single character"
            if transition.move not in get_args(Move):
                yield f"{place}: moves {transition.move!r}; write L or R"
            if transition.state not in machine.table:
                yield f"{place}: goes to state {transition.state!r}, which is not in the table"
    unprintable = [symbol for symbol in machine.symbols if not symbol.isprintable()]
    if unprintable:
        yield f"symbol {unprintable[0]!r} cannot be printed; take another character"
    if not machine.alphabet:
        yield f"the tape has no symbol but the blank {machine.blank!r}; a machine reads or writes one"


@check.register
def _rnn(rnn: RNN) -> None:
    refuse(rnn.name, _of_rnn(rnn))


def _of_rnn(rnn: RNN) -> Iterator[str]:
    """What is wrong with it. Nothing that it has is left out of what it does: what has no place there is refused."""
    yield from parts.alphabet_problems(rnn, "network")
    yield from parts.types(rnn, "network", units=tuple, inputs=tuple, embedding=Embedding, W_h=Linear, W_x=Linear)
    for field in ("units", "inputs"):
        if not getattr(rnn, field):
            yield f"{field}: the network needs at least one name"
        yield from parts.distinct(getattr(rnn, field), field)
    yield from parts.tuples(rnn, "network", numbers=str, fractions=str)
    for number, name in enumerate(rnn.numbers):
        if not is_free(name) or name in rnn.numbers[:number]:
            yield f"number {name!r}: the name is reserved, repeated or no identifier"
    for name in rnn.fractions:
        if name not in rnn.numbers:
            yield f"fractions: {name!r} is none of the numbers"
    names = dict.fromkeys(rnn.numbers)
    yield from parts.row_problems(rnn.embedding.WE, rnn.tokens, rnn.inputs, names, "embedding", "token")
    for symbol in rnn.alphabet:
        if symbol not in rnn.embedding.WE:
            yield f"embedding: symbol {symbol!r} has no embedding; give it one, {{}} for the zero vector"
    if rnn.embedding.PE:
        yield "embedding: a recurrent network has no position encodings PE; x_t embeds the token that is read"
    yield from parts.linear_problems(rnn.W_h, rnn.units, rnn.units, names, "W_h")
    if rnn.W_h.bias:
        yield "W_h: the bias of a recurrent network is that of W_x; add what W_h has to it"
    yield from parts.linear_problems(rnn.W_x, rnn.units, rnn.inputs, names, "W_x")


@check.register
def _simulation(simulation: Simulation) -> None:
    refuse_malformed(simulation.name, simulation.network, simulation.rnn.alphabet, simulation.rnn.numbers)
    begin, end = simulation.rnn.begin, simulation.rnn.end
    if (simulation.network.encoder.begin, simulation.network.encoder.end) != (begin, end):
        raise ConstructionError(f"{simulation.name}: the word stands between {begin!r} and {end!r}, as for the RNN")
    for what, readout in (("encoder", simulation.network.encoder.readout), ("decoder", simulation.network.readout)):
        if any(readout.W.weights.values()) or readout.W.bias:
            raise ConstructionError(f"{simulation.name}: {what}, readout: its vectors are the states; read out nothing")
    missing = [unit for unit in simulation.rnn.units if unit not in simulation.network.coordinates]
    if missing:
        raise ConstructionError(f"{simulation.name}: decoder: no coordinate for the unit {missing[0]!r}")


@check.register
def _units(units: Units) -> None:
    for place, names in {"W_1": (INPUT, UNIT), "b_1": (UNIT,), "W_2": (UNIT,), "b_2": ()}.items():
        _refuse(units.name, scalar_problems(getattr(units, place), names, place))


@check.register
def _adder(adder: Adder) -> None:
    refuse_malformed(adder.name, adder.network, adder.modulus.tokens, adder.modulus.names)
    if (adder.network.begin, adder.network.end, adder.network.readout.accept) != (None, EQUALS, "argmax"):
        raise ConstructionError(f"{adder.name}: two residues stand before {EQUALS!r}, and the argmax is read out")
