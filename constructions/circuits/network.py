"""What is said to compute a circuit: a decoder that appends the value of every gate."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.frozen import Checked

ALPHABET = ("0", "1")
"""The values of wires, as tokens."""


@dataclass(frozen=True)
class CircuitNetwork(Checked):
    """A decoder that is said to append the value of every gate of a circuit, in their order, to every input; a
    malformed one raises ConstructionError."""

    name: str
    title: str
    source: str
    circuit: Circuit
    network: Decoder
