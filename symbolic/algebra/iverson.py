"""Expressions with Iverson brackets: the values of the symbolic reading.

An `Iverson` is a sum of terms  coefficient * [condition] * [condition] * ...  A condition says that an integer linear
form lies in an interval; ``[i=k]`` is  k - i in [0, 0],  ``[w_1=1]`` is  w(1) in [1, 1]  (tokens by their index),
``[i even]`` is  Mod(i, 2) in [0, 0].  Coefficients are SymPy expressions without brackets.

`normalise` is the one place where brackets are reasoned about: along each linear form it cuts the integers at the
interval ends, adds up what holds in each piece, drops pieces that the context excludes, and joins neighbours that
agree. A piecewise linear function of one integer thereby becomes the brackets it amounts to.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import sympy

from weightproof.constructions.scalars import work
from weightproof.symbolic.algebra.constants import with_common_units
from weightproof.symbolic.algebra.linear import Atom, Context, Form, form_of, linear_form


@dataclass(frozen=True)
class Condition:
    """lo <= axis <= hi; the axis has coprime integer coefficients, the first positive, and no constant."""

    axis: Form
    lo: int | None
    hi: int | None

    def forms(self) -> tuple[Form, ...]:
        """The condition as linear constraints form >= 0."""
        below = () if self.lo is None else (self.axis - self.lo,)
        above = () if self.hi is None else (-self.axis + self.hi,)
        return below + above

    def covers(self, lo: int | None, hi: int | None) -> bool:
        return (self.lo is None or (lo is not None and lo >= self.lo)) and (
            self.hi is None or (hi is not None and hi <= self.hi)
        )


Conditions = frozenset[Condition]


@dataclass(frozen=True)
class Iverson:
    """A sum of coefficient * product of brackets; at most one condition per axis in a term."""

    terms: tuple[tuple[Conditions, sympy.Expr], ...] = ()

    @staticmethod
    def constant(value: sympy.Expr | int) -> Iverson:
        value = sympy.sympify(value)
        return Iverson() if value == 0 else Iverson(((frozenset(), value),))

    def __add__(self, other: Iverson) -> Iverson:
        collected: dict[Conditions, sympy.Expr] = {}
        for conditions, coefficient in (*self.terms, *other.terms):
            collected[conditions] = collected.get(conditions, sympy.S.Zero) + coefficient
        return Iverson(tuple((c, value) for c, value in collected.items() if value != 0))

    def __sub__(self, other: Iverson) -> Iverson:
        return self + other.scaled(-1)

    def scaled(self, factor: sympy.Expr | int) -> Iverson:
        return Iverson(tuple((c, value * factor) for c, value in self.terms)) if factor != 0 else Iverson()

    def __mul__(self, other: Iverson) -> Iverson:
        total = Iverson()
        for left, a in self.terms:
            for right, b in other.terms:
                both = intersect(left, right)
                if both is not None:
                    total += Iverson(((both, a * b),))
        return total

    @property
    def free_symbols(self) -> set[sympy.Basic]:
        symbols: set[sympy.Basic] = set()
        for conditions, coefficient in self.terms:
            symbols |= coefficient.free_symbols
            for condition in conditions:
                for atom in condition.axis.atoms:
                    symbols |= atom.free_symbols
        return symbols

    def forms(self) -> list[Form]:
        """What its conditions say, as linear constraints form >= 0: what holds in a cell, which is one term."""
        return [form for conditions, _ in self.terms for condition in conditions for form in condition.forms()]

    @property
    def axes(self) -> set[Form]:
        return {condition.axis for conditions, _ in self.terms for condition in conditions}


ZERO = Iverson()


def intersect(left: Conditions, right: Conditions) -> Conditions | None:
    """The conjunction; None if two intervals of one axis are disjoint."""
    by_axis = {condition.axis: condition for condition in left}
    for condition in right:
        other = by_axis.get(condition.axis)
        if other is not None:
            los = [lo for lo in (condition.lo, other.lo) if lo is not None]
            his = [hi for hi in (condition.hi, other.hi) if hi is not None]
            condition = Condition(condition.axis, max(los, default=None), min(his, default=None))
            if condition.lo is not None and condition.hi is not None and condition.lo > condition.hi:
                return None
        by_axis[condition.axis] = condition
    return frozenset(by_axis.values())


def bracket(op: str, expression: sympy.Expr) -> Iverson:
    """[expression op 0] for an expression that is linear in integers; raises ValueError if it is not."""
    form = linear_form(expression)
    if form is None:
        raise ValueError(f"[{expression} {op} 0] is no linear condition on integers")
    if op == "!=":
        return Iverson.constant(1) - bracket("==", expression)
    if not form.terms:
        value = form.constant
        true = {"==": value == 0, "<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0}[op]
        return Iverson.constant(int(true))
    scaled = form.primitive()
    if scaled.terms[0][1] < 0:
        scaled, op = -scaled, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
    threshold = -scaled.constant  # axis op threshold
    axis = Form(scaled.terms)
    lo: int | None = None
    hi: int | None = None
    match op:
        case "==":
            if threshold.denominator != 1:
                return ZERO
            lo = hi = int(threshold)
        case ">=":
            lo = ceil(threshold)
        case ">":
            lo = floor(threshold) + 1
        case "<=":
            hi = floor(threshold)
        case "<":
            hi = ceil(threshold) - 1
        case _:
            raise TypeError(op)
    return _condition(axis, lo, hi)


def _condition(axis: Form, lo: int | None, hi: int | None) -> Iverson:
    """The bracket of an interval; residues and tokens are put into canonical form."""
    match axis.terms:
        case ((sympy.Mod(args=(inner, modulus)), _),):
            m = int(modulus)
            return residues(form_of(inner), m, max(lo or 0, 0), m - 1 if hi is None else min(hi, m - 1))
    return Iverson(((frozenset({Condition(axis, lo, hi)}), sympy.S.One),))


MOST_RESIDUES = 60
"""Up to this modulus every residue is a case of its own; beyond, those that stand together are one."""


def residues(form: Form, modulus: int, lo: int, hi: int) -> Iverson:
    """[lo <= form mod modulus <= hi] for an integer form and 0 <= lo, hi < modulus."""
    if modulus <= MOST_RESIDUES:
        total = ZERO
        for value in range(lo, hi + 1):
            total += residue(form, modulus, value)
        return total
    if hi < lo:
        return ZERO
    reduced, shift = _reduced(form, modulus)
    start, end = (lo - shift) % modulus, (hi - shift) % modulus
    if not reduced.terms:
        return Iverson.constant(int(lo <= shift % modulus <= hi))
    if hi - lo == modulus - 1:
        return Iverson.constant(1)
    if start <= end:
        return _residues(reduced, modulus, start, end)
    return _residues(reduced, modulus, start, modulus - 1) + _residues(reduced, modulus, 0, end)


def remainder(form: Form, modulus: int) -> sympy.Expr:
    """form mod modulus, as a number of its own."""
    if not form.terms:
        return sympy.Integer(int(form.constant) % modulus)
    return sympy.Mod(form.expression(), modulus, evaluate=False)


def residue(form: Form, modulus: int, value: int) -> Iverson:
    """[form = value mod modulus] for an integer form; its coefficients and its constant are reduced."""
    reduced, shift = _reduced(form, modulus)
    target = (value - shift) % modulus
    if not reduced.terms:
        return Iverson.constant(int(target == 0))
    return _residues(reduced, modulus, target, target)


def _reduced(form: Form, modulus: int) -> tuple[Form, int]:
    """The form with reduced coefficients and without its constant, and the constant."""
    form = _without_residues(form, modulus)
    terms = {atom: Fraction(int(factor) % modulus) for atom, factor in form.terms}
    return Form.build(terms), int(form.constant)


def _residues(reduced: Form, modulus: int, lo: int, hi: int) -> Iverson:
    with_mod = sympy.Mod(reduced.expression(), modulus, evaluate=False)
    axis = Form(((with_mod, Fraction(1)),))
    point = lo == hi  # both ends of a point stand
    condition = Condition(axis, lo if lo > 0 or point else None, hi if hi < modulus - 1 or point else None)
    return Iverson(((frozenset({condition}), sympy.S.One),))


def _without_residues(form: Form, modulus: int) -> Form:
    """Mod(a, m) replaced by a where that makes no difference: its multiples of m are multiples of the modulus."""
    for atom, factor in form.terms:
        if isinstance(atom, sympy.Mod) and (int(factor) * int(atom.args[1])) % modulus == 0:
            form = form - Form(((atom, factor),)) + form_of(atom.args[0]) * factor
    return form


def integral(form: Form) -> Iverson:
    """[form is an integer]."""
    modulus = form.denominator
    return residue(form * modulus, modulus, 0)


def substitute(value: Iverson, replacement: Mapping[Atom, sympy.Expr]) -> Iverson:
    """Replaces atoms (a position by another, say) in coefficients and in conditions."""
    total = ZERO
    for conditions, coefficient in value.terms:
        term = Iverson.constant(coefficient.xreplace(dict(replacement)))
        for condition in conditions:
            term = term * _substituted(condition, replacement)
        total += term
    return total


def _substituted(condition: Condition, replacement: Mapping[Atom, sympy.Expr]) -> Iverson:
    match condition.axis.terms:
        case ((sympy.Mod(args=(inner, modulus)), _),):
            base, m = form_of(inner.xreplace(dict(replacement))), int(modulus)
            return residues(base, m, max(condition.lo or 0, 0), m - 1 if condition.hi is None else condition.hi)
    moved = condition.axis.expression().xreplace(dict(replacement))
    result = Iverson.constant(1)
    if condition.lo is not None:
        result = result * bracket(">=", moved - condition.lo)
    if condition.hi is not None:
        result = result * bracket("<=", moved - condition.hi)
    return result


HIGHEST_POWER = 1_000
STEPS_A_NODE = 20
"""Of counted work, for each node of what is brought to its canonical form, which is SymPy's work and counts none."""


