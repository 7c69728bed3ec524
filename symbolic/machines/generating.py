"""What a decoder reads out at a generic position i, whatever stands before it: shares of tokens are known, and no more.

The heads of the first layer that has any see vectors that depend on a token and its position. They have these rules:

    nothing, mean, token, two    as cross heads have them, of the positions 0 ... i: see `decoder`
    own                          the scores are -|c (j - i)|, or -|c (2^-j - 2^-i)|, with c not 0: the position itself

Behind a layer whose heads look at more than their own position, a vector depends on all that stands before it. There no
other heads are derived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from weightproof.constructions.meaning.schema import Activation, Decoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import parts
from weightproof.symbolic.machines.decoder import Look, Moment, look
from weightproof.symbolic.machines.encoder import POSITION, Memory
from weightproof.symbolic.machines.given import MINUS, Facts, Given
from weightproof.symbolic.machines.parts import Place, added
from weightproof.symbolic.machines.polynomial import Polynomial, Region, Saturated, interval
from weightproof.symbolic.machines.recurrent import Values, weight

NOTHING, ONE = Polynomial(), Polynomial.number(1)
MOST_SPLITS = 6


@dataclass(frozen=True)
class LayerRead:
    """What a layer makes at a position. looks: of its heads; attended: the vector behind them; hidden: the units of its
    feed-forward network, none where it has none; output: what the next layer gets."""

    looks: tuple[Look, ...]
    attended: Values
    hidden: Values
    output: Values


@dataclass(frozen=True)
class Read:
    """What is made at a position of its input vector; outputs: by token."""

    input: Values
    layers: tuple[LayerRead, ...]
    outputs: Values


@dataclass(frozen=True)
class Case:
    """What is made where, of what the moment says, `where` is so, too."""

    where: Facts
    moment: Moment
    made: Read


def read(network: Decoder, moment: Moment) -> Read:
    """What is made at a position that holds the moment's token; Underivable where no rule covers a part."""
    if network.table is not None:
        raise Underivable("a table, with a row for each position")
    if network.arithmetic is not None:
        raise Underivable(f"numbers of {network.arithmetic.name}, in which every operation is rounded")
    memory: Memory | None = {token: _embedded(network, token) for token in moment.shares}
    given = vector = parts.moved(_embedded(network, moment.token), POSITION, moment.place)
    layers = []
    for number, layer in enumerate(network.layers, start=1):
        parts.require_no_norms(layer)
        if memory is None and not all(map(parts.adds_nothing, layer.heads)):
            raise Underivable(f"layer {number}: heads that see what depends on more than a token")
        looks = tuple(_look(network, head, memory or {}, vector, moment) for head in layer.heads)
        found = [each.added for each in looks]
        attended = added(*found, vector) if layer.attention_residual else added(*found)
        layers.append(_behind(layer, looks, attended, moment.region))
        vector = dict(layers[-1].output)
        hands_on = all(each.rule == "nothing" for each in looks) and memory is not None
        memory = _all_behind(layer, memory, moment.region) if memory is not None and hands_on else None
    return Read(given, tuple(layers), parts.linear(network.readout.W, vector))


class Unclear(Underivable):
    """The sign of x, on which the activation of a unit depends, is not known."""

    def __init__(self, x: Polynomial) -> None:
        super().__init__(f"whether {x} is positive")
        self.x = x


def cases(network: Decoder, moment: Moment, splits: int = MOST_SPLITS, where: Facts = ()) -> Iterator[Case]:
    """All there are: where the sign of an argument is not known both are gone through, so many one inside the other."""
    try:
        made = read(network, moment)
    except Unclear as unclear:
        if splits == 0 or not isinstance(moment.region, Given):
            raise
        facts = ((unclear.x, True), (MINUS * unclear.x, False))
        for region, fact in zip(moment.region.cases(unclear.x), facts, strict=True):
            yield from cases(network, replace(moment, region=region), splits - 1, (*where, fact))
        return
    yield Case(where, moment, made)


