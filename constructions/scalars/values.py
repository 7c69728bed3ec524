"""What scalars mean, and what a run computes with: exact numbers; or balls that contain them, which are quick where
exact forms grow long; or the numbers of a format, where rounding is part of what a construction means.

A ball answers only what is true of every number in it, so that what is decided in balls is certain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from flint import arb, ctx, fmpq

from weightproof.constructions.scalars.exact import (
    Real,
    cos,
    cosine,
    enclosure,
    exp,
    identity,
    log,
    pi_times,
    power,
    sign,
    sin,
    sqrt,
    tanh,
)
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.constructions.scalars.fixed_point import Fixed, FixedPoint, rounded

Number: TypeAlias = Real | arb | Fixed
ZERO, ONE = fmpq(0), fmpq(1)

PRECISE = 1 << 10
"""Bits to subtract in, more than any run is made with."""


def _function(name: str, value: Real) -> Real:
    match name:
        case "cospi" | "sinpi":
            if not isinstance(value, fmpq):
                return _function(name.removesuffix("pi"), _function("pi", ONE) * value)
            return cosine((value if name == "cospi" else value - fmpq(1, 2)) / 2)
        case "pi":
            return pi_times(ONE) * value
        case "sqrt" | "log" | "exp" | "tanh" | "cos" | "sin":
            return {"sqrt": sqrt, "log": log, "exp": exp, "tanh": tanh, "cos": cos, "sin": sin}[name](value)
    up, down = exp(value), exp(-value)
    match name:
        case "sinh":
            return (up - down) / 2
        case "cosh":
            return (up + down) / 2
    raise TypeError(name)


COMPARISONS: dict[str, Callable[[int], bool]] = {
    "==": lambda s: s == 0, "!=": lambda s: s != 0, "<": lambda s: s < 0,
    "<=": lambda s: s <= 0, ">": lambda s: s > 0, ">=": lambda s: s >= 0,
}  # fmt: skip


def compare(op: str, left: Real, right: Real) -> bool:
    """Whether a comparison is true."""
    return COMPARISONS[op](sign(left - right))


def _modulo(left: Real, right: Real) -> Real:
    if not isinstance(left, fmpq) or not isinstance(right, fmpq) or right <= 0:
        raise ArithmeticError("% takes a rational and a positive rational")
    quotient = left / right
    return left - right * (quotient.p // quotient.q)


def _power(base: Real, exponent: Real) -> Real:
    """A fraction as exponent has a value over positive numbers: base**(p/q) is exp(log(base) p/q)."""
    if not isinstance(exponent, fmpq) or (exponent.q != 1 and sign(base) <= 0):
        raise ArithmeticError("powers take integers as exponents, or fractions of positive numbers")
    return power(base, int(exponent.p)) if exponent.q == 1 else exp(log(base) * exponent)


def evaluate(scalar: Expression, names: dict[str, Real]) -> Real:
    """The exact value of a scalar; raises KeyError for a name without a value, ArithmeticError outside the domain."""
    return _evaluate(scalar, tuple((name, identity(names[name])) for name in scalar.names))


Given = tuple[tuple[str, Hashable], ...]
"""Names with the identities of their values."""


def identified(given: Given) -> dict[str, Real]:
    """Names with their values."""
    return {name: fmpq(*value) if isinstance(value, tuple) else value for name, value in given}


@functools.lru_cache(1 << 14)
def _evaluate(scalar: Expression, given: Given) -> Real:
    """Kept: the same weights and encodings are asked for on every word."""
    value = fold(scalar.tree, meaning(identified(given)))
    return fmpq(int(value)) if isinstance(value, bool) else value


def meaning(names: dict[str, Real]) -> Meaning:
    """What the leaves of a scalar mean where its names have these values."""
    return Meaning(
        number=fmpq,
        name=names.__getitem__,
        function=_function,
        compare=compare,
        bracket=lambda truth: fmpq(int(truth)),
        conjunction=all,
        disjunction=any,
        negation=lambda truth: not truth,
        modulo=_modulo,
        power=_power,
    )


@dataclass(frozen=True, eq=False)
class Evaluator:
    """The numbers that scalars of the data stand for, where names have these values: what `read` makes of exact ones.

    KeyError for a name without a value, ArithmeticError outside the domain.
    """

    read: Callable[[Real], Number]
    names: Mapping[str, Real]
    found: dict[Expression, Number] = field(default_factory=dict)

    def __call__(self, scalar: Expression) -> Number:
        if scalar not in self.found:
            self.found[scalar] = self.read(evaluate(scalar, dict(self.names)))
        return self.found[scalar]

    def holds(self, formula: Expression) -> bool:
        """Whether a formula is true."""
        return sign(evaluate(formula, dict(self.names))) != 0

    def at(self, **names: int) -> Evaluator:
        """The same, where these names have other values, or have one."""
        return Evaluator(self.read, {**self.names, **{name: fmpq(value) for name, value in names.items()}})


def exactly(names: Mapping[str, Real]) -> Evaluator:
    """Exact values."""
    return Evaluator(lambda value: value, dict(names))


def in_balls(names: Mapping[str, Real]) -> Evaluator:
    """Balls that contain the exact values, at the working precision of python-flint's context."""
    return Evaluator(enclosure, dict(names))


def in_format(format: FixedPoint, names: Mapping[str, Real]) -> Evaluator:
    """Exact values, each rounded once."""
    return Evaluator(lambda value: rounded(value, format), dict(names))


def is_zero(x: Number) -> bool:
    """Whether it is 0 for certain. A ball that contains 0 and more divides into a ball of all numbers, or of
    none, which decides nothing."""
    return bool(x == 0) if isinstance(x, arb) else sign(x) == 0


def positive_part(x: Number) -> Number:
    """The larger of x and 0."""
    if isinstance(x, arb):
        return (x + abs(x)) / 2
    return x if sign(x) > 0 else ZERO


def absolute(x: Number) -> Number:
    """|x|."""
    if isinstance(x, arb):
        return abs(x)
    return x if sign(x) >= 0 else -x


def beside(x: Number, constant: Real) -> Number:
    """A constant as what is computed with x: a ball where x is one."""
    return enclosure(constant) if isinstance(x, arb) else constant


def difference(x: Number, y: Number) -> Number:
    """x - y, a ball where x or y is one, and no wider than they make it."""
    if not isinstance(x, arb) and not isinstance(y, arb):
        return x - y
    if isinstance(x, Fixed) or isinstance(y, Fixed):
        raise TypeError("a ball and a number of a format")
    with ctx.workprec(PRECISE):
        left, right = (value if isinstance(value, arb) else enclosure(value) for value in (x, y))
        return left - right
