"""The dense matrices of a network, by whichever names its tensors have."""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.meaning.inputs import InputError
from weightproof.imports.dense import Dense, DenseLayer, Tensor
from weightproof.imports.key_names import PLAIN, layer_numbers, read_lens, read_plain
from weightproof.imports.modules import Described
from weightproof.imports.settings import Settings
from weightproof.imports.tensors import Tensors, listed
from weightproof.imports.torch_layers import PACKED, Of, has_norms, layer_names, read_layer

EMBEDDINGS = ("W_E", "embed.W_E", "embed.weight")
POSITIONS = ("pos_embed.W_pos", "pos_embed.weight")


def read_dense(
    tensors: Tensors,
    said: Described | None,
    embedding: str | Tensor | None,
    readout: str | None,
    settings: Settings,
    tokens: int,
) -> Dense:
    """The dense matrices, by whichever names they have; InputError where neither the module nor anybody else says what
    tensors do not."""
    if said is not None:
        embedding, readout = said.embedding, said.readout
    if isinstance(embedding, Tensor):
        W_E = Tensors({"embedding": embedding}).take("embedding", tokens, None)
    else:
        W_E = _embedding(tensors, embedding, tokens)
    d = int(W_E.shape[1])
    W_U, b_U = _readout(tensors, readout, d)
    if torch_names := layer_names(tensors):
        layers = [
            read_layer(tensors, name, _of_layer(settings, said, name, has_norms(tensors))) for name in torch_names
        ]
    elif layer_numbers(tensors, PLAIN):
        layers = list(read_plain(tensors, d, settings))
    else:
        layers = list(read_lens(tensors, d, settings))
    table = next((tensors.take(name, None, d) for name in POSITIONS if name in tensors), None)
    _require_width(layers, d)
    return Dense(W_E, tuple(layers), W_U, b_U, table)


def _of_layer(settings: Settings, said: Described | None, name: str, norm: str | None) -> Of:
    """Of one of torch's layers, what the module says, or the settings."""
    if said is not None:
        return Of(said.heads[name], said.activations[name], said.epsilons[name])
    if settings.heads is None:
        raise InputError("tensors do not say how many heads a layer has: give heads=...")
    settings.mask_at(name + PACKED)
    return Of(
        settings.heads, settings.activation_at(f"{name}linear1.weight"), settings.epsilons_at(norm or name + PACKED)
    )


def _require_width(layers: Sequence[DenseLayer], d: int) -> None:
    for layer in layers:
        for head in layer.heads:
            if head.W_V.shape[1] != d:
                raise InputError(f"{layer.name} has {head.W_V.shape[1]} coordinates, but the embedding {d}")


def _embedding(tensors: Tensors, name: str | None, tokens: int) -> Tensor:
    known = [key for key in EMBEDDINGS if key in tensors] if name is None else [name, f"{name}.weight"]
    found = [key for key in known if key in tensors]
    if not found:
        raise InputError(f"which tensor is the embedding? give embedding=...; there are {listed(tensors.named)}")
    return tensors.take(found[0], tokens, None)


def _readout(tensors: Tensors, name: str | None, d: int) -> tuple[Tensor, Tensor | None]:
    if name is None and "unembed.W_U" in tensors:
        return tensors.take("unembed.W_U", d, 1).T, tensors.bias("unembed.b_U", 1)
    if name is None and "unembed.weight" in tensors:
        name = "unembed"
    if name is None and "W_U" in tensors:
        return tensors.take("W_U", 1, d), tensors.bias("b_U", 1)
    if name is None or f"{name}.weight" not in tensors:
        raise InputError(f"which linear map is read out? give readout=...; there are {listed(tensors.named)}")
    return tensors.take(f"{name}.weight", 1, d), tensors.bias(f"{name}.bias", 1)
