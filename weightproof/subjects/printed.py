"""What is about no network: the components of a transformer as a table, and formulas that are printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof.constructions.library import FORMULAS
from weightproof.kinds import COMPONENTS as TABLE_OF_COMPONENTS
from weightproof.kinds import FORMULAS as PRINTED_FORMULAS
from weightproof.kinds import Showing
from weightproof.reported import Shown
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.proofs.prover import Exact
    from weightproof.reports.claiming import ToJudge

COMPONENTS = "components"
"""What a command line calls the components of a transformer."""


@dataclass(frozen=True)
class Components(Subject):
    argument: str = COMPONENTS
    kind = TABLE_OF_COMPONENTS

    def _show(self, how: Showing) -> Shown:
        from weightproof.machines.components import ShownComponents

        return ShownComponents()

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.simulation.components import theorems

        return theorems()


@dataclass(frozen=True)
class PrintedFormulas(Subject):
    argument: str
    kind = PRINTED_FORMULAS

    def _to_judge(self) -> ToJudge:
        from weightproof.reports.claiming import named_to_judge

        return named_to_judge(self.argument)


def found(argument: str) -> Components | PrintedFormulas | None:
    if argument == COMPONENTS:
        return Components()
    return PrintedFormulas(argument) if argument in FORMULAS else None


def named() -> Iterator[str]:
    yield COMPONENTS


def listed() -> Iterator[Listing]:
    told = f"printed formulas, for claims alone: {', '.join(FORMULAS)}"
    yield Listing("formulas", [{"name": name} for name in FORMULAS], line=told)
