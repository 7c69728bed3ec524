"""By how much an output exceeds another one, as a function of how often each token is there, in exact arithmetic.

Of networks that see counts alone, with one head and nothing behind it: there an output less another one is a mean of
what it would be at each token, under the weights that the head gives to tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import seen, sees_counts
from weightproof.constructions.meaning.interpreter import Names, add, apply_linear, embed
from weightproof.constructions.meaning.outputs import alike
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.numbers import ZERO, Number, in_balls
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.rounding.model import largest

PRECISION = 256
"""Bits of the balls."""


@dataclass(frozen=True)
class Lead:
    """Of one output over another: the sum over a word's tokens of `shares`, over that of `weights`, which are positive
    and at most 1."""

    right: str
    other: str
    shares: Mapping[str, arb]
    weights: Mapping[str, arb]

    def sums(self, counts: Mapping[str, int]) -> tuple[arb, arb]:
        """Both sums, of a word with so many of each token."""
        return (
            sum((self.shares[token] * many for token, many in counts.items()), arb(0)),
            sum((self.weights[token] * many for token, many in counts.items()), arb(0)),
        )


def leads(construction: Construction, names: Names) -> list[Lead]:
    """Of each right token over each other one, of tokens with equal outputs over one; a right token that has an equal
    one is never predicted. NotUnderstood for a network of another kind."""
    network, groups = construction.network, alike(construction)
    assert isinstance(network, Encoder)
    if not sees_counts(network) or network.end is None or len(network.layers[0].heads) != 1:
        raise NotUnderstood("what sees more of a word than counts, or sees them in several ways")
    [layer] = network.layers
    [head] = layer.heads
    if layer.feed_forward is not None or layer.attention_norm is not None:
        raise NotUnderstood("what stands behind the head")
    markers = [token for token in (network.begin, network.end) if token is not None]
    tokens = [*construction.language.alphabet, *markers]
    with ctx.workprec(PRECISION):
        scalars = in_balls({**names, "d": fmpq(len(network.coordinates))})
        try:
            vectors = [embed(network, token, scalars) for token in tokens]
            powers, values = seen(head, vectors, scalars)
        except KeyError as error:
            raise NotUnderstood(f"a weight in {error}") from error
        rest = vectors[-1] if layer.attention_residual else dict.fromkeys(vectors[-1], ZERO)
        outputs = apply_linear(network.readout.W, [add(rest, value) for value in values], scalars)
        most = largest([_ball(power) for power in powers])
        weights = {token: _ball(power) / most for token, power in zip(tokens, powers, strict=True)}
        pairs = ((r, o) for r in construction.language.labels for o in groups if r not in groups[o])
        return [
            Lead(
                right,
                other,
                {
                    token: weights[token] * _ball(output[right] - output[other])
                    for token, output in zip(tokens, outputs, strict=True)
                },
                weights,
            )
            for right, other in pairs
            if (right,) in groups.values()
        ]


def _ball(number: Number) -> arb:
    assert isinstance(number, arb | fmpq)
    return arb(number)
