"""`show` and `list` of Turing machines: their tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.library import network_of
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.results import Shown


def overview(machine: TuringMachine) -> dict[str, Any]:
    return {
        "name": machine.name,
        "title": machine.title,
        "states": list(machine.states),
        "symbols": list(machine.symbols),
        "blank": machine.blank,
        "start": machine.start,
        "example": machine.example,
        "units": len(network_of(machine).rnn.units),
    }


@dataclass(frozen=True, repr=False)
class ShownMachine(Shown):
    machine: TuringMachine

    @property
    def data(self) -> dict[str, Any]:
        table = {
            state: {
                symbol: {"write": transition.write, "move": transition.move, "state": transition.state}
                for symbol, transition in row.items()
            }
            for state, row in self.machine.table.items()
        }
        return overview(self.machine) | {"table": table}

    def report(self) -> Iterator[Plain]:
        """The table, a row a state, a column a symbol."""
        machine, network = self.machine, network_of(self.machine)
        yield Heading(3, f"{machine.name}{f': {machine.title}' if machine.title else ''}")
        rows: list[list[Text]] = [
            [Styled(state), *(_instruction(machine, state, symbol) for symbol in machine.symbols)]
            for state in machine.states
        ]
        yield Table(("state", *map(repr, machine.symbols)), rows)
        yield Paragraph(
            f"It starts in state {machine.start!r}; the blank is {machine.blank!r}; an instruction writes, moves, goes."
        )
        units, every = len(network.rnn.units), network.every
        yield Paragraph(f"Its recurrent network has {units} units, and takes {every} steps for one of the machine.")


def _instruction(machine: TuringMachine, state: str, symbol: str) -> str:
    transition = machine.table[state].get(symbol)
    return "halts" if transition is None else f"{transition.write!r} {transition.move} {transition.state}"
