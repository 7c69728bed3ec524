"""Throughput beside two yardsticks, a plain dense network with the same weights and a count of bits: `make bench`.

Writes benchmarks/results/throughput-cpu.json: symbols a second of processor time of one thread, the median of ROUNDS,
on random words that fill n positions and come to about SYMBOLS symbols, or on one word; and the peak memory of the
process. Each figure is of a process of its own. The dense network is written as published code is, softmax(Q K^T) V
over all rows, in torch, at lengths where its scores fit; the count of bits is numpy's, of the same bytes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

NAMES = ("parity", "palindrome-margin", "dyck1-margin")
LENGTHS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
DENSE = (1_000, 10_000)
KINDS = {"explicit": LENGTHS, "dense": DENSE, "popcount": LENGTHS}
SYMBOLS, DENSE_SCORES, ROUNDS = 2_000_000, 1 << 26, 5
RESULTS = Path(__file__).parent / "results" / "throughput-cpu.json"

Row = dict[str, Any]


def dense(model: Any) -> Callable[[Any], Any]:
    """The encoder of a `Transformer`, its weights as matrices that are full, every row of every layer computed."""
    import torch

    network, embedding, device = model.network, model.W_E, model.W_E.device
    assert all(head.mask in ("none", "causal") for layer in network.layers for head in layer.heads)
    assert all(head.score == "dot" and head.normaliser == "softmax" for layer in network.layers for head in layer.heads)

    def forward(tokens: Any) -> Any:
        n = tokens.shape[1]
        encoding, scales = model._at_length(n)
        parts = [encoding(coordinate, 0, n) for coordinate in range(embedding.shape[1])]
        zero = embedding.new_zeros(1, n)
        x = embedding[tokens.long()] + torch.stack([zero if part is None else part for part in parts], 2)
        hidden = torch.ones(n, n, dtype=torch.bool, device=device).triu(1)
        for layer, block, of_heads in zip(network.layers, model.blocks, scales, strict=True):
            attended = torch.zeros_like(x)
            for number, head in enumerate(layer.heads):
                q, k, v = (x @ getattr(block.attn, name)[number] for name in ("W_Q", "W_K", "W_V"))
                scores = q @ k.transpose(1, 2) * of_heads[number]
                scores = scores.masked_fill(hidden, -torch.inf) if head.mask == "causal" else scores
                attended = attended + torch.softmax(scores, 2) @ v @ block.attn.W_O[number]
            x = x + attended
            if block.mlp is not None:
                x = x + torch.relu(x @ block.mlp.W_in + block.mlp.b_in) @ block.mlp.W_out + block.mlp.b_out
        read = {"first": x[:, 0], "last": x[:, -1], "sum": x.sum(1), "mean": x.mean(1)}[network.readout.position]
        return read @ model.unembed.W_U + model.unembed.b_U

    return forward


def differs(construction: Any) -> bool:
    """Whether the dense network is off by more than two orders of sums may be apart in float64, each by the bound that
    is proved of all words of the length; in float32 that would hide signs."""
    import torch

    from weightproof.numeric.certificate.certificate import certifier
    from weightproof.numeric.model.languages import random_words
    from weightproof.numeric.model.transformer import Transformer

    model, n = Transformer(construction), DENSE[0]
    symbols = n - len(construction.encoder.markers)
    tokens = random_words(construction, 2, symbols, torch.Generator().manual_seed(0))
    error = certifier(construction, ()).error(n, n)
    assert error is not None
    return bool((dense(model)(tokens) - model(tokens)).abs().max() > 2 * float(error))


def measured(kind: str, name: str, n: int) -> Row:
    """In this process, with one thread."""
    import numpy as np
    import torch

    from weightproof.constructions.library import load
    from weightproof.numeric.model.languages import random_words
    from weightproof.numeric.model.transformer import Transformer

    torch.set_num_threads(1)
    construction = load(name)
    network = construction.encoder
    symbols = n - (network.begin is not None) - (network.end is not None)
    words = max(1, (min(SYMBOLS, DENSE_SCORES // n) if kind == "dense" else SYMBOLS) // n)
    tokens = random_words(construction, words, symbols, torch.Generator().manual_seed(0))
    model = Transformer(construction, dtype="float32")
    with torch.inference_mode():
        plain = dense(model)
        run = {
            "explicit": lambda: model(tokens),
            "dense": lambda: plain(tokens),
            "popcount": lambda: int(np.bitwise_count(tokens.numpy()).sum(dtype=np.int64)),
        }[kind]
        if kind == "dense" and differs(construction):
            sys.exit(f"baseline: {name}: the dense network computes something else")
        run()
        seconds = []
        for _ in range(ROUNDS):
            start = process_time()
            run()
            seconds.append(process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = {"construction": name, "kind": kind, "n": n, "words": words}
    return found | {"symbols a second": round(words * n / median(seconds)), "peak MB": peak}


def payload(tell: Callable[[str], None]) -> Row:
    """Machine, its load when that began, and all rows."""
    from weightproof.measuring.machine import machine

    load, rows = os.getloadavg()[0], []
    for name in NAMES:
        for kind, lengths in KINDS.items():
            for n in lengths:
                command = [sys.executable, __file__, kind, name, str(n)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                rows.append(json.loads(done.stdout))
                tell(f"{name} {kind} {n:,}: {rows[-1]['symbols a second'] / 1e6:,.1f} million symbols a second")
    return {"machine": machine(), "load": round(load, 1), "rows": rows}


def main() -> None:
    if len(sys.argv) == 4:
        kind, name, n = sys.argv[1:]
        print(json.dumps(measured(kind, name, int(n))))
        return
    found = payload(lambda line: print(line, file=sys.stderr, flush=True))
    rows = ",\n".join(json.dumps(row) for row in found["rows"])
    head = json.dumps(found["machine"], indent=1)
    RESULTS.write_text(f'{{"machine": {head},\n"load": {found["load"]},\n"rows": [\n{rows}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
