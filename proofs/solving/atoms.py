"""What is known of the atoms of an obligation beyond its context: residues, tokens and counts agree with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy

from weightproof.symbolic.algebra.iverson import Condition
from weightproof.symbolic.algebra.linear import Context, above, form_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary


def integer_atoms(context: Context, expressions: Iterable[sympy.Expr]) -> set[sympy.Expr]:
    """Tokens and residues that occur."""
    found = {atom for form in context.constraints for atom in form.atoms}
    for expression in expressions:
        found |= expression.atoms(sympy.core.function.AppliedUndef, sympy.Mod)
    return {atom for atom in found if isinstance(atom, sympy.Mod) or atom.is_Function}


def quotient(residue: sympy.Mod) -> sympy.Symbol:
    """What the multiple of the modulus is called that a number exceeds by its residue."""
    number, modulus = residue.args
    return sympy.Symbol(f"({number}) // {modulus}", integer=True)


def contexts_with_facts(
    context: Context, expressions: Iterable[sympy.Expr], vocabulary: Vocabulary
) -> Iterator[Context]:
    """The context with the facts added, split into the cases that the facts distinguish; impossible cases are left out.

    Mod(a, m) = a - m*q for an integer q; where a is 0 it is 0, which elimination does not find if q comes before a. A
    token is a symbol exactly where its position holds one. Tokens at different positions count separately, tokens at
    one position are equal.
    """
    atoms = integer_atoms(context, expressions)
    for atom in sorted(atoms, key=str):
        if isinstance(atom, sympy.Mod):
            inner = form_of(atom.args[0])
            context = context.equal(form_of(atom.args[0] - atom.args[1] * quotient(atom) - atom))
            if -inner in context.constraints and inner in context.constraints:
                context = context.equal(form_of(atom))
    tokens = [atom for atom in sorted(atoms, key=str) if vocabulary.is_token(atom)]
    yield from _split(context, tokens, vocabulary)


def _split(context: Context, tokens: list[sympy.Expr], vocabulary: Vocabulary) -> Iterator[Context]:
    cases = [context]
    for token in tokens:
        cases = [case for before in cases for case in _held(before, token, vocabulary) if not case.impossible()]
    for number, left in enumerate(tokens):
        for right in tokens[:number]:
            gap = form_of(left.args[0] - right.args[0])
            cases = [
                case
                for before in cases
                for case in (
                    before.equal(gap, form_of(left - right)),
                    before.given(above(gap)),
                    before.given(above(-gap)),
                )
                if not case.impossible()
            ]
    for case in cases:
        counted = _with_counts(case, tokens, vocabulary)
        if not counted.impossible():
            yield counted


def _held(context: Context, token: sympy.Expr, vocabulary: Vocabulary) -> Iterator[Context]:
    """What a token may be: a symbol where its position holds one, else -1, also where that is no integer."""
    place = form_of(token.args[0])
    modulus = place.denominator
    whole = sympy.Symbol(f"floor({token.args[0]})", integer=True)
    for rest in range(modulus):
        here = context if modulus == 1 else context.equal(place - form_of(whole) - Fraction(rest, modulus))
        if rest:
            yield here.equal(form_of(token + 1))
            continue
        after_first, before_last = form_of(token.args[0] - vocabulary.first), form_of(vocabulary.last - token.args[0])
        for a in range(len(vocabulary.alphabet)):
            yield here.given(after_first, before_last).equal(form_of(token - a))
        yield here.given(above(-after_first)).equal(form_of(token + 1))
        yield here.given(above(-before_last)).equal(form_of(token + 1))


def with_place_of_token(context: Context, held: Condition, vocabulary: Vocabulary) -> Context:
    """With what a condition on a token says of its position: that it holds a symbol, or that it lies on the one side of
    the word on which it may lie."""
    [token] = held.axis.atoms if len(held.axis.atoms) == 1 else [None]
    if token is None or not vocabulary.is_token(token):
        return context
    after_first, before_last = form_of(token.args[0] - vocabulary.first), form_of(vocabulary.last - token.args[0])
    if held.lo is not None and held.lo >= 0:
        return context.given(after_first, before_last)
    if held.hi is not None and held.hi < 0 and after_first.denominator == 1:
        for one, other in ((after_first, before_last), (before_last, after_first)):
            if context.impossible(above(-one)):
                return context.given(above(-other))
    return context


def _with_counts(context: Context, tokens: list[sympy.Expr], vocabulary: Vocabulary) -> Context:
    """K_a is at least the number of different positions that hold a."""
    for index, symbol in enumerate(vocabulary.alphabet):
        holding: list[sympy.Expr] = []
        for token in tokens:
            is_symbol = context.nonnegative(form_of(token - index)) and context.nonnegative(form_of(index - token))
            known = any(
                context.nonnegative(form_of(token.args[0] - other.args[0]))
                and context.nonnegative(form_of(other.args[0] - token.args[0]))
                for other in holding
            )
            if is_symbol and not known:
                holding.append(token)
        if holding:
            context = context.given(form_of(vocabulary.total(symbol) - len(holding)))
    return context
