"""Claims about weights of subsets that are made of factorials: their factors compared, as polynomials.

Of a set of h elements, s of which are in a subset: 0 <= s < h where one is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.claims.formulas import Factorials, Shares, Weighs
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.exactly import told_number
from weightproof.proofs.claims.formulas.quotients import Quotient, polynomial, quotient
from weightproof.proofs.quantities.outcome import NO_VALUE, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

HOLDS = Holds("all finite sets", Evidence.CERTIFICATE.value)
LARGEST_SET = 6
"""Elements of the sets that are tried."""
ONE = Polynomial.number(1)
S, H = Polynomial.atom("s"), Polynomial.atom("h")


def judge_weighs(said: Weighs) -> Outcome:
    """A subset of which the weights differ, or else the same factors of both."""
    for h, s in _sizes():
        left, right = _at(said.left, s, h), _at(said.right, s, h)
        if left is None or right is None:
            return _apart("both weights", "numbers", None, s, h)
        if left != right:
            return _apart("the weight", str(right), left, s, h)
    if not _is_defined(said.left) or not _is_defined(said.right):
        return Open("whether all factorials are of natural numbers is not seen")
    if _equal(_Product.of(said.left), _Product.of(said.right)):
        return HOLDS
    return Open("both sides have other factors, but are equal for small sets")


def judge_shares(said: Shares) -> Outcome:
    """Together they get a multiple of each v(T): of v(H) once, and of no other. T of t elements counts in the share of
    each of these with the weight of t - 1, and, subtracted, in that of each of the h - t others with the weight of t.
    """
    for h, s in _sizes():
        t = s + 1
        into, out = _at(said.weight, s, h), _at(said.weight, t, h) if t < h else fmpq(0)
        found = None if into is None or out is None else t * into - (h - t) * out
        if found != (t == h):
            what = "all shares, where v is 1 of one subset of s elements and 0 of all others"
            return _apart(what, str(int(t == h)), found, t, h)
    if not _is_defined(said.weight):
        return Open("whether all factorials are of natural numbers is not seen")
    weight = _Product.of(said.weight)
    whole, others = weight.at(s=H - ONE).times(H), weight.at(s=S - ONE).times(S)
    if _equal(whole, _Product()) and _equal(others, weight.times(H - S)):
        return HOLDS
    return Open("the shares add up for small sets; it is not seen that they do for all")


def _sizes() -> Iterator[tuple[int, int]]:
    for h in range(1, LARGEST_SET + 1):
        for s in range(h):
            yield h, s


def _apart(what: str, printed: str, found: fmpq | None, s: int, h: int) -> Fails:
    place = {"s": str(s), "h": str(h)}
    if found is None:
        return Fails(told(NO_VALUE), Evaluated(what, printed, NO_VALUE, parameters=place))
    return Fails(told_number(found), Evaluated(what, printed, str(found), parameters=place))


def _at(weight: Factorials, s: int, h: int) -> fmpq | None:
    """None where a factorial is of no natural number, nor of 0."""
    value = fmpq(1)
    for part, power in ((weight.over, 1), (weight.under, -1)):
        for each in part:
            number = evaluate(each, {"s": fmpq(s), "h": fmpq(h)})
            if not isinstance(number, fmpq) or number.q != 1 or number < 0:
                return None
            value *= fmpq(math.factorial(int(number.p))) ** power
    return value


def _is_defined(weight: Factorials) -> bool:
    """Whether every factorial is of a number from 0 on, where 0 <= s < h: so all s + 1 + more, for what is more."""
    more = S + ONE + Polynomial.atom("more")
    arguments = (_linear(each).replaced({"h": more}) for each in (*weight.over, *weight.under))
    return all(value >= 0 for argument in arguments for _, value in argument.terms)


def _linear(argument: Expression) -> Polynomial:
    """Whole multiples of s and h, and a whole number; Underivable for any other argument of a factorial."""
    found = polynomial(quotient(argument, Quotient.atom))
    if any(len(monomial) > 1 or value.q != 1 for monomial, value in found.terms):
        raise Underivable(f"{argument} is no sum of whole multiples of s, h and 1")
    return found


@dataclass(frozen=True)
class _Product:
    """Linear factors, and the arguments of factorials, above and below."""

    factors: tuple[Polynomial, ...] = ()
    over: tuple[Polynomial, ...] = ()
    under: tuple[Polynomial, ...] = ()

    @staticmethod
    def of(weight: Factorials) -> _Product:
        return _Product((), tuple(map(_linear, weight.over)), tuple(map(_linear, weight.under)))

    def times(self, factor: Polynomial) -> _Product:
        return _Product((*self.factors, factor), self.over, self.under)

    def at(self, **values: Polynomial) -> _Product:
        parts = (tuple(each.replaced(values) for each in part) for part in (self.factors, self.over, self.under))
        return _Product(*parts)


def _equal(a: _Product, b: _Product) -> bool:
    """Whether for certain they are, wherever all factorials are of numbers from 0 on: each is that of the least one of
    its kind times the factors between; those of the least ones cancel, and what is left is the same."""
    above, below = (*a.over, *b.under), (*a.under, *b.over)
    least: dict[Polynomial, fmpq] = {}
    for kind, number in map(_split, (*above, *below)):
        least[kind] = min(number, least.get(kind, number))
    left, right = (_expanded(each, least) for each in (above, below))
    same = all(left[1].count(kind) == right[1].count(kind) for kind in least if kind.terms)
    return same and _multiplied((*a.factors, *left[0])) == _multiplied((*b.factors, *right[0]))


def _split(argument: Polynomial) -> tuple[Polynomial, fmpq]:
    """What varies, its kind, and the number that is added to it."""
    number = dict(argument.terms).get((), fmpq(0))
    return argument - Polynomial.number(number), number


def _expanded(
    arguments: tuple[Polynomial, ...], least: dict[Polynomial, fmpq]
) -> tuple[list[Polynomial], list[Polynomial]]:
    """The factors that are left of factorials over those of the least arguments, and the kinds of these."""
    factors, kinds = [], []
    for argument in arguments:
        kind, number = _split(argument)
        kinds.append(kind)
        start = least[kind] if kind.terms else fmpq(0)
        factors += [kind + Polynomial.number(start + j) for j in range(1, int(number - start) + 1)]
    return factors, kinds


def _multiplied(factors: tuple[Polynomial, ...]) -> Polynomial:
    product = ONE
    for factor in factors:
        product *= factor
    return product
