"""Words a second on a GPU, with explicit attention and with the fused kernel of each dtype; skipped without CUDA."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from throughput import LENGTHS, batch, measure

from weightproof.constructions.library import load, names
from weightproof.numeric.model.kernels import FUSED, NoKernel
from weightproof.numeric.model.transformer import encode

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
def test_explicit(benchmark: Any, name: str, n: int) -> None:
    measure(benchmark, name, n, encode(load(name), batch(name, n)), device="cuda")


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("dtype", FUSED["cuda"])
def test_fused(benchmark: Any, name: str, n: int, dtype: str) -> None:
    benchmark.extra_info["kernel"] = FUSED["cuda"][dtype]
    try:
        measure(benchmark, name, n, encode(load(name), batch(name, n)), attention="fused", device="cuda", dtype=dtype)
    except NoKernel as refused:
        pytest.skip(str(refused))
