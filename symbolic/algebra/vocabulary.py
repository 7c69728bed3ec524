"""The atoms of the symbolic reading.

n number of positions; i a generic position; j the position a sum runs over; K_a the occurrences of symbol a in the
word; k_a(i) those at positions 0..i; w(i) the index of the token at i in the alphabet, -1 where i holds no symbol of
the word (a marker, or no position at all, as a fraction is none); u_c = e^c for a real parameter c, and
e^(k*c) for an irrational k named by its exponent; natural parameters are integer symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import sympy
from flint import arb, fmpq
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import Real, ball, exp, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.constants import (
    LONGEST_BOUND,
    below,
    constant_bounds,
    fmpq_of,
    multiple_of,
)
from weightproof.symbolic.algebra.iverson import (
    STEPS_A_TERM,
    ZERO,
    Conditions,
    Iverson,
    bracket,
    integral,
    normalise,
    substitute,
)
from weightproof.symbolic.algebra.lengths import least_of_polynomial, length_of
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form

n = sympy.Symbol("n", integer=True)
i = sympy.Symbol("i", integer=True)
j = sympy.Symbol("j", integer=True)


RESERVED = r"j|[Kkuvy]_.*|[RS]\d+(_.*)?|so_far\d*|logit|reward"
"""Names of positions summed over, of counts, units, slacks, scales and explicit sums, and of what an invariant has
names for: no parameter may have one."""


NEAR = 64
"""Positions from either end of a word up to which a prefix count is written out in tokens."""


class Underivable(Exception):
    """A step that no rule covers; says which, so that the verdict is an honest unknown."""


DERIVATION = Choices("the derivation", Underivable)


@dataclass(frozen=True)
class Vocabulary:
    """The atoms of one construction: its alphabet, its markers, its parameters."""

    alphabet: tuple[str, ...]
    begin: bool
    end: bool
    real: tuple[str, ...]
    natural: tuple[str, ...]
    width: int
    least: tuple[tuple[str, Fraction, bool], ...] = ()
    """Parameter, its greatest known lower bound, whether it is strict: of u_c for a real c, of itself for a natural."""
    bounds: tuple[tuple[str, Fraction, bool], ...] = ()
    """The same of a real c itself, where it has one that is not huge."""

    @staticmethod
    def of(construction: Construction) -> Vocabulary:
        network = construction.network
        if not isinstance(network, Encoder):
            raise Underivable("only encoders are derived so far")
        natural = tuple(p.name for p in construction.parameters if p.is_natural)
        taken = [p.name for p in construction.parameters if re.fullmatch(RESERVED, p.name)]
        if taken:
            raise Underivable(f"parameter {taken[0]!r} is called like a quantity of the derivation; rename it")
        least = tuple((p.name, *_least(p)) for p in construction.parameters)
        return Vocabulary(
            alphabet=construction.language.alphabet,
            begin=network.begin is not None,
            end=network.end is not None,
            real=tuple(p.name for p in construction.parameters if not p.is_natural),
            natural=natural,
            width=len(network.coordinates),
            least=least,
            bounds=tuple(own for p in construction.parameters if not p.is_natural for own in _own_bound(p)),
        )

    @property
    def first(self) -> int:
        """The first position that may hold a symbol."""
        return int(self.begin)

    @property
    def last(self) -> sympy.Expr:
        """The last position that may hold a symbol."""
        return n - 1 - int(self.end)

    @property
    def markers(self) -> tuple[sympy.Expr, ...]:
        """The positions that hold no symbol."""
        return (sympy.S.Zero,) * self.begin + (n - 1,) * self.end

    def total(self, symbol: str) -> sympy.Symbol:
        return sympy.Symbol(f"K_{symbol}", integer=True)

    def prefix(self, symbol: str, position: sympy.Expr) -> Iverson:
        """The occurrences of `symbol` at positions 0..position, which is one before the first symbol's or up to the
        last; near either end in terms of tokens and totals."""
        from_start, from_end = form_of(position - (self.first - 1)), form_of(self.last - position)
        if not from_start.terms and from_start.constant <= NEAR:
            places = [sympy.Integer(self.first + step) for step in range(int(from_start.constant))]
            return sum((self.token_is(symbol, place) for place in places), ZERO)
        if not from_end.terms and from_end.constant <= NEAR:
            places = [self.last - step for step in range(int(from_end.constant))]
            return Iverson.constant(self.total(symbol)) - sum((self.token_is(symbol, place) for place in places), ZERO)
        return Iverson.constant(self.prefix_atom(symbol)(position))

    def count(self, symbol: str, position: sympy.Expr, context: Context) -> Iverson:
        """The count up to any whole position, as `prefix`: 0 before the word, the total behind it."""
        from_start, from_end = form_of(position - (self.first - 1)), form_of(self.last - position)
        inside = self.prefix(symbol, position)
        if not context.entails(from_start):
            inside = inside * bracket(">=", from_start.expression())
        if not context.entails(from_end):
            beyond = bracket("<", from_end.expression())
            return inside * (Iverson.constant(1) - beyond) + beyond.scaled(self.total(symbol))
        return inside

    def prefix_atom(self, symbol: str) -> Any:
        return sympy.Function(f"k_{symbol}", integer=True)

    def token(self, position: sympy.Expr) -> sympy.Expr:
        if linear_form(position) is None:
            raise Underivable(f"w[{position}]: the position is not linear in integers")
        return sympy.Function("w", integer=True)(position)

    def known_token(self, value: Iverson, symbol: str, position: sympy.Expr) -> Iverson:
        """The value where the token at `position` is `symbol`."""
        return substitute(value, {self.token(position): sympy.Integer(self.alphabet.index(symbol))})

    def is_token(self, atom: sympy.Expr) -> bool:
        return bool(atom.is_Function) and str(atom.func) == "w"

    def is_prefix(self, atom: sympy.Expr) -> bool:
        return bool(atom.is_Function) and str(atom.func).startswith("k_")

    def token_is(self, symbol: str, position: sympy.Expr) -> Iverson:
        """[the token at `position` is `symbol`], a symbol of the alphabet."""
        return bracket("==", self.token(position) - self.alphabet.index(symbol))

    def unit(self, parameter: str) -> sympy.Symbol:
        """u_c = e^c."""
        return sympy.Symbol(f"u_{parameter}", positive=True)

    def lower_bound(self, unit: sympy.Expr) -> tuple[Fraction, bool] | None:
        """The greatest known lower bound of a unit, a root of one, a scale or a real parameter, and whether it is
        strict, or None."""
        for name, bound, strict in self.bounds:
            if unit == self.parameter(name):
                return bound, strict
        for name, bound, strict in self.least:
            if name in self.real and unit == self.unit(name):
                return bound, strict
        if (multiple := self.multiple(unit)) is not None:
            return self._least_of_multiple(*multiple)
        if is_power_of_e(unit):
            return self._least_of_power(unit.args[0])
        if is_scale(unit):
            return Fraction(0), True
        constant = constant_bounds(unit)
        if constant is not None:
            return constant[0], True
        if isinstance(unit, sympy.Symbol) and unit.is_integer is None and unit.is_nonnegative:
            return Fraction(0), bool(unit.is_positive)
        return (Fraction(int(unit.p), int(unit.q)), False) if unit.is_Rational else None

    def least_growth(self, exponent: sympy.Expr) -> Fraction | None:
        """1 + m for an exponent x that is certainly at least m >= 0, as then e^x >= 1 + m; None where none is known."""
        least = least_of_polynomial(exponent, self.least_values)
        return None if least is None else 1 + least

    def _least_of_power(self, exponent: sympy.Expr) -> tuple[Fraction, bool]:
        """The least value of e to an exponent that is no multiple of a parameter."""
        least = self.least_growth(exponent)
        if least is not None:
            return least, least > 1 or self._is_product_of_positive(exponent)
        length = length_of(exponent, self.least_values)
        at_least_1 = length is not None and self.words().nonnegative(length - 1)
        return (Fraction(1), False) if at_least_1 else (Fraction(0), True)

    def _is_product_of_positive(self, exponent: sympy.Expr) -> bool:
        """Whether it is a positive rational times powers of parameters that are greater than 0."""
        coefficient, factors = exponent.as_coeff_Mul()
        naturals = (each for each in self.least if each[0] in self.natural)
        known = (*self.bounds, *naturals)
        positive = {self.parameter(name) for name, bound, strict in known if bound > 0 or (bound == 0 and strict)}
        powers = [factor.as_base_exp() for factor in sympy.Mul.make_args(factors)]
        return bool(coefficient.is_Rational and coefficient > 0) and all(
            base in positive and power.is_Integer and power > 0 for base, power in powers
        )

    def _least_of_multiple(self, name: str, factor: sympy.Expr) -> tuple[Fraction, bool]:
        """The least value of e^(factor*c), factor > 0: e to the factor times the bound of c, or a rational below
        that."""
        known = [(bound, strict) for each, bound, strict in self.bounds if each == name]
        if not known:
            at_least_1 = [strict for each, bound, strict in self.least if each == name and bound >= 1]
            return (Fraction(1), at_least_1[0]) if at_least_1 else (Fraction(0), True)
        [(bound, strict)] = known
        if bound == 0:
            return Fraction(1), strict
        return below(ball(evaluate(Expression(f"exp(({factor})*({bound}))"), {}))), True

    def multiple(self, power: sympy.Expr) -> tuple[str, sympy.Expr] | None:
        """The real parameter c and the k > 0 of the unit e^(k*c), k = 1 for u_c, or of a root or another positive
        rational power of a unit; None for other expressions."""
        unit, exponent = power.as_base_exp()
        if not (exponent.is_Rational and exponent > 0):
            return None
        units = {self.unit(name): (name, sympy.S.One) for name in self.real}
        found = units.get(unit) or multiple_of(unit)
        return None if found is None else (found[0], found[1] * exponent)

    def is_unit(self, symbol: sympy.Expr) -> bool:
        """Whether it is e to a multiple of a real parameter, or a constant of its own."""
        return self.multiple(symbol) is not None or constant_bounds(symbol) is not None

    @property
    def least_values(self) -> dict[sympy.Symbol, Fraction]:
        """A rational below each parameter that has one."""
        naturals = ((name, bound, strict) for name, bound, strict in self.least if name in self.natural)
        return {self.parameter(name): bound for name, bound, _ in (*self.bounds, *naturals)}

    def parameter(self, name: str) -> sympy.Symbol:
        return sympy.Symbol(name, integer=True) if name in self.natural else sympy.Symbol(name, real=True)

    def words(self, ledger: set[Any] | None = None) -> Context:
        """What holds of every word: n leaves room for the markers, the counts add up to the word's length."""
        totals = [self.total(symbol) for symbol in self.alphabet]
        smallest = max(int(self.begin) + int(self.end), 1)
        context = Context(frozenset(), len(self.alphabet), ledger if ledger is not None else set())
        context = context.given(form_of(n - smallest), *(form_of(total) for total in totals))
        context = context.equal(form_of(sum(totals, sympy.S.Zero) - (n - int(self.begin) - int(self.end))))
        naturals = [(self.parameter(name), bound, strict) for name, bound, strict in self.least if name in self.natural]
        return context.given(
            *(
                form_of(atom - sympy.Integer(floor(bound) + 1 if strict else ceil(bound)))
                for atom, bound, strict in naturals
            )
        )

    def prefixes(self, position: sympy.Expr, context: Context) -> Context:
        """What holds of the prefix counts at a position that holds a symbol."""
        counts = [self.prefix_atom(symbol)(position) for symbol in self.alphabet]
        context = context.given(*(form_of(count) for count in counts))
        context = context.given(
            *(form_of(self.total(a) - count) for a, count in zip(self.alphabet, counts, strict=True))
        )
        return context.equal(form_of(sum(counts, sympy.S.Zero) - (position + 1 - int(self.begin))))

    def without_first_count(self, value: Iverson) -> Iverson:
        """The occurrences of the first symbol expressed by the others: all counts add up to the number of symbols.

        Prefix counts stand at positions of the word, or under brackets that say so: see `count`.
        """
        first, *others = self.alphabet
        rest = sum((self.total(symbol) for symbol in others), sympy.S.Zero)
        replacement = {self.total(first): n - int(self.begin) - int(self.end) - rest}
        for atom in self._prefix_atoms(value):
            if str(atom.func) == f"k_{first}":
                place = atom.args[0]
                rest = sum((self.prefix_atom(symbol)(place) for symbol in others), sympy.S.Zero)
                replacement[atom] = place + 1 - int(self.begin) - rest
        return substitute(value, replacement)

    def _prefix_atoms(self, value: Iverson) -> set[sympy.Expr]:
        return {
            atom
            for conditions, coefficient in value.terms
            for expression in (coefficient, *(c.axis.expression() for c in conditions))
            for atom in expression.atoms(sympy.core.function.AppliedUndef)
            if self.is_prefix(atom)
        }

    def settle(self, value: Iverson) -> Iverson:
        """Prefix counts at fixed positions replaced by what they are."""
        for atom in self._prefix_atoms(value):
            meaning = self.prefix(str(atom.func)[2:], atom.args[0])
            if meaning != Iverson.constant(atom):
                value = replace_integer(value, atom, meaning)
        return value

    def tokens_in_range(self, value: Iverson, context: Context) -> Iverson:
        """Normalised with the fact that a token is a symbol exactly where its position holds one."""
        for atom in sorted({a for axis in value.axes for a in axis.atoms if self.is_token(a)}, key=str):
            place = atom.args[0]
            inside = bracket(">=", place - self.first) * bracket("<=", place - self.last) * integral(form_of(place))
            outside = Iverson.constant(1) - inside
            value = value * (inside * bracket(">=", atom) + outside * bracket("==", atom + 1))
        return normalise(value, context)


