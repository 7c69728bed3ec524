"""A value under hypotheses: what is impossible in a context is dropped, and so is every bracket that it implies.

`iverson.normalise` knows linear facts about integers. Here tokens and counts are known as well: a token is a
symbol exactly where its position holds one, tokens at one position are one token, and counts add up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import sympy

from weightproof.symbolic.algebra.iverson import ZERO, Condition, Conditions, Iverson, normalise
from weightproof.symbolic.algebra.linear import Atom, Context, Form, form_of, is_atom, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary

VALUES = (0, 1)
"""Integers that an atom of a coefficient is compared with, to be replaced where it cannot be another."""


def simplified(value: Iverson, context: Context, vocabulary: Vocabulary) -> Iverson:
    """The value where the context holds: equal to `value` on every word, and at every position, of the context."""
    total = ZERO
    for conditions, coefficient in normalise(value, context).terms:
        inside = _known(context.given(*_forms(conditions)), _integers(coefficient), vocabulary)
        if not inside.impossible():
            total += Iverson(((_needed(conditions, context, vocabulary), _settled(coefficient, inside)),))
    return total


def impossible(context: Context, vocabulary: Vocabulary, conditions: Conditions = frozenset()) -> bool:
    """Whether no word of the context meets all conditions."""
    return _known(context.given(*_forms(conditions)), (), vocabulary).impossible()


def _needed(conditions: Conditions, context: Context, vocabulary: Vocabulary) -> Conditions:
    """The conditions without the bounds that the context and the others imply; those on tokens are tried first."""
    kept = set(conditions)
    for condition in sorted(conditions, key=lambda one: _order(one, vocabulary)):
        rest = frozenset(kept - {condition})
        others = _known(context.given(*_forms(rest)), condition.axis.atoms, vocabulary)
        low = condition.lo is not None and not others.impossible(-condition.axis + (condition.lo - 1))
        high = condition.hi is not None and not others.impossible(condition.axis - (condition.hi + 1))
        if not low and not high:
            kept.discard(condition)
        elif condition.lo != condition.hi:
            kept.discard(condition)
            kept.add(Condition(condition.axis, condition.lo if low else None, condition.hi if high else None))
    return frozenset(kept)


def _order(condition: Condition, vocabulary: Vocabulary) -> tuple[bool, int, str]:
    axis = condition.axis
    return not any(vocabulary.is_token(atom) for atom in axis.atoms), -len(axis.terms), str(axis.expression())


def _settled(coefficient: sympy.Expr, context: Context) -> sympy.Expr:
    """The coefficient with atoms replaced that can have only one value."""
    known: dict[Atom, sympy.Expr] = {}
    for atom in sorted(_integers(coefficient), key=str):
        whole = form_of(atom)
        for value in VALUES:
            if context.impossible(whole - (value + 1)) and context.impossible(-whole + (value - 1)):
                known[atom] = sympy.Integer(value)
    return coefficient.xreplace(known)


def _forms(conditions: Iterable[Condition]) -> list[Form]:
    return [form for condition in conditions for form in condition.forms()]


def _integers(coefficient: sympy.Expr) -> set[Atom]:
    applied = coefficient.atoms(sympy.core.function.AppliedUndef)
    return {atom for atom in coefficient.free_symbols | applied if is_atom(atom)}


def _known(context: Context, atoms: Iterable[Atom], vocabulary: Vocabulary) -> Context:
    """The context with what it implies of its own tokens and prefix counts, and of further ones among `atoms`."""
    before: Context | None = None
    while context != before:
        before = context
        mentioned = sorted({*atoms, *(atom for form in context.constraints for atom in form.atoms)}, key=str)
        tokens = [atom for atom in mentioned if vocabulary.is_token(atom)]
        for token in tokens:
            context = _token(token, context, vocabulary)
        for one, other in itertools.combinations(tokens, 2):
            differ = linear_form(one - other)
            if differ is not None and _holds(one.args[0], other.args[0], other.args[0], context):
                context = context.equal(differ)
        for place in {atom.args[0]: None for atom in mentioned if vocabulary.is_prefix(atom)}:
            if _holds(place, vocabulary.first - 1, vocabulary.last, context):
                context = vocabulary.prefixes(place, context)
    return context


def _token(token: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Context:
    place, whole = token.args[0], form_of(token)
    low, high = linear_form(place - vocabulary.first), linear_form(vocabulary.last - place)
    if low is None or high is None:
        return context
    if context.impossible(low) or context.impossible(high):
        return context.equal(whole + 1)
    if context.impossible(-low - 1) and context.impossible(-high - 1):
        return context.given(whole)
    return context.given(low, high) if context.impossible(-whole - 1) else context


def _holds(place: sympy.Expr, first: sympy.Expr | int, last: sympy.Expr, context: Context) -> bool:
    """Whether first <= place <= last follows."""
    low, high = linear_form(place - first), linear_form(last - place)
    return low is not None and high is not None and context.impossible(-low - 1) and context.impossible(-high - 1)
