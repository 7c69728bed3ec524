"""Frozen data from what people write: scalars are read, mappings cannot be changed any more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from weightproof.constructions.scalars.expressions import Expression, ExpressionError, expression


def exact(value: object) -> Expression:
    """The scalar or formula; what cannot be read passes unchanged, here and below: who checks the whole knows where it
    stands, and refuses it."""
    try:
        return expression(value)
    except ExpressionError:
        return value  # type: ignore[return-value]


def entries(values: Mapping[str, object]) -> Mapping[str, Expression]:
    """Name -> scalar."""
    if not isinstance(values, Mapping):
        return values
    return MappingProxyType({name: exact(value) for name, value in values.items()})


def freeze(instance: object, **fields: object) -> None:
    """Sets the fields of a frozen dataclass that is being built."""
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
