"""Position encodings that are rational functions of i, at all positions at once: exact quotients of Python integers."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from constructions.exact import Real
from constructions.expressions import Expression, Meaning, fold
from constructions.interpreter import InputError


class NotRational(Exception):
    """The scalar has parts that are no rational functions: it has to be evaluated position by position."""


COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Quotients:
    """numerators / denominators, one for each position; arrays of Python integers, denominators positive."""

    numerators: np.ndarray
    denominators: np.ndarray

    def __add__(self, other: Quotients) -> Quotients:
        return Quotients(
            self.numerators * other.denominators + other.numerators * self.denominators,
            self.denominators * other.denominators,
        )

    def __neg__(self) -> Quotients:
        return Quotients(-self.numerators, self.denominators)

    def __sub__(self, other: Quotients) -> Quotients:
        return self + -other

    def __mul__(self, other: Quotients) -> Quotients:
        return Quotients(self.numerators * other.numerators, self.denominators * other.denominators)

    def __truediv__(self, other: Quotients) -> Quotients:
        if (other.numerators == 0).any():
            raise InputError(f"a position encoding divides by 0 at position {int(np.argmax(other.numerators == 0))}")
        sign = np.where(other.numerators < 0, -1, 1).astype(object)
        return Quotients(self.numerators * other.denominators * sign, self.denominators * abs(other.numerators))

    def whole(self) -> np.ndarray:
        """The values as integers; NotRational where some are none."""
        if (self.numerators % self.denominators != 0).any():
            raise NotRational
        return self.numerators // self.denominators


def quotients(scalar: Expression, names: Mapping[str, Real], n: int) -> Quotients:
    """The values of a scalar at i = 0..n-1; NotRational where it is no rational function of integers."""
    ones = np.full(n, 1, dtype=object)

    def constant(value: int | fmpq) -> Quotients:
        exact = fmpq(value)
        return Quotients(ones * int(exact.p), ones * int(exact.q))

    def name(identifier: str) -> Quotients:
        if identifier == "i":
            return Quotients(np.arange(n).astype(object), ones)
        value = fmpq(n) if identifier == "n" else names[identifier]
        if not isinstance(value, fmpq):
            raise NotRational
        return constant(value)

    def function(which: str, argument: Quotients) -> Quotients:
        if which != "cospi":
            raise NotRational
        return Quotients(1 - 2 * (argument.whole() % 2), ones)

    def compare(op: str, left: Quotients, right: Quotients) -> np.ndarray:
        return COMPARE[op]((left - right).numerators, 0).astype(bool)

    def modulo(left: Quotients, right: Quotients) -> Quotients:
        divisors = right.whole()
        if (divisors == 0).any():
            raise InputError("a position encoding divides by 0")
        return Quotients(left.whole() % divisors, ones)

    def power(base: Quotients, exponent: Quotients) -> Quotients:
        if (base.numerators == -base.denominators).all():
            return Quotients(1 - 2 * (exponent.whole() % 2), ones)
        exponents = exponent.whole()
        if (exponents < 0).any() or (exponents > 64).any():
            raise NotRational
        return Quotients(base.numerators**exponents, base.denominators**exponents)

    def bracket(truth: np.ndarray) -> Quotients:
        return Quotients(np.where(truth, 1, 0).astype(object), ones)

    result = fold(
        scalar.tree,
        Meaning(
            number=constant,
            name=name,
            function=function,
            compare=compare,
            bracket=bracket,
            conjunction=np.logical_and.reduce,
            disjunction=np.logical_or.reduce,
            negation=np.logical_not,
            modulo=modulo,
            power=power,
        ),
    )
    return result if isinstance(result, Quotients) else bracket(result)
