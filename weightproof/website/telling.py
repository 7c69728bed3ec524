"""All that the pages tell, shared out among processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from weightproof.parallel.processes import Processes, processors
from weightproof.reports import claiming
from weightproof.reports.claiming import Section
from weightproof.subjects.registry import printed_in
from weightproof.subjects.subject import Subject
from weightproof.terminal.streams import progress
from weightproof.website.networks import Told, told_of
from weightproof.website.papers import Papers, papers_of

Piece = Told | Section


def told(subjects: Sequence[str], papers: Sequence[str]) -> tuple[tuple[Told, ...], Papers]:
    """Subjects by their arguments, and papers by the names of their folders, in the order given. What is printed of a
    network is judged with its page; of all else, in a piece of its own."""
    pieces = partial(_pieces, tuple(subjects), tuple(papers))
    names = (*subjects, *(each.argument for each in judged_apart(subjects, papers)))
    pages, judged = dict[str, Told](), dict[str, Section]()
    with progress(len(names)) as advance:
        advance("", 0)
        for number, _, piece in Processes(min(processors(), len(names))).spread(pieces, range(len(names))):
            if isinstance(piece, Section):
                judged[names[number]] = piece
            else:
                pages[names[number]] = piece
            advance(names[number], len(pages) + len(judged))
    judged |= {each.argument: each.claims for each in pages.values() if each.claims is not None}
    printed = (judged[subject.argument] for paper in papers for subject in printed_in(paper))
    return tuple(map(pages.__getitem__, subjects)), papers_of([*printed])


def _pieces(subjects: Sequence[str], papers: Sequence[str]) -> list[Callable[[], Iterator[Piece]]]:
    judged = [partial(_judged, each) for each in judged_apart(subjects, papers)]
    return [*(partial(_told, argument) for argument in subjects), *judged]


def judged_apart(subjects: Sequence[str], papers: Sequence[str]) -> list[Subject]:
    """What papers print of that has no page, or a page that says nothing of print: families, formulas, and networks
    that are not asked for."""
    every = [subject for paper in papers for subject in printed_in(paper)]
    return [subject for subject in every if subject.source is None or subject.argument not in subjects]


def _told(argument: str) -> Iterator[Told]:
    yield told_of(argument)


def _judged(subject: Subject) -> Iterator[Section]:
    wanted = [subject.claims()]
    judged = claiming.sections(lambda: wanted, here=True)
    if judged.interrupted:
        raise KeyboardInterrupt
    yield from judged.found
