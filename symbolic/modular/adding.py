"""The forward pass of an encoder whose weights are sums of waves, on tokens whose embeddings are: layer by layer, with
heads that look everywhere alike and squares for activations. Every value is a sum of waves again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Linear, Rows
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.modular.waves import Waves, read

Vector = Mapping[str, Waves]
"""Coordinate -> its value; what is absent is 0."""
ZERO = Waves()


@dataclass(frozen=True)
class Step:
    """A layer at the position that is read: what its heads add, what its hidden units are before they are squared, and
    the stream behind it."""

    added: Vector
    hidden: Vector
    output: Vector


@dataclass(frozen=True)
class Pass:
    """embedded: the vector of each position."""

    embedded: tuple[Vector, ...]
    steps: tuple[Step, ...]
    outputs: Vector


def forward(network: Encoder, word: Sequence[str]) -> Pass:
    """On a word, its markers excluded; Underivable for other parts than those."""
    if network.final_norm is not None:
        raise Underivable("a norm before the readout")
    if network.embedding.PE:
        raise Underivable("a position encoding")
    tokens = add_markers(network, word)
    numbers = {"d": len(network.coordinates), "n": len(tokens)}
    stream: list[Vector] = []
    for token in tokens:
        if token not in network.embedding.WE:
            raise Underivable(f"token {token!r} has no embedding")
        stream.append({name: read(weight, numbers) for name, weight in network.embedding.WE[token].items()})
    embedded, steps = tuple(stream), []
    if DERIVATION.reads_all(network.readout.position):
        raise Underivable("a readout of all positions")
    at = DERIVATION.of("readout position", network.readout.position, {"first": 0, "last": -1})
    for layer in network.layers:
        made = _layer(layer, stream, numbers)
        stream = [step.output for step in made]
        steps.append(made[at])
    return Pass(embedded, tuple(steps), _linear(network.readout.W, stream[at], numbers))


def _layer(layer: Layer, stream: Sequence[Vector], numbers: Mapping[str, int]) -> list[Step]:
    if layer.norms or layer.cross_heads:
        raise Underivable("a norm, or a cross head")
    mean = Waves.number(fmpq(1, len(stream)))
    added = sums(_head(head, stream, mean, numbers) for head in layer.heads)
    steps = []
    for vector in stream:
        middle = sums((vector, added)) if layer.attention_residual else added
        hidden: Vector = {}
        output = middle
        if layer.feed_forward is not None:
            hidden, update = _feed_forward(layer.feed_forward, middle, numbers)
            output = sums((middle, update)) if layer.feed_forward_residual else update
        steps.append(Step(added, hidden, output))
    return steps


def _head(head: Head, stream: Sequence[Vector], mean: Waves, numbers: Mapping[str, int]) -> Vector:
    """What it adds everywhere."""
    DERIVATION.require_known(head)
    if (head.W_Q and head.W_K) or DERIVATION.is_causal(head.mask):
        raise Underivable("a head that does not look everywhere alike")
    seen = {name: mean * value for name, value in sums(stream).items()}
    values = _rows(head.W_V, seen, numbers)
    return values if head.W_O is None else _rows(head.W_O, values, numbers)


def _feed_forward(network: FeedForward, vector: Vector, numbers: Mapping[str, int]) -> tuple[Vector, Vector]:
    """The hidden units before they are squared, and the update."""
    DERIVATION.require_ungated(network)
    if network.activation != "square":
        raise Underivable(f"the activation {network.activation}")
    hidden = _linear(network.first, vector, numbers)
    return hidden, _linear(network.second, {unit: x * x for unit, x in hidden.items()}, numbers)


def _linear(linear: Linear, vector: Vector, numbers: Mapping[str, int]) -> Vector:
    return sums((_rows(linear.weights, vector, numbers), {n: read(w, numbers) for n, w in linear.bias.items()}))


def _rows(rows: Rows, vector: Vector, numbers: Mapping[str, int]) -> Vector:
    def row(columns: Mapping[str, object]) -> Waves:
        total = ZERO
        for name, weight in columns.items():
            if name in vector:
                total = total + read(weight, numbers) * vector[name]  # type: ignore[arg-type]
        return total

    return {name: row(columns) for name, columns in rows.items()}


def sums(vectors: Iterable[Vector]) -> Vector:
    result: dict[str, Waves] = {}
    for vector in vectors:
        for name, value in vector.items():
            result[name] = result.get(name, ZERO) + value
    return result
