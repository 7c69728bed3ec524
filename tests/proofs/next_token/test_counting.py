"""Words that are too long to be written out: what is counted is what the interpreter runs, and what is refuted so."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from flint import arb, ctx

from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.counting import BITS, read_runs, sees_runs
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, predict, ranked
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds, holds_on_runs
from weightproof.proofs.next_token.counting import Long, misprediction
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Predicts
from weightproof.proofs.verdict import Refuted


def haystack(bias: str = "1/2**40", **parts: Any) -> Construction:
    """Whether there is a 1: uniform attention finds how many of the positions hold one, against a bias."""
    yes = "count('1') >= 1"
    layer = Layer(heads=(Head(W_V={"s": {"x": 1}}),))
    return Construction(
        "haystack",
        "a 1 somewhere",
        "a test",
        Language(
            name="A 1",
            alphabet=("0", "1"),
            member=lambda word: "1" in word,
            characterisation=yes,
            labels={"1": yes, "0": "count('1') == 0"},
            label=lambda word: str(int("1" in word)),
        ),
        Encoder(
            coordinates=("x", "s"),
            embedding=Embedding({"0": {}, "1": {"x": 1}, "[BOS]": {}, "=": {}}),
            layers=parts.get("layers", (layer,)),
            readout=Readout(
                Linear({"1": {"s": 1}, "0": {}, "[BOS]": {}, "=": {}}, {"0": bias, "[BOS]": -1, "=": -1}),
                position="last",
                accept="argmax",
            ),
            begin="[BOS]",
            end="=",
        ),
    )


TWO_HEADS = Layer(
    heads=(
        Head(W_V={"v": {"x": "-2"}}, W_O={"s": {"v": "1/3"}}, W_Q={"q": {"x": 1}}, W_K={"q": {"x": "1/2"}}, scale=2),
        Head(W_V={"s": {"x": 1}}, mask="causal"),
    ),
    feed_forward=FeedForward(
        first=Linear({"h": {"s": 1}}, {"h": "1/7"}), second=Linear({"s": {"h": 3}}), activation="square"
    ),
)
NETWORKS = {
    "noisy-majority": load("noisy-majority"),
    "noisy-majority-end-silent-2": load("noisy-majority-end-silent-2"),
    "two heads and a feed-forward network": haystack(layers=(TWO_HEADS,)),
    "a cut residual connection": haystack(layers=(replace(TWO_HEADS, attention_residual=False),)),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_counted_is_what_the_interpreter_runs(name: str) -> None:
    construction = NETWORKS[name]
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    assert sees_runs(network)
    for word, symbol, k in itertools.product([("1", "0"), ("0",)], alphabet, (0, 1, 3)):
        place = len(word) // 2
        runs = Long(word, place, symbol).marked(network, k)
        ran = predict(construction, (*word[:place], *[symbol] * 2**k, *word[place:]), bits=2 * BITS)
        assert ran.tokens == tuple(itertools.chain.from_iterable([token] * times for token, times in runs))
        with ctx.workprec(BITS):
            found = ranked(network.readout, (), (), read_runs(network, runs, parameter_values(construction, {})))
        assert (found.token, found.decided) == (ran.token, ran.decided)
        with ctx.workprec(BITS):
            for token, output in ran.outputs.items():
                ball = arb(found.outputs[token])
                assert ball.overlaps(arb(output))
                assert ball.rad() < arb(2) ** -200


FORMULAS = (
    "count('1') == 9 and n == 14",
    "w[1] == '0' and w[2] == '1' and w[9] == '1' and w[10] != '1'",
    "w[n - 2] == '0' and w[n - 1] != '0' and w[0] != '0' and w[n + 3] == w[0] and w[-1] == w[0]",
    "count('1', 4) == 3 and count('0', 0) == 0 and count('1', 99) == 9 and count('0', 10) == 2 and w[1/2] != '1'",
    "count('1') % 2 == 1 or count('0') > 3",
)


def test_formulas_are_read_as_on_the_word() -> None:
    runs = (("[BOS]", 1), ("0", 1), ("1", 8), ("0", 2), ("1", 1), ("=", 1))
    tokens = ("[BOS]", "0", *["1"] * 8, "0", "0", "1", "=")
    for source in FORMULAS:
        for formula in (Expression(source), Expression(f"not ({source})"), Expression(source.replace("'1'", "'0'"))):
            read = holds_on_runs(formula, {}, runs, ("0", "1"))
            assert read == holds(formula, {}, tokens, ("0", "1")), formula
    with pytest.raises(ArithmeticError, match="all positions"):
        holds_on_runs(Expression("all(w[j] == '1' for j in positions)"), {}, runs, ("0", "1"))


def test_a_word_that_nothing_can_run_refutes() -> None:
    theorem = Predicts("everywhere", "a test")
    [result] = prove(haystack(), [theorem])
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert (found.word, found.right, found.counted) == ("0{1099511627773}1", "1", True)
    assert found.note == "'1' is right, but another output is equal"  # of 2^40 positions one holds a 1
    assert (found.evidence, found.command()) == ("counted in balls, not replayed", None)
    assert misprediction(haystack(), theorem, Long(("1",), 0, "0"), {}, 39) is None


@pytest.mark.parametrize(
    ("more", "tells"), [("0", False), ("1/2**300", False), ("1/2**200", True), ("-1/2**200", False)]
)
def test_a_ball_that_does_not_tell_refutes_nothing(more: str, tells: bool) -> None:
    """Of 2^20 + 3 positions one has a 1, against a bias that is as great, or greater by so much."""
    construction = haystack(f"1/(2**20 + 3) + {more}")
    found = misprediction(construction, Predicts("everywhere", "a test"), Long(("1",), 0, "0"), {}, 20)
    assert (found is not None) == tells


def test_what_sees_more_than_counts_is_not_counted() -> None:
    network: Any = haystack().network
    masked = replace(network, layers=(TWO_HEADS,) * 2)
    assert not sees_runs(masked)
    assert not sees_runs(replace(network, layers=(TWO_HEADS,), readout=replace(network.readout, position="first")))
    ran = predict(haystack(layers=(TWO_HEADS,) * 2), "1" * 9, bits=2 * BITS).outputs
    read = read_runs(masked, (("[BOS]", 1), ("1", 9), ("=", 1)), {})
    assert all(arb(read[token]).overlaps(arb(output)) for token, output in ran.items())
    assert not sees_runs(replace(network, embedding=Embedding(network.embedding.WE, {"x": "i"})))
    assert add_markers(network, "1") == ("[BOS]", "1", "=")