def is_scale(atom: sympy.Expr) -> bool:
    """Whether an atom is the positive scale of a normalised row, R1 or R2(i)."""
    name = atom.name if isinstance(atom, sympy.Symbol) else str(atom.func) if atom.is_Function else ""
    return bool(atom.is_positive) and re.fullmatch(r"R\d+", name) is not None


def is_power_of_e(atom: sympy.Expr) -> bool:
    """Whether an atom is e to an exponent that speaks of scales, or is no multiple of a parameter: a positive real of
    its own."""
    return isinstance(atom, AppliedUndef) and str(atom.func) == "exp"


def replace_integer(value: Iverson, atom: sympy.Expr, meaning: Iverson) -> Iverson:
    """`atom` replaced by an Iverson-valued integer: by cases over its brackets."""
    total = ZERO
    for cell, number in cells(meaning):
        total += cell * substitute(value, {atom: number})
    return total


def cells(value: Iverson) -> list[tuple[Iverson, sympy.Expr]]:
    """Disjoint exhaustive brackets with the bracket-free value in each; axes are split at every interval end."""
    return [(Iverson(((conditions, sympy.S.One),)), number) for conditions, number in _cells(value, frozenset())]


def _cells(value: Iverson, conditions: Conditions) -> Iterator[tuple[Conditions, sympy.Expr]]:
    """Those within the conditions, which are on other axes. There may be as many as grow with a power of the axes."""
    from weightproof.symbolic.algebra.iverson import Condition, intervals, restricted

    work.spend(STEPS_A_TERM * (1 + len(value.terms)))
    axes = sorted(value.axes, key=lambda axis: str(axis.expression()))
    if not axes:
        yield conditions, sum((c for _, c in value.terms), sympy.S.Zero)
        return
    for lo, hi in intervals(value, axes[0]):
        inside = conditions | {Condition(axes[0], lo, hi)}
        yield from _cells(restricted(value, axes[0], lo, hi), inside)


