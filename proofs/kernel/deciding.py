"""The last step of a proof in Coq, from the closed form of the logit to the language, for all lengths.

Each term of the closed form is a case: its brackets hold, all others do not, and the sign of its coefficient is that of
what is left once factors of known sign are gone. What is left is compared with the language by linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.kernel.formulas import OfIntegers, proposition
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.signs import Quotient, Signs
from weightproof.proofs.kernel.terms import ATOM, SUM, Terms, factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import FALSE, expressions_of, read_formula
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.theorem import EVERYTHING, Decides
from weightproof.symbolic.algebra.iverson import Condition, Conditions
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.derivation import Derivation

PREAMBLE = """\
(* From the closed form of the logit to the language. *)
Require Import Reals ZArith List Bool Lra Lia ZifyBool.
From Weightproof Require Import Transformer Words Rules Signs Deciding.
Open Scope R_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.
"""
AND, OR = " /\\ ", " \\/ "
ACCEPTS = {"logit > 0": ("> 0", "positive"), "logit = 0": ("= 0", "zero")}
"""What a readout accepts where, and what lemmas about that are called."""


@dataclass(frozen=True)
class Subject:
    """What a section of Coq speaks of."""

    derivation: Derivation
    theorem: Decides

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    @property
    def accepts(self) -> Expression:
        """Which words are to be accepted."""
        return self.theorem.accepts or self.construction.language.characterisation

    @property
    def given(self) -> Expression | None:
        """What the theorem asks of words and parameters, if it asks anything."""
        return None if self.theorem.given.source == EVERYTHING else self.theorem.given

    def proposition(self, formula: Expression) -> str:
        """A formula about the integers of a word."""
        return f"({proposition(formula, self.construction, OfIntegers(self.construction))})%Z"

    @cached_property
    def terms(self) -> Terms:
        return Terms(self.vocabulary)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The places of tokens that the closed form or the theorem speaks of."""
        axes = self.derivation.logit.axes
        places = {atom.args[0] for axis in axes for atom in axis.atoms if self.vocabulary.is_token(atom)}
        for formula in (self.accepts, self.theorem.given):
            read = read_formula(formula, self.vocabulary, quantifiers=[])
            places |= {
                t.args[0] for e in expressions_of(read) for t in e.atoms(AppliedUndef) if self.vocabulary.is_token(t)
            }
        return tuple(self.terms.integer(place) for place in sorted(places, key=str))

    @property
    def marked(self) -> str:
        """What is known of the integers of a marked word."""
        vocabulary = self.vocabulary
        size, before, behind = len(vocabulary.alphabet), vocabulary.begin, vocabulary.end
        return f"marked_word {size} {int(before)} {int(behind)} n token prefix count"

    @property
    def accepting(self) -> tuple[str, str]:
        rule = self.construction.network.readout.accept
        if rule not in ACCEPTS:
            raise Unwritten(f"the language of a network that accepts by {rule}")
        return ACCEPTS[rule]

    def conditions(self, conditions: Conditions) -> str:
        """That brackets hold, as a statement."""
        ordered = sorted(conditions, key=lambda each: str(each.axis))
        return f"({AND.join(map(self._condition, ordered)) or 'True'})"

    def _condition(self, condition: Condition) -> str:
        axis = self.terms.integer(condition.axis.expression(), SUM)
        if condition.lo == condition.hi:
            return f"({axis} = {condition.lo})%Z"
        below = () if condition.lo is None else (f"({condition.lo} <= {axis})%Z",)
        above = () if condition.hi is None else (f"({axis} <= {condition.hi})%Z",)
        return AND.join(below + above)


