"""Softmax attention in floating point, at a cost linear in n wherever queries repeat.

Shapes: queries [d_head, words, rows], keys [d_head, words, n], values [d_value, words, n]; what a head returns is
[d_value, words, rows], or with one row where all rows have the same. Coordinates come first because narrow matrices
times long rows are an order of magnitude faster than long columns times narrow matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import torch

from constructions.schema import Head

Tensor = torch.Tensor


@dataclass(frozen=True)
class Scores:
    """How a head scores: the scale, rounded to the dtype, and the head's own choices."""

    head: Head
    scale: Tensor

    @property
    def causal(self) -> bool:
        return self.head.mask == "causal"

    def of(self, products: Tensor) -> Tensor:
        products = products * self.scale
        return -products.abs() if self.head.score == "-|dot|" else products


Attend = Callable[[Tensor, Tensor, Tensor, Scores], Tensor]

LARGEST_BLOCK = 1 << 24
"""Elements of a block of scores."""


def repeated(attend: Attend, queries: Tensor, keys: Tensor, values: Tensor, scores: Scores) -> Tensor:
    """Attention with each distinct query computed once; the rows are all positions, or the one that is read."""
    rows, n = queries.shape[2], keys.shape[2]
    if rows < n:
        return attend(queries, keys, values, scores)  # the one row that is read, first or last
    if bool((queries == queries[:, :, :1]).all()):
        if not scores.causal:
            return attend(queries[:, :, :1], keys, values, scores)
        running = _running(scores.of((queries[:, :, :1] * keys).sum(0)), values)
        return attend(queries, keys, values, scores) if running is None else running
    if scores.causal:
        return attend(queries, keys, values, scores)
    distinct, which = torch.unique(queries.flatten(1), dim=1, return_inverse=True)
    if distinct.shape[1] >= n:
        return attend(queries, keys, values, scores)
    every = distinct[:, None, :].expand(-1, keys.shape[1], -1)
    computed = attend(every, keys, values, scores)
    return computed.gather(2, which.view(1, *queries.shape[1:]).expand(len(values), -1, -1))


def _running(scores: Tensor, values: Tensor) -> Tensor | None:
    """Causal softmax with the same scores [words, n] in every row, as quotients of running sums.

    None where scores differ so much that the weights of early positions would underflow.
    """
    spread = scores.amax(1, keepdim=True)
    if float((spread - scores.amin(1, keepdim=True)).max()) > log(1 / torch.finfo(scores.dtype).tiny) / 2:
        return None
    weights = torch.exp(scores - spread)
    return torch.cumsum(values * weights, 2) / torch.cumsum(weights, 1)


def _masked(queries: Tensor, keys: Tensor, scores: Scores) -> bool:
    """Whether later positions have to be hidden: the row that is read alone sees all the keys it is given."""
    return scores.causal and queries.shape[2] == keys.shape[2] > 1


def explicit(queries: Tensor, keys: Tensor, values: Tensor, scores: Scores) -> Tensor:
    """torch's softmax and products, in blocks of rows."""
    words, rows, n = queries.shape[1], queries.shape[2], keys.shape[2]
    if rows == 1:
        weights = _weights(scores.of((queries * keys).sum(0)), scores)
        return (values * weights).sum(2, keepdim=True)
    size = max(1, LARGEST_BLOCK // max(words * n, 1))
    blocks = []
    for start in range(0, rows, size):
        block = queries[:, :, start : start + size]
        scored = scores.of(torch.matmul(block.permute(1, 2, 0), keys.permute(1, 0, 2)))
        if _masked(queries, keys, scores):
            places = torch.arange(start, start + block.shape[2], device=keys.device)
            later = torch.arange(n, device=keys.device) > places[:, None]
            scored = scored.masked_fill(later, -torch.inf)
        blocks.append(torch.matmul(_weights(scored, scores), values.permute(1, 2, 0)).permute(2, 0, 1))
    return torch.cat(blocks, 2)


def _weights(scored: Tensor, scores: Scores) -> Tensor:
    if scores.head.normaliser == "softmax":
        return torch.softmax(scored, -1)
    best = (scored == scored.amax(-1, keepdim=True)).to(scored.dtype)
    return best / best.sum(-1, keepdim=True)


def fused(queries: Tensor, keys: Tensor, values: Tensor, scores: Scores) -> Tensor:
    """torch's scaled dot-product attention."""
    result = torch.nn.functional.scaled_dot_product_attention(
        queries.permute(1, 2, 0)[:, None],
        keys.permute(1, 2, 0)[:, None],
        values.permute(1, 2, 0)[:, None],
        is_causal=_masked(queries, keys, scores),
        scale=float(scores.scale),
    )
    return result[:, 0].permute(2, 0, 1)


ATTENTION: dict[str, Attend] = {"explicit": explicit, "fused": fused}
