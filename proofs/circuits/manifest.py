"""The part of the trust manifest about circuits by chain of thought."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS, circuit_network_of
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs.circuits.prove import prove_circuit, prove_circuit_family, theorem_of
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST
from weightproof.proofs.machines.manifest import header, rows

HEADING = "Circuits"
HEAD = f"""\
## {HEADING}

What a decoder appends is defined by `constructions/meaning/decoding.py`, in numbers of s bits, each operation rounded
as `constructions/scalars/fixed_point.py` says; what a circuit computes, by `constructions/circuits/circuit.py`. What a
step computes is derived by `symbolic/fixed_point/`, which is written apart from both: the score of a head is gone
through row by row, with every bit free. Where all bits have rows that are alike, a further one that leads to no new
state leads to none however often it comes: so it is true of every width. That decoders and rows of tables are made of
such blocks is compared for widths of up to {WIDEST} bits, for all numbers at once; that the rows of a circuit's table
belong to its gates is checked of all circuits of up to two gates over three inputs, and of every circuit that is named.
That numbers of so many bits differ where they are not the same is not proved. Of a circuit that is named every row of
its table is checked, of whatever size it is.

The hash of a family is that of its decoder for numbers of one bit, of a circuit that of its decoder with its table.
"""


def circuits() -> str:
    """Everything that is stated of circuits, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines()))


def _lines() -> Iterator[str]:
    yield from header()
    for family in CIRCUITS:
        mark = fingerprint((theorem_of(family).of_bits(ONE_BIT), family))
        yield from rows(list(prove_circuit_family(family)), mark)
    for name in SHIPPED:
        circuit = find_circuit(name)
        assert circuit is not None
        networks = tuple(circuit_network_of(family, circuit).network for family in CIRCUITS)
        yield from rows(list(prove_circuit(circuit)), fingerprint(networks))
    yield ""
