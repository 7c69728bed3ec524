"""Theorem 3.4 and its lemmas: how the decoder's table is laid out, and its parts for numbers of any width."""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.fraknoi2024.circuit_by_decoder import decoder, row, width
from weightproof.constructions.meaning.schema import Decoder
from weightproof.symbolic.fixed_point.arithmetic import TOP
from weightproof.symbolic.fixed_point.decoder import Layout

LEAST = 3
"""B has to be at least this: the sum of the second unit is 1 + 1 + 1 - 2, from left to right."""


def layout(bits: Sequence[str]) -> Layout:
    """bits: what the bits of a number are called."""
    return Layout(
        constants={"1": 1},
        kinds={"c": {"NOT": 0, "AND": 1}},
        number=tuple(f"id {bit}" for bit in bits),
        addresses={address: tuple(f"{address} {bit}" for bit in bits) for address in ("a", "b")},
    )


def layout_of(circuit: Circuit) -> Layout:
    """That of the decoder for a circuit."""
    return layout(tuple(map(str, range(1, width(circuit.wires) + 1))))


def of_bits(bits: Sequence[str]) -> Decoder:
    """The decoder for numbers of these bits, in every format."""
    return decoder(bits, TOP, None, None)


row_of = row
