"""The part of the trust manifest about circuits by chain of thought."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS, circuit_network_of, circuits_of
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs.circuits.deciding import FEW_GATES, FEW_INPUTS, SPOT_GATES, SPOT_RUNS
from weightproof.proofs.circuits.prove import prove_circuit, prove_circuit_family
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST
from weightproof.proofs.machines.manifest import header, rows

HEADING = "Circuits"
HEAD = f"""\
## {HEADING}

What a decoder appends is defined by `constructions/meaning/decoding.py`, in numbers of s bits, each operation rounded
as `constructions/scalars/fixed_point.py` says; what a circuit computes, by `constructions/circuits/circuit.py`. What a
step computes is derived by `symbolic/fixed_point/`, which is written apart from both: the score of a head is gone
through row by row, with every bit free. Where all bits have rows that are alike, a further one that leads to no new
state leads to none however often it comes: so it is true of every width. That decoders are made of such blocks is seen
of each width of up to {WIDEST} bits. A table has a row for each position, of the gate that is written there, and a
format's greatest number stands in the place of its name: that is how `constructions/circuits/family.py` makes decoders,
and nothing else does. What a row holds is seen of each of these widths and each kind of gate, the bits of all numbers
being free; so by induction over the gates every address is the number of one position that is seen, as a gate reads
wires before its own. Beside that the tables of all circuits of up to {FEW_GATES} gates over {FEW_INPUTS} inputs are
checked. That two numbers of so many bits differ in a bit is arithmetic, and taken as known. Of a circuit that is named
every row of its table is checked, of whatever size it is, and its first {SPOT_GATES} gates are run on {SPOT_RUNS}
inputs. A regular language's circuit is nothing but a prologue, a block for each symbol and an epilogue
(`assembled` in `constructions/circuits/regular.py`).

The hash of a family is that of its decoder for numbers of one bit, of a circuit that of its decoder with its table.
"""


def circuits() -> str:
    """Everything that is stated of circuits, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines()))


def _lines() -> Iterator[str]:
    yield from header()
    for family in CIRCUITS:
        mark = fingerprint((circuits_of(family).decoder(ONE_BIT), family))
        yield from rows(list(prove_circuit_family(family)), mark)
    for name in SHIPPED:
        circuit = find_circuit(name)
        assert circuit is not None
        networks = tuple(circuit_network_of(family, circuit).network for family in CIRCUITS)
        yield from rows(list(prove_circuit(circuit)), fingerprint(networks))
    yield ""
