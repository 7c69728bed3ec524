"""`check`: a certificate of a proof by covering against the construction and its theorem, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.document.blocks import Paragraph, Plain
from weightproof.named import Named
from weightproof.parallel.pieces import here
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.covering.automaton import TooManyStates
from weightproof.proofs.covering.certificate import Certificate, number_of, read
from weightproof.proofs.covering.checking.sets import Uncovered
from weightproof.proofs.covering.checking.theorem import NONE, pieces
from weightproof.proofs.covering.progression import Unread
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.theorem import Computes, Theorem, said_scope
from weightproof.proofs.verdict import Covered
from weightproof.reported import Ending, Reported
from weightproof.reports.verdicts import in_sets
from weightproof.stating import theorems_about
from weightproof.terminal.streams import progress

MANY = 1_000
"""Sets, from which on other processes have begun by the time that they are needed."""


@dataclass(frozen=True, repr=False)
class CheckedCertificate(Reported):
    """What a certificate shows of a theorem. covered: as far as it was checked; reason: what it does not show, None
    where it shows all."""

    construction: str
    theorem: str
    scope: str
    covered: Covered
    reason: str | None

    def report(self) -> Iterator[Plain]:
        shown = f"shown, {self.scope}; {in_sets(self.covered)}"
        told = shown if self.reason is None else f"not shown: {self.reason}"
        yield Paragraph(f"{self.construction}, {self.theorem}: {told}")

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.construction,
            "theorem": self.theorem,
            "scope": self.scope,
            "shown": self.reason is None,
            "reason": self.reason,
            "words": self.covered.words,
            "sets": self.covered.sets,
            "run": self.covered.run,
            "margin": self.covered.margin,
        }

    @property
    def ending(self) -> Ending:
        return Ending(int(self.reason is not None))


def checked(wanted: Callable[[], Named], path: Path) -> CheckedCertificate:
    """What a certificate shows of the theorem about a construction, which each process asks for anew; InputError where
    it is of another construction, of no theorem about it, or of something that the check does not read."""
    construction, theorem, certificate = _read(wanted(), path)
    total = NONE
    reason: str | None = None
    of_inputs, done = isinstance(theorem, Computes), 0  # inputs are the same for each token
    try:
        number = len(pieces(construction, theorem, certificate))
        sets = sum(number_of(each) for positions in certificate.positions for _, each in positions.parts)
        cores = min(processors(), number) if sets > MANY else 1
        spread = Processes(cores).spread if cores > 1 else here
        with progress(number) as advance:
            for done, (_, _, found) in enumerate(spread(partial(_pieces, wanted, path), range(number)), start=1):
                if isinstance(found, str):
                    reason = found
                    break
                total = replace(total + found, words=found.words) if of_inputs else total + found
                advance(theorem.name, done)
            else:
                assert done == number
                reason = None if total.words else "no word satisfies the hypothesis: the theorem may be vacuous"
    except Uncovered as error:
        reason = str(error)
    except (NotCovered, Unread, TooManyStates, ArithmeticError) as error:
        raise InputError(f"{path}: {error}") from error
    return CheckedCertificate(construction.name, theorem.name, said_scope(theorem), total, reason)


def _read(source: Named, path: Path) -> tuple[Construction, Theorem, Certificate]:
    construction, certificate, name = source.construction, read(path), source.argument
    if certificate.digest != digest(construction):
        told = f"{path} is of {certificate.construction} with other weights or words than {name} has"
        raise InputError(f"{told}; have it written by: prove {name} --covering DIR")
    theorems = {each.name: each for each in theorems_about(source)}
    if certificate.theorem not in theorems:
        raise InputError(f"{path} is of {certificate.theorem!r}, which is no theorem of {name}: {', '.join(theorems)}")
    return construction, theorems[certificate.theorem], certificate


def _pieces(wanted: Callable[[], Named], path: Path) -> list[Callable[[], Iterator[Covered | str]]]:
    return [partial(_refused, each) for each in pieces(*_read(wanted(), path))]


def _refused(piece: Callable[[], Iterator[Covered]]) -> Iterator[Covered | str]:
    """What is refused travels as its line."""
    try:
        yield from piece()
    except Uncovered as error:
        yield str(error)
