"""Judges what is printed of all words: which ones are accepted, and how the logit compares with a value.

Acceptance is a theorem like any other. A comparison with a value is one about the logit less that value, under the
rule of acceptance that the comparison amounts to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import sympy

from constructions.claims import Accepts, Compares
from constructions.exact import COMPARISONS, Undecided, sign, value_on
from constructions.expressions import Expression
from constructions.interpreter import run
from constructions.schema import Claim
from proofs.claims.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from proofs.claims.probe import substituted, with_rule
from proofs.claims.subject import LONGEST, Subject, instances, made, truth
from proofs.claims.values import describe
from proofs.close import close
from proofs.induction import reward
from proofs.logic import Quantifier, flags_of, read_formula
from proofs.prove import obligations
from proofs.refute import text
from proofs.theorem import Decides
from proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown
from symbolic.derivation import Derivation
from symbolic.iverson import Iverson
from symbolic.linear import Context
from symbolic.plain import number
from symbolic.reading import read_scalar
from symbolic.value import Value
from symbolic.vocabulary import Underivable, cells

OPPOSITE = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}
SHORT = 5
"""Symbols of the longest words that are tried before a comparison is proved."""
Rule = Literal["logit > 0", "logit = 0"]
RULES: dict[str, tuple[int, Rule, bool]] = {
    ">": (1, "logit > 0", True),
    "<=": (1, "logit > 0", False),
    "<": (-1, "logit > 0", True),
    ">=": (-1, "logit > 0", False),
    "==": (1, "logit = 0", True),
    "!=": (1, "logit = 0", False),
}
"""A comparison of the logit with a value as acceptance: the sign of the difference, the rule, whether it accepts."""


def judge_accepts(subject: Subject, claim: Accepts) -> Outcome:
    theorem = Decides("claimed", "as printed", claim.where, claim.given, _invariant(subject))
    match subject.verdict(theorem):
        case Proved(scope=scope, evidence=evidence):
            return Holds(scope, str(evidence))
        case Refuted(counterexample=found):
            return Fails(closed_form(subject, claim.given), _difference(found))
        case Unknown(reason=reason):
            return Open(reason)


def _invariant(subject: Subject) -> Expression | None:
    try:
        return subject.invariant if subject.derivation().sums else None
    except Underivable:
        return None


def _difference(found: Counterexample) -> Difference:
    printed, answer = (("rejected", "accepted"), ("accepted", "rejected"))[found.member]
    return Difference("acceptance", printed, f"{answer}, logit {found.logit}", found.word, found.parameters)


def closed_form(subject: Subject, given: Expression) -> str:
    """The derived logit, in the case of a hypothesis where the derivation can speak of it."""
    try:
        derivation = subject.derivation()
    except Underivable as error:
        return f"not derived: {error}"
    words = subject.words(derivation)
    for case in (given, Expression("n >= 1")):
        try:
            return describe(derivation, derivation.logit, Claim("", 0, when=case), words)
        except (Underivable, ValueError):
            continue
    raise AssertionError("every word is in some case")


def judge_compares(subject: Subject, claim: Compares) -> Outcome:
    found, tried = _search(subject, claim, SHORT)
    if not tried:
        return Open(f"no word up to length {SHORT} is in the case of the claim: it may be vacuous")
    if found is not None:
        return Fails(closed_form(subject, claim.given), found)
    try:
        return _proved(subject, claim)
    except Underivable as error:
        reason = str(error)
    found, tried = _search(subject, claim, LONGEST)
    if found is not None:
        return Fails(closed_form(subject, claim.given), found)
    return Holds(f"words up to length {LONGEST}", f"{tried} words and parameters compared; not proved: {reason}")


def _proved(subject: Subject, claim: Compares) -> Outcome:
    derivation = subject.derivation()
    words = subject.words(derivation)
    direction, rule, accepting = RULES[claim.op]
    where = claim.where or subject.construction.language.characterisation
    if claim.only:
        accepts, given = where if accepting else Expression(f"not ({where})"), claim.given
    else:
        accepts = Expression("0 == 0" if accepting else "0 > 1")
        given = Expression(f"({claim.given}) and ({where})")
    invariant = _invariant(subject)
    if invariant is not None:
        invariant = _with_reward(derivation, invariant, words)
    theorem = Decides("claimed", "as printed", accepts, given, invariant)
    value = Value(read_scalar(claim.value, derivation.vocabulary)).plain()
    shifted = replace(
        derivation,
        construction=with_rule(subject.construction, rule),
        logit=_less(derivation.logit, value, direction),
    )
    evidence = [Evidence.CERTIFICATE]
    for item in obligations(shifted, theorem, words):
        closed = close(item, subject.timeout)
        if closed.evidence is None:
            raise Underivable(closed.reason)
        evidence.append(closed.evidence)
    return Holds(EVERY_WORD, str(max(evidence, key=list(Evidence).index)))


def _less(logit: Iverson, value: sympy.Expr, direction: int) -> Iverson:
    """direction * (logit - value), the cases kept apart."""
    terms = [(conditions, (x - value) * direction) for cell, x in cells(logit) for conditions, _ in cell.terms]
    return Iverson(tuple((conditions, x) for conditions, x in terms if x != 0))


def _with_reward(derivation: Derivation, invariant: Expression, words: Context) -> Expression:
    """The invariant with what the logit rewards written out, as the logit that is compared is another one."""
    if "reward" not in invariant.names:
        return invariant
    quantifiers: list[Quantifier] = []
    language = derivation.construction.language
    accepts = read_formula(language.characterisation, derivation.vocabulary, quantifiers=quantifiers)
    most = reward(derivation, words, accepts, {quantifier.flag for quantifier in quantifiers} | flags_of(accepts))
    if most is None:
        raise Underivable("the reward has no single value in this derivation")
    return substituted(invariant, {"reward": Expression(number(most, derivation.vocabulary))})


def _search(subject: Subject, claim: Compares, longest: int) -> tuple[Difference | None, int]:
    """The first short word on which the comparison is wrong, and how many were in its case."""
    construction, alphabet, tried = subject.construction, subject.alphabet, 0
    where = claim.where or construction.language.characterisation
    for instance in instances(construction, longest=longest):
        if not made(claim.given, instance, alphabet):
            continue
        wanted = truth(where, instance, alphabet)
        if wanted is None or not (wanted or claim.only):
            continue
        tried += 1
        logit = run(construction, instance.word, instance.parameters).logit
        try:
            value = value_on(claim.value, instance.values, instance.tokens, alphabet)
            holds = COMPARISONS[claim.op](sign(logit - value))
        except (Undecided, ZeroDivisionError):
            continue
        if holds != wanted:
            printed = f"{claim.op if wanted else OPPOSITE[claim.op]} {text(value)}"
            return Difference("logit", printed, text(logit), instance.word, instance.parameters), tried
    return None, tried
