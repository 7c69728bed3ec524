"""What a document tells of constructions: each is derived once, its theorems are proved once, its claims judged once.

Several constructions are shared out among processes. What comes back from those is what the document says, which is
plain data; the constructions themselves, with their Python functions, stay where they were read.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from weightproof.appendix.appendix import Findings, named_section
from weightproof.constructions.meaning.outputs import first_right, ranks
from weightproof.document.blocks import NamedSection
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prove import proofs
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS, Analysis
from weightproof.proofs.theorem import Appends, ClosedForm
from weightproof.reports.claiming import judged
from weightproof.sources import Source, resolve
from weightproof.stating import theorems_about
from weightproof.symbolic.derivation import Derivation
from weightproof.terminal.streams import progress

MOST_PROCESSES = 4
WRITING = 60.0
"""Seconds for the section on one construction, when all is derived and proved."""


@dataclass(frozen=True)
class Told:
    """A section of the document; as_expected: whether all verdicts on theorems are."""

    section: NamedSection
    as_expected: bool


def told(sources: Sequence[Source]) -> list[Told]:
    """Derivations, proofs and judged claims, in the order given; a construction without a derivation says why."""
    for source in sources:
        theorems_about(source)  # what is malformed is found out now, not after minutes of proofs
    processes = min(MOST_PROCESSES, os.cpu_count() or 1, len(sources))
    found: list[Told] = []
    with progress(len(sources)) as advance:
        results = _shared_out(sources, processes) if processes > 1 else map(_told, sources, range(len(sources)))
        for source in sources:
            advance(source.construction.name, len(found))
            found.append(next(results))
    return found


def _shared_out(sources: Sequence[Source], processes: int) -> Iterator[Told]:
    """By fresh processes, which read the constructions anew; none outlives an interruption."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _end_when_interrupted) as pool:
        try:
            jobs = {n: pool.submit(_told_anew, sources[n].named, sources[n].asked, n) for n in _longest_first(sources)}
            yield from (jobs[n].result() for n in range(len(sources)))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _longest_first(sources: Sequence[Source]) -> list[int]:
    """The numbers of the constructions, those first of which most is to be proved: no process waits long at the end."""

    def work(number: int) -> int:
        of_words = [
            theorem for theorem in theorems_about(sources[number]) if not isinstance(theorem, ClosedForm | Appends)
        ]
        return sum(4 if getattr(theorem, "invariant", None) is not None else 1 for theorem in of_words)

    return sorted(range(len(sources)), key=work, reverse=True)


def _end_when_interrupted() -> None:
    """Without a traceback: the process that waits says that there was an interruption."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _told_anew(named: str, asked: tuple[str, ...], number: int) -> Told:
    return _told(resolve(named, asked), number)


def _told(source: Source, number: int) -> Told:
    construction = source.construction
    quantities = Analysis(construction)
    of_one = quantities.output(first_right(construction)) if ranks(construction) else quantities
    derived = of_one.maybe_derived(None, Deadline.after(DERIVATION_SECONDS))
    proved = tuple(proofs(construction, theorems_about(source), analysis=quantities))
    derivation, reason = (derived, "") if isinstance(derived, Derivation) else (None, str(derived))
    claims = judged(source, proved) if source.is_printed else None
    findings = Findings(construction, derivation, reason, proved, source.argument, claims)
    section = Deadline.after(WRITING).during(
        f"the document on {construction.name}", lambda: named_section(findings, number)
    )
    return Told(section, all(proof.result.as_expected for proof in proved))
