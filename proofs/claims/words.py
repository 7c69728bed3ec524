"""Judges what is printed of all words: which ones are accepted, how the logit compares with a value, what it costs.

These are theorems like any other, proved and searched for counterexamples as those are; what is stated of a
construction elsewhere is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.claims.statements import Accepts, Compares, CrossEntropy, Predicts, Prefers, Value
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs import theorem as theorems
from weightproof.proofs.kernel.checked import with_kernel
from weightproof.proofs.prove import Proof, proofs
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.explaining import Case, describe
from weightproof.proofs.quantities.explanation import Explanation, explained
from weightproof.proofs.quantities.instances import instances, made, truth
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.probe import OTHER, POSITION, AttentionPoint
from weightproof.proofs.refuting.refute import UNDEFINED, text
from weightproof.proofs.theorem import OnWords, Theorem, rivals
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.vocabulary import Underivable


@dataclass(frozen=True)
class Stated:
    """A construction under judgement with the theorems about it, for the invariants and the margins.

    known: what was reached for some of them.
    """

    analysis: Analysis
    theorems: Sequence[Theorem] = ()
    known: Sequence[Proof] = ()

    @property
    def invariant(self) -> Expression | None:
        """The invariant of the theorem that the language is recognised, where that takes an induction."""
        known = (t.invariant for t in self.theorems if isinstance(t, theorems.Decides) and t.accepts is None)
        return next((invariant for invariant in known if invariant is not None), None)

    def verdict(self, theorem: Theorem) -> Verdict:
        """What is known of a theorem about the construction, or else what its proof comes to; where it is stated, with
        the evidence that the kernel's record has of it."""
        stated = next((each for each in self.theorems if _same(each, theorem)), None)
        reached = self._reached(theorem)
        return reached if stated is None else with_kernel(self.analysis.construction, stated, reached)

    def value(self, claim: Value, outcome: Outcome) -> Outcome:
        """The outcome of a printed value: where a theorem states the same, with the evidence of that."""
        if not isinstance(outcome, Holds):
            return outcome
        construction, proved = self.analysis.construction, Proved(outcome.scope, Evidence(outcome.evidence))
        for theorem in self.theorems:
            if isinstance(theorem, theorems.ClosedForm) and theorem.stated == claim:
                verdict = with_kernel(construction, theorem, proved)
                assert isinstance(verdict, Proved)
                return replace(outcome, evidence=str(verdict.evidence))
        return outcome

    def _reached(self, theorem: Theorem) -> Verdict:
        """That there was no time to prove it before is not known of the time that there is now."""
        analysis = self.analysis
        for proof in self.known:
            if proof.result.construction == analysis.construction.name and _same(proof.theorem, theorem):
                verdict = proof.result.verdict
                if not (isinstance(verdict, Unknown) and verdict.timed_out):
                    return verdict
        analysis.maybe_derived()
        try:
            [proof] = proofs(analysis.construction, [theorem], timeout=analysis.timeout, analysis=analysis)
        except InputError as error:  # a formula that has no value on some short word
            return Unknown(str(error))
        return proof.result.verdict


def _same(left: Theorem, right: Theorem) -> bool:
    """Whether two theorems say the same, by whatever name and invariant."""
    match left, right:
        case theorems.Decides(), theorems.Decides():
            left, right = (
                replace(t, name="", statement="", expected="proved", invariant=None, or_else=()) for t in (left, right)
            )
        case theorems.Compares(), theorems.Compares():
            left = replace(left, name=right.name, expected=right.expected)
    return left == right


OPPOSITE = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}
OF_LOGITS: Mapping[str, tuple[theorems.Op, theorems.Op]] = {"<=": (">=", "<="), "==": ("==", "=="), ">=": ("<=", ">=")}
"""How the logit of a member, and that of another word, compares with that of which the cross-entropy is so much."""
SHORT = 5
"""Symbols of the longest words on which it is looked whether a printed value exists."""


def judge_accepts(stated: Stated, claim: Accepts) -> Outcome:
    theorem = theorems.Decides("claimed", "as printed", claim.where, claim.given, _invariant(stated))
    outcome = _proved(stated, theorem)
    if not isinstance(outcome, Counterexample):
        return outcome
    printed, answer = ("accepted", "rejected") if outcome.member else ("rejected", "accepted")
    found = f"{'neither' if outcome.logit == UNDEFINED else answer}, logit {outcome.logit}"
    return Fails(closed_form(stated.analysis, claim), _difference("acceptance", printed, found, outcome))


def judge_compares(stated: Stated, claim: Compares) -> Outcome:
    analysis = stated.analysis
    without_value = _without_value(analysis, claim)
    if without_value is not None:
        return Fails(closed_form(analysis, claim), without_value)
    theorem = theorems.Compares(claim.op, claim.value, claim.where, claim.only, claim.given, _invariant(stated))
    outcome = _proved(stated, theorem)
    if not isinstance(outcome, Counterexample):
        return outcome
    values = parameter_values(analysis.construction, outcome.parameters)
    positions = outcome.length + len(add_markers(analysis.network, ""))
    level = text(evaluate(claim.value, {**values, "n": fmpq(positions)}))
    printed = f"{claim.op if outcome.member else OPPOSITE[claim.op]} {level}"
    if outcome.logit == UNDEFINED:  # which may be so of a word of which no more is claimed than that it has one
        printed = "a value"
    return Fails(closed_form(analysis, claim), _difference("logit", printed, outcome.logit, outcome))


