"""What a theorem wants of the logit on the words of a side: its sign, or that of its distance from a value."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.cases import cleared, obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Formula, conjunction, disjunction, negation, read_formula, relation
from weightproof.proofs.theorem import PROVER, Compares, Decides, Margin, OnWords
from weightproof.symbolic.algebra.iverson import intersect
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.rules.reading import read_scalar


@dataclass(frozen=True)
class DecidesBy(Decides):
    """As `Decides` where logit > 0 accepts, with room: the logit is above `room` on the words that are to be accepted,
    and at most -room, or below it if `strict`, on the others. Whatever differs from it by at most `room` decides the
    same words."""

    room: sympy.Expr = field(kw_only=True)


def require_disjoint(derivation: Derivation, words: Context) -> None:
    """Raises Underivable should two terms of the closed form hold together: neither alone would be the logit."""
    for (left, _), (right, _) in itertools.combinations(derivation.logit.terms, 2):
        both = [form for condition in (*left, *right) for form in condition.forms()]
        if intersect(left, right) is not None and not words.impossible(*both):
            raise Underivable("two cases of the closed form overlap")


def require_plain_sums(derivation: Derivation) -> None:
    """Raises Underivable unless every explicit sum runs over all symbols and has no other sum inside."""
    for total in derivation.sums.values():
        if (total.lo, total.hi) != (sympy.Integer(derivation.vocabulary.first), derivation.vocabulary.last):
            raise Underivable(f"the sum {total.symbol} does not run over all symbols of the word")
        if total.body.free_symbols & derivation.sums.keys():
            raise Underivable(f"the sum {total.symbol} has another sum inside")


def sides(theorem: OnWords) -> tuple[bool, ...]:
    """The sides that a theorem speaks of: True are the words to be accepted."""
    match theorem:
        case Decides():
            return True, False
        case Compares(only=only):
            return (True, False) if only else (True,)
        case Margin():
            return (theorem.of_accepted,)
    PROVER.refuse("theorem", theorem)


def goal(
    theorem: OnWords, rule: str, logit: sympy.Expr, wanted: bool, context: Context, vocabulary: Vocabulary
) -> Formula:
    """What the logit has to satisfy on a word of a side, all denominators, which must be positive, cleared."""
    if isinstance(theorem, DecidesBy):
        op = ">" if wanted or theorem.strict else ">="
        return relation(op, cleared((logit if wanted else -logit) - theorem.room, context, vocabulary))
    if isinstance(theorem, Decides):
        return relation(PROVER.accepted(rule).op(wanted, theorem.strict), cleared(logit, context, vocabulary))
    if isinstance(theorem, Compares):
        difference = logit - value_of(theorem.value, context, vocabulary)
        compares = relation(theorem.op, cleared(difference, context, vocabulary))
        return compares if wanted else negation(compares)
    if not isinstance(theorem, Margin):
        PROVER.refuse("theorem", theorem)
    if theorem.value is None:
        return disjunction()
    least = value_of(theorem.value, context, vocabulary)

    def beyond(value: sympy.Expr) -> Formula:
        return relation(">=", cleared(value - least, context, vocabulary))

    accepted = PROVER.accepted(rule)
    if accepted.side:
        return beyond(accepted.on_side(wanted)[0] * logit)
    if wanted:
        return conjunction(relation("==", cleared(logit, context, vocabulary)), beyond(sympy.S.Zero))
    return disjunction(beyond(logit), beyond(-logit))


def attaining(theorem: Margin, rule: str, logit: sympy.Expr, context: Context, vocabulary: Vocabulary) -> Formula:
    """That |logit| is the margin, and that the network decides as the side of the theorem has it."""
    assert theorem.value is not None
    least = value_of(theorem.value, context, vocabulary)
    above, below = (relation("==", cleared(value - least, context, vocabulary)) for value in (logit, -logit))
    apart = relation(">", cleared(_of_its_sign(least), context, vocabulary))
    accepted = PROVER.accepted(rule)
    if accepted.side:
        direction, not_at_zero = accepted.on_side(theorem.of_accepted)
        reached = above if direction > 0 else below
        return conjunction(reached, apart) if not_at_zero else reached
    if theorem.of_accepted:
        return conjunction(above, relation("==", cleared(logit, context, vocabulary)))
    return conjunction(disjunction(above, below), apart)


NOT_NEGATIVE = "the margin is not negative"


def not_negative(theorem: Margin, vocabulary: Vocabulary, words: Context) -> Iterator[Implication]:
    """That the value of a margin is 0 or more in its case. Nothing else says so where logit = 0 accepts: |logit| is
    never less than a negative value, and 1 is as far from 0 as -1."""
    assert theorem.value is not None
    value, hypothesis = theorem.value, read_formula(theorem.hypothesis, vocabulary)
    yield from obligations_of(
        NOT_NEGATIVE,
        vocabulary,
        words,
        hypothesis,
        lambda c: relation(">=", cleared(_of_its_sign(value_of(value, c, vocabulary)), c, vocabulary)),
    )


def _of_its_sign(value: sympy.Expr) -> sympy.Expr:
    """What is positive, 0 or negative where a value is: a logarithm is where its argument is more than 1, 1 or less."""
    number, rest = value.as_coeff_Mul()
    return number * (rest.args[0] - 1) if isinstance(rest, sympy.log) else value


def value_of(value: Expression, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """What a theorem compares the logit with, in a context in which that has a value."""
    return Value(read_scalar(value, vocabulary, context=context)).plain()
