"""Words of one length that breed others: those that a network decides nearly wrongly have children.

Nothing is known of a language but its alphabet: children are small changes of their parents, or begin as one and end as
another, and whether they are members is for others to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

PARENTS, OF_A_SIDE = 32, 8
"""Words that have children, and how many members and non-members are among them at least."""
TRIES = 8
"""Times the wanted number of children that are made where most are known already."""
PIECE = 4
"""Symbols of a piece that is moved, on average."""
CROSSED = 1 / 4
"""The share of children that have two parents."""


@dataclass(frozen=True)
class Bred:
    """A word that is decided rightly, whether it is a member, and how far its logit is from being decided wrongly."""

    word: str
    member: bool
    distance: float


def fittest(words: Sequence[Bred]) -> list[Bred]:
    """The PARENTS that are nearest to a wrong decision, and OF_A_SIDE of the members and of the others; of those that
    are equally near the first."""
    ranked = sorted(words, key=lambda bred: bred.distance)
    kept = ranked[:PARENTS]
    for side in (True, False):
        kept += [bred for bred in ranked if bred.member == side][:OF_A_SIDE]
    return list(dict.fromkeys(kept))


def children(parents: Sequence[str], alphabet: Sequence[str], random: Random, many: int, known: set[str]) -> list[str]:
    """About so many words that are not known yet, and are known from now on; of parents of one length, 2 or more."""
    found: list[str] = []
    for _ in range(TRIES * many):
        if len(found) == many:
            break
        if random.random() < CROSSED:
            child = crossed(random.choice(parents), random.choice(parents), random)
        else:
            child = random.choice(CHANGES)(random.choice(parents), alphabet, random)
        if child not in known:
            known.add(child)
            found.append(child)
    return found


def crossed(one: str, other: str, random: Random) -> str:
    """It begins as the one, and ends as the other."""
    place = random.randrange(len(one))
    return one[:place] + other[place:]


def changed(word: str, alphabet: Sequence[str], random: Random) -> str:
    """One symbol is another one, unless there is only one."""
    place = random.randrange(len(word))
    others = [symbol for symbol in alphabet if symbol != word[place]] or alphabet
    return word[:place] + random.choice(others) + word[place + 1 :]


def turned(word: str, alphabet: Sequence[str], random: Random) -> str:
    """Two neighbours change places."""
    place = random.randrange(len(word) - 1)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def exchanged(word: str, alphabet: Sequence[str], random: Random) -> str:
    """Two symbols change places."""
    i, j = sorted(random.sample(range(len(word)), 2))
    return word[:i] + word[j] + word[i + 1 : j] + word[i] + word[j + 1 :]


def moved(word: str, alphabet: Sequence[str], random: Random) -> str:
    """A piece of a few symbols stands elsewhere."""
    start = random.randrange(len(word))
    stop = start + 1 + int(random.expovariate(1 / (PIECE - 1)))
    rest = word[:start] + word[stop:]
    place = random.randrange(len(rest) + 1)
    return rest[:place] + word[start:stop] + rest[place:]


Change = Callable[[str, Sequence[str], Random], str]
CHANGES: Sequence[Change] = (turned, turned, moved, exchanged, changed)


def resized(
    word: str, length: int, alphabet: Sequence[str], random: Random, keeps: Callable[[str], bool]
) -> str | None:
    """A word of another length, 1 or more, made by steps of one or two neighbours that are put in or taken out, after
    each of which `keeps` holds; None where no such step is found."""
    while (away := length - len(word)) != 0:
        steps = (_step(word, away, alphabet, random) for _ in range(TRIES))
        word = next((step for step in steps if keeps(step)), "")
        if not word:
            return None
    return word


def _step(word: str, away: int, alphabet: Sequence[str], random: Random) -> str:
    size = min(2, abs(away))
    place = random.randrange(len(word) + 1 - (size if away < 0 else 0))
    if away < 0:
        return word[:place] + word[place + size :]
    return word[:place] + "".join(random.choices(alphabet, k=size)) + word[place:]


def without(word: str, taken: int, random: Random, many: int) -> list[str]:
    """Different words, so many at most, with one symbol less, or with two less: neighbours and any two in turn."""
    places = range(len(word))
    if taken == 1:
        chosen = random.sample(places, min(many, len(word)))
        return list(dict.fromkeys(word[:place] + word[place + 1 :] for place in chosen))
    found = []
    for number in range(many):
        place = random.randrange(len(word) - 1)
        i, j = (place, place + 1) if number % 2 else sorted(random.sample(places, 2))
        found.append(word[:i] + word[i + 1 : j] + word[j + 1 :])
    return list(dict.fromkeys(found))
