"""Exact numbers as real numbers of Coq."""

from __future__ import annotations

import functools
import operator

from flint import fmpq

from weightproof.constructions.scalars.cosines import Cosines
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.irrational import Generator, Irrational
from weightproof.proofs.kernel.scalars import APPLICATION, ONE, PI, Term, applied, number

FUNCTIONS = {"sqrt": "sqrt", "log": "ln"}


def real(value: Real) -> Term:
    """The number that a value is."""
    match value:
        case fmpq():
            above = number(int(value.p))
            return above if value.q == 1 else above / number(int(value.q))
        case Irrational():
            above, below = (
                _sum([(x, monomial) for monomial, x in side]) for side in (value.numerator, value.denominator)
            )
            return above if below == ONE else above / below
        case Cosines():
            return functools.reduce(operator.add, (real(x) * _cosine(2 * turn) for turn, x in value.terms))
    raise TypeError(value)


def _cosine(half_turns: fmpq) -> Term:
    return Term(applied("cos", PI * real(half_turns)), APPLICATION)


def _sum(terms: list[tuple[fmpq, tuple[tuple[Generator, int | fmpq], ...]]]) -> Term:
    return functools.reduce(operator.add, (_product(x, monomial) for x, monomial in terms))


def _product(factor: fmpq, monomial: tuple[tuple[Generator, int | fmpq], ...]) -> Term:
    powers = [_power(generator, fmpq(exponent)) for generator, exponent in monomial]
    return functools.reduce(operator.mul, powers if factor == 1 and powers else [real(factor), *powers])


def _power(generator: Generator, exponent: fmpq) -> Term:
    if generator.function == "exp":
        argument = real(generator.argument)
        return Term(applied("exp", argument if exponent == 1 else real(exponent) * argument), APPLICATION)
    assert exponent.q == 1
    inner = real(generator.argument)
    base = inner if generator.function == "value" else Term(applied(FUNCTIONS[generator.function], inner), APPLICATION)
    power = functools.reduce(operator.mul, [base] * abs(int(exponent.p)))
    return power if exponent > 0 else ONE / power
