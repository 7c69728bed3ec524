"""Long work that falls into pieces, and who does them.

What a piece is made of, a theorem with its network and its obligations, does not travel between processes: each process
makes the list of all pieces anew, and is told by number which ones are its own. Only what comes of them travels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
Pieces = Callable[[], Sequence[Callable[[], Iterable[T]]]]
"""Makes the list of all pieces. What it is to be called with in another process has to travel there."""


class Gone(Exception):
    """Those who did the work went away before it was done; says who, in the beginning of a line."""


class Workers(Protocol):
    """Processes, here or elsewhere."""

    def spread(self, pieces: Pieces[T], order: Sequence[int]) -> Iterator[tuple[int, int, T]]:
        """What comes of the pieces, as it comes, each with the number of its piece and its place among what comes of
        that.

        order: the numbers of the pieces in the order in which they are begun. What another process does not finish, as
        it was killed or as there is an error, is done once more here, where an error is told as ever, that of the first
        piece first; its places are the same. Gone where that does not help.
        """


def here(pieces: Pieces[T], numbers: Iterable[int]) -> Iterator[tuple[int, int, T]]:
    """What comes of those pieces, done in this process."""
    own = pieces()
    for number in sorted(numbers):
        yield from ((number, place, result) for place, result in enumerate(own[number]()))
