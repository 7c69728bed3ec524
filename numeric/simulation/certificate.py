"""How far a recurrent network in floating point, or a transformer that simulates one, may be from the exact one, along
runs on words of one length.

Beside the run goes one in float64, and for each unit a bound on its distance to the exact number, and one on the
distance of what any arithmetic of the format computes. The latter may take sums in any order, and round products or
not: m terms of sizes that add up to s are off by (m-1)u/(1-(m-1)u) s at most (Higham, Accuracy and Stability of
Numerical Algorithms, section 4.2), and by nothing while all are multiples of a power of two, q, and s <= 2^p q. A unit
that is certainly below 0 or above 1 before it is saturated is exact.

Bounds are computed in float64 and enlarged by far more than that rounds.

Every map of a transformer is bounded as the sums of a recurrent network are; a residual connection is one more term of
a sum. Of a head that takes the mean of the values with the greatest score, the positions
are looked for that may have it. One alone is what the head brings. Where all their scores are exact, and the same, the
mean is known but for its rounding; otherwise it lies between the least and the greatest of their values, whichever of
them are taken, in the run and in exact numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, read
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Encoder, EncoderDecoder, Head, Layer, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.rounding.formats import FORMATS, Format, fraction, nearest

Array = np.ndarray
ENLARGED = 1 + 1e-9
FINEST = FORMATS["float64"]
"""In which the run beside is computed."""


@dataclass(frozen=True)
class Rounded:
    """Numbers as a format holds them, in float64; at least how far each is from the exact one; and its lowest bit."""

    values: Array
    off: Array
    lowest: Array


def _rounded(exact: Sequence[Fraction], format: Format) -> Rounded:
    values = [nearest(x, format) for x in exact]
    off = np.array([float(abs(Fraction(value) - x)) for value, x in zip(values, exact, strict=True)]) * ENLARGED
    return Rounded(np.array(values), off, lowest_bit(np.array(values)))


def lowest_bit(x: Array) -> Array:
    """The greatest power of two of which each number is a multiple; infinite for 0."""
    mantissa, exponent = np.frexp(x)
    whole = (np.abs(mantissa) * 2.0**53).astype(np.int64)
    return np.where(x == 0, np.inf, np.ldexp((whole & -whole).astype(float), exponent - 53))


@dataclass(frozen=True)
class Further:
    """A column of a sum that is no unit and no coordinate, whatever these are called: of what kind, and which one."""

    kind: str
    name: str


Column = str | Further
Weights = Mapping[str, Mapping[Any, Expression]]
"""Row -> column -> weight."""


class Terms:
    """The sums of a linear map, as one list of terms: in each a weight, and a column of what it is applied to, or 1."""

    def __init__(
        self, weights: Weights, bias: Mapping[str, Expression], columns: Sequence[Column], rows: Sequence[str]
    ) -> None:
        places = {name: number for number, name in enumerate(columns)}
        self.exact: list[Fraction] = []
        self.starts: list[int] = []
        taken: list[int] = []
        for row in rows:
            terms = [(places[name], weight) for name, weight in weights.get(row, {}).items()]
            self.starts.append(len(self.exact))
            self.exact += [*(value_of(weight) for _, weight in terms), value_of(bias.get(row))]
            taken += [*(place for place, _ in terms), len(columns)]
        self.columns = np.array(taken)

    def added(self, terms: Array) -> Array:
        return np.add.reduceat(terms, self.starts, axis=1)

    def least(self, terms: Array) -> Array:
        return np.minimum.reduceat(terms, self.starts, axis=1)


def value_of(scalar: Expression | None, i: int = 0, n: int = 0) -> Fraction:
    """A rational weight, or a rational position encoding at position i of n; 0 where there is none."""
    return Fraction(0) if scalar is None else fraction(evaluate(scalar, {"i": fmpq(i), "n": fmpq(n)}))


@dataclass(frozen=True)
class Bounds:
    """What is known of the units after a step, or of other numbers, [words, units]: the run in float64, how far it may
    be off, and how far one in the format may be."""

    beside: Array
    beside_off: Array
    off: Array

    def beside_these(self, other: Bounds) -> Bounds:
        """Both, one behind the other."""
        pairs = zip(self.parts, other.parts, strict=True)
        return Bounds(*(np.concatenate(pair, 1) for pair in pairs))

    @property
    def parts(self) -> tuple[Array, Array, Array]:
        return self.beside, self.beside_off, self.off


class Sums:
    """A linear map in a format, and beside it in float64: from numbers in the order of the columns to those of rows."""

    def __init__(
        self,
        weights: Weights,
        bias: Mapping[str, Expression],
        columns: Sequence[Column],
        rows: Sequence[str],
        format: Format,
    ) -> None:
        self.terms, self.format = Terms(weights, bias, columns, rows), format
        self.weights, self.finest = _rounded(self.terms.exact, format), _rounded(self.terms.exact, FINEST)

    def __call__(self, x: Bounds) -> Bounds:
        sums, rounding = self.parted(x)
        return Bounds(sums.beside, *(off + more for off, more in zip(sums.parts[1:], rounding, strict=True)))

    def parted(self, x: Bounds) -> tuple[Bounds, tuple[Array, Array]]:
        """The sums, off by what x and the weights are off, and what is rounded beside that, in float64 and in the
        format."""
        one = np.ones((len(x.beside), 1))
        values, beside_off, off = (
            np.concatenate([part, last], 1) for part, last in zip(x.parts, (one, 0 * one, 0 * one), strict=True)
        )
        sums = self.terms.added(self.finest.values * values[:, self.terms.columns])
        beside_inherited, beside_rounding = _error(
            self.terms, self.finest, FINEST, values, beside_off, np.zeros_like(off)
        )
        inherited, rounding = _error(self.terms, self.weights, self.format, values, beside_off, off)
        return Bounds(sums, beside_inherited, inherited), (beside_rounding, rounding)


def numbers_of(exact: Sequence[Sequence[Fraction]], format: Format) -> Bounds:
    """Rows of numbers, each rounded once."""
    finest, own = ([_rounded(row, each) for row in exact] for each in (FINEST, format))
    return Bounds(*map(np.array, ([r.values for r in finest], [r.off for r in finest], [r.off for r in own])))


def bounds(network: RNN, words: Sequence[Sequence[str]], format: Format) -> Iterator[Bounds]:
    """Step after step, without end, on words of one length."""
    inputs = {name: Further("input", name) for name in network.inputs}
    weights = {
        unit: {
            **network.W_h.weights.get(unit, {}),
            **{inputs[name]: weight for name, weight in network.W_x.weights.get(unit, {}).items()},
        }
        for unit in network.units
    }
    columns: tuple[Column, ...] = (*network.units, *inputs.values())
    sums = Sums(weights, network.W_x.bias, columns, network.units, format)
    embedding = {
        token: [value_of(network.embedding.WE.get(token, {}).get(name)) for name in network.inputs]
        for token in network.tokens
    }
    h = Bounds(*(np.zeros((len(words), len(network.units))) for _ in range(3)))
    for tokens in zip(*(read(network, word) for word in words), strict=True):
        h = saturated(sums(h.beside_these(numbers_of([embedding[token] for token in tokens], format))))
        yield h


def saturated(sums: Bounds) -> Bounds:
    """What is left of errors after saturation."""
    beside, beside_err, err = sums.parts
    return Bounds(np.clip(beside, 0, 1), _kept(beside, beside_err, beside_err), _kept(beside, beside_err + err, err))


def _kept(sums: Array, around: Array, err: Array) -> Array:
    """around: how far the sums may be from what is saturated."""
    certain = (sums + around <= 0) | (sums - around >= 1)
    return np.where(certain, 0.0, np.minimum(err, 1.0))


def _error(
    terms: Terms, weights: Rounded, format: Format, values: Array, beside_off: Array, off: Array
) -> tuple[Array, Array]:
    """How far a sum as the format computes it may be from the exact one, [words, units]: by what its terms are off, and
    by rounding.

    off: how far the computed values may be from the exact ones, or 0 where the values are those of the run beside.
    """
    columns, u = terms.columns, float(format.unit_roundoff)
    beside_off, off = beside_off[:, columns], off[:, columns]
    shift = np.maximum(off, beside_off) if format is FINEST else off
    largest = np.abs(values[:, columns]) + beside_off
    sizes = np.abs(weights.values) * (largest + shift)
    total, many = terms.added(sizes) * ENLARGED, terms.added((sizes > 0).astype(float))
    inherited = terms.added(np.abs(weights.values) * shift + weights.off * largest)
    powers_of_two = np.abs(weights.values) == weights.lowest
    tiny = float(format.smallest)
    products = u * terms.added(np.where(powers_of_two, 0.0, sizes)) + tiny * many
    inner = np.maximum(many - 1, 0) * u
    with np.errstate(invalid="ignore"):  # of what may overflow
        sums = inner / np.maximum(1 - inner, u) * total * (1 + u)
    lowest = terms.least(weights.lowest * lowest_bit(values)[:, columns])
    known = terms.least(((beside_off + off + weights.off == 0) | (sizes == 0)).astype(float)) == 1
    exact = known & (total <= 2.0**format.precision * lowest) & (lowest >= tiny) & (total < 2.0**format.greatest)
    # What may overflow may be anything.
    rounding = np.where(total < 2.0**format.greatest, (products + sums) * ENLARGED, np.inf)
    return np.where(exact, 0.0, inherited * ENLARGED), np.where(exact, 0.0, rounding)


ONE = Expression("1")


def covers(network: EncoderDecoder) -> bool:
    """Whether it is bounded here: cross heads with hardmax, and feed-forward networks, above an encoder without layers;
    no norms, no cut residual connections, no heads that look at earlier steps."""
    return not network.encoder.layers and all(map(_covers, network.layers))


def _covers(layer: Layer) -> bool:
    norms = layer.attention_norm or layer.cross_norm or layer.feed_forward_norm
    residuals = layer.attention_residual and layer.cross_residual and layer.feed_forward_residual
    units = layer.feed_forward
    is_saturated = units is not None and units.activation == "saturated-linear" and units.gate is None
    hard = all(
        not BOUND.is_soft(head.normaliser) and head.scale == ONE and head.W_O is None for head in layer.cross_heads
    )
    return not norms and residuals and is_saturated and hard and not layer.heads


def bounds_of_units(simulation: Simulation, words: Sequence[Sequence[str]], format: Format) -> Iterator[Bounds]:
    """Bounds of the units of the recurrent network in the output vector of each step, without end."""
    places = [simulation.network.coordinates.index(unit) for unit in simulation.rnn.units]
    for z in bounds_of_outputs(simulation.network, words, format):
        yield Bounds(*(part[:, places] for part in z.parts))


def bounds_of_outputs(network: EncoderDecoder, words: Sequence[Sequence[str]], format: Format) -> Iterator[Bounds]:
    """Bounds of the output vectors z_0, z_1, ..., each [words, coordinates]; the network is one that is covered."""
    steps = Steps(network, OfWords(network.encoder, words, format), len(words[0]) + 2, format)
    z = steps.first(len(words))
    for step in itertools.count(1):
        yield z
        z = steps.next(z, step)


class Steps:
    """The decoder of a network that is covered; n: the encoder's positions."""

    def __init__(self, network: EncoderDecoder, memory: Memory, n: int, format: Format) -> None:
        self.network, self.n, self.format = network, n, format
        names = network.coordinates
        self.layers = [_Layer(layer, names, memory, format) for layer in network.layers]
        encoding = {name: Further("position encoding", name) for name in network.PE}
        encoded = {name: {column: ONE} for name, column in encoding.items()}
        columns: tuple[Column, ...] = (*names, *encoding.values())
        rows: Weights = {name: {name: ONE, **encoded.get(name, {})} for name in names}
        self.begun = Sums(rows, {}, columns, names, format)
        rows = {name: {**network.feedback.weights.get(name, {}), **encoded.get(name, {})} for name in names}
        self.fed_back = Sums(rows, network.feedback.bias, columns, names, format)

    def first(self, runs: int) -> Bounds:
        """The output vectors of step 0 of so many runs."""
        seed = [value_of(self.network.seed.get(name), 0, self.n) for name in self.network.coordinates]
        return self._made(self.begun, numbers_of([seed] * runs, self.format), 0)

    def next(self, z: Bounds, step: int) -> Bounds:
        """The output vectors of a step, from those of the step before."""
        return self._made(self.fed_back, z, step)

    def _made(self, joined: Sums, z: Bounds, step: int) -> Bounds:
        position = [value_of(scalar, step, self.n) for scalar in self.network.PE.values()]
        z = joined(z.beside_these(numbers_of([position] * len(z.beside), self.format)))
        for layer in self.layers:
            z = layer(z, step)
        return z


