"""Sums of powers of e, by pairs of neighbours.

The logit is a quotient with a positive denominator, whose numerator is linear in explicit sums over the same positions:
one sum of B(j). B asks whether j is even, and else holds powers of e whose exponents are made of scales. The rule:

    The sum of B over a run of positions of even length is positive where B(j) + B(j+1) is, for each j that begins a
    pair; of odd length, where B at its last position is, too. A run may be taken apart at a pivot where B is not
    negative.

A pair is positive where each negative power of e is at most a positive one, another for each: e^x >= e^y where x >= y.
So are two powers less two others, e^a + e^b - e^x - e^y, where a is at least x and y, and a + b at least x + y: the sum
of a convex increasing function grows where its arguments move apart or up (Karamata's inequality). Scales of two
positions are compared by their squares for that: R(i) <= r R(j) where 1/R(j)^2 <= r^2/R(i)^2.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.atoms import contexts_with_facts
from weightproof.proofs.solving.cases import cases, cleared
from weightproof.proofs.solving.logic import (
    Formula,
    Quantifier,
    Rel,
    conjunction,
    negation,
    read_formula,
    relation,
)
from weightproof.proofs.solving.obligation import Obligation
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.goals import sides
from weightproof.proofs.strategies.scales import COMPARED, at_most
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.symbolic.algebra.iverson import ZERO, Conditions, Iverson, canonical, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, Form, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, is_power_of_e, is_scale, j, n
from weightproof.symbolic.derivation import Derivation, ExplicitSum

LARGEST_RATIO = 3
"""Of two scales, as far as it is looked for."""


def by_pairing(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Obligation]:
    """Raises Underivable where the closed form has another shape, or where no way to pair positions is found."""
    if not isinstance(theorem, Decides) or derivation.construction.network.readout.accept != "logit > 0":
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
            for remainder in (0, 1):
                for held, _ in cases(conjunction(hypothesis, _leaves(n, remainder)), words):
                    for context in contexts_with_facts(held, [value, sympy.Mod(n, 2, evaluate=False)], vocabulary):
                        signed_value = value if wanted else -value
                        strict = wanted or theorem.strict
                        yield from _Case(derivation, context, name, strict).obligations(signed_value)


def _leaves(form: sympy.Expr, remainder: int) -> Formula:
    return relation("==", sympy.Mod(form, 2, evaluate=False) - remainder)


@dataclass(frozen=True)
class Power:
    """factor * e^exponent, the factor being a product without powers of e."""

    factor: sympy.Expr
    exponent: sympy.Expr


@dataclass(frozen=True)
class _Case:
    """One case of the closed form: the value has to be > 0 if `strict`, else >= 0."""

    derivation: Derivation
    context: Context
    name: str
    strict: bool

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    def obligation(self, part: str, context: Context, goal: Rel, relations: tuple[Rel, ...] = ()) -> Obligation:
        return Obligation(f"{self.name}, {part}", self.vocabulary, context, relations, goal)

    def obligations(self, value: sympy.Expr) -> Iterator[Obligation]:
        numerator = self._numerator(value)
        mentioned = [total for symbol, total in self.derivation.sums.items() if symbol in numerator.free_symbols]
        if not mentioned:
            yield from self._without_sums(numerator)
            return
        lo, hi, parts = self._one_sum(numerator, mentioned)
        for runs, pivot in self._plans(lo, hi, numerator):
            found = self._plan(runs, pivot, parts)
            if found is not None:
                yield from found
                return
        raise Underivable(f"{self.name}: no way to pair positions is found")

    def _without_sums(self, numerator: sympy.Expr) -> Iterator[Obligation]:
        goal = relation(">" if self.strict else ">=", cleared(numerator, self.context, self.vocabulary))
        yield Obligation(self.name, self.vocabulary, self.context, (), goal)

    def _numerator(self, value: sympy.Expr) -> sympy.Expr:
        """What has the sign of the value, without the factors that are positive."""
        stand_ins = {symbol: self._positive(total) for symbol, total in self.derivation.sums.items()}
        known = signed(value.xreplace(stand_ins), self.context, self.vocabulary)
        if known.denominator:
            raise Underivable(f"{self.name}: the sign of a partition function is open")
        back = {stand_in: symbol for symbol, stand_in in stand_ins.items()}
        return sympy.Mul(known.direction, *known.numerator).xreplace(back)

    def _positive(self, total: ExplicitSum) -> sympy.Symbol:
        """A symbol in place of a sum: > 0 or >= 0 where every term is positive, otherwise a real."""
        inside = self.context.given(_form(j - total.lo), _form(total.hi - j))
        if any(sign_of(x, inside, self.vocabulary) is not Sign.POSITIVE for _, x in total.body.terms):
            return sympy.Symbol(f"{total.symbol}'", real=True)
        first = normalise(substitute(total.body, {j: total.lo}), self.context)
        if self.context.nonnegative(_form(total.hi - total.lo)) and _is_positive(first, self.context, self.vocabulary):
            return sympy.Symbol(f"{total.symbol}'", positive=True)
        return sympy.Symbol(f"{total.symbol}'", nonnegative=True)

    def _one_sum(
        self, numerator: sympy.Expr, sums: list[ExplicitSum]
    ) -> tuple[sympy.Expr, sympy.Expr, tuple[list[Power], list[Power]]]:
        """The range, and B(j) at even and at odd positions as powers of e."""
        ranges = {(total.lo, total.hi) for total in sums}
        rest, body = sympy.expand(numerator), ZERO
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
            powers = [_power(term) for term in sympy.Add.make_args(sympy.expand(coefficient))]
            for remainder in (0, 1):
                if _allows(conditions, remainder):
                    parts[remainder].extend(powers)
        return lo, hi, parts

    def _plans(
        self, lo: sympy.Expr, hi: sympy.Expr, numerator: sympy.Expr
    ) -> Iterator[tuple[list[tuple[sympy.Expr, sympy.Expr]], sympy.Expr | None]]:
        """Ways to take the range apart: not at all, or at a position that the numerator names."""
        yield [(lo, hi)], None
        for atom in sorted(numerator.atoms(AppliedUndef), key=str):
            if is_scale(atom) and linear_form(atom.args[0]) is not None and not atom.has(j):
                place = atom.args[0]
                if self.context.nonnegative(_form(place - lo)) and self.context.nonnegative(_form(hi - place)):
                    yield [(lo, place - 1), (place + 1, hi)], place

    def _plan(
        self,
        runs: list[tuple[sympy.Expr, sympy.Expr]],
        pivot: sympy.Expr | None,
        parts: tuple[list[Power], list[Power]],
    ) -> list[Obligation] | None:
        found: list[Obligation] = []
        strict = False
        if pivot is not None:
            remainder = self._remainder(pivot)
            closed = (
                None if remainder is None else self._sum_of_powers(_at(parts[remainder], pivot), self.context, "pivot")
            )
            if closed is None:
                return None
            found += closed[0]
            strict |= closed[1]
        for number, (lo, hi) in enumerate(runs, start=1):
            first, length = self._remainder(lo), self._remainder(hi - lo + 1)
            if first is None or length is None or not self.context.nonnegative(_form(hi - lo + 1)):
                return None
            inside = self.context.given(_form(j - lo), _form(hi - 1 - j))
            pair = [*_at(parts[first], j), *_at(parts[1 - first], j + 1)]
            if not inside.impossible():
                closed = self._sum_of_powers(pair, inside, f"pairs of run {number}")
                if closed is None:
                    return None
                found += closed[0]
                strict |= closed[1] and self.context.nonnegative(_form(hi - lo - 1))
            if length == 1:
                last = self._sum_of_powers(_at(parts[first], hi), self.context, f"last of run {number}")
                if last is None:
                    return None
                found += last[0]
                strict |= last[1]
        return found if strict or not self.strict else None

    def _remainder(self, form: sympy.Expr) -> int | None:
        """Of an integer form modulo 2, where the context tells those of its atoms."""
        linear = _form(form)
        total = int(linear.constant)
        for atom, factor in linear.terms:
            known = next((p for p in (0, 1) if self._excluded(atom, 1 - p)), None) if factor % 2 else 0
            if known is None:
                return None
            total += known
        return total % 2

    def _excluded(self, atom: sympy.Expr, remainder: int) -> bool:
        form = _form(sympy.Mod(atom, 2, evaluate=False))
        return self.context.equal(form - remainder).impossible()

    def _sum_of_powers(self, powers: list[Power], context: Context, part: str) -> tuple[list[Obligation], bool] | None:
        """Obligations that make a sum of powers of e >= 0, and whether they make it > 0; None where none are found."""
        powers = _collected(powers)
        if not powers:
            return [], False
        if len({canonical(power.factor**2) for power in powers}) != 1:
            return None
        signs = [sign_of(power.factor, context, self.vocabulary) for power in powers]
        if any(sign not in (Sign.POSITIVE, Sign.NEGATIVE) for sign in signs):
            return None
        above = [p.exponent for p, sign in zip(powers, signs, strict=True) if sign is Sign.POSITIVE]
        below = [p.exponent for p, sign in zip(powers, signs, strict=True) if sign is Sign.NEGATIVE]
        for chosen in itertools.permutations(above, len(below)):
            closed = self._all_at_least([x - y for x, y in zip(chosen, below, strict=True)], context, part)
            if closed is not None:
                return closed[0], closed[1] or len(above) > len(below)
        for a, b in itertools.permutations(above, 2) if len(below) == 2 else ():
            x, y = below
            closed = self._all_at_least([a - x, a - y], context, part)
            total = self._at_least(a + b - x - y, context, part)
            if closed is not None and total is not None:
                return [*closed[0], *total[0]], total[1] or len(above) > 2
        return None

    def _all_at_least(
        self, differences: list[sympy.Expr], context: Context, part: str
    ) -> tuple[list[Obligation], bool] | None:
        """As `_at_least`, of each of them, and whether one of them is > 0."""
        found: list[Obligation] = []
        strict = False
        for difference in differences:
            closed = self._at_least(difference, context, part)
            if closed is None:
                return None
            found += closed[0]
            strict |= closed[1]
        return found, strict

    def _at_least(self, difference: sympy.Expr, context: Context, part: str) -> tuple[list[Obligation], bool] | None:
        """Obligations that make a difference of exponents >= 0, and whether they make it > 0; None as above."""
        if sympy.expand(difference) == 0:
            return [], False
        known = signed(difference, context, self.vocabulary)
        if known.denominator or len(known.numerator) > 1:
            return None
        if not known.numerator:
            return ([], True) if known.direction > 0 else None
        factor = sympy.expand(known.direction * known.numerator[0])
        weights = {term.as_coeff_Mul()[1]: term.as_coeff_Mul()[0] for term in sympy.Add.make_args(factor)}
        if not all(is_scale(scale) for scale in weights):
            return None
        left = {scale: weight for scale, weight in weights.items() if weight > 0}
        relations: list[Rel] = []
        found: list[Obligation] = []
        for scale, weight in weights.items():
            if weight > 0:
                continue
            for other in sorted(left, key=str):
                ratio = self._ratio(scale, other, context) if left[other] > 0 else None
                if ratio is not None:
                    covered = min(-weight, left[other] / ratio[0])
                    weight += covered
                    left[other] -= covered * ratio[0]
                    relations.append(Rel(">=", ratio[0] * other - scale))
                    found += [self.obligation(f"{part}, {COMPARED}", c, goal) for c, goal in ratio[1]]
                if weight == 0:
                    break
            else:
                return None
        strict = any(weight > 0 for weight in left.values())
        goal = Rel(">" if strict else ">=", factor)
        return [*found, self.obligation(f"{part}, exponents", context, goal, tuple(relations))], strict

    def _ratio(
        self, scale: sympy.Expr, other: sympy.Expr, context: Context
    ) -> tuple[int, list[tuple[Context, Rel]]] | None:
        """The least whole r with scale <= r other, and what shows it."""
        for ratio in range(1, LARGEST_RATIO + 1):
            shown = at_most(scale, ratio * other, context, self.derivation)
            if shown is not None:
                return ratio, shown
        return None


def _power(term: sympy.Expr) -> Power:
    factor, exponent = sympy.S.One, sympy.S.Zero
    for part in sympy.Mul.make_args(term):
        base, power = part.as_base_exp()
        if is_power_of_e(base):
            exponent += power * base.args[0]
        else:
            factor *= part
    return Power(factor, sympy.expand(exponent))


def _collected(powers: list[Power]) -> list[Power]:
    """Powers with the same exponent added up; what is 0 is left out."""
    factors: dict[sympy.Expr, sympy.Expr] = {}
    for power in powers:
        factors[power.exponent] = factors.get(power.exponent, sympy.S.Zero) + power.factor
    return [Power(factor, exponent) for exponent, factor in factors.items() if sympy.expand(factor) != 0]


def _at(powers: list[Power], place: sympy.Expr) -> list[Power]:
    moved = {j: place}
    return [Power(p.factor.xreplace(moved), sympy.expand(p.exponent.xreplace(moved))) for p in powers]


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


def _is_positive(value: Iverson, context: Context, vocabulary: Vocabulary) -> bool:
    for cell, x in cells(value):
        inside = context.given(*(form for conditions, _ in cell.terms for c in conditions for form in c.forms()))
        if not inside.impossible() and sign_of(x, inside, vocabulary) is not Sign.POSITIVE:
            return False
    return True


def _form(expression: sympy.Expr) -> Form:
    form = linear_form(expression)
    assert form is not None
    return form
