"""The dense matrices of a network, by whichever names its tensors have: those of torch, of TransformerLens, and plain
matrices as papers print them.

A `torch.nn.TransformerEncoderLayer` has the names of its state dictionary. TransformerLens (Nanda and Bloom 2022) had
row vectors, x W; the same names are those of our own `Transformer`:

    W_E | embed.W_E [tokens, d]    pos_embed.W_pos [positions, d]    unembed.W_U [d, outputs]    unembed.b_U [outputs]
    blocks.0.attn.W_Q, W_K, W_V [heads, d, d_head]    b_Q, b_K, b_V [heads, d_head]    W_O [heads, d_head, d]    b_O [d]
    blocks.0.mlp.W_in [d, hidden]    b_in [hidden]    W_out [hidden, d]    b_out [d]
    blocks.0.ln1, ln2, ln_final.w, .b [d], of norms before each part and before the readout

Since its version 4 it has linear maps of torch, with heads side by side, as `weightproof export` writes them:

    embed.weight [tokens, d]    pos_embed.weight [positions, d]    unembed.weight [outputs, d]    unembed.bias [outputs]
    blocks.0.attn.q, k, v.weight [heads * d_head, d]   .bias [heads * d_head]   o.weight [d, heads * d_head]   .bias [d]
    blocks.0.mlp.in.weight [hidden, d]    .bias [hidden]    out.weight [d, hidden]    .bias [d]
    blocks.0.ln1, ln2, ln_final.weight, .bias [d]

With an output for each token, where these are not said to be classes, and a causal mask, it predicts the next one; with
one output it is a recogniser, and with others a classifier.

Plain matrices have column vectors, W x, and heads of any widths:

    W_E [tokens, d]    W_U [outputs, d]    b_U [outputs]
    layers.0.heads.0.W_Q, W_K [d_head, d]    W_V [d_value, d]    W_O [d, d_value], or W_V [d, d] alone
    layers.0.W_F1 [hidden, d]    b_F1 [hidden]    W_F2 [d, hidden]    b_F2 [d]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation
from weightproof.imports.dense import (
    Dense,
    DenseFeedForward,
    DenseHead,
    DenseLayer,
    DenseNorm,
    DenseNorms,
    Tensor,
    norm_of,
    norms_at,
)
from weightproof.imports.families import family_of
from weightproof.imports.modules import Described
from weightproof.imports.saying import Missaid, Saying
from weightproof.imports.settings import Norms, Settings
from weightproof.imports.tensors import GivenTensor, Tensors, layer_numbers, listed

ELSEWHERE = {
    "mlp.ln": "it normalises hidden units, which is not read by the names of TransformerLens",
    "mlp.gate": "its feed-forward network is gated, which is not read by the names of TransformerLens",
    "mlp.W_gate": "its feed-forward network is gated, which is not read by the names of TransformerLens",
}
"""Parts of TransformerLens, by their names, for which no construction has a place."""
PLAIN_FEED_FORWARD = ("W_F1", "b_F1", "W_F2", "b_F2")
LENS, PLAIN = r"blocks\.(\d+)\.", r"layers\.(\d+)\.(?:heads\.|[Wb]_)"


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
        heads = tuple(read(tensors, f"{name}.attn.", d, settings))
        feed_forward = _lens_feed_forward(tensors, f"{name}.mlp.", d, settings)
        if _lens_norms(tensors, settings, first) == "pre":
            norms = DenseNorms(
                before_attention=_lens_norm(tensors, f"{name}.ln1", d, settings),
                before_feed_forward=None if feed_forward is None else _lens_norm(tensors, f"{name}.ln2", d, settings),
            )
        else:
            norms = _without_norms(settings, first)
        yield DenseLayer(
            name, heads, tensors.bias(f"{name}.attn.{'o.bias' if linear else 'b_O'}", d), feed_forward, norms
        )


LENS_NORM = re.compile(r"(?:^|\.)(?:ln1|ln2|ln_final)\.")


def _lens_norms(tensors: Tensors, settings: Settings, name: str) -> Norms:
    """Where a network with the names of TransformerLens normalises. A gain and a bias say it, and it is before each
    part and before the readout; where they are folded away, it has to be said."""
    given = next((each for each in tensors.named if LENS_NORM.search(each)), None)
    if given is None:
        return settings.norms_at(name)
    if settings.norms not in (None, "pre"):
        problem = f"{given} is of a norm before a part of the network, and not "
        raise Missaid(problem, Saying("norms", settings.norms))
    return "pre"


def _lens_norm(tensors: Tensors, name: str, d: int, settings: Settings) -> DenseNorm:
    """One of them: a gain and a bias, or neither where they are folded away."""
    if not any(LENS_NORM.search(each) for each in tensors.named):
        return DenseNorm(settings.epsilon_of_norms())
    gain, bias = ("weight", "bias") if f"{name}.weight" in tensors else ("w", "b")
    tensors.take(f"{name}.{gain}", d)
    if f"{name}.{bias}" not in tensors:
        raise InputError(f"{name}.{gain}: a norm without a bias, as by the root mean square, is not read here")
    return norm_of(tensors, name, d, settings.epsilon_of_norms(), parts=(gain, bias))


def _without_norms(settings: Settings, name: str) -> DenseNorms:
    """Norms whose gains and biases have no names here: those of gain 1 and bias 0."""
    where = settings.norms_at(name)
    plain = None if where == "none" else DenseNorm(settings.epsilon_of_norms())
    return norms_at(where, plain, plain)


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
        raise Missaid(f"{name} is of {heads} heads: leave out, or mend, ", Saying("heads", settings.heads))


def _linear_heads(tensors: Tensors, name: str, d: int, settings: Settings) -> Iterator[DenseHead]:
    rows = tensors.take(f"{name}q.weight", None, d).shape[0]
    settings.mask_at(f"{name}q.weight")
    heads = settings.heads_at(f"{name}q.weight", rows)
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
        keys = [f"{name}{part}.{what}" for part in ("in", "out") for what in ("weight", "bias")]
        return _feed_forward(tensors, keys, d, settings.activation_at)
    if f"{name}W_in" not in tensors and f"{name}W_out" not in tensors:
        return None
    keys = [f"{name}{key}" for key in ("W_in", "b_in", "W_out", "b_out")]
    return _feed_forward(tensors, keys, d, settings.activation_at, is_of_rows=True)


def _feed_forward(
    tensors: Tensors, keys: Sequence[str], d: int, activation: Callable[[str], Activation], is_of_rows: bool = False
) -> DenseFeedForward:
    """keys: of W_F1, b_F1, W_F2, b_F2; activation: by the key of the first; is_of_rows: of row vectors, x W."""
    first, first_bias, second, second_bias = keys
    hidden = tensors.take(first, d, None).shape[1] if is_of_rows else tensors.take(first, None, d).shape[0]

    def weights(key: str, rows: int, columns: int) -> Tensor:
        return tensors.take(key, columns, rows).T if is_of_rows else tensors.take(key, rows, columns)

    return DenseFeedForward(
        weights(first, hidden, d),
        tensors.bias(first_bias, hidden),
        weights(second, d, hidden),
        tensors.bias(second_bias, d),
        activation(first),
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
            _feed_forward(tensors, [f"{name}{key}" for key in PLAIN_FEED_FORWARD], d, settings.activation_at)
            if f"{name}W_F1" in tensors
            else None,
            _without_norms(settings, first),
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


PACKED = "self_attn.in_proj_weight"


def layer_names(tensors: Tensors) -> list[str]:
    """What the names of each layer begin with, up to the dot, in the order of their numbers."""
    names = [name.removesuffix(PACKED) for name in tensors.named if name.endswith(PACKED)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".") if part.isdigit()])


@dataclass(frozen=True)
class Of:
    """What the tensors of a layer do not say. epsilons: of its norms, where there are any."""

    heads: int
    activation: Activation
    norms: Norms
    epsilons: tuple[float, float]


def read_layer(tensors: Tensors, name: str, of: Of) -> DenseLayer:
    """One layer."""
    heads = of.heads
    d = tensors.take(name + PACKED, None, None).shape[1]
    W_Q, W_K, W_V = tensors.take(name + PACKED, 3 * d, d).view(3, d, d)
    W_O = tensors.take(f"{name}self_attn.out_proj.weight", d, d)
    packed = tensors.bias(f"{name}self_attn.in_proj_bias", 3 * d)
    b_Q, _, b_V = (None, None, None) if packed is None else packed.view(3, d)
    if heads < 1 or d % heads:
        raise Missaid(f"{name}self_attn: {d} coordinates are not divided by {heads} heads: say ", Saying("heads", ...))

    def rows(tensor: Tensor, head: int) -> Tensor:
        return tensor[head * d // heads : (head + 1) * d // heads]

    def part(tensor: Tensor | None, head: int) -> Tensor | None:
        return None if tensor is None else rows(tensor, head)

    first, second = (
        norm_of(tensors, f"{name}norm{number}", d, epsilon) for number, epsilon in enumerate(of.epsilons, start=1)
    )
    return DenseLayer(
        name.removesuffix("."),
        tuple(
            DenseHead(rows(W_Q, h), rows(W_K, h), rows(W_V, h), rows(W_O.T, h).T, b_Q=part(b_Q, h), b_V=part(b_V, h))
            for h in range(heads)
        ),
        tensors.bias(f"{name}self_attn.out_proj.bias", d),
        _feed_forward(
            tensors,
            [f"{name}linear{number}.{what}" for number in (1, 2) for what in ("weight", "bias")],
            d,
            lambda _: of.activation,
        ),
        norms_at(of.norms, first, second),
    )


def has_norms(tensors: Tensors) -> str | None:
    """The name of a tensor of a norm, where there is one."""
    return next((name for name in tensors.named if re.search(r"(^|\.)norm[12]\.weight$", name)), None)


UNEMBEDS = {"unembed.weight": 0, "unembed.W_U": 1}
"""The maps of TransformerLens to outputs, and the axis of these."""


def predicts_tokens(tensors: Tensors, tokens: int, of_classes: bool) -> bool:
    """Whether outputs are tokens by the names: those of a family, or of TransformerLens with an output for each where
    these are not said to be classes."""
    outputs = [tensors.named[name].shape[axis] for name, axis in UNEMBEDS.items()
               if name in tensors and tensors.named[name].dim() == 2]  # fmt: skip
    return family_of(tensors) is not None or (not of_classes and tokens > 1 and tokens in outputs)


EMBEDDINGS = ("W_E", "embed.W_E", "embed.weight")
POSITIONS = ("pos_embed.W_pos", "pos_embed.weight")


def read_dense(
    tensors: Tensors,
    said: Described | None,
    embedding: str | GivenTensor | None,
    readout: str | None,
    settings: Settings,
    tokens: int,
    of_classes: bool,
) -> Dense:
    """The dense matrices, by whichever names they have; InputError where neither the module nor anybody else says what
    tensors do not. of_classes: whether outputs are said to be classes."""
    if said is None and (family := family_of(tensors)) is not None:
        return family.read(tensors, settings, tokens)
    if said is not None:
        embedding, readout = said.embedding, said.readout
    if embedding is not None and not isinstance(embedding, str):
        W_E = Tensors({"embedding": embedding}).take("embedding", tokens, None)
    else:
        W_E = _embedding(tensors, embedding, tokens)
    d = int(W_E.shape[1])
    W_U, b_U = _readout(tensors, readout, d)
    final_norm = None
    if torch_names := layer_names(tensors):
        layers = [
            read_layer(tensors, name, _of_layer(settings, said, name, has_norms(tensors))) for name in torch_names
        ]
        final_norm = _final_norm(tensors, said, torch_names, d, settings)
    elif layer_numbers(tensors, PLAIN):
        layers = list(read_plain(tensors, d, settings))
    else:
        layers = list(read_lens(tensors, d, settings))
        if layers and _lens_norms(tensors, settings, layers[0].name) == "pre":
            final_norm = _lens_norm(tensors, "ln_final", d, settings)
    table = next((tensors.take(name, None, d) for name in POSITIONS if name in tensors), None)
    _require_width(layers, d)
    predicts = said is None and readout is None and predicts_tokens(tensors, tokens, of_classes)
    if predicts and settings.mask != "causal":
        raise Missaid(
            "what predicts tokens sees none that comes later: say ",
            Saying("mask", "causal"),
            ", or, where the outputs are for classes, name these: ",
            Saying("classes", ...),
        )
    return Dense(W_E, tuple(layers), W_U, b_U, table, final_norm, predicts)


def _of_layer(settings: Settings, said: Described | None, name: str, norm: str | None) -> Of:
    """Of one of torch's layers, what the module says, or the settings."""
    if said is not None:
        return Of(said.heads[name], said.activations[name], said.norms[name], said.epsilons[name])
    if settings.heads is None:
        raise Missaid("tensors do not say how many heads a layer has: say ", Saying("heads", ...))
    settings.mask_at(name + PACKED)
    activation, where = settings.activation_at(f"{name}linear1.weight"), settings.norms_at(norm or name + PACKED)
    epsilon = 0.0 if where == "none" else settings.epsilon_of_norms()
    return Of(settings.heads, activation, where, (epsilon, epsilon))


