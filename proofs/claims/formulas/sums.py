"""Claims about sums of k terms, by induction on k; about what stands in a matrix or in a list; about weights of subsets
that are made of factorials, by how they grow; and about cosines and sines: of angles, by those of
single ones, of frequencies, by remainders."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flint import fmpq

from weightproof.constructions.claims import formulas as says
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.always import differs, is_true
from weightproof.proofs.claims.formulas.quotients import Quotient, no, polynomial, power, quotient
from weightproof.proofs.quantities.outcome import NO_VALUE, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.waves import Phase, Waves, cos, sin
from weightproof.symbolic.simulation.polynomial import Polynomial

MOST_TERMS = 12
"""Terms of the sums that are tried."""
LARGEST_INDEX = 4
"""Numbers that are tried for indices."""


def judge_sum(said: says.Adds) -> Outcome:
    """The total is 0 at k = 0, and grows by the term: of even and of odd k, both as polynomials in half of k."""
    so_far: Real = fmpq(0)
    for terms in range(MOST_TERMS + 1):
        try:
            so_far = so_far + (evaluate(said.term, {"i": fmpq(terms)}) if terms else fmpq(0))
            printed = evaluate(said.total, {"k": fmpq(terms)})
            apart = sign(printed - so_far) != 0
        except Undecided:
            return Open(f"whether both sides are equal at k = {terms} is not decided")
        except ArithmeticError:
            return differs("the sum", "a number", NO_VALUE, {"k": terms})
        if apart:
            return differs("the sum", printed, so_far, {"k": terms})
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


def judge_among(said: says.Among) -> Outcome:
    """What is not allowed, with indices at which it stands."""
    others = {entry: condition for entry, condition in said.entries.items() if entry not in said.allowed}
    for entry, condition in others.items():
        for values in itertools.product(range(1, LARGEST_INDEX + 1), repeat=len(said.over)):
            names: dict[str, Real] = dict(zip(said.over, map(fmpq, values), strict=True))
            if is_true(condition, names):
                return differs("an entry", f"one of {', '.join(said.allowed)}", entry, names, f"also {entry}")
    if others:
        return Open(f"it was not found where {', '.join(others)} stands")
    return Holds("all entries", "")


OF_ALL_SETS = Holds("all finite sets", Evidence.CERTIFICATE.value)
LARGEST_SET = 6
"""Elements of the sets that are tried."""
ONE = Polynomial.number(1)
S, H = Polynomial.atom("s"), Polynomial.atom("h")


def judge_weighs(said: says.Weighs) -> Outcome:
    """A subset of which the weights differ, or else an induction: they are equal at s = 0 and h = 1, and grow alike as
    h grows and then s, with 0 <= s < h all the way."""
    for h, s in _sizes():
        left, right = _at(said.left, s, h), _at(said.right, s, h)
        if left is None or right is None:
            return _apart("both weights", "numbers", None, s, h)
        if left != right:
            return _apart("the weight", str(right), left, s, h)
    if not _is_defined(said.left) or not _is_defined(said.right):
        return Open("whether all factorials are of natural numbers is not seen")
    if all(_equal(_grown(said.left, size), _grown(said.right, size)) for size in ("s", "h")):
        return OF_ALL_SETS
    return Open("both sides have other factors, but are equal for small sets")


def judge_shares(said: says.Shares) -> Outcome:
    """Together they get a multiple of each v(T): of v(H) once, and of no other. T of t elements counts in the share of
    each of these with the weight of t - 1, and, subtracted, in that of each of the h - t others with the weight of t.
    So h times the weight of h - 1 is 1, by induction on h; and h - t times the weight of t is t times that of t - 1.
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
    whole = _grown(said.weight, "h", s=H - ONE) * _grown(said.weight, "s", s=H - ONE, h=H + ONE)
    others = _grown(said.weight, "s", s=S - ONE)
    if _equal(whole * Quotient(H + ONE), Quotient(H)) and _equal(others * Quotient(H - S), Quotient(S)):
        return OF_ALL_SETS
    return Open("the shares add up for small sets; it is not seen that they do for all")


def _sizes() -> Iterator[tuple[int, int]]:
    for h in range(1, LARGEST_SET + 1):
        for s in range(h):
            yield h, s


def _apart(what: str, printed: str, found: fmpq | None, s: int, h: int) -> Fails:
    return differs(what, printed, NO_VALUE if found is None else found, {"s": s, "h": h})


