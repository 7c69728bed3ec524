"""Decoders that compute circuits, one for every circuit and every format, as data.

A family says what the decoder is for numbers of some bits, its greatest number being a name, and what its rows of a
table hold. All else is made here, in one way: a row for each position, of the gate that is written there, and the
greatest number of a format in the place of its name. So what is true of a row whatever its gate is, and of the decoder
whatever its greatest number is, is true of all circuits and formats.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never, final

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork, Gate, conjoins, conjunction, negation
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.meaning.schema import Decoder, Head, Rows
from weightproof.constructions.scalars.expressions import Expression, entries
from weightproof.constructions.scalars.fixed_point import FixedPoint

GREATEST = "B"
"""What the greatest number of a format is called in keys and queries."""


@dataclass(frozen=True)
class Layout:
    """Which coordinates of a row of the table hold what; all others are 0.

    constants: the same in every row. kinds: coordinate -> kind -> number. number: the bits, -1 or 1, of the number that
    the position has and no other; addresses: name -> the bits of the number of one position that is seen.
    """

    constants: Mapping[str, int]
    kinds: Mapping[str, Mapping[str, int]]
    number: tuple[str, ...]
    addresses: Mapping[str, tuple[str, ...]]


Makes = Callable[[Circuit], CircuitNetwork]
"""What makes a decoder of a circuit: a `Family`, of which all can be proved at once, or any other function, of which
some can be run."""


@final
@dataclass(frozen=True)
class Family:
    """name: what stands behind that of the circuit. decoder: that for numbers whose bits are called so, the first one
    first, without a table and a format. layout: that of its rows. missing: what is looked up for a wire that a gate
    does not have. format: its own one.
    """

    name: str
    title: str
    source: str
    decoder: Callable[[Sequence[str]], Decoder]
    layout: Callable[[Sequence[str]], Layout]
    missing: Literal["its own wire", "wire 0"]
    format: FixedPoint

    def __call__(self, circuit: Circuit, format: FixedPoint | None = None) -> CircuitNetwork:
        """The decoder for a circuit, in numbers of a format, its own if none is given."""
        numbers, bits = self.format if format is None else format, bits_of(circuit)
        named, layout = self.decoder(bits), self.layout(bits)
        table = tuple(entries(self.row(layout, number, gate)) for number, gate in _written(circuit))
        network = replace(_with_greatest(named, numbers.greatest), table=table, arithmetic=numbers)
        return CircuitNetwork(f"{circuit.name} {self.name}", self.title, self.source, circuit, network)

    def layout_of(self, circuit: Circuit) -> Layout:
        """That of the decoder for a circuit."""
        return self.layout(bits_of(circuit))

    def row(self, layout: Layout, number: int, gate: Gate | None) -> dict[str, object]:
        """Of the position of a wire: its number, and the gate that is written there, or none."""
        kind = "NOT" if gate is None else gate.kind
        row: dict[str, object] = {name: kinds[kind] for name, kinds in layout.kinds.items()}
        fields = (layout.number, *layout.addresses.values())
        for names, wire in zip(fields, (number, *self._reads(number, gate)), strict=True):
            bits = signed(wire, len(names))
            row |= {name: bits[place] for place, name in enumerate(names, start=1)}
        return {**row, **layout.constants}

    def _reads(self, number: int, gate: Gate | None) -> tuple[int, int]:
        """The wires that are looked up; a NOT has its wire twice."""
        match self.missing:
            case "its own wire":
                return (number, number) if gate is None else (gate.a, gate.b)
            case "wire 0":
                return (0, 0) if gate is None else (gate.a, gate.b if conjoins(gate.kind) else 0)
            case other:
                assert_never(other)


def _written(circuit: Circuit) -> Iterator[tuple[int, Gate | None]]:
    """The wire at each position, and the gate that it writes: that of the next wire, if it is one."""
    for number in range(1, circuit.wires):
        yield number, None if number < circuit.inputs else circuit.gates[number - circuit.inputs]


def width(wires: int) -> int:
    """The bits in which all numbers of wires but the last one are written; that one is read by none."""
    return max(1, (wires - 1).bit_length())


def bits_of(circuit: Circuit) -> tuple[str, ...]:
    """What the bits of its numbers are called."""
    return tuple(map(str, range(1, width(circuit.wires) + 1)))


def signed(number: int, k: int) -> Mapping[int, int]:
    """The k bits of a number, counted from 1, the most significant one first; -1 stands for 0."""
    return {j: 2 * (number >> (k - j) & 1) - 1 for j in range(1, k + 1)}


def _with_greatest(network: Decoder, greatest: fmpq) -> Decoder:
    """With a number in the place of its name, which only scores may use."""

    def rows(each: Rows) -> dict[str, dict[str, Expression]]:
        return {name: {other: _valued(weight, greatest) for other, weight in row.items()} for name, row in each.items()}

    def valued(head: Head) -> Head:
        return replace(head, W_Q=rows(head.W_Q), W_K=rows(head.W_K))

    return replace(
        network,
        layers=tuple(replace(layer, heads=tuple(map(valued, layer.heads))) for layer in network.layers),
    )


def _valued(weight: Expression, greatest: fmpq) -> Expression:
    value = str(greatest)
    if greatest.q != 1 and weight.source != GREATEST:
        value = f"({value})"
    return Expression(re.sub(rf"\b{GREATEST}\b", value, weight.source))


def every_circuit(inputs: int, gates: int) -> Iterator[Circuit]:
    """All circuits of so many inputs and gates; an AND reads its two wires in one order."""
    for chosen in itertools.product(*(_gates(inputs + number) for number in range(gates))):
        yield Circuit(listed(chosen), inputs, chosen)


def _gates(wires: int) -> list[Gate]:
    """What can be added behind so many wires."""
    numbers = range(1, wires + 1)
    return [
        *map(negation, numbers),
        *itertools.starmap(conjunction, itertools.combinations_with_replacement(numbers, 2)),
    ]