def deciding(derivation: Derivation, theorem: Decides) -> str:
    """A file of Coq that says of every marked word whether the closed form of its logit accepts it: `logit`, and the
    theorem `decides`. Unwritten names the step that is missing."""
    if theorem.strict:
        raise Unwritten("that no word has the logit 0")
    if derivation.scales:
        raise Unwritten("the sign of a logit with the scales of normalised rows")
    subject = Subject(derivation, theorem)
    if derivation.sums:
        raise Unwritten("an induction over positions")
    return "\n".join((PREAMBLE, "Section Deciding.", *_known(subject), *_direct(subject), "End Deciding.")) + "\n"


def _known(subject: Subject) -> Iterator[str]:
    """Variables, hypotheses, and what follows from them at once."""
    construction, vocabulary = subject.construction, subject.vocabulary
    for parameter in construction.parameters:
        yield f"Variable {parameter_name(parameter)} : {'Z' if parameter.is_natural else 'R'}."
    yield "Variables (n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)."
    for parameter in construction.parameters:
        domain = subject.proposition(parameter.domain)
        yield f"Hypothesis domain_{parameter_name(parameter)} : {domain}."
    yield f"Hypothesis marked : {subject.marked}."
    if not vocabulary.begin and not vocabulary.end:
        yield "Hypothesis positions : (1 <= n)%Z."
    if subject.given is not None:
        yield f"Hypothesis given : {subject.proposition(subject.given)}."
    if subject.theorem.up_to is not None:
        yield f"Hypothesis short : (n <= {subject.theorem.up_to})%Z."
    counts = [f"count {index}" for index in range(len(vocabulary.alphabet))]
    markers = int(vocabulary.begin) + int(vocabulary.end)
    stated = [f"{max(markers, 1)} <= n", *(f"0 <= {count}" for count in counts)]
    yield (
        f"Lemma words : ({AND.join(stated)} /\\ {' + '.join(counts)} = n - {markers})%Z.\n"
        "Proof.\n"
        f"  {' '.join(f'pose proof (count_is_nonnegative _ _ _ _ _ _ _ marked {i}).' for i in range(len(counts)))}\n"
        "  pose proof (has_room _ _ _ _ _ _ _ marked). pose proof (counts_sum _ _ _ _ _ _ _ marked) as S.\n"
        "  adding S. lia.\n"
        "Qed."
    )
    for parameter in construction.parameters:
        if not parameter.is_natural:
            yield _unit(parameter, vocabulary)
    yield f"Ltac facts := {'; '.join(_facts(subject))}."


def _unit(parameter: Parameter, vocabulary: Vocabulary) -> str:
    """What e to a parameter is more than, or no less."""
    name = parameter_name(parameter)
    bound, strict = vocabulary.lower_bound(vocabulary.unit(parameter.name))  # type: ignore[misc]
    lemma = f"{'exp_above' if strict else 'exp_at_least'}{'_1' if bound == 1 else f' ({bound})'}"
    arguments = f"{name}{' ltac:(lra)' * (bound != 1)} ltac:(pose proof domain_{name}; lra)"
    return (
        f"Lemma unit_{name} : {bound} {'<' if strict else '<='} exp {name}.\nProof. exact ({lemma} {arguments}). Qed."
    )


def negated(statement: str) -> str:
    return f"~ {statement}"


def _facts(subject: Subject) -> Iterator[str]:
    """What linear arithmetic is told."""
    yield "pose proof words"
    if subject.given is not None:
        yield "pose proof given; clear given"
    if subject.theorem.up_to is not None:
        yield "pose proof short"
    naturals = (p for p in subject.construction.parameters if p.is_natural)
    yield from (f"pose proof domain_{parameter_name(parameter)}" for parameter in naturals)
    for place in subject.tokens:
        yield f"pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) ({place})%Z)"
        for index in range(len(subject.vocabulary.alphabet)):
            counts = f"token_counts _ _ _ _ _ _ _ marked ltac:(lia) ltac:(lia) ({place})%Z {index}%Z ltac:(lia)"
            yield f"pose proof ({counts})"
    for number, left in enumerate(subject.tokens):
        for right in subject.tokens[:number]:
            yield f"pose proof (fun E : (({left}) = ({right}))%Z => f_equal token E)"


