"""What is known of a number at a position: a function of a few unknowns, each with a few values.

An unknown is a bit of a number in the table, the kind of a gate, or the token that stands somewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import Linear, Rows
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import ZERO, Arithmetic, Number

MOST_UNKNOWNS = 12
"""Unknowns of one number."""


@dataclass(frozen=True)
class Unknown:
    """A name, and the values that it may have."""

    name: str
    values: tuple[object, ...]


Assignment = Mapping[str, object]
"""The values of unknowns, by name."""


@dataclass(frozen=True)
class Finite:
    """numbers: for every combination of values of the unknowns, in the order of `itertools.product`."""

    unknowns: tuple[Unknown, ...]
    numbers: tuple[Number, ...]

    def at(self, assignment: Assignment) -> Number:
        place = 0
        for unknown in self.unknowns:
            place = place * len(unknown.values) + unknown.values.index(assignment[unknown.name])
        return self.numbers[place]

    @property
    def is_zero(self) -> bool:
        return all(number == ZERO for number in self.numbers)


Values = Mapping[str, Finite]
"""Coordinate -> what is known of it; what is absent is 0."""


def constant(number: Number) -> Finite:
    return Finite((), (number,))


NOTHING = constant(ZERO)


def unknown(name: str, numbers: Mapping[object, Number]) -> Finite:
    """The number that goes with each value of an unknown."""
    return Finite((Unknown(name, tuple(numbers)),), tuple(numbers.values()))


def combined(operation: Callable[..., Number], *of: Finite) -> Finite:
    """The function of all their unknowns; those on which it does not depend are left out."""
    unknowns = tuple(dict.fromkeys(unknown for each in of for unknown in each.unknowns))
    if len(unknowns) > MOST_UNKNOWNS:
        raise Underivable(f"a number of more than {MOST_UNKNOWNS} unknowns")
    numbers = tuple(operation(*(each.at(assignment) for each in of)) for assignment in assignments(unknowns))
    return _without_idle(Finite(unknowns, numbers))


def assignments(unknowns: Sequence[Unknown]) -> Iterator[dict[str, object]]:
    for values in itertools.product(*(unknown.values for unknown in unknowns)):
        yield dict(zip((unknown.name for unknown in unknowns), values, strict=True))


def _without_idle(whole: Finite) -> Finite:
    for each in whole.unknowns:
        others = tuple(unknown for unknown in whole.unknowns if unknown != each)
        columns = [tuple(whole.at({**rest, each.name: value}) for rest in assignments(others)) for value in each.values]
        if all(column == columns[0] for column in columns):
            return _without_idle(Finite(others, columns[0]))
    return whole


def linear(weights: Mapping[str, Number], bias: Number, values: Values, arithmetic: Arithmetic) -> Finite:
    """The sum of the products from left to right, then the bias."""
    total = NOTHING
    for name, weight in weights.items():
        product = combined(lambda x, weight=weight: arithmetic.times(weight, x), values.get(name, NOTHING))
        total = combined(arithmetic.plus, total, product)
    return total if bias == ZERO else combined(lambda x: arithmetic.plus(x, bias), total)


def renamed(value: Finite, suffix: str) -> Finite:
    """What it is at another position: unknowns have the suffix there."""
    return Finite(tuple(Unknown(each.name + suffix, each.values) for each in value.unknowns), value.numbers)


def applied(matrix: Rows, values: Values, arithmetic: Arithmetic) -> dict[str, Finite]:
    """Its rows, each a sum of products."""
    return {
        name: linear({column: arithmetic.scalar(w) for column, w in row.items()}, ZERO, values, arithmetic)
        for name, row in matrix.items()
    }


def applied_linear(part: Linear, values: Values, arithmetic: Arithmetic) -> dict[str, Finite]:
    """W x + b; a row that only the bias has is constant."""
    found = {}
    for name in part.rows:
        weights = {column: arithmetic.scalar(w) for column, w in part.weights.get(name, {}).items()}
        bias = arithmetic.scalar(part.bias[name]) if name in part.bias else ZERO
        found[name] = linear(weights, bias, values, arithmetic)
    return found


def summed(values: Values, others: Values, arithmetic: Arithmetic) -> dict[str, Finite]:
    """Two vectors, added."""
    return {
        name: combined(arithmetic.plus, values.get(name, NOTHING), others.get(name, NOTHING))
        for name in dict.fromkeys((*values, *others))
    }
