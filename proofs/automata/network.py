"""A network as what an automaton shows: the residual stream at every kind of position, layer by layer, and the logit as
a sum over positions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import cast

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata.attention import READING, Asks, Mean, number_row, seen_by
from weightproof.proofs.automata.means import Share, behind_means, of_one_weight, shares_of
from weightproof.proofs.automata.runs import Edge, Runs, every_word
from weightproof.proofs.automata.units import activated, fed_forward, linear
from weightproof.proofs.automata.values import (
    NOTHING,
    ONE,
    Between,
    Polynomial,
    Row,
    added,
    period,
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
        takes = any(_taken(edge)[1] for edge in seen.edges)
        if alone and takes and (layer.feed_forward is None or layer.feed_forward.activation in PIECEWISE):
            return _with_means(seen, layer, network, location)
        if alone and takes:
            seen = _seen(runs, layer, _everywhere, width, parameters, location)
        runs = behind_means(seen, layer, width, location) if takes else _behind(seen, layer, asks, width, location)
        runs = runs.merged()
    return _read_out(runs, network, width)


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
        for residue in range(period((each,), width)):
            scalar(each, width, residue, set())


def _embedded(network: Encoder, runs: Runs, width: int) -> Runs:
    repeated = period(network.embedding.PE.values(), width)

    def row(edge: Edge, residue: int) -> Row:
        word = {name: scalar(each, width) for name, each in network.embedding.WE.get(edge.token, {}).items()}
        places = {name: scalar(each, width, residue, set()) for name, each in network.embedding.PE.items()}
        return added(row_of(word), row_of(places))

    return runs.remembering(
        0,
        lambda residue, _: (residue + 1) % repeated,
        lambda edge, residue, _: replace(edge, row=row(edge, residue)),
    )


def _seen(runs: Runs, layer: Layer, asks: Asks, width: int, parameters: Sequence[Parameter], location: str) -> Runs:
    """With two more marks: the stream behind the heads but for what is taken as means, and these; an empty stream where
    a position does not ask."""
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

    return runs.changed(told)


def _taken(edge: Edge) -> tuple[Row, tuple[Mean, ...]]:
    return cast("tuple[Row, tuple[Mean, ...]]", edge.marks[-2:])


def _behind(runs: Runs, layer: Layer, asks: Asks, width: int, location: str) -> Runs:
    """The runs behind a layer without means; the stream is that of the positions that ask."""

    def update(edge: Edge) -> Edge:
        stream, _ = _taken(edge)
        if asks(runs, edge) and layer.feed_forward is not None:
            more = fed_forward(layer.feed_forward, stream, width, location)
            stream = added(stream, more) if layer.feed_forward_residual else more
        return replace(edge, row=stream if asks(runs, edge) else edge.row, marks=edge.marks[:-2])

    return runs.changed(update)


def _read_out(runs: Runs, network: Encoder, width: int) -> Runs:
    """Of rows that finite memories tell."""
    position = network.readout.position
    if READING.reads_all(position):
        whole = (Piece((), Combination.of(NOTHING, {"logit": Between(ONE, ONE)})),)

        def summed(edge: Edge) -> Edge:
            share = Share(Between(ONE, ONE), number_row(linear(network.readout.W, edge.row, width)))
            return replace(edge, row=(), marks=((share,), whole if runs.is_first(edge) else None))

        return runs.changed(summed).merged()
    asks = READ[position]

    def alone(edge: Edge) -> Edge:
        pieces = None
        if asks(runs, edge):
            logit = dict(linear(network.readout.W, edge.row, width)).get("logit", Polynomial()).number
            pieces = (Piece((), Combination(logit)),)
        return replace(edge, row=(), marks=((Share(Between(ONE, ONE), ()),), pieces))

    return runs.changed(alone).merged()


def _with_means(runs: Runs, layer: Layer, network: Encoder, location: str) -> Runs:
    """The last layer, where the position that is read takes means."""
    width, position = len(network.coordinates), network.readout.position
    means = tuple(dict.fromkeys(mean for edge in runs.edges for mean in _taken(edge)[1]))
    shares = shares_of(runs, layer, means, width)
    if position == "first" and not all(mean.whole for mean in means):
        raise AssertionError("the first position sees itself alone, which is no mean")
    taken = tuple(dict.fromkeys(_taken(edge)[1] for edge in runs.edges if READ[position](runs, edge)))
    together = [tuple(means.index(mean) for mean in each) for each in taken]
    if not all(of_one_weight(layer, shares.values(), means, places) for places in together if places):
        raise Underivable(f"{location}: means with different weights")

    def shared(edge: Edge) -> tuple[Share, ...]:
        return tuple(
            Share(shares[edge][places[0]].weight, added(*(shares[edge][place].values for place in places)))
            if places
            else Share(Between(ONE, ONE), ())
            for places in together
        )

    networks = [] if layer.feed_forward is None else [layer.feed_forward.first]
    spoken = {name for each in (*networks, network.readout.W) for row in each.weights.values() for name in row}
    names = [
        sorted({name for edge in runs.edges for name, _ in shared(edge)[number].values}) for number in range(len(taken))
    ]

    def pieces(edge: Edge) -> tuple[Piece, ...] | None:
        if not READ[position](runs, edge):
            return None
        stream, own = _taken(edge)
        number = taken.index(own)
        row = [(name, value) for name, value in stream if name in spoken]
        constants = {name: (value.at_start() if runs.is_first(edge) else value).number for name, value in row}
        combined = _plus(
            {name: Combination(value) for name, value in constants.items()},
            {name: Combination.of(NOTHING, {name: Between(ONE, ONE)}) for name in names[number]},
        )
        return tuple(replace(each, means=number) for each in _pieces(combined, layer, network, width, location))

    return runs.changed(
        lambda edge: replace(edge, row=(), marks=(*edge.marks[:-2], shared(edge), pieces(edge)))
    ).merged()


Combined = dict[str, Combination]


def _pieces(stream: Combined, layer: Layer, network: Encoder, width: int, location: str) -> list[Piece]:
    """The logit by cases of the signs of what units are given."""
    found = [(tuple[tuple[Combination, int], ...](), stream)]
    if layer.feed_forward is not None:
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
