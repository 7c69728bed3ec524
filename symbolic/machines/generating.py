"""What a decoder reads out at a generic position i, whatever stands before it: shares of tokens are known, and no more.

The heads of the first layer that has any see vectors that depend on a token and its position. They have these rules:

    nothing, mean, token, two    as cross heads have them, of the positions 0 ... i: see `decoder`
    own                          the scores are -|c (j - i)|, or -|c (2^-j - 2^-i)|, with c not 0: the position itself

Behind a layer whose heads look at more than their own position, a vector depends on all that stands before it. There no
other heads are derived.
"""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.schema import Activation, Decoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import parts
from weightproof.symbolic.machines.decoder import Moment, look
from weightproof.symbolic.machines.encoder import POSITION, Memory
from weightproof.symbolic.machines.given import MINUS, Given
from weightproof.symbolic.machines.parts import Place, added
from weightproof.symbolic.machines.polynomial import Polynomial, Region, Saturated, interval
from weightproof.symbolic.machines.recurrent import Values, weight

NOTHING, ONE = Polynomial(), Polynomial.number(1)
MOST_SPLITS = 6


def read_out(network: Decoder, moment: Moment) -> dict[str, Polynomial]:
    """What is read out at a position that holds the moment's token; Underivable where no rule covers a part."""
    memory: Memory | None = {token: _embedded(network, token) for token in moment.shares}
    vector: Values = parts.moved(_embedded(network, moment.token), POSITION, moment.place)
    for number, layer in enumerate(network.layers, start=1):
        parts.require_no_norms(layer)
        heads = [head for head in layer.heads if not parts.adds_nothing(head)]
        if heads and memory is None:
            raise Underivable(f"layer {number}: heads that see what depends on more than a token")
        looked = [] if memory is None else [_looked(network, head, memory, vector, moment) for head in heads]
        vector = _behind(layer, added(*looked, vector) if layer.attention_residual else added(*looked), moment.region)
        memory = None if heads or memory is None else _all_behind(layer, memory, moment.region)
    return parts.linear(network.readout.W, vector)


class Unclear(Underivable):
    """The sign of x, on which the activation of a unit depends, is not known."""

    def __init__(self, x: Polynomial) -> None:
        super().__init__(f"whether {x} is positive")
        self.x = x


def appended(network: Decoder, moment: Moment, splits: int = MOST_SPLITS) -> str:
    """The token of the greatest output, the first one of several; Underivable where that is not known.

    Where the sign of an argument is not known both cases are gone through, so many one inside the other.
    """
    try:
        return _greatest(network, moment)
    except Unclear as unclear:
        if splits == 0 or not isinstance(moment.region, Given):
            raise
        cases = [replace(moment, region=region) for region in moment.region.cases(unclear.x)]
        first, second = (appended(network, case, splits - 1) for case in cases)
        if first != second:
            raise Underivable(f"{unclear}: {first!r} is appended there, and {second!r} elsewhere") from unclear
        return first


def _greatest(network: Decoder, moment: Moment) -> str:
    outputs, region = read_out(network, moment), moment.region
    rows = list(dict.fromkeys((*network.readout.W.weights, *network.readout.W.bias)))
    for number, row in enumerate(rows):
        ahead = [outputs[row] - outputs[other] for other in rows if other != row]
        if all(map(region.is_positive, ahead[:number])) and all(map(region.is_not_negative, ahead[number:])):
            return row
    shown = ", ".join(f"{row!r} {outputs[row]}" for row in rows)
    raise Underivable(f"{moment.name}: which output is the greatest of {shown}")


def _embedded(network: Decoder, token: str) -> Values:
    word = {name: weight(value) for name, value in network.embedding.WE.get(token, {}).items()}
    here = Place.called(POSITION)
    encoding = parts.position(network.embedding.PE, here)
    seen = {"n": here.index + ONE}  # of each position its own
    return added(word, {name: value.replaced(seen) for name, value in encoding.items()})


def _looked(network: Decoder, head: Head, memory: Memory, vector: Values, moment: Moment) -> Values:
    if head.score == "-|dot|":
        parts.require_hardmax(head, moment.region)
        scores = [parts.scored(head, vector, key) for key in memory.values()]
        if any(parts.distance(score, moment.place, POSITION) is None for score in scores):
            raise Underivable("-|q.k| that is no multiple of j - i or of 2^-j - 2^-i")
        return parts.valued(head, vector)
    return look(head, memory, vector, moment, (network.begin, None)).added


def _all_behind(layer: Layer, memory: Memory, region: Region) -> Memory:
    """What every position holds behind a layer whose heads add nothing."""
    halves = parts.halved(POSITION)
    everywhere = Region((*region.simplices, interval(halves, 0, 1)), region.positive | {halves})
    held = memory if layer.attention_residual else {token: {} for token in memory}
    try:
        found = {token: _behind(layer, vector, everywhere) for token, vector in held.items()}
    except Unclear as unclear:
        raise Underivable(f"{unclear}, at every position") from unclear
    for x in (x for vector in found.values() for x in vector.values()):
        if any(isinstance(name, Saturated) and name.argument.atoms & {POSITION, halves} for name in x.atoms):
            # An atom of its own would stand for another number at every position.
            raise Underivable(f"{x}, at every position")
    return found


def _behind(layer: Layer, vector: Values, region: Region) -> Values:
    """Behind the feed-forward network."""
    if layer.feed_forward is None:
        return vector
    given = parts.linear(layer.feed_forward.first, vector)
    hidden = {unit: _activated(layer.feed_forward.activation, x, region) for unit, x in given.items()}
    update = parts.linear(layer.feed_forward.second, hidden)
    return added(update, vector) if layer.feed_forward_residual else update


def _activated(activation: Activation, x: Polynomial, region: Region) -> Polynomial:
    match activation:
        case "saturated-linear":
            return region.saturated(x)
        case "square":
            return x * x
    if region.is_positive(x):
        return x if activation == "relu" else ONE
    if region.is_not_negative(MINUS * x):
        return NOTHING
    raise Unclear(x)
