"""Terms as SMT-LIB 2."""

from __future__ import annotations

import functools
from fractions import Fraction

import sympy

from weightproof.symbolic.algebra.linear import is_atom
from weightproof.symbolic.algebra.vocabulary import Underivable


@functools.lru_cache(maxsize=10_000)
def atoms_of(expression: sympy.Expr) -> frozenset[sympy.Expr]:
    """What a term is a polynomial in."""
    if isinstance(expression, sympy.Add | sympy.Mul):
        return frozenset().union(*(atoms_of(argument) for argument in expression.args))
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        return atoms_of(expression.base)
    return frozenset() if expression.is_Number else frozenset((expression,))


UNQUOTED = {"|": "{bar}", "\\": "{backslash}", "\n": "{newline}", "\r": "{return}"}
"""What stands for a character that a quoted symbol cannot hold, or that ends a line."""


@functools.lru_cache(maxsize=10_000)
def name(atom: object) -> str:
    """The atom as it prints, quoted: two atoms may print alike."""
    return "|" + "".join(UNQUOTED.get(letter, letter) for letter in str(atom)) + "|"


def rational(value: Fraction) -> str:
    number = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        number = f"(/ {number} {value.denominator}.0)"
    return f"(- {number})" if value < 0 else number


def term(expression: sympy.Expr, integers: bool, whole: bool) -> str:
    """`whole`: the term is of sort Int; a rational or real term has its integer variables cast."""
    if expression.is_Rational:
        value = Fraction(int(expression.p), int(expression.q))
        if whole:
            return f"(- {-value.numerator})" if value < 0 else str(value.numerator)
        return rational(value)
    if isinstance(expression, sympy.Add | sympy.Mul):
        operator = "+" if isinstance(expression, sympy.Add) else "*"
        return f"({operator} {' '.join(term(a, integers, whole) for a in expression.args)})"
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        if expression.exp < 0:
            raise Underivable(f"{expression} stands in a denominator that was not cleared")
        base = term(expression.base, integers, whole)
        return f"(* {' '.join([base] * int(expression.exp))})"
    return f"(to_real {name(expression)})" if integers and is_atom(expression) and not whole else name(expression)
