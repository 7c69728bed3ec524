"""Claims about sums over the entries of vectors of every length.

A sum of a polynomial in entries is a sum of multiples of moments, the sums of the monomials. A claim holds where both
sides are the same quotient of polynomials in moments and numbers, and where nothing divides by what may be 0; nothing
more is used of vectors than the signs of entries. It is false where it is for vectors that are written out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from weightproof.constructions.claims.formulas import Each, Entries, Numbers, OfVectors, Sum
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.always import MOST_COMBINATIONS, refuted, sides, tried
from weightproof.proofs.claims.formulas.quotients import Quotient, Sign, has_value, polynomial, quotient, sign_of
from weightproof.proofs.quantities.outcome import Holds, Open, Outcome
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Monomial, Polynomial, total

SCOPE = "all vectors"
HOLDS = Holds(SCOPE, Evidence.CERTIFICATE.value)
Vector = tuple[fmpq, ...]
SAMPLES: Mapping[Entries, tuple[Vector, ...]] = {
    "real": ((0, 4), (1, 3), (1, 1), (2,), (0, 1, 5), (-1, 2, 2)),
    "positive": ((1, 1), (1, 3), (2,), (1, 2, 3)),
    "distribution": ((fmpq(1, 2), fmpq(1, 2)), (fmpq(1, 4), fmpq(3, 4)), (1,), (fmpq(1, 2), fmpq(1, 4), fmpq(1, 4))),
}
"""The vectors that are tried, of one to three entries."""


def judge_vectors(said: OfVectors) -> Outcome:
    """Vectors and numbers for which it is false, or else a certificate."""
    for vectors, names in itertools.islice(_tried(said), MOST_COMBINATIONS):
        try:
            defined = _defined(said, vectors, names)
        except Undecided:
            continue
        failure = refuted(said.says, defined, vectors | names)
        if failure is not None:
            return failure
    return HOLDS if _is_certain(said) else Open("both sides differ as sums over entries, and no vector was found")


def _tried(said: OfVectors) -> Iterator[tuple[dict[str, Any], dict[str, Real]]]:
    """Vectors of one length, and numbers."""
    for size in (2, 1, 3):
        choices = [[v for v in SAMPLES[entries] if len(v) == size] for entries in said.vectors.values()]
        for chosen in itertools.product(*choices):
            for names in tried(said.numbers):
                yield {name: tuple(map(fmpq, v)) for name, v in zip(said.vectors, chosen, strict=True)}, names


class _NoValue(dict[str, Real]):
    """Names of which one has no value: whoever asks for one meets the division by 0 that left it without."""

    def __missing__(self, name: str) -> Real:
        raise ZeroDivisionError(name)


def _defined(said: OfVectors, vectors: Mapping[str, Vector], numbers: Mapping[str, Real]) -> dict[str, Real]:
    """The numbers that are defined one after the other, as far as they have a value, and those that are given."""
    size = len(next(iter(vectors.values())))
    entries: dict[str, Sequence[Real]] = dict(vectors)
    names = _NoValue(numbers)
    names[said.length] = fmpq(size)
    for name, defined in said.let.items():
        try:
            values = [
                evaluate(defined.of, _NoValue({**names, **{each: v[place] for each, v in entries.items()}}))
                for place in range(size)
            ]
            if isinstance(defined, Each):
                entries[name] = values
            else:
                first = values if defined.upto is None else values[: _whole(evaluate(defined.upto, names))]
                names[name] = sum(first, start=fmpq(0)) / (size if defined.mean else 1)
        except Undecided:
            raise
        except ArithmeticError:
            continue
    return names


def _whole(value: Real) -> int:
    if not isinstance(value, fmpq) or value.q != 1 or value < 0:
        raise ZeroDivisionError(f"there are no first {value} entries")
    return int(value.p)


@dataclass
class _Reading:
    """What is known so far. entries: atoms that have another value at each entry; roots: what a root is the root of."""

    said: OfVectors
    values: dict[str, Quotient]
    known: dict[str, Sign | None]
    entries: set[str]
    roots: dict[str, Quotient] = field(default_factory=dict)

    @staticmethod
    def of(said: OfVectors) -> _Reading:
        signs: dict[str, Sign | None] = {
            **{name: None if kind == "real" else "+" for name, kind in said.vectors.items()},
            **{name: SIGNS.get(kind) for name, kind in said.numbers.items()},
            said.length: "+",
        }
        return _Reading(said, {name: Quotient.atom(name) for name in signs}, signs, set(said.vectors))

    def define(self, name: str, defined: Each | Sum) -> None:
        """Underivable where it may have no value, or where this arithmetic has no word for it."""
        value = self.read(defined.of)
        if isinstance(defined, Each):
            self.values[name], self.known[name] = value, sign_of(defined.of.tree, self.known)
            return
        if value.under.atoms & self.entries:
            raise Underivable("it divides by an entry")
        self.values[name] = self._summed(value, defined)
        self.known[name] = self._sign(defined)

    def read(self, formula: Expression) -> Quotient:
        if not has_value(formula, self.known):
            raise Underivable(f"{formula} may divide by 0")
        return quotient(formula, self.values.__getitem__, function=self._function)

    def _function(self, name: str, argument: Quotient) -> Quotient:
        """An atom of its own; equal arguments that are written alike have equal values."""
        if name not in ("exp", "log", "sqrt"):
            raise Underivable(f"it speaks of {name}")
        atom = f"{name}({argument})"
        if argument.atoms & self.entries:
            self.entries.add(atom)
        if name == "sqrt":
            self.roots[atom] = argument
        return Quotient.atom(atom)

    def _summed(self, value: Quotient, defined: Sum) -> Quotient:
        """Its moments, over what it divides by."""
        upto = "" if defined.upto is None else self._number(defined.upto)
        parts = []
        for monomial, coefficient in value.over.terms:
            varying = tuple(atom for atom in monomial if atom in self.entries)
            fixed = Polynomial.of({tuple(atom for atom in monomial if atom not in self.entries): coefficient})
            parts.append(fixed * self._moment(varying, upto))
        under = value.under * Polynomial.atom(self.said.length) if defined.mean else value.under
        return Quotient(total(parts), under)

    def _number(self, upto: Expression) -> str:
        """The number of the first entries, which is to be a natural number for certain, or 0."""
        kinds = {self.said.numbers.get(name, "natural" if name == self.said.length else None) for name in upto.names}
        number = polynomial(quotient(upto, self.values.__getitem__))
        whole = all(coefficient.q == 1 for _, coefficient in number.terms)
        if not kinds <= {"natural"} or not whole or sign_of(upto.tree, self.known) is None:
            raise Underivable(f"the first {upto} entries may be none")
        return str(number)

    def _moment(self, monomial: Monomial, upto: str) -> Polynomial:
        if not monomial and not upto:
            return Polynomial.atom(self.said.length)
        return Polynomial.atom(f"sum of {monomial}, {upto or 'all'}")

    def _sign(self, defined: Sum) -> Sign | None:
        """A sum of one or more positive numbers is positive."""
        sign = sign_of(defined.of.tree, self.known)
        return ">=" if sign == "+" and not self._has_terms(defined) else sign

    def _has_terms(self, defined: Sum) -> bool:
        return defined.upto is None or sign_of(defined.upto.tree, self.known) == "+"

    def is_zero(self, value: Quotient) -> bool:
        """Whether it is 0 when squares of roots are what they are roots of, the roots being free."""
        for atom, square in self.roots.items():
            even, odd = Quotient(Polynomial()), Quotient(Polynomial())
            for monomial, coefficient in value.over.terms:
                times = monomial.count(atom)
                rest = tuple(other for other in monomial if other != atom)
                term = Quotient(Polynomial.of({rest: coefficient}))
                for _ in range(times // 2):
                    term = term * square
                even, odd = (even, odd + term) if times % 2 else (even + term, odd)
            value = Quotient(even.over * odd.under + odd.over * even.under * Polynomial.atom(atom))
        return not value.over.terms


SIGNS: Mapping[Numbers, Sign] = {"positive": "+", "natural": "+", "fraction": ">="}


def _is_certain(said: OfVectors) -> bool:
    """Whether there is a certificate."""
    two = sides(said.says)
    reading = _Reading.of(said)
    try:
        for name, defined in said.let.items():
            reading.define(name, defined)
        if two is None or not has_value(said.says, reading.known):
            return False
        left, op, right = two
        if op == "==":
            return reading.is_zero(reading.read(left) - reading.read(right))
    except Underivable:
        return False
    needed = {">": ("+",), ">=": ("+", ">=")}.get(op, ())
    return right.source == "0" and sign_of(left.tree, reading.known) in needed
