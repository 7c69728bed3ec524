"""The forward pass of an encoder on many words of one length at a time, in enclosures; what they leave open is named.

The same data as the interpreter's, and the same meaning: its tests are against the interpreter, word by word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.interpreter import add_markers, embed
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
)
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.running.enclosures import Enclosed, enclosed, point
from weightproof.proofs.running.weights import Weights, ball, scored

ENCLOSING = Choices("the run in enclosures")
BITS = 160
"""Of the balls from which weights and encodings are rounded."""


@dataclass(frozen=True)
class Outputs:
    """What is read out of each word, an output a column; open: of which words nothing is known."""

    names: tuple[str, ...]
    values: Enclosed
    open: NDArray[np.bool_]


def outputs(network: Encoder, words: Sequence[Sequence[str]], parameters: Mapping[str, Real]) -> Outputs:
    """Of words of one length, markers excluded, not all empty where there is no marker; ArithmeticError where a weight
    has no value at this length, or a position sees nothing."""
    marked = [add_markers(network, word) for word in words]
    names = {**parameters, "n": fmpq(len(marked[0])), "d": fmpq(len(network.coordinates))}
    with ctx.workprec(BITS), np.errstate(all="ignore"):
        return _Pass(network, names, np.zeros(len(words), dtype=np.bool_)).of(marked)


@dataclass
class _Pass:
    """lost: the words of which some number is not enclosed."""

    network: Encoder
    names: Mapping[str, Real]
    lost: NDArray[np.bool_]
    weights: Weights = field(init=False)

    def __post_init__(self) -> None:
        self.weights = Weights(in_balls(self.names))

    def of(self, marked: Sequence[tuple[str, ...]]) -> Outputs:
        readout, count = self.network.readout, len(marked[0])
        stream = self._embedded(marked)
        match readout.position:
            case "first":
                read = slice(0, 1)
            case "last":
                read = slice(count - 1, count)
            case "sum" | "mean":
                read = slice(0, count)
            case other:
                assert_never(other)
        if not self.network.layers:
            stream = stream[:, read]
        for number, layer in enumerate(self.network.layers, start=1):
            is_last = number == len(self.network.layers)
            stream = self._kept(self._layer(layer, stream, read if is_last else slice(0, count)))
        stream = self._kept(self._normalised(self.network.final_norm, stream))
        names, values = self._affine(readout.W, self.network.coordinates, stream)
        values = self._kept(values).sum(1)
        values = values * enclosed([fmpq(1, count)], ()) if readout.position == "mean" else values
        return Outputs(names, values, self.lost)

    def _embedded(self, marked: Sequence[tuple[str, ...]]) -> Enclosed:
        """Each token at each position is embedded once."""
        tokens = list(dict.fromkeys(token for word in marked for token in word))
        count, width = len(marked[0]), len(self.network.coordinates)
        numbers_of = [
            value
            for token in tokens
            for place in range(count)
            for value in embed(self.network, token, in_balls({**self.names, "i": fmpq(place)})).values()
        ]
        table = enclosed(map(ball, numbers_of), (len(tokens), count, width))
        number = {token: k for k, token in enumerate(tokens)}
        return table[np.array([[number[token] for token in word] for word in marked]), np.arange(count)]

    def _layer(self, layer: Layer, stream: Enclosed, rows: slice) -> Enclosed:
        """What is behind a layer at some positions."""
        before = stream[:, rows]
        middle: Enclosed | None = before if layer.attention_residual else None
        read = self._normalised(layer.attention_norm_before, stream)
        for head in layer.heads:
            middle = _plus(middle, self._attended(head, read, rows))
        middle = self._normalised(layer.attention_norm, _zeros_like(before) if middle is None else middle)
        if layer.feed_forward is None:
            return middle
        added = self._fed_forward(layer.feed_forward, self._normalised(layer.feed_forward_norm_before, middle))
        return self._normalised(layer.feed_forward_norm, middle + added if layer.feed_forward_residual else added)

    def _attended(self, head: Head, stream: Enclosed, rows: slice) -> Enclosed:
        values = stream @ self.weights.matrix(head.W_V, tuple(head.W_V), self.network.coordinates).transposed
        if head.W_O is not None:
            values = values @ self.weights.matrix(head.W_O, tuple(head.W_O), tuple(head.W_V)).transposed
        weights = self._weights(head, stream, rows)
        return self._placed(weights @ values, tuple(head.W_V if head.W_O is None else head.W_O))

    def _weights(self, head: Head, stream: Enclosed, rows: slice) -> Enclosed:
        """Of the positions that each row sees."""
        count = stream.middle.shape[1]
        shared = scored(head)
        W_Q, W_K = (self.weights.matrix(each, shared, self.network.coordinates) for each in (head.W_Q, head.W_K))
        queries = self._normalised(head.query_norm, stream @ W_Q.transposed, shared)
        keys = self._normalised(head.key_norm, stream @ W_K.transposed, shared)
        queries, keys = self._turned(head, queries, shared)[:, rows], self._turned(head, keys, shared)
        scores = queries @ keys.transposed
        match head.score:
            case "dot":
                pass
            case "-|dot|":
                scores = -scores.size()
            case other:
                assert_never(other)
        seen, scale = self._seen(head, count), self.weights.number(head.scale)
        scaled = scores * scale
        if head.bias is not None:
            scaled = scaled + self._biases(head.bias, seen)[rows]
        if (side := ENCLOSING.side(head.normaliser)) is None:
            return self._softmax(scaled, seen[rows], head.sink)
        return self._hardmax(scores if scale.positive and head.bias is None else scaled, seen[rows], side)

    def _seen(self, head: Head, count: int) -> NDArray[np.bool_]:
        """Which positions each position sees; ArithmeticError where one sees nothing, and so has no value."""
        match head.mask:
            case "none":
                seen = np.ones((count, count), dtype=np.bool_)
            case "causal":
                seen = np.tri(count, dtype=np.bool_)
            case "strictly-causal":
                seen = np.tri(count, k=-1, dtype=np.bool_)
            case "future":
                seen = np.tri(count, dtype=np.bool_).T
            case "strictly-future":
                seen = np.tri(count, k=-1, dtype=np.bool_).T
            case none:
                assert_never(none)
        if (sees := head.sees) is not None:
            scalars = self.weights.scalars
            seen = seen & np.array([[scalars.at(i=i, j=j).holds(sees) for j in range(count)] for i in range(count)])
        if not head.may_see_nothing and not seen.any(-1).all():
            raise ArithmeticError("a position sees nothing")
        return seen

    def _biases(self, bias: Expression, seen: NDArray[np.bool_]) -> Enclosed:
        """Of all positions that see another one, and 0 elsewhere."""
        at = self.weights.scalars.at
        return enclosed([ball(at(i=i, j=j)(bias)) if s else fmpq(0) for (i, j), s in np.ndenumerate(seen)], seen.shape)

    def _turned(self, head: Head, x: Enclosed, names: tuple[str, ...]) -> Enclosed:
        """Queries or keys of all positions, turned by the angles there: of a pair (x, y), each times a cosine, and the
        other times a sine."""
        if not head.rotary:
            return x
        count, other = x.middle.shape[1], [*range(len(names))]
        own, across = ([[fmpq(k)] * len(names) for _ in range(count)] for k in (1, 0))
        for pair in head.rotary:
            first, second = names.index(pair.first), names.index(pair.second)
            other[first], other[second] = second, first
            for place in range(count):
                scalars = self.weights.scalars.at(i=place)
                cosine, sine = ball(scalars(pair.cosine)), ball(scalars(pair.sine))
                own[place][first] = own[place][second] = cosine
                across[place][first], across[place][second] = -sine, sine
        tables = (enclosed([each for row in rows for each in row], (count, len(names))) for rows in (own, across))
        cosines, sines = tables
        return x * cosines + x[..., other] * sines

    def _softmax(self, scores: Enclosed, seen: NDArray[np.bool_], sink: Expression | None) -> Enclosed:
        """The same number less in each score of a row changes no weight; the sink is one more, which is always seen."""
        if sink is not None:
            last, shape = self.weights.number(sink), (*scores.middle.shape[:-1], 1)
            scores = Enclosed(
                np.concatenate([scores.middle, np.broadcast_to(last.middle, shape)], -1),
                np.concatenate([scores.radius, np.broadcast_to(last.radius, shape)], -1),
            )
            seen = np.concatenate([seen, np.ones((len(seen), 1), dtype=np.bool_)], 1)
            return self._softmax(scores, seen, None)[..., :-1]
        greatest = np.where(seen, scores.middle, -np.inf).max(-1, keepdims=True)
        powers = (scores - point(greatest)).exp()
        powers = Enclosed(np.where(seen, powers.middle, 0.0), np.where(seen, powers.radius, 0.0))
        total = powers.sum(-1)
        return self._kept(powers / total[..., None])

    def _hardmax(self, scores: Enclosed, seen: NDArray[np.bool_], side: int) -> Enclosed:
        """Open where the greatest scores are neither told apart nor known to be equal. side: 0 where all of these have
        weight, -1 where the first one has, 1 where the last one has."""
        least = np.where(seen, scores.middle - scores.radius * 2, -np.inf).max(-1, keepdims=True)
        best = seen & (scores.middle + scores.radius * 2 >= least)
        greatest = np.where(best, scores.middle, -np.inf).max(-1, keepdims=True)
        equal = ((scores.middle == greatest) & (scores.radius == 0)) | ~best
        is_known = equal.all(-1) | (best.sum(-1) == 1)
        self.lost |= ~is_known.all(-1) | ~(scores.known | ~seen).all((-1, -2))
        if side:
            return point(_outermost(best, side).astype(np.float64))
        weights = point(best.astype(np.float64))
        return weights / weights.sum(-1)[..., None]

    def _fed_forward(self, network: FeedForward, stream: Enclosed) -> Enclosed:
        units, values = self._affine(network.first, self.network.coordinates, stream)
        if network.gate is None:
            hidden = self._activated(network.activation, self._kept(values))
        else:
            rows = Linear({unit: network.gate.weights.get(unit, {}) for unit in units}, network.gate.bias)
            _, gates = self._affine(rows, self.network.coordinates, stream)
            hidden = self._activated(network.activation, self._kept(gates)) * self._kept(values)
        names, added = self._affine(network.second, units, hidden)
        return self._placed(added, names)

    def _activated(self, activation: Activation, x: Enclosed) -> Enclosed:
        match activation:
            case "relu":
                return x.clipped(0.0, np.inf)
            case "saturated-linear":
                return x.clipped(0.0, 1.0)
            case "step":
                not_positive = x.negative | x.zero
                self.lost |= ~(x.positive | not_positive).all((-1, -2))
                return point(x.positive.astype(np.float64))
            case "square":
                return x * x
            case "identity":
                return x
            case "abs":
                return x.size()
            case "tanh":
                return x.tanh()
            case "sigmoid":
                return x.sigmoid()
            case "silu":
                return x.silu()
            case "gelu":
                return x.gelu()
            case "gelu-tanh":
                return x.gelu_tanh()
            case other:
                assert_never(other)

    def _normalised(self, norm: Norm | None, x: Enclosed, names: tuple[str, ...] | None = None) -> Enclosed:
        """names: of the coordinates, where they are not those of the stream."""
        width = enclosed([fmpq(x.middle.shape[-1])], ())
        match norm:
            case None:
                return x
            case LayerNorm():
                away = x - (x.sum(-1) / width)[..., None]
            case RootMeanSquare():
                away = x
            case other:
                assert_never(other)
        square = (away * away).sum(-1) / width + self.weights.number(norm.epsilon)
        result = self._kept(away / square.root()[..., None])
        order = self.network.coordinates if names is None else names
        if norm.gain is not None:
            result = result * self.weights.row(norm.gain, order)
        return result if norm.bias is None else result + self.weights.row(norm.bias, order)

    def _kept(self, x: Enclosed) -> Enclosed:
        self.lost |= ~x.known.all((-1, -2))
        return x

    def _affine(self, linear: Linear, columns: tuple[str, ...], x: Enclosed) -> tuple[tuple[str, ...], Enclosed]:
        """What a linear map with bias makes of vectors, with the names of its rows."""
        matrix, added = self.weights.linear(linear, columns)
        return linear.rows, x @ matrix.transposed + added

    def _placed(self, x: Enclosed, names: tuple[str, ...]) -> Enclosed:
        """Values of named coordinates as vectors of the stream."""
        shape = (*x.middle.shape[:-1], len(self.network.coordinates))
        middle, radius = np.zeros(shape), np.zeros(shape)
        places = [self.network.coordinates.index(name) for name in names]
        middle[..., places], radius[..., places] = x.middle, x.radius
        return Enclosed(middle, radius)


def _plus(total: Enclosed | None, more: Enclosed) -> Enclosed:
    return more if total is None else total + more


def _outermost(some: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """Of what is true along the last axis the first one, side -1, or the last one, side 1."""
    if side > 0:
        return _outermost(some[..., ::-1], -1)[..., ::-1]
    return some & (some.cumsum(-1) == 1)


def _zeros_like(x: Enclosed) -> Enclosed:
    return point(np.zeros_like(x.middle))