def _direct(subject: Subject) -> Iterator[str]:
    """The closed form, its cases, and the theorem."""
    logit, words = subject.derivation.logit, subject.vocabulary.words()
    yield f"Definition logit : R :=\n  {subject.terms.iverson(logit)}."
    *_, (outside, _) = logit_cases(subject.derivation, words)
    terms = [(conditions, factored(value)) for conditions, value in logit.terms]
    named = [(str(number), conditions, value) for number, (conditions, value) in enumerate(terms, start=1)]
    cases = [subject.conditions(conditions) for conditions, _ in logit.terms]
    ends = list[str]()
    for name, conditions, value in named:
        quotient = _quotient(conditions, value, subject, words)
        ends.append(_end(subject, linear_form(quotient.left) is not None))
        yield from _case(name, conditions, value, subject, quotient)
    if outside != FALSE:
        named.append(("else", frozenset(), sympy.S.Zero))
        cases.append(f"({AND.join(map(negated, cases))})")
        ends.append(_end(subject, True))
        yield (
            f"Lemma case_else : {cases[-1]} -> exists p, 0 < p /\\ logit = p * IZR 0.\n"
            "Proof. facts. intros C. exists 1. split; [lra|]. first [exfalso; lia | unfold logit; settle; ring]. Qed."
        )
    relation, _ = subject.accepting
    yield f"Theorem decides : logit {relation} <-> {subject.proposition(subject.accepts)}.\nProof using All."
    yield f"  assert (cases : {OR.join(cases)}) by (facts; lia)."
    yield (
        f"  destruct cases as {'[C|' * (len(cases) - 1)}C{']' * (len(cases) - 1)}."
        if cases[1:]
        else "  rename cases into C."
    )
    yield from (
        f"  - destruct (case_{name} C) as (p & P & ->). {end}" for (name, *_), end in zip(named, ends, strict=True)
    )
    yield "Qed."


def _quotient(conditions: Conditions, value: sympy.Expr, subject: Subject, words: Context) -> Quotient:
    """A coefficient by its sign, where its brackets hold."""
    inside = words.given(*(form for condition in conditions for form in condition.forms()))
    return Signs(subject.terms, inside).quotient(value)


def _case(name: str, conditions: Conditions, value: sympy.Expr, subject: Subject, quotient: Quotient) -> Iterator[str]:
    """That the logit has the sign of what is left of a coefficient, where its brackets hold."""
    is_integer = linear_form(quotient.left) is not None
    terms = subject.terms
    left = f"IZR ({terms.integer(quotient.left)})" if is_integer else terms.real(quotient.left, ATOM)
    yield f"Lemma case_{name} : {subject.conditions(conditions)} -> exists p, 0 < p /\\ logit = p * {left}."
    yield "Proof."
    yield "  facts. intros C."
    yield f"  assert (E : logit = {subject.terms.real(value)}) by first [exfalso; lia | unfold logit; settle; ring]."
    yield from (f"  {line}" for line in quotient.proof)
    yield f"  exists ({quotient.positive}). split; [positive|]. rewrite E. as_reals. field; nonzero."
    yield "Qed."


def _end(subject: Subject, is_integer: bool) -> str:
    """That what is left is as the theorem has it: of integers alone, or by the outcomes of comparisons of reals."""
    _, sign = subject.accepting
    if is_integer and not _has_reals(subject.accepts, subject) and not _has_reals(subject.theorem.given, subject):
        return f"rewrite ({sign}_product p _ P), {sign}_integer. facts. lia."
    return f"rewrite ({sign}_product p _ P). facts. outcomes; decided."


def _has_reals(formula: Expression, subject: Subject) -> bool:
    """Whether a formula compares real numbers that may be no integers."""
    read = read_formula(formula, subject.vocabulary, quantifiers=[])
    return any(linear_form(expression) is None for expression in expressions_of(read))
