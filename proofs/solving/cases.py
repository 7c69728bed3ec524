"""From hypotheses to obligations: the cases in which a hypothesis can hold, each one a small obligation of its own.

Cases that the linear arithmetic of `linear` excludes are dropped on the way; every such exclusion is a fact in
the context's ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from weightproof.proofs.solving.atoms import contexts_with_facts
from weightproof.proofs.solving.implication import Implication, assume, implication
from weightproof.proofs.solving.logic import FALSE, And, Flag, Formula, Or, Rel, substitute_formula
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary

Literals = tuple[Rel, ...]


def obligations_of(
    name: str,
    vocabulary: Vocabulary,
    context: Context,
    hypothesis: Formula,
    goal: Callable[[Context], Formula],
) -> Iterator[Implication]:
    """The goal under the hypothesis, one obligation for each case, split further as the facts about its atoms ask."""
    for number, (where, literals) in enumerate(cases(hypothesis, context), start=1):
        draft = implication(f"{name}, {number}", vocabulary, where, literals, FALSE)
        for case in contexts_with_facts(draft.context, draft.expressions(), vocabulary):
            kept = tuple(Rel(rel.op, cleared(rel.expression, case, vocabulary)) for rel in draft.relations)
            yield implication(draft.name, vocabulary, case, kept, goal(case))


def cases(formula: Formula, context: Context, literals: Literals = ()) -> Iterator[tuple[Context, Literals]]:
    """The ways in which a formula can hold: its linear relations in the context, the other relations beside it.

    Together they cover every assignment that satisfies the formula in the context.
    """
    choices: list[Or] = []
    pending: list[Formula] = [formula]
    while pending:
        match pending.pop():
            case And(parts=parts):
                pending += parts
            case Or() as choice:
                choices.append(choice)
            case Rel() as rel:
                narrowed = assume(context, rel)
                if narrowed is None:
                    literals = literals if rel in literals else (*literals, rel)
                else:
                    context = narrowed
            case Flag(name=flag):
                raise Underivable(f"the flag {flag} was not settled")
    if context.impossible():
        return
    open_choices = [[part for part in choice.parts if status(part, context) is not False] for choice in choices]
    open_choices = [parts for parts in open_choices if not any(status(part, context) for part in parts)]
    if not open_choices:
        yield context, literals
        return
    chosen = min(open_choices, key=len)
    others = And(tuple(Or(tuple(parts)) for parts in open_choices if parts is not chosen))
    for part in chosen:
        yield from cases(And((part, others)), context, literals)


def status(formula: Formula, context: Context) -> bool | None:
    """Whether the context settles a formula; None where it does not, as far as linear arithmetic can tell."""
    match formula:
        case Rel(op=op, expression=expression):
            form = linear_form(expression)
            if form is None:
                return None
            if op == ">":
                return True if context.positive(form) else False if context.nonnegative(-form) else None
            if op == ">=":
                return True if context.nonnegative(form) else False if context.positive(-form) else None
            if context.positive(form) or context.positive(-form):
                return False
            return True if context.nonnegative(form) and context.nonnegative(-form) else None
        case And(parts=parts):
            answers = [status(part, context) for part in parts]
            return False if False in answers else None if None in answers else True
        case Or(parts=parts):
            answers = [status(part, context) for part in parts]
            return True if True in answers else None if None in answers else False
    return None


def cleared_formula(formula: Formula, context: Context, vocabulary: Vocabulary) -> Formula:
    """A formula with the denominators of its relations cleared, as `cleared` does."""
    return substitute_formula(formula, lambda e: cleared(e, context, vocabulary), {})


def cleared(expression: sympy.Expr, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """A polynomial with the sign of `expression`: numerator times the sign of the denominator, which must be known."""
    if expression.is_Rational or context.impossible():
        return expression if expression.is_Rational else sympy.S.Zero
    numerator, denominator = sympy.fraction(canonical(expression))
    known = sign_of(denominator, context, vocabulary)
    if known is Sign.OPEN:
        raise Underivable(f"the sign of the denominator {denominator} is open")
    return sympy.expand(numerator * known.value)
