"""What all kinds of statements have in common, and what statements are about."""

from __future__ import annotations

import copy
import functools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from reprlib import repr as short
from types import MappingProxyType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from weightproof.constructions.checks.scalars import formula_problems, scalar_problems
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import Written, freeze

T = TypeVar("T")

Bearing = Literal["outcome", "formula", "form"]
"""What a statement is about: what comes out of a network, which words it accepts, what it predicts, computes or
simulates, at what cost; a formula, on which an outcome may rest; form alone: a type, a shape, a number of things, and
whatever was copied."""


@dataclass(frozen=True)
class Statement:
    """What print says, as data. Each kind says what it needs of its subject; who judges it stands in the table of
    `proofs.claims.judging`."""

    scalars: ClassVar[Mapping[str, Collection[str]]] = MappingProxyType({})
    """The names that its formulas of numbers may use, by field; a field may hold many formulas by name."""
    conditions: ClassVar[Mapping[str, Collection[str]]] = MappingProxyType({})
    """The names that its formulas which are true or false may use, by field."""

    @property
    def transcribed(self) -> bool:
        """Whether it is compared with data that were typed from the same page; all else is derived."""
        return False

    @property
    def bearing(self) -> Bearing:
        return "form" if self.transcribed else "formula"

    def problems(self, about: Any) -> Iterator[str]:
        """What is wrong with it as a statement about a construction, or in a topic."""
        for field, names in self.scalars.items():
            value = getattr(self, field)
            if value is not None:
                yield from formulas_problems(value if isinstance(value, Mapping) else {field: value}, names)
        for field, names in self.conditions.items():
            yield from formula_problems(getattr(self, field), names, None, field)


@dataclass(frozen=True)
class Topic:
    """What claims are about that is no single construction. noun: what that is; kind: of statements that are made of
    it; names: of what statements and corrections may speak."""

    noun: str
    kind: type[Statement]
    names: Collection[str]


def with_fields(instance: T, **fields: object) -> T:
    """A copy of a frozen dataclass with other values in some fields, which are taken as they are."""
    made = copy.copy(instance)
    freeze(made, **fields)
    return made


def formulas_problems(formulas: Mapping[str, Expression], names: Collection[str]) -> Iterator[str]:
    """What is wrong with formulas, by what they say the value of."""
    if not formulas:
        yield "it says of nothing what it is"
    for place, formula in formulas.items():
        yield from scalar_problems(formula, names, place)


def choice_problems(value: object) -> Iterator[str]:
    """The fields, its own and those of what it is made of, that hold none of the names that their types list."""
    if is_dataclass(value) and not isinstance(value, type | Expression):
        for field in fields(value):
            yield from _chosen(getattr(value, field.name), _hints(type(value))[field.name], field.name)


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _chosen(value: Any, hint: Any, place: str) -> Iterator[str]:
    origin, parts = get_origin(hint), get_args(hint)
    kinds = parts if origin in (Union, UnionType) else (hint,)
    if all(get_origin(kind) is Literal or kind is type(None) for kind in kinds):
        known = [name for kind in kinds for name in (get_args(kind) or (None,))]
        if value not in known:
            yield f"{place}: {short(value)} is none of {', '.join(name for name in known if name is not None)}"
    elif origin is Written:
        yield from _chosen(value, parts[0], place)
    elif origin is tuple:
        if not isinstance(value, tuple):
            yield f"{place}: {short(value)} is no tuple"
        kinds = parts[:1] * len(value) if parts[1:] == (...,) else parts
        if len(value) != len(kinds):
            yield f"{place}: {short(value)} has {len(value)} entries, and not {len(kinds)}"
        for each, kind in zip(value, kinds, strict=False):
            yield from _chosen(each, kind, place)
    elif origin is Mapping and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _chosen(key, parts[0], place)
            yield from _chosen(each, parts[1], place)
    yield from choice_problems(value)
