"""Words a second through the PyTorch reading: `make bench`.

What bounds it is memory traffic inside the cache: the residual stream is written about five times a layer, once for
each of embedding, position encoding, attention and the two maps of the feed-forward network, at 4 bytes a coordinate in
float32; the narrow matrix products take as long as the additions. Time is linear in n, and so is memory.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import torch

from constructions.library import load, names
from numeric.model import Transformer
from numeric.words import encode

SYMBOLS = 2_000_000
"""Symbols in a round, whatever the length."""


def batch(name: str, n: int) -> list[str]:
    """Random words that fill n positions, about SYMBOLS symbols in all."""
    network = load(name).network
    length = n - (network.begin is not None) - (network.end is not None)  # type: ignore[union-attr]
    random = Random(0)
    return ["".join(random.choices("01", k=length)) for _ in range(max(1, SYMBOLS // n))]


def measure(benchmark: Any, name: str, n: int, words: Any, attention: str = "explicit") -> None:
    model = Transformer(load(name), dtype="float32", attention=attention)
    model.logits(words)  # position encodings are computed once a length
    benchmark.pedantic(model.logits, args=(words,), rounds=5, iterations=1)
    count = len(words)
    best = benchmark.stats.stats.min
    benchmark.extra_info |= {
        "construction": name,
        "n": n,
        "attention": attention,
        "threads": torch.get_num_threads(),
        "words a second": round(count / best),
        "symbols a second": round(count * n / best),
    }


@pytest.mark.parametrize("n", [100, 1_000, 10_000, 100_000])
@pytest.mark.parametrize("name", names())
def test_token_ids(benchmark: Any, name: str, n: int) -> None:
    measure(benchmark, name, n, encode(load(name), batch(name, n)))


@pytest.mark.parametrize("name", ["parity"])
def test_strings(benchmark: Any, name: str) -> None:
    measure(benchmark, name, 1_000, batch(name, 1_000))


@pytest.mark.parametrize("name", ["parity"])
def test_fused(benchmark: Any, name: str) -> None:
    measure(benchmark, name, 1_000, encode(load(name), batch(name, 1_000)), attention="fused")
