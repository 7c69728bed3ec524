"""What a vector depends on: what each layer hands on, of every width and whatever its weights are.

A layer is taken apart into its blocks alone. A block that is there hands on all that it reads. Two hand on less: of the
vector that asks, no more comes through hardmax over the encoder's vectors than which positions are chosen; and nothing
through any head over a single one, whose weight is w/w = 1 whatever its score is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.symbolic.algebra.vocabulary import DERIVATION
from weightproof.symbolic.simulation.polynomial import Polynomial


class Dependency(StrEnum):
    """What a vector may depend on.

    INPUTS: what the decoder got at this step and earlier ones, and the number of the step. TOKEN: the one at the
    encoder's own position. WORD: which tokens there are, ORDER: where they stand, LENGTH: how many positions.
    """

    INPUTS = "inputs"
    TOKEN = "token"
    WORD = "word"
    ORDER = "order"
    LENGTH = "length"


@dataclass(frozen=True)
class Choice:
    """Which positions a cross head, by its number in the layer, takes the mean of: a set that is not empty."""

    head: int


Dependencies = frozenset[Dependency | Choice]
NOTHING: Dependencies = frozenset()

EXP = "exp(score)"
ONE = Polynomial.number(1)
WEIGHT_OF_ONE: Mapping[str, Polynomial] = {
    "softmax": Polynomial.atom(EXP),
    "hardmax": ONE,
    "leftmost": ONE,
    "rightmost": ONE,
}
"""By normaliser: the weight of a single position, up to the sum of all weights, whatever its score is; EXP is
positive."""


def behind_encoder(layer: Layer, dependencies: Dependencies) -> Dependencies:
    """What the encoder's vector at a position depends on behind a layer, from what it does in front of it."""
    seen = _seen(layer.heads, dependencies)
    asks = dependencies if layer.heads or layer.attention_residual else NOTHING
    return _fed(layer, seen | asks)


def behind(layer: Layer, dependencies: Dependencies, memory: Dependencies, one_position: bool = False) -> Dependencies:
    """What the decoder's vector depends on behind a layer, from what it does in front of it; memory: what the encoder's
    vectors depend on; one_position: whether there is a single one of these."""
    found = dependencies if layer.attention_residual else NOTHING
    if layer.heads and dependencies:  # vectors that are the same at all steps have the same mean
        found |= dependencies | {Dependency.INPUTS}
        if any("n" in head.scale.names for head in layer.heads):
            found |= {Dependency.LENGTH}
    if layer.cross_heads:
        looked = (_looked(head, number, found, memory, one_position) for number, head in enumerate(layer.cross_heads))
        found = NOTHING.union(*looked, found if layer.cross_residual else NOTHING)
    return _fed(layer, found)


def _seen(heads: Iterable[Head], memory: Dependencies) -> Dependencies:
    """What heads bring that look at the encoder's vectors; of vectors that are all the same the mean is the same."""
    found: Dependencies = NOTHING
    for head in heads:
        if memory:
            found |= {Dependency.WORD, Dependency.LENGTH}
        if Dependency.ORDER in memory or (memory and DERIVATION.is_causal(head.mask)):
            found |= {Dependency.ORDER}
    return found


def _looked(
    head: Head, number: int, dependencies: Dependencies, memory: Dependencies, one_position: bool
) -> Dependencies:
    seen = _seen((head,), memory)
    if not seen or (one_position and _brings_all(head)):
        return seen
    asks = dependencies | ({Dependency.INPUTS} if DERIVATION.is_causal(head.mask) else NOTHING)
    if DERIVATION.is_soft(head.normaliser):
        return seen | asks
    return seen | ({Choice(number)} if asks else NOTHING)


def _brings_all(head: Head) -> bool:
    """Whether the value of a single position is what a head brings at every step: the position is never hidden, nor is
    anything seen beside it."""
    DERIVATION.of("normaliser", head.normaliser, WEIGHT_OF_ONE)
    DERIVATION.is_causal(head.mask)  # step 0 sees position 0; other masks, which may hide it, are refused
    return head.sink is None and head.sees is None


def _fed(layer: Layer, dependencies: Dependencies) -> Dependencies:
    """Behind the feed-forward network, which may have nothing to add."""
    network = layer.feed_forward
    silent = network is not None and not network.second.weights
    return NOTHING if silent and not layer.feed_forward_residual else dependencies
