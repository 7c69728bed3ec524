"""Expressions as polynomials with rational coefficients in variables that are named, whatever these are made of."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from math import prod

import sympy
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

Names = dict[sympy.Expr, fmpq_mpoly]


def names(variables: Iterable[sympy.Expr]) -> Names:
    """The variables of a ring, and one more, as there is no ring without."""
    named = [*variables, None]
    return dict(zip(named, ring(len(named)).gens(), strict=True))


def polynomial_in(expression: sympy.Expr, named: Names) -> fmpq_mpoly:
    """An expression in what has a name; ValueError where it is no polynomial."""
    found = named.get(expression)
    if found is not None:
        return found
    over = ring(len(named))
    match expression:
        case sympy.Rational():
            return over.constant(fmpq(int(expression.p), int(expression.q)))
        case sympy.Add():
            return sum((polynomial_in(part, named) for part in expression.args), over.constant(0))
        case sympy.Mul():
            return prod((polynomial_in(part, named) for part in expression.args), start=over.constant(1))
        case sympy.Pow(exp=sympy.Integer() as exponent) if exponent > 0:
            return polynomial_in(expression.base, named) ** int(exponent)
    raise ValueError(f"{expression} is no polynomial")


@functools.cache
def ring(variables: int) -> fmpq_mpoly_ctx:
    """The polynomials in so many variables."""
    return fmpq_mpoly_ctx.get([f"x{number}" for number in range(variables)], Ordering.lex)


def variables_of(expressions: Iterable[sympy.Expr]) -> list[sympy.Expr]:
    """What expanded expressions are polynomials in; a power with an open exponent is one."""
    found = set()
    for expression in expressions:
        for factor in (each for term in sympy.Add.make_args(expression) for each in sympy.Mul.make_args(term)):
            base, exponent = factor.as_base_exp()
            if not factor.is_Rational:
                found.add(base if exponent.is_Integer and exponent > 0 else factor)
    return sorted(found, key=str)


def factors_of(expression: sympy.Expr) -> tuple[sympy.Rational, list[tuple[sympy.Expr, int]]]:
    """A constant, and the irreducible factors of an expanded expression, each with its multiplicity; ValueError where
    it is no polynomial."""
    variables = variables_of([expression])
    constant, factors = polynomial_in(expression, names(variables)).factor()
    return _rational(constant), [(_expression(factor, variables), int(times)) for factor, times in factors]


def _expression(polynomial: fmpq_mpoly, variables: Iterable[sympy.Expr]) -> sympy.Expr:
    terms = (
        sympy.Mul(_rational(coefficient), *(base ** int(power) for base, power in zip(variables, powers, strict=False)))
        for powers, coefficient in polynomial.to_dict().items()
    )
    return sympy.Add(*terms)


def _rational(value: fmpq) -> sympy.Rational:
    return sympy.Rational(int(value.p), int(value.q))
