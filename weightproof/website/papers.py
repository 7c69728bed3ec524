"""What the pages tell of a paper: its report, and its slips by what they make false statements of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weightproof.appendix.papers import by_paper, page
from weightproof.constructions.library import paper_of
from weightproof.document.blocks import Plain
from weightproof.named import parted
from weightproof.proofs.claims.judging import Judgement
from weightproof.reports import claiming
from weightproof.reports.claiming import Section
from weightproof.reports.severity import Severity, worst_first
from weightproof.subjects.registry import claimed, printed_in
from weightproof.subjects.subject import Subject


@dataclass(frozen=True)
class Slip:
    """A mistake of print, by its number on the page of its paper; about: what it makes false statements of."""

    number: int
    id: str
    severity: Severity
    about: tuple[str, ...]

    @property
    def heading(self) -> str:
        """Of its part of that page."""
        return f"Slip {self.number}: {self.id}"


@dataclass(frozen=True)
class Statement:
    """What is printed of something, by its id, under a heading of the page of its paper; word: on which it fails, None
    where there is none, which a command replays at these parameters."""

    id: str
    about: str
    heading: str
    word: str | None = None
    command: str = ""
    parameters: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class Paper:
    """name: of its folder; summary: of the judgements, in sentences."""

    name: str
    citation: str
    summary: tuple[str, ...]
    statements: tuple[Statement, ...]
    slips: tuple[Slip, ...]
    report: tuple[Plain, ...]

    @property
    def file(self) -> str:
        """Its page, without the ending."""
        return page_of(self.name)


@dataclass(frozen=True)
class Papers:
    """All of them; summary: of the judgements in all, where a statement is counted once."""

    each: tuple[Paper, ...]
    summary: tuple[str, ...]


def page_of(paper: str) -> str:
    """The page of a paper by the name of its folder, without the ending."""
    return f"paper-{paper}"


def all_papers() -> tuple[str, ...]:
    """By the names of their folders, in the order in which their networks are listed."""
    return tuple(dict.fromkeys(paper for subject in claimed() if (paper := paper_from(subject))))


def paper_from(subject: Subject) -> str:
    """The folder of the paper that it, or what it was transformed from, is from; "" where it is from none."""
    named, transforms = parted(subject.argument)
    if subject.source is not None and subject.source.is_own and not transforms:
        return ""
    for asked in (transforms, ()):
        try:
            return paper_of(named, asked)
        except KeyError:
            continue
    return ""


def judged(names: Sequence[str]) -> Papers:
    """By the names of their folders, all that they print judged anew."""
    wanted = [subject.claims() for name in names for subject in printed_in(name)]
    judged = claiming.sections(lambda: wanted, here=True)
    if judged.interrupted:
        raise KeyboardInterrupt
    found = judged.found
    each = tuple(_paper(name, sections) for name, sections in by_paper(found).items())
    return Papers(each, claiming.summary(found))


def _paper(name: str, found: Sequence[Section]) -> Paper:
    mistakes = [(falls.severity, mistake) for falls in worst_first(found) for mistake in falls.mistakes]
    slips = tuple(
        Slip(
            number,
            mistake.slip.id,
            severity,
            tuple(dict.fromkeys(affected.section.about.argument for affected in mistake.affected)),
        )
        for number, (severity, mistake) in enumerate(mistakes, start=1)
    )
    statements = tuple(_statement(section, judgement) for section in found for judgement in section.judgements)
    return Paper(name, found[0].about.citation, claiming.summary(found), statements, slips, tuple(page(found)))


def _statement(section: Section, judgement: Judgement) -> Statement:
    about, claim, difference = section.about, judgement.claim, judgement.difference
    if difference is None or difference.word is None:
        return Statement(claim.id, about.argument, about.name)
    command, values = difference.command(about.argument), frozenset(difference.parameters.items())
    return Statement(claim.id, about.argument, about.name, difference.word, command, values)
