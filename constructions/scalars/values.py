"""What scalars mean: their values in exact arithmetic."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable

from flint import fmpq

from weightproof.constructions.scalars.exact import Real, cosine, exp, identity, log, power, sign, sqrt
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold


def _function(name: str, value: Real) -> Real:
    match name:
        case "cospi" | "sinpi":
            if not isinstance(value, fmpq):
                raise ArithmeticError(f"{name.removesuffix('pi')}(pi*x) is exact only at rational x")
            return cosine((value if name == "cospi" else value - fmpq(1, 2)) / 2)
        case "sqrt" | "log" | "exp":
            return {"sqrt": sqrt, "log": log, "exp": exp}[name](value)
    up, down = exp(value), exp(-value)
    match name:
        case "tanh":
            return (up - down) / (up + down)
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
    if not isinstance(exponent, fmpq) or exponent.q != 1:
        raise ArithmeticError("powers take integer exponents")
    return power(base, int(exponent.p))


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
