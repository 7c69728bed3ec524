"""The key names of GPT-2 (`GPT2LMHeadModel` of transformers) and of nanoGPT, whose linear maps are of torch:

    transformer.wte.weight [tokens, d]    wpe.weight [positions, d]    ln_f.weight, bias [d]
    lm_head.weight [tokens, d]
    transformer.h.0.ln_1, ln_2.weight, bias [d]
    transformer.h.0.attn.c_attn.weight [d, 3 d] in GPT-2, [3 d, d] in nanoGPT    c_proj.weight [d, d]
    transformer.h.0.mlp.c_fc.weight [d, hidden]    c_proj.weight [hidden, d]    in nanoGPT transposed

Each map may have a bias. Without "transformer." the same. Where there is no lm_head, what embeds reads out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from weightproof.imports.dense import (
    Dense,
    DenseFeedForward,
    DenseHead,
    DenseLayer,
    DenseNorms,
    Tensor,
    norm_of,
    output_map,
)
from weightproof.imports.fields import Fields
from weightproof.imports.settings import ACTIVATIONS, Settings, named
from weightproof.imports.tensors import Tensors, layer_numbers

MODEL_TYPES: tuple[str, ...] = ("gpt2",)
LAYERS = r"(?:transformer\.)?h\.(\d+)\."
FIELDS = Fields(
    read=frozenset({
        "activation_function", "layer_norm_epsilon", "n_embd", "n_head", "scale_attn_weights",
        "tie_word_embeddings",
    }),
    silent=frozenset({
        "attn_pdrop", "embd_pdrop", "n_ctx", "n_inner", "n_layer", "n_positions", "reorder_and_upcast_attn",
        "resid_pdrop", "summary_activation", "summary_first_dropout", "summary_proj_to_labels", "summary_type",
        "summary_use_proj", "task_specific_params",
    }),
    only={"scale_attn_by_inverse_layer_idx": (), "add_cross_attention": (), "is_encoder_decoder": ()},
)  # fmt: skip


def is_one(tensors: Tensors) -> bool:
    """Whether a layer has the packed map of GPT-2."""
    return any(re.fullmatch(rf"{LAYERS}attn\.c_attn\.weight", name) for name in tensors.named)


def configured(config: Mapping[str, Any]) -> Settings:
    """What the config.json of GPT-2 says; InputError by the name of a field that has no place here."""
    FIELDS.require(config)
    return Settings(
        tied=config.get("tie_word_embeddings"),
        heads=config.get("n_head"),
        activation=named(config, "activation_function", ACTIVATIONS),
        epsilon=config.get("layer_norm_epsilon"),
        scale="1" if config.get("scale_attn_weights") is False else None,
    )


def read(tensors: Tensors, settings: Settings, tokens: int) -> Dense:
    """InputError for what is missing, does not fit, or is not said."""
    start = "" if "wte.weight" in tensors else "transformer."
    W_E = tensors.take(f"{start}wte.weight", tokens, None)
    d, epsilon = int(W_E.shape[1]), settings.epsilon_of_norms()
    layers = [_layer(tensors, f"{start}h.{number}.", d, settings, epsilon) for number in layer_numbers(tensors, LAYERS)]
    return Dense(
        W_E,
        tuple(layers),
        output_map(tensors, W_E, settings),
        None,
        tensors.take(f"{start}wpe.weight", None, d),
        norm_of(tensors, f"{start}ln_f", d, epsilon),
        predicts=True,
    )


def _layer(tensors: Tensors, name: str, d: int, settings: Settings, epsilon: float) -> DenseLayer:
    for buffer in ("bias", "masked_bias"):  # of what is hidden, in GPT-2 before 2023 and in nanoGPT
        tensors.skip(f"{name}attn.{buffer}")
    packed = f"{name}attn.c_attn.weight"
    of_rows = tuple(tensors.named[packed].shape) == (d, 3 * d)

    def weights(key: str, rows: int | None, columns: int | None) -> Tensor:
        return tensors.take(key, columns, rows).T if of_rows else tensors.take(key, rows, columns)

    heads = settings.heads_at(packed, d)
    W_Q, W_K, W_V = (part.chunk(heads) for part in weights(packed, 3 * d, d).chunk(3))
    W_O = weights(f"{name}attn.c_proj.weight", d, d).chunk(heads, dim=1)
    bias = tensors.bias(f"{name}attn.c_attn.bias", 3 * d)
    b_Q, _, b_V = [[None] * heads] * 3 if bias is None else [part.chunk(heads) for part in bias.chunk(3)]
    first = weights(f"{name}mlp.c_fc.weight", None, d)
    return DenseLayer(
        name.removesuffix("."),
        tuple(DenseHead(W_Q[h], W_K[h], W_V[h], W_O[h], b_Q=b_Q[h], b_V=b_V[h]) for h in range(heads)),
        tensors.bias(f"{name}attn.c_proj.bias", d),
        DenseFeedForward(
            first,
            tensors.bias(f"{name}mlp.c_fc.bias", len(first)),
            weights(f"{name}mlp.c_proj.weight", d, len(first)),
            tensors.bias(f"{name}mlp.c_proj.bias", d),
            settings.activation_at(f"{name}mlp.c_fc.weight"),
        ),
        DenseNorms(
            before_attention=norm_of(tensors, f"{name}ln_1", d, epsilon),
            before_feed_forward=norm_of(tensors, f"{name}ln_2", d, epsilon),
        ),
    )
