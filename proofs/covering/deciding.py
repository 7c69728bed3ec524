"""Decides a theorem up to a length by covering: every word of each length lies in a set on which intervals decide."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.covering.asking import Asked, Signs, asked
from weightproof.proofs.covering.automaton import TooManyStates, Words
from weightproof.proofs.covering.certificate import Positions
from weightproof.proofs.covering.progression import Unread, automaton
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import DOWNWARD, Found, Open, Part, found_at, search
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.running.enclosures import point
from weightproof.proofs.running.every import NONE_SPOKEN_OF, Check
from weightproof.proofs.verdict import Covered, Evidence, Proved, Refuted, Unknown

MOST_POSITIONS = 100
"""Of words among which the shortest wrong one is looked for."""
MOST_SETS = 20_000
"""Of the words of one length."""
STAGE = "the covering"


def by_covering(check: Check, deadline: Deadline) -> tuple[Proved | Refuted | Unknown | None, tuple[Positions, ...]]:
    """The verdict on a theorem that is said up to a length, and of a proof the sets of words of each length. None where
    it has parameters, or something in it or in the network is not read so, or too much is left open."""
    construction, longest = check.analysis.construction, check.theorem.up_to
    assert longest is not None
    if construction.parameters:
        return None, ()
    settled, verdict = _lengths(check, longest, deadline)
    if verdict is not None or settled is None or settled.longest < longest:
        return verdict, ()
    if not settled.words.words:
        return NONE_SPOKEN_OF, ()
    return Proved(f"n <= {longest}", Evidence.COVERING, covered=settled.words), settled.positions


def shortest_wrong(check: Check, deadline: Deadline) -> tuple[int, Refuted | None]:
    """The length up to which every word is right, 0 where that is not known of any, and a word of the next one that is
    wrong, where one was found: there is no shorter one."""
    if check.analysis.construction.parameters:
        return 0, None
    settled, verdict = _lengths(check, MOST_POSITIONS, deadline)
    return 0 if settled is None else settled.longest, verdict if isinstance(verdict, Refuted) else None


@dataclass(frozen=True)
class Settled:
    """Every word of so many positions, and fewer, is right. positions: the sets in which they are, by length."""

    longest: int
    words: Covered
    positions: tuple[Positions, ...]


def _lengths(check: Check, longest: int, deadline: Deadline) -> tuple[Settled | None, Refuted | Unknown | None]:
    """Shorter words first, up to the first length that is not decided, or of which a word is wrong."""
    construction = check.analysis.construction
    network = construction.encoder
    settled: Settled | None = None
    try:
        wanted = asked(construction, check.theorem)
        for length in range(max(len(network.markers), 1), longest + 1):
            step = functools.partial(of_length, check, wanted, network, length)
            found = deadline.during(STAGE, step)
            if isinstance(found, Refuted) and settled is not None:
                return settled, replace(found, right_up_to=settled.longest)
            if not isinstance(found, tuple):
                return settled, found
            covered, positions = found
            before = Settled(0, Covered(0, 0, 0, None), ()) if settled is None else settled
            settled = Settled(length, before.words + covered, (*before.positions, positions))
    except (NotCovered, Unread, TooManyStates, TimeUp, ArithmeticError):  # a formula or a weight without a value
        pass
    return settled, None


def of_length(
    check: Check, wanted: Asked, network: Encoder, length: int
) -> tuple[Covered, Positions] | Refuted | Unknown | None:
    """Of the words of so many positions, markers among them; None where too much is left open."""
    reader = automaton(network, check.analysis.alphabet, wanted.formulas, length)
    ends: dict[Signs, list[bool]] = {}
    for number, outcome in enumerate(reader.outcomes):
        signs = wanted.of(outcome)  # type: ignore[arg-type]
        if signs is not None:
            ends.setdefault(signs, [False] * len(reader.outcomes))[number] = True
    if not ends:
        return Covered(0, 0, 0, None), Positions(length, ())
    reading = Reading(network, reader)
    parts = [
        Part(words, point(np.array(signs.matrix, dtype=np.float64)), signs.sign, token)
        for signs, some in ends.items()
        for words, token in by_token(reading, reader.everything(some))
    ]

    def run(words: Sequence[tuple[str, ...]]) -> Hashable | None:
        return check.of([bare(network, word) for word in words])

    found = search(reading, parts, run, MOST_SETS)
    if isinstance(found, Open):
        return None
    if not isinstance(found, Found):
        assert isinstance(found, Refuted | Unknown)
        return found
    words = sum(sum(part.words.counted()) for part in parts)
    by_run = sum(len(leaf.run) for leaf in found.leaves)
    sets = [leaf for leaf in found.leaves if not leaf.run]
    _require_right(check, network, parts, found)
    covered = Covered(words, len(sets), by_run, least([leaf.margin for leaf in sets]))
    return covered, found_at(length, parts, found)


def by_token(reading: Reading, words: Words) -> Iterator[tuple[Words, int | None]]:
    """The words in parts, by the token at the place that is read, where it is one."""
    if len(reading.places_read) > 1:
        yield words, None
        return
    (place,) = reading.places_read
    for token in reading.tokens_in(words, place):
        yield words.with_token(place, token).pruned(), token


def _require_right(check: Check, network: Encoder, parts: Sequence[Part], found: Found) -> None:
    """InternalError where a word of the first set of each part, run, is not as all of that set are said to be."""
    for number in range(len(parts)):
        leaf = next((each for each in found.leaves if each.part == number and not each.run), None)
        if leaf is None:
            continue
        word = leaf.words[None].word_of_least(0, np.zeros(leaf.words.edges.shape))
        if check.of([bare(network, word)]) is not None:
            raise InternalError(f"{check.analysis.construction.name} on {word!r}: right by intervals, wrong when run")


def bare(network: Encoder, word: Sequence[str]) -> str:
    """Without markers."""
    begin, end = (int(marker is not None) for marker in (network.begin, network.end))
    return "".join(word[begin : len(word) - end])


def least(margins: Sequence[float]) -> str | None:
    """Rounded down to three figures."""
    return str(DOWNWARD.create_decimal(min(margins))) if margins else None
