"""What the pages tell, found out once: of each subject its derivation, its theorems and what a word box needs, of each
paper its report. It is shared out among processes; what comes back is plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from weightproof.appendix.appendix import file_name, written_alone
from weightproof.appendix.example import example_word
from weightproof.appendix.papers import by_paper, page
from weightproof.constructions.library import paper_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.document.blocks import Block, Heading, Plain
from weightproof.document.html import plain
from weightproof.named import Named, parted
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.verdict import Result
from weightproof.reports import claiming
from weightproof.reports.claiming import Section
from weightproof.reports.severity import Severity, worst_first
from weightproof.stating import theorems_about
from weightproof.subjects.registry import claimed, printed_in, subject_of
from weightproof.subjects.subject import Subject
from weightproof.terminal.streams import progress
from weightproof.website.boxed import boxed


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
class Paper:
    """name: of its folder; summary: of the judgements, in sentences; about: all of which something is printed there."""

    name: str
    citation: str
    summary: tuple[str, ...]
    about: tuple[str, ...]
    slips: tuple[Slip, ...]
    report: tuple[Plain, ...]


@dataclass(frozen=True)
class Papers:
    """All of them; summary: of the judgements in all, where a statement is counted once."""

    each: tuple[Paper, ...]
    summary: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A subject. noun: what it is; paper: the folder of the paper that it is from, "" for none; section: of the
    document; box: what its word box is given, or a line that says why it has none; picture: an SVG of its example word,
    which stands beside."""

    argument: str
    title: str
    noun: str
    source: str
    paper: str
    sha256: str
    section: tuple[Block, ...]
    results: tuple[Result, ...]
    box: dict[str, Any] | str
    word: str = ""
    picture: bytes | None = None

    @property
    def file(self) -> str:
        """Its page, without the ending."""
        return file_name(self.argument)


Piece = Told | Papers


def told(subjects: Sequence[str], papers: Sequence[str]) -> tuple[tuple[Told, ...], Papers]:
    """Subjects by their arguments, and papers by the names of their folders, in the order given."""
    count = 1 + len(subjects)
    found: dict[int, Piece] = {}
    with progress(count) as advance:
        advance("the papers", 0)
        for number, _, piece in _found(subjects, papers, count):
            found[number] = piece
            advance("the papers" if isinstance(piece, Papers) else piece.argument, len(found))
    of_papers, *others = (found[number] for number in range(count))
    assert isinstance(of_papers, Papers)
    return tuple(each for each in others if isinstance(each, Told)), of_papers


def _found(subjects: Sequence[str], papers: Sequence[str], count: int) -> Iterator[tuple[int, int, Piece]]:
    pieces = partial(_pieces, tuple(subjects), tuple(papers))
    workers = Processes(min(processors(), count))
    return workers.spread(pieces, range(count))  # the papers are longest, and are begun first


def _pieces(subjects: tuple[str, ...], papers: tuple[str, ...]) -> list[Callable[[], Iterator[Piece]]]:
    return [partial(_papers, papers), *(partial(_told, argument) for argument in subjects)]


def all_papers() -> tuple[str, ...]:
    """By the names of their folders, in the order in which their networks are listed."""
    return tuple(dict.fromkeys(paper for subject in claimed() if (paper := _paper(subject))))


def _papers(names: Sequence[str]) -> Iterator[Papers]:
    wanted = [subject.claims() for name in names for subject in printed_in(name)]
    found = claiming.sections(lambda: wanted, here=True).found
    each = tuple(_of_paper(name, sections) for name, sections in by_paper(found).items())
    yield Papers(each, claiming.summary(found))


def _of_paper(name: str, found: Sequence[Section]) -> Paper:
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
    about = tuple(section.about.argument for section in found)
    return Paper(name, found[0].about.citation, claiming.summary(found), about, slips, tuple(page(found)))


def _told(argument: str) -> Iterator[Told]:
    subject = subject_of(argument)
    yield _network(subject, subject.source) if subject.source is not None else _other(subject)


def _network(subject: Subject, source: Named) -> Told:
    construction = source.construction
    theorems, document = theorems_about(source), written_alone(source, 0)
    box: dict[str, Any] | str
    try:
        box = boxed(construction, theorems, document.results)
    except InputError as error:
        box = str(error)
    _, section = document.section
    word = example_word(construction) or ""
    return Told(
        source.argument,
        construction.title,
        subject.kind.noun,
        construction.source,
        _paper(subject),
        digest(construction),
        section,
        document.results,
        box,
        word,
        _picture(construction, word),
    )


def _picture(construction: Construction, word: str) -> bytes | None:
    """Of a recogniser: attention and residual stream of a word."""
    from weightproof.reports.drawing import drawn, pictured

    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts_tokens:
        return None
    return drawn(pictured(construction, word, {}, run(construction, word)), "svg")


def _other(subject: Subject) -> Told:
    section, results = subject.derivation().section()
    noun, opening = subject.kind.noun, section[0]
    title = plain(opening.text) if isinstance(opening, Heading) else subject.name
    why = f"{subject.argument} is {noun}, and only encoders are run in a page: weightproof run {subject.argument} WORD"
    return Told(subject.argument, title, noun, "", _paper(subject), "", section, results, why)


def _paper(subject: Subject) -> str:
    """The folder of the paper that it is from, "" where it is from none."""
    if subject.source is not None and subject.source.is_own:
        return ""
    try:
        return paper_of(*parted(subject.argument))
    except KeyError:
        return ""
