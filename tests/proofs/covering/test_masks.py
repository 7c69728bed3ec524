"""Every mask and normaliser by enclosures, of words and of sets of words: no run leaves what encloses it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.constructions.meaning.masked_words import CASES, added, construction
from tests.proofs.covering.random_networks import masked
from tests.proofs.covering.test_heads import Ends, of_check, of_search, outside
from weightproof.constructions.meaning.schema import Mask, Normaliser
from weightproof.proofs.covering.checking.network import Check
from weightproof.proofs.covering.progression import automaton
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import stacked
from weightproof.proofs.running import forward
from weightproof.proofs.running.forward import outputs

LENGTH = 4
WORDS = ["".join(word) for word in itertools.product("abc", repeat=LENGTH)]


@pytest.mark.parametrize(("mask", "normaliser", "sees"), CASES)
def test_the_run_of_a_word_in_enclosures_is_around_what_it_adds(
    mask: Mask, normaliser: Normaliser, sees: str | None
) -> None:
    network = construction(mask, normaliser, sees).encoder
    if added(mask, normaliser, sees, WORDS[0]) is None:
        with pytest.raises(ArithmeticError, match="a position sees nothing"):
            outputs(network, WORDS, {})
        return
    found = outputs(network, WORDS, {})
    assert not found.open.any()
    for word, middle, radius in zip(WORDS, found.values.middle[:, 0], found.values.radius[:, 0], strict=True):
        assert abs(Fraction(middle) - sum(added(mask, normaliser, sees, word) or ())) <= Fraction(radius), word


@pytest.mark.parametrize(("mask", "normaliser", "sees"), CASES)
def test_so_is_that_of_a_set_of_words(mask: Mask, normaliser: Normaliser, sees: str | None) -> None:
    """The first and the last symbol of the sets are given, the others are open."""
    network = construction(mask, normaliser, sees).encoder
    reader = automaton(network, ("a", "b", "c"), (), LENGTH)
    if added(mask, normaliser, sees, WORDS[0]) is None:
        with pytest.raises(NotCovered, match=r"position \d sees nothing"):
            Reading(network, reader)
        with pytest.raises(NotCovered, match=r"position \d of 4 sees nothing"):
            Check(network, LENGTH)
        return
    totals = {word: sum(added(mask, normaliser, sees, word) or ()) for word in WORDS}
    reading = Reading(network, reader)
    for word in WORDS[::7]:
        low, high = (side[0, 0] for side in reading.outputs(stacked([reader.of_word(word)])).range())
        assert low <= totals[word] <= high
    everything = reader.everything([True] * len(reader.outcomes))
    for first, last in itertools.product(range(3), repeat=2):
        some = everything.with_token(0, first).with_token(LENGTH - 1, last).pruned()
        low, high = (side[0, 0] for side in reading.outputs(some).range())
        ends = "abc"[first], "abc"[last]
        own = [total for word, total in totals.items() if (word[0], word[-1]) == ends]
        assert low <= min(own)
        assert max(own) <= high


@pytest.mark.parametrize("ends", [of_search, of_check])
def test_no_run_leaves_its_enclosure(ends: Ends) -> None:
    ran, out = outside(range(80), ends, masked)
    assert ran > 100
    assert out == 0


@pytest.mark.controls
@pytest.mark.parametrize("ends", [of_search, of_check])
def test_no_run_of_many_leaves_its_enclosure(ends: Ends) -> None:
    ran, out = outside(range(2000, 3000), ends, masked)
    assert ran > 2_000
    assert out == 0


def test_a_place_that_comes_too_late_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of the best positions for the first one, by words and by sets: of equal scores that is the first, whose
    number is 1."""
    made = construction("causal", "leftmost", None).encoder
    [layer] = made.layers
    network = replace(made, layers=(replace(layer, heads=(replace(layer.heads[0], W_Q={}, W_K={}),)),))
    own, reader = Reading._outermost, automaton(network, ("a", "b", "c"), (), LENGTH)
    everything = reader.everything([True] * len(reader.outcomes))

    def found() -> tuple[list[float], list[float]]:
        low, high = (float(side[0, 0]) for side in Reading(network, reader).outputs(everything).range())
        values = outputs(network, WORDS, {}).values
        return [round(low), round(high)], [*{*values.middle[:, 0].tolist()}]  # all that may be there are whole numbers

    assert found() == ([4, 4], [4])
    monkeypatch.setattr(Reading, "_outermost", lambda self, *parts: own(self, *parts[:-1], -parts[-1]))
    assert found() == ([40, 40], [4])
    monkeypatch.setattr(forward, "_outermost", lambda some, side: some & (some[..., ::-1].cumsum(-1)[..., ::-1] == 1))
    assert found() == ([40, 40], [40])
