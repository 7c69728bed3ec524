"""What every way of writing down a transformer comes to: dense matrices, layer by layer, as papers
write them, y = Wx + b.

All tensors are float64, which holds the numbers of every format of weights exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation, known
from weightproof.imports.settings import Norms, Settings
from weightproof.imports.tensors import Tensors

Tensor = torch.Tensor


@dataclass(frozen=True)
class DenseNorm:
    """(x - mean(x)) / sqrt(var(x) + epsilon), or x / sqrt(mean(x^2) + epsilon) where it is not centred; times gain,
    plus bias, [d] each, where there are any."""

    epsilon: float
    gain: Tensor | None = None
    bias: Tensor | None = None
    is_centred: bool = True


@dataclass(frozen=True)
class DenseNorms:
    """Those of a layer: of what attention and the feed-forward network read, and behind their residual connections."""

    before_attention: DenseNorm | None = None
    after_attention: DenseNorm | None = None
    before_feed_forward: DenseNorm | None = None
    after_feed_forward: DenseNorm | None = None

    def __iter__(self) -> Iterator[DenseNorm]:
        """All that are there."""
        found = (self.before_attention, self.after_attention, self.before_feed_forward, self.after_feed_forward)
        return (norm for norm in found if norm is not None)


def norms_at(where: Norms, first: DenseNorm | None, second: DenseNorm | None) -> DenseNorms:
    """The two norms of a layer at the places that a name says."""
    table = {
        "none": DenseNorms(),
        "post": DenseNorms(after_attention=first, after_feed_forward=second),
        "pre": DenseNorms(before_attention=first, before_feed_forward=second),
    }
    return known("the import of layers", "place of norms", where, table)


@dataclass(frozen=True)
class DenseRotary:
    """Coordinates of queries and keys, counted from 0, that are turned, as in `Rotary`, by an expression."""

    first: int
    second: int
    angle: str


@dataclass(frozen=True)
class DenseHead:
    """W_Q, W_K [d_head, d], b_Q [d_head]; W_V [d_value, d], b_V [d_value], W_O [d, d_value]. A bias may be None.

    query_norm, key_norm: over d_head; rotary: of what is behind them.
    A bias of the keys is left out: it adds the same to all scores of a query, and so changes no attention weight.
    """

    W_Q: Tensor
    W_K: Tensor
    W_V: Tensor
    W_O: Tensor
    b_Q: Tensor | None = None
    b_V: Tensor | None = None
    query_norm: DenseNorm | None = None
    key_norm: DenseNorm | None = None
    rotary: tuple[DenseRotary, ...] = ()

    @property
    def reads_whole(self) -> bool:
        """Whether what queries and keys are in one coordinate bears on others, so that none may be left out."""
        return bool(self.rotary) or self.query_norm is not None or self.key_norm is not None


@dataclass(frozen=True)
class DenseFeedForward:
    """W_F2 activation(W_F1 x + b_F1) + b_F2: W_F1 [hidden, d], W_F2 [d, hidden]; with a gate, W_G [hidden, d] and b_G,
    W_F2 (activation(W_G x + b_G) (W_F1 x + b_F1)) + b_F2."""

    W_F1: Tensor
    b_F1: Tensor | None
    W_F2: Tensor
    b_F2: Tensor | None
    activation: Activation
    W_G: Tensor | None = None
    b_G: Tensor | None = None


@dataclass(frozen=True)
class DenseLayer:
    """name: as its tensors are called."""

    name: str
    heads: tuple[DenseHead, ...]
    b_O: Tensor | None
    feed_forward: DenseFeedForward | None
    norms: DenseNorms = DenseNorms()


@dataclass(frozen=True)
class Dense:
    """W_E [tokens, d], W_U [outputs, d], b_U [outputs]; table: position encodings [positions, d], or None.
    final_norm: of what is read out. predicts: whether the outputs are the tokens, and the greatest is the next one, and
    not the logit of a word or those of classes that it may be of."""

    W_E: Tensor
    layers: tuple[DenseLayer, ...]
    W_U: Tensor
    b_U: Tensor | None
    table: Tensor | None = None
    final_norm: DenseNorm | None = None
    predicts: bool = False

    @property
    def width(self) -> int:
        return int(self.W_E.shape[1])


def norm_of(
    tensors: Tensors,
    name: str,
    d: int,
    epsilon: float,
    is_centred: bool = True,
    parts: tuple[str, str] = ("weight", "bias"),
) -> DenseNorm:
    """The norm whose gain and bias, where there are any, are `name`.weight and `name`.bias, or have other parts."""
    gain, bias = (tensors.bias(f"{name}.{part}", d) for part in parts)
    return DenseNorm(
        epsilon,
        None if gain is None or bool((gain == 1).all()) else gain,
        None if bias is None or not bool(bias.any()) else bias,
        is_centred,
    )


def output_map(tensors: Tensors, W_E: Tensor, settings: Settings) -> Tensor:
    """lm_head.weight, or what embeds where that is not there; InputError where the configuration says otherwise."""
    name = "lm_head.weight"
    W_U = tensors.take(name, *W_E.shape) if name in tensors else None
    if settings.tied is False and W_U is None:
        raise InputError(f"no tensor is called {name!r}, and the config says tie_word_embeddings = False")
    if settings.tied and W_U is not None and not torch.equal(W_U, W_E):
        raise InputError(f"{name} is not what embeds, and the config says tie_word_embeddings = True")
    return W_E if W_U is None else W_U
