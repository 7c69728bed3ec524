"""What stands in a row of results, and in a law: by column, what it is.

A file may have been written by hand; its rows are checked before anything is made of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """said: what it is, as a sentence goes on after "is 3, and not"."""

    said: str
    holds: Callable[[Any], bool]

    @property
    def or_null(self) -> Kind:
        return Kind(f"{self.said}, or null", lambda value: value is None or self.holds(value))


def _is_whole(value: Any, least: float = -math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: Any, least: float = -math.inf) -> bool:
    return _is_whole(value, least) or (isinstance(value, float) and math.isfinite(value) and value >= least)


def _is_list(value: Any, of: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(of, value))


def _is_stretch(value: Any) -> bool:
    return _is_list(value, _is_whole) and len(value) == 2


def _is_object(value: Any, wanted: Columns) -> bool:
    return isinstance(value, dict) and all(name in value and kind.holds(value[name]) for name, kind in wanted.items())


def one_of(names: tuple[str, ...]) -> Kind:
    return Kind(f"one of {', '.join(names)}", lambda value: value in names)


Columns = Mapping[str, Kind]

TEXT = Kind("a text", lambda value: isinstance(value, str))
HASH = Kind("64 hexadecimal digits", lambda value: isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{64}", value)))
WHOLE = Kind("a whole number", _is_whole)
LENGTH = Kind("a whole number from 0 on", partial(_is_whole, least=0))
NUMBER = Kind("a number", _is_number)
TOLERANCE = Kind("a number from 0 on", partial(_is_number, least=0))
TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
TEXTS = Kind("an object of texts", lambda value: isinstance(value, dict) and all(map(TEXT.holds, value.values())))
OBJECTS = Kind("a list of objects", partial(_is_list, of=lambda value: isinstance(value, dict)))
STRETCHES = Kind("a list of pairs of whole numbers", partial(_is_list, of=_is_stretch))


def _witness(**wanted: Kind) -> Kind:
    names = " and ".join(("a text 'word'", *(f"{kind.said} {name!r}" for name, kind in wanted.items())))
    return Kind(f"an object with {names}", partial(_is_object, wanted={"word": TEXT, **wanted})).or_null


NETWORK: Columns = {"construction": TEXT, "sha256": HASH, "parameters": TEXTS}
"""Which network a row, or a law, is of."""


def columns(dtypes: tuple[str, ...], attentions: tuple[str, ...]) -> dict[str, Kind]:
    """Those of every row."""
    return {
        **NETWORK,
        "dtype": one_of(dtypes),
        "device": TEXT,
        "attention": one_of(attentions),
        "max_length": LENGTH,
        "rule": TEXT,
        "certified_safe_length": WHOLE.or_null,
        "first_failing_length": LENGTH.or_null,
        "least": TRUTH,
        "witness": _witness(),
        "mechanism": TEXT.or_null,
        "searched": TEXT,
        "searched_to": WHOLE,
        "machine": LENGTH,
    }


ENCODER, SIMULATED, PREDICTING = "tolerance", "simulator", "searched_in_full"
"""Columns by which rows are told apart: those of encoders that read out a logit, of networks that run machines, and of
networks that take the argmax over tokens."""
BESIDE: Mapping[str, Columns] = {
    ENCODER: {
        ENCODER: TOLERANCE.or_null,
        "predicted_length": WHOLE.or_null,
        "luck": TEXT.or_null,
        "followed": TRUTH,
        "only_in_batches": LENGTH.or_null,
        "in_full": STRETCHES,
        "in_part": OBJECTS,
    },
    SIMULATED: {SIMULATED: TEXT, "witness": _witness(step=WHOLE)},
    PREDICTING: {PREDICTING: WHOLE, "witness": _witness(right=TEXT)},
}
"""What rows that have such a column have beside those of every row."""
LAWS: Columns = {
    **NETWORK,
    ENCODER: TOLERANCE.or_null,
    "form": one_of(("power", "logarithm")).or_null,
    "rate": NUMBER.or_null,
}


def fault(row: Any, wanted: Columns) -> str | None:
    """What is wrong with it, as "'dtype' is ..."; None where nothing is."""
    if not isinstance(row, dict):
        return "is no object"
    for name, kind in wanted.items():
        if name not in row:
            return f"has no {name!r}"
        if not kind.holds(row[name]):
            return f"{name!r} is {_shown(row[name])}, and not {kind.said}"
    return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
