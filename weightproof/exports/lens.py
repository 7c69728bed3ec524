"""`--to transformer-lens`: weights under the key names of TransformerLens 4.3, for `TransformerBridge.boot_native`.

Its blocks add what heads and a feed-forward network make to the stream, and divide scores by sqrt(d_head): so the scale
times sqrt(d_head) is folded into W_Q, exactly, before it is rounded. Narrower heads, layers of fewer heads, and layers
without a feed-forward network are padded with zeros, which changes nothing. What it has no place for is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from weightproof.constructions.meaning.choices import Choices, more_of
from weightproof.constructions.meaning.schema import Activation, FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.exports.exporting import (
    Exporting,
    about,
    as_json,
    encodings_depend_on_length,
    require_unset,
    table,
    tables,
)
from weightproof.exports.tensors import (
    Entries,
    Tensor,
    feed_forward,
    head_matrices,
    head_width,
    matrix,
    vector,
)
from weightproof.exports.tensors import output_names as outputs

if TYPE_CHECKING:
    import torch

LENS = Choices("TransformerLens")
FORMAT = "transformer-lens"
VERSION = "4.3"
ACT_FN: dict[Activation, str] = {"relu": "relu", "silu": "silu", "gelu": "gelu", "gelu-tanh": "gelu_new"}


def files(exporting: Exporting) -> dict[str, bytes]:
    """model.safetensors, config.json, whose "transformer_lens" makes a TransformerBridgeConfig, and, where position
    encodings depend on the number of positions, positions.safetensors with a table for each."""
    from safetensors.torch import save

    require_unset(FORMAT, length=exporting.options.length)
    for problem in _problems(exporting):
        raise exporting.refused("TransformerLens", problem)
    weights = _weights(exporting)
    each = encodings_depend_on_length(exporting)
    config = about(exporting) | {
        "dtype": exporting.options.dtype,
        "max_length": exporting.max_length,
        "position_tables": "pos_embed.weight for words of n positions is W_pos[n]" if each else None,
        "layers": [{"heads": len(layer.heads), "units": _units(layer)} for layer in exporting.network.layers],
        "transformer_lens_version": VERSION,
        "transformer_lens": _config(exporting),
    }
    made = {
        "model.safetensors": save(weights),
        "config.json": as_json(config),
    }
    return made | ({"positions.safetensors": save({"W_pos": tables(exporting)})} if each else {})


def _problems(exporting: Exporting) -> Iterator[str]:
    network = exporting.network
    if network.final_norm is not None:
        yield "there is a norm before the readout, which is not folded"
    for number, layer in enumerate(network.layers, start=1):
        place = f"layer {number}"
        if layer.attention_norm or layer.feed_forward_norm:
            yield f"{place} has a norm behind the residual connection, and there norms stand before"
        if layer.norms:
            yield f"{place} has a norm, which is not folded"
        if not layer.attention_residual or not layer.feed_forward_residual:
            yield f"{place} has a residual connection that is cut"
        if layer.feed_forward is not None and layer.feed_forward.activation not in ACT_FN:
            yield f"{place} has the activation {layer.feed_forward.activation}"
        if layer.feed_forward is not None and layer.feed_forward.gate is not None:
            yield f"{place} has a gate"
        for head in layer.heads:
            yield from (f"{place} has a head with {what}" for what in _strange(head))
    if len(_activations(network.layers)) > 1:
        yield f"layers have the activations {', '.join(_activations(network.layers))}, and there all have the same"
    masks = {LENS.is_causal(head.mask) for layer in network.layers for head in layer.heads}
    if len(masks) > 1:
        yield "some heads have a causal mask and others none, and there all have the same"


def _strange(head: Head) -> Iterator[str]:
    if not LENS.is_soft(head.normaliser):
        yield f"the normaliser {head.normaliser}"
    if LENS.is_less_size(head.score):
        yield f"the score {head.score}"
    if "n" in head.scale.names:
        yield f"the scale {head.scale.source}, which depends on the number of positions"
    yield from more_of(head)


def _config(exporting: Exporting) -> dict[str, Any]:
    """The fields of TransformerBridgeConfig, but for the dtype, which is a torch.dtype there."""
    network = exporting.network
    layers = network.layers
    masks = {LENS.is_causal(head.mask) for layer in layers for head in layer.heads}
    return {
        "d_model": len(network.coordinates),
        "d_head": _d_head(layers),
        "n_heads": _n_heads(layers),
        "n_layers": len(layers),
        "n_ctx": exporting.positions(exporting.max_length),
        "d_mlp": _d_mlp(layers),
        "d_vocab": len(exporting.tokens),
        "d_vocab_out": len(outputs(exporting.construction)),
        "act_fn": ACT_FN[next(iter(_activations(layers)), "relu")],
        "attn_only": _d_mlp(layers) is None,
        "attention_dir": "causal" if masks == {True} else "bidirectional",
        "normalization_type": None,
        "positional_embedding_type": "standard",
        "default_prepend_bos": False,
        "init_weights": False,
    }


def _activations(layers: tuple[Layer, ...]) -> tuple[Activation, ...]:
    """Those of its units, each once."""
    return tuple(dict.fromkeys(layer.feed_forward.activation for layer in layers if layer.feed_forward is not None))


def _units(layer: Layer) -> tuple[str, ...]:
    """What is behind them, as heads behind those of the layer, is padding."""
    return () if layer.feed_forward is None else layer.feed_forward.first.rows


def _d_head(layers: tuple[Layer, ...]) -> int:
    return max([1, *(head_width(layer.heads) for layer in layers)])


def _n_heads(layers: tuple[Layer, ...]) -> int:
    return max([1, *(len(layer.heads) for layer in layers)])


def _d_mlp(layers: tuple[Layer, ...]) -> int | None:
    """None where no layer has a feed-forward network."""
    widths = [len(_units(layer)) for layer in layers if layer.feed_forward is not None]
    return max([1, *widths]) if widths else None


def _weights(exporting: Exporting) -> dict[str, torch.Tensor]:
    """Matrices are of shape [outputs, inputs] there."""
    from weightproof.numeric.rounding.formats import FORMATS

    network, names, format = exporting.network, exporting.names, FORMATS[exporting.options.dtype]
    coordinates = network.coordinates
    width = len(coordinates)
    named = outputs(exporting.construction)
    exact = [
        Tensor(
            "embed.weight", (width, len(exporting.tokens)), matrix(network.embedding.WE, exporting.tokens, coordinates)
        ),
        Tensor("unembed.weight", (width, len(named)), matrix(network.readout.W.weights, named, coordinates)),
        Tensor("unembed.bias", (len(named),), vector(network.readout.W.bias, named)),
    ]
    for number, layer in enumerate(network.layers):
        exact += _layer(f"blocks.{number}", layer, network.layers, coordinates)
    weights = {tensor.name: tensor.rounded(names, format) for tensor in exact}
    weights = {name: x.T.contiguous() if x.dim() == 2 else x for name, x in weights.items()}
    weights["pos_embed.weight"] = table(exporting, exporting.positions(exporting.max_length))
    return weights


def _layer(name: str, layer: Layer, layers: tuple[Layer, ...], coordinates: tuple[str, ...]) -> Iterator[Tensor]:
    """Of shape [inputs, outputs], heads side by side."""
    width, d_head, n_heads, d_mlp = len(coordinates), _d_head(layers), _n_heads(layers), _d_mlp(layers)
    made = [_folded(head_matrices(head, coordinates), head.scale, d_head) for head in layer.heads]
    for part in ("W_Q", "W_K", "W_V"):
        entries: Entries = {(x, h * d_head + y): e for h, of in enumerate(made) for (x, y), e in of[part].items()}
        key = f"{name}.attn.{part[-1].lower()}"
        yield Tensor(f"{key}.weight", (width, n_heads * d_head), entries)
        yield Tensor(f"{key}.bias", (n_heads * d_head,), {})
    outward: Entries = {(h * d_head + x, y): e for h, of in enumerate(made) for (x, y), e in of["W_O"].items()}
    yield Tensor(f"{name}.attn.o.weight", (n_heads * d_head, width), outward)
    yield Tensor(f"{name}.attn.o.bias", (width,), {})
    if d_mlp is None:
        return
    keys = [f"{name}.mlp.{part}.{what}" for part in ("in", "out") for what in ("weight", "bias")]
    yield from feed_forward(keys, layer.feed_forward or FeedForward(Linear(), Linear()), coordinates, d_mlp)


def _folded(made: dict[str, Entries], scale: Expression, d_head: int) -> dict[str, Entries]:
    """With W_Q times what TransformerLens does not multiply scores by."""
    factor = f"({scale.source})*sqrt({d_head})"
    return made | {"W_Q": {place: Expression(f"({entry.source})*{factor}") for place, entry in made["W_Q"].items()}}