@dataclass(frozen=True)
class Seen:
    """What heads look at: positions by their kind, those of one kind with the same vector of the encoder; of each at
    least and at most so many, [runs, kinds], where one of the two is 1. first: so many kinds are seen."""

    first: int
    least: Array
    most: Array


class Memory(Protocol):
    """The encoder's output, in one or several runs."""

    def mapped(self, rows: Rows, names: Sequence[str], format: Format) -> Bounds:
        """A linear map of the vectors, [runs, kinds, names]."""
        ...

    def seen(self, step: int, causal: bool) -> Seen: ...


class OfWords:
    """The encoder's output on words: the kinds are the positions, of which there is one each."""

    def __init__(self, encoder: Encoder, words: Sequence[Sequence[str]], format: Format) -> None:
        self.names, self.n = encoder.coordinates, len(words[0]) + 2
        tokens = tuple(encoder.embedding.WE)
        numbers: dict[str | None, int] = {token: number for number, token in enumerate(tokens)}
        self.places = np.array(
            [[numbers[t] * self.n + i for i, t in enumerate((encoder.begin, *word, encoder.end))] for word in words]
        )
        self.vectors = embedded(encoder, [(token, i) for token in tokens for i in range(self.n)], self.n, format)

    def mapped(self, rows: Rows, names: Sequence[str], format: Format) -> Bounds:
        made = Sums(rows, {}, self.names, names, format)(self.vectors)
        return Bounds(*(part[self.places] for part in made.parts))

    def seen(self, step: int, causal: bool) -> Seen:
        first = min(step + 1, self.n) if causal else self.n
        return Seen(first, ones := np.ones((1, first)), ones)


