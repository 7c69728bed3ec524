"""Signs of values that have explicit sums in them: of sums of positive terms, symbols in their places know them."""

from __future__ import annotations

import sympy

from weightproof.symbolic.algebra.iverson import (
    Iverson,
    normalise,
    substitute,
)
from weightproof.symbolic.algebra.linear import Context, form_of
from weightproof.symbolic.algebra.signs import Sign, Signed, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Vocabulary, cells, j
from weightproof.symbolic.derivation import ExplicitSum


def signed_with_sums(
    value: sympy.Expr, sums: dict[sympy.Symbol, ExplicitSum], context: Context, vocabulary: Vocabulary
) -> Signed:
    """What is known of the sign of a value that has sums in it, as `signed` has it of others."""
    known, back = _signed(value, sums, context, vocabulary)
    numerator, denominator = (tuple(x.xreplace(back) for x in side) for side in (known.numerator, known.denominator))
    return Signed(known.direction, numerator, denominator)


def is_at_least_0(
    value: sympy.Expr, sums: dict[sympy.Symbol, ExplicitSum], context: Context, vocabulary: Vocabulary
) -> bool:
    """Whether a value is certainly not negative: of a sum that may be empty, it is 0 or positive."""
    known, back = _signed(value, sums, context, vocabulary)
    sums_alone = all(x.as_base_exp()[0] in back and x.is_nonnegative for x in known.numerator)
    return known.direction >= 0 and sums_alone and not known.denominator


def _signed(
    value: sympy.Expr, sums: dict[sympy.Symbol, ExplicitSum], context: Context, vocabulary: Vocabulary
) -> tuple[Signed, dict[sympy.Symbol, sympy.Symbol]]:
    """What is known of the sign, in terms of symbols in place of the sums; and of which."""
    mentioned = value.free_symbols & sums.keys()
    stand_ins = {symbol: stand_in(sums[symbol], context, vocabulary) for symbol in mentioned}
    return signed(value.xreplace(stand_ins), context, vocabulary), {x: symbol for symbol, x in stand_ins.items()}


def stand_in(total: ExplicitSum, context: Context, vocabulary: Vocabulary) -> sympy.Symbol:
    """A symbol in place of a sum: > 0 or >= 0 where every term is positive, otherwise a real."""
    inside = context.given(form_of(j - total.lo), form_of(total.hi - j))
    if any(sign_of(x, inside, vocabulary) is not Sign.POSITIVE for _, x in total.body.terms):
        return sympy.Symbol(f"{total.symbol}'", real=True)
    first = normalise(substitute(total.body, {j: total.lo}), context)
    if context.nonnegative(form_of(total.hi - total.lo)) and _is_positive(first, context, vocabulary):
        return sympy.Symbol(f"{total.symbol}'", positive=True)
    return sympy.Symbol(f"{total.symbol}'", nonnegative=True)


def _is_positive(value: Iverson, context: Context, vocabulary: Vocabulary) -> bool:
    for cell, x in cells(value):
        inside = context.given(*cell.forms())
        if not inside.impossible() and sign_of(x, inside, vocabulary) is not Sign.POSITIVE:
            return False
    return True
