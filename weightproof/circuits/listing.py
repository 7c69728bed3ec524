"""The lines of `list` about circuits."""

from __future__ import annotations

from typing import Any

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS
from weightproof.document.blocks import Styled, Table, Text

REGULAR = "regular:"
"""What an argument begins with that is a regular expression: a circuit for each length of words."""


def shipped() -> list[Circuit]:
    return [circuit for name in SHIPPED if (circuit := find_circuit(name)) is not None]


def listed_circuit(circuit: Circuit) -> dict[str, Any]:
    return {
        "name": circuit.name,
        "title": circuit.title,
        "inputs": circuit.inputs,
        "gates": len(circuit.gates),
        "outputs": len(circuit.outputs),
    }


def rows() -> list[dict[str, Any]]:
    """The JSON of `list`."""
    return [*map(listed_circuit, shipped()), *({"name": family} for family in CIRCUITS)]


def overview() -> Table:
    cells: list[list[Text]] = [
        [Styled(row["name"]), row["title"], *(str(row[name]) for name in ("inputs", "gates", "outputs"))]
        for row in map(listed_circuit, shipped())
    ]
    cells += [[Styled(family), "a decoder for every circuit", "any", "any", "any"] for family in CIRCUITS]
    cells.append([Styled(f"{REGULAR}REGEX"), "a regular language, a circuit a length", "any", "any", "1"])
    columns = ("circuit", "what it computes", "inputs", "gates", "outputs")
    return Table(columns, cells, right=frozenset(columns[2:]))