def embedded(encoder: Encoder, kinds: Sequence[tuple[str, int]], n: int, format: Format) -> Bounds:
    """The encoder's vectors of tokens at positions, [kinds, coordinates]."""
    names, PE = encoder.coordinates, encoder.embedding.PE
    encoding = {name: Further("position encoding", name) for name in names}
    rows = {name: {name: ONE, column: ONE} for name, column in encoding.items()}
    vectors = [
        [value_of(row.get(name), i, n) for row in (encoder.embedding.WE[token], PE) for name in names]
        for token, i in kinds
    ]
    columns: tuple[Column, ...] = (*names, *encoding.values())
    return Sums(rows, {}, columns, names, format)(numbers_of(vectors, format))


class _Layer:
    """A layer in one run.

    Where a row of the feed-forward network subtracts the saturated value of its own coordinate x, what is left is how
    far x is outside [0, 1], and nothing else of how far it is off: such a pair is one term. Rounded are both of them.
    """

    def __init__(self, layer: Layer, names: tuple[str, ...], memory: Memory, format: Format) -> None:
        assert layer.feed_forward is not None
        self.heads = [_Head(head, names, memory, format) for head in layer.cross_heads]
        brought = [
            {name: Further(f"head {number}", name) for name in head.W_V}
            for number, head in enumerate(layer.cross_heads)
        ]
        rows = {name: {name: ONE, **{each[name]: ONE for each in brought if name in each}} for name in names}
        columns: tuple[Column, ...] = (*names, *(column for each in brought for column in each.values()))
        self.attended = Sums(rows, {}, columns, names, format)
        first, second = layer.feed_forward.first, layer.feed_forward.second
        hidden = first.rows
        self.first = Sums(first.weights, first.bias, names, hidden, format)
        whole = {
            name: {name: ONE, **{Further("unit", unit): w for unit, w in second.weights.get(name, {}).items()}}
            for name in names
        }
        columns = (*names, *(Further("unit", unit) for unit in hidden))
        self.whole = Sums(whole, second.bias, columns, names, format)
        unpaired = {name: _without_pair(name, row, first) for name, row in whole.items()}
        columns = (*columns, *(Further("outside", name) for name in names))
        self.unpaired = Sums(unpaired, second.bias, columns, names, format)

    def __call__(self, x: Bounds, step: int) -> Bounds:
        joined = x
        for head in self.heads:
            joined = joined.beside_these(head(x, step))
        attended = self.attended(joined)
        terms = attended.beside_these(saturated(self.first(attended)))
        _, rounding = self.whole.parted(terms)
        made = self.unpaired(terms.beside_these(_outside(attended)))
        return Bounds(made.beside, made.beside_off + rounding[0], made.off + rounding[1])


