"""One step of an encoder-decoder from a vector that is known as polynomials in atoms, at a generic step t.

Cross attention by hardmax has three rules, and no other:

    mean       all scores that are seen are the same: the mean of the values, which is by the shares of the tokens
    token      the scores depend on the token alone, and that of the token at min(t, n-1) is greater than those of all
               others that are seen: the value of that token
    position   the scores are -|c (j - t)| with c not 0, over all positions j = 0 ... n-1: they are greatest at
               min(t, n-1) alone, so the value there
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.schema import Encoder, EncoderDecoder, FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines.polynomial import Polynomial, Region, total
from weightproof.symbolic.machines.recurrent import Values, applied, weight

POSITION = "j"
"""The atom for the position of a key."""


@dataclass(frozen=True)
class Moment:
    """What is known of a step t and of the word.

    step is t. token: the one at position min(t, n-1), which is `place`. shares: of each token that may stand at the
    positions 0 ... place, its share of them. others: the tokens that may stand behind.
    """

    name: str
    token: str
    step: Polynomial
    place: Polynomial
    shares: Mapping[str, Polynomial]
    others: tuple[str, ...]
    region: Region


def step(network: EncoderDecoder, vector: Values, moment: Moment) -> dict[str, Polynomial]:
    """The output vector of a step whose input is `vector`; Underivable where no rule covers a part."""
    if network.encoder.layers:
        raise Underivable("encoders with layers")
    for layer in network.layers:
        vector = _layer(layer, network, vector, moment)
    return dict(vector)


def next_input(network: EncoderDecoder, output: Values, step: Polynomial) -> dict[str, Polynomial]:
    """The input of the step after `step`, from the output vector of that one."""
    return _sum(_linear(network.feedback, output), position(network.PE, step + Polynomial.number(1)))


def position(encoding: Mapping[str, Expression], at: Polynomial) -> dict[str, Polynomial]:
    """A position encoding, where i is `at`."""
    return {name: weight(scalar).replaced({"i": at}) for name, scalar in encoding.items()}


def _layer(layer: Layer, network: EncoderDecoder, vector: Values, moment: Moment) -> Values:
    if layer.heads or layer.attention_norm or layer.cross_norm or layer.feed_forward_norm:
        raise Underivable("heads that look at earlier steps, and norms")
    if not layer.attention_residual:  # nothing attends, so nothing is left
        vector = {}
    if layer.cross_heads:
        looked = [_look(head, network.encoder, vector, moment) for head in layer.cross_heads]
        vector = _sum(*looked, vector) if layer.cross_residual else _sum(*looked)
    if layer.feed_forward is not None:
        added = _feed_forward(layer.feed_forward, vector, moment.region)
        vector = _sum(added, vector) if layer.feed_forward_residual else added
    return vector


def _feed_forward(network: FeedForward, vector: Values, region: Region) -> dict[str, Polynomial]:
    if network.activation != "saturated-linear":
        raise Underivable(f"the activation {network.activation}")
    hidden = {unit: region.saturated(x) for unit, x in _linear(network.first, vector).items()}
    return _linear(network.second, hidden)


def _look(head: Head, encoder: Encoder, vector: Values, moment: Moment) -> Values:
    """What a cross head adds."""
    if head.normaliser != "hardmax":
        raise Underivable("cross attention by softmax")
    seen = (*moment.shares, *(() if head.mask == "causal" else moment.others))
    memory = {token: _embedded(encoder, token) for token in seen}
    query, scale = applied(head.W_Q, vector), weight(head.scale)
    if not moment.region.is_positive(scale):
        raise Underivable(f"the sign of the scale {scale}")
    scores = {}
    for token, key in memory.items():
        keys = applied(head.W_K, key)
        scores[token] = scale * total(query[row] * keys[row] for row in query if row in keys)
    values = {token: _valued(head, key) for token, key in memory.items()}
    if head.score == "-|dot|":
        if not _finds_the_step(scores, moment) or head.mask == "causal":
            raise Underivable("-|q.k| that is no multiple of j - t")
        return {row: value.replaced({POSITION: moment.place}) for row, value in values[moment.token].items()}
    if any(
        POSITION in each.atoms for each in (*scores.values(), *(x for row in values.values() for x in row.values()))
    ):
        raise Underivable("scores or values that depend on the position")
    best = scores[moment.token]
    if all(score == best for score in scores.values()):
        if set(seen) != set(moment.shares):
            raise Underivable("the mean over all positions")
        shared = [{row: moment.shares[token] * x for row, x in value.items()} for token, value in values.items()]
        return _sum(*shared)
    for token, score in scores.items():
        if token != moment.token and not moment.region.is_positive(best - score):
            raise Underivable(f"{moment.name}: whether {moment.token!r} has a greater score than {token!r}")
    return values[moment.token]


def _finds_the_step(scores: Mapping[str, Polynomial], moment: Moment) -> bool:
    """Whether all scores are c (j - t), with one number c that is not 0: behind the word, another factor of an earlier
    token could make its score greater than the last one's."""
    found = scores[moment.token]
    c = dict(found.terms).get((POSITION,), fmpq(0))
    wanted = Polynomial.number(c) * (Polynomial.atom(POSITION) - moment.step)
    return c != 0 and all(score == wanted for score in scores.values())


def _embedded(encoder: Encoder, token: str) -> dict[str, Polynomial]:
    """What the encoder gives of a token at position j."""
    word = {name: weight(value) for name, value in encoder.embedding.WE.get(token, {}).items()}
    return _sum(word, position(encoder.embedding.PE, Polynomial.atom(POSITION)))


def _valued(head: Head, vector: Values) -> dict[str, Polynomial]:
    values = applied(head.W_V, vector)
    return values if head.W_O is None else applied(head.W_O, values)


def _linear(linear: Linear, values: Values) -> dict[str, Polynomial]:
    return applied(linear.weights, values, linear.bias)


def _sum(*vectors: Values) -> dict[str, Polynomial]:
    found: dict[str, Polynomial] = {}
    for vector in vectors:
        for name, value in vector.items():
            found[name] = found.get(name, Polynomial()) + value
    return found
