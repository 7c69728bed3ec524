"""A network as what an automaton shows: the residual stream at every kind of position, layer by layer, and the logit as
a sum over positions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata.attention import (
    READING,
    Asks,
    aims,
    is_mean,
    key_of,
    number_row,
    scores_of,
    seen_by,
    values_of,
    weights_of,
)
from weightproof.proofs.automata.means import Share, behind_means, takes_mean
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
    """The logit where some combinations are at least 0, or at most: 1 or -1."""

    where: tuple[tuple[Combination, int], ...]
    logit: Combination


def share_of(edge: Edge) -> Share:
    share = edge.marks[0]
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
    """The runs of a network, the marks of whose edges are a share and pieces: None but at one position of every word,
    which says what the logit is. Underivable where finite memories do not tell it."""
    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts:
        raise Underivable("only encoders that read out a logit are read as automata")
    if construction.parameters:
        raise Underivable("parameters are not read by automata")
    if network.final_norm is not None or any(layer.norms for layer in network.layers):
        raise Underivable("norms are not read by automata")
    width = len(network.coordinates)
    _require_scalars(network, width)
    runs = _embedded(network, every_word(construction.language.alphabet, network.begin, network.end), width)
    position = network.readout.position
    everywhere = READING.reads_all(position)
    for number, layer in enumerate(network.layers, start=1):
        alone = number == len(network.layers) and not everywhere
        location = f"layer {number}"
        if alone and _takes_means(layer, runs, width, READ[position], location):
            if layer.feed_forward is None or layer.feed_forward.activation in PIECEWISE:
                return _with_means(runs, layer, network, location)
            alone = False
        runs = _after(runs, layer, width, READ[position] if alone else _everywhere, location)
    return _read_out(runs, network, width)


def _require_scalars(network: Encoder, width: int) -> None:
    """Raises Underivable unless every scalar has a value everywhere, also one that nothing reads."""
    for place, each in scalars(network):
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


def _after(runs: Runs, layer: Layer, width: int, asks: Asks, location: str) -> Runs:
    """The runs behind a layer; the stream is that of the positions that ask."""
    means, count = list[Head](), 0
    for index, head in enumerate(layer.heads, start=1):
        if asks is _everywhere and takes_mean(runs, head, width, f"{location}, head {index}"):
            means.append(head)
        else:
            runs, count = seen_by(runs, head, asks, width, f"{location}, head {index}"), count + 1
    before = -count or None

    def update(edge: Edge) -> Edge:
        own, heads = edge.marks[:before], edge.marks[before:] if before else ()
        if not asks(runs, edge):
            return replace(edge, marks=own)
        stream = added(*(edge.row,) * layer.attention_residual, *heads)  # type: ignore[arg-type]
        if means:
            return replace(edge, marks=(*own, edge.row, stream))
        if layer.feed_forward is not None:
            more = fed_forward(layer.feed_forward, stream, width, location)
            stream = added(stream, more) if layer.feed_forward_residual else more
        return replace(edge, row=stream, marks=own)

    runs = runs.changed(update)
    return (behind_means(runs, layer, means, width, location) if means else runs).merged()


def _read_out(runs: Runs, network: Encoder, width: int) -> Runs:
    """Of rows that finite memories tell."""
    position = network.readout.position
    if READING.reads_all(position):
        whole = (Piece((), Combination.of(NOTHING, {"logit": Between(ONE, ONE)})),)

        def summed(edge: Edge) -> Edge:
            share = Share(Between(ONE, ONE), number_row(linear(network.readout.W, edge.row, width)))
            return replace(edge, row=(), marks=(share, whole if runs.is_first(edge) else None))

        return runs.changed(summed).merged()
    asks = READ[position]

    def alone(edge: Edge) -> Edge:
        pieces = None
        if asks(runs, edge):
            logit = dict(linear(network.readout.W, edge.row, width)).get("logit", Polynomial()).number
            pieces = (Piece((), Combination(logit)),)
        return replace(edge, row=(), marks=(Share(Between(ONE, ONE), ()), pieces))

    return runs.changed(alone).merged()


def _takes_means(layer: Layer, runs: Runs, width: int, asks: Asks, location: str) -> bool:
    """Whether a head of the positions that ask takes a mean over all positions."""
    return any(
        any(is_mean(aim) for aim in aims(runs, head, asks, width, f"{location}, head {index}").values())
        for index, head in enumerate(layer.heads, start=1)
        if not (asks is Runs.is_first and READING.is_causal(head.mask))
    )


def _with_means(runs: Runs, layer: Layer, network: Encoder, location: str) -> Runs:
    """The last layer, where the position that is read takes means over all positions."""
    width, position = len(network.coordinates), network.readout.position
    asks = READ[position]
    weights = list[dict[Row, Between]]()
    for index, head in enumerate(layer.heads, start=1):
        where = f"{location}, head {index}"
        if READING.is_causal(head.mask) and position == "first":
            raise Underivable(f"{where}: what the first position holds, beside a mean over all of them")
        found = set(aims(runs, head, asks, width, where).values())
        if len(found) > 1 or not all(map(is_mean, found)):
            raise Underivable(f"{where}: a mean that differs with what stands at the position that is read")
        weights.append(weights_of(found.pop()))

    alike = all(scores_of(head) == scores_of(layer.heads[0]) for head in layer.heads)

    def share(edge: Edge) -> Share:
        own = {by_key[key_of(head, edge.row, width)] for head, by_key in zip(layer.heads, weights, strict=True)}
        if len(own) > 1 or not (alike or all(weight.is_exact for weight in own)):
            raise Underivable(f"{location}: means with different weights")
        values = (number_row(values_of(head, edge.row, width)) for head in layer.heads)
        return Share(own.pop(), added(*values))

    networks = [] if layer.feed_forward is None else [layer.feed_forward.first]
    spoken = {name for each in (*networks, network.readout.W) for row in each.weights.values() for name in row}
    names = sorted({name for edge in runs.edges for name, _ in share(edge).values})
    means = {name: Combination.of(NOTHING, {name: Between(ONE, ONE)}) for name in names}

    def pieces(edge: Edge) -> tuple[Piece, ...] | None:
        if not asks(runs, edge):
            return None
        row = [(name, value) for name, value in edge.row if name in spoken and layer.attention_residual]
        own = {name: (value.at_start() if runs.is_first(edge) else value).number for name, value in row}
        stream = _plus({name: Combination(value) for name, value in own.items()}, means)
        return tuple(_pieces(stream, layer, network, width, location))

    return runs.changed(lambda edge: replace(edge, row=(), marks=(share(edge), pieces(edge)))).merged()


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
