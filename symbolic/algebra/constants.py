"""Constants that are no rational numbers, e^x and log(x): each a real of its own, named by its own expression, of which
rational bounds are known. And e to an irrational multiple of a parameter, named likewise."""

from __future__ import annotations

import functools
import operator
from fractions import Fraction
from math import gcd, lcm

import sympy
from flint import arb, ctx, fmpq

from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

LONGEST_BOUND = 1_000
"""Bits beyond which a bound of a unit is replaced by a simpler one: e^(10^6) is more than 2^1000."""


def constant_unit(exponent: sympy.Expr) -> sympy.Symbol:
    """The real e^exponent for a constant exponent > 0, or such a multiple of a parameter, named by its exponent."""
    return sympy.Symbol(f"exp({exponent})", positive=True)


def constant_logarithm(argument: sympy.Expr) -> sympy.Expr | None:
    """The logarithm of a number made of constants e^x: x of a power of e, or else a positive real of its own, or less
    one; None where its sign is open."""
    base, power = argument.as_base_exp()
    exponent = exponent_of(base)
    if exponent is not None and exponent.is_Rational and power.is_Integer:
        return exponent * power
    value = ball(evaluate(Expression(f"log({argument})"), {}))
    if value > 0:
        return sympy.Symbol(f"log({argument})", positive=True)
    if value < 0:
        return -sympy.Symbol(f"log(1/({argument}))", positive=True)
    return None


def exponent_of(unit: sympy.Expr) -> sympy.Expr | None:
    """The exponent of a unit that is named by it: a constant x, or a multiple k*c of a parameter; None for others."""
    return _inside(unit, "exp(")


def multiple_of(unit: sympy.Expr) -> tuple[str, sympy.Expr] | None:
    """The parameter c and the constant k > 0 of the unit e^(k*c); None for other expressions."""
    exponent = exponent_of(unit)
    if exponent is None or not exponent.free_symbols:
        return None
    [parameter] = exponent.free_symbols
    return str(parameter), exponent / parameter


def logarithm_of(symbol: sympy.Expr) -> sympy.Expr | None:
    """The number, made of constants e^x, whose logarithm the symbol is; None for other expressions."""
    inside = _inside(symbol, "log(")
    if inside is None:
        return None
    return inside.replace(sympy.exp, constant_unit).xreplace({sympy.E: constant_unit(sympy.S.One)})


@functools.cache
def _inside(symbol: sympy.Expr, function: str) -> sympy.Expr | None:
    # A symbol alone: sympy's own log(c) of a parameter c is written like the logarithm of a constant.
    if not isinstance(symbol, sympy.Symbol) or not symbol.name.startswith(function):
        return None
    text = symbol.name[len(function) : -1]
    # A parameter may be called as something of sympy's is.
    return sympy.sympify(text, locals={name: sympy.Symbol(name, real=True) for name in Expression(text).names})


LONGEST_POWER = 64
"""The highest power of one unit that another one is written as."""


def with_common_units(expression: sympy.Expr) -> sympy.Expr:
    """Units whose exponents are rational multiples of each other, as powers of one unit: then equal powers of e are
    equal, however they were written."""
    groups: dict[sympy.Expr, dict[sympy.Symbol, sympy.Rational]] = {}
    for symbol in expression.free_symbols:
        exponent = exponent_of(symbol)
        if exponent is not None:
            rational, rest = exponent.as_coeff_Mul()
            groups.setdefault(rest, {})[symbol] = rational
    powers: dict[sympy.Symbol, sympy.Expr] = {}
    for rest, multiples in groups.items():
        common = sympy.Rational(
            gcd(*(int(x.p) for x in multiples.values())), lcm(*(int(x.q) for x in multiples.values()))
        )
        if len(multiples) > 1 and max(multiples.values()) / common <= LONGEST_POWER:
            powers |= {symbol: constant_unit(common * rest) ** (x / common) for symbol, x in multiples.items()}
    return expression.xreplace(powers) if powers else expression


def is_constant(expression: sympy.Expr) -> bool:
    """Whether it is made of numbers and of constants e^x."""
    symbols = expression.free_symbols
    return bool(symbols) and all(constant_bounds(symbol) is not None for symbol in symbols)


@functools.cache
def constant_bounds(symbol: sympy.Expr) -> tuple[Fraction, Fraction | None] | None:
    """Rationals below and above the unit or the logarithm of a constant, close by unless it is huge, where there is
    none above it; None for other expressions."""
    value = constant_of(symbol)
    if value is None:
        return None
    enclosed = ball(value, 64)
    return below(enclosed), _above(enclosed)


def constant_of(symbol: sympy.Expr) -> Real | None:
    """The exact value of the unit or the logarithm of a constant; None for other expressions."""
    if multiple_of(symbol) is not None or (exponent_of(symbol) is None and logarithm_of(symbol) is None):
        return None
    return evaluate(Expression(symbol.name), {})


@functools.cache
def number_bounds(value: sympy.Expr) -> tuple[Fraction, Fraction] | None:
    """Rationals below and above a number made of rationals, their roots and their logarithms, and close by; None for
    other expressions."""
    with ctx.workprec(64):
        enclosed = _number_ball(value)
    if enclosed is None or not enclosed.is_finite():
        return None
    apart = Fraction(1, 2**100)  # so that neither bound is attained
    return fmpq_of(enclosed.lower()) - apart, fmpq_of(enclosed.upper()) + apart


def _number_ball(value: sympy.Expr) -> arb | None:
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    if not isinstance(value, sympy.Add | sympy.Mul | sympy.Pow | sympy.log):
        return None
    parts = [ball for part in value.args if (ball := _number_ball(part)) is not None]
    if len(parts) < len(value.args):
        return None
    match value:
        case sympy.Add():
            return functools.reduce(operator.add, parts)
        case sympy.Mul():
            return functools.reduce(operator.mul, parts)
        case sympy.Pow() if value.exp.is_Integer:
            return parts[0] ** int(value.exp)
        case sympy.Pow():
            return (parts[0].log() * parts[1]).exp()
    return parts[0].log()


def below(enclosed: arb) -> Fraction:
    """A rational below a positive number, of which a ball is given."""
    if enclosed > arb(2) ** LONGEST_BOUND:
        return Fraction(2) ** LONGEST_BOUND
    return fmpq_of(enclosed.lower()) if enclosed > arb(2) ** -LONGEST_BOUND else Fraction(0)


def _above(enclosed: arb) -> Fraction | None:
    """A rational above a number, of which a ball is given; None for a huge one."""
    least = arb(2) ** -LONGEST_BOUND
    if enclosed < least:
        return Fraction(2) ** -LONGEST_BOUND
    return fmpq_of(enclosed.upper()) if enclosed < arb(2) ** LONGEST_BOUND else None


def fmpq_of(end: arb) -> Fraction:
    """The exact value of a ball of radius 0."""
    mantissa, exponent = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
