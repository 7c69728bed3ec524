"""Explicit sums that the derivation has joined: each is a linear combination of sums over the same positions."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from weightproof.proofs.kernel.forms import Forms
from weightproof.proofs.kernel.terms import ATOM
from weightproof.symbolic.algebra.iverson import Iverson, canonical
from weightproof.symbolic.algebra.vocabulary import i


def joined_sums(forms: Forms, before: Iverson, after: Iverson) -> Iterator[str]:
    """That each sum of a value that was not there before its sums were joined is a combination of those that are gone.

    The factors are guessed from those that the sums have in the two values; the proof assistant checks them, position
    by position.
    """
    sums, terms = forms.derivation.all_sums, forms.terms
    gone = before.free_symbols - after.free_symbols
    for symbol, joined in sums.items():
        if symbol not in after.free_symbols - before.free_symbols or i in joined.body.free_symbols:
            continue
        parts = [each for each in sums.values() if each.symbol in gone and (each.lo, each.hi) == (joined.lo, joined.hi)]
        whole, of_parts = _factor(after, symbol), [_factor(before, each.symbol) for each in parts]
        if not parts or whole is None or None in of_parts:
            continue
        factors = [terms.real(canonical(factor / whole), ATOM) for factor in of_parts]
        names = [f"{each.symbol}_is" for each in (joined, *parts)]
        combination = " + ".join(
            f"{factor} * {terms.explicit[each.symbol]}" for factor, each in zip(factors, parts, strict=True)
        )
        yield f"  assert ({symbol}_joined : {terms.explicit[symbol]} = {combination})."
        yield f"  {{ rewrite {', '.join(names)}, <- !sum_over_scale, <- ?sum_over_add. apply sum_over_ext."
        yield "    intros j J. decide_equation. }"


def _factor(value: Iverson, symbol: sympy.Symbol) -> sympy.Expr | None:
    """The factor of a sum in the first term of a value that is linear in it; None where none is."""
    factors = (canonical(sympy.diff(coefficient, symbol)) for _, coefficient in value.terms)
    return next((factor for factor in factors if factor != 0 and symbol not in factor.free_symbols), None)
