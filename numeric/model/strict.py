"""The forward pass one operation after the other, sums from left to right, in an arithmetic of choice.

In `Rounded` arithmetic it is the reference of every measurement: the same on every machine, bit for bit. In `Exact`
arithmetic it is what the rounded one is compared with. Sums run over coordinates in the order of the residual stream
and over positions from 0; terms with a weight of exactly 0 are left out, as they change nothing.

The residual stream of words of one length is an array [words, positions] for each coordinate. Positions are taken in
pieces, and only where something reads them, so that words of many millions of symbols fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import refuse_foreign
from weightproof.constructions.meaning.interpreter import CONSTANT, Environment, NoValue, add_markers
from weightproof.constructions.meaning.schema import (
    Activation,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric import STRICT
from weightproof.numeric.rounding.arithmetic import Arithmetic, Array, Exact

Stream = dict[str, Array]

PIECE = 1 << 19
"""Elements of an array, so that a few of them stay in the cache."""


def strict_outputs(
    network: Encoder, tokens: Sequence[str], ids: Array, arithmetic: Arithmetic, names: Environment
) -> Array:
    """The outputs [words, rows] of words given as token ids [words, n], ids counting `tokens`; names: parameters, n
    and d."""
    words, n = ids.shape
    size = max(1, PIECE // n)
    blocks = (Pass(network, tokens, ids[start : start + size], arithmetic, names) for start in range(0, words, size))
    return np.concatenate([np.stack([*block.outputs().values()], 1) for block in blocks])


class Pass:
    """One forward pass over words of one length."""

    def __init__(
        self, network: Encoder, tokens: Sequence[str], ids: Array, arithmetic: Arithmetic, names: Environment
    ) -> None:
        self.network, self.tokens, self.ids = network, tokens, ids
        self.arithmetic, self.names = arithmetic, names
        self.words, self.n = ids.shape
        self.piece = self.n if network.causal else max(1, PIECE // self.words)
        self.stages = 2 * len(network.layers)
        self.attended = max((2 * number for number, layer in enumerate(network.layers) if layer.heads), default=0)
        self._streams: dict[tuple[int, int, int], Stream] = {}
        self._means: dict[tuple[object, ...], Stream] = {}
        self.denominators: dict[tuple[int, int], Any] = {}
        """Of the softmax of the first word, by layer and head, counted from 1; the last one that was computed."""

    def logits(self) -> Array:
        """Shape [words]."""
        return self.outputs()["logit"]

    def outputs(self) -> Stream:
        """Every row of the readout, each of shape [words]."""
        totals: Stream = {}
        with np.errstate(all="ignore"):  # overflow and underflow are part of what is measured
            pieces: dict[str, Iterable[tuple[int, int]]] = {
                "first": [(0, 1)],
                "last": [(self.n - 1, self.n)],
                "sum": self._pieces(self.n),
            }
            for start, stop in STRICT.of("readout position", self.network.readout.position, pieces):
                read = self._linear(self.network.readout.W, self.stream(self.stages, start, stop))
                totals = {row: self._more(totals.get(row), terms) for row, terms in read.items()}
        return {row: total[:, 0] for row, total in totals.items()}

    def accepts(self) -> bool:
        """The decision on the first word, by the sign of its logit."""
        logit = self.logits()[:1]
        positive = bool(self.arithmetic.positive(logit)[0])
        if STRICT.accepts_above(self.network.readout.accept):
            return positive
        return not positive and not bool(self.arithmetic.positive(-logit)[0]) and logit[0] == logit[0]

    def _pieces(self, stop: int) -> Iterator[tuple[int, int]]:
        for start in range(0, stop, self.piece):
            yield start, min(start + self.piece, stop)

    def stream(self, stage: int, start: int, stop: int) -> Stream:
        """The residual stream at the positions from start to stop, after a stage.

        Stage 0 is the embedding; 1, 2, ... are attention and feed-forward network of the first layer, and so on.
        """
        place = stage, start, stop
        if place in self._streams:
            return self._streams[place]
        whole = (start, stop) == (0, self.n)
        if not whole and stage <= self.attended and self.piece >= self.n:
            return {name: x[:, start:stop] for name, x in self.stream(stage, 0, self.n).items()}
        computed = self._stage(stage, start, stop)
        if whole:
            self._streams[place] = computed
        return computed

    def _stage(self, stage: int, start: int, stop: int) -> Stream:
        if stage == 0:
            return self._embed(start, stop)
        before, layer = self.stream(stage - 1, start, stop), self.network.layers[(stage - 1) // 2]
        if stage % 2 == 1:
            return self._attention(layer, before, self.added(stage, start, stop))
        return before if layer.feed_forward is None else self._fed_forward(layer, layer.feed_forward, before)

    def resumed(self, stage: int, start: int, stop: int, stream: Stream) -> Pass:
        """A pass with a given stream after a stage, from which what comes later is computed."""
        result = Pass(self.network, self.tokens, self.ids, self.arithmetic, self.names)
        result.piece = self.piece
        result._streams[stage, start, stop] = stream
        return result

    def seen(self, stage: int) -> tuple[int, int]:
        """The positions of a stage's stream that what comes later can see."""
        if stage <= self.attended:
            return 0, self.n
        seen = {"first": (0, 1), "last": (self.n - 1, self.n), "sum": (0, self.n)}
        return STRICT.of("readout position", self.network.readout.position, seen)

    def _entry(self, scalar: Expression) -> object:
        return self.arithmetic.entry(scalar, self.names)

    def _embed(self, start: int, stop: int) -> Stream:
        embedding, ids = self.network.embedding, self.ids[:, start:stop]
        result = {}
        for coordinate in self.network.coordinates:
            column = self.arithmetic.zeros((len(self.tokens),))
            for number, token in enumerate(self.tokens):
                if coordinate in embedding.WE.get(token, {}):
                    column[number] = self._entry(embedding.WE[token][coordinate])
            values = column.take(ids)
            if coordinate in embedding.PE:
                values = values + self.arithmetic.positions(embedding.PE[coordinate], self.names, start, stop)
            result[coordinate] = values
        return result

    def _sum(self, terms: Iterable[Array], like: Array) -> Array:
        """From left to right."""
        total = None
        for term in terms:
            total = term if total is None else total + term
        return self.arithmetic.zeros(like.shape) if total is None else total

    def _total(self, pieces: Iterable[Array]) -> Array:
        """The sums along the positions, from left to right, shape [words, 1]."""
        total = None
        for terms in pieces:
            total = self._more(total, terms)
        assert total is not None
        return total

    def _more(self, total: Array | None, terms: Array) -> Array:
        if total is not None:
            terms = np.concatenate([total, terms], axis=1)
        return np.add.accumulate(terms, axis=1)[:, -1:].copy()  # of a view, all that it is part of would be kept

    def _rows(self, rows: Rows, stream: Mapping[str, Array]) -> Stream:
        like = next(iter(stream.values()))
        result = {}
        for row, columns in rows.items():
            weights = {column: self._entry(columns[column]) for column in stream if column in columns}
            result[row] = self._sum((stream[column] * w for column, w in weights.items() if w != 0), like)
        return result

    def _linear(self, linear: Linear, stream: Mapping[str, Array]) -> Stream:
        result = self._rows(linear.weights, stream)
        for row, value in linear.bias.items():
            zeros = self.arithmetic.zeros(next(iter(stream.values())).shape)
            result[row] = result.get(row, zeros) + self._entry(value)
        return result

    def added(self, stage: int, start: int, stop: int) -> list[Stream]:
        """What each head of an attention stage adds."""
        stream = self.stream(stage - 1, start, stop)
        heads = self.network.layers[(stage - 1) // 2].heads
        return [self._attend(stage, head, number, stream, start) for number, head in enumerate(heads)]

    def values(self, stage: int, head: Head) -> Stream:
        """What a head averages, at all positions; stage: the one before its attention."""
        return self._rows(head.W_V, self.stream(stage, 0, self.n))

    def _attention(self, layer: Layer, stream: Stream, added: list[Stream]) -> Stream:
        result = {}
        for name, x in stream.items():
            attended = self._sum((rows[name] for rows in added if name in rows), x)
            result[name] = x + attended if layer.attention_residual else attended
        return self._norm(layer.attention_norm, result)

    def _fed_forward(self, layer: Layer, network: FeedForward, stream: Stream) -> Stream:
        hidden = self._linear(network.first, stream)
        active = {unit: self._activate(network.activation, x) for unit, x in hidden.items()}
        update = self._linear(network.second, active or stream)  # without hidden units, for the shape
        zero = self.arithmetic.zeros(next(iter(stream.values())).shape)
        total = {name: update.get(name, zero) for name in stream}
        if layer.feed_forward_residual:
            total = {name: stream[name] + x for name, x in total.items()}
        return self._norm(layer.feed_forward_norm, total)

    def _activate(self, activation: Activation, x: Array) -> Array:
        zero, one = self.arithmetic.zeros(x.shape), self.arithmetic.exp(self.arithmetic.zeros(x.shape))
        match activation:
            case "relu":
                return np.where(self.arithmetic.positive(-x), zero, x)
            case "saturated-linear":
                below = np.where(self.arithmetic.positive(-x), zero, x)
                return np.where(self.arithmetic.positive(x - one), one, below)
            case "step":
                return np.where(self.arithmetic.positive(x), one, zero)
            case "square":
                return x * x
        STRICT.refuse("activation", activation)

    def _attend(self, stage: int, head: Head, number: int, stream: Stream, start: int) -> Stream:
        """What a head adds; every distinct query of the words once."""
        queries = self._rows(head.W_Q, stream)
        width = next(iter(stream.values())).shape[1]
        result = {row: self.arithmetic.zeros((self.words, width)) for row in head.W_V}
        causal = STRICT.is_causal(head.mask)
        same = not causal and all(bool((x == x[:, :1]).all()) for x in queries.values())
        for i in range(1 if same else width):
            query = {name: x[:, i : i + 1] for name, x in queries.items()}
            stop = start + i + 1 if causal else self.n
            for row, mean in self._mean(stage, head, number, query, stop).items():
                result[row][:, i : width if same else i + 1] = mean
        return result if head.W_O is None else self._rows(head.W_O, result)

    def _mean(self, stage: int, head: Head, number: int, query: Stream, stop: int) -> Stream:
        """The mean of the values up to a position under the weights of a query, shape [words, 1]."""
        known = (stage, number, stop, *(tuple(x[:, 0].tolist()) for x in query.values()))
        if known in self._means:
            return self._means[known]
        pieces = [*self._pieces(stop)]
        best = self.arithmetic.greatest(
            np.concatenate([self.arithmetic.greatest(self._scores(stage, head, query, *p)) for p in pieces], axis=1)
        )

        def powers(piece: tuple[int, int]) -> Array:
            return self._powers(head, self._scores(stage, head, query, *piece), best)

        total = self._total(map(powers, pieces))
        self.denominators[(stage + 1) // 2, number + 1] = total[0, 0]
        self._means[known] = {
            row: self._total(
                powers(p) / total * self._rows({row: columns}, self.stream(stage - 1, *p))[row] for p in pieces
            )
            for row, columns in head.W_V.items()
        }
        return self._means[known]

    def _scores(self, stage: int, head: Head, query: Stream, start: int, stop: int) -> Array:
        stream = self.stream(stage - 1, start, stop)
        keys = self._rows(head.W_K, stream)
        like = next(iter(stream.values()))
        products = self._sum((query[name] * keys[name] for name in query), like)
        if STRICT.is_less_size(head.score):
            products = np.where(self.arithmetic.positive(products), -products, products)
        return products * self._entry(head.scale)

    def _powers(self, head: Head, scores: Array, best: Array) -> Array:
        if STRICT.is_soft(head.normaliser):
            return self.arithmetic.exp(scores - best)
        one = self.arithmetic.exp(self.arithmetic.zeros(scores.shape))
        return np.where(scores == best, one, self.arithmetic.zeros(scores.shape))

    def _norm(self, norm: LayerNorm | None, stream: Stream) -> Stream:
        if norm is None:
            return stream
        like = next(iter(stream.values()))
        size = self._entry(Expression(str(len(stream))))
        mean = self._sum(stream.values(), like) / size
        centred = {name: x - mean for name, x in stream.items()}
        variance = self._sum((x * x for x in centred.values()), like) / size
        deviation = self.arithmetic.sqrt(variance + self._entry(norm.epsilon))
        try:
            return {name: x / deviation for name, x in centred.items()}
        except ZeroDivisionError as error:  # of exact numbers; those of a format become infinite
            raise NoValue(CONSTANT) from error


def exact_pass(construction: Construction, word: str, names: Environment) -> Pass:
    """The forward pass of a word in exact arithmetic; names: the parameters and d.

    Raises InputError for a symbol outside the alphabet.
    """
    network = construction.encoder
    refuse_foreign(construction.name, construction.language.alphabet, word)
    tokens = add_markers(network, word)
    known = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    ids = np.array([[known[token] for token in tokens]])
    return Pass(network, tuple(known), ids, Exact(), {**names, "n": fmpq(len(tokens))})
