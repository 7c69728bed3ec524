"""Families of networks that add residues, and of feed-forward networks that count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof.constructions.library import ADDERS, COUNTERS, FORMULAS
from weightproof.kinds import ADDER, COUNTER, Measuring, Running, Showing
from weightproof.results import Ran, Shown
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.proofs.prover import Exact
    from weightproof.reports.explanation import Explanation


@dataclass(frozen=True)
class Sums(Subject):
    """A family; a member is named by the values of its parameters. Print speaks of it in formulas."""

    argument: str

    @property
    def _without_claims(self) -> str:
        paper = (ADDERS | COUNTERS)[self.argument][0].split(".")[0]
        return f"ask for {' or '.join(name for name, (module, _) in FORMULAS.items() if module.split('.')[0] == paper)}"

    def _show(self, how: Showing) -> Shown:
        from weightproof.modular.members import shown

        return shown(self.argument, how.parameters)

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.modular.running import ran

        return ran(self.argument, word, how)

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.modular.prove import of_family

        return of_family(self.argument)

    def _explained(self) -> Explanation:
        from weightproof.modular.deriving import SumExplained

        return SumExplained(self.argument)

    @property
    def is_measurable(self) -> bool:
        from weightproof.measuring.residues import gaps

        return self.argument in COUNTERS or bool(gaps(self.argument))

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.residues import searches

        return searches(self.argument, how)


@dataclass(frozen=True)
class Adder(Sums):
    kind = ADDER


@dataclass(frozen=True)
class Counter(Sums):
    kind = COUNTER


def found(argument: str) -> Sums | None:
    if argument in ADDERS:
        return Adder(argument)
    return Counter(argument) if argument in COUNTERS else None


def named() -> Iterator[str]:
    yield from (*ADDERS, *COUNTERS)


def listed() -> Iterator[Listing]:
    from weightproof.modular import members

    yield Listing("sums", members.listed(), members.overview())
