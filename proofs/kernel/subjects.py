"""What a section of Coq speaks of that says which words a closed form accepts: variables, hypotheses, and what follows
from them at once."""

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
from weightproof.proofs.kernel.terms import SUM, Terms
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import expressions_of, read_formula
from weightproof.proofs.theorem import EVERYTHING, Decides
from weightproof.symbolic.algebra.iverson import Condition, Conditions
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.derivation import Derivation

PREAMBLE = """\
(* From the closed form of the logit to the language. *)
Require Import Reals ZArith List Bool Lra Lia ZifyBool.
From Weightproof Require Import Transformer Words Rules Signs Deciding Inductions Pairs.
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
        """Atoms, with the sums over the whole word."""
        sums = self.derivation.sums
        whole = Terms(self.vocabulary)
        return Terms(
            self.vocabulary, {symbol: f"({symbol} ({whole.integer(each.hi)}))" for symbol, each in sums.items()}
        )

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


def known(subject: Subject) -> Iterator[str]:
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
    yield f"Ltac facts := {'; '.join(facts(subject))}."


def _unit(parameter: Parameter, vocabulary: Vocabulary) -> str:
    """What e to a parameter is more than, or no less."""
    name = parameter_name(parameter)
    bound, strict = vocabulary.lower_bound(vocabulary.unit(parameter.name))  # type: ignore[misc]
    lemma = f"{'exp_above' if strict else 'exp_at_least'}{'_1' if bound == 1 else f' ({bound})'}"
    arguments = f"{name}{' ltac:(lra)' * (bound != 1)} ltac:(pose proof domain_{name}; lra)"
    return (
        f"Lemma unit_{name} : {bound} {'<' if strict else '<='} exp {name}.\nProof. exact ({lemma} {arguments}). Qed."
    )


def either(cases: str, case: str, number: int) -> str:
    """Takes a disjunction of so many parts apart."""
    return (
        f"destruct {cases} as {f'[{case}|' * (number - 1)}{case}{']' * (number - 1)}"
        if number > 1
        else f"assert ({case} := {cases})"
    )


def negated(statement: str) -> str:
    return f"~ {statement}"


def facts(subject: Subject) -> Iterator[str]:
    """What linear arithmetic is told."""
    yield "pose proof words"
    if subject.given is not None:
        yield "pose proof given; clear given"
    if subject.theorem.up_to is not None:
        yield "pose proof short"
    for parameter in subject.construction.parameters:
        yield f"pose proof {'domain' if parameter.is_natural else 'unit'}_{parameter_name(parameter)}"
    yield from _powers_given(subject)
    for place in subject.tokens:
        yield f"pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) ({place})%Z)"
        for index in range(len(subject.vocabulary.alphabet)):
            counts = f"token_counts _ _ _ _ _ _ _ marked ltac:(lia) ltac:(lia) ({place})%Z {index}%Z ltac:(lia)"
            yield f"pose proof ({counts})"
    for number, left in enumerate(subject.tokens):
        for right in subject.tokens[:number]:
            yield f"pose proof (fun E : (({left}) = ({right}))%Z => f_equal token E)"


def _powers_given(subject: Subject) -> Iterator[str]:
    """What is given of a parameter c by a logarithm, as what it says of e^c."""
    vocabulary = subject.vocabulary
    read = read_formula(subject.theorem.given, vocabulary, quantifiers=[])
    for expression in sorted(expressions_of(read), key=str):
        for name in vocabulary.real:
            unit = vocabulary.unit(name)
            slope = sympy.diff(expression, unit)
            least = unit - expression / slope if slope.is_Rational and slope > 0 else sympy.S.Zero
            if (least := sympy.expand(least)).is_Rational and least > 0:
                arguments = f"({least}) {name}_ ltac:(lra) ltac:(lra)"
                yield f"try first [pose proof (exp_above {arguments}) | pose proof (exp_at_least {arguments})]"
