"""Position encodings that are rational functions of i, at all positions at once: exact quotients of integers.

Integers are int64 while a bound on every result shows that it fits, and Python's own integers otherwise.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import add, mul
from typing import Any

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold


class NotRational(Exception):
    """The scalar has parts that are no rational functions: it has to be evaluated position by position."""


class DividesByZero(Exception):
    """Somewhere the scalar does; `position` counts from the start of the slice."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


FITS = 2**62
"""int64 holds what is smaller, and its negative, and the sum of two."""


def largest(integers: np.ndarray) -> int:
    """The greatest absolute value."""
    return max(abs(int(integers.max())), abs(int(integers.min())))


def exact(operation: Callable[[Any, Any], Any], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A sum, product or power of integers; what the operation makes of the largest bounds what it makes of all."""
    if operation(largest(left), largest(right)) >= FITS:
        left, right = left.astype(object), right.astype(object)
    return operation(left, right)


@dataclass(frozen=True)
class Quotients:
    """numerators / denominators, one for each position or one for all; integers, denominators positive."""

    numerators: np.ndarray
    denominators: np.ndarray

    def __add__(self, other: Quotients) -> Quotients:
        left = exact(mul, self.numerators, other.denominators)
        right = exact(mul, other.numerators, self.denominators)
        return Quotients(exact(add, left, right), exact(mul, self.denominators, other.denominators))

    def __neg__(self) -> Quotients:
        return Quotients(-self.numerators, self.denominators)

    def __sub__(self, other: Quotients) -> Quotients:
        return self + -other

    def __mul__(self, other: Quotients) -> Quotients:
        return Quotients(
            exact(mul, self.numerators, other.numerators), exact(mul, self.denominators, other.denominators)
        )

    def __truediv__(self, other: Quotients) -> Quotients:
        if (other.numerators == 0).any():
            raise DividesByZero(int(np.argmax(other.numerators == 0)))
        sign = np.where(other.numerators < 0, integers(-1), integers(1))
        return self * Quotients(sign * other.denominators, abs(other.numerators))

    def whole(self) -> np.ndarray:
        """The values as integers; NotRational where some are none."""
        if (self.numerators % self.denominators != 0).any():
            raise NotRational
        return self.numerators // self.denominators


def integers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64 if max(map(abs, values)) < FITS else object)


def quotients(scalar: Expression, names: Mapping[str, Real], n: int, start: int, stop: int) -> Quotients:
    """The values of a scalar at i = start..stop-1; NotRational where it is no rational function of integers."""
    one = integers(1)

    def constant(value: int | fmpq) -> Quotients:
        exactly = fmpq(value)
        return Quotients(integers(int(exactly.p)), integers(int(exactly.q)))

    def name(identifier: str) -> Quotients:
        if identifier == "i":
            return Quotients(np.arange(start, stop, dtype=np.int64), one)
        value = fmpq(n) if identifier == "n" else names[identifier]
        if not isinstance(value, fmpq):
            raise NotRational
        return constant(value)

    def function(which: str, argument: Quotients) -> Quotients:
        if which != "cospi":
            raise NotRational
        return Quotients(1 - 2 * (argument.whole() % 2), one)

    def compare(op: str, left: Quotients, right: Quotients) -> np.ndarray:
        return COMPARE[op]((left - right).numerators, 0).astype(bool)

    def modulo(left: Quotients, right: Quotients) -> Quotients:
        divisors = right.whole()
        if (divisors == 0).any():
            raise InputError("a position encoding divides by 0")
        return Quotients(left.whole() % divisors, one)

    def power(base: Quotients, exponent: Quotients) -> Quotients:
        if (base.numerators == -base.denominators).all():
            return Quotients(1 - 2 * (exponent.whole() % 2), one)
        exponents = exponent.whole()
        if (exponents < 0).any() or (exponents > 64).any():
            raise NotRational
        return Quotients(exact(pow, base.numerators, exponents), exact(pow, base.denominators, exponents))

    def bracket(truth: np.ndarray) -> Quotients:
        return Quotients(np.where(truth, one, integers(0)), one)

    def everywhere(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, (stop - start,))

    meaning = Meaning(
        number=constant,
        name=name,
        function=function,
        compare=compare,
        bracket=bracket,
        conjunction=partial(reduce, np.logical_and),
        disjunction=partial(reduce, np.logical_or),
        negation=np.logical_not,
        modulo=modulo,
        power=power,
    )
    try:
        result = fold(scalar.tree, meaning)
    except DividesByZero as error:
        raise InputError(f"a position encoding divides by 0 at position {start + error.position}") from error
    result = result if isinstance(result, Quotients) else bracket(result)
    return Quotients(everywhere(result.numerators), everywhere(result.denominators))