def canonical(expression: sympy.Expr) -> sympy.Expr:
    """One form for equal rational functions: SymPy's cancelled quotient, powers with symbolic exponents split, and
    powers of e that can be compared in one unit. It counts the same whether it is remembered or not.

    What has higher powers stays as it is: to cancel it takes numbers that fit into no memory.
    """
    if expression.is_Atom or _has_high_powers(expression):
        return expression
    work.spend(STEPS_A_NODE * _nodes(expression))
    return _canonical(expression)


@functools.lru_cache(maxsize=100_000)
def _nodes(expression: sympy.Basic) -> int:
    return 1 + sum(_nodes(part) for part in expression.args)


@functools.lru_cache(maxsize=100_000)
def _has_high_powers(expression: sympy.Expr) -> bool:
    """Whether a whole number in an exponent is beyond what is cancelled."""
    terms = (term for power in expression.atoms(sympy.Pow) for term in sympy.Add.make_args(power.exp))
    return any(term.is_Integer and abs(term) > HIGHEST_POWER for term in terms)


@functools.lru_cache(maxsize=100_000)
def _canonical(expression: sympy.Expr) -> sympy.Expr:
    return sympy.cancel(sympy.expand_power_exp(with_common_units(expression)))


STEPS_A_TERM = 100
"""Of counted work, for each term of a form."""


