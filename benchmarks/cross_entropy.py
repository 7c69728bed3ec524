"""The cross-entropies of figure 2 of Chiang and Cholak (2022) at three lengths, in PyTorch and in balls that contain
the exact values: `make curves`. Writes benchmarks/results/cross-entropy-cpu.json, from which the report has its table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from curves import NORMS, WORDS, cross_entropy, drawn
from flint import arb

from weightproof.constructions.files import write
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.running import run
from weightproof.constructions.transforms.by_name import transformed

RESULTS = Path(__file__).parent / "results" / "cross-entropy-cpu.json"
FIGURE = ("parity", "first")
LENGTHS = {10: 100, 100: 20, 1_000: 2}
"""Symbols -> on how many of the words the interpreter is run: one word of 1,000 symbols takes it half a minute."""
BITS = 64
DIGITS = 6

Row = dict[str, Any]


def measured(name: str, epsilon: str | None, length: int, exactly: int) -> Row:
    """The mean over WORDS random words, as PyTorch computes it in float64; and over the first few different ones of
    them, in PyTorch and by the interpreter. In bits."""
    from weightproof.numeric.model.transformer import Transformer

    construction = transformed(load(name), NORMS[epsilon])
    model = Transformer(construction)
    words = drawn(construction.language, "random", length, WORDS)
    few = [*dict.fromkeys(words)][:exactly]
    members = [is_member(construction, word, model.names) for word in few]
    logits = [run(construction, word, bits=BITS).logit for word in few]
    exact = sum((bits(logit, member) for logit, member in zip(logits, members, strict=True)), arb(0)) / len(few)
    right = np.array([is_member(construction, word, model.names) for word in words])
    return {
        "construction": name,
        "epsilon": epsilon,
        "length": length,
        "all": digits(cross_entropy(model.logits(words).double().numpy(), right)),
        "words": len(few),
        "float64": digits(cross_entropy(model.logits(few).double().numpy(), np.array(members))),
        "exact": digits(exact),
    }


def bits(logit: arb, member: bool) -> arb:
    """-log2 of the probability that the sigmoid of the logit gives to the right answer."""
    wrong = (-logit if member else logit).exp()
    return (1 + wrong).log() / arb(2).log()


def digits(value: float | arb) -> str:
    """The first DIGITS digits; of a ball, those of every number in it."""
    if isinstance(value, arb):
        ends = {digits(float(end)) for end in (value.lower(), value.upper())}
        return ends.pop() if len(ends) == 1 else value.str(DIGITS)
    return f"{value:#.{DIGITS}g}"


def rows(tell: Callable[[str], None] = lambda line: None) -> list[Row]:
    """All that the table holds."""
    found = []
    for name in FIGURE:
        for epsilon in NORMS:
            for length, exactly in LENGTHS.items():
                tell(f"{name}, epsilon = {epsilon}, {length} symbols")
                found.append(measured(name, epsilon, length, exactly))
    return found


def main() -> None:
    found = rows(lambda line: print(line, file=sys.stderr, flush=True))
    write(RESULTS, '{"rows": [\n' + ",\n".join(map(json.dumps, found)) + "\n]}\n")


if __name__ == "__main__":
    main()
