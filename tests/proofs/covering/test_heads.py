"""Heads with rotary positions, biases, formulas of what is seen and sinks: no run leaves what encloses it, and where
one of them is left out some does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from flint import arb

from tests.proofs.covering.random_networks import drawn
from tests.proofs.covering.test_checking import LEAST, MOST, plain
from tests.proofs.covering.test_reading import sets
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.covering import reading as read
from weightproof.proofs.covering.automaton import Words
from weightproof.proofs.covering.checking.network import Check
from weightproof.proofs.covering.checking.sets import Uncovered
from weightproof.proofs.covering.deciding import bare
from weightproof.proofs.covering.placed import Placed, placed
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import all_of

Ends = Callable[[Reading, Words], tuple[float, float]]
"""Between which numbers all logits of a set of words are said to lie."""


def of_search(reading: Reading, words: Words) -> tuple[float, float]:
    with np.errstate(all="ignore"):
        low, high = (float(side[0, 0]) for side in reading.outputs(words).range())
    return low, high


def of_check(reading: Reading, words: Words) -> tuple[float, float]:
    check = Check(reading.network, reading.length)
    return float(check.away(plain(words), LEAST)), -float(check.away(plain(words), MOST))


def logits(
    seeds: range, ends: Ends, drawing: Callable[[Random], Construction] = drawn
) -> Iterator[tuple[arb, float, float]]:
    """The logits of words of sets, each with the ends of what encloses those of its set; of networks that are read."""
    for seed in seeds:
        random = Random(seed)
        construction = drawing(random)
        length = random.randint(max(len(construction.encoder.markers), 1), 6)
        reading, some = sets(random, construction, length)
        for words in some:
            try:
                low, high = ends(reading, words)
            except (NotCovered, Uncovered):
                break
            for word in [*all_of(words[0])][:8]:
                try:
                    logit = run(construction, bare(construction.encoder, word), bits=128, unread=False).logit
                except ArithmeticError:
                    continue
                yield logit if isinstance(logit, arb) else arb(logit), low, high


def outside(seeds: range, ends: Ends, drawing: Callable[[Random], Construction] = drawn) -> tuple[int, int]:
    """How many there are, and how many of them lie outside."""
    some = logits(seeds, ends, drawing)
    found = [bool(logit.upper() < arb(low) or logit.lower() > arb(high)) for logit, low, high in some]
    return len(found), sum(found)


@pytest.mark.parametrize("ends", [of_search, of_check])
def test_no_run_leaves_its_enclosure(ends: Ends) -> None:
    ran, out = outside(range(60), ends)
    assert ran > 200
    assert out == 0


@pytest.mark.controls
@pytest.mark.parametrize("ends", [of_search, of_check])
def test_no_run_of_many_leaves_its_enclosure(ends: Ends) -> None:
    ran, out = outside(range(1000, 2000), ends)
    assert ran > 4_000
    assert out == 0


LEFT_OUT: dict[str, Callable[[Placed], dict[str, Any]]] = {
    "turns": lambda _: {"turns": None},
    "bias": lambda _: {"bias": None},
    "seen": lambda here: {"seen": np.ones_like(here.seen)},
    "sink": lambda _: {"sink": None},
}


@pytest.mark.parametrize("part", LEFT_OUT)
def test_what_is_left_out_is_seen(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(*arguments: Any) -> Placed:
        here = placed(*arguments)
        return replace(here, **LEFT_OUT[part](here))

    monkeypatch.setattr(read, "placed", forgetful)
    assert outside(range(30), of_search)[1] > 0


WITHOUT = {
    "rotary": ((), range(30)),
    "bias": (None, range(30, 60)),
    "sees": (None, range(46, 47)),
    "sink": (None, range(30)),
}
"""Parts of a head: what stands for none, and random networks among which it makes a difference."""


@pytest.mark.parametrize("part", WITHOUT)
def test_what_the_check_leaves_out_is_seen(part: str) -> None:
    nothing, seeds = WITHOUT[part]

    def forgetful(reading: Reading, words: Words) -> tuple[float, float]:
        network = reading.network
        assert isinstance(network, Encoder)
        layers = tuple(
            replace(layer, heads=tuple(replace(head, **{part: nothing}) for head in layer.heads))
            for layer in network.layers
        )
        return of_check(replace(reading, network=replace(network, layers=layers)), words)

    assert outside(seeds, forgetful)[1] > 0


def test_a_position_that_sees_nothing_leaves_no_value() -> None:
    random = Random(0)
    construction = next(
        each for each in iter(lambda: drawn(random), None) if each.encoder.layers[0].heads and not each.encoder.normed
    )
    first = construction.encoder.layers[0]
    blind = replace(first.heads[0], sees="j > i", sink=None)
    network = replace(construction.encoder, layers=(replace(first, heads=(blind, *first.heads[1:])),))
    reading, _ = sets(random, construction, 4)
    with pytest.raises(NotCovered, match=r"position \d sees nothing at 4 positions"):
        Reading(network, reading.automaton)
    with pytest.raises(NotCovered, match=r"position \d of 4 sees nothing"):
        Check(network, 4)
    seeing = replace(network, layers=(replace(first, heads=(replace(blind, sink=0),)),))
    Reading(seeing, reading.automaton)
    Check(seeing, 4)
