"""The forward pass with every elementary operation rounded to the format, and sums from left to right.

The same on every machine, bit for bit: numpy's float64 operations are correctly rounded, and rounding their results
again to a format of precision p is the same as rounding once for +, -, *, / and square roots, because 53 >= 2p + 2
(Figueroa 1995). exp is rounded correctly from balls. Sums run over coordinates in the order of the residual stream and
over positions from 0; terms with a weight of exactly 0 are left out, as they change nothing.

The residual stream of words of one length is an array [words, n] of float64 for each coordinate, its values numbers of
the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from constructions.exact import evaluate
from constructions.expressions import Expression
from constructions.interpreter import Names
from constructions.schema import Activation, Encoder, FeedForward, Head, Layer, LayerNorm, Linear, Rows
from numeric.rounding import Format, nearest, over_positions, quantised, rounded

Array = np.ndarray
Stream = dict[str, Array]


class Strict:
    """Strict arithmetic in one format, with the exact values of the parameters and of d."""

    def __init__(self, format: Format, names: Names) -> None:
        self.format, self.names = format, names
        self._exponentials: dict[float, float] = {}

    def logits(self, network: Encoder, tokens: Sequence[str], ids: Array) -> Array:
        """The logits of words given as token ids [words, n], ids counting `tokens`: float64, shape [words]."""
        names = {**self.names, "n": fmpq(ids.shape[1])}
        with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
            stream = self._embed(network, tokens, ids, names)
            for layer in network.layers:
                stream = self._layer(layer, stream, names)
            read = {"first": slice(0, 1), "last": slice(-1, None), "sum": slice(None)}[network.readout.position]
            outputs = self._linear(network.readout.W, {name: x[:, read] for name, x in stream.items()}, names)
            return self._running(outputs["logit"])[:, -1]

    def _round(self, values: Array) -> Array:
        return quantised(values, self.format)[0]

    def _entry(self, scalar: Expression, names: Names) -> float:
        return rounded(evaluate(scalar, names), self.format)

    def _embed(self, network: Encoder, tokens: Sequence[str], ids: Array, names: Names) -> Stream:
        result = {}
        for coordinate in network.coordinates:
            column = [network.embedding.WE.get(token, {}).get(coordinate) for token in tokens]
            values = np.array([0.0 if x is None else self._entry(x, names) for x in column])[ids]
            if coordinate in network.embedding.PE:
                PE = over_positions(network.embedding.PE[coordinate], self.names, ids.shape[1], self.format)
                values = self._round(values + PE)
            result[coordinate] = values
        return result

    def _sum(self, terms: Iterable[Array], like: Array) -> Array:
        """From left to right."""
        total = None
        for term in terms:
            total = term if total is None else self._round(total + term)
        return np.zeros_like(like) if total is None else total

    def _rows(self, rows: Rows, stream: Mapping[str, Array], names: Names) -> Stream:
        like = next(iter(stream.values()))
        result = {}
        for row, columns in rows.items():
            weights = {column: self._entry(columns[column], names) for column in stream if column in columns}
            terms = (self._round(w * stream[column]) for column, w in weights.items() if w != 0)
            result[row] = self._sum(terms, like)
        return result

    def _linear(self, linear: Linear, stream: Mapping[str, Array], names: Names) -> Stream:
        result = self._rows(linear.weights, stream, names)
        for row, value in linear.bias.items():
            bias = np.full_like(next(iter(stream.values())), self._entry(value, names))
            result[row] = self._round(result[row] + bias) if row in result else bias
        return result

    def _layer(self, layer: Layer, stream: Stream, names: Names) -> Stream:
        added = [self._attend(head, stream, names) for head in layer.heads]
        middle = {}
        for name, x in stream.items():
            attended = self._sum((rows[name] for rows in added if name in rows), x)
            middle[name] = self._round(x + attended) if layer.attention_residual else attended
        middle = self._norm(layer.attention_norm, middle, names)
        if layer.feed_forward is None:
            return middle
        update = self._feed_forward(layer.feed_forward, middle, names)
        zero = np.zeros_like(next(iter(middle.values())))
        total = {name: update.get(name, zero) for name in middle}
        if layer.feed_forward_residual:
            total = {name: self._round(middle[name] + total[name]) for name in middle}
        return self._norm(layer.feed_forward_norm, total, names)

    def _feed_forward(self, network: FeedForward, stream: Stream, names: Names) -> Stream:
        hidden = self._linear(network.first, stream, names)
        return self._linear(
            network.second, {h: self._activate(network.activation, x) for h, x in hidden.items()}, names
        )

    def _activate(self, activation: Activation, x: Array) -> Array:
        match activation:
            case "relu":
                return np.maximum(x, 0.0)
            case "saturated-linear":
                return np.clip(x, 0.0, 1.0)
            case "step":
                return (x > 0).astype(np.float64)
        return self._round(x * x)

    def _attend(self, head: Head, stream: Stream, names: Names) -> Stream:
        """Every distinct query of a word once; its weights, and the products with the values from left to right."""
        queries, keys = self._rows(head.W_Q, stream, names), self._rows(head.W_K, stream, names)
        values = self._rows(head.W_V, stream, names)
        scale = self._entry(head.scale, names)
        words, n = next(iter(stream.values())).shape
        causal = head.mask == "causal"
        result = {row: np.empty((words, n)) for row in values}
        known: dict[bytes, dict[str, Array]] = {}
        for i in range(n):
            query = {name: x[:, i : i + 1] for name, x in queries.items()}
            same = b"".join(x.tobytes() for x in query.values())
            if same not in known:
                products = (self._round(query[name] * keys[name]) for name in query)
                scores = self._round(self._sum(products, next(iter(stream.values()))) * scale)
                known = {same: self._means(head, -abs(scores) if head.score == "-|dot|" else scores, values, causal)}
            for row, mean in known[same].items():
                result[row][:, i] = mean[:, i] if causal else mean[:, -1]
        return result if head.W_O is None else self._rows(head.W_O, result, names)

    def _means(self, head: Head, scores: Array, values: Stream, causal: bool) -> dict[str, Array]:
        """Weighted means over the positions up to each one (causal), or over all of them in the last column."""
        stops = range(1, scores.shape[1] + 1) if causal else [scores.shape[1]]
        result = {row: np.empty((len(scores), len(stops))) for row in values}
        for column, stop in enumerate(stops):
            seen = scores[:, :stop]
            best = seen.max(1, keepdims=True)
            if head.normaliser == "softmax":
                powers = self._exp(self._round(seen - best))
            else:
                powers = (seen == best).astype(np.float64)
            weights = self._round(powers / self._running(powers)[:, -1:])
            for row, x in values.items():
                result[row][:, column] = self._running(self._round(weights * x[:, :stop]))[:, -1]
        return result

    def _running(self, terms: Array) -> Array:
        """Partial sums along the positions, each addition rounded."""
        if self.format.precision == 53:
            return np.add.accumulate(terms, axis=1)
        result = terms.copy()
        for i in range(1, terms.shape[1]):
            result[:, i] = self._round(result[:, i - 1] + terms[:, i])
        return result

    def _exp(self, values: Array) -> Array:
        distinct, which = np.unique(values, return_inverse=True)
        return np.array([self._exponential(float(x)) for x in distinct])[which].reshape(values.shape)

    def _exponential(self, x: float) -> float:
        """e^x for x <= 0, correctly rounded."""
        if x not in self._exponentials:
            self._exponentials[x] = _exponential(x, self.format)
        return self._exponentials[x]

    def _norm(self, norm: LayerNorm | None, stream: Stream, names: Names) -> Stream:
        if norm is None:
            return stream
        like, size = next(iter(stream.values())), len(stream)
        mean = self._round(self._sum(stream.values(), like) / size)
        centred = {name: self._round(x - mean) for name, x in stream.items()}
        variance = self._round(self._sum((self._round(x * x) for x in centred.values()), like) / size)
        deviation = self._round(np.sqrt(self._round(variance + self._entry(norm.epsilon, names))))
        return {name: self._round(x / deviation) for name, x in centred.items()}


def _exponential(x: float, format: Format) -> float:
    if x == 0 or x != x:
        return 1.0 if x == 0 else x
    if x < -2000:  # below half the least positive number of every format
        return 0.0
    before = ctx.prec
    try:
        for bits in (128, 256, 512, 1024, 4096):
            ctx.prec = bits
            enclosed = arb(x).exp()
            middle, radius = (_fraction(part) for part in (enclosed.mid(), enclosed.rad()))
            low, high = nearest(middle - radius, format), nearest(middle + radius, format)
            if low == high:
                return low
    finally:
        ctx.prec = before
    raise ArithmeticError(f"exp({x}) lies too close to the middle of two {format.name} numbers")


def _fraction(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
