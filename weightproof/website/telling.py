"""All that the pages tell, shared out among processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from weightproof.parallel.processes import Processes, processors
from weightproof.terminal.streams import progress
from weightproof.website.networks import Told, told_of
from weightproof.website.papers import Papers, judged

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


def _papers(names: Sequence[str]) -> Iterator[Papers]:
    yield judged(names)


def _told(argument: str) -> Iterator[Told]:
    yield told_of(argument)
