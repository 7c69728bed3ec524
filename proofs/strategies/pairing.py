"""Sums of powers of e, by pairs of neighbours.

The logit is a quotient with a positive denominator, whose numerator is linear in explicit sums over the same positions:
one sum of B(j). B asks whether j is even, and else holds powers of e whose exponents are made of scales. The rule:

    The sum of B over a run of positions of even length is positive where B(j) + B(j+1) is, for each j that begins a
    pair; of odd length, where B at its last position is, too. A run may be taken apart at a pivot where B is not
    negative.

That B at a pair or at a position is positive is a matter of `powers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.atoms import contexts_with_facts
from weightproof.proofs.solving.cases import cases, cleared
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    Formula,
    Quantifier,
    conjunction,
    negation,
    read_formula,
    relation,
)
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.goals import sides
from weightproof.proofs.strategies.powers import Power, Powers, Shown, together
from weightproof.proofs.theorem import PROVER, Decides, OnWords
from weightproof.symbolic.algebra.iverson import ZERO, Conditions
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_scale, j, n
from weightproof.symbolic.derivation import Derivation, ExplicitSum
from weightproof.symbolic.rules.signs_of_sums import is_at_least_0, signed_with_sums


def by_pairing(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Implication]:
    """Raises Underivable where the closed form has another shape, or where no way to pair positions is found."""
    accepted = PROVER.accepted(derivation.construction.network.readout.accept)
    if not isinstance(theorem, Decides) or not accepted.side:
        raise Underivable("positions are paired for the sign of a logit only")
    vocabulary, quantifiers = derivation.vocabulary, list[Quantifier]()
    formula = theorem.accepts or derivation.construction.language.characterisation
    accepts, given = (read_formula(f, vocabulary, quantifiers=quantifiers) for f in (formula, theorem.hypothesis))
    if quantifiers:
        raise Underivable("a statement about all positions takes an induction")
    for number, (where, value) in enumerate(logit_cases(derivation, words), start=1):
        for wanted in sides(theorem):
            name = f"case {number}, {'accepted' if wanted else 'rejected'}"
            hypothesis = conjunction(where, given, accepts if wanted else negation(accepts))
            for context in contexts(hypothesis, value, words, vocabulary):
                direction, apart = accepted.on_side(wanted)
                yield from Case(derivation, context, name, apart or theorem.strict).obligations(direction * value)


def contexts(hypothesis: Formula, value: sympy.Expr, words: Context, vocabulary: Vocabulary) -> Iterator[Context]:
    """The cases of a hypothesis, in each of which it is known whether n is even."""
    for remainder in (0, 1):
        for held, _ in cases(conjunction(hypothesis, _leaves(n, remainder)), words):
            yield from contexts_with_facts(held, [value, sympy.Mod(n, 2, evaluate=False)], vocabulary)


def _leaves(form: sympy.Expr, remainder: int) -> Formula:
    return relation("==", sympy.Mod(form, 2, evaluate=False) - remainder)


@dataclass(frozen=True)
class Part:
    """A sum of powers that is to be >= 0, in a context."""

    name: str
    context: Context
    powers: list[Power]


@dataclass(frozen=True)
class Run:
    """Positions from lo to hi, of which it is known whether they are even in number. pairs: what each two neighbours
    add; None where there are none; last: what the last one adds that is left alone."""

    lo: sympy.Expr
    hi: sympy.Expr
    pairs: Part | None
    last: Part | None


@dataclass(frozen=True)
class Plan:
    """A range of positions taken apart."""

    runs: tuple[Run, ...]
    place: sympy.Expr | None = None
    pivot: Part | None = None


@dataclass(frozen=True)
class Case:
    """One case of the closed form: the value has to be > 0 if `strict`, else >= 0."""

    derivation: Derivation
    context: Context
    name: str
    strict: bool

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    def obligations(self, value: sympy.Expr) -> Iterator[Implication]:
        numerator = self.numerator(value)
        mentioned = self.mentioned(numerator)
        if not mentioned:
            yield from self._without_sums(numerator)
            return
        for plan in self.plans(numerator, mentioned):
            found = together(self._shown(plan))
            if found is not None and (found[1] or not self.strict):
                yield from found[0]
                return
        raise Underivable(f"{self.name}: no way to pair positions is found")

    def mentioned(self, numerator: sympy.Expr) -> list[ExplicitSum]:
        """The sums in a numerator."""
        return [total for symbol, total in self.derivation.sums.items() if symbol in numerator.free_symbols]

    def _without_sums(self, numerator: sympy.Expr) -> Iterator[Implication]:
        goal = relation(">" if self.strict else ">=", cleared(numerator, self.context, self.vocabulary))
        yield Implication(self.name, self.vocabulary, self.context, (), goal)

    def numerator(self, value: sympy.Expr) -> sympy.Expr:
        """What has the sign of the value, without the factors that are positive."""
        known = signed_with_sums(value, self.derivation.sums, self.context, self.vocabulary)
        if known.denominator:
            raise Underivable(f"{self.name}: the sign of a partition function is open")
        return sympy.Mul(known.direction, *known.numerator)

    def one_sum(
        self, numerator: sympy.Expr, sums: list[ExplicitSum]
    ) -> tuple[sympy.Expr, sympy.Expr, tuple[list[Power], list[Power]]]:
        """The range, and B(j) at even and at odd positions as powers of e."""
        ranges = {(total.lo, total.hi) for total in sums}
        rest, body = self._less_what_helps(numerator, {total.symbol for total in sums}), ZERO
        for total in sums:
            factor = sympy.diff(rest, total.symbol)
            if factor.free_symbols & {other.symbol for other in sums}:
                raise Underivable(f"{self.name}: the numerator is not linear in the sums")
            body += total.body.scaled(factor)
        if len(ranges) != 1 or sympy.expand(rest.xreplace({total.symbol: sympy.S.Zero for total in sums})) != 0:
            raise Underivable(f"{self.name}: the numerator is not one sum over the same positions")
        [(lo, hi)] = ranges
        parts: tuple[list[Power], list[Power]] = ([], [])
        for conditions, coefficient in body.terms:
            powers = [Power.of(term) for term in sympy.Add.make_args(sympy.expand(coefficient))]
            for remainder in (0, 1):
                if _allows(conditions, remainder):
                    parts[remainder].extend(powers)
        return lo, hi, parts

    def _less_what_helps(self, numerator: sympy.Expr, sums: set[sympy.Symbol]) -> sympy.Expr:
        """The numerator without the terms beside those that are linear in the sums, where they are not negative."""
        kept = []
        for term in sympy.Add.make_args(sympy.expand(numerator)):
            degree = sum(term.as_powers_dict()[symbol] for symbol in sums)
            if degree == 1 or not is_at_least_0(term, self.derivation.sums, self.context, self.vocabulary):
                kept.append(term)
        return sympy.Add(*kept)

    def plans(self, numerator: sympy.Expr, sums: list[ExplicitSum]) -> Iterator[Plan]:
        """Ways to take the range apart: not at all, or at a position that the numerator names."""
        lo, hi, parts = self.one_sum(numerator, sums)
        if (run := self._run(1, lo, hi, parts)) is not None:
            yield Plan((run,))
        for atom in sorted(numerator.atoms(AppliedUndef), key=str):
            if is_scale(atom) and linear_form(atom.args[0]) is not None and not atom.has(j):
                place = atom.args[0]
                if self.context.nonnegative(form_of(place - lo)) and self.context.nonnegative(form_of(hi - place)):
                    runs = [self._run(1, lo, place - 1, parts), self._run(2, place + 1, hi, parts)]
                    remainder = self._remainder(place)
                    found = tuple(run for run in runs if run is not None)
                    if remainder is not None and len(found) == len(runs):
                        pivot = Part(f"{self.name}, pivot", self.context, _at(parts[remainder], place))
                        yield Plan(found, place, pivot)

    def _run(self, number: int, lo: sympy.Expr, hi: sympy.Expr, parts: tuple[list[Power], list[Power]]) -> Run | None:
        """None where it is open whether there are as many even as odd positions, or whether hi >= lo - 1."""
        first, length = self._remainder(lo), self._remainder(hi - lo + 1)
        if first is None or length is None or not self.context.nonnegative(form_of(hi - lo + 1)):
            return None
        inside, pairs, last = self.context.given(form_of(j - lo), form_of(hi - 1 - j)), None, None
        if not inside.impossible():
            pair = [*_at(parts[first], j), *_at(parts[1 - first], j + 1)]
            pairs = Part(f"{self.name}, pairs of run {number}", inside, pair)
        if length == 1:
            last = Part(f"{self.name}, last of run {number}", self.context, _at(parts[first], hi))
        return Run(lo, hi, pairs, last)

    def _shown(self, plan: Plan) -> Iterator[Shown | None]:
        """What shows each part of the range; None where that is not found."""
        if plan.pivot is not None:
            yield self._at_least_0(plan.pivot)
        for run in plan.runs:
            if run.pairs is not None:
                shown = self._at_least_0(run.pairs)
                yield shown and (shown[0], shown[1] and self.has_pair(run))
            if run.last is not None:
                yield self._at_least_0(run.last)

    def has_pair(self, run: Run) -> bool:
        """Whether there certainly is one."""
        return self.context.nonnegative(form_of(run.hi - run.lo - 1))

    def _at_least_0(self, part: Part) -> Shown | None:
        return Powers(self.derivation, part.context, part.name).sum_at_least_0(part.powers)

    def _remainder(self, form: sympy.Expr) -> int | None:
        """Of an integer form modulo 2, where the context tells those of its atoms."""
        linear = form_of(form)
        total = int(linear.constant)
        for atom, factor in linear.terms:
            known = next((p for p in (0, 1) if self._excluded(atom, 1 - p)), None) if factor % 2 else 0
            if known is None:
                return None
            total += known
        return total % 2

    def _excluded(self, atom: sympy.Expr, remainder: int) -> bool:
        form = form_of(sympy.Mod(atom, 2, evaluate=False))
        return self.context.equal(form - remainder).impossible()


def _at(powers: list[Power], place: sympy.Expr) -> list[Power]:
    return [power.at({j: place}) for power in powers]


def _allows(conditions: Conditions, remainder: int) -> bool:
    """Whether the conditions hold at positions of that remainder modulo 2; Underivable where they ask for more."""
    for condition in conditions:
        match condition.axis.terms:
            case ((sympy.Mod(args=(inner, modulus)), factor),) if inner == j and modulus == 2 and factor == 1:
                if not condition.covers(remainder, remainder):
                    return False
            case _:
                raise Underivable("what a position adds depends on more than whether it is even")
    return True