def _without_pair(name: str, row: Mapping[Any, Expression], first: Linear) -> Mapping[Any, Expression]:
    """A row of a sum, with what is left of its coordinate in the place of that and of its saturated value."""
    for column, weight in row.items():
        unit = column.name if isinstance(column, Further) else column
        read = {other: w for other, w in first.weights.get(unit, {}).items() if value_of(w, 0, 0)}
        alone = column != name and not value_of(first.bias.get(unit), 0, 0) and read == {name: ONE}
        if alone and value_of(weight, 0, 0) == -1:
            others = {other: w for other, w in row.items() if other not in (name, column)}
            return {**others, Further("outside", name): ONE}
    return row


def _outside(x: Bounds) -> Bounds:
    """x less its saturated value, of exact numbers, and of computed ones."""
    beside, beside_off, off = x.parts

    def farthest(around: Array) -> Array:
        padded = around + np.where(around > 0, 4 * np.spacing(1 + np.abs(beside) + around), 0.0)
        return np.maximum(np.maximum(padded - (1 - beside), padded - beside), 0.0) * ENLARGED

    exact, computed = farthest(beside_off), farthest(beside_off + off)
    return Bounds(np.zeros_like(beside), exact, exact + computed)


class _Head:
    """A cross head in one run."""

    def __init__(self, head: Head, names: tuple[str, ...], memory: Memory, format: Format) -> None:
        self.head, self.memory, self.format = head, memory, format
        rows = [row for row in head.W_Q if row in head.W_K]
        self.query = Sums(head.W_Q, {}, names, rows, format) if rows else None
        self.keys = memory.mapped(head.W_K, rows, format) if rows else None
        self.values = memory.mapped(head.W_V, tuple(head.W_V), format)

    def __call__(self, x: Bounds, step: int) -> Bounds:
        """What it brings at a step, [words, rows of W_V]."""
        seen = self.memory.seen(step, BOUND.is_causal(self.head.mask))
        values = Bounds(*(part[:, : seen.first] for part in self.values.parts))
        scores, around = self._scores(x, seen.first)
        least, most = (np.where(around > 0, np.nextafter(scores + s * around, s * np.inf), scores) for s in (-1, 1))
        certain = np.where(seen.least > 0, least, -np.inf).max(1, keepdims=True)
        chosen = ~(most < certain) & (seen.most > 0)
        unclear = np.where(chosen, around, 0.0) + np.where(chosen, seen.most - seen.least, 0.0)
        return _mean(values, np.where(chosen, seen.most, 0.0), (unclear == 0).all(1), self.format)

    def _scores(self, x: Bounds, seen: int) -> tuple[Array, Array]:
        """The scores in float64, [words, seen], and how far from them both the exact ones and those in the format may
        be."""
        if self.query is None or self.keys is None:
            return (zeros := np.zeros((len(x.beside), seen))), zeros
        query = Bounds(*(part[:, None, :] for part in self.query(x).parts))
        keys = Bounds(*(part[:, :seen] for part in self.keys.parts))
        scores = _added(query.beside * keys.beside)
        around = _off(query, keys, FINEST) + _off(query, keys, self.format)
        return (-np.abs(scores) if BOUND.is_less_size(self.head.score) else scores), around


