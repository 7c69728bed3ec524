"""What the functions of the Python interface return: frozen values, which show themselves.

A value's text is the report of the command line, and in a notebook the same as Markdown, or a formula; `data` is what
the command prints with --json.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from weightproof.constructions.meaning.construction import Construction
from weightproof.document.blocks import Paragraph, Plain
from weightproof.reported import Ending, Reported
from weightproof.terminal.page import plain
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED

if TYPE_CHECKING:
    from weightproof.measuring.kept import Rows
    from weightproof.parallel.pieces import Gone
    from weightproof.proofs.claims.judging import Judgement
    from weightproof.reports.claiming import Section, Sections
    from weightproof.reports.explanation import Derivable, Explanation
    from weightproof.symbolic.derivation import Derivation


@dataclass(frozen=True, repr=False)
class Derived:
    """The closed form of a logit, and the derivation that led to it."""

    argument: str
    derivation: Derivation

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def closed_form(self) -> str:
        """As text, in the language that expressions are written in."""
        from weightproof.symbolic.writing.plain import closed_form

        return closed_form(self.derivation)

    @property
    def latex(self) -> str:
        """The closed form, for amsmath and amssymb, without dollars."""
        from weightproof.symbolic.writing.latex import closed_form

        return closed_form(self.derivation)

    @property
    def steps(self) -> str:
        """Every step, as text."""
        from weightproof.symbolic.writing.plain import steps

        return steps(self.derivation)

    @property
    def data(self) -> dict[str, Any]:
        return self._explained.data(self.argument)

    @property
    def _explained(self) -> Explanation:
        from weightproof.appendix.deriving import LogitExplained

        return LogitExplained(self.derivation)

    def report(self) -> Iterable[Plain]:
        return self._explained.text(with_steps=False)

    def __repr__(self) -> str:
        return plain(self.report())

    def _repr_latex_(self) -> str:
        return f"$$\n{self.latex}\n$$"


@dataclass(frozen=True, repr=False)
class DerivedSteps(Reported):
    """What a network that runs a machine, or a transformer that simulates one, makes at each step of every run, or a
    decoder at the last position of every word."""

    derivable: Derivable

    @property
    def latex(self) -> str:
        """The steps as a part of a LaTeX document."""
        return str(self.data["latex"])

    @property
    def steps(self) -> str:
        """Every step, with all its parts, as text."""
        return plain(self.derivable.report(True))

    @property
    def data(self) -> dict[str, Any]:
        return self.derivable.data()

    def report(self) -> Iterable[Plain]:
        return self.derivable.report(False)


@dataclass(frozen=True, repr=False)
class Judgements(Reported):
    """What is printed about constructions, judged. seconds: of counted work, for one reading of a claim; of_paper: it
    is what one paper prints, which is told worst first."""

    judged: Sections
    seconds: float
    of_paper: bool = False

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.judged.found

    def __iter__(self) -> Iterator[Judgement]:
        return (judgement for section in self.sections for judgement in section.judgements)

    def __len__(self) -> int:
        return sum(len(section.judgements) for section in self.sections)

    def __getitem__(self, claim: str) -> Judgement:
        """By the claim's id; KeyError if there is none."""
        return {judgement.claim.id: judgement for judgement in self}[claim]

    def __bool__(self) -> NoReturn:
        raise TypeError("judgements have no truth value; each has its own .verdict")

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.reports.claims_data import as_data

        taken = 0 if self.judged.kept is None else self.judged.kept.taken
        return as_data(self.sections) | {"complete": self.complete, "taken": taken}

    def report(self) -> Iterable[Plain]:
        yield from self.told()
        if self.judged.kept is not None:
            yield Paragraph(self.judged.kept.told(len(self)))

    def told(self) -> Iterable[Plain]:
        """The report without the line about a file."""
        from weightproof.appendix.papers import page
        from weightproof.appendix.published import report

        return page(self.sections) if self.of_paper else report(self.sections)

    @property
    def complete(self) -> bool:
        """Whether all that was wanted is judged."""
        return not self.judged.interrupted and self.judged.gone is None

    @property
    def ending(self) -> Ending:
        """Status 1 where a verdict is unknown, and 2 where that is for want of time: the limit is to be mended."""
        from weightproof.reports.claiming import late, settled

        there = "" if self.judged.kept is None else f"; {self.judged.kept}"
        if self.judged.interrupted:
            return Ending(INTERRUPTED, f"interrupted after {len(self)} statements{there}")
        if self.judged.gone is not None:
            again = f"{self.judged.gone} after {len(self)} statements; begin once more for the others"
            return Ending(BAD_INPUT, f"{again}{there}")
        complaint = late(self.sections, self.seconds)
        return Ending(int(not settled(self.sections)) if complaint is None else BAD_INPUT, complaint)

    @property
    def ending_beside(self) -> Ending:
        """Of what has no line about the file, which then stands here."""
        kept = self.judged.kept
        if kept is None or not self.complete:
            return self.ending
        return replace(self.ending, complaint="; ".join(filter(None, (self.ending.complaint, kept.told(len(self))))))


@dataclass(frozen=True, repr=False)
class Measurements(Reported):
    """Where rounding breaks what was measured, and up to which length it cannot. interrupted: by Ctrl-C, with the rows
    that were reached, which are kept in the file; gone: so were those who measured."""

    found: Rows
    interrupted: bool = False
    gone: Gone | None = None
    file: Path | None = None

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """One for each format, device, attention and rule of acceptance."""
        return self.found.rows

    @property
    def data(self) -> dict[str, Any]:
        return self.found.data

    def report(self) -> Iterable[Plain]:
        from weightproof.measuring.report import report

        return report(self.found)

    @property
    def ending(self) -> Ending:
        where = f"; they are in {self.file}" if self.file and self.rows else ""
        if self.interrupted:
            return Ending(INTERRUPTED, f"interrupted after {len(self.rows)} rows{where}")
        if self.gone is not None:
            return Ending(BAD_INPUT, f"{self.gone} after {len(self.rows)} rows{where}")
        return Ending()
