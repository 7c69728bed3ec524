"""The weights of a network as dense tensors, by name, and the network that such tensors make.

Tensors are as papers with PyTorch have them, but for heads: W_Q, W_K and W_V of a layer have those of all its heads
side by side, and a vector x goes to x @ W. Where heads have no W_O, the columns of W_V are the coordinates into which
each head writes. Those of layer 0 are "0.W_Q" and so on; "0.heads" says which of its heads there are, and is 1 or 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.schema import Encoder, Head, Layer, LayerNorm, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.learning.architecture import Architecture, AsWritten, Begin
from weightproof.numeric.rounding.formats import FORMATS, rounded

FORMAT = FORMATS["float32"]
HEADS = "heads"


@dataclass(frozen=True)
class Free:
    """A tensor of weights. written: as the network has them, float32; begins: how they do; like: the tensor whose first
    entries it has, where it draws none; trained: whether training moves them."""

    name: str
    written: np.ndarray
    begins: Begin
    like: str | None = None
    trained: bool = True

    @property
    def shape(self) -> tuple[int, ...]:
        return self.written.shape

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def tokens(network: Encoder, symbols: Sequence[str]) -> tuple[str, ...]:
    """In the order of their ids: symbols, then markers, then all others that have a word embedding."""
    return tuple(dict.fromkeys((*symbols, *network.markers, *network.embedding.WE)))


def tensors(architecture: Architecture, symbols: Sequence[str], heads: int | None = None) -> tuple[Free, ...]:
    """All of them, in the order in which they are drawn. heads: how many are there of each layer, None for all."""

    def of(name: str, values: np.ndarray) -> Free:
        plain = name.rpartition(".")[2]
        like = f"0.{plain}" if architecture.alike and plain != name and not name.startswith("0.") else None
        if plain == HEADS:
            there = np.arange(len(values)) < (len(values) if heads is None else heads)
            return Free(name, values * there, AsWritten(), like, trained=False)
        begins = architecture.begins.get(plain, AsWritten())
        return Free(name, values, begins, like, plain not in architecture.fixed)

    return tuple(of(name, values) for name, values in _written(architecture, symbols))


def _written(architecture: Architecture, symbols: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    network = architecture.network
    coordinates, names = network.coordinates, {"d": fmpq(len(network.coordinates))}

    def vector(row: Mapping[str, Expression], columns: Sequence[str]) -> np.ndarray:
        found = [rounded(evaluate(row[column], names), FORMAT) if column in row else 0.0 for column in columns]
        return np.array(found, dtype=np.float32)

    def matrix(rows: Rows, columns: Sequence[str]) -> np.ndarray:
        """Transposed: a row for each column of the map."""
        return np.stack([vector(row, columns) for row in rows.values()], axis=1)

    def norm(which: LayerNorm | None, number: int) -> Iterator[tuple[str, np.ndarray]]:
        if which is not None:
            ones = np.ones(len(coordinates), dtype=np.float32)
            yield f"gain_{number}", ones if which.gain is None else vector(which.gain, coordinates)
            yield f"bias_{number}", 0 * ones if which.bias is None else vector(which.bias, coordinates)

    def of_layer(layer: Layer) -> Iterator[tuple[str, np.ndarray]]:
        if layer.heads:
            for name in ("W_Q", "W_K", "W_V"):
                yield name, np.concatenate([matrix(getattr(head, name), coordinates) for head in layer.heads], axis=1)
            if layer.heads[0].W_O is not None:
                yield "W_O", np.concatenate([matrix(head.W_O or {}, [*head.W_V]) for head in layer.heads])
        yield from norm(layer.attention_norm, 1)  # type: ignore[arg-type]  # Architecture has refused others
        if (units := layer.feed_forward) is not None:
            yield "W_F1", matrix(units.first.weights, coordinates)
            yield "b_F1", vector(units.first.bias, [*units.first.weights])
            yield "W_F2", matrix(units.second.weights, [*units.first.weights])
            yield "b_F2", vector(units.second.bias, [*units.second.weights])
        yield from norm(layer.feed_forward_norm, 2)  # type: ignore[arg-type]

    embedded = {token: network.embedding.WE.get(token, {}) for token in tokens(network, symbols)}
    yield "W_E", matrix(embedded, coordinates).T
    for number, layer in enumerate(network.layers):
        for name, values in of_layer(layer):
            yield f"{number}.{name}", values
    readout = network.readout.W
    yield "W_U", matrix(readout.weights, coordinates)
    yield "b_U", vector(readout.bias, [*readout.weights])
    for number, layer in enumerate(network.layers):
        if layer.heads:
            yield f"{number}.{HEADS}", np.ones(len(layer.heads), dtype=np.float32)


def encoder(architecture: Architecture, symbols: Sequence[str], weights: Mapping[str, Any]) -> Encoder:
    """The network that weights make, numpy arrays of floats by the names of `tensors`: each is taken exactly. Heads
    that are no longer there are left out."""
    network = architecture.network
    coordinates = network.coordinates

    def heads(layer: Layer, number: int) -> Iterator[Head]:
        if not layer.heads:
            return
        scored, carried = len(layer.heads[0].W_Q), len(layer.heads[0].W_V)
        for place, head in enumerate(layer.heads):
            own, written = (slice(place * size, (place + 1) * size) for size in (scored, carried))
            if weights[f"{number}.{HEADS}"][place]:
                yield replace(
                    head,
                    W_Q=_rows(weights[f"{number}.W_Q"][:, own].T, [*head.W_Q], coordinates),
                    W_K=_rows(weights[f"{number}.W_K"][:, own].T, [*head.W_K], coordinates),
                    W_V=_rows(weights[f"{number}.W_V"][:, written].T, [*head.W_V], coordinates),
                    W_O=None
                    if head.W_O is None
                    else _rows(weights[f"{number}.W_O"][written].T, [*head.W_O], [*head.W_V]),
                )

    def norm(which: LayerNorm | None, number: int, layer: int) -> LayerNorm | None:
        if which is None:
            return None
        gain, bias = weights[f"{layer}.gain_{number}"], weights[f"{layer}.bias_{number}"]
        return replace(which, gain=_row(gain, coordinates), bias=_row(bias, coordinates))

    def linear(written: Linear, W: str, b: str, columns: Sequence[str]) -> Linear:
        names = [*written.weights]
        return Linear(_rows(weights[W].T, names, columns), _row(weights[b], names))

    def of_layer(layer: Layer, number: int) -> Layer:
        units = layer.feed_forward
        if units is not None:
            hidden = [*units.first.weights]
            units = replace(
                units,
                first=linear(units.first, f"{number}.W_F1", f"{number}.b_F1", coordinates),
                second=linear(units.second, f"{number}.W_F2", f"{number}.b_F2", hidden),
            )
        return replace(
            layer,
            heads=tuple(heads(layer, number)),
            feed_forward=units,
            attention_norm=norm(layer.attention_norm, 1, number),  # type: ignore[arg-type]
            feed_forward_norm=norm(layer.feed_forward_norm, 2, number),  # type: ignore[arg-type]
        )

    return replace(
        network,
        embedding=replace(network.embedding, WE=_rows(weights["W_E"], tokens(network, symbols), coordinates)),
        layers=tuple(of_layer(layer, number) for number, layer in enumerate(network.layers)),
        readout=replace(network.readout, W=linear(network.readout.W, "W_U", "b_U", coordinates)),
    )


def _row(values: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: Fraction(float(value)) for name, value in zip(names, values, strict=True) if value}


def _rows(matrix: Any, names: Sequence[str], columns: Sequence[str]) -> Rows:
    return {name: _row(values, columns) for name, values in zip(names, matrix, strict=True)}
