"""Short words length by length, and all longer ones together.

A power of a number outgrows every polynomial in the length: e^(n/3) > n - 1 holds for every n, but a certificate sees
it for all n >= 3 at once, and for those before one by one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy

from weightproof.proofs.solving.implication import Implication, implication
from weightproof.proofs.solving.logic import Rel, substitute_formula
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import n

ALONE = (4, 8, 16)
"""How many lengths are taken one by one, before longer ones are tried together once more."""


def with_lengths(items: Iterable[Implication]) -> Iterator[Implication]:
    """Obligations in which a number is raised to the length, with those of single lengths for where they stay open."""
    for item in items:
        if item.otherwise is None and _grows(item):
            yield replace(item, otherwise=functools.partial(by_lengths, item, ALONE))
        else:
            yield item


def by_lengths(item: Implication, alone: tuple[int, ...]) -> Iterator[Implication]:
    """One obligation for each of some lengths that the hypotheses allow, and one for all longer ones. alone: how many
    lengths, now and when the last one stays open."""
    least = _least(item.context)
    beyond = least + alone[0]
    for length in range(least, beyond):
        here = _at(item, length)
        if not here.context.impossible():
            yield here
    longer = (*item.relations, Rel(">=", n - beyond))
    further = implication(item.name, item.vocabulary, item.context, longer, item.goal)
    again = functools.partial(by_lengths, further, alone[1:]) if alone[1:] else None
    yield replace(further, name=f"{item.name}, n >= {beyond}", otherwise=again)


def _grows(item: Implication) -> bool:
    powers = {power for expression in item.expressions() for power in expression.atoms(sympy.Pow)}
    bounds = (item.vocabulary.lower_bound(power.base) for power in powers if n in power.exp.free_symbols)
    return any(bound is not None and bound[0] > 1 for bound in bounds)


def _least(context: Context) -> int:
    """A length that no word is shorter than, the greatest that is a power of 2 more than another one, and so on."""
    least, step = 0, 1 << 12
    while step:
        form = linear_form(n - (least + step))
        assert form is not None
        least, step = least + step * context.nonnegative(form), step // 2
    return least


def _at(item: Implication, length: int) -> Implication:
    """With the number for n everywhere."""
    here = {n: sympy.Integer(length)}

    def moved(expression: sympy.Expr) -> sympy.Expr:
        return expression.xreplace(here)

    relations = tuple(Rel(rel.op, moved(rel.expression)) for rel in item.relations)
    goal = substitute_formula(item.goal, moved, {})
    return implication(f"{item.name}, n = {length}", item.vocabulary, item.context.fixed(here), relations, goal)
