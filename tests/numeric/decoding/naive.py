"""Decoders in exact fractions, each operation rounded where it stands, all steps computed anew for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isqrt

from flint import arb, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import (
    Activation,
    Decoder,
    EncoderDecoder,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    Rows,
)
from weightproof.constructions.scalars.exact import pi_times, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.rounding.arithmetic import correctly_rounded, exponential
from weightproof.numeric.rounding.formats import Format, nearest, rounded

Vector = dict[str, float]


class Naive:
    """names: values of parameters, of n and d."""

    def __init__(self, format: Format, names: Mapping[str, object]) -> None:
        self.format, self.names = format, names

    def at(self, **more: int) -> Naive:
        return Naive(self.format, {**self.names, **{name: fmpq(value) for name, value in more.items()}})

    def entry(self, scalar: Expression) -> float:
        return rounded(evaluate(scalar, self.names), self.format)  # type: ignore[arg-type]

    def row(self, row: Mapping[str, Expression], coordinates: Sequence[str]) -> Vector:
        return {name: self.entry(row[name]) if name in row else 0.0 for name in coordinates}

    def round(self, exact: Fraction) -> float:
        return nearest(exact, self.format)

    def add(self, terms: Iterable[float]) -> float:
        total, *rest = [*terms] or [0.0]
        for term in rest:
            total = self.round(Fraction(total) + Fraction(term))
        return total

    def added(self, a: Vector, b: Mapping[str, float]) -> Vector:
        return {name: self.add([x, b.get(name, 0.0)]) for name, x in a.items()}

    def times(self, a: float, b: float) -> float:
        return self.round(Fraction(a) * Fraction(b))

    def rows(self, rows: Rows, x: Vector) -> Vector:
        weights = {r: {c: self.entry(columns[c]) for c in x if c in columns} for r, columns in rows.items()}
        return {r: self.add(self.times(w, x[c]) for c, w in columns.items() if w) for r, columns in weights.items()}

    def linear(self, linear: Linear, x: Vector) -> Vector:
        result = self.rows(linear.weights, x)
        for row, bias in linear.bias.items():
            result[row] = self.add([result.get(row, 0.0), self.entry(bias)])
        return result

    def look(self, head: Head, x: Vector, seen: Sequence[Vector]) -> Vector:
        query = self.normed(head.query_norm, self.rows(head.W_Q, x))
        keys = [self.normed(head.key_norm, self.rows(head.W_K, y)) for y in seen]
        values, scale = [self.rows(head.W_V, y) for y in seen], self.entry(head.scale)
        scores = [self.times(self.add(self.times(query[q], key.get(q, 0.0)) for q in query), scale) for key in keys]
        scores = [-abs(score) for score in scores] if head.score == "-|dot|" else scores
        if head.normaliser == "softmax":
            powers = [exponential(self.round(Fraction(s) - Fraction(max(scores))), self.format) for s in scores]
        else:
            powers = [float(score == max(scores)) for score in scores]
        total = self.add(powers)
        weights = [self.round(Fraction(p) / Fraction(total)) for p in powers]
        mean = {r: self.add(self.times(w, v[r]) for w, v in zip(weights, values, strict=True)) for r in head.W_V}
        return mean if head.W_O is None else self.rows(head.W_O, mean)

    def behind(self, layer: Layer, stream: Sequence[Vector], memory: Sequence[Vector], causal: bool) -> list[Vector]:
        """A layer over all positions; causal: every head sees no later ones, as in a decoder."""
        result = []
        for i, x in enumerate(stream):
            read = [self.normed(layer.attention_norm_before, each) for each in stream]
            shown = [read[: i + 1] if causal or h.mask == "causal" else read for h in layer.heads]
            found = [self.look(h, read[i], each) for h, each in zip(layer.heads, shown, strict=True)]
            y = self.joined(x, found, layer.attention_residual, layer.attention_norm)
            if layer.cross_heads:
                asks = self.normed(layer.cross_norm_before, y)
                shown = [memory[: i + 1] if h.mask == "causal" else memory for h in layer.cross_heads]
                found = [self.look(h, asks, each) for h, each in zip(layer.cross_heads, shown, strict=True)]
                y = self.joined(y, found, layer.cross_residual, layer.cross_norm)
            if (network := layer.feed_forward) is not None:
                inner = self.normed(layer.feed_forward_norm_before, y)
                opens = self.linear(network.gate or network.first, inner)
                hidden = {h: self.activate(network.activation, v) for h, v in opens.items()}
                if network.gate is not None:
                    hidden = {h: self.times(hidden[h], v) for h, v in self.linear(network.first, inner).items()}
                update = self.linear(network.second, hidden)
                y = self.joined(y, [update], layer.feed_forward_residual, layer.feed_forward_norm)
            result.append(y)
        return result

    def joined(self, x: Vector, updates: Sequence[Vector], residual: bool, norm: Norm | None) -> Vector:
        total = dict.fromkeys(x, 0.0)
        for update in updates:
            total = self.added(total, update)
        return self.normed(norm, self.added(x, total) if residual else total)

    def normed(self, norm: Norm | None, total: Vector) -> Vector:
        if norm is None:
            return total
        size, away = Fraction(len(total)), total
        if isinstance(norm, LayerNorm):
            mean = self.round(Fraction(self.add(total.values())) / size)
            away = {name: self.round(Fraction(value) - Fraction(mean)) for name, value in total.items()}
        square = self.round(Fraction(self.add(self.times(v, v) for v in away.values())) / size)
        root = self.root(self.add([square, self.entry(norm.epsilon)]))
        found = {name: self.round(Fraction(value) / Fraction(root)) for name, value in away.items()}
        if norm.gain is not None:
            found = {name: self.times(x, self.row(norm.gain, [name])[name]) for name, x in found.items()}
        return found if norm.bias is None else self.added(found, self.row(norm.bias, tuple(found)))

    def root(self, x: float) -> float:
        """Of a number below 2^60, correctly rounded: 200 digits behind the point decide, and that more follow."""
        scaled = Fraction(x) * 4**200
        whole = isqrt(scaled.numerator // scaled.denominator)
        return self.round(Fraction(whole, 2**200) + (0 if whole * whole == scaled else Fraction(1, 2**201)))

    def activate(self, activation: Activation, x: float) -> float:
        return {
            "relu": lambda: max(x, 0.0),
            "saturated-linear": lambda: min(max(x, 0.0), 1.0),
            "step": lambda: float(x > 0),
            "square": lambda: self.times(x, x),
            "identity": lambda: x,
            "abs": lambda: abs(x),
            "tanh": lambda: correctly_rounded(arb.tanh, x, self.format),
            "sigmoid": lambda: self.sigmoid(x),
            "silu": lambda: self.times(x, self.sigmoid(x)),
            "gelu": lambda: self.gated(x, arb.erf, self.over(x, rounded(sqrt(fmpq(2)), self.format))),
            "gelu-tanh": lambda: self.gated(x, arb.tanh, self.cubic(x)),
        }[activation]()

    def over(self, x: float, y: float) -> float:
        return self.round(Fraction(x) / Fraction(y))

    def sigmoid(self, x: float) -> float:
        power = exponential(-abs(x), self.format)
        return self.over(1.0 if x >= 0 else power, self.add([1.0, power]))

    def cubic(self, x: float) -> float:
        cube = self.times(self.times(self.times(x, x), x), nearest(Fraction("0.044715"), self.format))
        return self.times(self.add([x, cube]), rounded(sqrt(2 / pi_times(fmpq(1))), self.format))

    def gated(self, x: float, curve: Callable[[arb], arb], at: float) -> float:
        value = self.add([1.0, correctly_rounded(curve, at, self.format)])
        return self.over(self.times(x, value), 2.0)


def outputs(network: EncoderDecoder, word: str, format: Format, steps: int) -> list[Vector]:
    """z_0 ... z_(steps-1)."""
    tokens, encoder = add_markers(network.encoder, word), network.encoder
    inside = Naive(format, {"d": fmpq(len(encoder.coordinates)), "n": fmpq(len(tokens))})
    memory = [
        inside.added(
            inside.row(encoder.embedding.WE[token], encoder.coordinates),
            inside.at(i=i).row(encoder.embedding.PE, encoder.coordinates),
        )
        for i, token in enumerate(tokens)
    ]
    for layer in encoder.layers:
        memory = inside.behind(layer, memory, (), causal=False)
    decoder = Naive(format, {"d": fmpq(len(network.coordinates)), "n": fmpq(len(tokens))})
    before, inputs, found = decoder.row(network.seed, network.coordinates), [], []
    for step in range(steps):
        inputs.append(decoder.added(before, decoder.at(i=step).row(network.PE, network.coordinates)))
        stream = list(inputs)
        for layer in network.layers:
            stream = decoder.behind(layer, stream, memory, causal=True)
        found.append(stream[-1])
        before = decoder.added(dict.fromkeys(network.coordinates, 0.0), decoder.linear(network.feedback, stream[-1]))
    return found


def appended(construction: Construction, word: str, format: Format) -> Iterator[tuple[str, Vector]]:
    """Tokens and outputs, up to the one that stops; for scales and position encodings without n."""
    network = construction.network
    assert isinstance(network, Decoder)
    naive = Naive(format, {**parameter_values(construction), "d": fmpq(len(network.coordinates))})
    tokens = [*([] if network.begin is None else [network.begin]), *word]
    while True:
        stream = [
            naive.added(
                naive.row(network.embedding.WE[token], network.coordinates),
                naive.at(i=i).row(network.embedding.PE, network.coordinates),
            )
            for i, token in enumerate(tokens)
        ]
        for layer in network.layers:
            stream = naive.behind(layer, stream, (), causal=True)
        logits = naive.linear(network.readout.W, naive.normed(network.final_norm, stream[-1]))
        extreme = {"argmax": max, "argmin": min}[network.readout.accept]
        tokens.append(extreme(logits, key=lambda token: logits[token]))
        yield tokens[-1], logits
        if tokens[-1] == network.stop:
            return
