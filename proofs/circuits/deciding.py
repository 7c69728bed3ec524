"""What has to hold so that a decoder appends the value of every gate of a circuit, as obligations.

Three things together: each row of the table is laid out as said, and each address in it is the number of one position
that is seen; each head finds the position with its address; and of the two values that are found the token of the gate
is made. Then, by induction over the steps, every token is the value of its wire, whatever the input is.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork, Gate, conjoins, inputs_of, values
from weightproof.constructions.circuits.family import Layout, every_circuit
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.certified import Decided, Gaps, first, lazily, settle
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.verdict import Counterexample, WrongStep
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import Arithmetic, OneFormat
from weightproof.symbolic.fixed_point.decoder import KIND, TOKEN, Step, step
from weightproof.symbolic.fixed_point.lookup import at

KINDS: tuple[Literal["NOT", "AND"], ...] = ("NOT", "AND")
TOKENS: Mapping[str, bool] = {"0": False, "1": True}
ZERO = fmpq(0)
FEW_INPUTS, FEW_GATES = 3, 2
"""Of the circuits that are run to refute."""


def table_gaps(network: CircuitNetwork, layout: Layout) -> Gaps:
    """Of each position: its row is laid out for the gate that it writes, and its addresses are numbers of positions
    that it sees; for a gate those of the wires that it reads."""
    table, circuit = network.network.table or (), network.circuit
    if len(table) != circuit.wires - 1:
        yield "the table", f"it has {len(table)} rows; {circuit.wires - 1} positions append the values of all gates"
        return
    numbers: dict[Bits, int] = {}
    for position, row in enumerate(table):
        values = {name: _value(weight) for name, weight in row.items()}
        number, name = _bits(values, layout.number), f"row {position}"
        if number in numbers:
            yield name, f"position {position} has the number of position {numbers[number]}"
            return
        numbers[number] = position
        yield name, _row_gap(values, _written(circuit, position), layout, numbers)


def _written(circuit: Circuit, position: int) -> Gate | None:
    """The gate that a position writes; None of positions before the last symbol of the input."""
    return circuit.gates[position + 1 - circuit.inputs] if position + 1 >= circuit.inputs else None


def _row_gap(row: Mapping[str, fmpq], gate: Gate | None, layout: Layout, numbers: Mapping[Bits, int]) -> str | None:
    bits = dict.fromkeys(name for names in (layout.number, *layout.addresses.values()) for name in names)
    for name in dict.fromkeys((*row, *bits, *layout.constants, *layout.kinds)):
        value = row.get(name, ZERO)
        if name in bits:
            allowed = value == 1 or value == -1
        elif name in layout.constants:
            allowed = value == layout.constants[name]
        elif name in layout.kinds:
            kinds = layout.kinds[name]
            allowed = any(value == kinds[kind] for kind in (kinds if gate is None else (gate.kind,)))
        else:
            allowed = value == 0
        if not allowed:
            return f"{name!r} is {value}"
    reads = (None, None) if gate is None else (gate.a, gate.b)
    for (address, names), wire in zip(layout.addresses.items(), reads, strict=True):
        found = numbers.get(_bits(row, names))
        if found is None:
            return f"the address {address!r} is the number of no position that is seen"
        if wire is not None and found != wire - 1:
            return f"the address {address!r} is the number of position {found}, not of wire {wire}"
    return None


Bits = tuple[bool, ...]
"""Of a number; a bit that is set is 1, and one that is not is -1, which is checked of each row."""


def _bits(row: Mapping[str, fmpq], names: Sequence[str]) -> Bits:
    return tuple(row.get(name, ZERO) == 1 for name in names)


@functools.lru_cache(1 << 10)
def _value(weight: Expression) -> fmpq:
    return evaluate(weight, {})


def step_gaps(network: Decoder, layout: Layout, arithmetic: Arithmetic) -> Gaps:
    """The heads find what they look for, and the outputs are greatest, alone, at the value of the gate."""
    try:
        made = step(network, layout, arithmetic)
    except Underivable as error:
        yield "heads", f"not derived: {error}"
        return
    yield "heads", None
    yield from gate_gaps(made, arithmetic)


def gate_gaps(made: Step, arithmetic: Arithmetic) -> Gaps:
    """Of each kind of gate and all values of the wires that it reads; those of a NOT are one."""
    unknowns = {unknown for value in made.outputs.values() for unknown in value.unknowns}
    known = {TOKEN, KIND, TOKEN + at("a"), TOKEN + at("b")}
    for unknown in unknowns:
        if unknown.name not in known:
            yield "gates", f"an output depends on {unknown.name!r}"
            return
    for kind, (a, b), token in itertools.product(KINDS, itertools.product(TOKENS, repeat=2), TOKENS):
        if not conjoins(kind) and a != b:
            continue
        wanted = Gate(kind, 1, 1)(TOKENS[a], TOKENS[b])
        assignment = {TOKEN: token, KIND: kind, TOKEN + at("a"): a, TOKEN + at("b"): b}
        outputs = {name: value.at(assignment) for name, value in made.outputs.items()}
        right = "1" if wanted else "0"
        name = f"{kind} of {a}, {b} behind {token}"
        try:
            wrong = [
                other
                for other in outputs
                if other != right
                and arithmetic.sign(arithmetic.plus(outputs[right], arithmetic.minus(outputs[other]))) <= 0
            ]
            yield name, f"the output of {wrong[0]!r} is not below that of {right!r}" if wrong else None
        except Underivable as error:
            yield name, str(error)


def decide(network: CircuitNetwork, layout: Layout, deadline: Deadline | None = None) -> Decided:
    """Whether the decoder of a circuit appends the values of all gates, on every input."""
    format = network.network.arithmetic
    assert format is not None
    gaps = itertools.chain(table_gaps(network, layout), step_gaps(network.network, layout, OneFormat(format)))
    refuting = (diverges(network, word) for word in inputs_of(network.circuit))
    spot = (diverges(network, word, SPOT_GATES) for word in inputs_of(network.circuit))
    return settle(
        lazily(gaps),
        lambda: first(itertools.islice(refuting, MOST_RUNS)),
        lambda: first(itertools.islice(spot, SPOT_RUNS)),
        deadline,
    )


MOST_RUNS, SPOT_RUNS = 1 << 8, 4
"""Inputs that are run to refute, and before a proof counts."""
SPOT_GATES = 64
"""The first gates, which are run before a proof counts: a step looks at all before it, so a run takes the square."""


def diverges(network: CircuitNetwork, word: str, gates: int | None = None) -> Counterexample | None:
    """The first step at which the decoder appends another token than the value of the gate, run exactly; gates: how
    many of the first are run, all where it is None."""
    circuit = network.circuit
    wanted = values(circuit, word)[circuit.inputs :]
    steps = zip(appended(network.network, word, {}), wanted, strict=True)
    step = 0
    try:
        for step, (produced, value) in enumerate(itertools.islice(steps, gates)):
            if produced.token != str(int(value)):
                return _divergence(network, word, step, str(int(value)), produced.token)
    except NoValue as error:
        return _divergence(network, word, step, str(int(wanted[step])), f"no value ({error})")
    return None


def _divergence(network: CircuitNetwork, word: str, step: int, expected: str, found: str) -> Counterexample:
    gate = f"gate {network.circuit.inputs + step + 1}"
    return Counterexample.at(WrongStep(step, gate, expected, found), network.name, word)


def small_circuits(inputs: int = FEW_INPUTS, gates: int = FEW_GATES) -> Iterator[Circuit]:
    """By the number of gates, then of inputs."""
    for number in range(1, gates + 1):
        for width in range(1, inputs + 1):
            yield from every_circuit(width, number)
