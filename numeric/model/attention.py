"""Softmax attention in floating point: at a cost linear in n wherever queries repeat, or over all rows as published.

Shapes: queries [d_head, words, rows], keys [d_head, words, n], each of the values [words, n]; of each, a head returns
the mean [words, rows]. Words and rows may be 1 where all have the same; so may the n of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import log

import torch

from weightproof.constructions.meaning.schema import Head, Normaliser
from weightproof.numeric import MODEL
from weightproof.numeric.model import kernels
from weightproof.numeric.model.positions import Positions
from weightproof.numeric.model.stream import stacked

Tensor = torch.Tensor


@dataclass(frozen=True)
class Scores:
    """How a head scores: the scale, rounded to the dtype, the head's own choices, and what it makes of positions."""

    head: Head
    scale: Tensor
    positions: Positions | None = None

    @property
    def causal(self) -> bool:
        return MODEL.is_causal(self.head.mask)

    def of(self, products: Tensor) -> Tensor:
        less_size = MODEL.is_less_size(self.head.score)
        return (-products.abs() if less_size else products) * self.scale


Values = list[Tensor]
Attend = Callable[[Tensor, Tensor, Values, Scores], Values]
Kernel = Callable[[Tensor, Tensor, Values, Scores, bool], Values]
"""Attention, and whether all rows are wanted, not the one that is read."""

LARGEST_BLOCK = 1 << 24
"""Elements of a block of scores."""


def repeated(attend: Attend, queries: Tensor, keys: Tensor, values: Values, scores: Scores, every: bool) -> Values:
    """Attention with each distinct query computed once; `every`: all rows are wanted, not the one that is read."""
    n = keys.shape[2]
    values = [value.expand(-1, n) for value in values]
    for axis in (1, 2):
        if queries.shape[axis] > 1 and (not len(queries) or bool((queries == queries.narrow(axis, 0, 1)).all())):
            queries = queries.narrow(axis, 0, 1)
    if not every or not values:
        return attend(queries, keys, values, scores) if values else []
    alike = queries.shape[2] == 1
    if scores.causal:
        side, differ = MODEL.side(scores.head.normaliser), bool(len(queries))
        is_even = side is None or (side == 0 and not differ)
        running = _running(scores.of((queries * keys).sum(0)), values, differ) if alike and is_even else None
        return attend(queries.expand(-1, -1, n), keys, values, scores) if running is None else running
    distinct, which = (queries, None) if alike else torch.unique(queries.flatten(1), dim=1, return_inverse=True)
    if which is None or distinct.shape[1] >= n:
        return attend(queries, keys, values, scores)
    computed = attend(distinct[:, None, :], keys, values, scores)
    return [mean.gather(1, which.view(queries.shape[1:]).expand(len(mean), -1)) for mean in computed]


def _running(scores: Tensor, values: Values, differ: bool) -> Values | None:
    """Causal softmax with the same scores [words, n] in every row, as quotients of running sums.

    None where scores differ so much that the weights of early positions would underflow; differ: whether they may.
    """
    spread = scores.amax(1, keepdim=True)
    if differ and float((spread - scores.amin(1, keepdim=True)).max()) > log(1 / torch.finfo(scores.dtype).tiny) / 2:
        return None
    weights = torch.exp(scores - spread)
    totals = torch.cumsum(weights, 1)
    return [torch.cumsum(value * weights, 1) / totals for value in values]


def _masked(queries: Tensor, keys: Tensor, scores: Scores) -> bool:
    """Whether later positions have to be hidden: the row that is read alone sees all the keys it is given."""
    return scores.causal and queries.shape[2] == keys.shape[2] > 1


