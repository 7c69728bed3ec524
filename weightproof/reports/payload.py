"""What `list` and `show` say of a construction, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest, plain, record
from weightproof.constructions.meaning.schema import Decoder, Encoder, EncoderDecoder, Layer, Network
from weightproof.sources import Source, claims_about

if TYPE_CHECKING:
    from weightproof.constructions.claims.published import Published


def architecture(network: Network) -> str:
    match network:
        case Encoder():
            return "encoder"
        case Decoder():
            return "decoder"
        case EncoderDecoder():
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


def full(source: Source) -> dict[str, Any]:
    """`show`: everything but the language's Python functions, the hash that the trust manifest names, and what is
    printed about the construction."""
    construction, claims = source.construction, claims_about(source)
    printed = () if claims is None else claims.claims
    whole = {**overview(construction), **record(construction), "sha256": digest(construction)}
    return {**whole, "claims": [_claim(claim) for claim in printed]}


def _claim(claim: Published) -> dict[str, Any]:
    """quantity, value, when and at: of what states one value, null of all else, which `claims` tells."""
    from weightproof.constructions.claims.published import value_of
    from weightproof.constructions.claims.statements import named

    value = value_of(claim)
    stated: dict[str, Any] = {"quantity": None, "value": None, "when": None, "at": None}
    if value is not None:
        stated = {
            "quantity": named(value.of),
            "value": plain(value.equals),
            "when": plain(value.when),
            "at": plain(value.at),
        }
    return {"id": claim.id, "place": claim.place, "printed": claim.printed, **stated}
