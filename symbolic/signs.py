"""The sign of a bracket-free expression in a context, by exact means only."""

from __future__ import annotations

from enum import Enum

import sympy

from symbolic.certificates import certify
from symbolic.linear import Context, linear_form
from symbolic.vocabulary import Vocabulary


class Sign(Enum):
    POSITIVE = 1
    NONNEGATIVE = 2
    ZERO = 0
    NEGATIVE = -1
    NONPOSITIVE = -2
    OPEN = None


def sign_of(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Sign:
    """The sign of a polynomial: linear forms by elimination, others by a certificate of nonnegative coefficients."""
    if expression.is_Rational:
        return Sign.POSITIVE if expression > 0 else Sign.NEGATIVE if expression < 0 else Sign.ZERO
    form = linear_form(expression)
    if form is not None:
        if context.positive(form):
            return Sign.POSITIVE
        if context.positive(-form):
            return Sign.NEGATIVE
        above, below = context.nonnegative(form), context.nonnegative(-form)
        if above and below:
            return Sign.ZERO
        return Sign.NONNEGATIVE if above else Sign.NONPOSITIVE if below else Sign.OPEN
    if certify(expression, context, vocabulary, strict=True) is not None:
        return Sign.POSITIVE
    if certify(-expression, context, vocabulary, strict=True) is not None:
        return Sign.NEGATIVE
    return Sign.OPEN
