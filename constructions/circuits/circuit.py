"""Boolean circuits of AND and NOT gates, as data, and what they compute: Fraknoi (2024), definition 3.1. And decoders
that are said to compute them.

Wires are numbered as there: from 1, the inputs first, and then the gates, each behind what it reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Decoder, known
from weightproof.constructions.scalars.frozen import Checked

ALPHABET = ("0", "1")
"""The values of wires, as tokens."""
Kind = Literal["AND", "NOT"]


def conjoins(kind: Kind) -> bool:
    """Whether a gate is an AND, and no NOT."""
    return known("a circuit", "kind of gate", kind, {"AND": True, "NOT": False})


@dataclass(frozen=True)
class Gate:
    """AND of the wires a and b, or NOT of the wire a; then b is a, too."""

    kind: Kind
    a: int
    b: int

    @property
    def reads(self) -> tuple[int, ...]:
        """The wires, each once as the gate is written: both of an AND, and the one of a NOT."""
        return (self.a, self.b) if conjoins(self.kind) else (self.a,)

    def __call__(self, a: bool, b: bool) -> bool:
        return a and b if conjoins(self.kind) else not a


def conjunction(a: int, b: int) -> Gate:
    return Gate("AND", a, b)


def negation(a: int) -> Gate:
    return Gate("NOT", a, a)


@dataclass(frozen=True)
class Circuit(Checked):
    """inputs: how many there are, at least one. outputs: the wires that are read in the end.

    Raises InputError for a gate that is neither AND nor NOT, or reads a wire that is not there or does not stand before
    it.
    """

    name: str
    inputs: int
    gates: tuple[Gate, ...]
    outputs: tuple[int, ...] = ()
    title: str = ""

    @property
    def wires(self) -> int:
        """How many there are."""
        return self.inputs + len(self.gates)


def bits_of(circuit: Circuit, word: Sequence[str]) -> list[bool]:
    """The input that a word of 0s and 1s writes; InputError for any other."""
    for index, symbol in enumerate(word):
        if symbol not in ALPHABET:
            raise InputError(f"{circuit.name}: {symbol!r} at index {index} of the input is neither 0 nor 1")
    if len(word) != circuit.inputs:
        raise InputError(f"{circuit.name}: an input of {len(word)} bits; it reads {circuit.inputs}")
    return [symbol == "1" for symbol in word]


def values(circuit: Circuit, word: Sequence[str]) -> list[bool]:
    """What every wire carries on an input, that of wire number w at index w - 1; InputError as in `bits_of`."""
    found = bits_of(circuit, word)
    for gate in circuit.gates:
        found.append(gate(found[gate.a - 1], found[gate.b - 1]))
    return found


def inputs_of(circuit: Circuit) -> Iterator[str]:
    """All of them, as words."""
    return map("".join, itertools.product("01", repeat=circuit.inputs))


@dataclass(frozen=True)
class CircuitNetwork(Checked):
    """A decoder that is said to append the value of every gate of a circuit, in their order, to every input; a
    malformed one raises ConstructionError."""

    name: str
    title: str
    source: str
    circuit: Circuit
    network: Decoder
