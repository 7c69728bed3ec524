"""What torch computes of several seeds at once, each to the same bits as alone, on one thread of a CPU.

The product of a batch of matrices is, matrix by matrix, the product of each, as long as none has a single column; so
are sums over rows. And what is done entry by entry is done in vectors of up to 64 entries, with other instructions for
what is left over behind the last full one, as in a softplus: so weights, and logits, stand in buffers whose size is a
multiple of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

Tensor = torch.Tensor
VECTOR = 64
"""Entries of the longest vectors that a CPU computes with at once, in float32, several of them in one turn."""
ALIGNED = 4
"""Floats in 16 bytes."""


@contextmanager
def one_thread(device: torch.device) -> Iterator[None]:
    """On a CPU, torch computes with one thread: several would add up in parts, and are for other seeds."""
    threads = torch.get_num_threads()
    if device.type == "cpu":
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def padded(values: Tensor) -> Tensor:
    """One after the other, and 0s behind, so that all of them are computed as vectors."""
    return torch.nn.functional.pad(values.flatten(), (0, -values.numel() % VECTOR))


def times(x: Tensor, W: Tensor) -> Tensor:
    """x [seeds, words, rows, columns] @ W [seeds, columns, others]."""
    product = multiplied(x.reshape(x.shape[0], -1, x.shape[-1]), W)
    return product.view(*x.shape[:-1], product.shape[-1])


def multiplied(left: Tensor, right: Tensor) -> Tensor:
    """torch.bmm, of batches whose matrices do not begin at other places for one seed than for another: in what order a
    product is added up depends on whether that is a multiple of 16 bytes. Where neither rows nor columns of the right
    one make it one, rows and columns of 0s are joined."""
    (rows, inner), columns = left.shape[1:], right.shape[2]
    if not inner % ALIGNED or not columns % ALIGNED:
        return torch.bmm(left, right)
    more = [-size % ALIGNED for size in (rows, inner, columns)]
    left = torch.nn.functional.pad(left, (0, more[1], 0, more[0]))
    right = torch.nn.functional.pad(right, (0, more[2], 0, more[1]))
    return torch.bmm(left, right)[:, :rows, :columns].contiguous()


def mean(values: Tensor) -> np.ndarray:
    """Of values [seeds, words], over words, of each seed."""
    return values.double().cpu().numpy().mean(1)
