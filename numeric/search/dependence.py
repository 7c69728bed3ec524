"""How much of a computed logit depends on what else is computed with it: other words in the batch, threads.

Words of different lengths are never padded to one, so that there is no padding to depend on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from weightproof.numeric.model.transformer import Transformer


@dataclass(frozen=True)
class Dependence:
    """How many of `words` logits differ between two ways to compute them, and by how many units in the last place.

    Units of the greater of the two logits: 2^(1-p) times the power of two below it.
    """

    words: int
    different: int
    most_units: float


def on_batch(model: Transformer, words: Sequence[str]) -> Dependence:
    """Every word alone, and all at once; words of one length."""
    return _between(model, torch.cat([model.logits([word]) for word in words]), model.logits(words))


def on_threads(model: Transformer, words: Sequence[str]) -> Dependence:
    """All words at once, in one thread and in as many as torch takes."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        alone = model.logits(words)
    finally:
        torch.set_num_threads(threads)
    return _between(model, alone, model.logits(words))


def _between(model: Transformer, left: torch.Tensor, right: torch.Tensor) -> Dependence:
    a, b = left.double(), right.double()
    different = (a != b) & ~(a.isnan() & b.isnan())
    greater = torch.maximum(a.abs(), b.abs())[different]
    unit = torch.ldexp(torch.ones_like(greater), torch.frexp(greater).exponent - model.format.precision)
    units = (a - b).abs()[different] / unit
    finite = units[units.isfinite()]
    return Dependence(len(a), int(different.sum()), float(finite.max()) if len(finite) else 0.0)
