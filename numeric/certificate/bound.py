"""Where the computed logit of a word must lie: the explicit forward pass in balls, under the rounding model.

A running error analysis: every ball contains what `Transformer` computes with explicit attention, whatever the order of
its sums. The fused kernels rescale partial sums in ways that are not documented, and are not covered.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import assert_never

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment, add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import (
    Activation,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    RootMeanSquare,
    Rows,
)
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.rounding.model import RoundingModel, hull

PRECISION = 256
"""Bits of the balls: far beyond every format, so that the balls' own roundings do not matter."""

Vector = dict[str, arb]


def output_balls(
    construction: Construction,
    word: Sequence[str],
    parameters: Mapping[str, object] | None = None,
    dtype: str = "float64",
) -> Vector:
    """Balls that contain the outputs that explicit attention computes in `dtype`, of a recogniser its logit."""
    network = construction.network
    if not isinstance(network, Encoder):
        raise InputError(f"{construction.name}: only encoders have a bound on rounding")
    tokens = add_markers(network, word)
    names: Environment = {
        **parameter_values(construction, parameters),
        "n": fmpq(len(tokens)),
        "d": fmpq(len(network.coordinates)),
    }
    with ctx.workprec(PRECISION):
        return BallPass(RoundingModel(FORMATS[dtype]), names).outputs(network, tokens)


def _bits(x: arb) -> object:
    """What tells balls apart that are finite."""
    return (x.mid().man_exp(), x.rad().man_exp()) if x.is_finite() else None


PARTS = 16
"""Of a ball, where several terms read it; one more where 0 lies inside."""


def _parts(whole: arb) -> list[arb]:
    low, high = whole.lower(), whole.upper()
    ends = [low + (high - low) * k / PARTS for k in range(PARTS)] + [high]
    if low < 0 < high:
        ends = [*(end for end in ends if end < 0), arb(0), *(end for end in ends if end > 0)]
    return [a.union(b) for a, b in itertools.pairwise(ends)]


