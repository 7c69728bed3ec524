"""A network that predicts a class: whether a word has more a than b, fewer, or as many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout


def compared(word: str) -> str:
    difference = word.count("a") - word.count("b")
    return "more" if difference > 0 else "fewer" if difference < 0 else "equal"


ROWS = {"more": {"s": 2}, "fewer": {"s": -2}, "equal": {"1/n": 1}}


def comparing(rows: dict[str, dict[str, object]] | None = None, **readout: Any) -> Construction:
    """Uniform attention finds (a - b)/n and 1/n: twice the first exceeds the second from a difference of 1 on."""
    network = Encoder(
        coordinates=("x", "1/n", "s"),
        embedding=Embedding({"a": {"x": 1}, "b": {"x": -1}, "CLS": {"1/n": 1}}),
        layers=(Layer((Head(W_V={"s": {"x": 1}, "1/n": {"1/n": 1}}),), attention_residual=False),),
        readout=replace(Readout(Linear(rows or ROWS), accept="argmax"), **readout),
    )
    labels = {
        "more": "count('a') > count('b')",
        "fewer": "count('a') < count('b')",
        "equal": "count('a') == count('b')",
    }
    language = Language("COMPARED", ("a", "b"), lambda word: True, "n >= 1", labels=labels, label=compared)
    return Construction("comparing", "more, fewer, or as many", "a test", language, network)
