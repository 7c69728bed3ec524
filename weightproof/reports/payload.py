"""What `list` and `show` say of a construction, as JSON."""

from __future__ import annotations

from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest, plain, record
from weightproof.constructions.meaning.schema import Decoder, Encoder, EncoderDecoder, Layer, Network


def architecture(network: Network) -> str:
    match network:
        case Encoder():
            return "encoder"
        case Decoder():
            return "decoder"
    return "encoder-decoder"


def all_layers(network: Network) -> tuple[Layer, ...]:
    """Those of the encoder first."""
    return (*network.encoder.layers, *network.layers) if isinstance(network, EncoderDecoder) else network.layers


def overview(construction: Construction) -> dict[str, Any]:
    """One construction of `list`."""
    network = construction.network
    layers = all_layers(network)
    return {
        "name": construction.name,
        "title": construction.title,
        "language": construction.language.name,
        "source": construction.source,
        "architecture": architecture(network),
        "layers": len(layers),
        "heads": sum(len(layer.heads) + len(layer.cross_heads) for layer in layers),
        "width": len(network.coordinates),
        "parameters": plain(construction.parameters),
    }


def full(construction: Construction) -> dict[str, Any]:
    """`show`: everything but the language's Python functions, and the hash that the trust manifest names."""
    return {**overview(construction), **record(construction), "sha256": digest(construction)}
