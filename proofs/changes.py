"""Every nonzero weight of a network, with the network that has another one in its stead, and what a weight is changed
to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

CHANGES: Mapping[str, str] = {
    "zeroed": "0*({w})",
    "negated": "-({w})",
    "doubled": "2*({w})",
    "halved": "({w})/2",
    "plus 1": "({w}) + 1",
    "minus 1": "({w}) - 1",
}
"""What is done to a weight w."""

Weight = tuple[str, Expression, Callable[[Expression], Any]]
"""Its place, its value, and what makes the network with another one in its stead."""

OF_ENCODER = {"embedding": "", "layers": "", "readout": "readout"}
FIELDS: Mapping[type, Mapping[str, str]] = {
    Encoder: OF_ENCODER,
    Decoder: OF_ENCODER,
    EncoderDecoder: {"encoder": "encoder", "seed": "seed", "PE": "PE", "layers": "", "feedback": "feedback"},
    RNN: {"embedding": "", "W_h": "W_h", "W_x": "W_x"},
    Embedding: {"WE": "WE", "PE": "PE"},
    Layer: {"heads": "", "cross_heads": "cross", "feed_forward": "feed-forward"},
    Head: {name: name for name in ("W_Q", "W_K", "W_V", "W_O")},
    FeedForward: {"first": "first", "second": "second", "gate": "gate"},
    Linear: {"weights": "", "bias": "bias"},
    Readout: {"W": ""},
}
"""The fields that hold weights, with what they are called in a place."""
NUMBERED: Mapping[type, str] = {Layer: "layer", Head: "head"}


def weights(part: Any) -> Iterator[Weight]:
    """Every nonzero weight of a network or of a part of one, in the order of its fields; of a decoder without those of
    its table of positions."""
    if isinstance(part, Expression):
        if part.names or evaluate(part, {}) != 0:
            yield "", part, lambda new: new
        return
    for name, inside, rebuild in _inside(part):
        for place, old, build in weights(inside):
            yield f"{name} {place}".strip(), old, lambda new, r=rebuild, b=build: r(b(new))  # type: ignore[misc]


def _inside(part: Any) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    """What a part is made of: its name, itself, and what makes the whole with another one in its stead."""
    match part:
        case Mapping():
            for key, value in part.items():
                name = f"{key!r} from" if isinstance(value, Mapping) else repr(key)
                yield name, value, lambda new, k=key: {**part, k: new}  # type: ignore[misc]
        case tuple():
            for at, each in enumerate(part):
                name = f"{NUMBERED[type(each)]} {at + 1},"
                yield name, each, lambda new, k=at: (*part[:k], new, *part[k + 1 :])  # type: ignore[misc]
        case _:
            for field, name in FIELDS.get(type(part), {}).items():
                yield name, getattr(part, field), lambda new, f=field: replace(part, **{f: new})  # type: ignore[misc]
