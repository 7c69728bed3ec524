"""What a section of Coq speaks of that says which words a closed form accepts: variables, hypotheses, and what follows
from them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.kernel.formulas import RELATIONS
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.statement import Part, conclusion, hypothesis, is_strict, language, value
from weightproof.proofs.kernel.terms import SUM, Terms, factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import FALSE, expressions_of, read_formula
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.scales import told_sign
from weightproof.proofs.theorem import AboutLogits, Compares, Decides, Margin
from weightproof.symbolic.algebra.iverson import Condition, Conditions
from weightproof.symbolic.algebra.linear import Context
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
ACCEPTS = {"logit > 0": ">", "logit = 0": "=="}
"""By what a readout accepts: which relation the logit is in to 0."""
CALLED = {">": "positive", ">=": "nonnegative", "==": "zero", "!=": "nonzero", "<=": "nonpositive", "<": "negative"}
"""What lemmas about relations to 0 are called."""


@dataclass(frozen=True)
class Case:
    """A case of a closed form: its name, where it holds, the logit there, and what is known of words there."""

    name: str
    where: str
    logit: sympy.Expr
    inside: Context


@dataclass(frozen=True)
class Subject:
    """What a section of Coq speaks of; called: what the closed form is called in Coq."""

    derivation: Derivation
    theorem: AboutLogits
    called: str = "logit"

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    @cached_property
    def words(self) -> Part | None:
        """Which words the theorem speaks of; None where of all."""
        return language(self.construction, self.theorem)

    @cached_property
    def given(self) -> Part | None:
        """What the theorem asks of words and parameters, if it asks anything."""
        return hypothesis(self.construction, self.theorem)

    @cached_property
    def value(self) -> Part | None:
        """What the logit is compared with, where that is not 0."""
        return value(self.construction, self.theorem)

    @property
    def formulas(self) -> tuple[Expression, ...]:
        """Those of the theorem that are true or false."""
        return tuple(part.formula for part in (self.words, self.given) if part is not None)

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
        for formula in self.formulas:
            read = read_formula(formula, self.vocabulary, quantifiers=[])
            places |= {
                t.args[0] for e in expressions_of(read) for t in e.atoms(AppliedUndef) if self.vocabulary.is_token(t)
            }
        return tuple(self.terms.integer(place) for place in sorted(places, key=str))

    @property
    def symbols(self) -> range:
        """The indices of the symbols."""
        return range(len(self.vocabulary.alphabet))

    @cached_property
    def counts(self) -> bool:
        """Whether the closed form or the theorem speaks of how often symbols occur."""
        totals = {self.vocabulary.total(symbol) for symbol in self.vocabulary.alphabet}
        logit = self.derivation.logit
        said = {atom for axis in logit.axes for atom in axis.atoms} | logit.free_symbols
        for formula in self.formulas:
            said |= {
                a
                for e in expressions_of(read_formula(formula, self.vocabulary, quantifiers=[]))
                for a in e.free_symbols
            }
        return not said.isdisjoint(totals)

    @property
    def marked(self) -> str:
        """What is known of the integers of a marked word."""
        vocabulary = self.vocabulary
        size, before, behind = len(vocabulary.alphabet), vocabulary.begin, vocabulary.end
        return f"marked_word {size} {int(before)} {int(behind)} n token prefix count"

    @cached_property
    def told(self) -> dict[sympy.Expr, int]:
        """The signs of logarithms in the closed form, as the theorem's hypothesis tells them."""
        logarithms = {each for _, x in self.derivation.logit.terms for each in x.atoms(sympy.log)}
        signs = {each: told_sign(each, self.theorem.hypothesis, self.vocabulary) for each in logarithms}
        return {each: sign for each, sign in signs.items() if sign is not None}

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Each term of the closed form, where its brackets hold; and where none of them do, if that may be."""
        words = self.vocabulary.words()
        *_, (outside, _) = logit_cases(self.derivation, words)
        found = []
        for number, (conditions, coefficient) in enumerate(self.derivation.logit.terms, start=1):
            inside = words.given(*(form for condition in conditions for form in condition.forms()))
            found.append(Case(str(number), self._conditions(conditions), factored(coefficient), inside))
        if outside != FALSE:
            nowhere = f"({AND.join(negated(case.where) for case in found) or 'True'})"
            found.append(Case("else", nowhere, sympy.S.Zero, words))
        return tuple(found)

    @property
    def op(self) -> str:
        """The relation that the logit is asked for, to the value or to 0. Unwritten for a closed form, which says that
        they are the same everywhere."""
        if isinstance(self.theorem, Compares):
            return self.theorem.op
        rule = self.construction.network.readout.accept
        if rule not in ACCEPTS:
            raise Unwritten(f"the language of a network that accepts by {rule}")
        if not isinstance(self.theorem, Margin):
            return ACCEPTS[rule]
        if ACCEPTS[rule] != ">":
            raise Unwritten("the margin of a network that accepts where the logit is 0")
        return ">=" if self.theorem.of_accepted else "<="

    @property
    def minus(self) -> str:
        """The sign before the value that the logit is compared with."""
        return "- " * (isinstance(self.theorem, Margin) and not self.theorem.of_accepted)

    @property
    def conclusion(self) -> str:
        """What the theorem says of the closed form of the logit."""
        words, compared = ("" if part is None else part.of_integers for part in (self.words, self.value))
        if not isinstance(self.theorem, Decides):
            return conclusion(self.theorem, self.called, words, compared)
        decides = f"({self.called} {RELATIONS[self.op]} 0 <-> {words})"
        return f"{self.called} <> 0 /\\ {decides}" if is_strict(self.construction, self.theorem) else decides

    def _conditions(self, conditions: Conditions) -> str:
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


def logit_in(case: Case, subject: Subject) -> str:
    """That the closed form is that of a case, where it holds."""
    value = subject.terms.real(case.logit)
    called = subject.called
    return f"assert (E : {called} = {value}) by first [exfalso; lia | unfold {called}; settle; ring]."


def known(subject: Subject) -> Iterator[str]:
    """Variables, hypotheses, and what follows from them at once."""
    construction, vocabulary = subject.construction, subject.vocabulary
    for parameter in construction.parameters:
        yield f"Variable {parameter_name(parameter)} : {'Z' if parameter.is_natural else 'R'}."
    yield "Variables (n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)."
    for parameter in construction.parameters:
        domain = Part("", parameter.domain, construction).of_integers
        yield f"Hypothesis domain_{parameter_name(parameter)} : {domain}."
    yield f"Hypothesis marked : {subject.marked}."
    if not vocabulary.begin and not vocabulary.end:
        yield "Hypothesis positions : (1 <= n)%Z."
    if isinstance(subject.theorem, Decides) and subject.theorem.up_to is not None:
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
    others = "".join(f" - {count}" for count in counts[1:])
    yield f"Lemma first_count : ({counts[0]} = n - {markers}{others})%Z.\nProof. pose proof words. lia. Qed."
    yield "Ltac known_counts ::= rewrite ?first_count."
    if subject.given is not None:
        yield f"Hypothesis given : {subject.given.of_integers}."
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
    if isinstance(subject.theorem, Decides) and subject.theorem.up_to is not None:
        yield "pose proof short"
    for parameter in subject.construction.parameters:
        yield f"pose proof {'domain' if parameter.is_natural else 'unit'}_{parameter_name(parameter)}"
    yield from _powers_given(subject)
    yield from about_tokens(subject.tokens, subject.symbols if subject.counts else ())


def about_tokens(places: Sequence[str], symbols: Iterable[int]) -> Iterator[str]:
    """What is known of tokens at places, and of counts of symbols by them."""
    for place in places:
        yield f"token_known marked ({place})%Z"
        yield from (f"count_known marked ({place})%Z {index}%Z" for index in symbols)
    for number, left in enumerate(places):
        yield from (f"same_token marked ({left})%Z ({right})%Z" for right in places[:number] if not _apart(left, right))
    numbered = sorted(int(place) for place in places if place.isdigit())
    others = [(place, str(number)) for number in numbered for place in places if not place.isdigit()]
    orders = [tuple(map(str, numbered))] if len(numbered) > 1 else []
    for order in (*orders, *(each[::-1] for each in others)):
        yield from (f"counted_among marked ({' :: '.join((*order, 'nil'))})%Z {index}%Z" for index in symbols)


def _apart(left: str, right: str) -> bool:
    """Whether two places are numbers, and then not the same."""
    return left.isdigit() and right.isdigit()


def _powers_given(subject: Subject) -> Iterator[str]:
    """What is given of a parameter c by a logarithm, as what it says of e^c."""
    vocabulary = subject.vocabulary
    read = read_formula(subject.theorem.hypothesis, vocabulary, quantifiers=[])
    for expression in sorted(expressions_of(read), key=str):
        for name in vocabulary.real:
            unit = vocabulary.unit(name)
            slope = sympy.diff(expression, unit)
            least = unit - expression / slope if slope.is_Rational and slope > 0 else sympy.S.Zero
            if (least := sympy.expand(least)).is_Rational and least > 0:
                arguments = f"({least}) {name}_ ltac:(lra) ltac:(lra)"
                yield f"try first [pose proof (exp_above {arguments}) | pose proof (exp_at_least {arguments})]"