class BallPass:
    """One forward pass, with the model of rounding and the exact values of the parameters."""

    def __init__(self, model: RoundingModel, names: Environment) -> None:
        self.model, self.names = model, names
        self._entries: dict[tuple[Expression, int | None], arb] = {}

    def outputs(self, network: Encoder, tokens: tuple[str, ...]) -> Vector:
        """The rows of the readout."""
        stream = [self.embed(network, token, i) for i, token in enumerate(tokens)]
        for layer in network.layers:
            stream = self._layer(layer, stream)
        at = {"first": stream[:1], "last": stream[-1:], "sum": stream, "mean": stream}
        read = BOUND.of("readout position", network.readout.position, at)
        outputs = self.linear(network.readout.W, [self._norm(network.final_norm, vector) for vector in read])
        totals = {row: self.model.total([output[row] for output in outputs]) for row in outputs[0]}
        if network.readout.position != "mean":
            return totals
        n = self.model.entry(arb(len(tokens)))
        return {row: self.model.rounded(total / n) for row, total in totals.items()}

    def _entry(self, scalar: Expression, i: int | None = None) -> arb:
        """An exact entry, rounded once."""
        if (scalar, i) not in self._entries:
            names: dict[str, Real] = self.names if i is None else {**self.names, "i": fmpq(i)}
            value = evaluate(scalar, names)
            self._entries[scalar, i] = arb(0) if value == 0 else self.model.entry(ball(value, PRECISION))
        return self._entries[scalar, i]

    def embed(self, network: Encoder, token: str, i: int) -> Vector:
        """The embedding of a token at a position."""
        word, position = network.embedding.WE.get(token, {}), network.embedding.PE
        result = {}
        for coordinate in network.coordinates:
            parts = [self._entry(word[coordinate])] if coordinate in word else []
            parts += [self._entry(position[coordinate], i)] if coordinate in position else []
            result[coordinate] = self.sum(parts)
        return result

    def sum(self, terms: Sequence[arb]) -> arb:
        """A sum, in which terms that are exactly 0 cause no rounding."""
        return self.model.total([term for term in terms if not term.is_zero()])

    def rows(self, rows: Rows, vectors: Sequence[Vector]) -> list[Vector]:
        """A matrix times each vector."""
        weights = {row: {c: self._entry(weight) for c, weight in columns.items()} for row, columns in rows.items()}
        return [
            {row: self._dot(list(columns.values()), [vector[c] for c in columns]) for row, columns in weights.items()}
            for vector in vectors
        ]

    def _dot(self, left: Sequence[arb], right: Sequence[arb]) -> arb:
        return self.sum([self.model.rounded(a * b) for a, b in zip(left, right, strict=True) if not (a * b).is_zero()])

    def _product(self, a: arb, b: arb) -> arb:
        return arb(0) if (a * b).is_zero() else self.model.rounded(a * b)

    def linear(self, linear: Linear, vectors: Sequence[Vector]) -> list[Vector]:
        """W x + b of each vector."""
        bias = {row: self._entry(value) for row, value in linear.bias.items()}
        products = self.rows(linear.weights, vectors)
        zero = arb(0)
        return [{row: self.sum([p.get(row, zero), bias.get(row, zero)]) for row in linear.rows} for p in products]

    def _layer(self, layer: Layer, stream: list[Vector]) -> list[Vector]:
        seen = [self._norm(layer.attention_norm_before, vector) for vector in stream]
        added = [self._attend(head, seen) for head in layer.heads]
        middle = []
        for i, vector in enumerate(stream):
            attended = {name: self.sum([rows[i].get(name, arb(0)) for rows in added]) for name in vector}
            if layer.attention_residual:
                attended = {name: self.sum([vector[name], attended[name]]) for name in vector}
            middle.append(self._norm(layer.attention_norm, attended))
        if layer.feed_forward is None:
            return middle
        return [self._norm(layer.feed_forward_norm, self._parted(layer, layer.feed_forward, v)) for v in middle]

    def _parted(self, layer: Layer, network: FeedForward, vector: Vector) -> Vector:
        """The network and its residual, on each of the parts of the widest input: what they add up is then the same
        number everywhere, up to the width of a part."""
        if layer.feed_forward_norm_before is not None:
            return self._fed_forward(layer, network, vector)
        maps = [network.first, *([] if network.gate is None else [network.gate])]
        read = {name for each in maps for columns in each.weights.values() for name in columns}
        widest = max(read & vector.keys(), key=lambda name: float(vector[name].rad()), default=None)
        if widest is None or vector[widest].rad().is_zero() or not vector[widest].is_finite():
            return self._fed_forward(layer, network, vector)
        parts = [self._fed_forward(layer, network, vector | {widest: part}) for part in _parts(vector[widest])]
        return {name: hull([part[name] for part in parts]) for name in vector}

    def _fed_forward(self, layer: Layer, network: FeedForward, vector: Vector) -> Vector:
        read = self._norm(layer.feed_forward_norm_before, vector)
        [values] = self.linear(network.first, [read])
        if network.gate is None:
            hidden = {unit: self._activate(network.activation, x) for unit, x in values.items()}
        else:
            [gates] = self.linear(network.gate, [read])
            opened = {unit: self._activate(network.activation, gates[unit]) for unit in values}
            hidden = {unit: self._product(opened[unit], x) for unit, x in values.items()}
        [update] = self.linear(network.second, [hidden])
        total = {name: update.get(name, arb(0)) for name in vector}
        if layer.feed_forward_residual:
            total = {name: self.sum([vector[name], total[name]]) for name in vector}
        return total

    def _attend(self, head: Head, stream: list[Vector]) -> list[Vector]:
        BOUND.require_plain(head)
        queries = [self._norm(head.query_norm, query) for query in self.rows(head.W_Q, stream)]
        keys = [self._norm(head.key_norm, key) for key in self.rows(head.W_K, stream)]
        values = self.rows(head.W_V, stream)
        scale = self._entry(head.scale)
        result = []
        known: dict[tuple[object, ...], Vector] = {}  # equal queries that see the same keys have the same means
        for i, query in enumerate(queries):
            seen = BOUND.reach(head.mask).span(i, len(stream))
            if not seen and not head.may_see_nothing:
                raise InputError(f"position {i} sees nothing in some head")
            place = (seen, *map(_bits, query.values()))
            if place not in known:
                scores = [self._score(head, query, keys[j], scale) for j in seen]
                known[place] = {row: self._mean(head, scores, [values[j][row] for j in seen]) for row in head.W_V}
            result.append(known[place])
        return result if head.W_O is None else self.rows(head.W_O, result)

    def _score(self, head: Head, query: Vector, key: Vector, scale: arb) -> arb:
        score = self._dot([query[name] for name in query], [key[name] for name in query])
        score = -abs(score) if BOUND.is_less_size(head.score) else score
        return arb(0) if score.is_zero() and scale.is_finite() else self.model.rounded(score * scale)

    def _mean(self, head: Head, scores: list[arb], values: list[arb]) -> arb:
        """The mean of values under the weights of their scores, as products with weights or as a quotient of sums."""
        if (side := BOUND.side(head.normaliser)) is None:
            return self.model.mean(scores, values)
        return self.model.outermost(scores, values, side) if side else self.model.mean_of_best(scores, values)

    def _activate(self, activation: Activation, x: arb) -> arb:
        match activation:
            case "relu":
                return x.max(arb(0))
            case "saturated-linear":
                return x.max(arb(0)).min(arb(1))
            case "step":
                return arb(1) if x > 0 else arb(0) if x <= 0 else arb(0).union(arb(1))
            case "square":
                return self.model.rounded(x * x)
            case "identity":
                return x
            case "abs":
                return abs(x)
            case "tanh" | "sigmoid" | "silu" | "gelu" | "gelu-tanh":
                raise InputError(
                    f"the activation {activation} has no bound on rounding: nothing says how it is rounded"
                )
        BOUND.refuse("activation", activation)

    def _norm(self, norm: Norm | None, vector: Vector) -> Vector:
        if norm is None:
            return vector
        model, size = self.model, len(vector)
        match norm:
            case LayerNorm():
                mean = model.rounded(self.model.total(list(vector.values())) / size, 2)
                away = {name: model.rounded(x - mean) for name, x in vector.items()}
            case RootMeanSquare():
                away = vector
            case other:
                assert_never(other)
        squares = [model.rounded(x * x) for x in away.values()]
        square = model.rounded(model.total(squares) / size, 2)
        deviation = model.rounded(model.rounded(square + self._entry(norm.epsilon)).sqrt())
        result = {name: model.rounded(x / deviation) for name, x in away.items()}
        if norm.gain is not None:
            result = {name: self._product(x, self._at(norm.gain, name)) for name, x in result.items()}
        return result if norm.bias is None else {n: self.sum([x, self._at(norm.bias, n)]) for n, x in result.items()}

    def _at(self, row: Mapping[str, Expression], name: str) -> arb:
        return self._entry(row.get(name, Expression("0")))
