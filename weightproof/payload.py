"""Constructions as JSON: the same data, sparse, every scalar as its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from constructions.expressions import Expression
from constructions.schema import Construction, Decoder, Encoder, EncoderDecoder, Layer, Network


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
        "parameters": [sparse(parameter) for parameter in construction.parameters],
    }


def full(construction: Construction) -> dict[str, Any]:
    """`show`: everything but the language's Python functions."""
    language = construction.language
    return {
        **overview(construction),
        "language": {
            "name": language.name,
            "description": language.description,
            "alphabet": list(language.alphabet),
            "characterisation": language.characterisation.source,
        },
        "network": sparse(construction.network),
        "claims": sparse(construction.claims),
    }


def sparse(value: Any) -> Any:
    """Dataclasses and mappings as objects, tuples as arrays, scalars as text."""
    match value:
        case Expression():
            return value.source
        case Mapping():
            return {key: sparse(item) for key, item in value.items()}
        case tuple():
            return [sparse(item) for item in value]
    if is_dataclass(value):
        return {field.name: sparse(getattr(value, field.name)) for field in fields(value)}
    return value
