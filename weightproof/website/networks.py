"""What the page of a network tells, found out once: its theorems, its derivation, its weights, and what its word box
needs. What comes back is plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from weightproof.appendix.appendix import file_name, letter, written_alone
from weightproof.appendix.example import example_word
from weightproof.appendix.language import language
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.document.blocks import Block, Code, Heading, Paragraph
from weightproof.document.html import plain
from weightproof.named import Named, parted
from weightproof.proofs.kernel.checked import with_kernel
from weightproof.proofs.prove import prove
from weightproof.proofs.verdict import Result
from weightproof.reports.matrices import weights
from weightproof.stating import theorems_about
from weightproof.subjects.registry import subject_of
from weightproof.subjects.subject import Subject
from weightproof.website.boxed import boxed, exact_verdicts
from weightproof.website.papers import paper_from
from weightproof.website.theorems import Settled


@dataclass(frozen=True)
class Told:
    """A subject. noun: what it is; origin: what it was transformed from, "" for nothing; paper: the folder of the paper
    that it is from, "" for none; section: of the document, or what takes its place; box: what its word box is given, or
    a line that says why it has none; picture: an SVG of its example word, which stands beside."""

    argument: str
    title: str
    noun: str
    source: str
    paper: str
    sha256: str
    section: tuple[Block, ...]
    settled: tuple[Settled, ...]
    box: dict[str, Any] | str
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
    """A built-in construction with all that a document says of it, a transformed one with its theorems and weights, and
    of any other subject its derivation."""
    subject = subject_of(*parted(argument))
    if subject.source is None:
        return _other(subject)
    return _transformed(subject, subject.source) if subject.source.transforms else _network(subject, subject.source)


def _network(subject: Subject, source: Named) -> Told:
    construction, document = source.construction, written_alone(source, 0)
    _, section = document.section
    told = _told(subject, source, section, document.results, exact_verdicts(construction))
    word = example_word(construction) or ""
    return replace(told, word=word, picture=_picture(construction, word))


def _transformed(subject: Subject, source: Named) -> Told:
    """Without derivation and table of short words, which its origin's page has: the word box knows what is proved."""
    construction, stated = source.construction, theorems_about(source)
    proved = zip(prove(construction, stated), stated, strict=True)
    results = [replace(each, verdict=with_kernel(construction, of, each.verdict)) for each, of in proved]
    derive = Paragraph(("What follows from them, step by step: ", Code(f"weightproof derive {source.argument}"), "."))
    section = (Heading(1, construction.title), *language(construction), *weights(construction.network), derive)
    return replace(_told(subject, source, section, results, ()), origin=source.named)


def _told(
    subject: Subject, source: Named, section: tuple[Block, ...], results: Sequence[Result], verdicts: Sequence[str]
) -> Told:
    construction, stated = source.construction, theorems_about(source)
    box: dict[str, Any] | str
    try:
        box = boxed(construction, stated, results, verdicts)
    except InputError as error:
        box = str(error)
    return Told(
        argument=source.argument,
        title=construction.title,
        noun=subject.kind.noun,
        source=construction.source,
        paper=paper_from(subject),
        sha256=digest(construction),
        section=section,
        settled=tuple(map(Settled.of, results, stated)),
        box=box,
    )


def _picture(construction: Construction, word: str) -> bytes | None:
    """Of a recogniser: attention and residual stream of a word."""
    from weightproof.reports.drawing import drawn, pictured

    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts_tokens:
        return None
    return drawn(pictured(construction, word, {}, run(construction, word)), "svg")


def _other(subject: Subject) -> Told:
    section, results = subject.derivation().section(letter(0))
    noun, opening = subject.kind.noun, section[0]
    title = plain(opening.text) if isinstance(opening, Heading) else subject.name
    why = f"{subject.argument} is {noun}, and only encoders are run in a page: weightproof run {subject.argument} WORD"
    return Told(
        argument=subject.argument,
        title=title,
        noun=noun,
        source="",
        paper=paper_from(subject),
        sha256="",
        section=section,
        settled=tuple(map(Settled.of, results)),
        box=why,
    )