def explicit(queries: Tensor, keys: Tensor, values: Values, scores: Scores) -> Values:
    """torch's softmax and products, in blocks of rows."""
    rows, n = queries.shape[2], keys.shape[2]
    if rows == 1:
        of_one = weights(scores.of((queries * keys).sum(0)), scores.head.normaliser)
        return [(value * of_one).sum(1, keepdim=True) for value in values]
    columns = stacked(values, 2)
    words = max(queries.shape[1], keys.shape[1], len(columns))
    size = max(1, LARGEST_BLOCK // (words * n))
    blocks = []
    for start in range(0, rows, size):
        block = queries[:, :, start : start + size]
        scored = scores.of(torch.matmul(block.permute(1, 2, 0), keys.permute(1, 0, 2)))
        if _masked(queries, keys, scores):
            places = torch.arange(start, start + block.shape[2], device=keys.device)
            later = torch.arange(n, device=keys.device) > places[:, None]
            scored = scored.masked_fill(later, -torch.inf)
        blocks.append(torch.matmul(weights(scored, scores.head.normaliser), columns))
    return list(torch.cat(blocks, 1).unbind(2))


def positioned(
    queries: Tensor, keys: Tensor, values: Values, scores: Scores, positions: Positions, rows: range
) -> Values:
    """Attention of a head that makes something of positions: of some rows to all n keys, all at once.

    The products of turned queries and keys, scaled, then the bias; the sink's score is the last of a row.
    """
    if not values:
        return []
    keys = positions.turned(keys, 0)
    queries = positions.turned(queries.expand(-1, -1, len(rows)), rows.start)
    scored, here = (
        scores.of(torch.matmul(queries.permute(1, 2, 0), keys.permute(1, 0, 2))),
        slice(rows.start, rows.stop),
    )
    if positions.bias is not None:
        scored = scored + positions.bias[here]
    scored = scored.masked_fill(positions.hidden[here], -torch.inf)
    if positions.sink is not None:
        scored = torch.cat([scored, positions.sink.expand(*scored.shape[:2], 1)], 2)
    of_keys = weights(scored, scores.head.normaliser)[..., : keys.shape[2]]
    return list(torch.matmul(of_keys, stacked([value.expand(-1, keys.shape[2]) for value in values], 2)).unbind(2))


def weights(scored: Tensor, normaliser: Normaliser) -> Tensor:
    """The weights of scores along the last axis; a score of -infinity has the weight 0."""
    side = MODEL.side(normaliser)
    if side is None:
        return torch.softmax(scored, -1)
    best = scored == scored.amax(-1, keepdim=True)
    if side == 0:
        return best.to(scored.dtype) / best.to(scored.dtype).sum(-1, keepdim=True)
    return outermost(best & (scored > -torch.inf), side).to(scored.dtype)


def outermost(some: Tensor, side: int) -> Tensor:
    """Of what is true along the last axis the first one, side -1, or the last one, side 1; none where nothing is."""
    if side > 0:
        return outermost(some.flip(-1), -1).flip(-1)
    return some & (some.cumsum(-1) == 1)


def fused(queries: Tensor, keys: Tensor, values: Values, scores: Scores, every: bool) -> Values:
    """The fused kernel of the device and the dtype, over all rows, whether they are alike or read or not.

    As published code calls it: Q, K and V dense, of one head size, the greater of the head's two, with columns of 0
    where theirs are fewer. Time is quadratic in n, memory is not.
    """
    n, size = keys.shape[2], head_size(scores.head, keys.device)
    words = max(x.shape[axis] for axis, some in ((1, [queries, keys]), (0, values)) for x in some)

    def padded(columns: Iterable[Tensor]) -> Tensor:
        whole = keys.new_zeros(words, 1, n, size)
        for place, column in enumerate(columns):
            whole[:, 0, :, place] = column
        return whole

    result = kernels.attended(padded(queries), padded(keys), padded(values), scores.causal, float(scores.scale))
    return list(result[:, 0].unbind(2))[: len(values)]


def head_size(head: Head, device: torch.device) -> int:
    """The one size of the queries, keys and values of a fused kernel."""
    multiple = kernels.MULTIPLE[device.type]
    return -(-max(len(head.W_Q), len(head.W_V), 1) // multiple) * multiple


def matmul(queries: Tensor, keys: Tensor, values: Values, scores: Scores, every: bool) -> Values:
    """softmax(Q K^T scale) V by one batched matrix product each, over all rows, whether they are alike or read or not.

    As published implementations do it, with time and memory quadratic in n; hidden scores are filled with -infinity.
    """
    n = keys.shape[2]
    columns = stacked(values, 2) if values else keys.new_zeros(1, n, 0)
    words = max(queries.shape[1], keys.shape[1], len(columns))
    Q = queries.permute(1, 2, 0).expand(words, n, -1)
    K, V = keys.permute(1, 2, 0).expand(words, -1, -1), columns.expand(words, n, -1)
    scored = scores.of(torch.matmul(Q, K.transpose(1, 2)))
    if scores.causal:
        scored = scored.masked_fill(torch.ones(n, n, dtype=torch.bool, device=keys.device).triu(1), -torch.inf)
    return list(torch.matmul(weights(scored, scores.head.normaliser), V).unbind(2))


ATTENTION: dict[str, Kernel] = {
    "explicit": partial(repeated, explicit),
    "fused": fused,
    "matmul": matmul,
}
DENSE = ("fused", "matmul")
"""Those that compute all rows of all layers, in time that grows with the square of n."""
