"""A word by its runs of equal symbols is what the interpreter makes of it, exactly and in balls."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from flint import arb, ctx, fmpq

from weightproof.constructions.library import load
from weightproof.constructions.meaning import counting
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.counting import MOST_SCORES, TooLong, read_runs, sees_runs
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Normaliser,
    Place,
    Readout,
)
from weightproof.constructions.scalars.exact import sign

NAMES = ("one", "first", "parity", "palindrome", "palindrome-margin", "first-one-layer", "dyck1", "dyck1-depth-margin")


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_read_as_the_interpreter_runs_them(name: str) -> None:
    construction, random = load(name), Random(0)
    network, values = construction.network, parameter_values(construction)
    assert isinstance(network, Encoder)
    begin = () if network.begin is None else ((network.begin, 1),)
    end = () if network.end is None else ((network.end, 1),)
    for _ in range(4):
        runs = tuple((random.choice(construction.language.alphabet), random.randint(1, 3)) for _ in range(3))
        word = "".join(symbol * times for symbol, times in runs)
        ran = run(construction, word).logit
        found = read_runs(network, (*begin, *runs, *end), values, bits=None)["logit"]
        assert sign(found - ran) == 0  # type: ignore[operator]
        ball = read_runs(network, (*begin, *runs, *end), values)["logit"]
        assert isinstance(ball, arb)
        assert sign(found) == 0 or (ball > 0) == (sign(found) > 0)


def test_many_different_positions_are_refused() -> None:
    network = load("first").network
    assert isinstance(network, Encoder)
    assert not sees_runs(network)
    with pytest.raises(TooLong):
        read_runs(network, (("CLS", 1), ("1", MOST_SCORES)), parameter_values(load("first")))


def causal(normaliser: Normaliser, position: Place, norm: LayerNorm | None) -> Construction:
    """Two layers of heads that see those before alone, with ties and without, and with scores that differ."""
    head = Head(
        W_V={"v": {"x": 1, "y": "-1/2"}, "u": {"x": "1/3"}},
        W_Q={"q": {"x": 1, "y": "1/2"}},
        W_K={"q": {"x": 1, "y": -1}},
        W_O={"y": {"v": 1}, "z": {"v": 1, "u": "2/3"}},
        normaliser=normaliser,
        mask="causal",
    )
    other = replace(head, mask="none", score="-|dot|")
    units = FeedForward(Linear({"h": {"y": 1, "z": -1}}, {"h": "1/5"}), Linear({"x": {"h": 1}}))
    layers = (Layer((head, other), units, attention_norm=norm), Layer((head,), units, attention_residual=False))
    embedding = Embedding({"0": {"x": 1}, "1": {"y": 1}, "2": {"x": -1, "y": "1/7"}, "CLS": {"z": 1}})
    language = Language("ALL", ("0", "1", "2"), lambda word: True, "n >= 1")
    readout = Readout(Linear({"logit": {"x": 1, "y": 3, "z": -1}}), position=position)
    return Construction("causal", "t", "a test", language, Encoder(("x", "y", "z"), embedding, layers, readout))


@pytest.mark.parametrize("position", get_args(Place))
@pytest.mark.parametrize(
    ("normaliser", "norm"), [("softmax", None), ("softmax", LayerNorm("1/100")), ("hardmax", None)]
)
def test_heads_that_see_those_before_alone_are_read_as_the_interpreter_runs_them(
    normaliser: Normaliser, norm: LayerNorm | None, position: Place
) -> None:
    """Exactly where balls do not tell which scores are equal."""
    construction, random = causal(normaliser, position, norm), Random(1)
    network = construction.network
    assert isinstance(network, Encoder)
    assert not sees_runs(network)
    for _ in range(3):
        runs = tuple((random.choice("012"), random.randint(1, 3)) for _ in range(3))
        word, marked = "".join(symbol * times for symbol, times in runs), (("CLS", 1), *runs)
        if normaliser == "hardmax":
            assert read_runs(network, marked, {}, bits=None)["logit"] == run(construction, word).logit
            continue
        with ctx.workprec(256):
            ran, found = run(construction, word, bits=512).logit, read_runs(network, marked, {})["logit"]
            assert isinstance(ran, arb)
            assert isinstance(found, arb)
            assert found.overlaps(ran)
            assert found.rad() < arb(2) ** -200


def test_a_long_word_of_prefix_counts_is_read_exactly_symbol_by_symbol() -> None:
    construction = load("dyck1-depth")
    network, values = construction.network, parameter_values(construction, {"D": "299"})
    assert isinstance(network, Encoder)
    word = "0" * 300 + "1" * 300
    runs = (("CLS", 1), ("0", 300), ("1", 300))
    assert read_runs(network, runs, values, bits=None)["logit"] == run(construction, word, {"D": "299"}).logit
    values = parameter_values(construction, {"D": "1000"})
    longer = read_runs(network, (("CLS", 1), ("0", 1000), ("1", 1000)), values, bits=None)
    assert longer["logit"] == fmpq(1, 2001)


def test_of_queries_that_all_differ_not_many_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    construction = causal("softmax", "sum", None)
    assert isinstance(construction.network, Encoder)
    monkeypatch.setattr(counting, "MOST_SCORES", 400)
    read_runs(construction.network, (("CLS", 1), ("0", 12)), {})
    with pytest.raises(TooLong):
        read_runs(construction.network, (("CLS", 1), ("0", 30)), {})


def test_without_positions_a_run_may_have_any_length() -> None:
    network = load("first-one-layer").network
    assert isinstance(network, Encoder)
    assert sees_runs(network) == (not network.embedding.PE)
    blind = replace(network, embedding=Embedding(network.embedding.WE))
    assert sees_runs(blind)
    read_runs(blind, (("CLS", 1), ("1", 10**100)), parameter_values(load("first-one-layer")))