def _at(weight: says.Factorials, s: int, h: int) -> fmpq | None:
    """None where a factorial is of no natural number, nor of 0."""
    value = fmpq(1)
    for part, exponent in ((weight.over, 1), (weight.under, -1)):
        for each in part:
            number = evaluate(each, {"s": fmpq(s), "h": fmpq(h)})
            if not isinstance(number, fmpq) or number.q != 1 or number < 0:
                return None
            value *= fmpq(math.factorial(int(number.p))) ** exponent
    return value


def _is_defined(weight: says.Factorials) -> bool:
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


def _grown(weight: says.Factorials, size: str, **at: Polynomial) -> Quotient:
    """What a weight is multiplied by as s or h grows by 1, from these sizes: (L + a)!/L! is a product of a factors."""
    ratio = Quotient.number(1)
    for arguments, above in ((weight.over, True), (weight.under, False)):
        for argument in map(_linear, arguments):
            step, start = int(dict(argument.terms).get((size,), 0)), argument.replaced(at)
            for j in range(1, abs(step) + 1):
                factor = Quotient(start + Polynomial.number(j if step > 0 else 1 - j))
                ratio = ratio * factor if above is (step > 0) else ratio / factor
    return ratio


def _equal(left: Quotient, right: Quotient) -> bool:
    return not (left - right).over.terms


OF_ALL_ANGLES = Holds("all angles", Evidence.CERTIFICATE.value)
POINTS = tuple(((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in map(fmpq, (1, 2, 0, 3), (2, 3, 1, 4)))
"""Cosine and sine of a few angles: rational points of the circle, by half the angle's tangent."""


def judge_circular(said: says.Circular) -> Outcome:
    """Both sides are sums of waves e^(i x), equal for all angles where these are the same; where they are not, they
    differ at some angles, and rational cosines and sines show it."""
    sides = (said.left, said.right)
    left, right = (_sum(side, _in_waves, Waves.number) for side in sides)
    if left == right:
        return OF_ALL_ANGLES
    names = sorted({name for side in sides for _, product in side for wave in product for name in wave.angles})
    for chosen in itertools.product(POINTS, repeat=len(names)):
        points = dict(zip(names, chosen, strict=True))
        found, printed = (_sum(side, functools.partial(_at_point, points), fmpq) for side in sides)
        if found != printed:
            at = {f"cos({name})": cos for name, (cos, _) in points.items()}
            at |= {f"sin({name})": sin for name, (_, sin) in points.items()}
            return differs("the left side", printed, found, at)
    return Open("they differ as sums of waves, but at none of a few angles")


def _sum(of: says.Waves, wave: Callable[[says.Wave], Any], number: Callable[[int], Any]) -> Any:
    """A sum of products of waves, each read as a number of some kind."""
    return sum((math.prod(map(wave, product), start=number(times)) for times, product in of), start=number(0))


def _in_waves(wave: says.Wave) -> Waves:
    phase = Phase.of((((name, 1),), fmpq(times)) for name, times in wave.angles.items())
    return PROVER.of("wave", wave.function, {"cos": cos, "sin": sin})(phase)


def _at_point(points: Mapping[str, tuple[fmpq, fmpq]], wave: says.Wave) -> fmpq:
    """By turning the point (1, 0) once for every multiple of an angle."""
    x, y = fmpq(1), fmpq(0)
    for name, times in wave.angles.items():
        cos, sin = points[name][0], points[name][1] * (1 if times > 0 else -1)
        for _ in range(abs(times)):
            x, y = x * cos - y * sin, x * sin + y * cos
    return PROVER.of("wave", wave.function, {"cos": x, "sin": y})


def judge_peak(said: says.Peak) -> Outcome:
    """cos(2 pi k x/m) is 1 where m divides k x, and less elsewhere. So the sum is greatest at the multiples of m, and
    just there if no frequency alone has it elsewhere; k and x count by their remainders."""
    m = said.modulus
    for k in range(m):
        if k % m in said.without:
            continue
        for x in range(1, m):
            if k * x % m == 0:
                return differs(f"cos(2 pi k x/{m})", "less than 1", fmpq(1), {"k": k or m, "x": x})
    chosen = m - len({k % m for k in said.without})
    return Holds("all frequencies", Evidence.CERTIFICATE.value) if chosen else Open("there is no such frequency")
