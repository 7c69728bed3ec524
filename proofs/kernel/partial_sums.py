"""Sums over positions as functions of how many positions they have run over: what a proof by telescoping needs.

They are found by the rules of the derivation, of a range that ends before position m. Where a rule asks which of two
bounds is tighter, both cases are taken. Nothing here is trusted: the proof assistant checks that the function begins as
the sum does, grows by each summand, and ends at what the derivation found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy

from weightproof.proofs.kernel.terms import m
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, bracket
from weightproof.symbolic.algebra.linear import Context, form_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules.shared_terms import bounds, in_common_form, is_range, shared
from weightproof.symbolic.rules.sums import Positions, sum_over


def partial_sum(values: Mapping[str, Iverson], context: Context, vocabulary: Vocabulary, record: Record) -> Iverson:
    """The sum, over the positions of symbols before position m, of the value given for the symbol at position j."""
    values = in_common_form(values)
    common = shared(values)
    within = context.given(form_of(m - vocabulary.first), form_of(vocabulary.last + 1 - m))
    positions = Positions(None, sympy.Integer(vocabulary.first), m - 1, within, vocabulary)
    total = _summed(positions, common, record)
    for symbol, value in values.items():
        total += _summed(replace(positions, symbol=symbol), value - common, record)
    return total


def _summed(positions: Positions, value: Iverson, record: Record) -> Iverson:
    total = ZERO
    for term in value.terms:
        total += _by_cases(positions, Iverson((term,)), list(_bounds(Iverson((term,)))), record)
    return total


def _by_cases(positions: Positions, value: Iverson, bounds: list[sympy.Expr], record: Record) -> Iverson:
    """The sum, by the cases of which bounds lie before position m."""
    context = positions.context
    for bound in bounds:
        reached = form_of(positions.hi - bound)
        if context.entails(reached) or context.entails(-reached - 1):
            continue
        total = ZERO
        for op, form in ((">=", reached), ("<", -reached - 1)):
            inside = replace(positions, context=context.given(form))
            total += bracket(op, positions.hi - bound) * _by_cases(inside, value, bounds, record)
        return total
    return sum_over(positions, value, record)


def _bounds(value: Iverson) -> Iterator[sympy.Expr]:
    """The ends of the ranges of positions that its brackets allow, but for single positions."""
    for conditions, _ in value.terms:
        for condition in conditions:
            if is_range(condition) and condition.lo != condition.hi:
                low, high = bounds(condition)
                if low is not None:
                    yield low - 1
                if high is not None:
                    yield high
