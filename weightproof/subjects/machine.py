"""Turing machines, and the networks that run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Text
from weightproof.kinds import MACHINE, Measuring, Running, Showing
from weightproof.results import Ran, Shown
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.proofs.prover import Exact
    from weightproof.reports.explanation import Explanation


@dataclass(frozen=True)
class Machine(Subject):
    argument: str
    machine: TuringMachine
    is_named: bool = True
    kind = MACHINE

    @property
    def name(self) -> str:
        return self.machine.name

    @property
    def _alphabet(self) -> Sequence[str]:
        return self.machine.alphabet

    def _show(self, how: Showing) -> Shown:
        from weightproof.machines.showing import ShownMachine

        return ShownMachine(self.machine)

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.machines.running import ran

        return ran(self.machine, word, how)

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.simulation.prove import of_machine

        return of_machine(self.machine)

    def _explained(self) -> Explanation:
        from weightproof.machines.machine_deriving import MachineExplained

        return MachineExplained(self.machine)

    @property
    def attentions(self) -> tuple[str, ...]:
        from weightproof.numeric.decoding.operations import IMPLEMENTATIONS

        return IMPLEMENTATIONS

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.tapes import of_machine

        return of_machine(self.argument, self.machine, how)


def found(argument: str) -> Machine | None:
    """A shipped one, or one of a file or a line; InputError for a malformed one."""
    machine = find_machine(argument)
    return None if machine is None else Machine(argument, machine)


def named() -> Iterator[str]:
    yield from SHIPPED


def listed() -> Iterator[Listing]:
    from weightproof.document.blocks import Styled, Table
    from weightproof.machines.showing import overview

    rows = [overview(each.machine) for name in SHIPPED if (each := found(name)) is not None]
    cells: list[list[Text]] = [
        [
            Styled(row["name"]),
            row["title"],
            str(len(row["states"])),
            " ".join(map(repr, row["symbols"])),
            str(row["units"]),
        ]
        for row in rows
    ]
    header = ("Turing machine", "what it does", "states", "symbols", "units")
    yield Listing("machines", rows, Table(header, cells, right=frozenset({"states", "units"})))
