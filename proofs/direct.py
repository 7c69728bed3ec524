"""Direct proofs by cases: the closed form has no explicit sums, so every case is a polynomial inequality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import sympy

from proofs.atoms import contexts_with_facts
from proofs.logic import (
    Formula,
    Rel,
    conjunction,
    disjuncts,
    disjunction,
    negation,
    of_condition,
    read_formula,
    relation,
    substitute_formula,
)
from proofs.obligation import Obligation, obligation
from proofs.theorem import Decides
from symbolic.derivation import Derivation
from symbolic.linear import Context
from symbolic.signs import Sign, sign_of
from symbolic.vocabulary import Underivable, Vocabulary

Replacement = Mapping[sympy.Expr, sympy.Expr]


def direct(
    derivation: Derivation, theorem: Decides, fixed: Replacement | None = None, label: str = ""
) -> Iterator[Obligation]:
    """One obligation for each case of the closed form and each way in which the words are accepted or not.

    `fixed` gives atoms a value (n and the counts, in a bounded check), and `label` says in the names which.
    """
    if derivation.sums:
        names = ", ".join(str(symbol) for symbol in derivation.sums)
        raise Underivable(f"the closed form keeps the sums {names}: give the theorem an invariant")
    vocabulary = derivation.vocabulary
    accepts = read_formula(theorem.accepts or derivation.construction.language.characterisation, vocabulary)
    given = read_formula(theorem.given, vocabulary)
    rule = derivation.construction.network.readout.accept  # type: ignore[union-attr]
    words = vocabulary.words().fixed(fixed or {})
    for number, (where, value) in enumerate(logit_cases(derivation), start=1):
        for wanted, side in ((True, accepts), (False, negation(accepts))):
            hypothesis = moved(conjunction(where, given, side), fixed or {})
            for part, literals in enumerate(disjuncts(hypothesis), start=1):
                name = f"{label}case {number}.{part}, {'accepted' if wanted else 'rejected'}"
                yield from obligations_of(
                    name,
                    vocabulary,
                    words,
                    literals,
                    lambda c, v=value, w=wanted: decision(rule, v.xreplace(dict(fixed or {})), w, c, vocabulary),  # type: ignore[misc]
                )


def moved(formula: Formula, replacement: Replacement, flags: dict[str, bool] | None = None) -> Formula:
    """Atoms replaced, flags of known value settled."""
    return substitute_formula(formula, lambda e: e.xreplace(dict(replacement)), flags or {})


def logit_cases(derivation: Derivation) -> Iterator[tuple[Formula, sympy.Expr]]:
    """The cases of the closed form, and the logit in each; where no bracket holds the logit is 0."""
    elsewhere: list[Formula] = []
    for conditions, coefficient in derivation.logit.terms:
        where = conjunction(*(of_condition(c) for c in sorted(conditions, key=str)))
        elsewhere.append(negation(where))
        yield where, coefficient
    yield conjunction(*elsewhere), sympy.S.Zero


def decision(rule: str, logit: sympy.Expr, wanted: bool, context: Context, vocabulary: Vocabulary) -> Formula:
    """That the logit accepts (or rejects) under the rule, with its denominator, which must be positive, cleared."""
    numerator = cleared(logit, context, vocabulary)
    accepting = relation(">" if rule == "logit > 0" else "==", numerator)
    return accepting if wanted else negation(accepting)


def cleared(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """A polynomial with the sign of `expression`: numerator times the sign of the denominator, which must be known."""
    if expression.is_Rational or context.impossible():
        return expression if expression.is_Rational else sympy.S.Zero
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(expression)))
    known = sign_of(denominator, context, vocabulary)
    if known is Sign.OPEN:
        raise Underivable(f"the sign of the denominator {denominator} is open")
    return sympy.expand(numerator * known.value)


def obligations_of(
    name: str,
    vocabulary: Vocabulary,
    context: Context,
    literals: tuple[object, ...],
    goal: Callable[[Context], Formula],
) -> Iterator[Obligation]:
    """The obligation under the literals, split as the facts about its atoms ask; impossible cases are dropped."""
    relations = [literal for literal in literals if isinstance(literal, Rel)]
    draft = obligation(name, vocabulary, context, relations, disjunction())
    if draft.context.impossible():
        return
    for case in contexts_with_facts(draft.context, draft.expressions(), vocabulary):
        kept = tuple(Rel(rel.op, cleared(rel.expression, case, vocabulary)) for rel in draft.relations)
        yield obligation(name, vocabulary, case, kept, goal(case))
