"""Which of torch's fused kernels computes `fused` attention: one by device and dtype, forced, never in another's place.

Left to itself, torch takes another kernel wherever strides, sizes or dtypes do not suit the first, and says nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from weightproof.constructions.meaning.inputs import InputError

BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION}
FUSED = {
    "cpu": {"float64": "flash", "float32": "flash", "bfloat16": "flash", "float16": "flash"},
    "cuda": {"float32": "efficient", "bfloat16": "flash", "float16": "flash"},  # none has float64
}
"""Device -> dtype -> the name of the kernel."""
MULTIPLE = {"cpu": 1, "cuda": 8}
"""Of what a kernel's head size is a multiple: on a GPU of 16 bytes at the least."""
MOST_WORDS = 65_535
"""Words of one call: on a GPU they are an axis of a grid, which has no more."""


class NoKernel(InputError):
    """What no fused kernel computes, in one line."""


def kernel_of(attention: str, device: str, dtype: str) -> str | None:
    """The name of the fused kernel of a kind of attention; None for those that are not fused, and where there is none.

    device: as torch names it, with its number or without.
    """
    return FUSED.get(device.partition(":")[0], {}).get(dtype) if attention == "fused" else None


@contextmanager
def _forced(kernel: str, size: int) -> Iterator[None]:
    """Scaled dot-product attention is that kernel's; NoKernel where it takes no heads of such a size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of every reason for its one error
        try:
            with sdpa_kernel(BACKENDS[kernel]):
                yield
        except RuntimeError as error:
            if not str(error).startswith(("No available kernel", "No viable backend")):
                raise
            raise NoKernel(f"torch's {kernel} kernel takes no heads of size {size}; take explicit") from error


def attended(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, causal: bool, scale: float) -> torch.Tensor:
    """softmax(Q K^T scale) V by the kernel of the device and the dtype, [words, 1, n, size] each, of dense copies.

    The kernels hide later positions before they scale, so that a scale of 0 makes of -infinity no number, and one below
    0 the greatest score. So its sign goes to the queries, and 0 with it, which is exact. NoKernel where torch refuses.
    """
    kernel = FUSED[Q.device.type][str(Q.dtype).removeprefix("torch.")]
    if scale <= 0:
        Q, scale = Q * (-1 if scale else 0), -scale or 1.0
    with _forced(kernel, Q.shape[3]):
        parts = [
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)
            for q, k, v in zip(*(torch.split(x, MOST_WORDS) for x in (Q, K, V)), strict=True)
        ]
    return parts[0] if len(parts) == 1 else torch.cat(parts)
