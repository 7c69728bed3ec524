"""Powers of a length, e^(m log x) = x^m, for a multiple m that is no rational number: x to a whole number that is at
most m, times a positive real of its own, which is at least 1 where x is; and the least of an exponent that grows.

Bounds are rationals below parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

import sympy
from sympy.core.function import AppliedUndef

from weightproof.symbolic.algebra.constants import number_bounds
from weightproof.symbolic.algebra.linear import Form, linear_form

Bounds = Mapping[sympy.Symbol, Fraction]


def power_of_length(exponent: sympy.Expr, bounds: Bounds) -> sympy.Expr | None:
    """e^exponent for a product with one logarithm; None where its multiple is rational, or may be negative."""
    logarithm = _logarithm(exponent)
    if logarithm is None:
        return None
    multiple = exponent / logarithm
    least = None if multiple.is_Rational else _least(multiple, bounds)
    if least is None or least < 0:
        return None
    rest = sympy.expand((multiple - floor(least)) * logarithm)
    return logarithm.args[0] ** floor(least) * sympy.Function("exp", positive=True)(rest)


def length_of(exponent: sympy.Expr, bounds: Bounds) -> Form | None:
    """The x of an exponent m log x with m not negative, as a linear form; None of others."""
    logarithm = _logarithm(exponent)
    least = None if logarithm is None else _least(sympy.expand(exponent / logarithm), bounds)
    return None if logarithm is None or least is None or least < 0 else linear_form(logarithm.args[0])


def least_of_polynomial(exponent: sympy.Expr, bounds: Bounds) -> Fraction | None:
    """What a polynomial in parameters is at least, where it grows with what each exceeds its bound by: none of its
    coefficients in that is negative. None of others, and of less than 0."""
    parameters = sorted(exponent.free_symbols, key=str)
    if not parameters or not bounds.keys() >= set(parameters) or not exponent.is_polynomial(*parameters):
        return None
    shifted = {each: each + sympy.Rational(*bounds[each].as_integer_ratio()) for each in parameters}
    coefficients = sympy.Poly(exponent.xreplace(shifted), *parameters).as_dict()
    if not all(x.is_Rational and x >= 0 for x in coefficients.values()):
        return None
    least = coefficients.get((0,) * len(parameters), sympy.S.Zero)
    return Fraction(int(least.p), int(least.q))


def _logarithm(exponent: sympy.Expr) -> sympy.Expr | None:
    """The one logarithm in it, unless it is that of a number."""
    logarithms = [each for each in exponent.atoms(sympy.log) if not each.args[0].is_number]
    return logarithms[0] if len(logarithms) == 1 else None


def _least(multiple: sympy.Expr, bounds: Bounds) -> Fraction | None:
    """A rational below a number, or below a linear function of one parameter that grows with it; None of others."""
    if multiple.is_number:
        number = number_bounds(multiple)
        return None if number is None else number[0]
    parameters = multiple.free_symbols
    if len(parameters) != 1 or multiple.atoms(AppliedUndef):
        return None
    [parameter] = parameters
    slope = sympy.diff(multiple, parameter)
    if parameter not in bounds or not slope.is_Rational or slope < 0:
        return None
    at_least = multiple.xreplace({parameter: sympy.Rational(*bounds[parameter].as_integer_ratio())})
    return Fraction(int(at_least.p), int(at_least.q)) if at_least.is_Rational else None
