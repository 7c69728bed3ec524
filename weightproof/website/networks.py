"""What the page of a network tells, found out once: its theorems, its derivation, its weights, and what its word box
needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from weightproof.appendix.appendix import file_name, letter, written_and_judged
from weightproof.appendix.example import example_word
from weightproof.constructions.library import ADDERS, adder_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.modular.family import modulus
from weightproof.document.blocks import Block, Code, Heading, Spans
from weightproof.document.html import plain
from weightproof.named import Named, parted
from weightproof.proofs.verdict import Result
from weightproof.reports.claiming import Section
from weightproof.stating import theorems_about
from weightproof.subjects.registry import subject_of
from weightproof.subjects.subject import Subject
from weightproof.website.boxed import boxed, boxed_adder, exact_verdicts
from weightproof.website.papers import paper_from
from weightproof.website.theorems import Settled

CLOCK = modulus(12, (1,))
"""Of the member of a family that a page runs. It is even: there a sum may be a tie without the correction."""


@dataclass(frozen=True)
class Told:
    """A subject. noun: what it is; origin: what it was transformed from, "" for nothing; paper: the folder of the paper
    that it is from, "" for none; section: of the document, or what takes its place; box: what its word box is given, or
    a line that says why it has none; claims: what is printed of it, judged; picture: an SVG of its example word, which
    stands beside."""

    argument: str
    title: str
    noun: str
    source: str
    paper: str
    sha256: str
    section: tuple[Block, ...]
    settled: tuple[Settled, ...]
    box: dict[str, Any] | Spans
    claims: Section | None = None
    origin: str = ""
    word: str = ""
    picture: bytes | None = None

    @property
    def file(self) -> str:
        """Its page, without the ending."""
        return page_of(self.argument)

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(each.result for each in self.settled)


def page_of(argument: str) -> str:
    """The page of a subject by its argument, without the ending."""
    named, transforms = parted(argument)
    return file_name("+".join((named, *transforms)))


def told_of(argument: str) -> Told:
    """A network with all that a document says of it, and of any other subject its derivation."""
    subject = subject_of(*parted(argument))
    return _other(subject) if subject.source is None else _network(subject, subject.source)


def _network(subject: Subject, source: Named) -> Told:
    """The example word and the table of short words are on the page of what was transformed: the box of a transformed
    one knows what is proved."""
    construction = source.construction
    document, claims = written_and_judged(source, 0)
    _, section = document.section
    told = Told(
        argument=source.argument,
        title=construction.title,
        noun=subject.kind.noun,
        source=construction.source,
        paper=paper_from(subject),
        sha256=digest(construction),
        section=section,
        settled=tuple(map(Settled.of, document.results, theorems_about(source))),
        box=_box(source, document.results),
        claims=claims,
    )
    if source.transforms:
        return replace(told, origin=source.named)
    word = example_word(construction) or ""
    return replace(told, word=word, picture=_picture(construction, word))


def _box(source: Named, results: Sequence[Result]) -> dict[str, Any] | Spans:
    construction = source.construction
    verdicts = () if source.transforms else exact_verdicts(construction)
    try:
        return boxed(construction, theorems_about(source), results, verdicts)
    except InputError as error:
        return (str(error),)


def _picture(construction: Construction, word: str) -> bytes | None:
    """Of a recogniser: attention and residual stream of a word."""
    from weightproof.reports.drawing import drawn, pictured

    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts:
        return None
    return drawn(pictured(construction, word, {}, run(construction, word)), "svg")


def _other(subject: Subject) -> Told:
    section, results = subject.derivation().section(letter(0))
    opening = section[0]
    return Told(
        argument=subject.argument,
        title=plain(opening.text) if isinstance(opening, Heading) else subject.name,
        noun=subject.kind.noun,
        source="",
        paper=paper_from(subject),
        sha256="",
        section=section,
        settled=tuple(map(Settled.of, results)),
        box=_box_of_other(subject),
    )


def _box_of_other(subject: Subject) -> dict[str, Any] | Spans:
    if subject.argument in ADDERS:
        return boxed_adder(adder_of(subject.argument, CLOCK))
    command = Code(f"weightproof run {subject.argument} WORD")
    return Code(subject.argument), f" is {subject.kind.noun}, and only encoders are run in a page; elsewhere: ", command
