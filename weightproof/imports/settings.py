"""What no tensor says of a network, and somebody has to: the user, or the configuration of a TransformerLens network.

A field of such a configuration by which a network computes as none here does is refused by its name, and so is one that
is not known here and has a value: it may be such a field of a later version.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

from weightproof.constructions.meaning.schema import Activation
from weightproof.imports.saying import Missaid, Saying

Norms = Literal["none", "post", "pre"]
"""After each residual connection; or of what attention and the feed-forward network read."""
OfModules = Literal["none", "causal"]
"""The masks that modules say: with any, softmax has a value at every position."""


@dataclass(frozen=True)
class Settings:
    """None where nobody has said it.

    norms: where the layers normalise; epsilon: of those norms. scale: of the scores, 1/sqrt(d_head) where it is None.
    attention_only: whether no layer has a feed-forward network. theta: the base of rotary positions.
    tied: whether what embeds reads out.
    """

    heads: int | None = None
    activation: Activation | None = None
    norms: Norms | None = None
    epsilon: float | None = None
    mask: OfModules | None = None
    scale: str | None = None
    attention_only: bool | None = None
    theta: float | None = None
    tied: bool | None = None

    def heads_at(self, name: str, rows: int) -> int:
        """Of a tensor that has their rows side by side."""
        if self.heads is None:
            raise Missaid(f"{name} has {rows} rows, and no tensor says of how many heads: say ", Saying("heads", ...))
        if self.heads < 1 or rows % self.heads:
            raise Missaid(
                f"{name} has {rows} rows, and {self.heads} heads do not divide them: say ", Saying("heads", ...)
            )
        return self.heads

    def theta_of_rotary(self) -> float:
        """InputError where nobody has said it."""
        if self.theta is None or not math.isfinite(self.theta) or self.theta <= 0:
            raise Missaid("tensors do not say the base of rotary positions: say ", Saying("theta", ...))
        return self.theta

    def activation_at(self, name: str) -> Activation:
        """Of the hidden units that a tensor leads to; InputError where nobody has said it."""
        if self.activation is None:
            problem = f"{name} is there; nothing says the activation of its units: say "
            raise Missaid(problem, Saying("activation", *get_args(Activation)))
        return self.activation

    def mask_at(self, name: str) -> OfModules:
        if self.mask is None:
            problem = f"{name} is there; nothing says whether attention is causal: say "
            raise Missaid(problem, Saying("mask", *get_args(OfModules)))
        return self.mask

    def norms_at(self, name: str) -> Norms:
        """Where a layer normalises, which tensors alone do not tell."""
        if self.norms is None:
            raise Missaid(
                f"{name} is there; nothing says whether layers normalise, after each residual connection (post) or "
                "before attention and feed-forward network (pre): say ",
                Saying("norms", *get_args(Norms)),
            )
        return self.norms

    def epsilon_of_norms(self) -> float:
        """InputError where nobody has said it."""
        if self.epsilon is None or not math.isfinite(self.epsilon) or self.epsilon < 0:
            raise Missaid("tensors do not say which epsilon, of 0 or more, a norm has: say ", Saying("epsilon", ...))
        return self.epsilon


def checked(settings: Settings) -> Settings:
    """InputError for a name that is not known, and for an epsilon of no norms."""
    for field, known in (("activation", Activation), ("norms", Norms), ("mask", OfModules)):
        require_known(field, getattr(settings, field), get_args(known))
    if settings.norms == "none" and settings.epsilon is not None:
        raise Missaid(
            Saying("epsilon"), " is of norms, and there are none; leave it out, or say ", Saying("norms", "post", "pre")
        )
    return settings


def require_known(name: str, value: object, known: tuple[object, ...]) -> None:
    """InputError for a value, where there is one, that is none of those that are known."""
    if value is not None and value not in known:
        raise Missaid(Saying(name, value), f" is not known; there are {', '.join(map(str, known))}")


def joined(settings: Settings, config: Settings) -> Settings:
    """What both say together; InputError where they contradict each other."""
    found = {}
    for field in fields(Settings):
        said, configured = getattr(settings, field.name), getattr(config, field.name)
        if said is not None and configured is not None and said != configured:
            problem = f", and the config says {configured}; leave one of them out"
            raise Missaid(Saying(field.name, said), problem)
        found[field.name] = configured if said is None else said
    return Settings(**found)


ACTIVATIONS: dict[object, Activation] = {
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
    "tanh": "tanh",
}
"""As TransformerLens and transformers call them."""
NORMS: dict[object, Norms] = {"LN": "pre", "LNPre": "pre"}
"""As TransformerLens calls them: with gains and biases, and with those folded into what comes next."""
MASKS: dict[object, OfModules] = {"causal": "causal", "bidirectional": "none"}
READ = frozenset({
    "act_fn", "attention_dir", "attn_only", "attn_scale", "eps", "n_heads", "normalization_type", "use_attn_scale",
})  # fmt: skip
NO_CAP = (-1.0, 0.0)
ONLY: dict[str, tuple[object, ...]] = {
    "attn_scores_soft_cap": NO_CAP,
    "gated_mlp": (False,),
    "load_in_4bit": (False,),
    "num_experts": (),
    "output_logits_soft_cap": NO_CAP,
    "parallel_attn_mlp": (False,),
    "positional_embedding_type": ("standard",),
    "post_embedding_ln": (False,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "use_local_attn": (False,),
    "use_normalization_before_and_after": (False,),
    "use_qk_norm": (False,),
}
"""Fields of HookedTransformerConfig by which a network computes otherwise: the values, besides None, that have a place
here."""
SILENT = frozenset({
    "architecture", "attn_types", "checkpoint_index", "checkpoint_label_type", "checkpoint_value", "d_head", "d_mlp",
    "d_model", "d_vocab", "d_vocab_out", "default_prepend_bos", "device", "dtype", "from_checkpoint", "init_mode",
    "init_weights", "initializer_range", "model_name", "n_ctx", "n_devices", "n_layers", "n_params",
    "NTK_by_parts_factor", "NTK_by_parts_high_freq_factor", "NTK_by_parts_low_freq_factor", "original_architecture",
    "rotary_adjacent_pairs", "rotary_base", "rotary_dim", "seed", "tie_word_embeddings", "tokenizer_name",
    "tokenizer_prepends_bos", "trust_remote_code", "use_attn_in", "use_attn_result", "use_hook_mlp_in",
    "use_hook_tokens", "use_split_qkv_input", "window_size",
})  # fmt: skip
"""Fields that say no more than tensors do and the fields above, of a network without rotary positions and local
attention."""


def configured(given: Mapping[str, Any] | str | Path) -> Settings:
    """What a configuration says, given as `cfg.to_dict()`, or as the config.json that `weightproof export` writes.
    InputError by the name of a field that has no place here."""
    config = fields_of(given)
    only = ONLY | {"n_key_value_heads": (config.get("n_heads"),)}
    for name, value in config.items():
        if value is None or name in READ or name in SILENT or value in only.get(name, (False,)):
            continue
        why = "has no place here" if name in only else "is a field that is not known here"
        raise Missaid(Saying("config"), f": {name} = {value!r} {why}")
    norms = named(config, "normalization_type", NORMS)
    return Settings(
        heads=config.get("n_heads"),
        activation=named(config, "act_fn", ACTIVATIONS),
        norms=norms or ("none" if "normalization_type" in config else None),
        epsilon=config.get("eps") if norms else None,
        mask=named(config, "attention_dir", MASKS),
        scale=_scale(config),
        attention_only=config.get("attn_only"),
    )


def fields_of(given: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    """The fields of a configuration, or of the JSON file that it is in."""
    if not isinstance(given, Mapping):
        try:
            read = json.loads(Path(given).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            problem = f": {' '.join(str(error).split())}; name a JSON file"
            raise Missaid(Saying("config", str(given)), problem) from error
        given = read if isinstance(read, Mapping) else {"transformer_lens": read}
    found = given.get("transformer_lens", given)
    if not isinstance(found, Mapping):
        problem = " is no mapping from the fields of a TransformerLens configuration to their values"
        raise Missaid(Saying("config"), problem)
    return found


def named(config: Mapping[str, Any], field: str, known: Mapping[object, Any]) -> Any:
    """What a table has under the value of a field; InputError where that has no place."""
    value = config.get(field)
    if value is not None and value not in known:
        problem = f": {field} = {value!r} has no place here; there are {', '.join(map(repr, known))}"
        raise Missaid(Saying("config"), problem)
    return known.get(value)


def _scale(config: Mapping[str, Any]) -> str | None:
    """Scores are divided by attn_scale, which is sqrt(d_head) where it is -1; None where only tensors say d_head."""
    if config.get("use_attn_scale") is False:
        return "1"
    divisor, size = config.get("attn_scale"), config.get("d_head")
    size = size if isinstance(size, int) and size > 0 else None
    if divisor in (None, -1) or (size is not None and divisor == math.sqrt(size)):
        return None if size is None else f"1/sqrt({size})"
    if not isinstance(divisor, int | float) or not math.isfinite(divisor) or divisor <= 0:
        raise Missaid(Saying("config"), f": attn_scale = {divisor!r} is no positive number")
    return f"1/({Fraction(divisor)})"
