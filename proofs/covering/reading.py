"""A network on whole sets of words: each row of the residual stream as forms, its outputs at the row that is read.

Attention sees each place of a word through what stands there, and how likely it is known: scores, keys and values are
tables by place and token, so that sums over the places that are seen are sums over the edges of a path. In the first
layer these tables are exact. Behind it they are intervals, made by this same reading of all words of the set with that
token at that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import assert_never

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray

from weightproof.constructions.meaning.interpreter import Vector, add, embed, vector_of
from weightproof.constructions.meaning.schema import (
    Activation,
    Decoder,
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
from weightproof.constructions.scalars.values import Evaluator, in_balls
from weightproof.proofs.covering.automaton import Automaton, Flags, Words
from weightproof.proofs.covering.bounds import line, slopes
from weightproof.proofs.covering.forms import Basis, Forms
from weightproof.proofs.covering.norms import over_root_mean_square
from weightproof.proofs.covering.pairs import paired
from weightproof.proofs.covering.placed import Placed, placed, position
from weightproof.proofs.covering.scope import COVERING, require_readable
from weightproof.proofs.running.enclosures import Enclosed, Floats, U, between, enclosed, over, point, under
from weightproof.proofs.running.forward import BITS
from weightproof.proofs.running.weights import Weights, ball, scored

TOGETHER = 64
"""Rows of the stream that are read together of all words."""
SLIGHT = 6.0
"""Places that leave open less than another by more than this factor, e^6, are read as they are on all words."""
LITTLE = 1 / 8
"""The part of what is open otherwise, up to which a mean is told by more than its values."""


@dataclass
class Reading:
    """A network on words of an automaton, whose tokens are its own; length: positions, markers among them, where not
    all places of the automaton are seen. NotCovered for a decoder whose weights depend on the position, or whose
    numbers are rounded."""

    network: Encoder | Decoder
    automaton: Automaton
    length: int = 0
    _placed: dict[int, Placed] = field(default_factory=dict)
    """Heads by their identity: networks keep them."""

    def __post_init__(self) -> None:
        self.length = self.length or len(self.automaton.carriers)
        network, width = self.network, len(self.network.coordinates)
        names: dict[str, Real] = {"n": fmpq(self.length), "d": fmpq(width)}
        require_readable(network, self.length)
        self.weights = Weights(in_balls(names))
        with ctx.workprec(BITS):
            at = [position(network, place, self.length) for place in range(self.length)]
            self._placed = {
                id(head): placed(network, head, self.length) for layer in network.layers for head in layer.heads
            }
            values = [
                ball(value)
                for place, scalars in enumerate(at)
                for token in self.automaton.tokens
                for value in self._input(token, place, scalars).values()
            ]
        self.embedded = enclosed(values, (1, self.length, len(self.automaton.tokens), width))

    def _input(self, token: str, place: int, scalars: Evaluator) -> Vector:
        embedded = embed(self.network, token, scalars)
        if isinstance(self.network, Encoder) or self.network.table is None:
            return embedded
        return add(embedded, vector_of(self.network.table[place], self.network.coordinates, scalars))

    @property
    def places_read(self) -> range:
        """Those where the stream is read."""
        if isinstance(self.network, Decoder):
            return range(self.length - 1, self.length)
        match self.network.readout.position:
            case "first":
                return range(1)
            case "last":
                return range(self.length - 1, self.length)
            case "sum" | "mean":
                return range(self.length)
            case other:
                assert_never(other)

    def outputs(self, words: Words, tables: Tables | None = None) -> Forms:
        """What is read out of the words of each set, an output a row; sets on one axis. Where one place is read, all of
        these words have the same token there. tables: of these words, or of sets in which they are; made where there
        are none."""
        with ctx.workprec(BITS), np.errstate(all="ignore"):
            tables = self.tables(words) if tables is None else tables
            W, b = self.weights.linear(self.network.readout.W, self.network.coordinates)
            alone = len(self.places_read) == 1
            rows = [
                (place, token)
                for place in self.places_read
                for token in (self.tokens_in(words, place) if alone else self._tokens_at(place))
            ]
            if alone and len(rows) != 1:
                raise ValueError("sets of words with several tokens where the stream is read")
            read = self._normalised(self.network.final_norm, self._rows(words, rows, tables.layers)).through(W, b)
            lost = tables.lost | read.basis.some_lost()
            if alone:
                return _of_only_row(read, words).unless(lost)
            each = _interval(read)
            if isinstance(self.network, Encoder) and self.network.readout.position == "mean":
                each = each * enclosed([fmpq(1, self.length)], ())
            return self._sum_of_rows(words, rows, each).unless(lost)

    def _sum_of_rows(self, words: Words, rows: Sequence[tuple[int, int]], read: Enclosed) -> Forms:
        """Where rows differ, each is known by what stands there, and their sum is one over the edges of a path."""
        shape = (len(words.edges), read.middle.shape[-1], self.length, len(self.automaton.tokens))
        middle, radius = np.zeros(shape), np.zeros(shape)
        for k, (place, token) in enumerate(rows):
            middle[:, :, place, token], radius[:, :, place, token] = read.middle[:, k], read.radius[:, k]
        basis = Basis(words)
        summed = self.automaton.spread(Enclosed(middle, radius))
        forms = basis.constant(point(np.zeros(shape[:2])))
        for row in range(shape[1]):
            column, _, _ = basis.functional(summed[:, row])
            matrix = Forms(basis, forms.matrix, forms.radius).padded
            matrix[:, row, column] = 1.0
            forms = Forms(basis, matrix, forms.radius)
        return forms

    def _tokens_at(self, place: int) -> list[int]:
        """Those that may stand there, by their numbers."""
        return sorted({*map(int, self.automaton.token_at(place))})

    def tokens_in(self, words: Words, place: int) -> list[int]:
        """Those that stand there in some word of some of the sets."""
        layer, _ = self.automaton.carriers[place]
        used = (
            words.edges[..., self.automaton.edges(layer)].reshape(-1, len(self.automaton.layers[layer].source)).any(0)
        )
        return sorted({*map(int, self.automaton.token_at(place)[used])})

    @cached_property
    def _of_all(self) -> tuple[Known, ...]:
        """Before each layer, what all words of the automaton are known by."""
        found: list[Known] = []
        with ctx.workprec(BITS), np.errstate(all="ignore"):
            words = self.automaton.everything([True] * len(self.automaton.outcomes))
            rows = [(place, token) for place in range(self.length) for token in self._tokens_at(place)]
            for layer in self.network.layers:
                tables = [known.table for known in found]
                parts = [self._known(words, layer, tables, some) for some in _some(rows)]
                middle, radius = (
                    np.sum([getattr(table, name) for table, _ in parts], 0) for name in ("middle", "radius")
                )
                found.append(Known(Enclosed(middle, radius), np.any([lost for _, lost in parts], 0), ()))
            seen_from = {*self.places_read}
            for number in reversed(range(1, len(found))):
                tables = [known.table for known in found]
                watched: set[int] = set()
                for some in _some([row for row in rows if row[0] in seen_from]):
                    watched |= self._watched(number, self._rows(words, some, tables[:number]), tables[number], some)
                again = [row for row in rows if row[0] in watched or found[number].lost[row]]
                found[number] = replace(found[number], again=tuple(again))
                seen_from |= watched
        return tuple(found)

    def _known(
        self, words: Words, layer: Layer, tables: Sequence[Enclosed], rows: Sequence[tuple[int, int]]
    ) -> tuple[Enclosed, Flags]:
        """What heads of a layer read of rows, and 0 of others; and which of them may have no value."""
        stream = self._rows(words, rows, tables)
        table = self._by_place(rows, self._read(layer, stream, rows))
        lost = np.zeros((self.length, len(self.automaton.tokens)), dtype=np.bool_)
        lost[tuple(np.array(rows).T)] = stream.basis.lost[0]  # norms of heads, too, may have no value
        return table, lost

    def _watched(self, number: int, stream: Forms, table: Enclosed, rows: Sequence[tuple[int, int]]) -> set[int]:
        """The places that may leave open more than a slight part of what the place does that leaves open the most, of
        some value of some head of a layer at one of these rows."""
        layer, column, found = self.network.layers[number], 0, np.zeros(self.length, dtype=np.bool_)
        stream, places = self._normalised(layer.attention_norm_before, stream), _places(rows)
        for head in layer.heads:
            ends = column + len(scored(head)), column + len(scored(head)) + len(self._values(head)[0])
            scores, values = self._scores(head, stream, table[..., column : ends[0]], places), table[..., slice(*ends)]
            most = np.where(scores.allowed, scores.scaled.middle + scores.scaled.radius, -np.inf).max(-1)
            least = np.where(scores.allowed, scores.scaled.middle - scores.scaled.radius, np.inf).min(-1)
            greatest = np.where(np.isfinite(least), least, -np.inf).max(-1, keepdims=True)
            # A weight is off by a part that is twice what its score is off, and a value by its radius.
            weights = np.where(scores.allowed, scores.scaled.radius, 0.0).max(-1)[..., None].clip(0, 1) * 2
            off = weights * _spread(values, scores.allowed)[..., None, :] + values.radius.max(2)[:, None]
            left = np.where(np.isfinite(most), most - greatest, -np.inf)[..., None] + np.log(off)
            found |= ((left >= left.max(2, keepdims=True) - SLIGHT) & (left > -np.inf)).any((0, 1, 3))
            column = ends[1]
        return {*map(int, np.flatnonzero(found))}

    @property
    def rows_together(self) -> int:
        """Of how many rows the stream is made at a time, for each set of words."""
        return max([1, *(len(known.again) for known in self._of_all)])

    @property
    def rereads(self) -> bool:
        """Whether sets have tables of their own."""
        return any(known.again for known in self._of_all)

    @property
    def of_all(self) -> Tables:
        """Of one set, all words."""
        lost = np.array([any(known.lost.any() for known in self._of_all)])
        return Tables(tuple(known.table for known in self._of_all), lost)

    def tables(self, words: Words) -> Tables:
        """Of each set; but what is read of places and tokens that have next to no weight is that of all words."""
        tables: list[Enclosed] = []
        lost = np.zeros(len(words.edges), dtype=np.bool_)
        with ctx.workprec(BITS), np.errstate(all="ignore"):
            for layer, known in zip(self.network.layers, self._of_all, strict=True):
                table, missing = known.table, known.lost
                if known.again:
                    stream = self._rows(words, known.again, tables)
                    fresh = self._by_place(known.again, self._read(layer, stream, known.again))
                    again = np.zeros(missing.shape, dtype=np.bool_)
                    again[tuple(np.array(known.again).T)] = True
                    middle, radius = (
                        np.where(again[..., None], getattr(fresh, name), getattr(table, name))
                        for name in ("middle", "radius")
                    )
                    table, missing = Enclosed(middle, radius), missing & ~again
                    lost |= stream.basis.some_lost()
                if missing.any():
                    lost |= (_allowed(words, len(self.automaton.tokens), self.length) & missing).any((-1, -2))
                tables.append(table)
        return Tables(tuple(tables), lost)

    def _by_place(self, rows: Sequence[tuple[int, int]], read: Enclosed) -> Enclosed:
        """What is read of rows, by place and token."""
        shape = (len(read.middle), self.length, len(self.automaton.tokens), read.middle.shape[-1])
        middle, radius = np.zeros(shape), np.zeros(shape)
        for k, (place, token) in enumerate(rows):
            middle[:, place, token], radius[:, place, token] = read.middle[:, k], read.radius[:, k]
        return Enclosed(middle, radius)

    def _read(self, layer: Layer, stream: Forms, rows: Sequence[tuple[int, int]]) -> Enclosed:
        """All that the heads of a layer read of rows: keys, and values as they are added to the stream."""
        stream = self._normalised(layer.attention_norm_before, stream)
        parts = [_interval(stream.through(point(np.zeros((0, len(self.network.coordinates))))))]
        places = _places(rows)
        for head in layer.heads:
            self._normed_queries(head, stream)  # of rows that nothing reads, too, the norm has to have a value
            keys = self._normalised(head.key_norm, stream.through(self._keys(head)), scored(head))
            parts += [_interval(self._turned(head, keys, places)), _interval(stream.through(self._values(head)[1]))]
        return Enclosed(*(np.concatenate([getattr(p, name) for p in parts], -1) for name in ("middle", "radius")))

    def _rows(self, words: Words, rows: Sequence[tuple[int, int]], tables: Sequence[Enclosed]) -> Forms:
        """Rows of the stream behind as many layers as there are tables, each of the words with its token at its place:
        sets on the first axis, rows on the second one."""
        edges = np.stack([words.with_token(*row).edges for row in rows], 1)
        ends = np.repeat(words.ends[:, None], len(rows), 1)
        basis = Basis(Words(self.automaton, edges, ends))
        shape = (*edges.shape[:2], len(self.network.coordinates))
        own = [self.embedded[0, place, token] for place, token in rows]
        stream = basis.constant(
            Enclosed(*(np.broadcast_to(np.stack([getattr(e, n) for e in own]), shape) for n in ("middle", "radius")))
        )
        places = _places(rows)
        for layer, table in zip(self.network.layers, tables, strict=False):
            stream = self._layer(layer, stream, table, places)
        return stream

    def _layer(self, layer: Layer, stream: Forms, table: Enclosed, places: NDArray[np.int64]) -> Forms:
        nothing = stream.basis.constant(point(np.zeros(stream.radius.shape)))
        middle, column = stream if layer.attention_residual else nothing, 0
        stream = self._normalised(layer.attention_norm_before, stream)
        for head in layer.heads:
            keys, (names, values) = self._keys(head), self._values(head)
            ends = column + keys.middle.shape[0], column + keys.middle.shape[0] + values.middle.shape[0]
            tables = table[..., column : ends[0]], table[..., ends[0] : ends[1]]
            read = self._attended(head, stream, *tables, places)
            middle, column = middle + read.through(self._place(names)), ends[1]
        middle = self._normalised(layer.attention_norm, middle)
        if layer.feed_forward is None:
            return middle
        added = self._fed_forward(layer.feed_forward, self._normalised(layer.feed_forward_norm_before, middle))
        return self._normalised(layer.feed_forward_norm, middle + added if layer.feed_forward_residual else added)

    def _turned(self, head: Head, x: Forms, places: NDArray[np.int64]) -> Forms:
        """Queries or keys of rows, as they are turned at their places."""
        turns = self._placed[id(head)].turns
        return x if turns is None else x.through(turns[places])

    def _normed_queries(self, head: Head, stream: Forms) -> Forms:
        return self._normalised(head.query_norm, stream.through(self._queries(head)), scored(head))

    def _scores(self, head: Head, stream: Forms, keys: Enclosed, places: NDArray[np.int64]) -> Scores:
        """keys: by set, place and token."""
        here = self._placed[id(head)]
        queries = _interval(self._turned(head, self._normed_queries(head, stream), places))
        scores = _dot(queries[..., None, None, :], keys[:, None])
        match head.score:
            case "dot":
                pass
            case "-|dot|":
                scores = -scores.size()
            case other:
                assert_never(other)
        allowed = _allowed(stream.basis.words, len(self.automaton.tokens), self.length)
        scaled = scores * here.scale[places]
        scaled = scaled if here.bias is None else scaled + here.bias[places][..., None]
        return Scores(scores, scaled, allowed & here.seen[places][:, :, None])

    def _attended(
        self, head: Head, stream: Forms, keys: Enclosed, values: Enclosed, places: NDArray[np.int64]
    ) -> Forms:
        """keys, values: by set, place and token."""
        scores, here = self._scores(head, stream, keys, places), self._placed[id(head)]
        basis, scaled, allowed = stream.basis, scores.scaled, scores.allowed
        match head.normaliser:
            case "softmax":
                return self._softmax(basis, scaled, values, allowed, None if here.sink is None else here.sink[places])
            case "hardmax" | "leftmost" | "rightmost":
                alike = here.bias is None and here.scale[places].positive.all()
                compared = scores.plain if alike else scaled
                if side := COVERING.side(head.normaliser):
                    return self._outermost(basis, compared, values, allowed, side)
                return self._hardmax(basis, compared, values, allowed)
            case unknown:
                assert_never(unknown)

    def _softmax(
        self, basis: Basis, scores: Enclosed, values: Enclosed, allowed: Flags, sink: Enclosed | None
    ) -> Forms:
        """The same number less in each score, and in that of the sink, changes no weight."""
        greatest = np.where(allowed, scores.middle, -np.inf).max((-1, -2), keepdims=True)
        if sink is not None:
            greatest = np.maximum(greatest, sink.middle)
        less = point(np.where(np.isfinite(greatest), greatest, 0.0))
        of_sink = None if sink is None else (sink - less).exp()[..., 0, 0]
        weights = _only((scores - less).exp(), allowed)
        return self._mean(basis, weights, values, of_sink, _nearest(scores, allowed, sink))

    def _mean(
        self,
        basis: Basis,
        weights: Enclosed,
        values: Enclosed,
        of_sink: Enclosed | None = None,
        nearest: Nearest | None = None,
    ) -> Forms:
        """sum(w v)/(s + sum(w)) = c + (sum(w (v - c)) - c s)/(s + sum(w)), whatever c is, with s the weight of a sink,
        whose value is 0: near the middle of what it can be, the less is lost by the quotient. Where more is lost than
        values at places with a weight leave open, these are taken; or what stands at the one place that has nearly all
        the weight, where there is one."""
        _, least, most = basis.functional(self.automaton.spread(weights))
        of_weights = len(basis.functionals) - 1, 1 / _or_one(most - least)
        beside = point(np.zeros_like(least)) if of_sink is None else of_sink
        below = between(least, most) + beside
        least, most = below.middle - below.radius * (1 + 4 * U), below.middle + below.radius * (1 + 4 * U)
        inverse = between(under(1 / over(most)), over(1 / np.where(least > 0, under(least), 0.0)))
        weighed = (weights.middle != 0) | (weights.radius != 0)
        count = values.middle.shape[-1]
        rows = basis.constant(point(np.zeros((*least.shape, count))))
        for k in range(count):
            value, sizes = values[:, None, ..., k], np.zeros((*least.shape, count))
            above = self.automaton.spread(weights * value)
            low, high = (each[..., 0] for each in basis.words.range(above[..., None, :]))
            centre = _finite((low + high) / (least + most))
            away = self.automaton.spread(weights * (value - point(centre[..., None, None])))
            column, low, high = basis.functional(away)
            directions = np.zeros((*sizes.shape, len(basis.functionals)))
            directions[..., of_weights[0]] = of_weights[1][..., None]
            directions[..., -1] = 1 / _or_one(high - low)[..., None]
            shift = -(point(centre) * beside)
            moved = between(low, high) + shift
            greatest = np.abs(moved.middle) + moved.radius * (1 + 4 * U)
            lost = np.where(greatest == 0, 0.0, inverse.radius * greatest * (1 + 4 * U))
            hull = _hull(value, weighed)
            if of_sink is not None:
                hull = _with_zero(hull)
            constant = point(centre) + point(inverse.middle) * shift
            open_of_it = lost + constant.radius
            whole = np.abs(inverse.middle) * (high - low) / 2 + open_of_it
            taken = ~((whole <= hull.radius) | (open_of_it <= LITTLE * hull.radius))
            matrix = rows.padded
            matrix[..., k, 0] = np.where(taken, hull.middle, constant.middle)
            matrix[..., k, column] = np.where(taken, 0.0, inverse.middle)
            radius = rows.radius.copy()
            radius[..., k] = np.where(taken, 0.0, constant.radius)
            sizes[..., k] = np.where(taken, hull.radius, lost)
            if nearest is not None:
                beyond = nearest.beyond * 2 * hull.radius * (1 + 8 * U)
                at_one = beyond <= LITTLE * np.where(taken, hull.radius, open_of_it)
                if at_one.any():
                    there = self.automaton.spread(_only(value + point(np.zeros(nearest.where.shape)), nearest.where))
                    column, _, _ = basis.functional(there)
                    matrix = np.where(at_one[..., None, None] & (np.arange(count) == k)[:, None], 0.0, matrix)
                    matrix = np.pad(matrix, [(0, 0)] * (matrix.ndim - 1) + [(0, len(basis.scales) - matrix.shape[-1])])
                    matrix[..., k, column] = np.where(at_one, 1.0, 0.0)
                    radius[..., k] = np.where(at_one, 0.0, radius[..., k])
                    sizes[..., k] = np.where(at_one, beyond, sizes[..., k])
            rows = Forms(basis, matrix, radius).noisy(sizes, directions)
        return rows

    def _hardmax(self, basis: Basis, scores: Enclosed, values: Enclosed, allowed: Flags) -> Forms:
        """Even over the places whose score is the greatest: where that is one number on all words of a set, a mean as
        any other. Else whatever the mean is with each of the numbers that can be the greatest."""
        best, greatest, is_one = _greatest(scores, allowed)
        mean = self._mean(basis, point((best & is_one[..., None, None]).astype(np.float64)), values)
        if is_one.all():
            return mean
        middle, radius = _hulls(values, best)
        either = np.where(is_one[..., None, None], mean.padded, 0.0)
        either[..., 0] = np.where(is_one[..., None], either[..., 0], middle)
        basis.functional(self.automaton.spread(point((best & (scores.middle >= greatest)).astype(np.float64))))
        direction = np.broadcast_to(np.eye(len(basis.functionals))[-1], (*middle.shape, len(basis.functionals)))
        told = Forms(basis, either, np.where(is_one[..., None], mean.radius, 0.0))
        return told.noisy(np.where(is_one[..., None], 0.0, radius), direction)

    def _outermost(self, basis: Basis, scores: Enclosed, values: Enclosed, allowed: Flags, side: int) -> Forms:
        """What stands at the first place, or the last one, whose score is the greatest: any value of the places up to
        one that has that score whatever stands there, or where none has all that can; 0 where nothing is seen."""
        best, greatest, is_one = _greatest(scores, allowed)
        certain = is_one[..., None] & (best | ~allowed).all(-1) & allowed.any(-1)
        ordered = certain if side < 0 else certain[..., ::-1]
        beyond = ordered.cumsum(-1) > ordered
        best &= ~(beyond if side < 0 else beyond[..., ::-1])[..., None]
        middle, radius = _hulls(values, best)
        basis.functional(self.automaton.spread(point((best & (scores.middle >= greatest)).astype(np.float64))))
        direction = np.broadcast_to(np.eye(len(basis.functionals))[-1], (*middle.shape, len(basis.functionals)))
        return basis.constant(point(middle)).noisy(radius, direction)

    def _fed_forward(self, network: FeedForward, stream: Forms) -> Forms:
        W, b = self.weights.linear(network.first, self.network.coordinates)
        values = stream.through(W, b)
        if network.gate is None:
            hidden = self._activated(network.activation, values)
        else:
            rows = {unit: network.gate.weights.get(unit, {}) for unit in network.first.rows}
            W, b = self.weights.linear(Linear(rows, network.gate.bias), self.network.coordinates)
            hidden = self._activated(network.activation, stream.through(W, b)).times(values)
        W, b = self.weights.linear(network.second, network.first.rows)
        return hidden.through(W, b).through(self._place(network.second.rows))

    def _activated(self, activation: Activation, x: Forms) -> Forms:
        slope, least, most = line(activation, *x.range())
        middle = (least + most) / 2
        sizes = np.maximum(most - middle, middle - least)
        sizes = np.where(least == most, 0.0, sizes * (1 + 4 * U))
        units = x.scaled(slope) + x.basis.constant(point(middle))
        between = slopes(activation)
        return units.noisy(sizes, x.directions) if between is None else paired(x, units, sizes, between)

    def _normalised(self, norm: Norm | None, x: Forms, names: tuple[str, ...] | None = None) -> Forms:
        """names: of the rows, where they are not those of the stream."""
        width = x.radius.shape[-1]
        match norm:
            case None:
                return x
            case LayerNorm():
                entries = [fmpq(int(i == j)) - fmpq(1, width) for i in range(width) for j in range(width)]
                x = x.through(enclosed(entries, (width, width)))
            case RootMeanSquare():
                pass
            case other:
                assert_never(other)
        found = over_root_mean_square(x, self.weights.number(norm.epsilon))
        order = self.network.coordinates if names is None else names
        if norm.gain is not None:
            gain = self.weights.row(norm.gain, order)
            found = found.through(Enclosed(np.diag(gain.middle), np.diag(gain.radius)))
        if norm.bias is None:
            return found
        bias = self.weights.row(norm.bias, order)
        return found.through(point(np.eye(width)), bias)

    def _queries(self, head: Head) -> Enclosed:
        return self.weights.matrix(head.W_Q, scored(head), self.network.coordinates)

    def _keys(self, head: Head) -> Enclosed:
        return self.weights.matrix(head.W_K, scored(head), self.network.coordinates)

    def _values(self, head: Head) -> tuple[tuple[str, ...], Enclosed]:
        """What a head adds to the stream, by the coordinates to which it does."""
        W_V = self.weights.matrix(head.W_V, tuple(head.W_V), self.network.coordinates)
        if head.W_O is None:
            return tuple(head.W_V), W_V
        return tuple(head.W_O), self.weights.matrix(head.W_O, tuple(head.W_O), tuple(head.W_V)) @ W_V

    def _place(self, names: tuple[str, ...]) -> Enclosed:
        """Puts named coordinates where they stand in the stream."""
        matrix = np.zeros((len(self.network.coordinates), len(names)))
        for column, name in enumerate(names):
            matrix[self.network.coordinates.index(name), column] = 1.0
        return point(matrix)


@dataclass(frozen=True)
class Tables:
    """Before each layer, what its heads read of each place and token, for each set of words, or alike for all sets.
    lost: the sets in which the stream at some position, seen or not, may have no value: then the network has none on a
    word of it."""

    layers: tuple[Enclosed, ...]
    lost: Flags

    def of_set(self, number: int) -> Tables:
        """Those of one set."""
        own = (table if len(table.middle) == 1 else table[number : number + 1] for table in self.layers)
        return Tables(tuple(own), self.lost[number : number + 1])

    @staticmethod
    def together(some: Sequence[Tables]) -> Tables:
        """Of sets one after the other."""
        layers = []
        for parts in zip(*(each.layers for each in some), strict=True):
            alike = all(part is parts[0] for part in parts)
            middle, radius = (np.concatenate([getattr(part, name) for part in parts]) for name in ("middle", "radius"))
            layers.append(parts[0] if alike else Enclosed(middle, radius))
        return Tables(tuple(layers), np.concatenate([each.lost for each in some]))


@dataclass(frozen=True)
class Known:
    """What heads of a layer read of each place and token, on all words of an automaton; lost: where the stream may have
    no value; again: the rows, place and token, that are read again for each set of words, since what stands there has
    more than a slight part of some weight."""

    table: Enclosed
    lost: Flags
    again: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Scores:
    """Of a head, by set, row, place and token: as they are, and scaled and with their bias; allowed: which there
    are."""

    plain: Enclosed
    scaled: Enclosed
    allowed: Flags


@dataclass(frozen=True)
class Nearest:
    """Of each row the one place, with all tokens there, whose scores are the greatest, whatever stands there and
    elsewhere; beyond: the weight of all others together, at most, as a part of its own."""

    where: Flags
    beyond: Floats


def _nearest(scores: Enclosed, allowed: Flags, sink: Enclosed | None) -> Nearest:
    """At another place no weight is greater than e^-gap times that one, where scores differ by the gap at least."""
    least = np.where(allowed, scores.middle - scores.radius * (1 + 4 * U), np.inf).min(-1)
    most = np.where(allowed, scores.middle + scores.radius * (1 + 4 * U), -np.inf).max(-1)
    least = np.where(np.isfinite(least), least, -np.inf)
    best = (np.arange(least.shape[-1]) == least.argmax(-1)[..., None]) & np.isfinite(least)
    others = np.where(best, -np.inf, most).max(-1)
    if sink is not None:
        others = np.maximum(others, (sink.middle + sink.radius * (1 + 4 * U))[..., 0, 0])
    gap = under(under(np.where(best, least, -np.inf).max(-1)) - over(others))
    power = point(np.where(np.isnan(gap), -np.inf, -gap)).exp()
    count = least.shape[-1] + 1
    known = gap > 0
    beyond = np.where(known, (power.middle + power.radius) * count * (1 + 8 * U), np.inf)
    return Nearest(best[..., None] & allowed, beyond)


def _some(rows: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    """So many rows as are read together, one part after the other."""
    for start in range(0, len(rows), TOGETHER):
        yield rows[start : start + TOGETHER]


def _places(rows: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array([place for place, _ in rows])


def _dot(x: Enclosed, y: Enclosed) -> Enclosed:
    """Of vectors on the last axis."""
    shape = np.broadcast_shapes(x.middle.shape, y.middle.shape)[:-1]
    total = point(np.zeros(shape))
    for k in range(x.middle.shape[-1]):
        total = total + x[..., k] * y[..., k]
    return total


def _greatest(scores: Enclosed, allowed: Flags) -> tuple[Flags, Floats, Flags]:
    """Where a score can be the greatest, the greatest of these, and whether all of them are that one number."""
    low = np.where(allowed, scores.middle - scores.radius * 2, np.inf).min(-1)
    surely = np.where(np.isfinite(low), low, -np.inf).max(-1)[..., None, None]
    best = allowed & (scores.middle + scores.radius * 2 >= surely)
    greatest = np.where(best, scores.middle, -np.inf).max((-1, -2), keepdims=True)
    return best, greatest, (((scores.middle == greatest) & (scores.radius == 0)) | ~best).all((-1, -2))


def _hulls(values: Enclosed, where: Flags) -> tuple[Floats, Floats]:
    """The middle and the radius of the hull of each value."""
    hulls = [_hull(values[:, None, ..., k], where) for k in range(values.middle.shape[-1])]
    return np.stack([each.middle for each in hulls], -1), np.stack([each.radius for each in hulls], -1)


def _hull(values: Enclosed, where: Flags) -> Enclosed:
    """All that a mean of the values there can be; 0 where there are none."""
    low = np.where(where, values.middle - values.radius, np.inf).min((-1, -2))
    high = np.where(where, values.middle + values.radius, -np.inf).max((-1, -2))
    exact = np.where(where, values.radius == 0, True).all((-1, -2))
    found = between(np.where(exact, low, under(low)), np.where(exact, high, over(high)))
    none = ~where.any((-1, -2))
    return Enclosed(np.where(none, 0.0, found.middle), np.where(none, 0.0, found.radius))


def _spread(values: Enclosed, where: Flags) -> Floats:
    """Of each value, by set and row of the stream, how far from the middle of those there they are, at most."""
    radii = [_hull(values[:, None, ..., k], where).radius for k in range(values.middle.shape[-1])]
    return np.stack(radii, -1)


def _with_zero(x: Enclosed) -> Enclosed:
    """All between x and 0."""
    return between(under(np.minimum(x.middle - x.radius, 0.0)), over(np.maximum(x.middle + x.radius, 0.0)))


def _or_one(x: Floats) -> Floats:
    return np.where((x > 0) & np.isfinite(x), x, 1.0)


def _finite(x: Floats) -> Floats:
    return np.where(np.isfinite(x), x, 0.0)


def _interval(forms: Forms) -> Enclosed:
    """What each is, within a radius; 0 where there is no word, of what depends on words."""
    found = between(*forms.range())
    if not forms.basis.functionals:
        return found
    some = forms.basis.words.some[..., None]
    return Enclosed(np.where(some, found.middle, 0.0), np.where(some, found.radius, 0.0))


def _only(x: Enclosed, where: Flags) -> Enclosed:
    return Enclosed(np.where(where, x.middle, 0.0), np.where(where, x.radius, 0.0))


def _allowed(words: Words, count: int, length: int) -> Flags:
    """Of each of the first places, the tokens that some path carries there."""
    automaton = words.automaton
    found = np.zeros((*words.edges.shape[:-1], length, count), dtype=np.bool_)
    for place, (layer, _) in enumerate(automaton.carriers[:length]):
        tokens, used = automaton.token_at(place), words.edges[..., automaton.edges(layer)]
        for token in {*map(int, tokens)}:
            found[..., place, token] = used[..., tokens == token].any(-1)
    return found


def _of_only_row(forms: Forms, words: Words) -> Forms:
    """Without the axis of rows of the stream, of which there is one."""
    basis = forms.basis
    flat = Basis(words)
    flat.functionals = [functional.of_row(0) for functional in basis.functionals]
    flat.directions = {column: direction[:, 0] for column, direction in basis.directions.items()}
    flat.scales = [scale[:, 0] for scale in basis.scales]
    return Forms(flat, forms.padded[:, 0], forms.radius[:, 0])
