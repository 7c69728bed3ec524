"""Decoders whose heads look back: what is known by the tokens just before is so on every word, and no more is."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import sign
from weightproof.decoders.reading import appended_in, value_at, values_at
from weightproof.proofs.strategies.appending import decide_appends, stages_for
from weightproof.proofs.theorem import Appends
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import generating, windows
from weightproof.symbolic.simulation.generating import cases
from weightproof.symbolic.simulation.windows import Windows, standing

ANYTHING = Language("anything", ("0", "1"), lambda word: True, "n >= 0")
STREAM = ("0", "1", "one", "at", "half", "x", "y", "z")
EMBEDDED = {"0": {"0": 1, "one": 1}, "1": {"1": 1, "one": 1}, "#": {"one": 1}, ".": {}}
SEES: Any = {"normaliser": "hardmax", "scale": 1, "mask": "causal"}


def back(k: int, values: Any, halves: bool = False) -> Head:
    """The value of position i - k."""
    here, there = ({"half": -(2**k)}, "half") if halves else ({"at": -1, "one": k}, "at")
    W_Q, W_K = {"q": here, "r": {"one": 1}}, {"q": {"one": 1}, "r": {there: 1}}
    return Head(W_V=values, W_Q=W_Q, W_K=W_K, score="-|dot|", **SEES)


def mean(values: Any) -> Head:
    return Head(W_V=values, **SEES)


def decoder(*layers: Layer, reads: Any = None, begin: str | None = "#") -> Construction:
    """Appends 1 where z is positive, and otherwise 0."""
    tokens = EMBEDDED if begin is not None else {token: row for token, row in EMBEDDED.items() if token != "#"}
    network = Decoder(
        STREAM,
        Embedding(tokens, PE={"at": "i", "half": "2**(-i)"}),
        layers,
        Readout(Linear({"0": {}, "1": reads or {"z": 1}, ".": {}}, bias={".": -9}), "last", "argmax"),
        stop=".",
        begin=begin,
    )
    return Construction("looks back", "looks back", "none", ANYTHING, network)


def differs(construction: Construction, longest: int) -> list[str]:
    """Words on which the outputs, or the token, are not those derived, where they are."""
    stages = stages_for(construction)
    network = construction.network
    assert isinstance(network, Decoder)
    made = {}
    for window in stages.windows.all():
        try:
            made[window] = list(cases(stages, standing(stages.windows, window, stages.signs)))
        except Underivable:
            continue
    found = []
    for word in map("".join, itertools.chain(*(itertools.product("01", repeat=n) for n in range(longest + 1)))):
        tokens = (*(() if network.begin is None else (network.begin,)), *word)
        if not tokens or (window := stages.windows.shorter(tokens)) not in made:
            continue
        at = values_at(construction, made[window][0].at, tokens)
        there = [
            each
            for case in made[window]
            for each in appended_in(case)
            if all(sign(value_at(x, at)) >= int(strict) for x, strict in each.where)
        ]
        run = next(generate(construction, word))
        right = [value_at(x, at) for x in there[0].case.made.outputs.values()] == list(run.outputs.values())
        if len(there) != 1 or there[0].token != run.token or not right:
            found.append(word)
    return found


def outcome(construction: Construction, *theorem: str, **given: str) -> str:
    decided = decide_appends(construction, Appends(*theorem, **given))
    if decided.counterexample is not None:
        return "refuted"
    return "proved" if decided.gap is None else decided.gap[1]


def refused(construction: Construction) -> str:
    """Why something is, of some window."""
    try:
        stages = stages_for(construction)
        for window in stages.windows.all():
            list(cases(stages, standing(stages.windows, window, stages.signs)))
    except Underivable as error:
        return str(error)
    return ""


BEFORE = back(1, {"x": {"1": 1, "0": -1}})
"""x is 1 behind a 1, -1 behind a 0, and 0 where nothing or the marker stands before."""


@pytest.mark.parametrize("begin", ["#", None])
@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_position_before(k: int, halves: bool, begin: str | None) -> None:
    """Without a marker it is position 0 where there are not so many positions."""
    repeats = decoder(Layer(heads=(back(k, {"z": {"1": 1, "0": -1}}, halves),)), begin=begin)
    assert stages_for(repeats).windows.back == k
    assert differs(repeats, 5) == []


def test_theorems_of_windows() -> None:
    """A theorem is about all windows that end in a token."""
    differ = FeedForward(Linear({"u": {"x": -1, "1": 1}}), Linear({"z": {"u": 1}}), "step")
    rises = decoder(Layer(heads=(BEFORE,), feed_forward=differ))  # 1 where a 1 stands, or a 0 before
    assert outcome(rises, "1", "1") == "refuted"  # 11 is followed by 0
    falls = decoder(Layer(heads=(back(1, {"z": {"1": 1}}),)))
    assert outcome(falls, "0", "1") == "refuted"
    assert outcome(falls, "1", "1") == "refuted"
    always = decoder(Layer(heads=(back(1, {"z": {"one": 1}}),)))
    assert [outcome(always, behind, "1") for behind in "#01"] == ["proved"] * 3
    at_first = decoder(Layer(heads=(back(1, {"z": {"1": 1}}),)), reads={"z": 1, "1": 1}, begin=None)
    assert outcome(at_first, "1", "1") == "proved"
    more = decoder(Layer(heads=(BEFORE, mean({"z": {"1": 1, "0": -1}}))), reads={"z": 1})
    assert outcome(more, "0", "1", given="count('1') > count('0')") == "proved"


def test_a_second_layer_looks_up_what_the_first_looked_up() -> None:
    """The share of 01 less that of 00: what stood before each 1, and each 0, is in the first layer's output."""
    pairs = FeedForward(
        Linear({"01": {"x": -1, "1": 1}, "00": {"x": -1, "0": 1}}, bias={"01": -1, "00": -1}),
        Linear({"y": {"01": 1, "00": -1}}),
    )
    counts = decoder(Layer(heads=(BEFORE,), feed_forward=pairs), Layer(heads=(mean({"z": {"y": 1}}),)))
    assert stages_for(counts).windows.back == 1
    assert differs(counts, 6) == []
    for window in ("0", "1"):
        assert outcome(counts, window, "1", given="count('1') > count('0')") == "refuted"
    chained = decoder(Layer(heads=(BEFORE,)), Layer(heads=(back(1, {"z": {"x": 1}}),)))
    assert stages_for(chained).windows.back == 2
    assert differs(chained, 6) == []


