"""What is to be computed of an input, said plainly: a machine with finitely many states that reads letters and writes
tokens, and where they stand before a decoder."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any

from weightproof.constructions.meaning.inputs import InputError, said
from weightproof.constructions.scalars.frozen import Written


def tracks(values: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """By name, the letters of a track."""
    return MappingProxyType({name: tuple(letters) for name, letters in values.items()})


@dataclass(frozen=True)
class Transducer:
    """Reads one slot after the other, in each a letter of every track, and writes one token a slot.

    tracks: name -> the letters that may stand there; slots: how many have any of them. more: how many slots follow, in
    which every track has the letter `blank`. step(state, *letters): the state behind a slot, and the token that is
    written there, letters in the order of the tracks; start: the state before the first slot.
    """

    _: KW_ONLY
    tracks: Written[Mapping[str, tuple[str, ...]]] = Written(tracks)
    slots: int
    step: Callable[..., tuple[Hashable, str]]
    start: Hashable
    more: int = 0
    blank: str = "0"

    @property
    def count(self) -> int:
        """Slots, those with blanks among them, and so tokens that are written."""
        return self.slots + self.more

    def written(self, state: Hashable, letters: tuple[str, ...]) -> tuple[Hashable, str]:
        """The state behind a slot, and the token that is written there; InputError where `step` makes no such pair."""
        called = f"step({', '.join(map(repr, (state, *letters)))})"
        try:
            found = self.step(state, *letters)
        except Exception as error:
            raise InputError(f"transducer: {called} raises {type(error).__name__}: {said(error)}") from error
        match found:
            case (Hashable() as after, str(token)):
                return after, token
        raise InputError(f"transducer: {called} is {found!r}, not a state, which can be told from others, and a token")

    def choices(self, slot: int) -> Iterator[tuple[str, ...]]:
        """The letters that may stand in a slot, all tracks together."""
        blanks = ((self.blank,),) * len(self.tracks)
        return itertools.product(*(self.tracks.values() if slot < self.slots else blanks))


@dataclass(frozen=True)
class Track:
    """In a prompt, the letters of a track, the last slot first where it is `backward`."""

    name: str
    backward: bool = False


Letter = tuple[str, int]
"""A track with a slot: what stands there."""
Item = str | Letter


def laid_out(transducer: Transducer, prompt: Sequence[str | Track], backward: bool) -> tuple[tuple[Item, ...], int]:
    """What stands at each position: a token that is always the same, the letter of a track in a slot, or, under the
    name "", what is written in a slot; and how many of these positions the prompt has. The symbols of a text in the
    prompt are tokens; backward: the token of the last slot is appended first."""
    items: list[Any] = []
    for part in prompt:
        if isinstance(part, Track):
            slots = range(transducer.slots)
            items += [(part.name, slot) for slot in (reversed(slots) if part.backward else slots)]
        else:
            items += part
    answer = [("", slot) for slot in range(transducer.count)]
    return (*items, *(reversed(answer) if backward else answer)), len(items)