def greatest(case: Case) -> dict[str, Facts]:
    """Token -> where its output is the greatest, the first one of several: what is not known of that, nothing where it
    is so for certain. A token is left out that is known not to be appended."""
    outputs, region = case.made.outputs, case.moment.region
    found: dict[str, Facts] = {}
    for number, token in enumerate(outputs):
        ahead = [
            (outputs[token] - outputs[other], place < number) for place, other in enumerate(outputs) if other != token
        ]
        if not any(_is_false(region, fact) for fact in ahead):
            found[token] = tuple(dict.fromkeys(fact for fact in ahead if not _is_true(region, fact)))
    return found


def _is_true(region: Region, fact: tuple[Polynomial, bool]) -> bool:
    x, strict = fact
    return region.is_positive(x) if strict else region.is_not_negative(x)


def _is_false(region: Region, fact: tuple[Polynomial, bool]) -> bool:
    x, strict = fact
    return _is_true(region, (MINUS * x, not strict))


def appended(network: Decoder, moment: Moment, splits: int = MOST_SPLITS) -> str:
    """The token of the greatest output, the first one of several, the same in all cases; Underivable where that is not
    known."""
    found: dict[str, Case] = {}
    for case in cases(network, moment, splits):
        certain = [token for token, facts in greatest(case).items() if not facts]
        if not certain:
            shown = ", ".join(f"{row!r} {output}" for row, output in case.made.outputs.items())
            raise Underivable(f"{moment.name}: which output is the greatest of {shown}")
        found.setdefault(certain[0], case)
        if len(found) > 1:
            first, second = found
            told = " and ".join(f"{x} {'>' if strict else '>='} 0" for x, strict in case.where)
            raise Underivable(f"{second!r} is appended where {told}, and {first!r} elsewhere")
    return next(iter(found))


def _embedded(network: Decoder, token: str) -> Values:
    word = {name: weight(value) for name, value in network.embedding.WE.get(token, {}).items()}
    here = Place.called(POSITION)
    encoding = parts.position(network.embedding.PE, here)
    seen = {"n": here.index + ONE}  # of each position its own
    return added(word, {name: value.replaced(seen) for name, value in encoding.items()})


def _look(network: Decoder, head: Head, memory: Memory, vector: Values, moment: Moment) -> Look:
    if head.score == "-|dot|" and not parts.adds_nothing(head):
        parts.require_hardmax(head, moment.region)
        scores = {token: parts.scored(head, vector, key) for token, key in memory.items()}
        if any(parts.distance(score, moment.place, POSITION) is None for score in scores.values()):
            raise Underivable("-|q.k| that is no multiple of j - i or of 2^-j - 2^-i")
        values = {token: parts.valued(head, held) for token, held in memory.items()}
        return Look("own", scores, values, parts.valued(head, vector))
    return look(head, memory, vector, moment, (network.begin, None))


def _all_behind(layer: Layer, memory: Memory, region: Region) -> Memory:
    """What every position holds behind a layer whose heads add nothing."""
    halves = parts.halved(POSITION)
    everywhere = Region((*region.simplices, interval(halves, 0, 1)), region.positive | {halves})
    held = memory if layer.attention_residual else {token: {} for token in memory}
    try:
        found = {token: _behind(layer, (), vector, everywhere).output for token, vector in held.items()}
    except Unclear as unclear:
        raise Underivable(f"{unclear}, at every position") from unclear
    for x in (x for vector in found.values() for x in vector.values()):
        if any(isinstance(name, Saturated) and name.argument.atoms & {POSITION, halves} for name in x.atoms):
            # An atom of its own would stand for another number at every position.
            raise Underivable(f"{x}, at every position")
    return found


def _behind(layer: Layer, looks: tuple[Look, ...], attended: Values, region: Region) -> LayerRead:
    """Behind the feed-forward network."""
    if layer.feed_forward is None:
        return LayerRead(looks, attended, {}, attended)
    given = parts.linear(layer.feed_forward.first, attended)
    hidden = {unit: _activated(layer.feed_forward.activation, x, region) for unit, x in given.items()}
    update = parts.linear(layer.feed_forward.second, hidden)
    return LayerRead(looks, attended, hidden, added(update, attended) if layer.feed_forward_residual else update)


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
