"""The weights of a network that is to be trained: which there are, how they begin, and the network that they make.

Tensors are as papers with PyTorch have them, but for heads: W_Q, W_K and W_V have those of all heads side by side, and
a vector x goes to x @ W. They begin as PyTorch 2's modules do: torch.nn.Embedding with the normal distribution,
torch.nn.Linear with an even one between +-1/sqrt(inputs), queries, keys and values of torch.nn.MultiheadAttention with
Xavier's, of all three as one matrix (Glorot and Bengio 2010, equation 16).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    Rows,
)
from weightproof.numeric.learning.experiment import Architecture

BEGIN, END = "CLS", "EOS"


@dataclass(frozen=True)
class Constant:
    """All entries begin as this."""

    value: float


@dataclass(frozen=True)
class Uniform:
    """Entries begin anywhere between -bound and bound."""

    bound: float


@dataclass(frozen=True)
class Normal:
    """Entries begin normally distributed, with mean 0 and variance 1."""


@dataclass(frozen=True)
class Free:
    """A tensor of weights that are trained. like: the tensor whose first entries it has, where it draws none."""

    name: str
    shape: tuple[int, ...]
    begins: Constant | Uniform | Normal
    like: str | None = None

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def tokens(architecture: Architecture, symbols: Sequence[str]) -> tuple[str, ...]:
    """In the order of their ids: symbols, then markers."""
    return (*symbols, BEGIN, *((END,) if architecture.end else ()))


def free(architecture: Architecture, symbols: Sequence[str]) -> tuple[Free, ...]:
    """All tensors, in the order in which they are drawn; those of layer 0 are "0.W_Q" and so on."""
    d, hidden = architecture.width, architecture.hidden
    first, second, attention = Uniform(d**-0.5), Uniform(hidden**-0.5), Uniform(math.sqrt(6 / (d + 3 * d)))
    of_layer: tuple[tuple[str, tuple[int, ...], Constant | Uniform | Normal], ...] = (
        ("W_Q", (d, d), attention),
        ("W_K", (d, d), attention),
        ("W_V", (d, d), attention),
        ("W_O", (d, d), first),
        ("gain_1", (d,), Constant(1)),
        ("bias_1", (d,), Constant(0)),
        ("W_F1", (d, hidden), first),
        ("b_F1", (hidden,), first),
        ("W_F2", (hidden, d), second),
        ("b_F2", (d,), second),
        ("gain_2", (d,), Constant(1)),
        ("bias_2", (d,), Constant(0)),
    )
    return (
        Free("W_E", (len(tokens(architecture, symbols)), d), Normal()),
        *(
            Free(f"{number}.{name}", shape, begins, f"0.{name}" if number and architecture.alike else None)
            for number in range(architecture.layers)
            for name, shape, begins in of_layer
        ),
        Free("W_U", (d, 1), first),
        Free("b_U", (1,), first),
    )


def encoder(architecture: Architecture, symbols: Sequence[str], weights: Mapping[str, Any]) -> Encoder:
    """The network that weights make, numpy arrays of floats by the names of `free`: each is taken exactly."""
    coordinates = architecture.coordinates
    each = architecture.width // architecture.heads

    def head(number: int, layer: int) -> Head:
        own = slice(number * each, (number + 1) * each)
        scored, carried = _names("q", each), _names("v", each)
        return Head(
            W_Q=_rows(weights[f"{layer}.W_Q"][:, own].T, scored, coordinates),
            W_K=_rows(weights[f"{layer}.W_K"][:, own].T, scored, coordinates),
            W_V=_rows(weights[f"{layer}.W_V"][:, own].T, carried, coordinates),
            W_O=_rows(weights[f"{layer}.W_O"][own].T, coordinates, carried),
            scale=architecture.scale,
            normaliser=architecture.normaliser,
        )

    def norm(number: int, layer: int) -> LayerNorm:
        gain, bias = weights[f"{layer}.gain_{number}"], weights[f"{layer}.bias_{number}"]
        return LayerNorm(architecture.epsilon, gain=_row(gain, coordinates), bias=_row(bias, coordinates))

    def feed_forward(layer: int) -> FeedForward:
        units = _names("h", architecture.hidden)
        return FeedForward(
            Linear(_rows(weights[f"{layer}.W_F1"].T, units, coordinates), _row(weights[f"{layer}.b_F1"], units)),
            Linear(_rows(weights[f"{layer}.W_F2"].T, coordinates, units), _row(weights[f"{layer}.b_F2"], coordinates)),
        )

    return Encoder(
        coordinates=coordinates,
        embedding=Embedding(
            WE=_rows(weights["W_E"], tokens(architecture, symbols), coordinates),
            PE=dict(zip(coordinates, architecture.encodings, strict=False)),
        ),
        layers=tuple(
            Layer(
                heads=tuple(head(number, layer) for number in range(architecture.heads)),
                attention_norm=norm(1, layer),
                feed_forward=feed_forward(layer),
                feed_forward_norm=norm(2, layer),
            )
            for layer in range(architecture.layers)
        ),
        readout=Readout(
            Linear(_rows(weights["W_U"].T, ("logit",), coordinates), _row(weights["b_U"], ("logit",))),
        ),
        begin=BEGIN,
        end=END if architecture.end else None,
    )


def _names(letter: str, number: int) -> tuple[str, ...]:
    return tuple(f"{letter}{place}" for place in range(1, number + 1))


def _row(values: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: Fraction(float(value)) for name, value in zip(names, values, strict=True) if value}


def _rows(matrix: Any, names: Sequence[str], columns: Sequence[str]) -> Rows:
    return {name: _row(values, columns) for name, values in zip(names, matrix, strict=True)}
