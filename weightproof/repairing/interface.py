"""`repair` as a Python function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.deadline import clock
from weightproof.proofs.repairing.search import Repair
from weightproof.repairing.session import Session
from weightproof.reported import Reported
from weightproof.subjects.registry import subject_of
from weightproof.terminal.page import Page


@dataclass(frozen=True, repr=False)
class Repaired(Reported):
    """The repairs that were found, the smallest one first, and what was searched."""

    session: Session

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return tuple(self.session.search.found)

    @property
    def construction(self) -> Construction | None:
        """The construction with the smallest repair; None where none was found, or none is needed."""
        return next((repair.construction for repair in self.repairs), None)

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.repairing.report import payload

        return payload(self.session)

    def report(self, page: Page) -> None:
        from weightproof.repairing.report import report

        report(page, self.session)


def repair(
    given: str | Path | Construction,
    *,
    theorem: str | None = None,
    kinds: Sequence[str] = (),
    most: int = 1,
    timeout: float | None = None,
) -> Repaired:
    """Search the smallest change after which a refuted construction is proved.

    theorem: which one is to be proved, the first on accepted words if none is named. kinds: of changes, as `--kind`
    takes them, all if there are none. most: how many repairs are enough. timeout: seconds for all of it; without, work
    is counted.
    """
    with clock(timeout):
        session = Session.of(subject_of(given).network("repair"), theorem, kinds, most, timeout)
        session.run()
    if session.interrupted:
        raise KeyboardInterrupt
    return Repaired(session)
