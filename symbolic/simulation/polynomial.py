"""Polynomials in named atoms with rational coefficients, and what is known of the atoms: exact, and without SymPy.

The values of units are multi-affine: of degree one in the atoms of each group of a region. On a product of simplices
such a polynomial is least, and greatest, at vertices. Where the sign of x is not known max(0, x) is an atom: what
hardmax makes of two values that are as far apart as their scores.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Self, TypeAlias

from flint import fmpq, fmpq_mat

from weightproof.constructions.scalars import work

Monomial: TypeAlias = tuple[str, ...]
"""The atoms of a product, in alphabetical order."""
ZERO, ONE = fmpq(0), fmpq(1)
STEPS_A_TERM = 3
"""Of counted work, for each term of a product."""


@dataclass(frozen=True)
class Polynomial:
    """terms: monomial and coefficient, none of them 0, in the order of the monomials."""

    terms: tuple[tuple[Monomial, fmpq], ...] = ()

    @staticmethod
    def of(terms: Mapping[Monomial, fmpq]) -> Polynomial:
        return Polynomial(tuple(sorted((monomial, value) for monomial, value in terms.items() if value != 0)))

    @staticmethod
    def number(value: fmpq | int) -> Polynomial:
        return Polynomial.of({(): fmpq(value)})

    @staticmethod
    def atom(name: str) -> Polynomial:
        return Polynomial((((name,), ONE),))

    @property
    def atoms(self) -> frozenset[str]:
        return frozenset(name for monomial, _ in self.terms for name in monomial)

    def __add__(self, other: Polynomial) -> Polynomial:
        return total((self, other))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return total((self, Polynomial.number(-1) * other))

    def __mul__(self, other: Polynomial) -> Polynomial:
        work.spend(STEPS_A_TERM * (1 + len(self.terms) * len(other.terms)))
        terms: dict[Monomial, fmpq] = {}
        for (left, a), (right, b) in itertools.product(self.terms, other.terms):
            monomial = tuple(sorted((*left, *right)))
            terms[monomial] = terms.get(monomial, ZERO) + a * b
        return Polynomial.of(terms)

    def replaced(self, values: Mapping[str, Polynomial]) -> Polynomial:
        """The polynomial with polynomials in the place of atoms."""
        parts = []
        for monomial, coefficient in self.terms:
            product = Polynomial.number(coefficient)
            for name in monomial:
                product *= values.get(name, Polynomial.atom(name))
            parts.append(product)
        return total(parts)

    def at(self, values: Mapping[str, fmpq]) -> fmpq:
        """KeyError for an atom without a value."""
        found = ZERO
        for monomial, value in self.terms:
            for name in monomial:
                value *= values[name]
            found += value
        return found

    def __str__(self) -> str:
        """A text that no other polynomial has: names that are no words are quoted."""
        parts = [
            "*".join((*(() if value == 1 and monomial else (str(value),)), *map(_quoted, monomial)))
            for monomial, value in self.terms
        ]
        return " + ".join(parts) or "0"


Values = Mapping[str, Polynomial]
"""Coordinate or unit -> what it is; what is absent is 0."""


def _quoted(name: str) -> str:
    return name if name.isidentifier() else repr(name)


def total(polynomials: Iterable[Polynomial]) -> Polynomial:
    terms: dict[Monomial, fmpq] = {}
    for polynomial in polynomials:
        for monomial, value in polynomial.terms:
            terms[monomial] = terms.get(monomial, ZERO) + value
    return Polynomial.of(terms)


@dataclass(frozen=True)
class Simplex:
    """The place of a group of atoms: the convex hull of so many points, each a value for every atom."""

    atoms: tuple[str, ...]
    vertices: tuple[tuple[fmpq, ...], ...]

    def coordinates(self, values: Mapping[str, Polynomial]) -> Iterator[Polynomial]:
        """The barycentric coordinates of a point, none of which is negative where it is in the simplex. values: of its
        atoms, those of a point; an atom without one is itself."""
        size = len(self.vertices)
        points = fmpq_mat(size, size, [x for point in zip(*self.vertices, strict=True) for x in point] + [ONE] * size)
        rows = points.inv().tolist()  # ZeroDivisionError: no simplex
        found = [*(values.get(atom, Polynomial.atom(atom)) for atom in self.atoms), Polynomial.number(1)]
        return (total(Polynomial.number(x) * value for x, value in zip(row, found, strict=True)) for row in rows)


def interval(atom: str, least: fmpq | int, most: fmpq | int) -> Simplex:
    return Simplex((atom,), ((fmpq(least),), (fmpq(most),)))


class Made(str):
    """An atom that the derivation makes. It is what it is made of: it prints like a name and equals no name, whatever
    a unit or a number is called."""

    of: tuple[object, ...]

    def __new__(cls, text: str, *of: object) -> Self:
        made = super().__new__(cls, text)
        made.of = of
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Made) and self.of == other.of

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), self.of))

    def __lt__(self, other: str) -> bool:  # behind a name that is written alike
        return (str(self), type(self).__name__) < (str(other), type(other).__name__ if isinstance(other, Made) else "")

    def __gt__(self, other: str) -> bool:
        return not (self == other or self < other)


class Unknown(Made):
    """What stands in a coordinate, where that is not known."""

    def __new__(cls, name: str) -> Self:
        return super().__new__(cls, f"unknown {name}", name)


class Saturated(Made):
    """The saturated value of a polynomial of which too little is known.

    positive: whether that is known, so that the value is positive, too.
    """

    argument: Polynomial
    positive: bool

    def __new__(cls, argument: Polynomial, positive: bool) -> Self:
        made = super().__new__(cls, f"{'positive ' if positive else ''}saturated({argument})", argument, positive)
        made.argument, made.positive = argument, positive
        return made


MOST_VERTICES = 1 << 12


@dataclass(frozen=True)
class Region:
    """What is known of atoms: each in one simplex at most; those of `positive` are greater than 0, those of
    `not_negative` are not less; and monomials that are equal to polynomials.

    Of an atom that stands in no simplex nothing is known but that, unless it is a saturated value.
    """

    simplices: tuple[Simplex, ...] = ()
    positive: frozenset[str] = frozenset()
    not_negative: frozenset[str] = frozenset()
    equal: Mapping[Monomial, Polynomial] = field(default_factory=dict)

    def bounds(self, polynomial: Polynomial) -> tuple[fmpq, fmpq] | None:
        """The least and the greatest value; None where there may be none, or where it is not found."""
        groups = list(self._groups(polynomial.atoms))
        if not polynomial.atoms <= {name for group in groups for name in group.atoms}:
            return None
        if all(len(monomial) <= 1 for monomial, _ in polynomial.terms):
            constant = dict(polynomial.terms).get((), ZERO)
            extremes = [_extremes(_part(polynomial, group), [group]) for group in groups]
            return sum((least for least, _ in extremes), constant), sum((most for _, most in extremes), constant)
        degrees = [
            sum(name in group.atoms for name in monomial) for monomial, _ in polynomial.terms for group in groups
        ]
        if max(degrees) > 1 or prod(len(group.vertices) for group in groups) > MOST_VERTICES:
            return None
        return _extremes(polynomial, groups)

    def _groups(self, atoms: frozenset[str]) -> Iterator[Simplex]:
        for simplex in self.simplices:
            if atoms & set(simplex.atoms):
                yield simplex
        yield from (interval(name, 0, 1) for name in sorted(atoms) if isinstance(name, Saturated))

    def is_positive(self, polynomial: Polynomial) -> bool:
        """Whether it is greater than 0 for certain: by its least value, or as a sum of products of atoms that are not
        negative with one of positive atoms."""
        bounds = self.bounds(polynomial)
        if bounds is not None and bounds[0] > 0:
            return True
        return all(
            value > 0 and all(map(self._is_not_negative, monomial)) for monomial, value in polynomial.terms
        ) and any(all(map(self._is_positive_atom, monomial)) for monomial, _ in polynomial.terms)

    def _is_positive_atom(self, atom: str) -> bool:
        return atom in self.positive or (isinstance(atom, Saturated) and atom.positive)

    def _is_not_negative(self, atom: str) -> bool:
        if self._is_positive_atom(atom) or atom in self.not_negative:
            return True
        bounds = self.bounds(Polynomial.atom(atom))
        return bounds is not None and bounds[0] >= 0

    def is_not_negative(self, polynomial: Polynomial) -> bool:
        """Whether it is not less than 0 for certain: by its least value, or as a sum of products of atoms that are not
        negative, where a saturated value is at most its argument, if that is not negative."""
        bounds = self.bounds(polynomial)
        if bounds is not None and bounds[0] >= 0:
            return True
        less = total(self._at_least(monomial, value) for monomial, value in polynomial.terms)
        return any(map(self._is_sum, self._equals(less)))

    def _at_least(self, monomial: Monomial, value: fmpq) -> Polynomial:
        """A polynomial that is never greater than a term."""
        term = Polynomial.of({monomial: value})
        if value > 0 or not all(map(self._is_not_negative, monomial)):
            return term
        return term.replaced(
            {name: name.argument for name in monomial if isinstance(name, Saturated) and self._is_sum(name.argument)}
        )

    def _is_sum(self, polynomial: Polynomial) -> bool:
        return all(value > 0 and all(map(self._is_not_negative, monomial)) for monomial, value in polynomial.terms)

    def _equals(self, polynomial: Polynomial) -> Iterator[Polynomial]:
        """Itself, and what it is where monomials are replaced by what they are equal to."""
        yield polynomial
        if any(monomial in self.equal for monomial, _ in polynomial.terms):
            yield total(
                Polynomial.number(value) * self.equal.get(monomial, Polynomial.of({monomial: ONE}))
                for monomial, value in polynomial.terms
            )

    def saturated(self, polynomial: Polynomial) -> Polynomial:
        """min(1, max(0, x)) of it: 0, 1 or itself where that is certain, or else an atom of its own."""
        for equal in self._equals(polynomial):
            bounds = self.bounds(equal)
            if bounds is not None:
                least, most = bounds
                if most <= 0:
                    return Polynomial()
                if least >= 1:
                    return Polynomial.number(1)
                if least >= 0 and most <= 1:
                    return polynomial
            elif self._is_sum(Polynomial.number(-1) * equal):
                return Polynomial()
        return Polynomial.atom(Saturated(polynomial, self.is_positive(polynomial)))

    def holds_in(self, simplex: Simplex, values: Mapping[str, Polynomial]) -> bool:
        """Whether the values of its atoms, 0 where there is none, are a point of the simplex, whatever the atoms of the
        region are."""
        coordinates = simplex.coordinates({atom: values.get(atom, Polynomial()) for atom in simplex.atoms})
        return all((bounds := self.bounds(each)) is not None and bounds[0] >= 0 for each in coordinates)


def _part(polynomial: Polynomial, group: Simplex) -> Polynomial:
    """Its terms in the atoms of a group, where it is affine."""
    return Polynomial(tuple(term for term in polynomial.terms if set(term[0]) & set(group.atoms)))


def _extremes(polynomial: Polynomial, groups: Sequence[Simplex]) -> tuple[fmpq, fmpq]:
    """The least and the greatest value at the vertices."""
    values = []
    for points in itertools.product(*(group.vertices for group in groups)):
        at: dict[str, fmpq] = {}
        for group, point in zip(groups, points, strict=True):
            at |= zip(group.atoms, point, strict=True)
        values.append(polynomial.at(at))
    return min(values), max(values)


NOTHING, MINUS = Polynomial(), Polynomial.number(-1)


class Rectified(Made):
    """max(0, x), of a polynomial x whose first coefficient but the constant is 1."""

    argument: Polynomial

    def __new__(cls, argument: Polynomial) -> Self:
        made = super().__new__(cls, f"rectified({argument})", argument)
        made.argument = argument
        return made


def rectified(x: Polynomial, region: Region) -> Polynomial:
    """max(0, x): x or 0 where that is certain, or else in terms of an atom, of which x and -x, and all multiples of
    them, have the same: max(0, c x) = c max(0, x) for c > 0, and max(0, -x) = max(0, x) - x."""
    if region.is_not_negative(x):
        return x
    if region.is_not_negative(MINUS * x):
        return NOTHING
    leading = next(value for monomial, value in x.terms if monomial)
    if leading < 0:
        return x + rectified(MINUS * x, region)
    return Polynomial.number(leading) * Polynomial.atom(Rectified(Polynomial.number(1 / leading) * x))


def same(left: Polynomial, right: Polynomial, region: Region) -> bool:
    """Whether two are equal for certain, where min(1, max(0, x)) is max(0, x) - max(0, x - 1): Bhattamishra et al.
    (2020), section 3.2."""
    return left == right or _in_rectified(left, region) == _in_rectified(right, region)


def _in_rectified(polynomial: Polynomial, region: Region) -> Polynomial:
    saturated = [atom for atom in polynomial.atoms if isinstance(atom, Saturated)]
    return polynomial.replaced(
        {
            atom: rectified(atom.argument, region) - rectified(atom.argument - Polynomial.number(1), region)
            for atom in saturated
        }
    )


def looked_at(left: Values, right: Values, ahead: Polynomial, region: Region) -> dict[str, Polynomial] | None:
    """What hardmax brings of two values, where the score of the left one is that of the right one and `ahead`, and
    both are looked at, with any weights, where that is 0; None where this is not known.

    Where the values differ by c times `ahead`, they are the same where both are looked at.
    """
    if region.is_positive(ahead):
        return dict(left)
    if region.is_positive(MINUS * ahead):
        return dict(right)
    found = {}
    for row in dict.fromkeys((*left, *right)):
        other = right.get(row, NOTHING)
        more = left.get(row, NOTHING) - other
        factor = _ratio(more, ahead)
        if factor is None:
            return None
        found[row] = other + (rectified(more, region) if factor > 0 else MINUS * rectified(MINUS * more, region))
    return found


def _ratio(x: Polynomial, of: Polynomial) -> fmpq | None:
    """c, where x is c times the other."""
    if x == NOTHING:
        return fmpq(0)
    known = dict(of.terms)
    monomial, value = x.terms[0]
    if monomial not in known:
        return None
    factor: fmpq = value / known[monomial]
    return factor if Polynomial.number(factor) * of == x else None
