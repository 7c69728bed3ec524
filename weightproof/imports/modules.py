"""What a torch module says of itself: its tensors, and beside them what no tensor says: heads, norms, activation."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation
from weightproof.imports.dense import Tensor
from weightproof.imports.settings import Norms, Settings
from weightproof.imports.tensors import GivenTensor

T = TypeVar("T")
Layers = dict[str, torch.nn.TransformerEncoderLayer]


@dataclass(frozen=True)
class Described:
    """embedding: its tensor, [tokens, d], or the name of it; readout: that of its linear map, without ".weight".

    heads, activations, norms and epsilons: by the name of a layer, with its dot. final_norm: the name and the epsilon
    of the norm before the readout.
    """

    tensors: Mapping[str, Tensor]
    embedding: str | GivenTensor
    readout: str
    heads: Mapping[str, int]
    activations: Mapping[str, Activation]
    norms: Mapping[str, Norms]
    epsilons: Mapping[str, tuple[float, float]]
    final_norm: tuple[str, float] | None


def described(
    module: torch.nn.Module, embedding: str | GivenTensor | None, readout: str | None, settings: Settings
) -> Described:
    """InputError, in one line, for layers of another kind, and where the settings say something
    else than the module."""
    layers = encoder_layers(module)
    tensors = dict(module.state_dict())
    outside = {
        name: part for name, part in module.named_modules() if not any(f"{name}.".startswith(layer) for layer in layers)
    }
    if embedding is None:
        embedding = _only(outside, torch.nn.Embedding, "embedding")
    if isinstance(embedding, str):
        embedding, table = f"{embedding}.weight", _tensor(module, embedding)
        tensors[embedding] = table
    readout = readout or _only(outside, torch.nn.Linear, "readout")
    for name, part in outside.items():
        has_weights = any(True for _ in part.parameters(recurse=False))
        if has_weights and name and not isinstance(part, torch.nn.Embedding | torch.nn.Linear | torch.nn.LayerNorm):
            raise InputError(
                f"{name} is a {type(part).__name__}, which is not read; besides an embedding, a final "
                "torch.nn.LayerNorm and a linear readout there may be layers of torch.nn.TransformerEncoderLayer"
            )
    return Described(
        tensors,
        embedding,
        readout,
        {name: _as_set(name, "heads", layer.self_attn.num_heads, settings.heads) for name, layer in layers.items()},
        {
            name: _as_set(name, "activation", _activation(name, layer), settings.activation)
            for name, layer in layers.items()
        },
        {name: _norms(name, layer, settings) for name, layer in layers.items()},
        {name: (layer.norm1.eps, layer.norm2.eps) for name, layer in layers.items()},
        _final_norm(outside),
    )


def _as_set(name: str, what: str, found: T, given: T | None) -> T:
    if given not in (None, found):
        raise InputError(f"{name}: {what} is {found!r} in the module, not {given!r}; leave it out, or mend it")
    return found


def _activation(name: str, layer: torch.nn.TransformerEncoderLayer) -> Activation:
    """That of the functions and modules that torch has for it."""
    found = layer.activation
    if found in FUNCTIONS:
        return FUNCTIONS[found]
    if type(found) in MODULES:
        return MODULES[type(found)]
    if isinstance(found, torch.nn.GELU):
        return GELU[found.approximate]
    if isinstance(found, torch.nn.Hardtanh) and (found.min_val, found.max_val) == (0, 1):
        return "saturated-linear"
    called = getattr(found, "__name__", type(found).__name__)
    raise InputError(
        f"{name}activation is {called}; of those of torch relu, square, abs, tanh, sigmoid, silu, gelu, Identity and "
        "Hardtanh(0, 1) are known here"
    )


FUNCTIONS: dict[object, Activation] = {
    torch.relu: "relu",
    torch.nn.functional.relu: "relu",
    torch.square: "square",
    torch.abs: "abs",
    torch.tanh: "tanh",
    torch.nn.functional.tanh: "tanh",
    torch.sigmoid: "sigmoid",
    torch.nn.functional.sigmoid: "sigmoid",
    torch.nn.functional.silu: "silu",
    torch.nn.functional.gelu: "gelu",
}
MODULES: dict[type, Activation] = {
    torch.nn.ReLU: "relu",
    torch.nn.Identity: "identity",
    torch.nn.Tanh: "tanh",
    torch.nn.Sigmoid: "sigmoid",
    torch.nn.SiLU: "silu",
}
GELU: dict[str, Activation] = {"none": "gelu", "tanh": "gelu-tanh"}


def encoder_layers(module: torch.nn.Module) -> Layers:
    """Name with its dot -> layer, in their order; InputError for what is none in it."""
    found = {
        f"{name}." if name else "": part
        for name, part in module.named_modules()
        if isinstance(part, torch.nn.TransformerEncoderLayer)
    }
    if not found:
        inside = ", ".join(dict.fromkeys(type(part).__name__ for part in module.modules()))
        raise InputError(
            f"there is no torch.nn.TransformerEncoderLayer in the module, which is made of: {inside}; of a model of "
            "TransformerLens give the state_dict()"
        )
    for name, layer in found.items():
        attention = layer.self_attn
        if type(attention) is not torch.nn.MultiheadAttention:
            raise InputError(f"{name}self_attn is a {type(attention).__name__}, not a torch.nn.MultiheadAttention")
        if attention.bias_k is not None or attention.add_zero_attn:
            raise InputError(f"{name}self_attn attends to a position that is none (add_bias_kv or add_zero_attn)")
    return found


def refuse_dropout(module: torch.nn.Module) -> None:
    """InputError where some part drops out."""
    for name, part in module.named_modules():
        p = part.p if isinstance(part, torch.nn.Dropout) else getattr(part, "dropout", 0.0)
        if part.training and isinstance(p, float) and p > 0:
            raise InputError(f"{name} drops out with p = {p}; call .eval() on the module first, or give it dropout=0")


def _norms(name: str, layer: torch.nn.TransformerEncoderLayer, settings: Settings) -> Norms:
    if settings.norms is None:
        if type(layer).forward is not torch.nn.TransformerEncoderLayer.forward:
            raise InputError(
                f"{name}forward is the module's own ({type(layer).__name__}): say norms='post' if it normalises after "
                "each residual connection, 'pre' if it does so before attention and feed-forward network, 'none' if it "
                "does not normalise"
            )
        where: Norms = "pre" if layer.norm_first else "post"
    else:
        where = settings.norms
    if where != "none":
        for norm, part in ((f"{name}norm1", layer.norm1), (f"{name}norm2", layer.norm2)):
            _as_set(norm, "epsilon", part.eps, settings.epsilon)
    return where


def _final_norm(outside: Mapping[str, torch.nn.Module]) -> tuple[str, float] | None:
    found = {name: part for name, part in outside.items() if isinstance(part, torch.nn.LayerNorm)}
    if len(found) > 1:
        raise InputError(
            f"{', '.join(found)}: outside of its layers there may be one norm, which is before the readout"
        )
    return next(((name, part.eps) for name, part in found.items()), None)


def _only(outside: Mapping[str, torch.nn.Module], kind: type[torch.nn.Module], what: str) -> str:
    names = [name for name, part in outside.items() if isinstance(part, kind)]
    if len(names) != 1:
        raise InputError(
            f"the module has {', '.join(names) or 'nothing'} that may be its {what} (torch.nn.{kind.__name__} outside "
            f"of its layers); name the one that is: {what}='...'"
        )
    return names[0]


def _tensor(module: torch.nn.Module, name: str) -> Tensor:
    """The tensor or the embedding of that name, as a tensor that is no parameter is not in the state dictionary."""
    try:
        found = operator.attrgetter(name)(module)
    except AttributeError as error:
        raise InputError(f"embedding: the module has no {name!r}") from error
    found = found.weight if isinstance(found, torch.nn.Embedding) else found
    if not isinstance(found, Tensor):
        raise InputError(f"embedding: {name} is a {type(found).__name__}, not a tensor or a torch.nn.Embedding")
    return found
