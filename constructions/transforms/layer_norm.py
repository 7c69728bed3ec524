"""Layer normalisation after every residual connection: Chiang and Cholak (2022), section 4.

A part of a layer that is not there does nothing, and is followed by its norm all the same, as the paper's feed-forward
networks of weights 0 are. What the norm does to a vector is a shift, which `remove-centering` makes 0, and a positive
scale. That leaves the decisions alone only where everything behind it is homogeneous: whatever is not is refused.
"""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Layer, LayerNorm, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import Refused, encoder_of

EPSILON = Parameter("epsilon", domain="epsilon >= 0", default="1/100000")
"""For all epsilon at once; where it is run it is 10^-5, as in the paper's experiments (section 5.1)."""
NOTHING = FeedForward(Linear(), Linear())


def layer_norm(construction: Construction, epsilon: Expression | None = None) -> Construction:
    """epsilon: an exact value; None makes it a parameter epsilon >= 0.

    Refused where a norm is there already, or where a bias or an activation is not homogeneous.
    """
    network = encoder_of(construction)
    parameters = construction.parameters
    if epsilon is None:
        if EPSILON.name in (parameter.name for parameter in parameters):
            raise Refused(f"there is a parameter {EPSILON.name!r} already: give epsilon a value")
        epsilon, parameters = Expression(EPSILON.name), (*parameters, EPSILON)
    require_homogeneous(network)
    norm = LayerNorm(epsilon)
    layers = tuple(
        replace(layer, feed_forward=layer.feed_forward or NOTHING, attention_norm=norm, feed_forward_norm=norm)
        for layer in network.layers
    )
    return replace(construction, network=replace(network, layers=layers), parameters=parameters)


def require_homogeneous(network: Encoder) -> None:
    """Raises Refused where what a positive factor of a layer makes of the logit is not a positive factor."""
    for number, layer in enumerate(network.layers, start=1):
        _require_homogeneous(layer, f"layer {number}")
    if network.readout.W.bias:
        raise Refused("the readout has a bias, beside which a scaled logit has not the sign of the logit")


def _require_homogeneous(layer: Layer, place: str) -> None:
    if layer.attention_norm is not None or layer.feed_forward_norm is not None:
        raise Refused(f"{place} has a norm already")
    network = layer.feed_forward
    if network is None:
        return
    if network.gate is not None:
        raise Refused(f"{place}, feed-forward network: a product with a gate is not homogeneous of degree 1")
    for name, linear in (("first", network.first), ("second", network.second)):
        for row in linear.bias:
            raise Refused(
                f"{place}, feed-forward network, {name} map: the bias of {row!r} stays what it is where the norm "
                "scales the rest; write it as a weight of a coordinate"
            )
    if network.activation != "relu":
        raise Refused(f"{place}, feed-forward network: {network.activation} is not homogeneous, as relu is")
