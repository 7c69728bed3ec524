"""Frozen values made anew of data, as `plain` writes them and JSON holds them. Only what fits the fields is taken, and
nothing that is read is run."""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints


class Misfit(Exception):
    """Data of which no such value can be made; says where they are, and what they are."""

    def __init__(self, place: str, data: object) -> None:
        text = repr(data)
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        super().__init__(f"{place.lstrip('.')} is {shown}".lstrip())


def value(kind: Any, data: Any, place: str = "") -> Any:
    """The value of that type; Misfit where the data are not those of one, to the last field.

    kind: str, int, float, bool, None, a `Literal` or a `StrEnum`, tuples and dicts of one kind, dataclasses of such
    fields, and unions of these, of which the first that fits counts. place: where the data stand.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _first(arguments, data, place)
    if origin is Literal:
        if any(type(data) is type(each) and data == each for each in arguments):
            return data
    elif origin is tuple:
        if isinstance(data, list):
            return tuple(value(arguments[0], each, f"{place}[{number}]") for number, each in enumerate(data))
    elif origin is dict:
        if isinstance(data, dict):
            return {name: value(arguments[1], each, f"{place}.{name}") for name, each in data.items()}
    elif isinstance(kind, type) and is_dataclass(kind):
        kinds = _kinds(kind)
        if isinstance(data, dict) and kinds.keys() == data.keys():
            made = {name: value(of, data[name], f"{place}.{name}") for name, of in kinds.items()}
            return kind(**{each.name: made[each.name] for each in fields(kind) if each.init})
    elif issubclass(kind, StrEnum):
        if isinstance(data, str) and data in (*kind,):
            return kind(data)
    elif type(data) is kind:
        return data
    elif kind is float and type(data) is int:
        return float(data)
    raise Misfit(place, data)


def _first(kinds: tuple[Any, ...], data: Any, place: str) -> Any:
    for kind in kinds:
        try:
            return value(kind, data, place)
        except Misfit:
            continue
    raise Misfit(place, data)


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    """Of the fields of a class, those that are not given to it among them."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}
