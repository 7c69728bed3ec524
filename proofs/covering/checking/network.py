"""A network on a set of words, in balls: what a matrix makes of its outputs, at least, on any of them.

What a head reads of a place depends on the token there, and behind the first layer on all others, too: it lies in a
ball then, in which this same reading finds it to be on all words of the set with that token at that place. Activations,
quotients and products leave open what the search leaves open of them, so that margins are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import assert_never

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.interpreter import add, embed, read_positions, vector_of
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
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.covering.asking import Signs
from weightproof.proofs.covering.checking.lines import CHECK, SLOPES, least_of, line, most_of
from weightproof.proofs.covering.checking.norms import over_root_mean_square
from weightproof.proofs.covering.checking.sets import LARGE, Stream, Sum, WordSet, around, total
from weightproof.proofs.covering.scope import NotCovered, require_readable, require_values
from weightproof.proofs.running.weights import ball

BITS = 160
"""Of the balls."""
SLIGHT = 7
"""Places that leave open less than another by more than this factor, e^7, are read as they are on all words."""
LITTLE = arb(1) / 8
"""The part of what is open otherwise, up to which a mean is told by more than its values."""
Balls = Mapping[str, arb]
Read = tuple[Balls, Balls]
"""Of what stands at a place: the key, and the value as it is added to the stream."""


@dataclass
class Table:
    """What heads read of a place and the token there: `own` on the words of a set; `rough` on all that are known of, if
    any are."""

    read: Callable[[int, str], list[Read]]
    known: Sequence[Mapping[str, list[Read]]] | None
    _own: dict[tuple[int, str], list[Read]] = field(default_factory=dict)

    def own(self, place: int, token: str) -> list[Read]:
        if (place, token) not in self._own:
            self._own[place, token] = self.read(place, token)
        return self._own[place, token]

    def rough(self, place: int, token: str) -> list[Read]:
        return self.own(place, token) if self.known is None else self.known[place][token]


@dataclass
class Check:
    """A network on the first `length` places of words. NotCovered for one that is not read."""

    network: Encoder | Decoder
    length: int
    _first: dict[tuple[int, str], list[Read]] = field(default_factory=dict)
    _known: list[list[dict[str, list[Read]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        is_decoder = isinstance(self.network, Decoder)
        require_readable(self.network, self.length)
        if isinstance(self.network, Decoder):
            self.places_read = range(self.length)[-1:]
        else:
            self.places_read = read_positions(self.network, self.length)
        require_values(self.network, "the check of a certificate reads no network")
        names = {"d": fmpq(len(self.network.coordinates)), "n": fmpq(self.length)}
        with ctx.workprec(BITS):
            self.scalars = in_balls(names)
            self.at = [
                in_balls({**names, "i": fmpq(place), "n": fmpq(place + 1 if is_decoder else self.length)})
                for place in range(self.length)
            ]
        for head in (head for layer in self.network.layers for head in layer.heads if not head.may_see_nothing):
            for place in range(self.length):
                if not any(self._sees(head, place, other) for other in range(self.length)):
                    raise NotCovered(f"a network without a value: position {place} of {self.length} sees nothing")

    def away(self, words: WordSet, signs: Signs) -> arb:
        """By how much rows of outputs have their sign on any word of a set, at least; less than 0 where that is not
        known. Where one place is read, all words have the same token there."""
        with ctx.workprec(BITS):
            outputs = self._outputs(words)
            names = self.network.readout.W.rows
            return least_of(
                self._has_sign(
                    words, signs.sign, total(outputs[n].times(arb(f)) for n, f in zip(names, row, strict=True) if f)
                )
                for row in signs.matrix
            )

    def _has_sign(self, words: WordSet, sign: str, of: Sum) -> arb:
        match sign:
            case "positive" | "not negative":
                return words.least(of)
            case "not zero":
                low, high = words.range(of)
                return max(low, -high)
            case "zero":
                low, high = words.range(of)
                return min(low, -high)
        raise AssertionError(sign)

    def _outputs(self, words: WordSet) -> Stream:
        tables, read = self._tables(words), self.network.readout.W
        if len(self.places_read) == 1:
            (token,) = words.tokens_at(self.places_read[0])
            return self._linear(read, self._row(words, self.places_read[0], token, tables, self.network.final_norm))
        rows: dict[str, list[dict[str, arb]]] = {name: [{} for _ in range(self.length)] for name in read.rows}
        for place in self.places_read:
            for token in words.tokens_at(place):
                some = words.with_token(place, token)
                for name, x in self._linear(
                    read, self._row(some, place, token, tables, self.network.final_norm)
                ).items():
                    rows[name][place][token] = within(some, x)
        is_mean = isinstance(self.network, Encoder) and self.network.readout.position == "mean"
        part = arb(fmpq(1, self.length if is_mean else 1))
        return {name: words.path(table).times(part) for name, table in rows.items()}

    def knows(self, every: WordSet) -> None:
        """Reads a set in which all others are, once: of what has little weight in these, that is enough."""
        with ctx.workprec(BITS):
            self._known = [
                [{token: table.own(place, token) for token in every.tokens_at(place)} for place in range(self.length)]
                for table in self._tables(every)
            ]

    def _tables(self, words: WordSet) -> list[Table]:
        """Before each layer, what its heads read of each place, by the token there; before the first layer it is the
        same on all words."""
        tables: list[Table] = []
        for number, layer in enumerate(self.network.layers):
            known = self._known[number] if number and self._known else None
            tables.append(Table(partial(self._read, layer, words, tuple(tables)), known))
        return tables

    def _read(self, layer: Layer, words: WordSet, tables: Sequence[Table], place: int, token: str) -> list[Read]:
        """What all heads of a layer read."""
        if not tables and (place, token) in self._first:
            return self._first[place, token]
        some = words.with_token(place, token)
        stream = self._row(some, place, token, tables, layer.attention_norm_before)
        found: list[Read] = []
        for head in layer.heads:
            key = self._turned(head, self._normalised(some, head.key_norm, self._mapped(head.W_K, stream)), place)
            value = self._mapped(head.W_V, stream)
            value = value if head.W_O is None else self._mapped(head.W_O, value)
            found.append((balls(some, key), balls(some, value)))
        if not tables:
            self._first[place, token] = found
        return found

    def _row(
        self,
        words: WordSet,
        place: int,
        token: str,
        tables: Sequence[Table],
        norm: Norm | None,
    ) -> Stream:
        """The stream there behind as many layers as there are tables, then normalised, on words with that token."""
        vector = embed(self.network, token, self.at[place])
        if isinstance(self.network, Decoder) and self.network.table is not None:
            row = vector_of(self.network.table[place], self.network.coordinates, self.at[place])
            vector = add(vector, row)
        stream: Stream = {name: Sum(arb(ball(value))) for name, value in vector.items()}
        for layer, table in zip(self.network.layers, tables, strict=False):
            stream = self._layer(words, layer, stream, table, place)
        return self._normalised(words, norm, stream)

    def _layer(self, words: WordSet, layer: Layer, stream: Stream, table: Table, place: int) -> Stream:
        middle = dict(stream if layer.attention_residual else nothing(stream))
        read = self._normalised(words, layer.attention_norm_before, stream)
        for number, head in enumerate(layer.heads):
            for name, value in self._attended(words, head, read, table, number, place).items():
                middle[name] += value
        stream = self._normalised(words, layer.attention_norm, middle)
        if layer.feed_forward is None:
            return stream
        found = dict(stream if layer.feed_forward_residual else nothing(stream))
        read = self._normalised(words, layer.feed_forward_norm_before, stream)
        for name, value in self._fed_forward(words, layer.feed_forward, read).items():
            found[name] += value
        return self._normalised(words, layer.feed_forward_norm, found)

    def _score(self, head: Head, query: Balls, key: Balls, place: int, other: int) -> arb:
        """That which what stands at a place gives to what stands at another one."""
        product = sum((query[name] * key[name] for name in query if name in key), arb(0))
        product = -abs(product) if CHECK.is_less_size(head.score) else product
        scaled = product * ball(self.at[place](head.scale))
        return scaled if head.bias is None else scaled + ball(self.at[place].at(j=other)(head.bias))

    def _turned(self, head: Head, vector: Stream, place: int) -> Stream:
        """A query or a key, as it is turned at its place."""
        found = dict(vector)
        for pair in head.rotary:
            x, y = vector[pair.first], vector[pair.second]
            cosine, sine = (arb(ball(self.at[place](part))) for part in (pair.cosine, pair.sine))
            found |= {pair.first: x.times(cosine) + y.times(-sine), pair.second: x.times(sine) + y.times(cosine)}
        return found

    def _sees(self, head: Head, place: int, other: int) -> bool:
        """Whether what stands at a place sees what stands at another one."""
        if not CHECK.reach(head.mask).shows(place, other) or (other > place and isinstance(self.network, Decoder)):
            return False
        return head.sees is None or self.at[place].at(j=other).holds(head.sees)

    def _attended(self, words: WordSet, head: Head, stream: Stream, table: Table, number: int, place: int) -> Stream:
        """What a head adds, by its number."""
        if CHECK.side(head.normaliser) is not None:
            raise NotCovered(f"the check of a certificate reads no hard attention, and {head.normaliser} is")
        queries = self._normalised(words, head.query_norm, self._mapped(head.W_Q, stream))
        query = balls(words, self._turned(head, queries, place))
        there = [words.tokens_at(other) if self._sees(head, place, other) else () for other in range(self.length)]

        def read_by(one: Callable[[int, str], list[Read]], other: int) -> tuple[dict[str, Read], dict[str, arb]]:
            row = {token: one(other, token)[number] for token in there[other]}
            return row, {t: self._score(head, query, key, place, other) for t, (key, _) in row.items()}

        rough = [read_by(table.rough, other) for other in range(self.length)]
        watched = _watched(rough)
        both = [read_by(table.own, other) if other in watched else each for other, each in enumerate(rough)]
        seen, scores = [row for row, _ in both], [row for _, row in both]
        sink = None if head.sink is None else ball(self.at[place](head.sink))
        every = [*(x.mid() for row in scores for x in row.values()), *([] if sink is None else [arb(sink).mid()])]
        greatest = most_of(every)
        weights = [{token: (x - greatest).exp() for token, x in row.items()} for row in scores]
        known = all(x < LARGE for row in weights for x in row.values())
        beside = arb(0) if sink is None else (sink - greatest).exp()
        below = words.range(words.path(weights)) if known else (arb(0), arb(0))
        nearest = _nearest(scores, sink)
        names = head.W_V if head.W_O is None else head.W_O
        return {
            name: self._mean(
                words,
                weights,
                [{t: value[name] for t, (_, value) in row.items()} for row in seen],
                below,
                beside,
                nearest,
            )
            for name in names
        }

    def _mean(
        self,
        words: WordSet,
        weights: Sequence[Balls],
        values: Sequence[Balls],
        below: tuple[arb, arb],
        beside: arb,
        nearest: tuple[int, arb],
    ) -> Sum:
        """sum(w v)/(s + sum(w)) = c + (sum(w (v - c)) - c s)/(s + sum(w)), whatever c is; or between all v; or v at the
        place that has nearly all the weight: whichever leaves the least open. below: the sum of all weights w; beside:
        the weight s of a sink, whose value is 0; nearest: a place, and the weight elsewhere as a part of that there."""
        every = [v for row in values for v in row.values()]
        every += [] if beside == 0 else [arb(0)]
        middle, radius = around(least_of(every), most_of(every))
        found, left = Sum(middle) + words.open(radius), radius
        if below[0] > 0 or (beside > 0 and below[0] >= 0):
            inverse, lost_of_it = around((1 / (below[1] + beside)).lower(), (1 / (below[0] + beside)).upper())
            low, high = words.range(words.path(_products(weights, values)))
            centre = ((low + high) / (below[0] + below[1] + 2 * beside)).mid()
            off = words.path(_products(weights, [{t: v - centre for t, v in row.items()} for row in values]))
            low, high = words.range(off)
            less = centre * beside
            lost = lost_of_it * most_of((abs(low - less), abs(high - less)))
            if inverse * (high - low) / 2 + lost <= radius or lost <= radius * LITTLE:
                found, left = off.times(inverse) + Sum(centre - inverse * less) + words.open(lost), lost
        place, elsewhere = nearest
        if elsewhere * 2 * radius <= left * LITTLE:
            alone: list[Balls] = [row if other == place else {} for other, row in enumerate(values)]
            found = words.path(alone) + words.open(elsewhere * 2 * radius)
        return found

    def _fed_forward(self, words: WordSet, network: FeedForward, stream: Stream) -> Stream:
        hidden = self._linear(network.first, stream)
        activated = hidden if network.gate is None else self._linear(network.gate, stream, network.first.rows)
        units: dict[str, Sum] = {}
        for name, x in activated.items():
            units[name] = self._unit(
                words, network.activation, x, [(activated[other], units[other]) for other in units]
            )
        opened = units if network.gate is None else {n: product(words, x, hidden[n]) for n, x in units.items()}
        return self._linear(network.second, opened)

    def _unit(self, words: WordSet, activation: Activation, x: Sum, others: Sequence[tuple[Sum, Sum]]) -> Sum:
        """What an activation f makes of x: by a line, or, where that leaves less open, by f(y) of another y, and
        x - y. others: each y with f(y)."""
        slope, least, most = line(activation, *words.range(x))
        middle, radius = around(least, most)
        own = x.times(slope) + Sum(middle)
        if radius > 0 and others and activation in SLOPES:
            low, high = map(arb, SLOPES[activation])
            off = [x + y.times(arb(-1)) for y, _ in others]
            sizes = [most_of(map(abs, words.range(each))) for each in off]
            nearest = min(range(len(off)), key=lambda k: sizes[k])
            left = (high - low) / 2 * sizes[nearest]
            if left < radius / 2:
                return others[nearest][1] + off[nearest].times((low + high) / 2) + words.open(left)
        return own + words.open(radius)

    def _normalised(self, words: WordSet, norm: Norm | None, stream: Stream) -> Stream:
        match norm:
            case None:
                return stream
            case LayerNorm():
                mean = total(stream.values()).times(-1 / arb(len(stream)))
                stream = {name: x + mean for name, x in stream.items()}
            case RootMeanSquare():
                pass
            case other:
                assert_never(other)
        found = dict(over_root_mean_square(words, stream, self._scalar(norm.epsilon)))
        if norm.gain is not None:
            gain = norm.gain
            found = {n: x.times(self._scalar(gain[n]) if n in gain else arb(0)) for n, x in found.items()}
        for name, added in (norm.bias or {}).items():
            found[name] += Sum(self._scalar(added))
        return found

    def _scalar(self, scalar: Expression) -> arb:
        return arb(ball(self.scalars(scalar)))

    def _linear(self, linear: Linear, x: Stream, rows: Iterable[str] | None = None) -> Stream:
        """rows: those of a gate, which may have none for a unit."""
        added = self._mapped(linear.weights, x)
        bias = {row: Sum(self._scalar(scalar)) for row, scalar in linear.bias.items()}
        none = Sum(arb(0))
        return {row: added.get(row, none) + bias.get(row, none) for row in rows or linear.rows}

    def _mapped(self, rows: Rows, x: Stream) -> Stream:
        return {
            row: total(x[column].times(self._scalar(weight)) for column, weight in entries.items())
            for row, entries in rows.items()
        }


def _nearest(scores: Sequence[Balls], sink: arb | None) -> tuple[int, arb]:
    """The place whose scores are the greatest, whatever stands there and elsewhere, and the weight of all others and of
    the sink together, at most, as a part of the weight there."""
    least = {place: least_of(row.values()) for place, row in enumerate(scores) if row}
    if not least:
        return 0, arb("inf")
    best = max(least, key=lambda place: least[place])
    others = [most_of(row.values()) for place, row in enumerate(scores) if row and place != best]
    others += [] if sink is None else [sink.upper()]
    return best, sum(((other - least[best]).exp() for other in others), arb(0))


def _watched(rough: Sequence[tuple[Mapping[str, Read], Balls]]) -> set[int]:
    """The places that may leave open more than a slight part of what the place does that leaves open the most, of some
    value; rough: of each the keys and values, and the scores."""
    greatest = most_of([least_of(scores.values()) for _, scores in rough if scores] or [arb(0)])
    left: dict[str, dict[int, arb]] = {}
    for other, (row, scores) in enumerate(rough):
        if not row:
            continue
        weight = (most_of(scores.values()) - greatest).exp()
        off = min(arb(1), most_of(x.rad() for x in scores.values())) * 2
        for name in next(iter(row.values()))[1]:
            every = [value[name] for some, _ in rough for _, value in some.values()]
            radius = most_of(value[name].rad() for _, value in row.values())
            left.setdefault(name, {})[other] = weight * (radius + off * (most_of(every) - least_of(every)))
    least = arb(-SLIGHT).exp()
    return {
        other for parts in left.values() for other, part in parts.items() if not part < most_of(parts.values()) * least
    }


def nothing(stream: Stream) -> Stream:
    return dict.fromkeys(stream, Sum(arb(0)))


def within(words: WordSet, x: Sum) -> arb:
    """A ball in which it is on all words of a set."""
    if not x.paths and not x.noise:
        return x.constant
    middle, radius = around(*words.range(x))
    return arb(middle, radius)


def balls(words: WordSet, stream: Stream) -> Balls:
    return {name: within(words, x) for name, x in stream.items()}


def product(words: WordSet, x: Sum, y: Sum) -> Sum:
    """x y = a y + b x - a b + (x - a) (y - b), whatever a and b are: the middles of what x and y can be."""
    (a, of_x), (b, of_y) = (around(*words.range(each)) for each in (x, y))
    return y.times(a) + x.times(b) + Sum(-a * b) + words.open(of_x * of_y)


def _products(weights: Sequence[Balls], values: Sequence[Balls]) -> list[dict[str, arb]]:
    return [{t: w * own[t] for t, w in row.items()} for row, own in zip(weights, values, strict=True)]
