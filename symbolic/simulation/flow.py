"""What a vector depends on: what each layer hands on, of every width and whatever its weights are.

A layer is taken apart into its blocks alone. A block that is there hands on all that it reads; only hardmax over the
encoder's vectors hands on less: of the vector that asks, no more comes through than which positions are chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.symbolic.algebra.vocabulary import DERIVATION


class Source(StrEnum):
    """INPUTS: what the decoder got at this step and earlier ones, and the number of the step. TOKEN: the one at the
    encoder's own position. WORD: which tokens there are, ORDER: where they stand, LENGTH: how many positions."""

    INPUTS = "inputs"
    TOKEN = "token"
    WORD = "word"
    ORDER = "order"
    LENGTH = "length"


@dataclass(frozen=True)
class Choice:
    """Which positions a cross head, by its number in the layer, takes the mean of: a set that is not empty."""

    head: int


Sources = frozenset[Source | Choice]
NOTHING: Sources = frozenset()


def behind_encoder(layer: Layer, sources: Sources) -> Sources:
    """Of the encoder's vector at a position behind a layer, from those in front of it."""
    seen = _seen(layer.heads, sources)
    asks = sources if layer.heads or layer.attention_residual else NOTHING
    return _fed(layer, seen | asks)


def behind(layer: Layer, sources: Sources, memory: Sources) -> Sources:
    """Of the decoder's vector behind a layer, from those in front of it; memory: of the encoder's vectors."""
    found = sources if layer.attention_residual else NOTHING
    if layer.heads and sources:  # vectors that are the same at all steps have the same mean
        found |= sources | {Source.INPUTS}
        if any("n" in head.scale.names for head in layer.heads):
            found |= {Source.LENGTH}
    if layer.cross_heads:
        looked = (_looked(head, number, found, memory) for number, head in enumerate(layer.cross_heads))
        found = NOTHING.union(*looked, found if layer.cross_residual else NOTHING)
    return _fed(layer, found)


def _seen(heads: Iterable[Head], memory: Sources) -> Sources:
    """By heads that look at the encoder's vectors; of vectors that are all the same the mean is the same."""
    found: Sources = NOTHING
    for head in heads:
        if memory:
            found |= {Source.WORD, Source.LENGTH}
        if Source.ORDER in memory or (memory and DERIVATION.is_causal(head.mask)):
            found |= {Source.ORDER}
    return found


def _looked(head: Head, number: int, sources: Sources, memory: Sources) -> Sources:
    seen = _seen((head,), memory)
    if not seen:
        return NOTHING
    asks = sources | ({Source.INPUTS} if DERIVATION.is_causal(head.mask) else NOTHING)
    if DERIVATION.is_soft(head.normaliser):
        return seen | asks
    return seen | ({Choice(number)} if asks else NOTHING)


def _fed(layer: Layer, sources: Sources) -> Sources:
    """Behind the feed-forward network, which may have nothing to add."""
    network = layer.feed_forward
    silent = network is not None and not network.second.weights
    return NOTHING if silent and not layer.feed_forward_residual else sources
