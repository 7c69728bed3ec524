"""A network as what an automaton shows: the residual stream at every kind of position, layer by layer, and the logit as
a sum over positions."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import cast

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata.attention import READING, Asks, Mean, number_row, seen_by
from weightproof.proofs.automata.means import forgotten, of_one_weight, taking, through_units
from weightproof.proofs.automata.runs import Edge, Runs, Share, every_word
from weightproof.proofs.automata.units import activated, linear
from weightproof.proofs.automata.values import (
    NOTHING,
    ONE,
    Between,
    Polynomial,
    Repetition,
    Row,
    Taken,
    added,
    repetition,
    row_of,
    scalar,
)
from weightproof.symbolic.algebra.definedness import scalars
from weightproof.symbolic.algebra.vocabulary import Underivable


@dataclass(frozen=True)
class Combination:
    """A number, and means over all positions, by name, each with a factor."""

    constant: Between
    factors: tuple[tuple[str, Between], ...] = ()

    @staticmethod
    def of(constant: Between, factors: Mapping[str, Between]) -> Combination:
        return Combination(constant, tuple(sorted((k, v) for k, v in factors.items() if v != NOTHING)))

    def __add__(self, other: Combination) -> Combination:
        factors = dict(self.factors)
        for name, factor in other.factors:
            factors[name] = factors.get(name, NOTHING) + factor
        return Combination.of(self.constant + other.constant, factors)

    def scaled(self, by: Between) -> Combination:
        return Combination.of(self.constant * by, {name: factor * by for name, factor in self.factors})

    def on(self, share: Share) -> Between:
        """What a position gives to it, times the weights of all."""
        values = dict(share.values)
        total = self.constant
        for name, factor in self.factors:
            if name in values:
                total += factor * values[name].number
        return total * share.weight


@dataclass(frozen=True)
class Piece:
    """The logit where some combinations are at least 0, or at most: 1 or -1. means: by which of the shares of a
    position."""

    where: tuple[tuple[Combination, int], ...]
    logit: Combination
    means: int = 0


def share_of(edge: Edge, piece: Piece) -> Share:
    shares = edge.marks[0]
    assert isinstance(shares, tuple)
    share = shares[piece.means]
    assert isinstance(share, Share)
    return share


def pieces_of(edge: Edge) -> tuple[Piece, ...]:
    """Those that a position says the logit has; none but at one position of every word."""
    pieces = edge.marks[1]
    assert pieces is None or isinstance(pieces, tuple)
    return pieces or ()


MOST_PIECES = 64
PIECEWISE = ("relu", "abs", "identity")
"""Units of means of which the logit is linear by pieces."""
READ: dict[str, Asks] = {"first": Runs.is_first, "last": Runs.is_last}


def _everywhere(runs: Runs, edge: Edge) -> bool:
    return True


def read(construction: Construction) -> Runs:
    """The runs of a network, the marks of whose edges are shares and pieces: None but at one position of every word,
    which says what the logit is. Underivable where finite memories do not tell it."""
    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts:
        raise Underivable("only encoders that read out a logit are read as automata")
    if network.final_norm is not None or any(layer.norms for layer in network.layers):
        raise Underivable("norms are not read by automata")
    width = len(network.coordinates)
    parameters = construction.parameters
    _require_scalars(network, width, {each.name for each in parameters})
    runs = _embedded(network, every_word(construction.language.alphabet, network.begin, network.end), width)
    position = network.readout.position
    everywhere = READING.reads_all(position)
    for number, layer in enumerate(network.layers, start=1):
        alone = number == len(network.layers) and not everywhere
        location, asks = f"layer {number}", READ[position] if alone else _everywhere
        seen = _seen(runs, layer, asks, width, parameters, location)
        if alone and _holds_means(seen) and layer.feed_forward is not None:
            if layer.feed_forward.activation in PIECEWISE:
                return _read_at_one(seen, layer, network, location)
            alone, seen = False, _seen(runs, layer, _everywhere, width, parameters, location)
        asking = functools.partial(READ[position] if alone else _everywhere, seen)
        runs = forgotten(through_units(seen, layer, asking, width, location)).merged()
    return _read_everywhere(runs, network, width) if everywhere else _read_at_one(runs, None, network, "the readout")


def _holds_means(runs: Runs) -> bool:
    return any(value.means for edge in runs.edges for _, value in edge.row)


def _require_scalars(network: Encoder, width: int, parameters: Set[str]) -> None:
    """Raises Underivable unless every scalar has a value everywhere, also one that nothing reads; those with parameters
    are scales of scores."""
    scales = {head.scale for layer in network.layers for head in layer.heads}
    for place, each in scalars(network):
        if each.names & parameters:
            if each not in scales or not each.names <= {"n", "d", *parameters}:
                raise Underivable(f"{place}: {each} has a parameter, which automata read in scales alone")
            continue
        if each.names <= {"n", "d"}:
            scalar(each, width)
            continue
        if not place.startswith("embedding PE"):
            raise Underivable(f"{place}: {each} depends on more than the length")
        repeated = repetition((each,), width)
        for position in range(repeated.start + repeated.period):
            scalar(each, width, position, Repetition())


def _embedded(network: Encoder, runs: Runs, width: int) -> Runs:
    repeated = repetition(network.embedding.PE.values(), width)
    end = repeated.start + repeated.period

    def row(edge: Edge, position: int) -> Row:
        word = {name: scalar(each, width) for name, each in network.embedding.WE.get(edge.token, {}).items()}
        places = {name: scalar(each, width, position, Repetition()) for name, each in network.embedding.PE.items()}
        return added(row_of(word), row_of(places))

    return runs.remembering(
        0,
        lambda position, _: position + 1 if position + 1 < end else repeated.start,
        lambda edge, position, _: replace(edge, row=row(edge, position)),
    )


def _seen(runs: Runs, layer: Layer, asks: Asks, width: int, parameters: Sequence[Parameter], location: str) -> Runs:
    """The runs behind the heads of a layer; the stream is that of the positions that ask, and empty elsewhere."""
    for number in range(len(layer.heads)):
        runs = seen_by(runs, layer.heads, number, asks, width, parameters, location)
    before = -len(layer.heads) or None

    def told(edge: Edge) -> Edge:
        own, heads = edge.marks[:before], edge.marks[before:] if before else ()
        if not asks(runs, edge):
            return replace(edge, marks=(*own, (), ()))
        means = tuple(each for each in heads if isinstance(each, Mean))
        rows = cast("list[Row]", [each for each in heads if not isinstance(each, Mean)])
        stream = added(*(edge.row,) * layer.attention_residual, *rows)
        return replace(edge, marks=(*own, stream, means))

    return taking(runs.changed(told), layer, width, location)


def _read_everywhere(runs: Runs, network: Encoder, width: int) -> Runs:
    whole = (Piece((), Combination.of(NOTHING, {"logit": Between(ONE, ONE)})),)

    def told(edge: Edge) -> Edge:
        share = Share(Between(ONE, ONE), number_row(linear(network.readout.W, edge.row, width)))
        return replace(edge, row=(), marks=((share,), whole if runs.is_first(edge) else None), shares=())

    return runs.changed(told).merged()


def _read_at_one(runs: Runs, layer: Layer | None, network: Encoder, location: str) -> Runs:
    """The logit at one position, behind the feed-forward network of a layer, if there is one, of units that are linear
    by pieces."""
    width, asks = len(network.coordinates), READ[network.readout.position]
    networks = [] if layer is None or layer.feed_forward is None else [layer.feed_forward.first]
    spoken = {name for each in (*networks, network.readout.W) for row in each.weights.values() for name in row}

    def stream(edge: Edge) -> dict[str, Polynomial]:
        """What is read; at the first position what a mean of those up to it is, is no mean."""
        row = {name: value for name, value in edge.row if name in spoken}
        if runs.is_first(edge):
            row = {name: value.at_start() for name, value in row.items()}
        if asks is Runs.is_first:
            row = {name: value if _is_whole(value) else value.enclosed for name, value in row.items()}
        return row

    def means(edge: Edge) -> tuple[Taken, ...]:
        return tuple(dict.fromkeys(mean for value in stream(edge).values() for mean, _ in value.means))

    together = tuple(dict.fromkeys(means(edge) for edge in runs.edges if asks(runs, edge)))
    if not all(of_one_weight(runs, some) for some in together if some):
        raise Underivable(f"{location}: means with different weights")

    def shared(edge: Edge, some: tuple[Taken, ...]) -> Share:
        if not some:
            return Share(Between(ONE, ONE), ())
        values = {_named(mean): Polynomial.constant(edge.holds(mean)) for mean in some}
        return Share(edge.share_in(some[0]).weight, row_of(values))

    def pieces(edge: Edge) -> tuple[Piece, ...] | None:
        if not asks(runs, edge):
            return None
        combined = {
            name: Combination.of(value.without_means.number, {_named(mean): factor for mean, factor in value.means})
            for name, value in stream(edge).items()
        }
        number = together.index(means(edge))
        return tuple(replace(each, means=number) for each in _pieces(combined, layer, network, width, location))

    def told(edge: Edge) -> Edge:
        shares = tuple(shared(edge, some) for some in together)
        return replace(edge, row=(), marks=(*edge.marks, shares, pieces(edge)), shares=())

    return runs.changed(told).merged()


def _is_whole(value: Polynomial) -> bool:
    return all(mean.whole for mean, _ in value.means)


def _named(mean: Taken) -> str:
    return f"{mean.place} {mean.name}"


Combined = dict[str, Combination]


def _pieces(stream: Combined, layer: Layer | None, network: Encoder, width: int, location: str) -> list[Piece]:
    """The logit by cases of the signs of what units are given."""
    found = [(tuple[tuple[Combination, int], ...](), stream)]
    if layer is not None and layer.feed_forward is not None:
        READING.require_ungated(layer.feed_forward)
        hidden = _combined(layer.feed_forward.first, stream, width)
        choices = [
            [(name, *each) for each in _unit(layer.feed_forward, value, location)] for name, value in hidden.items()
        ]
        found = []
        for some in itertools.product(*choices):
            units = {name: value for name, _, value in some}
            more = _combined(layer.feed_forward.second, units, width)
            total = _plus(stream, more) if layer.feed_forward_residual else more
            found.append((tuple(where for _, where, _ in some if where is not None), total))
            if len(found) > MOST_PIECES:
                raise Underivable(f"{location}: units in more than {MOST_PIECES} cases")
    return [
        Piece(where, _combined(network.readout.W, total, width).get("logit", Combination(NOTHING)))
        for where, total in found
    ]


def _unit(
    network: FeedForward, value: Combination, location: str
) -> list[tuple[tuple[Combination, int] | None, Combination]]:
    """The values of a unit, each with where it is that."""
    if not value.factors:
        return [(None, Combination(activated(network, value.constant, location)))]
    match network.activation:
        case "relu":
            return [((value, 1), value), ((value, -1), Combination(NOTHING))]
        case "abs":
            return [((value, 1), value), ((value, -1), value.scaled(Between.exactly(-1)))]
        case "identity":
            return [(None, value)]
    raise Underivable(f"{location}: the activation {network.activation} of a mean is not read by automata")


def _combined(of: Linear, stream: Combined, width: int) -> Combined:
    total: Combined = {}
    for name in of.rows:
        value = Combination(NOTHING)
        for column, weight in of.weights.get(name, {}).items():
            if column in stream:
                value = value + stream[column].scaled(_weight(weight, width))
        if name in of.bias:
            value = value + Combination(_weight(of.bias[name], width))
        total[name] = value
    return total


def _plus(left: Combined, right: Combined) -> Combined:
    return {
        name: left.get(name, Combination(NOTHING)) + right.get(name, Combination(NOTHING))
        for name in dict.fromkeys((*left, *right))
    }


def _weight(of: Expression, width: int) -> Between:
    return scalar(of, width).number
