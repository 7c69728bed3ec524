"""A construction as a Python file that defines it, to be read, proved and edited: the data as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.expressions import Expression

WIDTH = 120
PARTS = (
    "Construction",
    "Decoder",
    "Embedding",
    "Encoder",
    "FeedForward",
    "Head",
    "Layer",
    "LayerNorm",
    "Linear",
    "Readout",
    "RootMeanSquare",
    "Rotary",
)
ALWAYS = ("begin", "end")
"""Of an encoder, as it has a marker where none is said."""
SAID: dict[type, tuple[str, ...]] = {Encoder: (*ALWAYS, "final_norm"), Decoder: ("stop", "table", "final_norm")}
Written: TypeAlias = "str | Nested"


@dataclass(frozen=True)
class Nested:
    """Brackets around entries, each with its name or key before it."""

    opening: str
    entries: tuple[tuple[str, Written], ...]
    closing: str

    def flat(self) -> str:
        inside = ", ".join(f"{key}{_flat(value)}" for key, value in self.entries)
        one_of_a_tuple = "," if self.opening == "(" and len(self.entries) == 1 else ""
        return f"{self.opening}{inside}{one_of_a_tuple}{self.closing}"


def python(construction: Construction, head: str) -> str:
    """The text of the file. head: Python that defines `language`, with which it begins."""
    network = construction.network
    assert isinstance(network, Encoder | Decoder)
    layers = [f"layer_{number}" for number in range(1, len(network.layers) + 1)]
    encoder = Nested(
        f"{type(network).__name__}(",
        (
            ("coordinates=", written(network.coordinates)),
            ("embedding=", "embedding"),
            ("layers=", Nested("(", tuple(("", layer) for layer in layers), ")")),
            ("readout=", written(network.readout)),
            *((f"{each}=", written(getattr(network, each))) for each in SAID[type(network)] if _is_said(network, each)),
        ),
        ")",
    )
    whole = Nested(
        "Construction(",
        (
            *((f"{each}=", written(getattr(construction, each))) for each in ("name", "title", "source")),
            ("language=", "language"),
            ("network=", encoder),
        ),
        ")",
    )
    parts = [
        ("embedding", written(network.embedding)),
        *((name, written(layer)) for name, layer in zip(layers, network.layers, strict=True)),
        ("construction", whole),
    ]
    body = "\n\n".join(f"{name} = {laid_out(value, 0, len(name) + 3)}" for name, value in parts)
    used = [part for part in PARTS if f"{part}(" in body]
    return f"{head.rstrip()}\n\nfrom weightproof import {', '.join(used)}\n\n{body}\n"


def _is_said(network: Encoder | Decoder, field: str) -> bool:
    return field in ALWAYS or getattr(network, field) is not None


def laid_out(value: Written, indent: int, before: int = 0) -> str:
    """On one line where it fits behind what stands before it, else an entry a line."""
    if isinstance(value, str) or not value.entries or before + len(value.flat()) <= WIDTH - 1:
        return _flat(value)
    inner = " " * (indent + 4)
    lines = [f"{inner}{key}{laid_out(entry, indent + 4, indent + 4 + len(key))}," for key, entry in value.entries]
    return "\n".join([value.opening, *lines, " " * indent + value.closing])


def written(value: object) -> Written:
    """Data as the Python that makes them; what has its default is left out."""
    match value:
        case Expression(source=text):
            return text if text.lstrip("-").isdigit() else _text(text)
        case str():
            return _text(value)
        case Mapping():
            return Nested("{", tuple((f"{_text(key)}: ", written(each)) for key, each in value.items()), "}")
        case tuple():
            return Nested("(", tuple(("", written(each)) for each in value), ")")
    return _made(value) if is_dataclass(value) else repr(value)


def _made(value: Any) -> Nested:
    """The call of its class: what it cannot be made without, and what is not as it would be if it were left out."""
    needed = {field.name: getattr(value, field.name) for field in fields(value) if field.default is MISSING}
    bare = type(value)(**needed)
    names = [field.name for field in fields(value)]
    shown = [name for name in names if name in needed or getattr(value, name) != getattr(bare, name)]
    entries = tuple((f"{name}=", written(getattr(value, name))) for name in shown)
    return Nested(f"{type(value).__name__}(", entries, ")")


def _flat(value: Written) -> str:
    return value if isinstance(value, str) else value.flat()


def _text(text: str) -> str:
    """In double quotes, as the rest of the file."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
