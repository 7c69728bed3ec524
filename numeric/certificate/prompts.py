"""How far the outputs that a decoder computes may be off, behind all words of a form: at each position one of some
tokens, whatever stands at the others.

The forward pass once for each position and token there, in `rounding.computed` numbers: of what heads make of other
positions, the exact numbers of all words lie in a ball together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import (
    Decoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    RootMeanSquare,
    Rows,
)
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.bound import PRECISION
from weightproof.numeric.rounding.computed import NOTHING, Computed, Operations, either
from weightproof.numeric.rounding.formats import format_named
from weightproof.numeric.rounding.model import RoundingModel

Vector = dict[str, Computed]
ByToken = Mapping[str, Vector]
"""By the token that stands at a position."""


def outputs(
    construction: Construction, choices: Sequence[Sequence[str]], first: int, dtype: str, is_strict: bool
) -> Iterator[ByToken]:
    """At each position from `first` on, by the token there, the outputs as `DecoderTransformer` computes them in
    `dtype`.

    choices: by position, the marker among them, the tokens that may stand there. is_strict: by strict attention, and
    else by explicit attention, too. InputError for what has no bound on rounding.
    """
    network = construction.network
    if not isinstance(network, Decoder):
        raise InputError(f"{construction.name}: only decoders have prompts")
    if network.table is not None or network.arithmetic is not None:
        raise InputError(
            f"{construction.name}: a decoder with a table, or with an arithmetic, has no bound on rounding"
        )
    parameters = parameter_values(construction, {})
    reading = _Pass(network, parameters, Operations(RoundingModel(format_named(dtype)), is_strict))
    for i, tokens in enumerate(choices):
        with ctx.workprec(PRECISION):
            found = reading.at(i, tokens, i >= first)
        if i >= first:
            yield found


@dataclass(frozen=True)
class Seen:
    """What a head sees at a position."""

    keys: ByToken
    values: ByToken


@dataclass
class _Pass:
    """seen: what each head has seen so far, by layer and head. names: at the position that is read."""

    network: Decoder
    parameters: Environment
    of: Operations
    seen: list[list[list[Seen]]] = field(init=False)
    names: Environment = field(default_factory=dict)
    _entries: dict[tuple[object, ...], Computed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seen = [[[] for _ in layer.heads] for layer in self.network.layers]

    def at(self, i: int, tokens: Sequence[str], is_read: bool) -> ByToken:
        """The outputs at the next position; none where it is not read."""
        self.names = {**self.parameters, "d": fmpq(len(self.network.coordinates)), "i": fmpq(i), "n": fmpq(i + 1)}
        stream: ByToken = {token: self._embedded(token) for token in tokens}
        for number, (layer, seen) in enumerate(zip(self.network.layers, self.seen, strict=True), start=1):
            is_last = number == len(self.network.layers)
            stream = self._layer(layer, seen, stream, i, is_read or not is_last)
        if not is_read:
            return {}
        read = {token: self._normed(self.network.final_norm, vector) for token, vector in stream.items()}
        return {token: self._linear(self.network.readout.W, vector) for token, vector in read.items()}

    def _entry(self, scalar: Expression, **places: int) -> Computed:
        names = {**self.names, **{name: fmpq(place) for name, place in places.items()}}
        known = scalar.source, *(names[name] for name in sorted(scalar.names))
        if known not in self._entries:
            self._entries[known] = self.of.entry(ball(evaluate(scalar, names), PRECISION))
        return self._entries[known]

    def _of_row(self, row: Mapping[str, Expression], name: str) -> Computed:
        return self._entry(row[name]) if name in row else NOTHING

    def _embedded(self, token: str) -> Vector:
        word, position = self.network.embedding.WE.get(token, {}), self.network.embedding.PE
        return {
            name: self.of.total([self._of_row(word, name), self._of_row(position, name)])
            for name in self.network.coordinates
        }

    def _rows(self, rows: Rows, vector: Vector) -> Vector:
        return {
            row: self.of.dot([self._entry(weight) for weight in columns.values()], [vector[name] for name in columns])
            for row, columns in rows.items()
        }

    def _linear(self, linear: Linear, vector: Vector) -> Vector:
        products = self._rows(linear.weights, vector)
        return {row: self.of.total([products.get(row, NOTHING), self._of_row(linear.bias, row)]) for row in linear.rows}

    def _normed(self, norm: Norm | None, vector: Vector) -> Vector:
        """No coordinate of what is normalised is greater than the root of their number."""
        if norm is None:
            return vector
        of, size = self.of, Computed(arb(len(vector)))
        match norm:
            case LayerNorm():
                total = of.total([*vector.values()])
                mean = of.quotient(total, size, abs(total.exact).upper())
                away = {name: of.total([x, -mean]) for name, x in vector.items()}
            case RootMeanSquare():
                away = vector
            case other:
                assert_never(other)
        total = of.total([of.square(x) for x in away.values()])
        square = of.total([of.quotient(total, size, abs(total.exact).upper()), self._entry(norm.epsilon)])
        deviation, most = of.root(square), arb(len(vector)).sqrt().upper()
        result = {name: of.quotient(x, deviation, most) for name, x in away.items()}
        if norm.gain is not None:
            result = {name: of.product(x, self._of_row(norm.gain, name)) for name, x in result.items()}
        if norm.bias is not None:
            result = {name: of.total([x, self._of_row(norm.bias, name)]) for name, x in result.items()}
        return result

    def _layer(self, layer: Layer, seen: Sequence[list[Seen]], stream: ByToken, i: int, is_read: bool) -> ByToken:
        """What is behind the layer, where that is read; its heads see the position from now on."""
        read = {token: self._normed(layer.attention_norm_before, vector) for token, vector in stream.items()}
        for head, before in zip(layer.heads, seen, strict=True):
            before.append(
                Seen(
                    {token: self._key(head, vector, i) for token, vector in read.items()},
                    {token: self._rows(head.W_V, vector) for token, vector in read.items()},
                )
            )
        if not is_read:
            return {}
        return {token: self._behind(layer, seen, vector, read[token], token, i) for token, vector in stream.items()}

    def _behind(
        self, layer: Layer, seen: Sequence[list[Seen]], vector: Vector, read: Vector, token: str, i: int
    ) -> Vector:
        added = [self._attended(head, before, read, token, i) for head, before in zip(layer.heads, seen, strict=True)]
        middle = self._normed(layer.attention_norm, self._joined(vector, added, layer.attention_residual))
        if (network := layer.feed_forward) is None:
            return middle
        update = self._fed_forward(network, self._normed(layer.feed_forward_norm_before, middle))
        return self._normed(layer.feed_forward_norm, self._joined(middle, [update], layer.feed_forward_residual))

    def _joined(self, vector: Vector, updates: Sequence[Vector], residual: bool) -> Vector:
        """The updates are added up, and then to the vector."""
        added = {name: self.of.total([update.get(name, NOTHING) for update in updates]) for name in vector}
        return {name: self.of.total([vector[name], x]) for name, x in added.items()} if residual else added

    def _fed_forward(self, network: FeedForward, vector: Vector) -> Vector:
        values = self._linear(network.first, vector)
        gates = values if network.gate is None else self._linear(network.gate, vector)
        hidden = {unit: self.of.activated(network.activation, gates[unit]) for unit in values}
        if network.gate is not None:
            hidden = {unit: self.of.product(opened, values[unit]) for unit, opened in hidden.items()}
        return self._linear(network.second, hidden)

    def _attended(self, head: Head, seen: Sequence[Seen], read: Vector, token: str, i: int) -> Vector:
        if not BOUND.is_soft(head.normaliser):
            raise InputError("a mean over the greatest scores has no bound on rounding for all words of a form")
        BOUND.is_causal(head.mask)  # either mask shows a decoder what there is
        query = self._turned(head, self._normed(head.query_norm, self._rows(head.W_Q, read)), i)
        scores, values = list[Computed](), list[Vector]()
        for j, there in enumerate(seen):
            if head.sees is not None and self._entry(head.sees, i=i, j=j).is_zero:
                continue
            tokens = [token] if j == i else [*there.keys]
            scores.append(either([self._score(head, query, there.keys[each], i, j) for each in tokens]))
            values.append({row: either([there.values[each][row] for each in tokens]) for row in head.W_V})
        if head.sink is not None:
            scores.append(self._entry(head.sink))
            values.append(dict.fromkeys(head.W_V, NOTHING))
        means = self.of.mean(scores, [[value[row] for value in values] for row in head.W_V])
        mean = dict(zip(head.W_V, means, strict=True))
        return mean if head.W_O is None else self._rows(head.W_O, mean)

    def _key(self, head: Head, vector: Vector, j: int) -> Vector:
        return self._turned(head, self._normed(head.key_norm, self._rows(head.W_K, vector)), j)

    def _turned(self, head: Head, vector: Vector, position: int) -> Vector:
        result, of = dict(vector), self.of
        for pair in head.rotary:
            cosine, sine = (self._entry(wave, i=position) for wave in (pair.cosine, pair.sine))
            x, y = vector[pair.first], vector[pair.second]
            result[pair.first] = of.total([of.product(x, cosine), -of.product(y, sine)])
            result[pair.second] = of.total([of.product(x, sine), of.product(y, cosine)])
        return result

    def _score(self, head: Head, query: Vector, key: Vector, i: int, j: int) -> Computed:
        names = [name for name in query if name in key]
        score = self.of.dot([query[name] for name in names], [key[name] for name in names])
        score = Computed(-abs(score.exact), score.error) if BOUND.is_less_size(head.score) else score
        scaled = self.of.product(score, self._entry(head.scale))
        return scaled if head.bias is None else self.of.total([scaled, self._entry(head.bias, i=i, j=j)])
