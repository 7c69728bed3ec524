"""Units that are given nearly the same, and heads that look at one place: what is told of them is narrow, and true."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import arb

from tests.proofs.covering.test_checking import LEAST, MOST, plain
from tests.symbolic.test_activations import balance
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Activation, FeedForward, Head, Linear, Readout, Rotary
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.proofs.covering import bounds
from weightproof.proofs.covering import reading as read
from weightproof.proofs.covering.checking import lines, network
from weightproof.proofs.covering.checking.network import Check
from weightproof.proofs.covering.progression import automaton
from weightproof.proofs.covering.reading import Nearest, Reading

LENGTH = 7
READ = Readout(Linear({"logit": {"y": 1}}))
Ends = tuple[float, float]


def difference(activation: Activation) -> Construction:
    """20 f(h + 1/10) - 20 f(h) of 12 times a mean, and a little more, so that no sign is open."""
    made = balance(activation)
    [layer] = made.encoder.layers
    rows = {unit: {"mean": 12} for unit in ("h", "more")}
    units = FeedForward(
        Linear(rows, {"h": "1/97", "more": "1/97 + 1/10"}), Linear({"y": {"more": 20, "h": -20}}), activation
    )
    return replace(made, network=replace(made.encoder, layers=(replace(layer, feed_forward=units),), readout=READ))


def looking(value: str = "x", **head: Any) -> Construction:
    """The logit is about what stands two places before the last one, as a rotation finds that: where that is a 1, its
    score is 337.5, else 262.5."""
    made = balance("identity")
    [layer] = made.encoder.layers
    turned = Head(
        {"mean": {value: 1}},
        {"a": {"one": "300*cos(2)"}, "b": {"one": "-300*sin(2)"}},
        {"a": {"one": 1, "x": "1/8"}, "b": {"x": 0}},
        rotary=(Rotary("a", "b", 1),),
        scale=1,
        **head,
    )
    one = replace(
        made.encoder.embedding, WE={token: {**row, "one": 1} for token, row in made.encoder.embedding.WE.items()}
    )
    unit = FeedForward(Linear({"h": {"mean": 1}}), Linear({"y": {"h": 1}}), "identity")
    encoder = replace(
        made.encoder,
        coordinates=(*made.encoder.coordinates, "one"),
        embedding=one,
        layers=(replace(layer, heads=(turned,), feed_forward=unit),),
        readout=replace(READ, position="last"),
    )
    return replace(made, network=encoder)


def ends(construction: Construction) -> dict[str, Ends]:
    """Of all words of a length that end alike: what the search and the check say, and what runs come to."""
    encoder = construction.encoder
    reader = automaton(encoder, construction.alphabet, (construction.language.characterisation,), LENGTH)
    reading = Reading(encoder, reader)
    place = reading.places_read[0]
    token = reading.tokens_in(reader.everything([True] * len(reader.outcomes)), place)[-1]
    words = reader.everything([True] * len(reader.outcomes)).with_token(place, token).pruned()
    with np.errstate(all="ignore"):
        low, high = (float(side[0, 0]) for side in reading.outputs(words).range())
    check = Check(encoder, LENGTH)
    ran = []
    for word in itertools.product(construction.alphabet, repeat=LENGTH - len(encoder.markers)):
        tokens = (*encoder.markers[:1], *word)
        if tokens[place] == reader.tokens[token]:
            logit = run(construction, "".join(word), unread=False).logit
            assert isinstance(logit, Real)
            ran.append(float(ball(logit).mid()))
    of_check = float(check.away(plain(words), LEAST)), -float(check.away(plain(words), MOST))
    return {"search": (low, high), "check": of_check, "runs": (min(ran), max(ran))}


def within(inner: Ends, outer: Ends) -> bool:
    return outer[0] - 1e-9 <= inner[0] and inner[1] <= outer[1] + 1e-9


@pytest.mark.parametrize("activation", ["relu", "saturated-linear", "tanh", "sigmoid", "silu", "gelu"])
def test_a_difference_of_units_is_told_narrowly(activation: Activation) -> None:
    """f(h + 1/10) - f(h) lies in the slopes of f times 1/10; a line of each alone leaves open more than all of that."""
    found = ends(difference(activation))
    least, most = (20 * slope / 10 for slope in bounds.SLOPES[activation])
    for name in ("search", "check"):
        assert within(found["runs"], found[name])
        assert within(found[name], (least - 0.1 * (most - least), most + 0.1 * (most - least)))


@pytest.mark.parametrize("activation", ["relu", "silu"])
def test_slopes_that_are_too_narrow_are_seen(activation: Activation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bounds.SLOPES, activation, (0.4, 0.6))
    monkeypatch.setitem(lines.SLOPES, activation, ("0.4", "0.6"))
    found = ends(difference(activation))
    assert not within(found["runs"], found["search"])
    assert not within(found["runs"], found["check"])


@pytest.mark.parametrize("activation", bounds.SLOPES)
def test_slopes_of_chords(activation: Activation) -> None:
    """And of smooth ones they are no wider than need be."""
    x = np.linspace(-9, 9, 1801)
    slope, least, most = bounds.line(activation, x, x)
    values = slope * x + (least + most) / 2
    chords = (values[1:] - values[:-1]) / (x[1:] - x[:-1])
    low, high = bounds.SLOPES[activation]
    assert low - 1e-6 <= chords.min() < low + 0.02
    assert high - 0.02 < chords.max() <= high + 1e-6


def test_one_place_that_has_nearly_all_the_weight_is_looked_at() -> None:
    """Whatever stands there: its own weight changes by powers of e."""
    found = ends(looking())
    for name in ("search", "check"):
        assert within(found["runs"], found[name])
        assert within(found[name], (-1 - 1e-6, 1 + 1e-6))


def test_weight_elsewhere_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true_search, true_check = read._nearest, network._nearest

    def alone(*arguments: Any) -> Nearest:
        nearest = true_search(*arguments)
        return Nearest(nearest.where, np.zeros_like(nearest.beyond))

    monkeypatch.setattr(read, "_nearest", alone)
    monkeypatch.setattr(network, "_nearest", lambda *arguments: (true_check(*arguments)[0], arb(0)))
    found = ends(looking("one", sink=262))
    assert not within(found["runs"], found["search"])
    assert not within(found["runs"], found["check"])