def normalise(value: Iverson, context: Context) -> Iverson:
    """The canonical form in a context (see the module); values equal in the context have equal forms on each axis."""
    work.spend(STEPS_A_TERM * (1 + len(value.terms)))
    axes = sorted(value.axes, key=_axis_order)
    if not axes:
        return Iverson.constant(canonical(sum((coefficient for _, coefficient in value.terms), sympy.S.Zero)))
    axis = axes[0]
    pieces: list[tuple[int | None, int | None, Iverson]] = []
    for lo, hi in intervals(value, axis):
        inside = context.given(*Condition(axis, lo, hi).forms())
        if inside.impossible():
            continue
        lo, hi = _filled(axis, lo, hi, inside)
        part = restricted(value, axis, lo, hi)
        for left, right in _points(lo, hi):
            here, there = part, inside
            if left is not None and left == right:
                here = at_point(part, axis, left)
                there = context.given(*Condition(axis, left, right).forms())
            here = normalise(here, there)
            while pieces and _joins(pieces[-1], here, axis, left, context):
                left, end, before = pieces.pop()
                here = here if left == end else before
            pieces.append((left, right, here))
    total = ZERO
    for lo, hi, part in pieces:
        if part.terms:
            total += _bounded(axis, lo, hi, context) * part
    return total


SHORT = 3
"""Intervals of at most this many integers are taken point by point."""


def _filled(axis: Form, lo: int | None, hi: int | None, context: Context) -> tuple[int | None, int | None]:
    """The interval, its missing end filled in where the context leaves only a few integers of it."""
    for step in range(SHORT):
        if lo is None and hi is not None and context.impossible(-axis + (hi - step - 1)):
            return hi - step, hi
        if hi is None and lo is not None and context.impossible(axis - (lo + step + 1)):
            return lo, lo + step
    return lo, hi


