"""Heads with every mask and every normaliser over short words, and what they add, told in a few lines of their own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import get_args

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    Head,
    Layer,
    Linear,
    Mask,
    Normaliser,
    Readout,
)

ALPHABET = ("a", "b", "c")
SCORES = {"a": 0, "b": 1, "c": 1}
"""Of each symbol, in powers of 2 where attention is soft; b and c are alike."""
SHOWN: dict[Mask, Callable[[int, int], bool]] = {
    "none": lambda i, j: True,
    "causal": lambda i, j: j <= i,
    "strictly-causal": lambda i, j: j < i,
    "future": lambda i, j: j >= i,
    "strictly-future": lambda i, j: j > i,
}
WINDOWS: dict[str | None, Callable[[int, int], bool]] = {
    None: lambda i, j: True,
    "i - j < 2": lambda i, j: i - j < 2,
    "j - i <= 1 and i - j <= 2": lambda i, j: j - i <= 1 and i - j <= 2,
}
CASES: list[tuple[Mask, Normaliser, str | None]] = [*itertools.product(get_args(Mask), get_args(Normaliser), WINDOWS)]
WORDS = ["".join(word) for length in range(1, 6) for word in itertools.product(ALPHABET, repeat=length)]


def construction(mask: Mask, normaliser: Normaliser, sees: str | None, position: str = "sum") -> Construction:
    """The logit is what the head adds: a mean of the numbers 3^j of positions."""
    head = Head(
        W_V={"found": {"number": 1}},
        W_Q={"s": {"one": 1}},
        W_K={"s": {"score": 1}},
        scale="log(2)",
        normaliser=normaliser,
        mask=mask,
        sees=sees,
    )
    tokens = {symbol: {"score": score, "one": 1} for symbol, score in SCORES.items()}
    network = Encoder(
        coordinates=("score", "one", "number", "found"),
        embedding=Embedding(tokens, {"number": "3**i"}),
        layers=(Layer((head,)),),
        readout=Readout(Linear({"logit": {"found": 1}}), position=position),  # type: ignore[arg-type]
        begin=None,
    )
    language = Language(name="L", alphabet=ALPHABET, member=lambda word: True, characterisation="n >= 1")
    return Construction(name="masked", title="masked", source="own", language=language, network=network)


def added(mask: Mask, normaliser: Normaliser, sees: str | None, word: str) -> list[Fraction] | None:
    """What the head adds at every position; None where one of them has no value."""
    found = []
    for i in range(len(word)):
        seen = [j for j in range(len(word)) if SHOWN[mask](i, j) and WINDOWS[sees](i, j)]
        best = [j for j in seen if SCORES[word[j]] == max(SCORES[word[k]] for k in seen)]
        weights = {
            "softmax": {j: 2 ** SCORES[word[j]] for j in seen},
            "hardmax": dict.fromkeys(best, 1),
            "leftmost": dict.fromkeys(best[:1], 1),
            "rightmost": dict.fromkeys(best[-1:], 1),
        }[normaliser]
        if not seen and normaliser in ("softmax", "hardmax"):
            return None
        total = sum(weight * 3**j for j, weight in weights.items())
        found.append(Fraction(total, sum(weights.values()) or 1))
    return found


def words_with_values(mask: Mask, normaliser: Normaliser, sees: str | None) -> Iterator[tuple[str, list[Fraction]]]:
    for word in WORDS:
        if (found := added(mask, normaliser, sees, word)) is not None:
            yield word, found
