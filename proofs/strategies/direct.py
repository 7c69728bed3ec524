"""Direct proofs by cases: the closed form has no explicit sums, so every case is a polynomial inequality."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.atoms import with_place_of_token
from weightproof.proofs.solving.cases import obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    TRUE,
    Formula,
    conjunction,
    disjunction,
    negation,
    of_condition,
    read_formula,
    substitute_formula,
)
from weightproof.proofs.strategies.goals import goal, require_disjoint, sides
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.symbolic.algebra.iverson import Condition, Iverson, intervals, restricted
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, n
from weightproof.symbolic.derivation import Derivation

Replacement = Mapping[sympy.Expr, sympy.Expr]


def direct(
    derivation: Derivation, theorem: OnWords, words: Context, fixed: Replacement | None = None, label: str = ""
) -> Iterator[Implication]:
    """One obligation for each case of the closed form and each way in which the words are accepted or not.

    words: what holds of every word, with the ledger for the facts that are used. `fixed` gives atoms a value (n and the
    counts, in a bounded check), and `label` says in the names which.
    """
    if derivation.sums:
        names = ", ".join(str(symbol) for symbol in derivation.sums)
        raise Underivable(f"the closed form keeps the sums {names}: give the theorem an invariant")
    vocabulary = derivation.vocabulary
    accepts = read_formula(theorem.accepts or derivation.construction.language.characterisation, vocabulary)
    given = read_formula(theorem.hypothesis, vocabulary)
    rule = derivation.construction.network.readout.accept
    for number, (where, value) in enumerate(logit_cases(derivation, words), start=1):
        logit = value.xreplace(dict(fixed or {}))
        for wanted in sides(theorem):
            side = accepts if wanted else negation(accepts)
            yield from obligations_of(
                f"{label}case {number}, {'accepted' if wanted else 'rejected'}",
                vocabulary,
                words.fixed(fixed or {}),
                moved(conjunction(where, given, side), fixed or {}),
                lambda c, v=logit, w=wanted: goal(theorem, rule, v, w, c, vocabulary),  # type: ignore[misc]
            )


def moved(formula: Formula, replacement: Replacement, flags: dict[str, bool] | None = None) -> Formula:
    """Atoms replaced, flags of known value settled."""
    return substitute_formula(formula, lambda e: e.xreplace(dict(replacement)), flags or {})


def logit_cases(derivation: Derivation, words: Context) -> Iterator[tuple[Formula, sympy.Expr]]:
    """The cases of the closed form, and the logit in each; where no bracket holds the logit is 0.

    Raises Underivable should two terms hold together: then neither alone would be the logit.
    """
    require_disjoint(derivation, words)
    for conditions, coefficient in derivation.logit.terms:
        yield conjunction(*(of_condition(c) for c in sorted(conditions, key=str))), coefficient
    covered = Iverson(tuple((conditions, sympy.S.One) for conditions, _ in derivation.logit.terms))
    yield disjunction(*_outside(covered, words, derivation.vocabulary)), sympy.S.Zero


def _outside(covered: Iverson, context: Context, vocabulary: Vocabulary) -> Iterator[Formula]:
    """Where no bracket of a sum holds, case by case of its conditions; cases that the context excludes are left out."""
    if any(not conditions for conditions, _ in covered.terms):
        return
    if not covered.terms:
        yield TRUE
        return
    axis = min(covered.axes, key=lambda axis: str(axis.expression()))
    for lo, hi in intervals(covered, axis):
        condition = Condition(axis, lo, hi)
        inside = with_place_of_token(context.given(*condition.forms()), condition, vocabulary)
        if not inside.impossible():
            for rest in _outside(restricted(covered, axis, lo, hi), inside, vocabulary):
                yield conjunction(of_condition(condition), rest)


MOST_COMBINATIONS = 2_000
"""Of a length and counts that are checked one by one."""


def bounded(derivation: Derivation, theorem: Decides, words: Context) -> Iterator[Implication]:
    """The obligations of the direct proof at each n <= theorem.up_to and each combination of counts.

    Where there are too many of these, those of the direct proof for all n <= theorem.up_to at once.
    """
    assert theorem.up_to is not None
    vocabulary = derivation.vocabulary
    markers = int(vocabulary.begin) + int(vocabulary.end)
    symbols = len(vocabulary.alphabet)
    if math.comb(min(theorem.up_to, MOST_COMBINATIONS) + symbols, symbols) > MOST_COMBINATIONS:
        under = replace(theorem, given=Expression(f"({theorem.given}) and n <= {theorem.up_to}"))
        yield from direct(derivation, under, words)
        return
    for length in range(max(markers, 1), theorem.up_to + 1):
        for counts in combinations(vocabulary, length - markers):
            here = {n: length, **{vocabulary.total(a): count for a, count in counts.items()}}
            fixed = {atom: sympy.Integer(value) for atom, value in here.items()}
            shown = ", ".join(f"{a}: {count}" for a, count in counts.items())
            yield from direct(derivation, theorem, words, fixed, f"n = {length}, {shown}: ")


def combinations(vocabulary: Vocabulary, length: int) -> Iterator[dict[str, int]]:
    """All counts of the symbols in words of `length` symbols."""
    *others, last = vocabulary.alphabet
    for counts in itertools.product(range(length + 1), repeat=len(others)):
        if sum(counts) <= length:
            yield {**dict(zip(others, counts, strict=True)), last: length - sum(counts)}
