"""Networks by the names of their tensors: those of TransformerLens, and plain matrices as papers print them.

TransformerLens (Nanda and Bloom 2022) had row vectors, x W; the same names are those of our own `Transformer`:

    W_E | embed.W_E [tokens, d]    pos_embed.W_pos [positions, d]    unembed.W_U [d, outputs]    unembed.b_U [outputs]
    blocks.0.attn.W_Q, W_K, W_V [heads, d, d_head]    b_Q, b_K, b_V [heads, d_head]    W_O [heads, d_head, d]    b_O [d]
    blocks.0.mlp.W_in [d, hidden]    b_in [hidden]    W_out [hidden, d]    b_out [d]

Since its version 4 it has linear maps of torch, with heads side by side, as `weightproof export` writes them:

    embed.weight [tokens, d]    pos_embed.weight [positions, d]    unembed.weight [outputs, d]    unembed.bias [outputs]
    blocks.0.attn.q, k, v.weight [heads * d_head, d]   .bias [heads * d_head]   o.weight [d, heads * d_head]   .bias [d]
    blocks.0.mlp.in.weight [hidden, d]    .bias [hidden]    out.weight [d, hidden]    .bias [d]

Plain matrices have column vectors, W x, and heads of any widths:

    W_E [tokens, d]    W_U [outputs, d]    b_U [outputs]
    layers.0.heads.0.W_Q, W_K [d_head, d]    W_V [d_value, d]    W_O [d, d_value], or W_V [d, d] alone
    layers.0.W_F1 [hidden, d]    b_F1 [hidden]    W_F2 [d, hidden]    b_F2 [d]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.imports.dense import DenseFeedForward, DenseHead, DenseLayer
from weightproof.imports.settings import Settings
from weightproof.imports.tensors import Tensors

BEFORE = "it normalises before a part of the network, and here a norm stands after one"
ELSEWHERE = {
    "ln1": BEFORE,
    "ln2": BEFORE,
    "ln_final": BEFORE,
    "mlp.ln": BEFORE,
    "mlp.gate": "its feed-forward network is gated, and here hidden units are relu(Wx + b)",
    "mlp.W_gate": "its feed-forward network is gated, and here hidden units are relu(Wx + b)",
}
"""Parts of TransformerLens, by their names, for which no construction has a place."""
LENS, PLAIN = r"blocks\.(\d+)\.", r"layers\.(\d+)\.(?:heads\.|[Wb]_)"


def layer_numbers(tensors: Tensors, pattern: str) -> list[int]:
    """The numbers of the layers that have names of this kind; InputError where one is missing."""
    numbers = sorted({int(found[1]) for name in tensors.named if (found := re.match(pattern, name))})
    if numbers != list(range(len(numbers))):
        raise InputError(f"the layers are numbered {', '.join(map(str, numbers))}; number them 0, 1, 2 and so on")
    return numbers


def read_lens(tensors: Tensors, d: int, settings: Settings) -> Iterator[DenseLayer]:
    """The layers by the names of TransformerLens, which say how many heads there are in the older ones alone, and what
    else a network needs in none."""
    for name in tensors.named:
        for part, why in ELSEWHERE.items():
            if f".{part}." in f".{name}.":
                raise InputError(f"{name}: {why}")
    for number in layer_numbers(tensors, LENS):
        name = f"blocks.{number}"
        first = next(key for key in tensors.named if key.startswith(f"{name}."))
        for buffer in ("mask", "IGNORE"):
            tensors.skip(f"{name}.attn.{buffer}")
        linear = _has(tensors, f"{name}.attn.", "qkvo")
        read = _linear_heads if linear else _lens_heads
        yield DenseLayer(
            name,
            tuple(read(tensors, f"{name}.attn.", d, settings)),
            tensors.bias(f"{name}.attn.{'o.bias' if linear else 'b_O'}", d),
            _lens_feed_forward(tensors, f"{name}.mlp.", d, settings),
            settings.epsilons_at(first),
        )


def _has(tensors: Tensors, name: str, parts: Iterable[str]) -> bool:
    """Whether there is one of the linear maps."""
    return any(f"{name}{part}.{what}" in tensors for part in parts for what in ("weight", "bias"))


def _lens_heads(tensors: Tensors, name: str, d: int, settings: Settings) -> Iterator[DenseHead]:
    if not any(f"{name}W_{part}" in tensors for part in "QKVO"):
        return
    heads, _, size = tensors.take(f"{name}W_Q", None, d, None).shape
    _require_as_set(f"{name}W_Q", heads, settings)
    settings.mask_at(f"{name}W_Q")
    W_Q, W_K, W_V = (tensors.take(f"{name}W_{part}", heads, d, size) for part in "QKV")
    W_O = tensors.take(f"{name}W_O", heads, size, d)
    b_Q, _, b_V = (
        tensors.take(f"{name}b_{part}", heads, size) if f"{name}b_{part}" in tensors else [None] * heads
        for part in "QKV"
    )
    for h in range(heads):
        yield DenseHead(W_Q[h].T, W_K[h].T, W_V[h].T, W_O[h].T, b_Q=b_Q[h], b_V=b_V[h])


def _require_as_set(name: str, heads: int, settings: Settings) -> None:
    """Where tensors say how many heads there are, it is what the settings say, if they do."""
    if settings.heads not in (None, heads):
        raise InputError(f"{name} is of {heads} heads, not of {settings.heads}; leave heads out, or mend it")


def _linear_heads(tensors: Tensors, name: str, d: int, settings: Settings) -> Iterator[DenseHead]:
    rows, heads = tensors.take(f"{name}q.weight", None, d).shape[0], settings.heads
    settings.mask_at(f"{name}q.weight")
    if heads is None:
        raise InputError(f"{name}q.weight has {rows} rows, and no tensor says of how many heads: give heads=...")
    if heads < 1 or rows % heads:
        raise InputError(f"{name}q.weight has {rows} rows, and {heads} heads do not divide them; give heads=...")
    W_Q, W_K, W_V = (tensors.take(f"{name}{part}.weight", rows, d).chunk(heads) for part in "qkv")
    W_O = tensors.take(f"{name}o.weight", d, rows).chunk(heads, dim=1)
    b_Q, _, b_V = (
        [None] * heads if (bias := tensors.bias(f"{name}{part}.bias", rows)) is None else bias.chunk(heads)
        for part in "qkv"
    )
    for h in range(heads):
        yield DenseHead(W_Q[h], W_K[h], W_V[h], W_O[h], b_Q=b_Q[h], b_V=b_V[h])


def _lens_feed_forward(tensors: Tensors, name: str, d: int, settings: Settings) -> DenseFeedForward | None:
    present = [key for key in tensors.named if key.startswith(name)]
    if present and settings.attention_only:
        raise InputError(f"{present[0]} is there, and the config says attn_only = True")
    if not present and settings.attention_only is False:
        raise InputError(f"no tensor is called {name}W_in, or the like, and the config says attn_only = False")
    if _has(tensors, name, ("in", "out")):
        hidden = tensors.take(f"{name}in.weight", None, d).shape[0]
        return DenseFeedForward(
            tensors.take(f"{name}in.weight", hidden, d),
            tensors.bias(f"{name}in.bias", hidden),
            tensors.take(f"{name}out.weight", d, hidden),
            tensors.bias(f"{name}out.bias", d),
            settings.activation_at(f"{name}in.weight"),
        )
    if f"{name}W_in" not in tensors and f"{name}W_out" not in tensors:
        return None
    hidden = tensors.take(f"{name}W_in", d, None).shape[1]
    return DenseFeedForward(
        tensors.take(f"{name}W_in", d, hidden).T,
        tensors.bias(f"{name}b_in", hidden),
        tensors.take(f"{name}W_out", hidden, d).T,
        tensors.bias(f"{name}b_out", d),
        settings.activation_at(f"{name}W_in"),
    )


def read_plain(tensors: Tensors, d: int, settings: Settings) -> Iterator[DenseLayer]:
    """The layers of plain matrices."""
    for number in layer_numbers(tensors, PLAIN):
        name = f"layers.{number}."
        found = (re.match(rf"{re.escape(name)}heads\.(\d+)\.", key) for key in tensors.named)
        heads = sorted({int(match[1]) for match in found if match})
        first = next(key for key in tensors.named if key.startswith(name))
        _require_as_set(f"{name}heads", len(heads), settings)
        if heads:
            settings.mask_at(f"{name}heads.{heads[0]}.W_V")
        yield DenseLayer(
            name.removesuffix("."),
            tuple(_plain_head(tensors, f"{name}heads.{head}.", d) for head in heads),
            tensors.bias(f"{name}b_O", d),
            _plain_feed_forward(tensors, name, d, settings),
            settings.epsilons_at(first),
        )


def _plain_head(tensors: Tensors, name: str, d: int) -> DenseHead:
    has_scores = f"{name}W_Q" in tensors or f"{name}W_K" in tensors
    size = tensors.take(f"{name}W_Q", None, d).shape[0] if has_scores else 0
    nothing = torch.zeros(0, d, dtype=torch.float64)
    values = tensors.take(f"{name}W_V", None, d).shape[0]
    return DenseHead(
        tensors.take(f"{name}W_Q", size, d) if has_scores else nothing,
        tensors.take(f"{name}W_K", size, d) if has_scores else nothing,
        tensors.take(f"{name}W_V", values, d),
        tensors.take(f"{name}W_O", d, values) if f"{name}W_O" in tensors else _identity(tensors, f"{name}W_V", d),
    )


def _identity(tensors: Tensors, name: str, d: int) -> torch.Tensor:
    tensors.take(name, d, d)
    return torch.eye(d, dtype=torch.float64)


def _plain_feed_forward(tensors: Tensors, name: str, d: int, settings: Settings) -> DenseFeedForward | None:
    if f"{name}W_F1" not in tensors:
        return None
    hidden = tensors.take(f"{name}W_F1", None, d).shape[0]
    return DenseFeedForward(
        tensors.take(f"{name}W_F1", hidden, d),
        tensors.bias(f"{name}b_F1", hidden),
        tensors.take(f"{name}W_F2", d, hidden),
        tensors.bias(f"{name}b_F2", d),
        settings.activation_at(f"{name}W_F1"),
    )
