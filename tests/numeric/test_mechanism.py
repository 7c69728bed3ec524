"""Where rounding loses a word: the exact pass is the interpreter's, and the blamed stage is the cause."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from flint import fmpq

from tests.support.streams import names_of
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import ball
from weightproof.numeric.model.strict import Pass, exact_pass
from weightproof.numeric.rounding.arithmetic import TYPES, Exact, Rounded
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.search import mechanism as module
from weightproof.numeric.search.mechanism import (
    Kind,
    Mechanism,
    explained,
    mechanism,
    mechanism_of,
    place_of,
)

BUILT_IN = {name: load(name) for name in names()}


def exactly(construction: Construction, word: str) -> tuple[object, bool]:
    done = exact_pass(construction, word, names_of(construction))
    return done.logits()[0], done.accepts()


@pytest.mark.parametrize("name", names())
def test_the_exact_pass_is_the_interpreter_on_short_words(name: str) -> None:
    construction = BUILT_IN[name]
    for word in words(construction.language.alphabet, 5):
        result = run(construction, word)
        assert exactly(construction, word) == (result.logit, result.accepts), word


@pytest.mark.parametrize("name", names())
def test_the_exact_pass_is_the_interpreter_on_long_words(name: str) -> None:
    construction, drawn = BUILT_IN[name], random.Random(0)
    for length in (9, 40, 120):
        word = construction.language.sample(drawn, length)
        result = run(construction, word)
        assert exactly(construction, word) == (result.logit, result.accepts), word


def test_the_exact_pass_is_the_interpreter_where_values_are_irrational() -> None:
    construction = BUILT_IN["first"]
    given = names_of(construction) | {"c": fmpq(1, 2)}
    for word in ("", "1", "10", "0110", "10" * 9):
        result, done = run(construction, word, {"c": "1/2"}), exact_pass(construction, word, given)
        assert ball(done.logits()[0]).overlaps(ball(result.logit))
        assert done.accepts() == result.accepts


def test_a_changed_weight_changes_the_exact_pass() -> None:
    original = BUILT_IN["one"]
    readout = replace(original.network.readout, W=Linear({"logit": {"s": "-1"}}))
    changed = replace(original, network=replace(original.network, readout=readout))
    assert exactly(changed, "100") != exactly(original, "100")


def mine(
    coordinates: Mapping[str, Mapping[str, object]],
    logit: Mapping[str, object],
    bias: object = 0,
    layers: tuple[Layer, ...] = (),
    PE: Mapping[str, object] | None = None,
    position: Literal["first", "last"] = "first",
) -> Construction:
    """Accepts every word by a positive logit at the position that is read; coordinates: their values by token."""
    WE = {token: {row: value[token] for row, value in coordinates.items() if token in value} for token in ("1", "CLS")}
    return Construction(
        name="mine",
        title="every word",
        source="a test",
        language=Language("ALL", ("1",), lambda word: True, "n >= 1"),
        network=Encoder(
            coordinates=(*coordinates, *(PE or {})),
            embedding=Embedding(WE=WE, PE=PE or {}),
            layers=layers,
            readout=Readout(Linear({"logit": logit}, {"logit": bias}), position),
        ),
    )


BOTH = {"1": 1, "CLS": 1}
SMALL = {"1": "1/512", "CLS": "1/512"}
"""A quarter of the last place of 1 in bfloat16, a quarter of u."""


def fed_forward(row: Mapping[str, object]) -> tuple[Layer, ...]:
    """One hidden unit, handed on to h."""
    return (Layer(feed_forward=FeedForward(Linear({"unit": row}), Linear({"h": {"unit": 1}}))),)


def averaged(n: int) -> float:
    """The mean of n ones in bfloat16, each 1/n added from the left."""
    kind = TYPES["bfloat16"]
    weights = np.full(n, kind(1.0)) / np.add.accumulate(np.full(n, kind(1.0)))[-1]
    return float(np.add.accumulate(weights)[-1])


DRIFTING = next(n for n in range(2, 200) if averaged(n) <= 63 / 64)
"""So many ones have a mean that falls below 63/64."""
MEAN = (Layer(heads=(Head(W_V={"mean": {"one": 1}}),)),)
OPPOSED = (Layer(heads=(Head(W_V={"mean": {"one": 1}}), Head(W_V={"mean": {"nearly": -1}}))),)

BY_HAND: dict[str, tuple[Construction, str, str, Mechanism]] = {
    "a weight beyond the greatest number": (
        mine({"x": {"1": 1, "CLS": 100_000}}, {"x": -1}, bias=200_000),
        "float16",
        "1",
        Mechanism("overflow", "embedding", ("x",), 0, 100_000.0, float("inf")),
    ),
    "a product beyond the greatest number": (
        mine({"x": {"1": 1, "CLS": 300}, "h": {}}, {"h": -1}, 100_000, fed_forward({"x": 300})),
        "float16",
        "1",
        Mechanism("overflow", "layer 1, feed-forward", ("h",), 0, 90_000.0, float("inf")),
    ),
    "a weight below the least number": (
        mine({"x": {"1": 0, "CLS": "1/1000000000"}}, {"x": 1}),
        "float16",
        "11",
        Mechanism("underflow", "embedding", ("x",), 0, 1e-9, 0.0),
    ),
    "positions that are rounded to one": (
        mine({}, {"x": 1}, -1, (), {"x": "1 + (n - i)/100000"}),
        "bfloat16",
        "111",
        Mechanism("collision", "embedding", ("x",), 0, 1 + 4e-5, 1.0),
    ),
    "one weight that is rounded": (
        mine({"x": {"1": 0, "CLS": "513/512"}}, {"x": 1}, -1),
        "bfloat16",
        "11",
        Mechanism("rounding", "embedding", ("x",), 0, 513 / 512, 1.0),
    ),
    "one sum that is rounded": (
        mine({"one": BOTH, "small": SMALL, "h": {}}, {"h": 1}, -1, fed_forward({"one": 1, "small": 1})),
        "bfloat16",
        "1",
        Mechanism("rounding", "layer 1, feed-forward", ("h",), 0, 513 / 512, 1.0),
    ),
    "one sum that is rounded, at the end": (
        mine({"one": BOTH, "small": SMALL, "h": {}}, {"h": 1}, -1, fed_forward({"one": 1, "small": 1}), None, "last"),
        "bfloat16",
        "111",
        Mechanism("rounding", "layer 1, feed-forward", ("h",), 3, 513 / 512, 1.0),
    ),
    "a difference of larger numbers": (
        mine(
            {"one": BOTH, "small": SMALL, "other": BOTH, "h": {}},
            {"h": 1},
            0,
            fed_forward({"one": 1, "small": 1, "other": -1}),
        ),
        "bfloat16",
        "1",
        Mechanism("cancellation", "layer 1, feed-forward", ("h",), 0, 1 / 512, 0.0),
    ),
    "heads that cancel": (
        mine({"one": {"1": 1, "CLS": 1}, "nearly": {"1": 1, "CLS": "255/256"}, "mean": {}}, {"mean": 1}, 0, OPPOSED),
        "bfloat16",
        "1" * 99,
        Mechanism("cancellation", "layer 1, attention", ("mean",), 0, 1 / 25600, 0.0),
    ),
    "a sum that drifts": (
        mine({"one": BOTH, "mean": {}}, {"mean": 1}, "-63/64", MEAN),
        "bfloat16",
        "1" * (DRIFTING - 1),
        Mechanism("absorption", "layer 1, attention", ("mean",), 0, 1.0, averaged(DRIFTING)),
    ),
    "a readout of larger numbers": (
        mine({"one": BOTH, "small": SMALL, "other": BOTH}, {"one": 1, "small": 1, "other": -1}),
        "bfloat16",
        "1",
        Mechanism("cancellation", "readout", ("logit",), 0, 1 / 512, 0.0),
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_a_mechanism_that_is_known_by_hand(case: str) -> None:
    construction, dtype, word, expected = BY_HAND[case]
    found = mechanism_of(construction, word, names_of(construction), dtype)
    assert found is not None
    assert (found.kind, found.place, found.coordinates, found.position, found.computed) == (
        expected.kind, expected.place, expected.coordinates, expected.position, expected.computed,
    )  # fmt: skip
    assert found.exact == pytest.approx(expected.exact, rel=1e-12)
    assert explained(found).startswith(f"{expected.kind} in {expected.place}: {expected.coordinates[0]} is ")


def test_every_kind_is_known_by_hand() -> None:
    kinds: set[Kind] = {"overflow", "underflow", "collision", "absorption", "cancellation", "rounding"}
    assert {found.kind for _, _, _, found in BY_HAND.values()} == kinds


@pytest.mark.parametrize("case", BY_HAND)
def test_enough_precision_mends_it(case: str) -> None:
    construction, _, word, _ = BY_HAND[case]
    assert mechanism_of(construction, word, names_of(construction), "float64") is None


WITNESSES = [
    ("parity", "bfloat16", "1" * 23 + "0" * 6, "cancellation", "layer 1, feed-forward", ("[i=k]/n",)),
    ("parity", "float16", "1" * 71, "absorption", "layer 1, attention", ("k/n",)),
    ("one", "bfloat16", "1" * 68, "cancellation", "layer 1, feed-forward", ("s",)),
    ("palindrome", "bfloat16", "11", "cancellation", "layer 2, attention", ("s",)),
    ("palindrome-margin", "bfloat16", "00001101111", "cancellation", "layer 2, attention", ("s",)),
    ("dyck1", "bfloat16", "00011", "absorption", "layer 1, attention", ("k/i", "1/i")),
    ("dyck1-depth", "bfloat16", "00011", "rounding", "layer 1, attention", ("1/i", "k/i")),
]
IDS = [f"{name}, {dtype}" for name, dtype, *_ in WITNESSES]
STAGES = {place_of(stage): stage for stage in range(9)}


@pytest.mark.parametrize(("name", "dtype", "word", "kind", "place", "coordinates"), WITNESSES, ids=IDS)
def test_the_witnesses_of_the_papers_constructions(
    name: str, dtype: str, word: str, kind: Kind, place: str, coordinates: tuple[str, ...]
) -> None:
    found = mechanism_of(BUILT_IN[name], word, names_of(BUILT_IN[name]), dtype)
    assert found is not None
    assert (found.kind, found.place, found.coordinates) == (kind, place, coordinates)


def continued(construction: Construction, word: str, dtype: str, stage: int, alone: str | None = None) -> bool:
    """Whether the word is decided rightly where all after a rounded stage (or one of its coordinates) is exact."""
    exact = exact_pass(construction, word, names_of(construction))
    rounded = Pass(exact.network, exact.tokens, exact.ids, Rounded(FORMATS[dtype]), exact.names)
    seen = exact.seen(stage)
    computed = rounded.stream(stage, *seen)
    given = {
        name: np.array([[fmpq(*float(x).as_integer_ratio()) for x in values[0]]], dtype=object)
        for name, values in computed.items()
    }
    if alone is not None:
        given = exact.stream(stage, *seen) | {alone: given[alone]}
    after = Pass(exact.network, exact.tokens, exact.ids, Exact(), exact.names).resumed(stage, *seen, given)
    return after.accepts() == exact.accepts()


def causal(found: Mechanism, construction: Construction, word: str, dtype: str) -> bool:
    """Whether the decision is lost at the blamed stage and not before, by each of the blamed coordinates."""
    stage = STAGES[found.place]
    if any(not continued(construction, word, dtype, before) for before in range(stage)):
        return False
    return not any(continued(construction, word, dtype, stage, name) for name in found.coordinates)


@pytest.mark.parametrize(("name", "dtype", "word"), [case[:3] for case in WITNESSES], ids=IDS)
def test_the_blamed_stage_is_the_cause(name: str, dtype: str, word: str) -> None:
    construction = BUILT_IN[name]
    found = mechanism_of(construction, word, names_of(construction), dtype)
    assert found is not None
    assert causal(found, construction, word, dtype)


@pytest.mark.parametrize("changed", [{"place": "embedding"}, {"place": "layer 2, attention"}, {"coordinates": ("s",)}])
def test_a_wrong_blame_is_noticed(changed: dict[str, object]) -> None:
    construction, word = BUILT_IN["parity"], "1" * 23 + "0" * 6
    found = mechanism_of(construction, word, names_of(construction), "bfloat16")
    assert found is not None
    assert not causal(replace(found, **changed), construction, word, "bfloat16")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["parity", "one", "palindrome", "dyck1", "first-one-layer"])
def test_there_is_a_mechanism_exactly_where_strict_arithmetic_decides_otherwise(name: str) -> None:
    construction, format = BUILT_IN[name], FORMATS["bfloat16"]
    for word in words("01", 4, 1):
        exact = exact_pass(construction, word, names_of(construction))
        computed = Pass(exact.network, exact.tokens, exact.ids, Rounded(format), exact.names)
        found = mechanism(construction, word, names_of(construction), format)
        assert (found is None) == (computed.accepts() == run(construction, word).accepts), word


def test_a_word_that_is_too_long_has_no_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_EXACT", 10)
    assert mechanism_of(BUILT_IN["parity"], "1" * 71, names_of(BUILT_IN["parity"]), "float16") is None


def test_a_mechanism_that_blames_another_stage_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "place_of", lambda stage: place_of(stage - 1))
    for name, dtype, word in [case[:3] for case in WITNESSES]:
        found = mechanism_of(BUILT_IN[name], word, names_of(BUILT_IN[name]), dtype)
        assert found is not None
        assert not causal(found, BUILT_IN[name], word, dtype)


def test_places_are_called_by_their_layers() -> None:
    assert [place_of(stage) for stage in range(5)] == [
        "embedding", "layer 1, attention", "layer 1, feed-forward", "layer 2, attention", "layer 2, feed-forward",
    ]  # fmt: skip
