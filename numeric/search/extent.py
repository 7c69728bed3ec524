"""What a search ran at which lengths: every word of every family, or some words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Phase = Literal["every length", "growing lengths", "predicted lengths", "followed back"]


@dataclass(frozen=True)
class Part:
    """Lengths at which only some words were run: how many lengths from `first` to `last`, and at least so many words.

    Words of each of the lengths, counted as often as they were run. "followed back": only words like a longer one that
    fails, and the last of each family.
    """

    phase: Phase
    first: int
    last: int
    lengths: int
    words: int


@dataclass
class Extent:
    """The lengths that were run for one rule and at which nothing failed."""

    full: set[int] = field(default_factory=set)
    """With all words, or all words of all families."""
    parts: dict[Phase, dict[int, int]] = field(default_factory=dict)

    def ran(self, phase: Phase, length: int, words: int) -> None:
        """Some words of a length."""
        lengths = self.parts.setdefault(phase, {})
        lengths[length] = lengths.get(length, 0) + words

    @property
    def in_full(self) -> tuple[tuple[int, int], ...]:
        """The first and the last length of each stretch that was run in full."""
        return stretches(self.full)

    @property
    def in_part(self) -> tuple[Part, ...]:
        found = []
        for phase, words in self.parts.items():
            lengths = sorted(words.keys() - self.full)
            if lengths:
                least = min(words[length] for length in lengths)
                found.append(Part(phase, lengths[0], lengths[-1], len(lengths), least))
        return tuple(found)


def stretches(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The first and the last of each stretch of consecutive numbers."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return tuple(found)
