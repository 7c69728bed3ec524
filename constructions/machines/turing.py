"""Turing machines, as data, and what they do: one tape without ends, one head that moves at every step.

A machine halts where its table has no transition for the state and the symbol under the head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from weightproof.constructions.meaning.inputs import refuse_foreign
from weightproof.constructions.meaning.schema import known
from weightproof.constructions.scalars.frozen import Checked, Written

Move = Literal["L", "R"]


@dataclass(frozen=True)
class Transition:
    """The symbol written, the direction in which the head moves, and the next state."""

    write: str
    move: Move
    state: str


def moves_right(transition: Transition) -> bool:
    """Whether the head moves to the right, and not to the left."""
    return known("a Turing machine", "move", transition.move, {"L": False, "R": True})


Table = Mapping[str, Mapping[str, Transition]]


def _table(rows: Table) -> Table:
    """The rows of a table, which cannot be changed any more; what is none passes unchanged."""
    if not isinstance(rows, Mapping) or not all(isinstance(row, Mapping) for row in rows.values()):
        return rows
    return MappingProxyType({state: MappingProxyType(dict(row)) for state, row in rows.items()})


@dataclass(frozen=True)
class TuringMachine(Checked):
    """table: state -> symbol -> transition; a state that only halts has an empty row.

    The alphabet of words is that of the tape without the blank. example: a word to try it on. Raises InputError for a
    state that is not in the table, a symbol that is no single character, a move other than L and R.
    """

    name: str
    blank: str
    start: str
    table: Written[Table] = Written(_table)
    title: str = ""
    example: str = ""

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(self.table)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Those of the tape, the blank first, then in the order of their characters."""
        found = {symbol for row in self.table.values() for symbol in row}
        found |= {transition.write for row in self.table.values() for transition in row.values()}
        return (self.blank, *sorted((found | set(self.example)) - {self.blank}))

    @property
    def alphabet(self) -> tuple[str, ...]:
        return self.symbols[1:]


@dataclass(frozen=True)
class Configuration:
    """left: the symbols to the left of the head, the nearest one first; right: that under the head first. Both without
    the blanks that follow for ever. head: its position, 0 at the first symbol of the word."""

    state: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    head: int = 0

    def under_head(self, blank: str) -> str:
        return self.right[0] if self.right else blank


def start(machine: TuringMachine, word: Sequence[str]) -> Configuration:
    """The word on the tape, the head on its first symbol; InputError for a symbol outside the alphabet."""
    refuse_foreign(machine.name, machine.alphabet, word)
    return Configuration(machine.start, (), tuple(word))


def step(machine: TuringMachine, at: Configuration) -> Configuration | None:
    """The next configuration; None where the machine has halted."""
    transition = machine.table[at.state].get(at.under_head(machine.blank))
    if transition is None:
        return None
    left, right = list(at.left), list(at.right[1:])
    if moves_right(transition):
        left.insert(0, transition.write)
    else:
        right.insert(0, transition.write)
        right.insert(0, left.pop(0) if left else machine.blank)
    head = at.head + (1 if moves_right(transition) else -1)
    return Configuration(transition.state, _cut(left, machine.blank), _cut(right, machine.blank), head)


def run(machine: TuringMachine, word: Sequence[str]) -> Iterator[Configuration]:
    """Every configuration, the one in which it halts last."""
    yield from run_from(machine, start(machine, word))


def run_from(machine: TuringMachine, begin: Configuration) -> Iterator[Configuration]:
    """A configuration and all that come after it, the one in which the machine halts last."""
    at: Configuration | None = begin
    while at is not None:
        yield at
        at = step(machine, at)


def _cut(symbols: list[str], blank: str) -> tuple[str, ...]:
    while symbols and symbols[-1] == blank:
        symbols.pop()
    return tuple(symbols)
