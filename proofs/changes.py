"""Every nonzero weight of a network, with the network that has another one in its stead, and what a weight is changed
to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

CHANGES: Mapping[str, str] = {
    "zeroed": "0*({w})",
    "negated": "-({w})",
    "doubled": "2*({w})",
    "halved": "({w})/2",
    "plus 1": "({w}) + 1",
    "minus 1": "({w}) - 1",
}
"""What is done to a weight w."""


Rebuild = Callable[[Expression], Any]
Weight = tuple[str, Expression, Rebuild]
"""Its place, its value, and the network with another one in its stead."""


def weights_of_decoder(network: EncoderDecoder) -> Iterator[Weight]:
    """Every nonzero weight of an encoder-decoder whose vectors themselves are what is wanted."""
    for place, old, rebuild in weights(network.encoder):
        yield f"encoder {place}", old, lambda w, b=rebuild: replace(network, encoder=b(w))  # type: ignore[misc]
    for place, old, build in _row(network.seed):
        yield f"seed {place}", old, lambda w, b=build: replace(network, seed=b(w))  # type: ignore[misc]
    for place, old, build in _row(network.PE):
        yield f"PE {place}", old, lambda w, b=build: replace(network, PE=b(w))  # type: ignore[misc]
    for place, old, rebuild in _layers(network.layers):
        yield place, old, lambda w, b=rebuild: replace(network, layers=b(w))  # type: ignore[misc]
    for place, old, rebuild in _linear(network.feedback):
        yield f"feedback {place}", old, lambda w, b=rebuild: replace(network, feedback=b(w))  # type: ignore[misc]


def weights_of_autoregressive(network: Decoder) -> Iterator[Weight]:
    """Every nonzero weight of a decoder that appends tokens; those of its table are `entries_of_table`."""
    for place, old, build in _rows(network.embedding.WE):
        yield f"WE {place}", old, lambda w, b=build: _with(network, embedding=Embedding(b(w), network.embedding.PE))  # type: ignore[misc]
    for place, old, build in _row(network.embedding.PE):
        yield f"PE {place}", old, lambda w, b=build: _with(network, embedding=Embedding(network.embedding.WE, b(w)))  # type: ignore[misc]
    for place, old, rebuild in _layers(network.layers):
        yield place, old, lambda w, b=rebuild: _with(network, layers=b(w))  # type: ignore[misc]
    readout = network.readout
    for place, old, rebuild in _linear(readout.W):
        yield (
            f"readout {place}",
            old,
            lambda w, b=rebuild: _with(network, readout=replace(readout, W=b(w))),  # type: ignore[misc]
        )


def entries_of_table(network: Decoder) -> Iterator[Weight]:
    """Every nonzero entry of the table of positions."""
    table = network.table or ()
    for position, row in enumerate(table):
        for place, old, build in _row(row):

            def with_row(w: Expression, p: int = position, b: Rebuild = build) -> Decoder:
                return _with(network, table=(*table[:p], b(w), *table[p + 1 :]))

            yield f"table, position {position}, {place}", old, with_row


def _with(network: Decoder, **parts: Any) -> Decoder:
    return replace(network, **parts)


def weights_of_recurrent(network: RNN) -> Iterator[Weight]:
    """Every nonzero weight of a recurrent network, the embedding's included."""
    for place, old, build in _rows(network.embedding.WE):
        yield f"WE {place}", old, lambda w, b=build: replace(network, embedding=Embedding(b(w)))  # type: ignore[misc]
    for part in ("W_h", "W_x"):
        for place, old, rebuild in _linear(getattr(network, part)):
            yield f"{part} {place}", old, lambda w, p=part, b=rebuild: replace(network, **{p: b(w)})  # type: ignore[misc]


