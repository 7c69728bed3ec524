"""One step of an encoder-decoder from a vector that is known as polynomials in atoms, at a generic step t.

Attention by hardmax has these rules, and no other. Of every head:

    nothing    its values are 0 whatever it looks at

Of a cross head:

    mean       all scores that are seen are the same: the mean of the values, which is by the shares of the tokens
    token      the scores depend on the token alone, and that of the token at min(t, n-1) is greater than those of all
               others that are seen: the value of that token
    position   the scores are -|c (j - t)|, or -|c (2^-j - 2^-t)|, with c not 0, over all positions j = 0 ... n-1: they
               are greatest at min(t, n-1) alone, so the value there

Of a head that looks at steps:

    own        the score of the step itself is greater than that of every earlier one, s: it is 0, and theirs are
               -|c (s - t)| or -|c (2^-s - 2^-t)|, with c not 0; or it is q.k, and theirs are less by a multiple of
               t - s or of 2^-s - 2^-t: so the value of the step itself
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import EncoderDecoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import parts
from weightproof.symbolic.machines.encoder import LOOKING, POSITION, Memory, encoded
from weightproof.symbolic.machines.parts import Place, added
from weightproof.symbolic.machines.polynomial import Polynomial, Region
from weightproof.symbolic.machines.recurrent import Values

EARLIER = "s"
"""The name of an earlier step, whichever it is."""
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
    """What a cross head does at a step. rule: which of those above; scores: of each token seen, at position j, q.k
    without the scale, of -|q.k| what stands between the bars; values: of each token seen, there; added: what the head
    adds. Where the rule is nothing, no scores are derived."""

    rule: str
    scores: Mapping[str, Polynomial]
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


def unknown(name: str) -> Polynomial:
    """What stands in a coordinate at an earlier step, where that is not known."""
    return Polynomial.atom(f"{name}\n")  # no name that can be printed


def step(network: EncoderDecoder, vector: Values, earlier: Values, moment: Moment) -> dict[str, Polynomial]:
    """The output vector of a step whose input is `vector`, as `layer_steps` has it."""
    layers = layer_steps(network, vector, earlier, moment)
    return dict(layers[-1].output if layers else vector)


def layer_steps(network: EncoderDecoder, vector: Values, earlier: Values, moment: Moment) -> tuple[LayerStep, ...]:
    """What each layer makes at a step whose input is `vector`; Underivable where no rule covers a part.

    earlier: the input of each earlier step, in terms of EARLIER; `unknown` where it is not known.
    """
    made: list[LayerStep] = []
    memory = encoded(network.encoder, dict.fromkeys((*moment.shares, *moment.others)), moment.region)
    for layer in network.layers:
        made.append(_layer(layer, memory, vector, earlier, moment))
        vector = made[-1].output
        earlier = _kept(layer, earlier, network.coordinates)
    return tuple(made)


def next_input(network: EncoderDecoder, output: Values, step: Place) -> dict[str, Polynomial]:
    """The input of the step after `step`, from the output vector of that one."""
    return added(parts.linear(network.feedback, output), parts.position(network.PE, step.next))


def _layer(layer: Layer, memory: Memory, vector: Values, earlier: Values, moment: Moment) -> LayerStep:
    parts.require_no_norms(layer)
    looked = [_look_back(head, vector, earlier, moment) for head in layer.heads]
    stepped = attended = added(*looked, vector) if layer.attention_residual else added(*looked)
    looks = tuple(_look(head, memory, stepped, moment) for head in layer.cross_heads)
    if looks:
        found = [look.added for look in looks]
        attended = added(*found, stepped) if layer.cross_residual else added(*found)
    if layer.feed_forward is None:
        return LayerStep(stepped, looks, attended, {}, attended)
    hidden = parts.hidden_units(layer.feed_forward, attended, moment.region.saturated)
    update = parts.linear(layer.feed_forward.second, hidden)
    output = added(update, attended) if layer.feed_forward_residual else update
    return LayerStep(stepped, looks, attended, hidden, output)


def _kept(layer: Layer, earlier: Values, coordinates: Collection[str]) -> Values:
    """What is known of earlier steps behind a layer: what no part of it adds to, where no residual is cut."""
    written = {
        row for head in (*layer.heads, *layer.cross_heads) for row in (head.W_V if head.W_O is None else head.W_O)
    }
    if layer.feed_forward is not None:
        written |= {*layer.feed_forward.second.weights, *layer.feed_forward.second.bias}
    if not (layer.attention_residual and layer.cross_residual and layer.feed_forward_residual):
        written = set(coordinates)
    return {**earlier, **{row: unknown(row) for row in written}}


def _look_back(head: Head, vector: Values, earlier: Values, moment: Moment) -> Values:
    """What a head adds that looks at this step and earlier ones."""
    if parts.adds_nothing(head):
        return {}
    parts.require_hardmax(head, moment.region)
    own, other = parts.scored(head, vector, vector), parts.scored(head, vector, earlier)
    if head.score == "-|dot|":
        found = own == Polynomial() and parts.distance(other, moment.step, EARLIER) is not None
    else:
        less = parts.distance(own - other, moment.step, EARLIER)
        # c (s - t) with c < 0, or c (2^-s - 2^-t) with c > 0; s < t
        found = less is not None and (less.factor > 0) == less.halves
    if not found:
        raise Underivable("heads that may look at earlier steps")
    return parts.valued(head, vector)


def _look(head: Head, memory: Memory, vector: Values, moment: Moment) -> Look:
    """What a cross head does."""
    if parts.adds_nothing(head):
        return Look("nothing", {}, {}, {})
    parts.require_hardmax(head, moment.region)
    seen = (*moment.shares, *(() if head.mask == "causal" else moment.others))
    scores = {token: parts.scored(head, vector, memory[token]) for token in seen}
    values = {token: parts.valued(head, memory[token]) for token in seen}
    if head.score == "-|dot|":
        if not _finds_the_step(scores, moment) or head.mask == "causal":
            raise Underivable("-|q.k| that is no multiple of j - t or of 2^-j - 2^-t")
        return Look("position", scores, values, parts.moved(values[moment.token], POSITION, moment.place))
    where = {POSITION, parts.halved(POSITION)}
    if any(where & each.atoms for each in (*scores.values(), *(x for row in values.values() for x in row.values()))):
        raise Underivable("scores or values that depend on the position")
    best = scores[moment.token]
    if all(score == best for score in scores.values()):
        if set(seen) != set(moment.shares):
            raise Underivable("the mean over all positions")
        shared = [{row: moment.shares[token] * x for row, x in value.items()} for token, value in values.items()]
        return Look("mean", scores, values, added(*shared))
    for token, score in scores.items():
        if token != moment.token and not moment.region.is_positive(best - score):
            raise Underivable(f"{moment.name}: whether {moment.token!r} has a greater score than {token!r}")
    return Look("token", scores, values, values[moment.token])


def _finds_the_step(scores: Mapping[str, Polynomial], moment: Moment) -> bool:
    """Whether all scores are one distance: behind the word, another factor of an earlier token could make its score
    greater than the last one's."""
    found = scores[moment.token]
    same = all(score == found for score in scores.values())
    return same and parts.distance(found, moment.step, POSITION) is not None
