"""Sets of words that were found in floats, checked in balls: and refused where one is missing, or says too much."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from tests.proofs.covering.adders import adder, adds
from tests.proofs.covering.trained import TRAINED
from weightproof.constructions.languages.transducers import laid_out
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.proofs.covering.automaton import Automaton
from weightproof.proofs.covering.checking import (
    Check,
    Cuts,
    Uncovered,
    WordSet,
    require_margin,
    require_partition,
    within,
)
from weightproof.proofs.covering.computing import automaton as of_inputs
from weightproof.proofs.covering.deciding import by_token, least
from weightproof.proofs.covering.progression import automaton
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.searching import Found, Leaf, Part, search
from weightproof.proofs.running.enclosures import point


def of_length(length: int) -> tuple[Encoder, Automaton, list[Part]]:
    """What is to be shown of a trained network on the words of a length."""
    network = TRAINED.encoder
    reader = automaton(network, TRAINED.alphabet, (TRAINED.language.characterisation,), length)
    reading = Reading(network, reader)
    parts = []
    for accepted in (True, False):
        ends = [outcome == (accepted,) for outcome in reader.outcomes]
        if any(ends):
            matrix = point(np.array([[1.0 if accepted else -1.0]]))
            parts += [
                Part(words, matrix, "positive", token) for words, token in by_token(reading, reader.everything(ends))
            ]
    return network, reader, parts


def of_token(number: int, digits: int) -> tuple[Decoder, Automaton, list[Part], int]:
    """What is to be shown of an adder, of a token that it appends, and at which position that stands."""
    construction, theorem = adder(digits), adds(digits)
    network = construction.network
    assert isinstance(network, Decoder)
    items, prompt = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
    reader, length = of_inputs(theorem, items), prompt + number
    parts = []
    every = reader.everything([True] * len(reader.outcomes))
    for last, wanted in itertools.product(range(10), range(10)):
        words = every.with_token(length - 1, last).with_token(length, wanted).pruned()
        if words.some.all():
            right = int(reader.tokens[wanted])
            rows = [[float(k == right) - float(k == other) for k in range(10)] for other in range(10) if other != right]
            parts.append(Part(words, point(np.array(rows)), "positive", last))
    return network, reader, parts, length


def leaves(reading: Reading, parts: Sequence[Part]) -> list[Leaf]:
    found = search(reading, parts, lambda words: None, 10_000)
    assert isinstance(found, Found)
    return [*found.leaves]


def whole(part: Part) -> WordSet:
    """All words of a part."""
    edges, reader = part.words.edges[0], part.words.automaton
    kept = {k: frozenset(map(int, np.flatnonzero(edges[reader.edges(k)]))) for k in range(len(reader.layers))}
    return WordSet(reader, kept, frozenset(map(int, np.flatnonzero(part.words.ends[0]))))


def cuts(leaf: Leaf) -> Cuts:
    return [(cut.layer, frozenset(cut.edges)) for cut in leaf.cuts]


def checked(check: Check, parts: Sequence[Part], found: Sequence[Leaf]) -> int:
    """How many words were checked; Uncovered where the sets are not all, or less is shown of one than is said."""
    words = 0
    for number, part in enumerate(parts):
        own, every = [leaf for leaf in found if leaf.part == number], whole(part)
        require_partition([cuts(leaf) for leaf in own], every)
        counts = [within(every, cuts(leaf)).count() for leaf in own]
        assert sum(counts) == every.count() == part.words.counted()[0]
        words += sum(counts)
        matrix = [[int(x) for x in row] for row in part.matrix.middle]
        for leaf in own:
            if not leaf.run:
                require_margin(check, within(every, cuts(leaf)), matrix, float(least([leaf.margin]) or 0))
    return words


@pytest.mark.parametrize("length", [2, 7, 12, 30])
def test_all_words_of_a_length_are_checked(length: int) -> None:
    network, reader, parts = of_length(length)
    found = leaves(Reading(network, reader), parts)
    assert checked(Check(network, reader, length), parts, found) == 2 ** (length - 1)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_all_inputs_of_an_adder_are_checked(number: int) -> None:
    network, reader, parts, length = of_token(number, 2)
    found = leaves(Reading(network, reader, length), parts)
    assert checked(Check(network, reader, length), parts, found) == 10**4


def test_a_certificate_with_a_mistake_is_refused() -> None:
    """A set that is left out, one that is there twice, a margin that is too great, a cut that is another one."""
    network, reader, parts, length = of_token(1, 2)
    found, check = leaves(Reading(network, reader, length), parts), Check(network, reader, length)
    split = [k for k, leaf in enumerate(found) if leaf.cuts]
    assert len(split) > 20
    for k in split[:5]:
        with pytest.raises(Uncovered, match=r"words in no set|no set where there are words"):
            checked(check, parts, [*found[:k], *found[k + 1 :]])
        own = found[k]
        narrowed = Leaf(own.part, own.words, own.cuts[:-1], own.margin, own.run)
        with pytest.raises(Uncovered):
            checked(check, parts, [*found[:k], narrowed, *found[k + 1 :]])
    clear = next(k for k, leaf in enumerate(found) if not leaf.run)
    own = found[clear]
    more = Leaf(own.part, own.words, own.cuts, own.margin * 2 + 10, own.run)
    with pytest.raises(Uncovered, match="at least"):
        checked(check, parts, [*found[:clear], more, *found[clear + 1 :]])


def test_margins_in_balls_are_those_in_floats() -> None:
    """But for rounding: both lose the same, and what floats lose of numbers up to 2^10 in at most 2^10 operations one
    after the other is less than 2^20 times half a unit in the last place of 1."""
    network, reader, parts = of_length(12)
    check = Check(network, reader, 12)
    for leaf in leaves(Reading(network, reader), parts):
        part = parts[leaf.part]
        matrix = [[int(x) for x in row] for row in part.matrix.middle]
        found = float(check.least(within(whole(part), cuts(leaf)), matrix))
        assert abs(found - leaf.margin) < 2**20 * 2**-53
