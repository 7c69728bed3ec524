"""The forward pass one operation after the other, sums from left to right, in an arithmetic of choice.

In `Rounded` arithmetic it is the reference of every measurement: the same on every machine, bit for bit. In `Exact`
arithmetic it is what the rounded one is compared with. Sums run over coordinates in the order of the residual stream
and over positions from 0; terms with a weight of exactly 0 are left out, as they change nothing.

The residual stream of words of one length is an array [words, positions] for each coordinate, or [words, 1] where it is
the same at all of them. Coordinates are computed where something reads them, positions in pieces, so that words of many
millions of symbols fit into memory. Along a stretch of one token, terms that do not depend on the position are equal:
they are summed at once, to the same bits (see `repeated`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, assert_never

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.interpreter import CONSTANT, Environment, NoValue, add_markers, seen_from
from weightproof.constructions.meaning.schema import (
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
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import exactly
from weightproof.numeric import STRICT
from weightproof.numeric.rounding.activations import activated
from weightproof.numeric.rounding.arithmetic import Arithmetic, Array, Exact

Stream = Mapping[str, Array]
Terms = Callable[[int, int], Stream]
"""What is summed along the positions from start to stop, by the names of the sums."""

PIECE = 1 << 19
"""Elements of an array, so that a few of them stay in the cache."""
LENGTH = Expression("n")


class Columns(Mapping[str, Array]):
    """Arrays by name, each computed when it is first read."""

    def __init__(self, names: Iterable[str], column: Callable[[str], Array]) -> None:
        self._names, self._column = dict.fromkeys(names), cache(column)

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise KeyError(name)
        return self._column(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def part(x: Array, start: int, stop: int) -> Array:
    """The positions from start to stop."""
    return x if x.shape[1] == 1 else x[:, start:stop]


def spread(stream: Stream, width: int) -> Stream:
    """All arrays of shape [words, width]."""
    return {name: np.broadcast_to(x, (len(x), width)) for name, x in stream.items()}


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
        self._zeros = arithmetic.zeros((self.words, 1))
        by_rows = any(_goes_by_rows(head) for layer in network.layers for head in layer.heads)
        self.piece = self.n if network.causal or by_rows else max(1, PIECE // self.words)
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
        readout = self.network.readout
        with np.errstate(all="ignore"):  # overflow and underflow are part of what is measured
            totals = self._totals(
                *self._read(),
                lambda *place: self._linear(
                    readout.W, self._norm(self.network.final_norm, self._stream(self.stages, *place))
                ),
            )
            if readout.position == "mean":
                totals = {row: total / self._entry(LENGTH) for row, total in totals.items()}
        return {row: total[:, 0] for row, total in totals.items()}

    def accepts(self) -> bool:
        """The decision on the first word, by the sign of its logit; what is no number is not accepted."""
        logit = self.logits()[:1]
        direction = 1 if self.arithmetic.positive(logit)[0] else -int(self.arithmetic.positive(-logit)[0])
        is_number = direction != 0 or bool(logit[0] == logit[0])
        return is_number and STRICT.accepted(self.network.readout.accept).accepts(direction)

    def _pieces(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        for first in range(start, stop, self.piece):
            yield first, min(first + self.piece, stop)

    def _stretches(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Pieces; those along which each word has one token are taken together."""
        first, alike = start, True
        for place, end in self._pieces(start, stop):
            here = self.ids[:, place:end]
            same = bool((here == self.ids[:, first : first + 1]).all())
            if place > first and not (alike and same):
                yield first, place
                first, same = place, bool((here == here[:, :1]).all())
            alike = same
        yield first, stop

    def _parts(self, start: int, stop: int, terms: Terms) -> Iterator[tuple[Stream, int]]:
        """The terms along the positions, in parts, and of how many positions each part is."""
        for first, last in self._stretches(start, stop):
            if last - first > self.piece:
                alike = terms(first, first + 2)
                if all(x.shape[1] == 1 for x in alike.values()):
                    yield alike, last - first
                    continue
            for place, end in self._pieces(first, last):
                yield terms(place, end), end - place

    def stream(self, stage: int, start: int, stop: int) -> Stream:
        """The residual stream at the positions from start to stop, after a stage, every coordinate at every position.

        Stage 0 is the embedding; 1, 2, ... are attention and feed-forward network of the first layer, and so on.
        """
        return spread(self._stream(stage, start, stop), stop - start)

    def _stream(self, stage: int, start: int, stop: int) -> Stream:
        place = stage, start, stop
        if place in self._streams:
            return self._streams[place]
        whole = (start, stop) == (0, self.n)
        if not whole and stage <= self.attended and self.piece >= self.n:
            stream = self._stream(stage, 0, self.n)
            return Columns(stream, lambda name: part(stream[name], start, stop))
        computed = self._stage(stage, start, stop)
        if whole:
            self._streams[place] = computed
        return computed

    def _stage(self, stage: int, start: int, stop: int) -> Stream:
        if stage == 0:
            return self._embed(start, stop)
        before, layer = self._stream(stage - 1, start, stop), self.network.layers[(stage - 1) // 2]
        if stage % 2 == 1:
            return self._attention(layer, before, self._added(stage, start, stop))
        return before if layer.feed_forward is None else self._fed_forward(layer, layer.feed_forward, before)

    def resumed(self, stage: int, start: int, stop: int, stream: Stream) -> Pass:
        """A pass with a given stream after a stage, from which what comes later is computed."""
        result = Pass(self.network, self.tokens, self.ids, self.arithmetic, self.names)
        result.piece = self.piece
        result._streams[stage, start, stop] = stream
        return result

    def seen(self, stage: int) -> tuple[int, int]:
        """The positions of a stage's stream that what comes later can see."""
        return (0, self.n) if stage <= self.attended else self._read()

    def _read(self) -> tuple[int, int]:
        """The positions that the readout reads."""
        places = {"first": (0, 1), "last": (self.n - 1, self.n), "sum": (0, self.n), "mean": (0, self.n)}
        return STRICT.of("readout position", self.network.readout.position, places)

    def _entry(self, scalar: Expression) -> object:
        return self.arithmetic.entry(scalar, self.names)

    def _embed(self, start: int, stop: int) -> Stream:
        embedding, ids = self.network.embedding, self.ids[:, start:stop]
        if (ids == ids[:, :1]).all():
            ids = ids[:, :1]

        def embedded(coordinate: str) -> Array:
            column = self.arithmetic.zeros((len(self.tokens),))
            for number, token in enumerate(self.tokens):
                if coordinate in embedding.WE.get(token, {}):
                    column[number] = self._entry(embedding.WE[token][coordinate])
            encoding = embedding.PE.get(coordinate)
            if encoding is None:
                return column.take(ids)
            if "i" not in encoding.names:
                return column.take(ids) + self._entry(encoding)
            return column.take(ids) + self.arithmetic.positions(encoding, self.names, start, stop)

        return Columns(self.network.coordinates, embedded)

    def _sum(self, terms: Iterable[Array]) -> Array:
        """From left to right."""
        total = None
        for term in terms:
            total = term if total is None else total + term
        return self._zeros if total is None else total

    def _totals(self, start: int, stop: int, terms: Terms) -> Stream:
        """The sums along the positions, from left to right, each of shape [words, 1]."""
        totals: dict[str, Array] = {}
        for parts, positions in self._parts(start, stop, terms):
            totals = {name: self._more(totals.get(name), x, positions) for name, x in parts.items()}
        return totals

    def _more(self, total: Array | None, terms: Array, positions: int) -> Array:
        if positions > self.piece:
            first, more = (terms, positions - 1) if total is None else (total, positions)
            return self.arithmetic.repeated(first, terms, more)
        terms = np.broadcast_to(terms, (self.words, positions))
        if total is not None:
            terms = np.concatenate([total, terms], axis=1)
        return np.add.accumulate(terms, axis=1)[:, -1:].copy()  # of a view, all that it is part of would be kept

    def _rows(self, rows: Rows, stream: Stream) -> Stream:
        def row(name: str) -> Array:
            weights = {column: self._entry(rows[name][column]) for column in stream if column in rows[name]}
            return self._sum(stream[column] * w for column, w in weights.items() if w != 0)

        return Columns(rows, row)

    def _linear(self, linear: Linear, stream: Stream) -> Stream:
        rows = self._rows(linear.weights, stream)

        def row(name: str) -> Array:
            value = rows[name] if name in rows else self._zeros  # noqa: SIM401 - a mistake inside may be a KeyError, too
            return value + self._entry(linear.bias[name]) if name in linear.bias else value

        return Columns(linear.rows, row)

    def added(self, stage: int, start: int, stop: int) -> list[Stream]:
        """What each head of an attention stage adds, at every position."""
        return [spread(rows, stop - start) for rows in self._added(stage, start, stop)]

    def _added(self, stage: int, start: int, stop: int) -> list[Stream]:
        heads = self.network.layers[(stage - 1) // 2].heads
        return [self._attend(stage, head, number, start, stop) for number, head in enumerate(heads)]

    def _seen(self, stage: int, start: int, stop: int) -> Stream:
        """What the heads of an attention stage read."""
        layer = self.network.layers[(stage - 1) // 2]
        return self._norm(layer.attention_norm_before, self._stream(stage - 1, start, stop))

    def values(self, stage: int, head: Head) -> Stream:
        """What a head averages, at all positions; stage: the one before its attention."""
        return spread(self._rows(head.W_V, self._seen(stage + 1, 0, self.n)), self.n)

    def _attention(self, layer: Layer, stream: Stream, added: list[Stream]) -> Stream:
        def attended(name: str) -> Array:
            heads = self._sum(rows[name] for rows in added if name in rows)
            return stream[name] + heads if layer.attention_residual else heads

        return self._norm(layer.attention_norm, Columns(stream, attended))

    def _fed_forward(self, layer: Layer, network: FeedForward, stream: Stream) -> Stream:
        read = self._norm(layer.feed_forward_norm_before, stream)
        values = self._linear(network.first, read)
        gates = values if network.gate is None else self._linear(network.gate, read)

        def hidden(unit: str) -> Array:
            opened = activated(network.activation, gates[unit], self.arithmetic)
            return opened if network.gate is None else opened * values[unit]

        active = Columns(values, hidden)
        update = self._linear(network.second, active)

        def fed(name: str) -> Array:
            total = update[name] if name in update else self._zeros  # noqa: SIM401
            return stream[name] + total if layer.feed_forward_residual else total

        return self._norm(layer.feed_forward_norm, Columns(stream, fed))

    def _attend(self, stage: int, head: Head, number: int, start: int, stop: int) -> Stream:
        """What a head adds; every distinct query of the words once."""
        if _goes_by_rows(head):
            means = self._positioned(stage, head, number, start, stop)
            return means if head.W_O is None else self._rows(head.W_O, means)
        queries = self._norm(head.query_norm, self._rows(head.W_Q, self._seen(stage, start, stop)))
        causal = STRICT.is_causal(head.mask)
        if not causal and all(bool((x == x[:, :1]).all()) for x in queries.values()):
            means = self._mean(stage, head, number, {name: x[:, :1] for name, x in queries.items()}, self.n)
        else:
            means = {row: self.arithmetic.zeros((self.words, stop - start)) for row in head.W_V}
            for i in range(stop - start):
                query = {name: part(x, i, i + 1) for name, x in queries.items()}
                found = self._mean(stage, head, number, query, start + i + 1 if causal else self.n)
                for row, mean in found.items():
                    means[row][:, i : i + 1] = mean
        return means if head.W_O is None else self._rows(head.W_O, means)

    def _mean(self, stage: int, head: Head, number: int, query: Stream, stop: int) -> Stream:
        """The means of the values up to a position under the weights of a query, each of shape [words, 1]."""
        known = (stage, number, stop, *(tuple(x[:, 0].tolist()) for x in query.values()))
        if known in self._means:
            return self._means[known]

        def scores(start: int, stop: int) -> Array:
            return self._scores(head, query, self._seen(stage, start, stop))

        scored = self._parts(0, stop, lambda *place: {"score": scores(*place)})
        best = self.arithmetic.greatest(
            np.concatenate([self.arithmetic.greatest(x["score"]) for x, _ in scored], axis=1)
        )

        def powers(start: int, stop: int) -> Array:
            return self._powers(head, scores(start, stop), best)

        total = self._totals(0, stop, lambda *place: {"power": powers(*place)})["power"]
        self.denominators[(stage + 1) // 2, number + 1] = total[0, 0]

        def weighted(start: int, stop: int) -> Stream:
            weights = powers(start, stop) / total
            values = self._rows(head.W_V, self._seen(stage, start, stop))
            return Columns(values, lambda row: weights * values[row])

        self._means[known] = self._totals(0, stop, weighted)
        return self._means[known]

    def _scores(self, head: Head, query: Stream, stream: Stream) -> Array:
        keys = self._norm(head.key_norm, self._rows(head.W_K, stream))
        return self._scaled(head, self._sum(query[name] * keys[name] for name in query))

    def _scaled(self, head: Head, products: Array) -> Array:
        if STRICT.is_less_size(head.score):
            products = np.where(self.arithmetic.positive(products), -products, products)
        return products * self._entry(head.scale)

    def _positioned(self, stage: int, head: Head, number: int, start: int, stop: int) -> Stream:
        """The means of a head, row by row: sums are of the positions that are seen, the sink's power the last of them;
        0 of none. InputError where a position sees nothing, and so has no value."""
        read = self._seen(stage, 0, self.n)
        queries, keys = (
            self._turned(head, self._norm(norm, self._rows(rows, read)))
            for norm, rows in ((head.query_norm, head.W_Q), (head.key_norm, head.W_K))
        )
        values, exact = spread(self._rows(head.W_V, read), self.n), exactly(self.names)
        means = {row: self.arithmetic.zeros((self.words, stop - start)) for row in head.W_V}
        for i in range(self.n):
            places = [j for j in seen_from(head, i, self.n) if head.sees is None or exact.at(i=i, j=j).holds(head.sees)]
            if not places and not head.may_see_nothing:
                raise InputError(f"at length {self.n}, position {i} sees nothing in some head")
            if not places or not start <= i < stop:
                continue
            products = self._sum(queries[name][:, i : i + 1] * keys[name][:, places] for name in queries)
            scores = np.broadcast_to(self._scaled(head, products), (self.words, len(places)))
            if head.bias is not None:
                biases = self.arithmetic.zeros((len(places),))
                for place, j in enumerate(places):
                    biases[place] = self.arithmetic.entry(head.bias, {**self.names, "i": fmpq(i), "j": fmpq(j)})
                scores = scores + biases
            if head.sink is not None:
                sink = self.arithmetic.zeros((self.words, 1)) + self._entry(head.sink)
                scores = np.concatenate([scores, sink], axis=1)
            powers = self._powers(head, scores, self.arithmetic.greatest(scores))
            total = np.add.accumulate(powers, axis=1)[:, -1:]
            self.denominators[(stage + 1) // 2, number + 1] = total[0, 0]
            weights = (powers / total)[:, : len(places)]
            for row, value in values.items():
                means[row][:, i - start] = np.add.accumulate(weights * value[:, places], axis=1)[:, -1]
        return means

    def _turned(self, head: Head, stream: Stream) -> Stream:
        """Queries or keys of all positions, turned by the angles there."""
        result = dict(spread(stream, self.n))
        for pair in head.rotary:
            x, y = result[pair.first], result[pair.second]
            cosine, sine = (self.arithmetic.positions(w, self.names, 0, self.n) for w in (pair.cosine, pair.sine))
            result |= {pair.first: x * cosine - y * sine, pair.second: x * sine + y * cosine}
        return result

    def _powers(self, head: Head, scores: Array, best: Array) -> Array:
        if (side := STRICT.side(head.normaliser)) is None:
            return self.arithmetic.exp(scores - best)
        one, is_best = self.arithmetic.exp(self.arithmetic.zeros(scores.shape)), np.asarray(scores == best, dtype=bool)
        return np.where(is_best if side == 0 else _outermost(is_best, side), one, self.arithmetic.zeros(scores.shape))

    def _norm(self, norm: Norm | None, stream: Stream) -> Stream:
        if norm is None:
            return stream
        size = self._entry(Expression(str(len(stream))))
        match norm:
            case LayerNorm():
                mean = self._sum(stream.values()) / size
                away = {name: x - mean for name, x in stream.items()}
            case RootMeanSquare():
                away = dict(stream)
            case other:
                assert_never(other)
        square = self._sum(x * x for x in away.values()) / size
        deviation = self.arithmetic.sqrt(square + self._entry(norm.epsilon))
        try:
            result = {name: x / deviation for name, x in away.items()}
        except ZeroDivisionError as error:  # of exact numbers; those of a format become infinite
            raise NoValue(CONSTANT) from error
        if norm.gain is not None:
            result = {name: x * self._at(norm.gain, name) for name, x in result.items()}
        return result if norm.bias is None else {name: x + self._at(norm.bias, name) for name, x in result.items()}

    def _at(self, row: Mapping[str, Expression], name: str) -> object:
        return self._entry(row.get(name, Expression("0")))


def _goes_by_rows(head: Head) -> bool:
    """Whether what it sees is looked up row by row; a mean of which one position has all the weight is, too."""
    return STRICT.is_of_table(head) or STRICT.side(head.normaliser) in (-1, 1)


def _outermost(some: Array, side: int) -> Array:
    """Of what is true in a row the first one, side -1, or the last one, side 1."""
    if side > 0:
        return _outermost(some[:, ::-1], -1)[:, ::-1]
    return np.asarray(some & (np.add.accumulate(some, axis=1, dtype=int) == 1))


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
