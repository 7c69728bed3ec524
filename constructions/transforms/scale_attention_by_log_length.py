"""Attention logits multiplied by log n: Chiang and Cholak (2022), section 5.3, equation 2."""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import Refused, encoder_of


def scale_attention_by_log_length(construction: Construction) -> Construction:
    """log n, the natural logarithm of the number of positions, as a factor of the scale of every head."""
    network = encoder_of(construction)
    Choices("scale-attention-by-log-length", Refused).require_plain_heads(network)
    layers = tuple(
        replace(layer, heads=tuple(replace(head, scale=_scaled(head.scale)) for head in layer.heads))
        for layer in network.layers
    )
    return replace(construction, network=replace(network, layers=layers))


def _scaled(scale: Expression) -> Expression:
    return Expression("log(n)/sqrt(d)" if scale == Expression("1/sqrt(d)") else f"log(n)*({scale})")
