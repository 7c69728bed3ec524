"""The key names of Llama and Qwen3 (`LlamaForCausalLM`, `Qwen3ForCausalLM` of transformers):

    model.embed_tokens.weight [tokens, d]    model.norm.weight [d]    lm_head.weight [tokens, d]
    model.layers.0.input_layernorm.weight, post_attention_layernorm.weight [d]
    model.layers.0.self_attn.q_proj.weight [heads * d_head, d]    k_proj, v_proj.weight [groups * d_head, d]
    model.layers.0.self_attn.o_proj.weight [d, heads * d_head]
    model.layers.0.self_attn.q_norm.weight, k_norm.weight [d_head] in Qwen3
    model.layers.0.mlp.gate_proj.weight, up_proj.weight [hidden, d]    down_proj.weight [d, hidden]

Without "model." the same. Norms are root mean squares with a gain. Keys and values of a group are those of each of its
heads. Rotary positions turn coordinates k and k + d_head/2 by theta^(-2k/d_head). Where there is no lm_head, what
embeds reads out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from weightproof.constructions.meaning.inputs import InputError
from weightproof.imports.dense import (
    Dense,
    DenseFeedForward,
    DenseHead,
    DenseLayer,
    DenseNorms,
    DenseRotary,
    norm_of,
    output_map,
)
from weightproof.imports.fields import Fields
from weightproof.imports.saying import Missaid, Saying
from weightproof.imports.settings import ACTIVATIONS, Settings, named
from weightproof.imports.tensors import Tensors, layer_numbers

MODEL_TYPES: tuple[str, ...] = ("llama", "qwen3")
LAYERS = r"(?:model\.)?layers\.(\d+)\."
FIELDS = Fields(
    read=frozenset({
        "hidden_act", "num_attention_heads", "rms_norm_eps", "rope_parameters", "rope_theta",
        "tie_word_embeddings",
    }),
    silent=frozenset({
        "attention_bias", "attention_dropout", "head_dim", "hidden_size", "intermediate_size",
        "max_position_embeddings", "max_window_layers", "mlp_bias", "num_hidden_layers", "num_key_value_heads",
        "sliding_window",
    }),
    only={"is_encoder_decoder": (), "pretraining_tp": (1,), "rope_scaling": (), "use_sliding_window": ()},
)  # fmt: skip


def is_one(tensors: Tensors) -> bool:
    """Whether a layer has queries of their own and the norms of Llama."""
    return any(re.fullmatch(rf"{LAYERS}input_layernorm\.weight", name) for name in tensors.named)


def configured(config: Mapping[str, Any]) -> Settings:
    """What the config.json of Llama or Qwen3 says; InputError by the name of a field that has no place here."""
    kinds = config.get("layer_types") or []
    if any(kind != "full_attention" for kind in kinds):
        raise Missaid(Saying("config"), f": layer_types = {kinds!r} has no place here; only full attention has")
    FIELDS.require({name: value for name, value in config.items() if name != "layer_types"})
    rope = config.get("rope_parameters") or {}
    if rope.get("rope_type", "default") != "default":
        raise Missaid(Saying("config"), f": rope_type = {rope['rope_type']!r} has no place here; only 'default' has")
    return Settings(
        tied=config.get("tie_word_embeddings"),
        heads=config.get("num_attention_heads"),
        activation=named(config, "hidden_act", ACTIVATIONS),
        epsilon=config.get("rms_norm_eps"),
        theta=rope.get("rope_theta", config.get("rope_theta")),
    )


def read(tensors: Tensors, settings: Settings, tokens: int) -> Dense:
    """InputError for what is missing, does not fit, or is not said."""
    start = "" if "embed_tokens.weight" in tensors else "model."
    W_E = tensors.take(f"{start}embed_tokens.weight", tokens, None)
    d = int(W_E.shape[1])
    layers = [_layer(tensors, f"{start}layers.{number}.", d, settings) for number in layer_numbers(tensors, LAYERS)]
    return Dense(
        W_E,
        tuple(layers),
        output_map(tensors, W_E, settings),
        None,
        None,
        norm_of(tensors, f"{start}norm", d, settings.epsilon_of_norms(), is_centred=False),
        predicts=True,
    )


def _layer(tensors: Tensors, name: str, d: int, settings: Settings) -> DenseLayer:
    norm = partial(norm_of, tensors, epsilon=settings.epsilon_of_norms(), is_centred=False)
    attention, units = f"{name}self_attn.", f"{name}mlp."
    rows = tensors.take(f"{attention}q_proj.weight", None, d).shape[0]
    heads = settings.heads_at(f"{attention}q_proj.weight", rows)
    size, few = rows // heads, tensors.take(f"{attention}k_proj.weight", None, d).shape[0]
    if few % size or heads % (few // size) or size % 2:
        raise InputError(f"{attention}k_proj.weight has {few} rows, which {heads} heads of {size} do not share evenly")
    groups = few // size
    W_Q = tensors.take(f"{attention}q_proj.weight", rows, d).chunk(heads)
    W_K, W_V = (tensors.take(f"{attention}{part}_proj.weight", few, d).chunk(groups) for part in "kv")
    W_O = tensors.take(f"{attention}o_proj.weight", d, rows).chunk(heads, dim=1)
    b_Q, b_V = (
        None if (bias := tensors.bias(f"{attention}{part}_proj.bias", count * size)) is None else bias.chunk(count)
        for part, count in (("q", heads), ("v", groups))
    )
    if tensors.bias(f"{attention}k_proj.bias", few) is not None:
        raise InputError(f"{attention}k_proj.bias: keys that are turned have a bias, which has no place here")
    query_norm, key_norm = (
        norm(f"{attention}{part}_norm", size) if f"{attention}{part}_norm.weight" in tensors else None for part in "qk"
    )
    rotary = tuple(DenseRotary(k, k + size // 2, _angle(settings.theta_of_rotary(), k, size)) for k in range(size // 2))
    first = tensors.take(f"{units}up_proj.weight", None, d)
    return DenseLayer(
        name.removesuffix("."),
        tuple(
            DenseHead(
                W_Q[h],
                W_K[h * groups // heads],
                W_V[h * groups // heads],
                W_O[h],
                b_Q=None if b_Q is None else b_Q[h],
                b_V=None if b_V is None else b_V[h * groups // heads],
                query_norm=query_norm,
                key_norm=key_norm,
                rotary=rotary,
            )
            for h in range(heads)
        ),
        tensors.bias(f"{attention}o_proj.bias", d),
        DenseFeedForward(
            first,
            tensors.bias(f"{units}up_proj.bias", len(first)),
            tensors.take(f"{units}down_proj.weight", d, len(first)),
            tensors.bias(f"{units}down_proj.bias", d),
            settings.activation_at(f"{units}gate_proj.weight"),
            W_G=tensors.take(f"{units}gate_proj.weight", len(first), d),
            b_G=tensors.bias(f"{units}gate_proj.bias", len(first)),
        ),
        DenseNorms(
            before_attention=norm(f"{name}input_layernorm", d),
            before_feed_forward=norm(f"{name}post_attention_layernorm", d),
        ),
    )


def _angle(theta: float, k: int, size: int) -> str:
    """theta^(-2k/size)."""
    return f"exp(-({Fraction(2 * k, size)})*log({Fraction(theta)}))" if k else "1"
