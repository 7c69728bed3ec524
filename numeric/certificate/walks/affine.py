"""Bounds of what a position computes from one sum that is not known: its own term of the logit, layer by layer.

A computed number is slope*s + something from low to high, with s the computed sum at that position. Keeping the slope
lets terms with the sum cancel, as in relu(s) - relu(s - w), which is about w however large s is. Bounds are arrays of
float64, a number for each place; what float64 itself may round is added to them (GUARD).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.rounding.arithmetic import TYPES, Array
from weightproof.numeric.rounding.formats import Format, quantised

GUARD = 2.0**-48
"""More than float64 loses, relative to the largest number in it, in the few operations that make up one bound."""


@dataclass(frozen=True)
class Affine:
    """Numbers slope*s + [low, high], one for each place."""

    slope: Array
    low: Array
    high: Array

    @property
    def is_zero(self) -> Array:
        """Where the number is certainly 0, and computed as 0."""
        return (self.slope == 0) & (self.low == 0) & (self.high == 0)


Stream = Mapping[str, Affine]
Entries = Mapping[Expression, tuple[float, float]]


def constant(low: object, high: object | None = None) -> Affine:
    """A number from low to high, whatever s is."""
    least = np.asarray(low, dtype=np.float64)
    return Affine(np.zeros_like(least), least, least if high is None else np.asarray(high, dtype=np.float64))


ZERO = constant(0.0)


def _nearest(values: Array, format: Format) -> Array:
    """The numbers of the format nearest to those of float64."""
    if format.name == "bfloat16":  # which numpy converts by way of float32, rounding twice
        return quantised(values, format)[0]
    with np.errstate(over="ignore"):  # infinite beyond the greatest, as it should be
        return values.astype(TYPES[format.name]).astype(np.float64)


@dataclass(frozen=True)
class Bounds:
    """An arithmetic, that of a format whose operations are correctly rounded or, without one, that of the reals.

    s lies from least to most, at each place. entries: weights, as the arithmetic holds them, each in an interval.
    """

    least: Array
    most: Array
    format: Format | None
    entries: Entries

    def range(self, x: Affine) -> tuple[Array, Array]:
        """Where the number lies. A multiple of s alone has a sign wherever s has one."""
        ends, guard = (x.slope * self.least, x.slope * self.most), np.where(x.slope == 0, 0, GUARD * self._size(x))
        bottom, top = np.minimum(*ends), np.maximum(*ends)
        low, high, lone = bottom + x.low - guard, top + x.high + guard, (x.low == 0) & (x.high == 0)
        return (
            np.where(lone & (bottom >= 0), np.maximum(low, 0), low),
            np.where(lone & (top <= 0), np.minimum(high, 0), high),
        )

    def _size(self, x: Affine) -> Array:
        s = np.maximum(abs(self.least), abs(self.most))
        return abs(x.slope) * s + np.maximum(abs(x.low), abs(x.high))

    def rounded(self, x: Affine, exactly: bool = False, spread: float = 0.0) -> Affine:
        """What an operation makes of its exact result. exactly: it is rounded only by underflow; spread: how far the
        exact result may be off itself, relative to it. Nothing is known where it may overflow.

        What does not depend on s goes to the numbers of the format nearest to its ends, as rounding is monotone, and
        so does not lose its sign; 0 stays 0. The rest is off by at most u times its size.
        """
        low, high = self.range(x)
        size, reach = self._size(x), np.maximum(abs(low), abs(high))
        guard = GUARD * size + spread * reach
        ends = x.low - guard, x.high + guard
        flat = x.slope == 0
        if self.format is not None:
            u, least = float(self.format.unit_roundoff), float(self.format.smallest)
            off = least + (0.0 if exactly else u) * reach
            off = np.where(2 * size < 2.0**self.format.greatest, off, np.inf)
            nearest = [_nearest(end, self.format) for end in ends]
            ends = np.where(flat, nearest[0], ends[0] - off), np.where(flat, nearest[1], ends[1] + off)
        lower = np.where(flat & (x.low >= 0), np.maximum(ends[0], 0), ends[0])
        upper = np.where(flat & (x.high <= 0), np.minimum(ends[1], 0), ends[1])
        return Affine(x.slope, np.where(x.is_zero, 0, lower), np.where(x.is_zero, 0, upper))

    def plus(self, x: Affine, y: Affine) -> Affine:
        """The sum; a term that is 0 causes no rounding."""
        total = Affine(x.slope + y.slope, x.low + y.low, x.high + y.high)
        moved, lone = self.rounded(total), x.is_zero | y.is_zero
        return Affine(total.slope, np.where(lone, total.low, moved.low), np.where(lone, total.high, moved.high))

    def times(self, x: Affine, weight: Expression) -> Affine:
        """The product with a weight; with a power of two it is exact, but for underflow."""
        least, most = self.entries[weight]
        ends = least * x.low, least * x.high
        product = Affine(least * x.slope, np.minimum(*ends), np.maximum(*ends))
        if least == most and abs(least) == 1:
            return product
        exact = least == most and abs(np.frexp(least)[0]) == 0.5
        return self.rounded(product, exact, (most - least) / min(abs(least), abs(most)))

    def relu(self, x: Affine) -> Affine:
        low, high = self.range(x)
        on, off = low >= 0, high <= 0
        return Affine(
            np.where(on, x.slope, 0),
            np.where(on, x.low, 0),
            np.where(on, x.high, np.where(off, 0, np.maximum(high, 0))),
        )

    def sum(self, terms: Sequence[Affine]) -> Affine:
        """From left to right."""
        return reduce(self.plus, terms, ZERO)

    def linear(self, linear: Linear, stream: Stream) -> dict[str, Affine]:
        """W x + b, the columns in the order of the stream."""
        result = {}
        for row in linear.rows:
            columns = linear.weights.get(row, {})
            read = [(stream[name], columns[name]) for name in stream if name in columns]
            products = [self.times(x, weight) for x, weight in read if self.entries[weight] != (0, 0)]
            bias = [constant(*self.entries[linear.bias[row]])] if row in linear.bias else []
            result[row] = self.sum([*products, *bias])
        return result

    def fed_forward(self, layer: Layer, network: FeedForward, stream: Stream) -> dict[str, Affine]:
        """The network and its residual connection."""
        if network.gate is not None:
            raise NotUnderstood("a feed-forward network with a gate")
        match network.activation:
            case "relu":
                hidden = {unit: self.relu(x) for unit, x in self.linear(network.first, stream).items()}
            case (
                "saturated-linear"
                | "step"
                | "square"
                | "identity"
                | "abs"
                | "tanh"
                | "sigmoid"
                | "silu"
                | "gelu"
                | "gelu-tanh"
            ):
                raise NotUnderstood(f"the activation {network.activation}")
            case _:
                BOUND.refuse("activation", network.activation)
        update = self.linear(network.second, hidden)
        kept = stream if layer.feed_forward_residual else {}
        return {name: self.plus(kept.get(name, ZERO), update.get(name, ZERO)) for name in stream}

    def output(self, layers: Sequence[Layer], readout: Linear, row: str, stream: Stream) -> tuple[Array, Array]:
        """Where a row of the readout lies at a position, from the stream after the attention of the first layer."""
        for layer in layers:
            if layer.feed_forward is not None:
                stream = self.fed_forward(layer, layer.feed_forward, stream)
        return self.range(self.linear(readout, stream)[row])
