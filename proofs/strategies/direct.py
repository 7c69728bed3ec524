"""Direct proofs by cases: the closed form has no explicit sums, so every case is a polynomial inequality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy

from weightproof.proofs.solving.cases import obligations_of
from weightproof.proofs.solving.logic import (
    Formula,
    conjunction,
    negation,
    of_condition,
    read_formula,
    substitute_formula,
)
from weightproof.proofs.solving.obligation import Obligation
from weightproof.proofs.strategies.goals import goal, require_disjoint, sides
from weightproof.proofs.theorem import OnWords
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

Replacement = Mapping[sympy.Expr, sympy.Expr]


def direct(
    derivation: Derivation, theorem: OnWords, words: Context, fixed: Replacement | None = None, label: str = ""
) -> Iterator[Obligation]:
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
    elsewhere: list[Formula] = []
    for conditions, coefficient in derivation.logit.terms:
        where = conjunction(*(of_condition(c) for c in sorted(conditions, key=str)))
        elsewhere.append(negation(where))
        yield where, coefficient
    yield conjunction(*elsewhere), sympy.S.Zero
