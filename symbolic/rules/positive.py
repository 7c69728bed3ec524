"""Explicit sums of positive terms: of what is known of their signs, symbols in their places know it."""

from __future__ import annotations

import sympy

from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, Form, linear_form
from weightproof.symbolic.algebra.signs import Sign, Signed, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Vocabulary, cells, j
from weightproof.symbolic.derivation import ExplicitSum


def signed_with_sums(
    value: sympy.Expr, sums: dict[sympy.Symbol, ExplicitSum], context: Context, vocabulary: Vocabulary
) -> Signed:
    """As `signed`, where sums are in the value."""
    mentioned = value.free_symbols & sums.keys()
    stand_ins = {symbol: _stand_in(sums[symbol], context, vocabulary) for symbol in mentioned}
    back = {other: symbol for symbol, other in stand_ins.items()}
    known = signed(value.xreplace(stand_ins), context, vocabulary)
    numerator, denominator = (tuple(x.xreplace(back) for x in side) for side in (known.numerator, known.denominator))
    return Signed(known.direction, numerator, denominator)


def _stand_in(total: ExplicitSum, context: Context, vocabulary: Vocabulary) -> sympy.Symbol:
    """A symbol in place of a sum: > 0 or >= 0 where every term is positive, otherwise a real."""
    inside = context.given(_form(j - total.lo), _form(total.hi - j))
    if any(sign_of(x, inside, vocabulary) is not Sign.POSITIVE for _, x in total.body.terms):
        return sympy.Symbol(f"{total.symbol}'", real=True)
    first = normalise(substitute(total.body, {j: total.lo}), context)
    if context.nonnegative(_form(total.hi - total.lo)) and _is_positive(first, context, vocabulary):
        return sympy.Symbol(f"{total.symbol}'", positive=True)
    return sympy.Symbol(f"{total.symbol}'", nonnegative=True)


def _is_positive(value: Iverson, context: Context, vocabulary: Vocabulary) -> bool:
    for cell, x in cells(value):
        inside = context.given(*(form for conditions, _ in cell.terms for c in conditions for form in c.forms()))
        if not inside.impossible() and sign_of(x, inside, vocabulary) is not Sign.POSITIVE:
            return False
    return True


def _form(expression: sympy.Expr) -> Form:
    form = linear_form(expression)
    assert form is not None
    return form