def _final_norm(
    tensors: Tensors, said: Described | None, layers: Sequence[str], d: int, settings: Settings
) -> DenseNorm | None:
    """That which a module has outside of its layers; among tensors, that of a torch.nn.TransformerEncoder."""
    if said is not None:
        return None if said.final_norm is None else norm_of(tensors, said.final_norm[0], d, said.final_norm[1])
    name = layers[0].rpartition("layers.")[0] + "norm"
    return norm_of(tensors, name, d, settings.epsilon_of_norms()) if f"{name}.weight" in tensors else None


def _require_width(layers: Sequence[DenseLayer], d: int) -> None:
    for layer in layers:
        for head in layer.heads:
            if head.W_V.shape[1] != d:
                raise InputError(f"{layer.name} has {head.W_V.shape[1]} coordinates, but the embedding {d}")


def _embedding(tensors: Tensors, name: str | None, tokens: int) -> Tensor:
    known = [key for key in EMBEDDINGS if key in tensors] if name is None else [name, f"{name}.weight"]
    found = [key for key in known if key in tensors]
    if not found:
        raise Missaid(f"which tensor is the embedding, of {listed(tensors.named)}: say ", Saying("embedding", ...))
    return tensors.take(found[0], tokens, None)


def _readout(tensors: Tensors, name: str | None, d: int) -> tuple[Tensor, Tensor | None]:
    """A row for each output."""
    if name is None and "unembed.W_U" in tensors:
        W_U, bias = tensors.take("unembed.W_U", d, None).T, "unembed.b_U"
    elif name is None and "unembed.weight" in tensors:
        W_U, bias = tensors.take("unembed.weight", None, d), "unembed.bias"
    elif name is None and "W_U" in tensors:
        W_U, bias = tensors.take("W_U", None, d), "b_U"
    elif name is not None and f"{name}.weight" in tensors:
        W_U, bias = tensors.take(f"{name}.weight", None, d), f"{name}.bias"
    else:
        raise Missaid(f"which linear map is read out, of {listed(tensors.named)}: say ", Saying("readout", ...))
    return W_U, tensors.bias(bias, len(W_U))
