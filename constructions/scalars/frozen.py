"""Frozen data from what people write, refused by whoever knows what may be wrong with them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@functools.singledispatch
def check(value: object) -> None:
    """Raises an error at the first thing that is wrong with data. What that can be is said in `checks`, kind by kind:
    it is no part of what data mean, which are well formed."""
    raise TypeError(f"nothing is known of what may be wrong with a {type(value).__name__}")


class Checked:
    """Data that are checked when they are built."""

    def __post_init__(self) -> None:
        check(self)


def freeze(instance: object, **fields: object) -> None:
    """Sets the fields of a frozen dataclass that is being built."""
    for name, value in fields.items():
        object.__setattr__(instance, name, value)


class Written(Generic[T]):
    """A field of a frozen dataclass that people write in one way and everybody reads in another: `read` makes the one
    of the other when an instance is built. default: as people would write it, if it may be left out."""

    def __init__(self, read: Callable[[Any], T], *default: object) -> None:
        self.read, self.default = read, default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object | None, owner: type) -> T:
        if instance is not None:
            return instance.__dict__[self.name]
        if not self.default:
            raise AttributeError(self.name)
        return self.default[0]  # type: ignore[return-value]  # where a dataclass looks for what it hands to __set__

    def __set__(self, instance: object, value: object) -> None:
        instance.__dict__[self.name] = self.read(value)


def frozen(values: Mapping[str, T] | None) -> Mapping[str, T]:
    """A copy that cannot be changed; nothing for None."""
    return MappingProxyType({} if values is None else dict(values))
