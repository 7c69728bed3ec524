"""An encoder, and one step of its decoder from a vector that is known as polynomials in atoms, at a generic step t.

Attention by hardmax has these rules, and no other. Of every head:

    nothing    its values are 0 whatever it looks at

Of a cross head:

    mean       all scores that are seen are the same: the mean of the values, which is by the shares of the tokens
    token      the scores depend on the token alone, and that of one that stands somewhere is greater than those of all
               others that are seen, but for those that have the same score and the same value: the value of that
               token. There stand the token at min(t, n-1), the first marker, and, without a mask, the last one
    two        the scores depend on the token alone, each is one of two, of which one is D more than the other, and has
               a token that stands somewhere; tokens of one score have one value, and these differ by c D: so the value
               of the other, and c max(0, D)
    position   the scores are -|c (j - t)|, or -|c (2^-j - 2^-t)|, with c not 0, over all positions j = 0 ... n-1: they
               are greatest at min(t, n-1) alone, so the value there

Of a head that looks at steps:

    own        the score of the step itself is greater than that of every earlier one, s: it is 0, and theirs are
               -|c (s - t)| or -|c (2^-s - 2^-t)|, with c not 0; or it is q.k, and theirs are less by a multiple of
               t - s or of 2^-s - 2^-t: so the value of the step itself. So it is at step 0, which sees no other
    two        where step 0 is told apart from the earlier ones: the score of the step itself is as above but for step
               0, and D more than that of step 0; the sign of D is known, or the values differ by c D: so the value of
               one of the two, or that of step 0, and c max(0, D). The scores are q.k

The vector of a position of the encoder depends on its token and on the position alone. Of the encoder's heads:

    nothing    as above
    own        the scores are -|c (j - i)|, or -|c (2^-j - 2^-i)|, with c not 0, whatever the tokens at i and j are:
               they are greatest at j = i alone, so the value of the position itself
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import Encoder, EncoderDecoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.simulation import parts
from weightproof.symbolic.simulation.parts import Place, added, weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Unknown, Values, interval, looked_at

POSITION, LOOKING = "j", "i"
"""The names of a place of the encoder, and of one that looks at it."""
Memory = Mapping[str, Values]
"""Token -> what the encoder gives of it at the place POSITION."""


def encoded(encoder: Encoder, tokens: Iterable[str], region: Region) -> Memory:
    """The output of the encoder on words of these tokens; Underivable where no rule covers a part."""
    halved = parts.halved(POSITION)
    region = Region((*region.simplices, interval(halved, 0, 1)), region.positive | {halved})
    memory: Memory = {token: _embedded(encoder, token) for token in tokens}
    for layer in encoder.layers:
        parts.require_bare(layer)
        for head in layer.heads:
            if not parts.adds_nothing(head):
                _require_own(head, memory, region)
        memory = {token: _behind(layer, vector, region) for token, vector in memory.items()}
    return memory


def _embedded(encoder: Encoder, token: str) -> Values:
    word = {name: weight(value) for name, value in encoder.embedding.WE.get(token, {}).items()}
    return added(word, parts.position(encoder.embedding.PE, Place.called(POSITION)))


def _require_own(head: Head, memory: Memory, region: Region) -> None:
    """Underivable where a head may look elsewhere than at its own position."""
    parts.require_hardmax(head, region)
    here = Place.called(LOOKING)
    for query, key in itertools.product(memory.values(), repeat=2):
        score = parts.scored(head, parts.moved(query, POSITION, here), key)
        if not DERIVATION.is_less_size(head.score) or parts.distance(score, here, POSITION) is None:
            raise Underivable("encoder heads that may look elsewhere than at their own position")


def _behind(layer: Layer, vector: Values, region: Region) -> Values:
    """The vector behind a layer of which each head looks at its own position, or adds nothing."""
    looked = [parts.valued(head, vector) for head in layer.heads]
    vector = parts.joined(looked, vector, layer.attention_residual)

    def saturated(x: Polynomial) -> Polynomial:
        value = region.saturated(x)
        if not value.atoms <= x.atoms and x.atoms & {POSITION, parts.halved(POSITION)}:
            # An atom of its own would stand for another number at every position.
            raise Underivable(f"min(1, max(0, {x})) in the encoder, at every position")
        return value

    parts.require_saturated(layer)
    return parts.fed_forward(layer, vector, lambda _, x: saturated(x))[1]


EARLIER = "s"
"""The name of an earlier step, whichever it is."""
AT_0 = {EARLIER: Polynomial(), parts.halved(EARLIER): Polynomial.number(1)}
TAKEN = frozenset(name for place in (POSITION, LOOKING, EARLIER) for name in (place, parts.halved(place)))
"""What no unit and no number may be called."""


@dataclass(frozen=True)
class Moment:
    """What is known of a step t and of the word.

    step is t. token: the one at position min(t, n-1), which is `place`. shares: of each token that may stand at the
    positions 0 ... place, its share of them. others: the tokens that may stand behind.
    """

    name: str
    token: str
    step: Place
    place: Place
    shares: Mapping[str, Polynomial]
    others: tuple[str, ...]
    region: Region


@dataclass(frozen=True)
class Look:
    """What a cross head does at a step. rule: which of those above; products: of each token seen, at position j, q.k,
    from which the scale and the bars of -|q.k| make a score; values: of each token seen, there; added: what the head
    adds. Where the rule is nothing, no products are derived."""

    rule: str
    products: Mapping[str, Polynomial]
    values: Mapping[str, Values]
    added: Values


@dataclass(frozen=True)
class LayerStep:
    """What a layer makes at a step. stepped: the vector after the heads that look at steps; looks: of its cross heads;
    attended: the vector after these; hidden: the units of its feed-forward network, none where it has none; output:
    what the next layer gets."""

    stepped: Values
    looks: tuple[Look, ...]
    attended: Values
    hidden: Values
    output: Values


@dataclass(frozen=True)
class Past:
    """What a head sees of earlier steps: each of them in terms of EARLIER, and step 0 where it is not one of these."""

    earlier: Values
    first: Values | None


def unknown(name: str) -> Polynomial:
    """What stands in a coordinate at an earlier step, where that is not known."""
    return Polynomial.atom(Unknown(name))


def step(
    network: EncoderDecoder, vector: Values, earlier: Values, moment: Moment, first: Sequence[Values] = ()
) -> dict[str, Polynomial]:
    """The output vector of a step whose input is `vector`, as `layer_steps` has it."""
    layers = layer_steps(network, vector, earlier, moment, first)
    return dict(layers[-1].output if layers else vector)


def layer_steps(
    network: EncoderDecoder, vector: Values, earlier: Values, moment: Moment, first: Sequence[Values] = ()
) -> tuple[LayerStep, ...]:
    """What each layer makes at a step whose input is `vector`; Underivable where no rule covers a part.

    earlier: the input of each earlier step, in terms of EARLIER; `unknown` where it is not known. first: the input of
    each layer at step 0, where that is not what `earlier` says.
    """
    made: list[LayerStep] = []
    memory = encoded(network.encoder, dict.fromkeys((*moment.shares, *moment.others)), moment.region)
    markers = (network.encoder.begin, network.encoder.end)
    for number, layer in enumerate(network.layers):
        past = Past(earlier, first[number] if first else None)
        made.append(_layer(layer, memory, vector, past, moment, markers))
        vector = made[-1].output
        earlier = _kept(layer, earlier, network.coordinates)
    return tuple(made)


def inputs_of_layers(network: EncoderDecoder, vector: Values, moment: Moment) -> tuple[Values, ...]:
    """The input of each layer at step 0, whose input is `vector`; Underivable as above."""
    return (vector, *(made.output for made in layer_steps(network, vector, {}, moment)))[: len(network.layers)]


def next_input(network: EncoderDecoder, output: Values, step: Place) -> dict[str, Polynomial]:
    """The input of the step after `step`, from the output vector of that one."""
    return added(parts.linear(network.feedback, output), parts.position(network.PE, step.next))


def _layer(
    layer: Layer, memory: Memory, vector: Values, past: Past, moment: Moment, markers: tuple[str | None, str | None]
) -> LayerStep:
    parts.require_bare(layer)
    looked = [_look_back(head, vector, past, moment) for head in layer.heads]
    stepped = attended = parts.joined(looked, vector, layer.attention_residual)
    looks = tuple(look(head, memory, stepped, moment, markers) for head in layer.cross_heads)
    if looks:
        attended = parts.joined([look.added for look in looks], stepped, layer.cross_residual)
    parts.require_saturated(layer)
    hidden, output = parts.fed_forward(layer, attended, lambda _, x: moment.region.saturated(x))
    return LayerStep(stepped, looks, attended, hidden, output)


def _kept(layer: Layer, earlier: Values, coordinates: Collection[str]) -> Values:
    """What is known of earlier steps behind a layer: what no part of it adds to, where no residual is cut."""
    written = {
        row for head in (*layer.heads, *layer.cross_heads) for row in (head.W_V if head.W_O is None else head.W_O)
    }
    if layer.feed_forward is not None:
        written |= set(layer.feed_forward.second.rows)
    if not (layer.attention_residual and layer.cross_residual and layer.feed_forward_residual):
        written = set(coordinates)
    return {**earlier, **{row: unknown(row) for row in written}}


def _look_back(head: Head, vector: Values, past: Past, moment: Moment) -> Values:
    """What a head adds that looks at this step and earlier ones."""
    if parts.adds_nothing(head):
        return {}
    parts.require_hardmax(head, moment.region)
    value = parts.valued(head, vector)
    if moment.step.index == Polynomial():
        return value
    own, other = parts.scored(head, vector, vector), parts.scored(head, vector, past.earlier)
    if DERIVATION.is_less_size(head.score):
        found = own == Polynomial() and parts.distance(other, moment.step, EARLIER) is not None
    else:
        less = parts.distance(own - other, moment.step, EARLIER)
        # c (s - t) with c < 0, or c (2^-s - 2^-t) with c > 0; s < t
        found = less is not None and (less.factor > 0) == less.halves
    if not found:
        raise Underivable("heads that may look at earlier steps")
    if past.first is None:
        return value
    at_first = parts.scored(head, vector, past.first)
    if at_first == other.replaced(AT_0):
        return value
    chosen = None
    if not DERIVATION.is_less_size(head.score):
        chosen = looked_at(value, parts.valued(head, past.first), own - at_first, moment.region)
    if chosen is None:
        raise Underivable(f"{moment.name}: whether a head looks at this step or at step 0")
    return chosen


def look(head: Head, memory: Memory, vector: Values, moment: Moment, markers: tuple[str | None, str | None]) -> Look:
    """What a cross head does, or any head of values that depend on a token alone."""
    if parts.adds_nothing(head):
        return Look("nothing", {}, {}, {})
    parts.require_hardmax(head, moment.region)
    seen = (*moment.shares, *(() if DERIVATION.is_causal(head.mask) else moment.others))
    scores = {token: parts.scored(head, vector, memory[token]) for token in seen}
    values = {token: parts.valued(head, memory[token]) for token in seen}
    if DERIVATION.is_less_size(head.score):
        if not _finds_the_step(scores, moment) or DERIVATION.is_causal(head.mask):
            raise Underivable("-|q.k| that is no multiple of j - t or of 2^-j - 2^-t")
        return Look("position", scores, values, parts.moved(values[moment.token], POSITION, moment.place))
    where = {POSITION, parts.halved(POSITION)}
    if any(where & each.atoms for each in (*scores.values(), *(x for row in values.values() for x in row.values()))):
        raise Underivable("scores or values that depend on the position")
    same = len(set(scores.values())) == 1
    if same and set(seen) == set(moment.shares):
        shared = [{row: moment.shares[token] * x for row, x in value.items()} for token, value in values.items()]
        return Look("mean", scores, values, added(*shared))
    certain = (moment.token, *(markers[:1] if DERIVATION.is_causal(head.mask) else markers))
    standing = [token for token in dict.fromkeys(certain) if token in scores]
    for token in standing:
        if _is_best(token, scores, values, moment.region):
            return Look("token", scores, values, values[token])
    if same:
        raise Underivable("the mean over all positions")
    chosen = _of_two(standing, scores, values, moment.region)
    if chosen is None:
        best = scores[moment.token]
        other = next(x for x in seen if x != moment.token and not moment.region.is_positive(best - scores[x]))
        raise Underivable(f"{moment.name}: whether {moment.token!r} has a greater score than {other!r}")
    return Look("two", scores, values, chosen)


def _is_best(token: str, scores: Mapping[str, Polynomial], values: Mapping[str, Values], region: Region) -> bool:
    """Whether its value is that of all tokens of the greatest score."""

    def alike(other: str) -> bool:
        return scores[other] == scores[token] and values[other] == values[token]

    return all(alike(other) or region.is_positive(scores[token] - scores[other]) for other in scores)


def _of_two(
    standing: Collection[str], scores: Mapping[str, Polynomial], values: Mapping[str, Values], region: Region
) -> Values | None:
    """What is brought where there are two scores, and values, and both stand somewhere; None where that is not so, or
    not known."""
    kinds = [(scores[token], values[token]) for token in standing]
    kinds = [kind for number, kind in enumerate(kinds) if kind not in kinds[:number]]
    if len(kinds) != 2 or any((scores[token], values[token]) not in kinds for token in scores):
        return None
    (score, value), (other_score, other_value) = kinds
    return looked_at(value, other_value, score - other_score, region)


def _finds_the_step(scores: Mapping[str, Polynomial], moment: Moment) -> bool:
    """Whether all scores are one distance: behind the word, another factor of an earlier token could make its score
    greater than the last one's."""
    found = scores[moment.token]
    same = all(score == found for score in scores.values())
    return same and parts.distance(found, moment.step, POSITION) is not None
