"""Claims about sums of k terms, by induction on k; about what stands in a matrix or in a list; about weights of subsets
that are made of factorials, by their factors; and about cosines and sines: of angles, by their exponentials, of
frequencies, by remainders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.claims.formulas import (
    Adds,
    Among,
    Circular,
    Factorials,
    Peak,
    Shares,
    Wave,
    Waves,
    Weighs,
)
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.always import explained_number, is_true, text
from weightproof.proofs.claims.formulas.quotients import Quotient, no, polynomial, power, quotient
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import NO_VALUE, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

MOST_TERMS = 12
"""Terms of the sums that are tried."""
LARGEST_INDEX = 4
"""Numbers that are tried for indices."""


def judge_sum(said: Adds) -> Outcome:
    """The total is 0 at k = 0, and grows by the term: of even and of odd k, both as polynomials in half of k."""
    so_far: Real = fmpq(0)
    for terms in range(MOST_TERMS + 1):
        place = {"k": str(terms)}
        try:
            so_far = so_far + (evaluate(said.term, {"i": fmpq(terms)}) if terms else fmpq(0))
            total = evaluate(said.total, {"k": fmpq(terms)})
            apart = sign(total - so_far) != 0
        except Undecided:
            return Open(f"whether both sides are equal at k = {terms} is not decided")
        except ArithmeticError:
            return Fails(explained(NO_VALUE), Evaluated("the sum", "a number", NO_VALUE, parameters=place))
        if apart:
            return Fails(explained_number(so_far), Evaluated("the sum", text(total), text(so_far), parameters=place))
    for rest in (0, 1):
        k = Quotient.number(2) * Quotient.atom("half") + Quotient.number(rest)
        later = k + Quotient.number(1)
        grown = _come_to(said.total, "k", later) - _come_to(said.total, "k", k)
        if grown != _come_to(said.term, "i", later):
            return Open(f"by {grown}, not by the term, the total grows behind k = 2*half + {rest}")
    return Holds("all k", Evidence.CERTIFICATE.value)


def _come_to(formula: Expression, name: str, at: Quotient) -> Polynomial:
    return polynomial(quotient(formula, {name: at}.__getitem__, modulo=_remainder, power=_sign))


def _remainder(left: Quotient, right: Quotient) -> Quotient:
    """The remainder of the division by 2, where all but a constant is even."""
    terms = dict(polynomial(left).terms)
    whole = all(value.q == 1 for value in terms.values())
    if right.whole != 2 or not whole or any(int(value.p) % 2 for monomial, value in terms.items() if monomial):
        return no(f"{left} % {right}")
    return Quotient.number(int(terms[()].p) % 2 if () in terms else 0)


def _sign(base: Quotient, exponent: Quotient) -> Quotient:
    """A power of -1, by the parity of the exponent, or of others with a natural number for it."""
    if base.whole != -1:
        return power(base, exponent)
    return Quotient.number(1) - Quotient.number(2) * _remainder(exponent, Quotient.number(2))


def judge_among(said: Among) -> Outcome:
    """What is not allowed, with indices at which it stands."""
    others = {entry: condition for entry, condition in said.entries.items() if entry not in said.allowed}
    for entry, condition in others.items():
        for values in itertools.product(range(1, LARGEST_INDEX + 1), repeat=len(said.over)):
            names: dict[str, Real] = dict(zip(said.over, map(fmpq, values), strict=True))
            if is_true(condition, names):
                place = {name: text(value) for name, value in names.items()}
                allowed = f"one of {', '.join(said.allowed)}"
                return Fails(explained(f"also {entry}"), Evaluated("an entry", allowed, entry, parameters=place))
    if others:
        return Open(f"it was not found where {', '.join(others)} stands")
    return Holds("all entries", "")


OF_ALL_SETS = Holds("all finite sets", Evidence.CERTIFICATE.value)
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
        return OF_ALL_SETS
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
        return OF_ALL_SETS
    return Open("the shares add up for small sets; it is not seen that they do for all")


def _sizes() -> Iterator[tuple[int, int]]:
    for h in range(1, LARGEST_SET + 1):
        for s in range(h):
            yield h, s


def _apart(what: str, printed: str, found: fmpq | None, s: int, h: int) -> Fails:
    place = {"s": str(s), "h": str(h)}
    if found is None:
        return Fails(explained(NO_VALUE), Evaluated(what, printed, NO_VALUE, parameters=place))
    return Fails(explained_number(found), Evaluated(what, printed, str(found), parameters=place))


def _at(weight: Factorials, s: int, h: int) -> fmpq | None:
    """None where a factorial is of no natural number, nor of 0."""
    value = fmpq(1)
    for part, exponent in ((weight.over, 1), (weight.under, -1)):
        for each in part:
            number = evaluate(each, {"s": fmpq(s), "h": fmpq(h)})
            if not isinstance(number, fmpq) or number.q != 1 or number < 0:
                return None
            value *= fmpq(math.factorial(int(number.p))) ** exponent
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


OF_ALL_ANGLES = Holds("all angles", Evidence.CERTIFICATE.value)
Gaussian = tuple[fmpq, fmpq]
"""Real and imaginary part."""
Powers = tuple[int, ...]
"""The exponents of e^(i angle), for each angle."""
POINTS: tuple[Gaussian, ...] = tuple(
    ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in map(fmpq, (1, 2, 0, 3), (2, 3, 1, 4))
)
"""Cosine and sine of a few angles: rational points of the circle, by half the angle's tangent."""


