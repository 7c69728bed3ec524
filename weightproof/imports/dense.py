"""What every way of writing down a transformer comes to: dense matrices, layer by layer, as papers
write them, y = Wx + b.

All tensors are float64, which holds the numbers of every format of weights exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from weightproof.constructions.meaning.schema import Activation

Tensor = torch.Tensor


@dataclass(frozen=True)
class DenseHead:
    """W_Q, W_K [d_head, d], b_Q [d_head]; W_V [d_value, d], b_V [d_value], W_O [d, d_value]. A bias may be None.

    A bias of the keys is left out: it adds the same to all scores of a query, and so changes no attention weight.
    """

    W_Q: Tensor
    W_K: Tensor
    W_V: Tensor
    W_O: Tensor
    b_Q: Tensor | None = None
    b_V: Tensor | None = None


@dataclass(frozen=True)
class DenseFeedForward:
    """W_F2 activation(W_F1 x + b_F1) + b_F2: W_F1 [hidden, d], W_F2 [d, hidden]."""

    W_F1: Tensor
    b_F1: Tensor | None
    W_F2: Tensor
    b_F2: Tensor | None
    activation: Activation


@dataclass(frozen=True)
class DenseLayer:
    """name: as its tensors are called. epsilons: of the norms after attention and after the feed-forward network; None
    where there is no norm."""

    name: str
    heads: tuple[DenseHead, ...]
    b_O: Tensor | None
    feed_forward: DenseFeedForward | None
    epsilons: tuple[float, float] | None = None


@dataclass(frozen=True)
class Dense:
    """W_E [tokens, d], W_U [outputs, d], b_U [outputs]; table: position encodings [positions, d], or None."""

    W_E: Tensor
    layers: tuple[DenseLayer, ...]
    W_U: Tensor
    b_U: Tensor | None
    table: Tensor | None = None

    @property
    def width(self) -> int:
        return int(self.W_E.shape[1])