def test_how_far_back_may_depend_on_the_token() -> None:
    """0 looks at itself, 1 at the position before."""
    head = back(1, {"z": {"1": 1, "0": -1}})
    own = decoder(Layer(heads=(replace(head, W_Q={"q": {"at": -1, "1": 1}, "r": {"one": 1}}),)))
    assert stages_for(own).windows.back == 1
    assert differs(own, 5) == []


@st.composite
def drawn(draw: st.DrawFn) -> Construction:
    """One to three layers, each of a few heads that look back or take the mean, and what they add read on."""
    weights = st.sampled_from((-1, 1, 2))
    stream, layers = ["0", "1", "at", "half"], []
    for row in draw(st.sampled_from((("x", "z"), ("x", "y", "z")))):
        values = {row: {draw(st.sampled_from(stream)): draw(weights) for _ in range(2)}}
        looking = (back(1, values), back(1, values, True), back(0, values), mean(values))
        heads = tuple(draw(st.lists(st.sampled_from(looking), min_size=1, max_size=2)))
        unit = {"u": {draw(st.sampled_from((*stream, row))): draw(weights)}}
        activation = draw(st.sampled_from(("relu", "saturated-linear", "step", "square", "identity", "abs")))
        unread = draw(st.sampled_from(("x", "y", "z")))
        network = FeedForward(
            Linear(unit, bias={"u": draw(weights)}), Linear({unread: {"u": draw(weights)}}), activation
        )
        kept = draw(st.sampled_from((True, True, True, False)))
        layers.append(Layer(heads, draw(st.sampled_from((None, network))), attention_residual=kept))
        stream.append(row)
    reads = {
        draw(st.sampled_from(("x", "y", "z"))): draw(weights),
        draw(st.sampled_from(("0", "1", "at"))): draw(weights),
    }
    return decoder(*layers, reads=reads, begin=draw(st.sampled_from((None, "#"))))


