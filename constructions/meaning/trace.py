"""Every intermediate quantity of an exact run, for whoever wants to see where a value comes from.

Computed from the residual streams of the run, layer by layer, by the interpreter's own functions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import (
    Names,
    Run,
    Vector,
    activate,
    after_attention,
    apply_linear,
    apply_rows,
    attend,
    attention_weights,
    numbers,
    parameter_values,
    score,
    seen_from,
)
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars.numbers import Number, Scalars, exactly

Vectors = tuple[Vector, ...]
"""One vector a position."""


@dataclass(frozen=True)
class HeadTrace:
    """What one head computes.

    queries, keys, values: W_Q x, W_K x and W_V x; written: W_O W_V x, None where there is no W_O; scores: by query
    position, scaled, of the keys at positions 0, 1, ... as far as it sees; weights: their normalised form, alike;
    added: what the head adds to the residual stream.
    """

    queries: Vectors
    keys: Vectors
    values: Vectors
    written: Vectors | None
    scores: Mapping[int, tuple[Number, ...]]
    weights: Mapping[int, tuple[Number, ...]]
    added: Vectors


@dataclass(frozen=True)
class LayerTrace:
    """attended: the stream after attention, residual connection and norm; hidden: the units of the feed-forward network
    before and after activation, None where there is none; after: the stream after the layer."""

    heads: tuple[HeadTrace, ...]
    attended: Vectors
    hidden: tuple[Vectors, Vectors] | None
    after: Vectors


@dataclass(frozen=True)
class Trace:
    """words, positions: the two parts of the embedding, without the coordinates that have no weight in it."""

    tokens: tuple[str, ...]
    words: Vectors
    positions: Vectors
    embedding: Vectors
    layers: tuple[LayerTrace, ...]


def trace(
    construction: Construction, run: Run, given: Mapping[str, object] | None = None, rows: Collection[int] | None = None
) -> Trace:
    """The quantities of a run that has its streams; `given` are its parameters.

    rows: the query positions whose scores and weights are wanted, which are as many numbers each as there are
    positions; None is all.
    """
    network = construction.network
    assert isinstance(network, Encoder)
    count = len(run.tokens)
    names: Names = parameter_values(construction, given)
    names |= {"n": fmpq(count), "d": fmpq(len(network.coordinates))}
    scalars = exactly(names)
    word_rows = numbers({token: network.embedding.WE.get(token, {}) for token in run.tokens}, scalars)
    encodings = (
        numbers({"": network.embedding.PE}, exactly({**names, "i": fmpq(place)}))[""] for place in range(count)
    )
    wanted = range(count) if rows is None else sorted(rows)
    layers = (
        _layer(layer, before, after, scalars, wanted)
        for layer, before, after in zip(network.layers, run.streams[:-1], run.streams[1:], strict=True)
    )
    words = tuple(word_rows[token] for token in run.tokens)
    return Trace(run.tokens, words, tuple(encodings), run.streams[0], tuple(layers))


def _layer(layer: Layer, before: Vectors, after: Vectors, scalars: Scalars, rows: Collection[int]) -> LayerTrace:
    attended = tuple(after_attention(layer, list(before), scalars))
    hidden = None
    if layer.feed_forward is not None:
        first = layer.feed_forward.first
        units = tuple(apply_linear(first, [vector], scalars)[0] if vector else vector for vector in attended)
        kind = layer.feed_forward.activation
        hidden = units, tuple({unit: activate(kind, x) for unit, x in vector.items()} for vector in units)
    return LayerTrace(tuple(_head(head, before, scalars, rows) for head in layer.heads), attended, hidden, after)


def _head(head: Head, stream: Vectors, scalars: Scalars, rows: Collection[int]) -> HeadTrace:
    queries, keys, values = (
        tuple(apply_rows(matrix, vector) for vector in stream)
        for matrix in (numbers(weights, scalars) for weights in (head.W_Q, head.W_K, head.W_V))
    )
    W_O = None if head.W_O is None else numbers(head.W_O, scalars)
    scale = scalars(head.scale)
    seen = {row: keys[: seen_from(head, row, len(keys))] for row in rows}
    scores = {row: tuple(scale * score(head, queries[row], key) for key in seen[row]) for row in rows}
    return HeadTrace(
        queries=queries,
        keys=keys,
        values=values,
        written=None if W_O is None else tuple(apply_rows(W_O, value) for value in values),
        scores=scores,
        weights={row: tuple(attention_weights(head, list(each))) for row, each in scores.items()},
        added=tuple(attend(head, list(stream), scalars)),
    )
