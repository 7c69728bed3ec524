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

from tests.proofs.covering.random_networks import COORDINATES, encoder, rows
from tests.proofs.covering.test_reading import sets
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Head, Rotary
from weightproof.proofs.covering import reading as read
from weightproof.proofs.covering.deciding import bare
from weightproof.proofs.covering.placed import Placed, placed
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import all_of

ANGLES = ("1", "2*pi/5", "1/10", "pi/2")
BIASES = ("-(i - j)*log(10)", "(i - j)/3", "2*(i == j)", "(i + j)/(n + 1)", "-30*(j == 0)")
FORMULAS = ("i - j <= 2", "j != 1 or i == 1", "i == j or j == 0")
SINKS = ("0", "1", "-2", "log(n)")


def more(random: Random, head: Head) -> Head:
    """With some of them."""
    fields: dict[str, Any] = {}
    if random.random() < 0.6:
        W_Q, W_K = (rows(random, ("q0", "q1"), COORDINATES) for _ in range(2))
        turned = {"rotary": (Rotary("q0", "q1", random.choice(ANGLES)),), "query_norm": None, "key_norm": None}
        fields |= {"W_Q": W_Q, "W_K": W_K, "scale": "1/4", **turned}
    if random.random() < 0.4:
        fields["bias"] = random.choice(BIASES)
    if random.random() < 0.4:
        fields["sees"] = random.choice(FORMULAS)
    if random.random() < 0.4 and head.normaliser == "softmax":
        fields["sink"] = random.choice(SINKS)
    return replace(head, **fields)


def drawn(random: Random) -> Construction:
    construction = encoder(random)
    layers = tuple(
        replace(layer, heads=tuple(more(random, head) for head in layer.heads)) for layer in construction.encoder.layers
    )
    return replace(construction, network=replace(construction.encoder, layers=layers))


def logits(seeds: range) -> Iterator[tuple[arb, float, float]]:
    """The logits of words of sets, each with the ends of what encloses those of its set."""
    for seed in seeds:
        random = Random(seed)
        construction = drawn(random)
        length = random.randint(max(len(construction.encoder.markers), 1), 6)
        reading, some = sets(random, construction, length)
        for words in some:
            with np.errstate(all="ignore"):
                low, high = (float(side[0, 0]) for side in reading.outputs(words).range())
            for word in [*all_of(words[0])][:8]:
                try:
                    logit = run(construction, bare(construction.encoder, word), bits=128, unread=False).logit
                except ArithmeticError:
                    continue
                yield logit if isinstance(logit, arb) else arb(logit), low, high


def outside(seeds: range) -> tuple[int, int]:
    """How many there are, and how many of them lie outside."""
    found = [bool(logit.upper() < arb(low) or logit.lower() > arb(high)) for logit, low, high in logits(seeds)]
    return len(found), sum(found)


def test_no_run_leaves_its_enclosure() -> None:
    ran, out = outside(range(60))
    assert ran > 300
    assert out == 0


@pytest.mark.controls
def test_no_run_of_many_leaves_its_enclosure() -> None:
    ran, out = outside(range(1000, 2000))
    assert ran > 5_000
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
    assert outside(range(30))[1] > 0


def test_a_position_that_sees_nothing_leaves_no_value() -> None:
    random = Random(0)
    construction = next(each for each in iter(lambda: drawn(random), None) if each.encoder.layers[0].heads)
    first = construction.encoder.layers[0]
    blind = replace(first.heads[0], sees="j > i", sink=None)
    network = replace(construction.encoder, layers=(replace(first, heads=(blind, *first.heads[1:])),))
    reading, _ = sets(random, construction, 4)
    with pytest.raises(NotCovered, match=r"position \d sees nothing at 4 positions"):
        Reading(network, reading.automaton)
    Reading(replace(network, layers=(replace(first, heads=(replace(blind, sink=0),)),)), reading.automaton)