def _added(x: Array) -> Array:
    """Along the last axis; as a product, as sums along a short axis are slow."""
    total: Array = x @ np.ones(x.shape[2])
    return total


def _off(query: Bounds, keys: Bounds, format: Format) -> Array:
    """How far products in float64 may be from the exact ones, or those in the format, [words, n]."""
    (q, q_off), (k, k_off) = (
        (np.abs(each.beside) + each.beside_off, each.beside_off if format is FINEST else each.off)
        for each in (query, keys)
    )
    sizes = (q + q_off) * (k + k_off)
    total, many = _added(sizes) * ENLARGED, _added((sizes > 0).astype(float))
    inherited = _added(q * k_off + k * q_off + q_off * k_off)
    u, tiny = float(format.unit_roundoff), float(format.smallest)
    rounding = (many + 1) * u / np.maximum(1 - (many + 1) * u, u) * total + 2 * many * tiny
    known = ((query.beside_off + query.off + keys.beside_off + keys.off == 0) | (sizes == 0)).all(2)
    lowest = np.where(sizes == 0, np.inf, lowest_bit(query.beside) * lowest_bit(keys.beside)).min(2)
    # Whatever the order, what has been added up is between the sum of the negative products and that of the positive.
    products = query.beside * keys.beside
    reached = np.maximum(_added(np.maximum(products, 0)), _added(np.maximum(-products, 0))) * ENLARGED
    exact = known & (reached <= 2.0**format.precision * lowest) & (lowest >= tiny)
    # One number times 1, and otherwise zeros, is no sum.
    ones = ((keys.beside == 1) & (keys.beside_off + keys.off == 0)) | (sizes == 0)
    exact |= ones.all(2) & (many <= 1)
    with np.errstate(invalid="ignore"):
        off = np.where(exact, inherited, inherited + rounding) * ENLARGED
        return np.where(total < 2.0**format.greatest, off, np.inf)


