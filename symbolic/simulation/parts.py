"""Parts of networks on vectors that are known as polynomials in atoms: a step of a recurrent network, places, heads,
and linear maps of encoders and decoders."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.schema import Activation, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Values, total

Weights = Mapping[str, Mapping[str, Expression]]


@functools.lru_cache(1 << 14)
def weight(scalar: Expression) -> Polynomial:
    """A rational number, or a name for any number; Underivable for other scalars. Kept: weights are read at every
    moment of a run."""
    if not scalar.names:
        value = evaluate(scalar, {})
        if isinstance(value, fmpq):
            return Polynomial.number(value)
    elif scalar.names == {scalar.source}:
        return Polynomial.atom(scalar.source)
    raise Underivable(f"the weight {scalar} is neither a rational number nor a name")


def applied(rows: Weights, values: Values, bias: Mapping[str, Expression] | None = None) -> dict[str, Polynomial]:
    """W x + b by row."""
    found = {
        row: total(weight(w) * values[name] for name, w in columns.items() if name in values)
        for row, columns in rows.items()
    }
    for row, value in (bias or {}).items():
        found[row] = found.get(row, Polynomial()) + weight(value)
    return found


def embedded(rnn: RNN, token: str) -> dict[str, Polynomial]:
    return {name: weight(value) for name, value in rnn.embedding.WE.get(token, {}).items()}


def arguments(rnn: RNN, h: Values, token: str) -> dict[str, Polynomial]:
    """What each unit is the saturated value of, where `token` is read."""
    own = applied(rnn.W_h.weights, h)
    read = applied(rnn.W_x.weights, embedded(rnn, token), rnn.W_x.bias)
    nothing = Polynomial()
    return {unit: own.get(unit, nothing) + read.get(unit, nothing) for unit in rnn.units}


def advanced(rnn: RNN, h: Values, token: str, region: Region) -> dict[str, Polynomial]:
    """The next state, by unit, where `token` is read."""
    return {unit: region.saturated(x) for unit, x in arguments(rnn, h, token).items()}


POWER = "2 ** (-i)"
"""The one position encoding, as a tree is written, that is no polynomial in i."""


@dataclass(frozen=True)
class Place:
    """A position, or a step, i: i itself and 2^-i."""

    index: Polynomial
    halved: Polynomial

    @staticmethod
    def called(name: str) -> Place:
        """One of which nothing else is known."""
        return Place(Polynomial.atom(name), Polynomial.atom(halved(name)))

    @property
    def next(self) -> Place:
        return Place(self.index + Polynomial.number(1), Polynomial.number(fmpq(1, 2)) * self.halved)


def halved(name: str) -> str:
    """The atom for 2^-i, where `name` is that for i."""
    return f"2^-{name}"


def position(encoding: Mapping[str, Expression], at: Place) -> dict[str, Polynomial]:
    """A position encoding at a place; Underivable for functions of i but multiples of it and 2^-i."""
    return {name: _encoded(scalar, at) for name, scalar in encoding.items()}


def _encoded(scalar: Expression, at: Place) -> Polynomial:
    return at.halved if ast.unparse(scalar.tree) == POWER else weight(scalar).replaced({"i": at.index})


def moved(vector: Values, name: str, to: Place) -> dict[str, Polynomial]:
    """What is known at the place that is called so, at another one."""
    values = {name: to.index, halved(name): to.halved}
    return {row: value.replaced(values) for row, value in vector.items()}


@dataclass(frozen=True)
class Distance:
    """factor * (there - here) of two places, or of their 2^-i where `halves`; the factor is not 0."""

    factor: fmpq
    halves: bool


def distance(score: Polynomial, here: Place, name: str) -> Distance | None:
    """What a score is, if it is a distance from `here` to the place that is called so."""
    there = Place.called(name)
    for atom, away, halves in (
        (name, there.index - here.index, False),
        (halved(name), there.halved - here.halved, True),
    ):
        factor = dict(score.terms).get((atom,), fmpq(0))
        if factor != 0 and score == Polynomial.number(factor) * away:
            return Distance(factor, halves)
    return None


def adds_nothing(head: Head) -> bool:
    """Whether its values are 0 whatever it looks at."""
    maps = (head.W_V,) if head.W_O is None else (head.W_V, head.W_O)
    return any(all(weight(x) == Polynomial() for row in rows.values() for x in row.values()) for rows in maps)


def scored(head: Head, query: Values, key: Values) -> Polynomial:
    """q.k of two vectors of the residual stream, without the scale, and whatever is done with it."""
    queries, keys = applied(head.W_Q, query), applied(head.W_K, key)
    return total(queries[row] * keys[row] for row in queries if row in keys)


def valued(head: Head, vector: Values) -> dict[str, Polynomial]:
    values = applied(head.W_V, vector)
    return values if head.W_O is None else applied(head.W_O, values)


def linear(weights: Linear, values: Values) -> dict[str, Polynomial]:
    return applied(weights.weights, values, weights.bias)


def joined(looked: Iterable[Values], vector: Values, residual: bool) -> dict[str, Polynomial]:
    """What heads add, with the vector in front of them where the residual connection is not cut."""
    return added(*looked, vector) if residual else added(*looked)


def fed_forward(
    layer: Layer, vector: Values, activated: Callable[[Activation, Polynomial], Polynomial]
) -> tuple[Values, Values]:
    """The hidden units of a layer's feed-forward network, none where it has none, and the vector behind it."""
    network = layer.feed_forward
    if network is None:
        return {}, vector
    values = linear(network.first, vector)
    if network.gate is None:
        hidden = {unit: activated(network.activation, x) for unit, x in values.items()}
    else:
        gates = linear(network.gate, vector)
        hidden = {unit: activated(network.activation, gates[unit]) * x for unit, x in values.items()}
    return hidden, joined((linear(network.second, hidden),), vector, layer.feed_forward_residual)


def require_saturated(layer: Layer) -> None:
    """Underivable where the feed-forward network has another activation, or a gate."""
    if layer.feed_forward is None:
        return
    DERIVATION.require_ungated(layer.feed_forward)
    if layer.feed_forward.activation != "saturated-linear":
        raise Underivable(f"the activation {layer.feed_forward.activation}")


def require_bare(layer: Layer) -> None:
    """Underivable where it has norms, or heads with more than scores and a mask."""
    if layer.norms:
        raise Underivable("layers with norms")
    for head in (*layer.heads, *layer.cross_heads):
        DERIVATION.require_plain(head)


def require_hardmax(head: Head, region: Region) -> None:
    """Underivable for softmax, for other choices than are known, and where the scale may not be positive."""
    DERIVATION.require_known(head)
    if DERIVATION.is_soft(head.normaliser):
        raise Underivable("attention by softmax")
    scale = weight(head.scale)
    if not region.is_positive(scale):
        raise Underivable(f"the sign of the scale {scale}")


def added(*vectors: Values) -> dict[str, Polynomial]:
    found: dict[str, Polynomial] = {}
    for vector in vectors:
        for name, value in vector.items():
            found[name] = found.get(name, Polynomial()) + value
    return found
