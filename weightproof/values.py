"""Frozen values as data that JSON holds, and made anew of them. Only what fits the fields is taken, and nothing that is
read is run."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
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


NAMED = "is"
"""Where the data of a dataclass have its name; no field is called so."""


def data_of(value: Any) -> Any:
    """Dataclasses and mappings as objects, those with the names of their classes, sequences and sets as arrays."""
    if is_dataclass(value):
        return {
            NAMED: type(value).__name__,
            **{each.name: data_of(getattr(value, each.name)) for each in fields(value)},
        }
    match value:
        case Mapping():
            return {name: data_of(each) for name, each in value.items()}
        case tuple() | list():
            return [data_of(each) for each in value]
        case frozenset():
            return sorted(value)
    return value


def value(kind: Any, data: Any, place: str = "") -> Any:
    """The value of that type; Misfit where the data are not those of one, to the last field.

    kind: str, int, float, bool, None, a `Literal` or a `StrEnum`, tuples, dicts and sets of one kind, or tuples with a
    kind for each place, dataclasses of such fields, or subclasses of those, and unions of these, of which the first
    that fits counts; Any is whatever JSON has. place: where the data stand.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _first(arguments, data, place)
    if origin is Literal:
        if any(type(data) is type(each) and data == each for each in arguments):
            return data
    elif kind is Any:
        return data
    elif origin in (tuple, Sequence, frozenset):
        if isinstance(data, list):
            each_its_own = origin is tuple and arguments[-1] is not ...
            kinds = arguments if each_its_own else arguments[:1] * len(data)
            if len(kinds) == len(data):
                made = [
                    value(of, each, f"{place}[{at}]") for at, (of, each) in enumerate(zip(kinds, data, strict=True))
                ]
                return frozenset(made) if origin is frozenset else tuple(made)
    elif origin in (dict, Mapping):
        if isinstance(data, dict):
            return {name: value(arguments[1], each, f"{place}.{name}") for name, each in data.items()}
    elif isinstance(kind, type) and is_dataclass(kind):
        named = [each for each in _and_subclasses(kind) if isinstance(data, dict) and data.get(NAMED) == each.__name__]
        if named:
            return _of_fields(named[0], data, place)
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


def _and_subclasses(kind: type) -> list[type]:
    below: list[type] = kind.__subclasses__()
    return [kind, *(each for one in below for each in _and_subclasses(one))]


def _of_fields(kind: Any, data: Mapping[str, Any], place: str) -> Any:
    kinds = _kinds(kind)
    if {NAMED, *kinds} != data.keys():
        raise Misfit(place, data)
    made = {name: value(of, data[name], f"{place}.{name}") for name, of in kinds.items()}
    return kind(**{each.name: made[each.name] for each in fields(kind) if each.init})


@cache
def _kinds(kind: Any) -> dict[str, Any]:
    """Of the fields of a class, those that are not given to it among them."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}
