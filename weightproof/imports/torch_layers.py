"""The tensors of `torch.nn.TransformerEncoderLayer`, by the names of its state dictionary."""

from __future__ import annotations

import re
from dataclasses import dataclass

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation
from weightproof.imports.dense import DenseFeedForward, DenseHead, DenseLayer, Tensor
from weightproof.imports.tensors import Tensors

PACKED = "self_attn.in_proj_weight"


def layer_names(tensors: Tensors) -> list[str]:
    """What the names of each layer begin with, up to the dot, in the order of their numbers."""
    names = [name.removesuffix(PACKED) for name in tensors.named if name.endswith(PACKED)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".") if part.isdigit()])


@dataclass(frozen=True)
class Of:
    """What the tensors of a layer do not say. epsilons: of its norms, None where they are not applied."""

    heads: int
    activation: Activation
    epsilons: tuple[float, float] | None


def read_layer(tensors: Tensors, name: str, of: Of) -> DenseLayer:
    """One layer."""
    heads, epsilons = of.heads, of.epsilons
    d = tensors.take(name + PACKED, None, None).shape[1]
    W_Q, W_K, W_V = tensors.take(name + PACKED, 3 * d, d).view(3, d, d)
    W_O = tensors.take(f"{name}self_attn.out_proj.weight", d, d)
    packed = tensors.bias(f"{name}self_attn.in_proj_bias", 3 * d)
    b_Q, _, b_V = (None, None, None) if packed is None else packed.view(3, d)
    if heads < 1 or d % heads:
        raise InputError(f"{name}self_attn: {d} coordinates are not divided by {heads} heads; say how many there are")

    def rows(tensor: Tensor, head: int) -> Tensor:
        return tensor[head * d // heads : (head + 1) * d // heads]

    def part(tensor: Tensor | None, head: int) -> Tensor | None:
        return None if tensor is None else rows(tensor, head)

    _norms(tensors, name, d, epsilons)
    hidden = tensors.take(f"{name}linear1.weight", None, d).shape[0]
    return DenseLayer(
        name.removesuffix("."),
        tuple(
            DenseHead(rows(W_Q, h), rows(W_K, h), rows(W_V, h), rows(W_O.T, h).T, b_Q=part(b_Q, h), b_V=part(b_V, h))
            for h in range(heads)
        ),
        tensors.bias(f"{name}self_attn.out_proj.bias", d),
        DenseFeedForward(
            tensors.take(f"{name}linear1.weight", hidden, d),
            tensors.bias(f"{name}linear1.bias", hidden),
            tensors.take(f"{name}linear2.weight", d, hidden),
            tensors.bias(f"{name}linear2.bias", d),
            of.activation,
        ),
        epsilons,
    )


def _norms(tensors: Tensors, name: str, d: int, epsilons: tuple[float, float] | None) -> None:
    """Gain 1 and bias 0, which is all that a norm has here; InputError for others. Norms that are not applied pass."""
    for norm in ("norm1", "norm2"):
        for part, plain in (("weight", 1.0), ("bias", 0.0)):
            key = f"{name}{norm}.{part}"
            if key not in tensors:
                continue
            values = tensors.take(key, d)
            if epsilons is not None and bool((values != plain).any()):
                raise InputError(f"{key} is not {plain:.0f} everywhere; a norm here has gain 1 and bias 0")


def has_norms(tensors: Tensors) -> str | None:
    """The name of a tensor of a norm, where there is one."""
    return next((name for name in tensors.named if re.search(r"(^|\.)norm[12]\.weight$", name)), None)
