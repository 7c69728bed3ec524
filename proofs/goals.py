"""What a theorem wants of the logit on the words of a side: its sign, or the sign of its distance from a margin."""

from __future__ import annotations

import sympy

from constructions.expressions import Expression
from proofs.cases import cleared
from proofs.logic import Formula, conjunction, disjunction, negation, relation
from proofs.theorem import Decides, Margin, OnWords
from symbolic.linear import Context
from symbolic.reading import read_scalar
from symbolic.value import Value
from symbolic.vocabulary import Vocabulary


def sides(theorem: OnWords) -> tuple[bool, ...]:
    """The sides that a theorem speaks of: True are the words to be accepted."""
    return (True, False) if isinstance(theorem, Decides) else (theorem.side == "accepted",)


def goal(
    theorem: OnWords, rule: str, logit: sympy.Expr, wanted: bool, context: Context, vocabulary: Vocabulary
) -> Formula:
    """What the logit has to satisfy on a word of a side, all denominators, which must be positive, cleared."""
    if isinstance(theorem, Decides):
        accepting = relation(">" if rule == "logit > 0" else "==", cleared(logit, context, vocabulary))
        return accepting if wanted else negation(accepting)
    if theorem.value is None:
        return disjunction()
    least = margin_value(theorem.value, context, vocabulary)

    def beyond(value: sympy.Expr) -> Formula:
        return relation(">=", cleared(value - least, context, vocabulary))

    if rule == "logit > 0":
        return beyond(logit if wanted else -logit)
    if wanted:
        return conjunction(relation("==", cleared(logit, context, vocabulary)), beyond(sympy.S.Zero))
    return disjunction(beyond(logit), beyond(-logit))


def attaining(theorem: Margin, rule: str, logit: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Formula:
    """That |logit| is the margin, on the side of 0 where the words of the theorem's side are."""
    assert theorem.value is not None
    least = margin_value(theorem.value, context, vocabulary)
    above, below = (relation("==", cleared(value - least, context, vocabulary)) for value in (logit, -logit))
    if rule == "logit > 0":
        return above if theorem.side == "accepted" else below
    return disjunction(above, below)


def margin_value(value: Expression, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """The margin in a context in which it has a value."""
    return Value(read_scalar(value, vocabulary, context=context)).plain()
