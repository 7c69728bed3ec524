"""Covering against brute force on random networks, and mistakes that are planted in it, each of which is found so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from tests.proofs.covering import random_networks
from tests.proofs.covering.random_networks import of_any_size, plain
from tests.proofs.covering.soundness import Held, Verdicts, decoders, encoders, predictions, verdicts
from weightproof.proofs.covering import deciding, forms, searching
from weightproof.proofs.covering import reading as read
from weightproof.proofs.running.enclosures import Enclosed

NETWORKS, PIECE = 120, 20
"""How many networks the long suite draws for each question, and how many in a test: more find more."""
PIECES = [range(first, first + PIECE) for first in range(0, NETWORKS, PIECE)]


def holds(found: Held) -> bool:
    return not found.outside and not found.without_value


@pytest.mark.parametrize(("some", "least"), [(encoders, 200), (decoders, 10)])
def test_no_run_leaves_its_enclosure(some: Callable[[range], Held], least: int) -> None:
    found = some(range(6))
    assert holds(found), found
    assert found.runs > least


@pytest.mark.controls
@pytest.mark.parametrize("seeds", PIECES)
def test_no_run_of_many_leaves_its_enclosure(seeds: range) -> None:
    found = encoders(seeds) + decoders(seeds)
    assert holds(found), found
    assert found.runs > 100 * len(seeds)


@pytest.mark.controls
@pytest.mark.parametrize("kind", [verdicts, predictions])
@pytest.mark.parametrize("seeds", PIECES)
def test_a_verdict_is_that_of_every_word(
    seeds: range, kind: Callable[[range], Verdicts], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "FEW", 1)  # else most of so few words are run
    found = kind(seeds)
    assert found.wrong == []
    assert min(found.proved, found.refuted) > 0
    assert found.decided > found.words / 2


@pytest.mark.parametrize("kind", [verdicts, predictions])
def test_a_verdict_that_is_wrong_is_seen(kind: Callable[[range], Verdicts], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FEW", 1)
    for sign in ("positive", "not negative"):
        monkeypatch.setitem(searching.SIGNS, sign, lambda low, high: np.ones_like(low, dtype=np.bool_))
    monkeypatch.setattr(deciding, "_require_right", lambda *_: None)
    assert kind(range(1, 8, 2)).wrong != []


def test_a_mean_that_is_taken_for_a_sum_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds, enclosed = range(1, 2), read.enclosed
    assert holds(encoders(seeds))
    monkeypatch.setattr(read, "enclosed", lambda values, shape: enclosed(values if shape else [fmpq(1)], shape))
    assert encoders(seeds).outside != []


def after(module: Any, name: str, change: Callable[[Any], Any]) -> tuple[Any, str, Callable[..., Any]]:
    """What to put in the place of a function, so that what it gives is changed."""
    true = getattr(module, name)
    return module, name, lambda *given, **more: change(true(*given, **more))


def shrunk(found: Enclosed) -> Enclosed:
    return Enclosed(found.middle, found.radius * 0.9)


MISTAKES = {
    "a line that is too narrow": (after(read, "line", lambda found: (found[0], found[2], found[2])), 10),
    "a mean that is less than its values": (after(read, "_hull", shrunk), 3),
    "other places have no weight": (after(read, "_nearest", lambda found: replace(found, beyond=0 * found.beyond)), 9),
    "ends are not rounded outward": ((forms, "_outward", lambda value, towards, radius: value), 9),
}
"""What is planted, and a network that shows it."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted, seed = MISTAKES[mistake]
    assert holds(encoders(range(seed, seed + 1)))
    monkeypatch.setattr(*planted)
    assert encoders(range(seed, seed + 1)).outside != []


def test_a_rounding_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of weights whose sums float64 does not hold."""
    monkeypatch.setattr(random_networks, "weight", of_any_size)
    assert holds(encoders(range(4, 5), plain))
    monkeypatch.setattr(*after(forms, "_sum", lambda found: (found[0], 0 * found[1])))
    assert encoders(range(4, 5), plain).outside != []
