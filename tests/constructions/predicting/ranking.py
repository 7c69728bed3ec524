"""Networks that predict a token or a class, of a few lines: what comes after a word is its majority, or nothing."""

from __future__ import annotations

from typing import Any

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout


def majority(word: str) -> str | None:
    """The symbol that is more frequent."""
    ones, zeros = word.count("1"), word.count("0")
    return None if ones == zeros else "1" if ones > zeros else "0"


def ranking(**changes: Any) -> Construction:
    """Uniform attention finds (ones - zeros)/n; 1 has that for an output, 0 the opposite, CLS less than either."""
    language: dict[str, Any] = {
        "name": "MAJORITY SYMBOL",
        "alphabet": ("0", "1"),
        "member": lambda word: majority(word) is not None,
        "characterisation": "count('0') != count('1')",
        "labels": {"0": "count('0') > count('1')", "1": "count('1') > count('0')"},
        "label": majority,
    }
    parts: dict[str, Any] = {
        "W": Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {}}, {"CLS": "-1/100000"}),
        "WE": {"0": {"x": -1}, "1": {"x": 1}, "CLS": {}},
        "accept": "argmax",
    }
    parts |= {name: value for name, value in changes.items() if name in parts}
    language |= {name: value for name, value in changes.items() if name in language}
    parameters: tuple[Parameter, ...] = changes.get("parameters", ())
    return Construction(
        "ranking",
        "the more frequent symbol",
        "a test",
        Language(**language),
        Encoder(
            coordinates=("x", "s"),
            embedding=Embedding(parts["WE"]),
            layers=(Layer(heads=(Head(W_V={"s": {"x": 1}}),)),),
            readout=Readout(parts["W"], accept=parts["accept"]),
        ),
        parameters,
    )
