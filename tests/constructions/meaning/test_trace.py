"""The trace of a run: every quantity fits the next one exactly, and the last ones are the interpreter's."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from flint import fmpq

from tests.constructions.meaning.test_interpreter import QUERIES, attention, network, toy
from tests.support.places import TESTS
from weightproof.constructions.library import load, load_file, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Environment, Vector, apply_linear, apply_rows, numbers
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Layer, LayerNorm, Linear, Rotary
from weightproof.constructions.meaning.trace import Trace, trace
from weightproof.constructions.scalars.exact import Real, exp, sign
from weightproof.constructions.scalars.values import evaluate, exactly

EXAMPLES = {path.stem: path for path in sorted((TESTS / "examples").glob("*.py"))}
WORDS = ("", "0", "1", "01", "110", "0123", "2031")
"""Symbols by their number in the alphabet."""
ZERO = fmpq(0)

HEADS = {
    "causal": attention(mask="causal"),
    "hardmax": attention(normaliser="hardmax"),
    "minus dot": attention(score="-|dot|"),
    "W_O": attention(W_V={"v": {"i": 1}, "u": {"x": 2}}, W_O={"y": {"v": 3, "u": 1}}),
    "scaled": attention(scale="log(n)/sqrt(d)"),
    "no residual": toy((dataclasses.replace(attention().network.layers[0], attention_residual=False),)),
    "feed-forward": toy((Layer(feed_forward=network({"x": 2}, "square", {"h": 1})),)),
    "normed": toy((dataclasses.replace(attention().network.layers[0], attention_norm=LayerNorm(1)),)),
    "two layers": toy((*attention(mask="causal").network.layers, Layer(feed_forward=network({"y": 1}, "step")))),
}
EVERY: dict[str, Construction] = {
    **{name: load(name) for name in names()},
    **{name: load_file(path).construction for name, path in EXAMPLES.items()},
    **HEADS,
}


def equal(left: Vector, right: Vector) -> bool:
    return all(sign(left.get(name, ZERO) - right.get(name, ZERO)) == 0 for name in {*left, *right})


def added(*vectors: Vector) -> Vector:
    return {
        name: sum((v.get(name, ZERO) for v in vectors), ZERO) for name in dict.fromkeys(n for v in vectors for n in v)
    }


def weighted(weights: tuple[Real, ...], vectors: tuple[Vector, ...]) -> Vector:
    seen = vectors[: len(weights)]
    return {name: sum((a * v[name] for a, v in zip(weights, seen, strict=True)), ZERO) for name in vectors[0]}


def runs(construction: Construction) -> list[tuple[Run, Trace, Environment]]:
    alphabet = construction.language.alphabet
    found = []
    for word in WORDS:
        letters = "".join(alphabet[int(number) % len(alphabet)] for number in word)
        network = construction.network
        assert isinstance(network, Encoder)
        if not letters and network.begin is None:
            continue
        result = run(construction, letters)
        size = {"n": fmpq(len(result.tokens)), "d": fmpq(len(network.coordinates))}
        found.append((result, trace(construction, result), parameter_values(construction) | size))
    return found


@pytest.mark.parametrize("name", EVERY)
def test_the_two_parts_of_the_embedding_are_the_embedding(name: str) -> None:
    for result, steps, _ in runs(EVERY[name]):
        assert steps.embedding == result.streams[0]
        for word, position, vector in zip(steps.words, steps.positions, steps.embedding, strict=True):
            assert equal(added(word, position), vector)


@pytest.mark.parametrize("name", EVERY)
def test_attention_weights_sum_to_one_and_weight_the_values_that_are_added(name: str) -> None:
    construction = EVERY[name]
    for result, steps, values in runs(construction):
        for layer, data, before in zip(steps.layers, construction.network.layers, result.streams, strict=False):
            for head, weights in zip(layer.heads, data.heads, strict=True):
                written = head.values if head.written is None else head.written
                assert (head.written is None) == (weights.W_O is None)
                scale = evaluate(weights.scale, values)
                for i, row in head.weights.items():
                    assert (
                        len(row) == len(head.scores[i]) == (i + 1 if weights.mask == "causal" else len(result.tokens))
                    )
                    assert sign(sum(row, ZERO) - 1) == 0
                    assert equal(weighted(row, written), head.added[i])
                    for j, score in enumerate(head.scores[i]):
                        query, key = head.queries[i], head.keys[j]
                        product = sum((query[q] * key[q] for q in query if q in key), ZERO) * scale
                        sought = product if weights.score == "dot" or sign(product) < 0 else -product
                        assert sign(score - sought) == 0
                    if weights.normaliser == "softmax":
                        total = sum(map(exp, head.scores[i]), ZERO)
                        assert all(sign(exp(s) / total - a) == 0 for s, a in zip(head.scores[i], row, strict=True))
                for matrix, vectors in (
                    (weights.W_Q, head.queries),
                    (weights.W_K, head.keys),
                    (weights.W_V, head.values),
                ):
                    rows = numbers(matrix, exactly(values))
                    assert all(equal(apply_rows(rows, x), v) for x, v in zip(before, vectors, strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_what_heads_and_hidden_units_add_is_the_stream(name: str) -> None:
    construction = EVERY[name]
    for result, steps, values in runs(construction):
        for layer, data, before in zip(steps.layers, construction.network.layers, result.streams, strict=False):
            for place, vector in enumerate(before):
                heads = (head.added[place] for head in layer.heads)
                if data.attention_norm is None:
                    attended = added(*heads, vector if data.attention_residual else {})
                    assert equal(layer.attended[place], attended)
                if data.feed_forward is None:
                    assert layer.hidden is None
                    assert layer.attended[place] == layer.after[place]
                    continue
                assert layer.hidden is not None
                assert (
                    layer.hidden[0][place]
                    == apply_linear(data.feed_forward.first, [layer.attended[place]], exactly(values))[0]
                )
                [update] = apply_linear(data.feed_forward.second, [layer.hidden[1][place]], exactly(values))
                assert equal(layer.after[place], added(layer.attended[place], update))
        assert tuple(layer.after for layer in steps.layers) == result.streams[1:]


def test_hidden_units_after_activation() -> None:
    for kind, wanted in (
        ("relu", [0, 0, 3]),
        ("step", [0, 0, 1]),
        ("square", [1, 0, 9]),
        ("saturated-linear", [0, 0, 1]),
    ):
        built = toy((Layer(feed_forward=network({"x": 1}, kind)),))
        steps = trace(built, run(built, "abc"))
        assert steps.layers[0].hidden is not None
        before, after = steps.layers[0].hidden
        assert [vector["h"] for vector in before] == [-1, 0, 3]
        assert [vector["h"] for vector in after] == wanted


def test_of_a_gate_both_factors_are_told() -> None:
    units = dataclasses.replace(network({"i": 1}), gate=Linear({"h": {"x": 1}}))
    built = toy((Layer(feed_forward=units),))
    [layer] = trace(built, run(built, "abc")).layers
    assert layer.hidden is not None
    assert layer.gated is not None
    of = {"before": layer.hidden[0], "gated": layer.gated, "after": layer.hidden[1]}
    found = {name: [vector["h"] for vector in vectors] for name, vectors in of.items()}
    assert found == {"before": [-1, 0, 3], "gated": [0, 1, 2], "after": [0, 0, 6]}


def test_what_heads_make_of_positions_is_told() -> None:
    """At position 1, turned by pi, the score of 0 is -1 less 2 of bias, that of 1 is 1, that of the sink 0."""
    parts: dict[str, Any] = {"rotary": (Rotary("a", "b", "pi"),), "bias": "-2*(i - j)", "sink": 0}
    turned = attention(W_Q=QUERIES, W_K=QUERIES, **parts)
    [layer] = trace(turned, run(turned, "aa")).layers
    [told], e = layer.heads, exp(fmpq(1))
    assert [vector["a"] for vector in told.keys] == [1, -1]
    assert list(told.scores[1]) == [-3, 1]
    assert sign(told.weights[1][0] - e**-3 / (e**-3 + e + 1)) == 0
    assert sign(told.added[1]["y"] - e / (e**-3 + e + 1)) == 0
    hiding = attention(W_Q=QUERIES, W_K=QUERIES, sees="i == j", **parts)
    [[told]] = [layer.heads for layer in trace(hiding, run(hiding, "aa")).layers]
    assert [told.scores[0], told.scores[1]] == [(1,), (None, 1)]


def test_parameters_are_those_of_the_run() -> None:
    construction = load("parity")
    given: dict[str, Any] = {"c": "log(3)"}
    head = trace(construction, run(construction, "01", given), given).layers[1].heads[0]
    assert head.weights[0] == (fmpq(1, 11), fmpq(9, 11), fmpq(1, 11))


def test_only_the_rows_that_are_wanted() -> None:
    construction = load("parity")
    result = run(construction, "0110")
    whole, some = (trace(construction, result, rows=rows).layers[1].heads[0] for rows in (None, (0, 3)))
    assert list(some.weights) == [0, 3]
    assert all(some.weights[row] == whole.weights[row] for row in (0, 3))
    assert some.added == whole.added