def judge_circular(said: Circular) -> Outcome:
    """Sums of products of exponentials of angles are equal for all angles where their coefficients are; where these
    differ, they do at some angles, and rational cosines and sines show it."""
    names = sorted(
        {angle for side in (said.left, said.right) for _, product in side for wave in product for angle in wave.angles}
    )
    if _in_exponentials(said.left, names) == _in_exponentials(said.right, names):
        return OF_ALL_ANGLES
    for points in itertools.product(POINTS, repeat=len(names)):
        at = dict(zip(names, points, strict=True))
        left, right = _sum_of_waves(said.left, at), _sum_of_waves(said.right, at)
        if left != right:
            place = {f"cos({name})": str(c) for name, (c, _) in at.items()}
            place |= {f"sin({name})": str(s) for name, (_, s) in at.items()}
            return Fails(explained_number(left), Evaluated("the left side", str(right), str(left), parameters=place))
    return Open("they differ as polynomials in exponentials, but at none of a few angles")


def _times(a: Gaussian, b: Gaussian) -> Gaussian:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _in_exponentials(waves: Waves, names: list[str]) -> dict[Powers, Gaussian]:
    """cos x = (e^(ix) + e^(-ix))/2, sin x = (e^(ix) - e^(-ix))/(2i)."""
    total: dict[Powers, Gaussian] = {}
    for coefficient, product in waves:
        found: dict[Powers, Gaussian] = {(0,) * len(names): (fmpq(coefficient), fmpq(0))}
        for wave in product:
            up = tuple(wave.angles.get(name, 0) for name in names)
            half = fmpq(1, 2)
            parts = ((up, (half, fmpq(0))), (tuple(-k for k in up), (half, fmpq(0))))
            if PROVER.of("wave", wave.function, {"cos": False, "sin": True}):
                parts = ((up, (fmpq(0), -half)), (tuple(-k for k in up), (fmpq(0), half)))
            grown: dict[Powers, Gaussian] = {}
            for (powers, value), (more, factor) in itertools.product(found.items(), parts):
                _add(grown, tuple(a + b for a, b in zip(powers, more, strict=True)), _times(value, factor))
            found = grown
        for powers, value in found.items():
            _add(total, powers, value)
    return {powers: value for powers, value in total.items() if value != (0, 0)}


def _add(total: dict[Powers, Gaussian], powers: Powers, value: Gaussian) -> None:
    before = total.get(powers, (fmpq(0), fmpq(0)))
    total[powers] = (before[0] + value[0], before[1] + value[1])


def _sum_of_waves(waves: Waves, at: Mapping[str, Gaussian]) -> fmpq:
    total = fmpq(0)
    for coefficient, product in waves:
        value = fmpq(coefficient)
        for wave in product:
            value *= _wave(wave, at)
        total += value
    return total


def _wave(wave: Wave, at: Mapping[str, Gaussian]) -> fmpq:
    """The value of a wave, by turning the point (1, 0) once for every multiple of an angle."""
    point: Gaussian = (fmpq(1), fmpq(0))
    for name, times in wave.angles.items():
        c, s = at[name]
        for _ in range(abs(times)):
            point = _times(point, (c, s if times > 0 else -s))
    return PROVER.of("wave", wave.function, {"cos": point[0], "sin": point[1]})


def judge_peak(said: Peak) -> Outcome:
    """cos(2 pi k x/m) is 1 where m divides k x, and less elsewhere. So the sum is greatest at the multiples of m, and
    just there if no frequency alone has it elsewhere; k and x count by their remainders."""
    m = said.modulus
    for k in range(m):
        if k % m in said.without:
            continue
        for x in range(1, m):
            if k * x % m == 0:
                place = {"k": str(k or m), "x": str(x)}
                what = f"cos(2 pi k x/{m})"
                return Fails(explained_number(fmpq(1)), Evaluated(what, "less than 1", "1", parameters=place))
    chosen = m - len({k % m for k in said.without})
    return Holds("all frequencies", Evidence.CERTIFICATE.value) if chosen else Open("there is no such frequency")
