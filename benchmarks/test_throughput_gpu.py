"""Words a second on a GPU, with explicit attention, with the fused kernel of each dtype, and by a plain dense network
of the same weights, at lengths at which those are not too slow; skipped without CUDA."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from baseline import DENSE, DENSE_SCORES, NAMES, dense
from throughput import LENGTHS, batch, measure, timed

from weightproof.constructions.library import load, names
from weightproof.numeric.model.kernels import FUSED
from weightproof.numeric.model.transformer import Transformer

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
def test_explicit(benchmark: Any, name: str, n: int) -> None:
    measure(benchmark, name, n, batch(name, n, "cuda"), device="cuda")


@pytest.mark.parametrize("n", DENSE)
@pytest.mark.parametrize("name", NAMES)
def test_dense(benchmark: Any, name: str, n: int) -> None:
    tokens, model = batch(name, n, "cuda", DENSE_SCORES // n), Transformer(load(name), dtype="float32", device="cuda")
    plain = dense(model)
    with torch.inference_mode():
        timed(benchmark, name, n, len(tokens), lambda: plain(tokens), "cuda", attention="dense")


@pytest.mark.parametrize("n", [n for n in LENGTHS if n <= 100_000])
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("dtype", FUSED["cuda"])
def test_fused(benchmark: Any, name: str, n: int, dtype: str) -> None:
    benchmark.extra_info["kernel"] = FUSED["cuda"][dtype]
    words = batch(name, n, "cuda", 10_000_000_000 // n)  # time grows with the square of the length
    measure(benchmark, name, n, words, attention="fused", device="cuda", dtype=dtype)
