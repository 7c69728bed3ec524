"""What transformations apply to: encoders that read out a logit; what is something else is refused."""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder


class Refused(InputError):
    """A construction that a transformation does not apply to; one line that names the part."""


def encoder_of(construction: Construction) -> Encoder:
    """The network of a construction; Refused where it is no encoder that reads out a logit."""
    network = construction.network
    if not isinstance(network, Encoder):
        raise Refused(f"the network is a {type(network).__name__}; only encoders are transformed so far")
    if network.readout.predicts_tokens:
        raise Refused("the readout takes the argmax over tokens, not the sign of a logit")
    return network
