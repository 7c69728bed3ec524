"""How throughput is measured, for the suites of all devices."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import torch

from weightproof.constructions.library import load
from weightproof.numeric.model.languages import random_words
from weightproof.numeric.model.transformer import BLOCK, Transformer

SYMBOLS = {"cpu": 2_000_000, "cuda": 1 << 26}
"""Symbols in a round, whatever the length, or one word."""

LENGTHS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]


def batch(name: str, n: int, device: str = "cpu", symbols: int | None = None) -> torch.Tensor:
    """Random words that fill n positions, as token ids made on the device."""
    construction = load(name)
    network = construction.encoder
    length = n - (network.begin is not None) - (network.end is not None)
    words = max(1, (SYMBOLS[device] if symbols is None else symbols) // n)
    return random_words(construction, words, length, torch.Generator(device).manual_seed(0))


def measure(
    benchmark: Any, name: str, n: int, words: Any, attention: str = "explicit", device: str = "cpu", **options: str
) -> None:
    model = Transformer(load(name), **{"dtype": "float32", **options}, device=device, attention=attention)
    timed(benchmark, name, n, len(words), lambda: model.logits(words), device, attention=attention, **options)


def timed(
    benchmark: Any, name: str, n: int, count: int, computed: Callable[[], object], device: str, **options: str
) -> None:
    """Some words of n positions; options: what is said of how they are run."""

    def run() -> None:
        computed()
        if device == "cuda":
            torch.cuda.synchronize()

    start = perf_counter()
    run()  # position encodings are computed once a length
    benchmark.pedantic(run, rounds=max(2, min(50, int(5 / (perf_counter() - start)))), iterations=1)
    best = benchmark.stats.stats.min
    benchmark.extra_info |= {
        "construction": name,
        "n": n,
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