def judge_predicts(stated: Stated, claim: Predicts) -> Outcome:
    analysis = stated.analysis
    outcome = _proved(stated, theorems.Predicts("claimed", "as printed", given=claim.given))
    if not isinstance(outcome, Counterexample):
        return outcome
    assert outcome.right is not None
    rival = next(
        token for token in (outcome.predicted, *rivals(analysis.construction, outcome.right)) if token != outcome.right
    )
    over = analysis.output(outcome.right, rival)
    at_most = closed_form(over, Compares("<=", 0, "n >= 1", claim.given))
    found = _difference("predicted token", outcome.right, outcome.predicted or "none", outcome)
    return Fails(explained(f"output {outcome.right!r} less output {rival!r}: ") + at_most, found)


def judge_prefers(analysis: Analysis, claim: Prefers) -> Outcome:
    """A comparison of a logit with 0, in the construction whose logit is one weight less the other."""
    within = Stated(analysis.preference(AttentionPoint(claim.layer, claim.head)))
    found = judge_compares(within, Compares(">", 0, claim.where))
    if not isinstance(found, Fails):
        return found
    given = dict(found.difference.parameters)
    p, q = (given.pop(place.name) for place in (POSITION, OTHER))
    what = f"weight of position {p} less that of position {q} in layer {claim.layer}, head {claim.head}"
    return replace(found, difference=replace(found.difference, what=what, parameters=given))


def judge_cross_entropy(stated: Stated, claim: CrossEntropy) -> Outcome:
    """What a logit may cost on a word of the language, it may on another with the other sign."""
    language, least = stated.analysis.construction.language, f"-log(exp({claim.nats}) - 1)"
    of_member, of_other = theorems.PROVER.of("comparison", claim.op, OF_LOGITS)
    of_members = Compares(of_member, least, given=claim.given)
    of_others = Compares(of_other, f"-({least})", language.complement, claim.given)
    if claim.op == ">=" and any(_without_value(stated.analysis, each) for each in (of_members, of_others)):
        return Open(f"{claim.nats} is not positive on some word, and says nothing of it")
    found = [judge_compares(stated, each) for each in (of_members, of_others)]
    failing: list[Outcome] = [outcome for kind in (Fails, Open) for outcome in found if isinstance(outcome, kind)]
    if failing:
        return failing[0]
    held = [outcome for outcome in found if isinstance(outcome, Holds)]
    return max(held, key=lambda outcome: [*Evidence].index(Evidence(outcome.evidence)))


def _proved(stated: Stated, theorem: OnWords | theorems.Predicts) -> Holds | Open | Counterexample:
    match stated.verdict(theorem):
        case Proved(scope=scope, evidence=evidence):
            return Holds(scope, str(evidence))
        case Refuted(counterexample=found):
            return found
        case Unknown(reason=reason, timed_out=timed_out):
            return Open(reason, timed_out)
        case other:
            raise TypeError(other)


def _invariant(stated: Stated) -> Expression | None:
    try:
        return stated.invariant if stated.analysis.derivation().sums else None
    except Underivable:
        return None


def _difference(what: str, printed: str, found: str, on: Counterexample) -> Difference:
    return Difference(what, printed, found, on.word, on.parameters, evidence=on.evidence, symbols=on.symbols)


def closed_form(analysis: Analysis, claim: Accepts | Compares) -> Explanation:
    """The derived logit, in the case of a claim where the derivation can speak of it."""
    try:
        derivation = analysis.derivation()
    except Underivable as error:
        return explained(f"not derived: {error}")
    words, cases = analysis.words(derivation), [claim.given, Expression("n >= 1")]
    if isinstance(claim, Compares) and not claim.only:
        where = claim.where or analysis.construction.language.characterisation
        cases.insert(0, Expression(f"({claim.given}) and ({where})"))
    for case in cases:
        try:
            return describe(derivation, derivation.logit, Case(case), words)
        except (Underivable, ValueError):
            continue
    raise AssertionError("every word is in some case")


def _without_value(analysis: Analysis, claim: Compares) -> Difference | None:
    """The first short word in the case of the claim on which the printed value does not exist."""
    where = claim.where or analysis.construction.language.characterisation
    for instance in instances(analysis.construction, longest=SHORT):
        if not made(claim.given, instance, analysis.alphabet):
            continue
        wanted = truth(where, instance, analysis.alphabet)
        if wanted is None or not (wanted or claim.only):
            continue
        try:
            evaluate(claim.value, instance.values)
        except ArithmeticError:
            logit = run(analysis.construction, instance.word, instance.parameters).logit
            return Difference("logit", NO_VALUE, text(logit), instance.word, instance.parameters)
    return None