def _points(lo: int | None, hi: int | None) -> list[tuple[int | None, int | None]]:
    if lo is None or hi is None or hi - lo >= SHORT:
        return [(lo, hi)]
    return [(point, point) for point in range(lo, hi + 1)]


def _axis_order(axis: Form) -> tuple[int, str]:
    """Residues and tokens last: they cannot be substituted away."""
    opaque = any(not isinstance(atom, sympy.Symbol) for atom in axis.atoms)
    return (int(opaque), str(axis.expression()))


def intervals(value: Iverson, axis: Form) -> Iterator[tuple[int | None, int | None]]:
    """The integers cut at the ends of the intervals that a value has on an axis."""
    cuts: set[int] = set()
    for conditions, _ in value.terms:
        for condition in conditions:
            if condition.axis == axis:
                cuts |= {
                    cut for cut in (condition.lo, None if condition.hi is None else condition.hi + 1) if cut is not None
                }
    ordered = sorted(cuts)
    yield None, ordered[0] - 1
    for left, right in itertools.pairwise(ordered):
        yield left, right - 1
    yield ordered[-1], None


def restricted(value: Iverson, axis: Form, lo: int | None, hi: int | None) -> Iverson:
    """The value on such an interval, without the conditions on that axis."""
    total = ZERO
    for conditions, coefficient in value.terms:
        here = [condition for condition in conditions if condition.axis == axis]
        if all(condition.covers(lo, hi) for condition in here):
            total += Iverson(((conditions - set(here), coefficient),))
    return total


def at_point(value: Iverson, axis: Form, point: int) -> Iverson:
    """Coefficients with one atom of the axis replaced by what axis = point makes it."""
    result = ZERO
    for conditions, coefficient in value.terms:
        atom = _replaceable(axis, coefficient)
        if atom is not None:
            rest = axis - Form(((atom, axis.coefficient(atom)),))
            coefficient = coefficient.xreplace({atom: (point - rest.expression()) / int(axis.coefficient(atom))})
        result += Iverson(((conditions, coefficient),))
    return result


def _replaceable(axis: Form, coefficient: sympy.Expr) -> Atom | None:
    """An atom of unit coefficient that stands in `coefficient`, but not inside another atom of it; counts first."""
    opaque = coefficient.atoms(sympy.core.function.AppliedUndef, sympy.Mod)
    nested = {symbol for function in opaque for symbol in function.free_symbols}
    present = coefficient.free_symbols | opaque
    candidates = [atom for atom, factor in axis.terms if abs(factor) == 1 and atom in present and atom not in nested]
    order = {"K": 0, "k": 1, "i": 2, "j": 2, "D": 3, "n": 4}
    return min(candidates, key=lambda atom: (order.get(str(atom)[0], 3), str(atom)), default=None)


def _joins(
    before: tuple[int | None, int | None, Iverson], part: Iverson, axis: Form, lo: int | None, context: Context
) -> bool:
    """Whether the piece that starts at `lo` continues the piece before it."""
    start, end, previous = before
    if end is None or lo is None or end != lo - 1:
        return False
    if previous == part:
        return True
    if start is not None and start == end and part.terms:  # a single point that the next piece also describes
        point = context.given(*Condition(axis, start, end).forms())
        if normalise(at_point(part, axis, start), point) == previous:
            return True
        match axis.terms:  # a number, which may stand in the conditions, too
            case ((sympy.Symbol() as atom, factor),) if factor == 1 and atom in part.free_symbols:
                there = {atom: sympy.Integer(start)}
                return normalise(substitute(part, there), point) == normalise(substitute(previous, there), point)
    return False


def _bounded(axis: Form, lo: int | None, hi: int | None, context: Context) -> Iverson:
    """The bracket of an interval without the bounds that the context implies; a point keeps both."""
    low = lo if lo is not None and not context.impossible(-axis + (lo - 1)) else None
    high = hi if hi is not None and not context.impossible(axis - (hi + 1)) else None
    if low is None and high is None:
        return Iverson.constant(1)
    if lo is None or lo != hi:
        lo, hi = low, high
    return Iverson(((frozenset({Condition(axis, lo, hi)}), sympy.S.One),))
