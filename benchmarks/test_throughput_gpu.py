"""Words a second on a GPU, with explicit attention and with each of torch's fused kernels; skipped without CUDA."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from throughput import LENGTHS, batch, measure
from torch.nn.attention import SDPBackend, sdpa_kernel

from weightproof.constructions.library import load, names
from weightproof.numeric.model.transformer import encode

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")

KERNELS = {
    "flash": (SDPBackend.FLASH_ATTENTION, "float16"),  # it has no wider dtype
    "memory-efficient": (SDPBackend.EFFICIENT_ATTENTION, "float32"),
    "math": (SDPBackend.MATH, "float32"),
}


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
def test_explicit(benchmark: Any, name: str, n: int) -> None:
    measure(benchmark, name, n, encode(load(name), batch(name, n)), device="cuda")


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("kernel", KERNELS)
def test_fused(benchmark: Any, name: str, n: int, kernel: str) -> None:
    backend, dtype = KERNELS[kernel]
    benchmark.extra_info["kernel"] = kernel
    ids = encode(load(name), batch(name, n))
    try:
        with sdpa_kernel(backend):
            measure(benchmark, name, n, ids, attention="fused", device="cuda", dtype=dtype)
    except (RuntimeError, ValueError) as error:  # InputError is a ValueError: scores that no fused kernel has
        if "No available kernel" not in str(error) and "fused attention has no" not in str(error):
            raise
        pytest.skip(f"the {kernel} kernel does not take these shapes: {error}")
