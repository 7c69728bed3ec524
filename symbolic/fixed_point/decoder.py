"""A step of a decoder whose table holds numbers of positions, kinds and addresses: what it computes, wherever it is.

Of the table it is only known which coordinates hold what (`Layout`); that a table is laid out so is shown elsewhere,
row by row. So whatever is derived here is true of every table that is.
"""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.circuits.family import Layout
from weightproof.constructions.meaning.schema import Activation, Decoder, FeedForward, Head, Layer
from weightproof.constructions.scalars.grammar import expression
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.fixed_point.arithmetic import ONE, ZERO, Arithmetic, Number
from weightproof.symbolic.fixed_point.finite import (
    NOTHING,
    Finite,
    Values,
    applied_linear,
    combined,
    constant,
    summed,
    unknown,
)
from weightproof.symbolic.fixed_point.lookup import KEY, Bits, LookUp, added, looks_up

TOKEN, KIND = "token", "kind"
"""Unknowns of a position: which token stands there, and of which kind the gate is that it writes."""
BIT = (-1, 1)


def bits_of(layout: Layout, address: str) -> Bits:
    """The bits of an address, each beside that of the numbers it is compared with."""
    return tuple(zip(layout.addresses[address], (bit + KEY for bit in layout.number), strict=True))


@dataclass(frozen=True)
class LayerStep:
    """looks: what each head looks up; looked: what they add; attended: the vector behind them; hidden: the units of the
    feed-forward network; output: what the next layer gets. Coordinates that are absent hold 0."""

    looks: tuple[LookUp, ...]
    looked: Values
    attended: Values
    hidden: Values
    output: Values


@dataclass(frozen=True)
class Step:
    """input: the vector at a position; outputs: by token."""

    input: Values
    layers: tuple[LayerStep, ...]
    outputs: Values


def step(network: Decoder, layout: Layout, arithmetic: Arithmetic) -> Step:
    """At every position; Underivable where no rule covers it."""
    if network.final_norm is not None:
        raise Underivable("norms are not read in numbers of s bits")
    given = vector(network, layout, arithmetic)
    stream: Values = given
    layers = []
    for number, layer in enumerate(network.layers, start=1):
        try:
            layers.append(_layer(layer, stream, layout, arithmetic))
        except Underivable as error:
            raise Underivable(f"layer {number}: {error}") from error
        stream = layers[-1].output
    return Step(given, tuple(layers), applied_linear(network.readout.W, stream, arithmetic))


def vector(network: Decoder, layout: Layout, arithmetic: Arithmetic) -> dict[str, Finite]:
    """The input vector: the token's embedding, and then the row of the table."""
    if network.embedding.PE:
        raise Underivable("a position encoding beside a table")

    def number(value: int) -> Number:
        return arithmetic.scalar(expression(value))

    embedded: dict[str, Finite] = {}
    tokens = network.embedding.WE
    for coordinate in dict.fromkeys(name for row in tokens.values() for name in row):
        embedded[coordinate] = unknown(
            TOKEN,
            {token: arithmetic.scalar(row[coordinate]) if coordinate in row else ZERO for token, row in tokens.items()},
        )
    row = {name: constant(number(value)) for name, value in layout.constants.items()}
    row |= {
        name: unknown(KIND, {kind: number(value) for kind, value in kinds.items()})
        for name, kinds in layout.kinds.items()
    }
    for names in (layout.number, *layout.addresses.values()):
        for name in names:
            if name in (TOKEN, KIND) or " at " in name:
                raise Underivable(f"a coordinate is called {name!r}, as is an unknown of another kind")
        row |= {name: unknown(name, {bit: number(bit) for bit in BIT}) for name in names}
    return summed(embedded, row, arithmetic)


def _layer(layer: Layer, stream: Values, layout: Layout, arithmetic: Arithmetic) -> LayerStep:
    if layer.norms or layer.cross_heads:
        raise Underivable("norms and cross heads are not read in numbers of s bits")
    looks, looked = [], dict.fromkeys(stream, NOTHING)
    for head in layer.heads:
        DERIVATION.require_plain(head)
        found = _look(head, stream, layout, arithmetic)
        looks.append(found)
        looked = summed(looked, added(head, stream, found.field, arithmetic), arithmetic)
    attended = summed(looked, stream, arithmetic) if layer.attention_residual else looked
    if layer.feed_forward is None:
        return LayerStep(tuple(looks), looked, attended, {}, attended)
    hidden = hidden_units(layer.feed_forward, attended, arithmetic)
    update = applied_linear(layer.feed_forward.second, hidden, arithmetic)
    output = summed(attended, update, arithmetic) if layer.feed_forward_residual else update
    return LayerStep(tuple(looks), looked, attended, hidden, output)


def _look(head: Head, stream: Values, layout: Layout, arithmetic: Arithmetic) -> LookUp:
    """What a head looks up, by the first address by which it does."""
    reasons = []
    for address in layout.addresses:
        try:
            return looks_up(head, stream, address, bits_of(layout, address), arithmetic)
        except Underivable as error:
            reasons.append(str(error))
    raise Underivable("; ".join(reasons))


def hidden_units(network: FeedForward, values: Values, arithmetic: Arithmetic) -> dict[str, Finite]:
    DERIVATION.require_ungated(network)
    return {
        unit: combined(lambda x: _activated(network.activation, x, arithmetic), value)
        for unit, value in applied_linear(network.first, values, arithmetic).items()
    }


def _activated(activation: Activation, x: Number, arithmetic: Arithmetic) -> Number:
    match activation:
        case "relu":
            return x if arithmetic.sign(x) > 0 else ZERO
        case "step":
            return ONE if arithmetic.sign(x) > 0 else ZERO
        case "identity":
            return x
    raise Underivable(f"the activation {activation!r} is not read in numbers of s bits")
