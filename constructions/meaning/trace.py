"""Every intermediate quantity of an exact run, for whoever wants to see where a value comes from.

Computed from the residual streams of the run, layer by layer, by the interpreter's own functions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import (
    Environment,
    Looked,
    Memory,
    ValuedHead,
    Vector,
    apply_linear,
    apply_rows,
    layer_steps,
    look,
    normalised,
    numbers,
    valued_head,
)
from weightproof.constructions.meaning.running import Run, parameter_values
from weightproof.constructions.meaning.schema import Layer, Linear
from weightproof.constructions.scalars.values import Evaluator, Number, exactly

Vectors = tuple[Vector, ...]
"""One vector a position."""


@dataclass(frozen=True)
class HeadTrace:
    """What one head computes.

    queries, keys, values: W_Q x, W_K x and W_V x of what it reads, behind their norms and turned; written: W_O W_V x,
    None where there is no W_O; scores: by query position, scaled, with the bias, of the keys at positions 0, 1, ... up
    to the last one that it sees, None where one is hidden; weights: their normalised form, alike; added: what the head
    adds to the residual stream.
    """

    queries: Vectors
    keys: Vectors
    values: Vectors
    written: Vectors | None
    scores: Mapping[int, tuple[Number | None, ...]]
    weights: Mapping[int, tuple[Number | None, ...]]
    added: Vectors


@dataclass(frozen=True)
class LayerTrace:
    """attended: the stream after attention, residual connection and norm; hidden: the units of the feed-forward network
    before activation, which is of the gate where there is one, and as the second map reads them, None where there is
    none; gated: what the first map makes, which a gate multiplies, None where there is no gate; after: the stream after
    the layer."""

    heads: tuple[HeadTrace, ...]
    attended: Vectors
    hidden: tuple[Vectors, Vectors] | None
    gated: Vectors | None
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
    network = construction.encoder
    count = len(run.tokens)
    names: Environment = parameter_values(construction, given)
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


def _layer(layer: Layer, before: Vectors, after: Vectors, scalars: Evaluator, rows: Collection[int]) -> LayerTrace:
    steps = layer_steps(layer, before, scalars)
    attended, hidden, gated = tuple(step.attended for step in steps), None, None

    def mapped(linear: Linear) -> Vectors:
        read = (normalised(layer.feed_forward_norm_before, vector, scalars) for vector in attended)
        return tuple(apply_linear(linear, [vector], scalars)[0] if vector else vector for vector in read)

    if (network := layer.feed_forward) is not None:
        hidden = mapped(network.gate or network.first), tuple(step.hidden for step in steps)
        gated = None if network.gate is None else mapped(network.first)
    read = tuple(normalised(layer.attention_norm_before, vector, scalars) for vector in before)
    heads = tuple(_head(valued_head(head, scalars), read, rows) for head in layer.heads)
    return LayerTrace(heads, attended, hidden, gated, after)


def _placed(seen: Sequence[int], values: Sequence[Number]) -> tuple[Number | None, ...]:
    """Values of some positions, each at its own."""
    row: list[Number | None] = [None] * (max(seen, default=-1) + 1)
    for place, value in zip(seen, values, strict=True):
        row[place] = value
    return tuple(row)


def _head(head: ValuedHead, stream: Vectors, rows: Collection[int]) -> HeadTrace:
    memory, looked, added = Memory().see(head, stream), dict[int, Looked](), list[Vector]()
    for i, vector in enumerate(stream):
        found = look(head, vector, i, memory)
        added.append(found.added)
        if i in rows:
            looked[i] = found
    return HeadTrace(
        queries=tuple(head.query(vector, i) for i, vector in enumerate(stream)),
        keys=tuple(memory.keys),
        values=tuple(apply_rows(head.W_V, vector) for vector in stream),
        written=None if head.W_O is None else tuple(memory.values),
        scores={row: _placed(found.seen, found.scores) for row, found in looked.items()},
        weights={row: _placed(found.seen, found.weights) for row, found in looked.items()},
        added=tuple(added),
    )