def tally(examples: int, longest: int) -> Counter[str]:
    counted: Counter[str] = Counter()

    @settings(max_examples=examples, deadline=None, database=None, derandomize=True)
    @given(drawn())
    def agree(construction: Construction) -> None:
        try:
            stages = stages_for(construction)
            for window in stages.windows.all():
                list(cases(stages, standing(stages.windows, window, stages.signs)))
        except Underivable:
            counted["refused"] += 1
        else:
            counted["looks back"] += stages.windows.back > 0
            counted["looks back to what was looked up"] += stages.windows.back > 1
        assert differs(construction, longest) == []

    agree()
    return counted


def test_random_decoders() -> None:
    assert tally(8, 5)["looks back"] > 0


@pytest.mark.controls
def test_many_random_decoders() -> None:
    counted = tally(60, 6)
    assert counted["looks back to what was looked up"] > 5
    assert counted["refused"] > 5


WRONG: dict[str, tuple[Any, str, Any]] = {
    "any factor": (generating, "_is_multiple", lambda score, less, there: bool(score.atoms)),
    "known everywhere": (generating, "_is_portable", lambda name: True),
    "forgotten windows": (
        Windows,
        "shorter",
        lambda self, window: window[-1:] if self.back == 1 else window[-(self.back + 1) :],
    ),
    "unknown at a place": (generating, "_is_unknown", lambda x: False),
}


CHAINED = decoder(Layer(heads=(BEFORE,)), Layer(heads=(back(1, {"z": {"x": 1}}),)))
MEANS = decoder(Layer(heads=(mean({"x": {"1": 1}}),)), Layer(heads=(mean({"z": {"x": 1}}),)))
UNEVEN = decoder(Layer(heads=(replace(BEFORE, W_V={"z": {"1": 1}}, W_K={"q": {"one": 1}, "r": {"at": 1, "1": 1}}),)))


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_rule_is_noticed(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(differs(each, 4) for each in (CHAINED, MEANS, UNEVEN))
    monkeypatch.setattr(*wrong)

    def fails(construction: Construction) -> bool:
        try:
            return bool(differs(construction, 4))
        except (KeyError, IndexError):
            return True

    assert any(map(fails, (CHAINED, MEANS, UNEVEN)))


def test_what_is_refused() -> None:
    far = decoder(Layer(heads=(back(7, {"z": {"1": 1}}),)))
    assert "so far back that there are more than 64 windows" in refused(far)
    assert refused(MEANS) == "layer 2: heads that see what is not known at every position"
    mean_before = decoder(Layer(heads=(mean({"x": {"1": 1}}),)), Layer(heads=(back(1, {"z": {"x": 1}}),)))
    assert refused(mean_before) == "layer 2: heads that see what is not known at every position"
    assert "no multiple of j - i + k" in refused(UNEVEN)


def test_windows() -> None:
    marked, unmarked = (Windows(("0", "1"), begin, 1) for begin in ("#", None))
    assert {"".join(each) for each in marked.all()} == {"#", "#0", "#1", "00", "01", "10", "11"}
    assert {"".join(each) for each in unmarked.all()} == {"0", "1", "00", "01", "10", "11"}
    at = standing(marked, ("#", "1"), generating.Region())
    assert at.known
    assert {"".join(each): x.at({}) for each, x in at.shares.items()} == {"#": fmpq(1, 2), "#1": fmpq(1, 2)}
    assert windows.kind(("#", "1")) == "# 1"
