"""The encoder of an encoder-decoder, where the vector of a position depends on its token and on the position alone.

Its heads have two rules, and no other:

    nothing    its values are 0 whatever it looks at
    own        the scores are -|c (j - i)|, or -|c (2^-j - 2^-i)|, with c not 0, whatever the tokens at i and j are:
               they are greatest at j = i alone, so the value of the position itself
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.simulation import parts
from weightproof.symbolic.simulation.parts import Place, added
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, interval
from weightproof.symbolic.simulation.recurrent import Values, weight

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
        parts.require_no_norms(layer)
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
    """Where each head looks at its own position, or adds nothing."""
    looked = [parts.valued(head, vector) for head in layer.heads]
    vector = added(*looked, vector) if layer.attention_residual else added(*looked)
    if layer.feed_forward is None:
        return vector

    def saturated(x: Polynomial) -> Polynomial:
        value = region.saturated(x)
        if not value.atoms <= x.atoms and x.atoms & {POSITION, parts.halved(POSITION)}:
            # An atom of its own would stand for another number at every position.
            raise Underivable(f"min(1, max(0, {x})) in the encoder, at every position")
        return value

    update = parts.feed_forward(layer.feed_forward, vector, saturated)
    return added(update, vector) if layer.feed_forward_residual else update