def _mean(values: Bounds, chosen: Array, uniform: Array, format: Format) -> Bounds:
    """The mean of the values of some of the chosen positions, so many of each kind, [words, rows]; uniform: of all of
    them, [words]."""
    of, many = chosen[:, :, None] > 0, chosen.sum(1)[:, None]
    # Outward by the next number, so that rounding here loses nothing.
    least, most = (
        np.where(values.beside_off > 0, np.nextafter(values.beside + s * values.beside_off, s * np.inf), values.beside)
        for s in (-1, 1)
    )
    low, high = np.where(of, least, np.inf).min(1), np.where(of, most, -np.inf).max(1)
    inherited = np.where(of, values.off, 0.0).max(1)
    largest = np.maximum(np.abs(low), np.abs(high))
    mean = np.where(of, values.beside * chosen[:, :, None], 0.0).sum(1) / many
    # 1/m, each product and each sum are rounded; one position alone has the weight 1, and others add 0.
    beside_err, err = (_rounding(many, largest + inherited, each) for each in (FINEST, format))
    known = uniform[:, None] | (many == 1)
    beside = np.where(known, mean, (low + high) / 2)
    around = np.where(of, values.beside_off, 0.0).max(1) + beside_err
    spread = np.where(high > low, (high - low) * ENLARGED + 2 * np.spacing(largest), 0.0)
    return Bounds(
        beside,
        np.where(known, around, np.where(spread > 0, spread + beside_err, 0.0)),
        np.where(known, 0.0, spread) + inherited + err,
    )


def _rounding(many: Array, largest: Array, format: Format) -> Array:
    u, tiny = float(format.unit_roundoff), float(format.smallest)
    inner = (many + 2) * u
    off = (inner / np.maximum(1 - inner, u) * largest + 3 * many * tiny) * ENLARGED
    counted = np.where(many <= 2**format.precision, off, np.inf)
    return np.where((many == 1) | (largest == 0), 0.0, counted)
