"""`--to safetensors`: the rounded weights, the exact ones beside them, position tables, and what is stated.

`model.safetensors` loads into `numeric.model.transformer.Transformer`; `exact.json` has every entry as it is written,
with the values of the names that stand in it; `positions.safetensors` has W_pos and scales (see `exporting`).
"""

from __future__ import annotations

from typing import Any

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.record import plain
from weightproof.constructions.meaning.schema import Layer
from weightproof.exports.exporting import (
    Exporting,
    about,
    as_json,
    encodings_depend_on_length,
    require_unset,
    scales,
    tables,
)
from weightproof.exports.tensors import tensors

FORMAT = "safetensors"


def files(exporting: Exporting) -> dict[str, bytes]:
    """By name the contents of model.safetensors, positions.safetensors, exact.json and config.json."""
    from safetensors.torch import save

    from weightproof.numeric.rounding.formats import FORMATS

    require_unset(FORMAT, length=exporting.options.length)
    choices = Choices("a file of weights")
    choices.require_norms_behind(exporting.network)
    choices.require_plain_heads(exporting.network)
    exact = list(tensors(exporting.construction, exporting.network, exporting.tokens))
    names, format = exporting.names, FORMATS[exporting.options.dtype]
    return {
        "model.safetensors": save({tensor.name: tensor.rounded(names, format) for tensor in exact}),
        "positions.safetensors": save({"W_pos": tables(exporting), **scales(exporting)}),
        "exact.json": as_json(
            {
                "tensors": {
                    tensor.name: {
                        "shape": list(tensor.shape),
                        "entries": [[list(place), entry.source] for place, entry in tensor.entries.items()],
                    }
                    for tensor in exact
                },
                "W_pos": plain(exporting.network.embedding.PE),
                "scale": [[head.scale.source for head in layer.heads] for layer in exporting.network.layers],
                "names": _values(exporting),
            }
        ),
        "config.json": as_json(about(exporting) | {"dtype": exporting.options.dtype} | _architecture(exporting)),
    }


def _values(exporting: Exporting) -> dict[str, str]:
    """What the names in exact entries stand for; i and n are position and number of positions."""
    values = about(exporting)["parameters"]
    return {**values, "d": str(len(exporting.network.coordinates))}


def _architecture(exporting: Exporting) -> dict[str, Any]:
    network = exporting.network
    return {
        "layers": [_layer(layer) for layer in network.layers],
        "max_length": exporting.max_length,
        "position_tables": "W_pos[n, i]" if encodings_depend_on_length(exporting) else "W_pos[i]",
    }


def _layer(layer: Layer) -> dict[str, Any]:
    """All that is no matrix."""
    norms = layer.attention_norm, layer.feed_forward_norm
    return {
        "heads": [
            {"score": head.score, "scale": head.scale.source, "normaliser": head.normaliser, "mask": head.mask}
            for head in layer.heads
        ],
        "activation": None if layer.feed_forward is None else layer.feed_forward.activation,
        "gated": layer.feed_forward is not None and layer.feed_forward.gate is not None,
        "attention_residual": layer.attention_residual,
        "feed_forward_residual": layer.feed_forward_residual,
        "attention_norm_epsilon": None if norms[0] is None else norms[0].epsilon.source,
        "feed_forward_norm_epsilon": None if norms[1] is None else norms[1].epsilon.source,
    }
