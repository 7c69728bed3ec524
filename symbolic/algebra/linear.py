"""Linear facts about integers: what the side conditions of the symbolic reading are made of, and an exact way to settle
them.

An *integer atom* is anything integer-valued that is opaque here: a position, n, a count, a natural parameter,
``Mod(i, 2)``, the token ``w(1)`` as its index in the alphabet. A `Form` is a rational combination of atoms; a `Context`
is a conjunction of constraints form >= 0. `Context.impossible` decides emptiness by Fourier-Motzkin elimination with
integer tightening: an answer True is a proof (a Farkas certificate could be read off the elimination), an answer False
means only that the rational relaxation has a point. Facts that were used are kept in the ledger, so that the proofs
can discharge every one of them again by solvers.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any

import sympy

from weightproof.constructions.scalars import work

Atom = Any
"""A SymPy expression that is opaque to linear arithmetic."""


@functools.cache
def _name(atom: Atom) -> str:
    return str(atom)


@dataclass(frozen=True)
class Form:
    """A rational linear combination of integer atoms plus a constant; atoms sorted by name, no zero coefficient."""

    terms: tuple[tuple[Atom, Fraction], ...]
    constant: Fraction = Fraction(0)

    @staticmethod
    def build(terms: Mapping[Atom, Fraction], constant: Fraction = Fraction(0)) -> Form:
        kept = ((atom, value) for atom, value in terms.items() if value)
        return Form(tuple(sorted(kept, key=lambda item: _name(item[0]))), Fraction(constant))

    @functools.cached_property
    def _hash(self) -> int:
        return hash((self.terms, self.constant))

    def __hash__(self) -> int:  # forms are looked up all the time, and hashing fractions is slow
        return self._hash

    @functools.cached_property
    def _text(self) -> str:
        return " + ".join((*(f"{value}*{_name(atom)}" for atom, value in self.terms), str(self.constant)))

    def __str__(self) -> str:  # forms are sorted by it
        return self._text

    def __add__(self, other: Form | Fraction | int) -> Form:
        if isinstance(other, int | Fraction):
            return Form(self.terms, self.constant + other)
        terms = dict(self.terms)
        for atom, value in other.terms:
            terms[atom] = terms.get(atom, Fraction(0)) + value
        return Form.build(terms, self.constant + other.constant)

    def __neg__(self) -> Form:
        return self * -1

    def __sub__(self, other: Form | Fraction | int) -> Form:
        return self + (-other)

    def __mul__(self, factor: Fraction | int) -> Form:
        if factor == 0:
            return Form(())
        return Form(tuple((atom, value * factor) for atom, value in self.terms), self.constant * factor)

    @property
    def denominator(self) -> int:
        """The least positive integer whose product with the form has integer coefficients and constant."""
        return lcm(self.constant.denominator, *(value.denominator for _, value in self.terms))

    @property
    def atoms(self) -> frozenset[Atom]:
        return frozenset(atom for atom, _ in self.terms)

    def coefficient(self, atom: Atom) -> Fraction:
        return dict(self.terms).get(atom, Fraction(0))

    def expression(self) -> sympy.Expr:
        return self._expression

    @functools.cached_property
    def _expression(self) -> sympy.Expr:
        total: sympy.Expr = sympy.Rational(self.constant.numerator, self.constant.denominator)
        for atom, value in self.terms:
            total += sympy.Rational(value.numerator, value.denominator) * atom
        return total

    def primitive(self) -> Form:
        """Scaled by a positive rational to coprime integer coefficients (the constant may stay a fraction)."""
        if not self.terms:
            return self
        denominator = lcm(*(value.denominator for _, value in self.terms))
        divisor = gcd(*(int(value * denominator) for _, value in self.terms))
        return self * Fraction(denominator, divisor)


def above(form: Form) -> Form:
    """form > 0 as a constraint >= 0: the atoms being integers, a multiple of it is at least the next number."""
    scaled = form.primitive()
    return Form(scaled.terms, Fraction(ceil(scaled.constant) - 1))


@functools.lru_cache(maxsize=100_000)
def below(form: Form) -> Form:
    """form < 0 as a constraint >= 0, the atoms being integers; of a form that is nowhere 0 its opposite."""
    scaled = form.primitive()
    return -scaled - 1 if _integral(scaled) else -form


def linear_form(expression: sympy.Expr) -> Form | None:
    """`expression` as a linear form in integer atoms; None if it is not linear."""
    terms: dict[Atom, Fraction] = {}
    constant = Fraction(0)
    for factor, coefficient in sympy.expand(expression).as_coefficients_dict().items():
        if not coefficient.is_Rational:
            return None
        value = Fraction(int(coefficient.p), int(coefficient.q))
        if factor == 1:
            constant += value
        elif is_atom(factor):
            terms[factor] = terms.get(factor, Fraction(0)) + value
        else:
            return None
    return Form.build(terms, constant)


def form_of(expression: sympy.Expr) -> Form:
    """The linear form of an expression that is known to be one."""
    form = linear_form(expression)
    assert form is not None, expression
    return form


def is_atom(expression: sympy.Expr) -> bool:
    """Integer symbols, counts, tokens and residues; real parameters are no atoms."""
    if isinstance(expression, sympy.Symbol):
        return bool(expression.is_integer)
    return isinstance(expression, sympy.Mod) or (
        isinstance(expression, sympy.core.function.AppliedUndef) and bool(expression.is_integer)
    )


@dataclass(frozen=True)
class Fact:
    """A linear side condition that was used: no integers satisfy all of `constraints` (each form >= 0)."""

    constraints: frozenset[Form]

    @property
    def bounds_one_form(self) -> bool:
        """Whether all of them bound one form, or a number."""
        axes = {Form(form.primitive().terms) for form in self.constraints if form.terms}
        return len({frozenset((axis, -axis)) for axis in axes}) <= 1


STEPS_A_FORM = 12
"""Of counted work, for each constraint of a system that is looked at."""


@dataclass(frozen=True)
class Context:
    """What is known where an expression stands: every form of `constraints` is >= 0.

    Residues and tokens bring their ranges along: 0 <= Mod(a, m) <= m-1, and -1 <= w(p) <= symbols-1.
    """

    constraints: frozenset[Form] = frozenset()
    symbols: int = 0
    ledger: set[Fact] = field(default_factory=set, compare=False, hash=False, repr=False)

    def given(self, *forms: Form) -> Context:
        return Context(self.constraints | self._with_ranges(forms), self.symbols, self.ledger)

    def _with_ranges(self, forms: Iterable[Form]) -> frozenset[Form]:
        return frozenset(constraint for form in forms for constraint in _with_ranges(form, self.symbols))

    def equal(self, *forms: Form) -> Context:
        """The context with each form = 0 added."""
        return self.given(*forms, *(-form for form in forms))

    def within(self, position: Atom, first: Any, last: Any) -> Context:
        """The context with first <= position <= last added, both linear."""
        bounds = (linear_form(position - first), linear_form(last - position))
        return self.given(*(form for form in bounds if form is not None))

    def fixed(self, values: Mapping[Atom, Any]) -> Context:
        """The context with atoms replaced by integers; constraints that become true disappear."""
        moved = Context(frozenset(), self.symbols, self.ledger)
        for constraint in self.constraints:
            form = form_of(constraint.expression().xreplace(dict(values)))
            if form.terms or form.constant < 0:
                moved = moved.given(form)
        return moved

    def impossible(self, *forms: Form) -> bool:
        """Whether no integers satisfy the context together with form >= 0 for each of `forms`."""
        constraints = self.constraints | self._with_ranges(forms)
        work.spend(STEPS_A_FORM * len(constraints))
        core = _core(constraints)
        if core is None:
            return False
        self.ledger.add(Fact(core))
        return True

    def contradictory(self, *forms: Form) -> bool:
        """As `impossible`, but equations are used first, so that more is found: that no odd number is even, say."""
        constraints = self.constraints | self._with_ranges(forms)
        work.spend(STEPS_A_FORM * len(constraints))
        if _core(_without_equations(constraints)) is None:
            return False
        self.ledger.add(Fact(constraints))
        return True

    def entails(self, form: Form) -> bool:
        """Whether form >= 0 follows, for an integer-valued form."""
        return self.impossible(-form - 1) if _integral(form) else False

    def positive(self, form: Form) -> bool:
        """Whether form > 0 follows; the form may be fractional."""
        return self.impossible(-form)

    def nonnegative(self, form: Form) -> bool:
        """Whether form >= 0 follows; the form may be fractional."""
        return self.impossible(below(form))


def _integral(form: Form) -> bool:
    return form.denominator == 1


def _tight(form: Form) -> Form:
    """Coprime integer coefficients; the constant rounded down, which no integer point notices."""
    form = form.primitive()
    return Form(form.terms, Fraction(form.constant.numerator // form.constant.denominator))


@functools.lru_cache(maxsize=100_000)
def _with_ranges(form: Form, symbols: int) -> tuple[Form, ...]:
    """A constraint with the ranges of the residues and tokens in it."""
    constraints = [_tight(form)]
    for atom in form.atoms:
        least, greatest = (0, atom.args[1] - 1) if isinstance(atom, sympy.Mod) else (-1, symbols - 1)
        if isinstance(atom, sympy.Mod) or (atom.is_Function and str(atom.func) == "w"):
            whole = Form(((atom, Fraction(1)),))
            constraints += [whole - int(least), -whole + int(greatest)]
    return tuple(constraints)


LARGEST_SYSTEM = 400
_Row = tuple[tuple[int, ...], int]
"""A form with coprime integer coefficients, one for each atom of a system, and its constant."""


@functools.lru_cache(maxsize=200_000)
def _core(constraints: frozenset[Form]) -> frozenset[Form] | None:
    """A subset that already has no integer point, if Fourier-Motzkin elimination finds none; else None."""
    # In one order: of several subsets always the same is found, and told.
    forms = sorted(constraints, key=str)
    atoms = sorted({atom for form in forms for atom in form.atoms}, key=_name)
    # Each with those that it was made of, a bit for each form: unions are made all the time.
    system = {_row(form, atoms): 1 << place for place, form in enumerate(forms)}
    while True:
        for (factors, constant), origin in system.items():
            if constant < 0 and not any(factors):
                return frozenset(form for place, form in enumerate(forms) if origin >> place & 1)
        column = _cheapest(system)
        if column is None:
            return None
        system = _eliminate(system, column)
        if len(system) > LARGEST_SYSTEM:
            return None


@functools.lru_cache(maxsize=10_000)
def _without_equations(constraints: frozenset[Form]) -> frozenset[Form]:
    """With atoms replaced by what equations say they are, as long as one has an atom with the factor 1 or -1."""
    while True:
        solved = (
            (form, atom, factor)
            for form in sorted(constraints, key=str)
            if -form in constraints
            for atom, factor in form.terms
            if abs(factor) == 1
        )
        found = next(solved, None)
        if found is None:
            return constraints
        equation, atom, factor = found
        moved = (_tight(form - equation * (form.coefficient(atom) / factor)) for form in constraints)
        constraints = frozenset(form for form in moved if form.terms or form.constant < 0)


def projected(constraints: Iterable[Form], kept: Iterable[Atom]) -> list[Form]:
    """Constraints on some atoms alone that constraints of a context imply, by elimination of all others; the shortest
    first."""
    forms, left = [*constraints], {*kept}
    atoms = sorted({atom for form in forms for atom in form.atoms}, key=_name)
    system = {_row(form, atoms): 0 for form in forms}
    for column, atom in enumerate(atoms):
        if atom not in left:
            system = _eliminate(system, column)
    found = [
        Form(tuple((atom, Fraction(x)) for atom, x in zip(atoms, factors, strict=True) if x), Fraction(constant))
        for factors, constant in system
    ]
    return sorted(found, key=lambda form: (len(form.terms), str(form)))


def _row(form: Form, atoms: Iterable[Atom]) -> _Row:
    if form.denominator != 1:
        raise AssertionError(f"{form} is no integer everywhere")
    factors = {atom: value.numerator for atom, value in form.terms}
    return tuple(factors.get(atom, 0) for atom in atoms), form.constant.numerator


def _cheapest(system: Iterable[_Row]) -> int | None:
    """The column of the atom whose elimination adds fewest constraints; None if there is no atom."""
    costs = [
        (sum(x > 0 for x in column) * sum(x < 0 for x in column), place)
        for place, column in enumerate(zip(*(factors for factors, _ in system), strict=True))
        if any(column)
    ]
    return min(costs)[1] if costs else None


def _eliminate(system: Mapping[_Row, int], column: int) -> dict[_Row, int]:
    result = {row: origin for row, origin in system.items() if not row[0][column]}
    above = [(row, -row[0][column], origin) for row, origin in system.items() if row[0][column] < 0]
    below = [(row, row[0][column], origin) for row, origin in system.items() if row[0][column] > 0]
    for (lower, at_lower), p, of_lower in below:
        for (upper, at_upper), q, of_upper in above:
            factors = tuple(x * q + y * p for x, y in zip(lower, upper, strict=True))
            combined, origin = _tight_row(factors, at_lower * q + at_upper * p), of_lower | of_upper
            says_something = combined[1] < 0 or any(factors)
            if says_something and (combined not in result or origin.bit_count() < result[combined].bit_count()):
                result[combined] = origin
    return _strongest(result)


def _tight_row(factors: tuple[int, ...], constant: int) -> _Row:
    """As `_tight`, of a form with integer coefficients."""
    divisor = gcd(*factors)
    return (tuple(x // divisor for x in factors), constant // divisor) if divisor > 1 else (factors, constant)


def _strongest(system: Mapping[_Row, int]) -> dict[_Row, int]:
    """Of constraints that differ only in the constant, the strongest."""
    best: dict[tuple[int, ...], int] = {}
    for factors, constant in system:
        if factors not in best or constant < best[factors]:
            best[factors] = constant
    return {row: system[row] for row in best.items()}