def weights(network: Encoder) -> Iterator[Weight]:
    """Every nonzero weight."""
    embedding = network.embedding
    for place, old, build in _rows(embedding.WE):
        yield f"WE {place}", old, lambda w, b=build: replace_embedding(network, WE=b(w))  # type: ignore[misc]
    for place, old, build in _row(embedding.PE):
        yield f"PE {place}", old, lambda w, b=build: replace_embedding(network, PE=b(w))  # type: ignore[misc]
    for place, old, rebuild in _layers(network.layers):
        yield place, old, lambda w, b=rebuild: replace(network, layers=b(w))  # type: ignore[misc]
    readout = network.readout
    for place, old, rebuild in _linear(readout.W):
        yield (
            f"readout {place}",
            old,
            lambda w, b=rebuild: replace(  # type: ignore[misc]
                network, readout=Readout(b(w), readout.position, readout.accept)
            ),
        )


def replace_embedding(network: Encoder, **parts: Any) -> Encoder:
    old = network.embedding
    return replace(network, embedding=Embedding(parts.get("WE", old.WE), parts.get("PE", old.PE)))


def _layers(layers: tuple[Layer, ...]) -> Iterator[Weight]:
    for number, layer in enumerate(layers):

        def with_layer(new: Layer, number: int = number) -> tuple[Layer, ...]:
            return (*layers[:number], new, *layers[number + 1 :])

        for place, old, rebuild in _layer(layer):
            yield f"layer {number + 1}, {place}", old, lambda w, b=rebuild, f=with_layer: f(b(w))  # type: ignore[misc]


def _layer(layer: Layer) -> Iterator[Weight]:
    for place, old, build in _heads(layer.heads):
        yield place, old, lambda w, b=build: replace(layer, heads=b(w))  # type: ignore[misc]
    for place, old, build in _heads(layer.cross_heads):
        yield f"cross {place}", old, lambda w, b=build: replace(layer, cross_heads=b(w))  # type: ignore[misc]
    network = layer.feed_forward
    if network is not None:
        for part in ("first", "second"):
            for place, old, rebuild in _linear(getattr(network, part)):
                yield (
                    f"feed-forward {part} {place}",
                    old,
                    lambda w, p=part, b=rebuild, f=network: replace(  # type: ignore[misc]
                        layer, feed_forward=_feed_forward(f, p, b(w))
                    ),
                )


def _heads(heads: tuple[Head, ...]) -> Iterator[Weight]:
    for number, head in enumerate(heads):
        for part in ("W_Q", "W_K", "W_V", "W_O"):
            for place, old, build in _rows(getattr(head, part) or {}):
                yield (
                    f"head {number + 1}, {part} {place}",
                    old,
                    lambda w, n=number, p=part, b=build: (  # type: ignore[misc]
                        *heads[:n],
                        _head(heads[n], p, b(w)),
                        *heads[n + 1 :],
                    ),
                )


def _head(head: Head, part: str, new: Rows) -> Head:
    rows = {name: getattr(head, name) for name in ("W_V", "W_Q", "W_K", "W_O")} | {part: new}
    return Head(**rows, score=head.score, scale=head.scale, normaliser=head.normaliser, mask=head.mask)


def _feed_forward(network: FeedForward, part: str, new: Linear) -> FeedForward:
    return replace(network, first=new) if part == "first" else replace(network, second=new)


def _linear(linear: Linear) -> Iterator[Weight]:
    for place, old, build in _rows(linear.weights):
        yield place, old, lambda w, b=build: Linear(b(w), linear.bias)  # type: ignore[misc]
    for place, old, build in _row(linear.bias):
        yield f"bias {place}", old, lambda w, b=build: Linear(linear.weights, b(w))  # type: ignore[misc]


def _rows(rows: Rows) -> Iterator[Weight]:
    for row, columns in rows.items():
        for column, old, build in _row(columns):
            yield f"{row!r} from {column}", old, lambda w, r=row, b=build: {**rows, r: b(w)}  # type: ignore[misc]


def _row(columns: Mapping[str, Expression]) -> Iterator[Weight]:
    for column, old in columns.items():
        if not _is_zero(old):
            yield repr(column), old, lambda w, c=column: {**columns, c: w}  # type: ignore[misc]


def _is_zero(weight: Expression) -> bool:
    return not weight.names and evaluate(weight, {}) == 0