def cases_of(value: Iverson, context: Context) -> Iterator[tuple[Context, sympy.Expr]]:
    """The `cells` that the context leaves, each as a context with the brackets; values as they add up."""
    from weightproof.symbolic.algebra.iverson import Condition, intervals, restricted

    work.spend(STEPS_A_TERM * (1 + len(value.terms)))
    axes = sorted(value.axes, key=lambda axis: str(axis.expression()))
    if not axes:
        yield context, sympy.Add(*(coefficient for _, coefficient in value.terms))
        return
    for lo, hi in intervals(value, axes[0]):
        inside = context.given(*Condition(axes[0], lo, hi).forms())
        if not inside.impossible():
            yield from cases_of(restricted(value, axes[0], lo, hi), inside)


def _domain(parameter: Parameter) -> tuple[Real, bool]:
    """The bound from below that a domain says, and whether it is strict."""
    bound, strict = parameter.bound
    return evaluate(bound, {}), strict


def _least(parameter: Parameter) -> tuple[Fraction, bool]:
    """What the domain "c > 0" says of u_c = e^c, and "D >= 0" of D, as a rational bound and whether it is strict."""
    bound, strict = _domain(parameter)
    if not parameter.is_natural and ball(bound) > LONGEST_BOUND:
        _certain(bound, strict, (Fraction(LONGEST_BOUND), True))
        return Fraction(2) ** LONGEST_BOUND, True  # less than e^bound
    value = bound if parameter.is_natural else exp(bound)
    if isinstance(value, fmpq):
        return _certain(value, strict, (Fraction(int(value.p), int(value.q)), strict))
    return _certain(value, strict, (below(ball(value)), True))  # an irrational bound is replaced by a rational below it


def _own_bound(parameter: Parameter) -> list[tuple[str, Fraction, bool]]:
    """What the domain says of a real parameter itself."""
    bound, strict = _domain(parameter)
    if isinstance(bound, fmpq):
        return [(parameter.name, *_certain(bound, strict, (Fraction(int(bound.p), int(bound.q)), strict)))]
    enclosed = ball(bound)
    if not abs(enclosed) < arb(2) ** LONGEST_BOUND:
        return []
    return [(parameter.name, *_certain(bound, strict, (fmpq_of(enclosed.lower()), True)))]


def _certain(end: Real, open_end: bool, bound: tuple[Fraction, bool]) -> tuple[Fraction, bool]:
    """A bound of all that is at least `end`, or greater where that end is open; Underivable where it is none."""
    least, strict = bound
    direction = sign(end - fmpq(*least.as_integer_ratio()))
    if direction < 0 or (direction == 0 and strict and not open_end):
        raise Underivable(f"{least} is no bound of a parameter from {end} on")
    return bound
