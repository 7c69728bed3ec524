"""A Boolean circuit by chain of thought: Fraknoi (2024), theorem 3.4, after Li et al. (2024).

Every token is the value of a wire, and the decoder appends those of the gates, one after the other. The position that
writes gate i has its number and those of the two wires that it reads, each in k bits that are -1 or 1, and its kind,
c = 1 for AND and 0 for NOT, in the table of positions. Two heads look up the values of the two wires:

  a score adds up B and -B for each bit that is equal, -B and -B for each that is not. Numbers have s bits, and B is the
  greatest of them: so it is 0 after each bit as long as all were equal, and -B from the first one on that is not, as
  -B - B is -B again. exp(-B) is rounded to 0, exp(0) is 1: the head takes what stands where the number is the address.

Then ReLU(1 - x_a - c) + ReLU(x_a + x_b + c - 2) is NOT x_a where c = 0 and x_a = x_b, and AND of both where c = 1.

As printed, a NOT has 0 for its second wire and an input has it for both. No position has the number 0: all weights are
rounded to 0 there, and a head has no value. Here a NOT reads its wire twice, and an input itself. The text asks nothing
of the format but that exp(-B) is rounded to 0; the sum of the second unit also needs B >= 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjoins
from weightproof.constructions.circuits.network import CircuitNetwork
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.fixed_point import FixedPoint

FEWEST_BITS = FixedPoint(bits=3, fraction=0)
"""The smallest format in which it computes every circuit."""


def circuit_by_decoder(circuit: Circuit, format: FixedPoint = FEWEST_BITS) -> CircuitNetwork:
    """The decoder for a circuit, in numbers of a format."""
    k = width(circuit.wires)
    return CircuitNetwork(
        name=f"{circuit.name} by a decoder",
        title="A Boolean circuit by chain of thought",
        source="after Fraknoi (2024), theorem 3.4",
        circuit=circuit,
        network=decoder(tuple(map(str, range(1, k + 1))), str(format.greatest), tuple(_table(circuit, k)), format),
    )


def as_printed(circuit: Circuit, format: FixedPoint = FEWEST_BITS) -> CircuitNetwork:
    """With 0 for the wires that a gate does not have."""
    k = width(circuit.wires)
    return CircuitNetwork(
        name=f"{circuit.name} by a decoder as printed",
        title="A Boolean circuit by chain of thought, as printed",
        source="Fraknoi (2024), theorem 3.4",
        circuit=circuit,
        network=decoder(tuple(map(str, range(1, k + 1))), str(format.greatest), tuple(_printed(circuit, k)), format),
    )


def width(wires: int) -> int:
    """The bits in which all numbers of wires but the last one are written; that one is read by none."""
    return max(1, (wires - 1).bit_length())


Row = dict[str, object]


def decoder(bits: Sequence[str], B: str, table: tuple[Row, ...] | None, format: FixedPoint | None) -> Decoder:
    """bits: what the bits of a number are called, the first one first. B: the greatest number, or a name for it."""
    return Decoder(
        coordinates=(
            *("x", "x_a", "x_b", "g", "c"),
            *(f"{what} {bit}" for what in ("id", "a", "b") for bit in bits),
            "1",
        ),
        embedding=Embedding(WE={"0": {}, "1": {"x": 1}}),
        layers=(
            Layer(heads=(_look_up("a", bits, B),)),
            Layer(heads=(_look_up("b", bits, B),), feed_forward=_gate()),
        ),
        readout=Readout(Linear({"0": {"1": 1, "g": -1}, "1": {"g": 1}}), position="last", accept="argmax"),
        table=table,
        arithmetic=format,
    )


def _look_up(wire: str, bits: Sequence[str], B: str) -> Head:
    """The value of the wire whose number is the address `wire`."""
    W_Q: dict[str, Row] = {}
    W_K: dict[str, Row] = {}
    for bit in bits:
        W_Q |= {f"{bit}": {f"{wire} {bit}": 1}, f"{bit}'": {"1": 1}}
        W_K |= {f"{bit}": {f"id {bit}": B}, f"{bit}'": {"1": f"-({B})"}}
    return Head(W_Q=W_Q, W_K=W_K, W_V={f"x_{wire}": {"x": 1}}, scale=1, mask="causal")


def _gate() -> FeedForward:
    return FeedForward(
        first=Linear(
            {"not": {"x_a": -1, "c": -1}, "and": {"x_a": 1, "x_b": 1, "c": 1}},
            bias={"not": 1, "and": -2},
        ),
        second=Linear({"g": {"not": 1, "and": 1}}),
    )


def row(number: int, c: int, reads: tuple[int, int], k: int) -> Row:
    """Of the position of a wire: its number, and kind and wires of the gate that is written there."""
    written = {"id": number, "a": reads[0], "b": reads[1]}
    return {"c": c, **{f"{what} {j}": x for what, m in written.items() for j, x in signed(m, k).items()}, "1": 1}


def gate_row(number: int, gate: Gate | None, k: int) -> Row:
    """Of the position that writes a gate, or none; that one looks up its own wire."""
    reads = (number, number) if gate is None else (gate.a, gate.b)
    return row(number, int(gate is not None and conjoins(gate.kind)), reads, k)


def signed(number: int, k: int) -> Mapping[int, int]:
    """The k bits of a number, counted from 1, the most significant one first; -1 stands for 0."""
    return {j: 2 * (number >> (k - j) & 1) - 1 for j in range(1, k + 1)}


def _written_by(circuit: Circuit) -> Iterator[tuple[int, Gate | None]]:
    """The wire at each position, and the gate that it writes: that of the next wire, if it is one."""
    for number in range(1, circuit.wires):
        yield number, None if number < circuit.inputs else circuit.gates[number - circuit.inputs]


def _table(circuit: Circuit, k: int) -> Iterator[Row]:
    for number, gate in _written_by(circuit):
        yield gate_row(number, gate, k)


def _printed(circuit: Circuit, k: int) -> Iterator[Row]:
    for number, gate in _written_by(circuit):
        reads = (0, 0) if gate is None else (gate.a, gate.b if conjoins(gate.kind) else 0)
        yield row(number, int(gate is not None and conjoins(gate.kind)), reads, k)
