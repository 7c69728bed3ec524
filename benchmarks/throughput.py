"""How throughput is measured, for the suites of all devices."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

import torch

from weightproof.constructions.library import load
from weightproof.numeric.model.transformer import BLOCK, Transformer

SYMBOLS = 2_000_000
"""Symbols in a round, whatever the length."""

LENGTHS = [100, 1_000, 10_000, 100_000]


def batch(name: str, n: int) -> list[str]:
    """Random words that fill n positions, about SYMBOLS symbols in all."""
    network = load(name).network
    length = n - (network.begin is not None) - (network.end is not None)  # type: ignore[union-attr]
    random = Random(0)
    return ["".join(random.choices("01", k=length)) for _ in range(max(1, SYMBOLS // n))]


def measure(
    benchmark: Any, name: str, n: int, words: Any, attention: str = "explicit", device: str = "cpu", **options: str
) -> None:
    model = Transformer(load(name), **{"dtype": "float32", **options}, device=device, attention=attention)

    def run() -> None:
        model.logits(words)
        if device == "cuda":
            torch.cuda.synchronize()

    start = perf_counter()
    run()  # position encodings are computed once a length
    benchmark.pedantic(run, rounds=max(2, min(50, int(5 / (perf_counter() - start)))), iterations=1)
    count, best = len(words), benchmark.stats.stats.min
    benchmark.extra_info |= {
        "construction": name,
        "n": n,
        "attention": attention,
        **options,
        "words a second": round(count / best),
        "symbols a second": round(count * n / best),
        "additions a symbol takes as long as": round(best / (count * n) / addition(device), 1),
    }


def addition(device: str) -> float:
    """Seconds that torch takes for an addition of two float32 numbers in arrays of a block's size: 12 bytes moved."""
    a, b, c = (torch.ones(BLOCK[device], device=device) for _ in range(3))

    def seconds() -> float:
        start = perf_counter()
        torch.add(a, b, out=c)
        if device == "cuda":
            torch.cuda.synchronize()
        return perf_counter() - start

    return min(seconds() for _ in range(50)) / BLOCK[device]
