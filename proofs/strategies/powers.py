"""Sums of powers of e whose exponents are made of scales: when such a sum is not negative, or positive.

It is where each negative power of e is at most a positive one, another for each: e^x >= e^y where x >= y. Two positive
and two negative powers compare by their exponents in two more ways:

    Apart: e^a + e^b >= e^x + e^y where a is at least x and y, and a + b at least x + y. The sum of a convex increasing
    function grows where its arguments move apart or up (Karamata's inequality).

    Below twice their mean: e^a + e^b >= 2 e^m with m = (a + b)/2, and e^x + e^y <= 2 e^m where m - y is at least
    P >= 0, x - m at most p, P at most B and (1 + 2 B) p at most P. For p <= 0 this is plain; for p > 0,
    e^-P <= 1/(1 + P) and e^p <= 1/(1 - p) <= (1 + 2 P)/(1 + P), and these add up to 2.

Exponents are sums of scales with positive factors, which are compared factor by factor. Scales of two positions compare
by their squares: R(i) <= r R(j) where 1/R(j)^2 <= r^2/R(i)^2, and so does a scale with a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isqrt

import sympy

from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.strategies.scales import COMPARED, at_most, is_below, scales_of
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_power_of_e, is_scale
from weightproof.symbolic.derivation import Derivation

RATIOS = (sympy.S.One, sympy.Rational(6, 5), sympy.Integer(2), sympy.Integer(3))
"""Of two scales, those that are looked for."""
LEAST_SQUARE, LARGEST_SQUARE = sympy.Rational(1, 4), sympy.Integer(64)
"""Of a number that a scale is compared with."""

Shown = tuple[list[Implication], bool]
"""Obligations that make a value >= 0, and whether they make it > 0."""


def together(parts: Iterable[Shown | None]) -> Shown | None:
    """What shows that all of some values are >= 0, and whether one of them is > 0; None where one is not shown."""
    found: list[Implication] = []
    strict = False
    for part in parts:
        if part is None:
            return None
        found += part[0]
        strict |= part[1]
    return found, strict


@dataclass(frozen=True)
class Power:
    """factor * e^exponent, the factor being a product without powers of e."""

    factor: sympy.Expr
    exponent: sympy.Expr

    @staticmethod
    def of(term: sympy.Expr) -> Power:
        factor, exponent = sympy.S.One, sympy.S.Zero
        for part in sympy.Mul.make_args(term):
            base, power = part.as_base_exp()
            if is_power_of_e(base):
                exponent += power * base.args[0]
            else:
                factor *= part
        return Power(factor, sympy.expand(exponent))

    def at(self, moved: Mapping[sympy.Expr, sympy.Expr]) -> Power:
        """With other atoms."""
        return Power(self.factor.xreplace(dict(moved)), sympy.expand(self.exponent.xreplace(dict(moved))))


@dataclass(frozen=True)
class Powers:
    """What shows that a sum of powers is >= 0 in a context, as far as it is found: where it is not, a method says None.
    The obligations' names begin with `name`."""

    derivation: Derivation
    context: Context
    name: str

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    def obligation(
        self, part: str, goal: Rel, relations: tuple[Rel, ...] = (), where: Context | None = None
    ) -> Implication:
        return Implication(f"{self.name}, {part}", self.vocabulary, where or self.context, relations, goal)

    def sum_at_least_0(self, powers: list[Power]) -> Shown | None:
        powers = collected(powers)
        if not powers:
            return [], False
        sides = self.sides(powers)
        if sides is None:
            return None
        above, below = sides
        matched = self.matched(above, below)
        if matched is not None:
            return matched[1][0], matched[1][1] or len(above) > len(below)
        if len(below) != 2:
            return None
        apart = (self.apart(*pair, *below) for pair in itertools.permutations(above, 2))
        between = itertools.product(itertools.combinations(above, 2), itertools.permutations(below))
        below_the_mean = (self.below_the_mean(*pair, *less) for pair, less in between)
        closed = next((way for way in itertools.chain(apart, below_the_mean) if way is not None), None)
        return None if closed is None else (closed[0], closed[1] or len(above) > 2)

    def sides(self, powers: list[Power]) -> tuple[list[sympy.Expr], list[sympy.Expr]] | None:
        """The exponents of positive and of negative powers, where all factors are the same but for their signs."""
        if len({canonical(power.factor**2) for power in powers}) != 1:
            return None
        signs = [sign_of(power.factor, self.context, self.vocabulary) for power in powers]
        if any(sign not in (Sign.POSITIVE, Sign.NEGATIVE) for sign in signs):
            return None
        above = [p.exponent for p, sign in zip(powers, signs, strict=True) if sign is Sign.POSITIVE]
        below = [p.exponent for p, sign in zip(powers, signs, strict=True) if sign is Sign.NEGATIVE]
        return above, below

    def matched(self, above: list[sympy.Expr], below: list[sympy.Expr]) -> tuple[tuple[sympy.Expr, ...], Shown] | None:
        """For each exponent of those below one of those above, another one each, that is no less."""
        for chosen in itertools.permutations(above, len(below)):
            closed = self.all_at_least_0([x - y for x, y in zip(chosen, below, strict=True)])
            if closed is not None:
                return chosen, closed
        return None

    def apart(self, a: sympy.Expr, b: sympy.Expr, x: sympy.Expr, y: sympy.Expr) -> Shown | None:
        """e^a + e^b >= e^x + e^y, by Karamata's inequality."""
        closed, total = self.all_at_least_0([a - x, a - y]), self.at_least_0(a + b - x - y)
        return None if closed is None or total is None else ([*closed[0], *total[0]], total[1])

    def below_the_mean(self, a: sympy.Expr, b: sympy.Expr, x: sympy.Expr, y: sympy.Expr) -> Shown | None:
        """e^a + e^b >= e^x + e^y, by twice e^m between them: P and p are what m - y and x - m have without parameters,
        of which nothing bounds the rest."""
        middle = (a + b) / 2
        (P, further), (p, beyond) = _without_parameters(middle - y), _without_parameters(x - middle)
        closed = self.all_at_least_0([further, -beyond, P])
        least = None if closed is None else self.bound(P)
        small = None if least is None else self.at_least_0(P - (1 + 2 * least[0]) * p)
        if closed is None or least is None or small is None:
            return None
        return [*closed[0], *least[1], *small[0]], small[1]

    def bound(self, value: sympy.Expr) -> tuple[sympy.Rational, list[Implication]] | None:
        """A number that is at least a sum of products of scales; what shows it."""
        total, found = sympy.S.Zero, dict[sympy.Expr, tuple[sympy.Rational, list[Implication]]]()
        for term in sympy.Add.make_args(sympy.expand(value)):
            parts = sympy.Mul.make_args(term)
            factor = sympy.Mul(*(part for part in parts if not scales_of(part)))
            square = factor**2
            if factor.is_nonpositive:
                continue
            if not factor.is_positive or not square.is_Rational:
                return None
            for scale, power in (part.as_base_exp() for part in parts if scales_of(part)):
                known = found[scale] if scale in found else self._bound_of(scale)
                if known is None or not power.is_Integer or power < 0:
                    return None
                found[scale] = known
                square *= known[0] ** power
            total += _root_above(square)
        return total, [item for _, items in found.values() for item in items]

    def _bound_of(self, scale: sympy.Expr) -> tuple[sympy.Rational, list[Implication]] | None:
        """A number whose root is at least a scale, to the eighth part."""
        if not is_scale(scale):
            return None
        square, shown = LEAST_SQUARE, None
        while shown is None and square <= LARGEST_SQUARE:
            square *= 2
            shown = is_below(scale, square, self.context, self.derivation)
        if shown is None:
            return None
        step = square / 4
        for _ in range(3):
            closer = is_below(scale, square - step, self.context, self.derivation)
            if closer is not None:
                square, shown = square - step, closer
            step /= 2
        return square, [self.obligation(COMPARED, goal, where=where) for where, goal in shown]

    def all_at_least_0(self, values: list[sympy.Expr]) -> Shown | None:
        """As `at_least_0`, of each of them, and whether one of them is > 0."""
        return together(map(self.at_least_0, values))

    def at_least_0(self, value: sympy.Expr) -> Shown | None:
        """Of a sum of scales with factors: what does not depend on the position is put outside, by its sign; scales
        that have the same factor are compared with each other."""
        if sympy.expand(value) == 0:
            return [], False
        known = signed(value, self.context, self.vocabulary)
        if known.denominator or len(known.numerator) > 1:
            return None
        if not known.numerator:
            return ([], True) if known.direction > 0 else None
        groups: dict[sympy.Expr, dict[sympy.Expr, sympy.Rational]] = {}
        for term in sympy.Add.make_args(sympy.expand(known.direction * known.numerator[0])):
            weight, product = term.as_coeff_Mul()
            factor, scale = product.as_independent(*scales_of(product))
            if not is_scale(scale) or sign_of(factor, self.context, self.vocabulary) is not Sign.POSITIVE:
                return None
            groups.setdefault(factor, {})[scale] = weight
        return together(map(self._covered, groups.values()))

    def _covered(self, weights: dict[sympy.Expr, sympy.Rational]) -> Shown | None:
        """The negative multiples of scales are covered by positive ones of other scales that are not much smaller."""
        left = {scale: weight for scale, weight in weights.items() if weight > 0}
        relations: list[Rel] = []
        found: list[Implication] = []
        for scale, weight in weights.items():
            if weight > 0:
                continue
            for other in sorted(left, key=str):
                ratio = self.ratio(scale, other) if left[other] > 0 else None
                if ratio is not None:
                    covered = min(-weight, left[other] / ratio[0])
                    weight += covered
                    left[other] -= covered * ratio[0]
                    relations.append(Rel(">=", ratio[0] * other - scale))
                    found += [self.obligation(COMPARED, goal, where=where) for where, goal in ratio[1]]
                if weight == 0:
                    break
            else:
                return None
        strict = any(weight > 0 for weight in left.values())
        total = sympy.Add(*(weight * scale for scale, weight in weights.items()))
        return [*found, self.obligation("exponents", Rel(">" if strict else ">=", total), tuple(relations))], strict

    def ratio(self, scale: sympy.Expr, other: sympy.Expr) -> tuple[sympy.Rational, list[tuple[Context, Rel]]] | None:
        """The least r of RATIOS with scale <= r other, and what shows it."""
        for ratio in RATIOS:
            shown = at_most(scale, ratio * other, self.context, self.derivation)
            if shown is not None:
                return ratio, shown
        return None


def collected(powers: list[Power]) -> list[Power]:
    """Powers with the same exponent added up; what is 0 is left out."""
    factors: dict[sympy.Expr, sympy.Expr] = {}
    for power in powers:
        factors[power.exponent] = factors.get(power.exponent, sympy.S.Zero) + power.factor
    return [Power(factor, exponent) for exponent, factor in factors.items() if sympy.expand(factor) != 0]


def _without_parameters(value: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The terms that are products of numbers and scales, and the others."""
    terms = sympy.Add.make_args(sympy.expand(value))
    plain = [term for term in terms if term.as_independent(*scales_of(term))[0].is_number]
    return sympy.Add(*plain), sympy.Add(*(term for term in terms if term not in plain))


def _root_above(square: sympy.Rational) -> sympy.Rational:
    """The root rounded up to a sixteenth."""
    root = isqrt(int(sympy.floor(256 * square)))
    return sympy.Rational(root + 1, 16)
