"""What a coordinate is worth at a position: a polynomial in the position i and in the length n, whose coefficients are
rational numbers, or lie between two of them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import lcm
from typing import Any, cast

from flint import arb, fmpq

from weightproof.constructions.scalars.exact import Real, ball, cosine, exp, log, power, sqrt
from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.rising import Powers, Ratio, Terms, never_0
from weightproof.symbolic.algebra.constants import fmpq_of
from weightproof.symbolic.algebra.vocabulary import Underivable

ZERO, ONE = fmpq(0), fmpq(1)
BITS = 256
"""Of the balls from which the ends of irrational numbers are taken."""


@dataclass(frozen=True)
class Between:
    """A number from `low` to `high`; it is known exactly where these are the same. It may be one of them, unless it is
    above `low`, or below `high`. real: the number, where it is one that is known, but is no fraction."""

    low: fmpq
    high: fmpq
    above: bool = False
    below: bool = False
    real: Real | None = field(default=None, repr=False)

    def __hash__(self) -> int:
        """Quicker than that of fractions, of which reading takes millions."""
        return hash((int(self.low.p), int(self.low.q), int(self.high.p), int(self.high.q), self.above, self.below))

    @staticmethod
    def exactly(number: fmpq | int) -> Between:
        return Between(fmpq(number), fmpq(number))

    @staticmethod
    def around(number: Real) -> Between:
        if isinstance(number, fmpq):
            return Between(number, number)
        return replace(Between.of_ball(ball(number, BITS)), real=number)

    @staticmethod
    def of_ball(enclosed: arb) -> Between:
        low, high = (fmpq(*fmpq_of(end).as_integer_ratio()) for end in (enclosed.lower(), enclosed.upper()))
        return Between(low, high)

    @property
    def is_exact(self) -> bool:
        return bool(self.low == self.high)

    @property
    def sign(self) -> int | None:
        """None where it is not certain."""
        if self.low > 0 or (self.low == 0 and self.above):
            return 1
        if self.high < 0 or (self.high == 0 and self.below):
            return -1
        return 0 if self.low == self.high else None

    @property
    def known(self) -> Real | None:
        """The number, where it is known."""
        return self.low if self.is_exact else self.real

    def __add__(self, other: Between) -> Between:
        if (self.real or other.real) and self.known is not None and other.known is not None:
            return Between.around(self.known + other.known)
        above, below = self.above or other.above, self.below or other.below
        return Between(self.low + other.low, self.high + other.high, above, below)

    def __neg__(self) -> Between:
        return Between(-self.high, -self.low, self.below, self.above, None if self.real is None else -self.real)

    def __sub__(self, other: Between) -> Between:
        return self + -other

    def __mul__(self, other: Between) -> Between:
        """An end is attained where both of the ends that it is made of are, or one that is 0."""
        if (self.real or other.real) and self.known is not None and other.known is not None:
            return Between.around(self.known * other.known)
        ends = list[tuple[fmpq, bool]]()
        for (a, a_open), (b, b_open) in itertools.product(self._ends, other._ends):
            attained = (not a_open and not b_open) or (a == 0 and not a_open) or (b == 0 and not b_open)
            ends.append((a * b, attained))
        low, high = min(end for end, _ in ends), max(end for end, _ in ends)
        return Between(low, high, (low, True) not in ends, (high, True) not in ends)

    @property
    def _ends(self) -> tuple[tuple[fmpq, bool], tuple[fmpq, bool]]:
        return (self.low, self.above), (self.high, self.below)

    def at_least(self, bound: fmpq) -> Between:
        """The larger one of both."""
        if self.low >= bound:
            return self
        return Between(bound, self.high, False, self.below) if self.high > bound else Between(bound, bound)

    def at_most(self, bound: fmpq) -> Between:
        return -(-self).at_least(-bound)

    def beside(self, number: fmpq, sign: int) -> Between:
        """What of it is above the number, is it, or is below, as the sign says."""
        if sign == 0:
            return Between(number, number)
        if sign < 0:
            return -(-self).beside(-number, 1)
        return self if self.low > number else Between(number, max(number, self.high), True, self.below)


NOTHING = Between(ZERO, ZERO)


def hull(some: Iterable[Between]) -> Between:
    """The least that all of them lie in."""
    ends = [(each.low, each.high) for each in some]
    return Between(min(low for low, _ in ends), max(high for _, high in ends))


@dataclass(frozen=True)
class Taken:
    """A coordinate, by name, of a mean that a position takes, of all positions if `whole`, or of those up to its own
    one; place: which of the shares of a position is in it. hull: where it may be; weighing: what the weights follow
    from."""

    place: int
    name: str
    whole: bool
    hull: Between
    weighing: Hashable


@dataclass(frozen=True)
class Polynomial:
    """Coefficients by the powers of the variables, which of a value are i and n, of a score i, j and n; powers of n may
    be negative. means, ratios: that are added to it, each with a factor. No coefficient and no factor is exactly 0."""

    terms: tuple[tuple[Powers, Between], ...] = ()
    means: tuple[tuple[Taken, Between], ...] = ()
    ratios: tuple[tuple[Ratio, Between], ...] = ()

    @staticmethod
    def of(terms: Mapping[Powers, Between]) -> Polynomial:
        return Polynomial(tuple(sorted((key, value) for key, value in terms.items() if value != NOTHING)))

    @staticmethod
    def constant(number: Between) -> Polynomial:
        return Polynomial.of({(0, 0): number})

    @staticmethod
    def _with(
        terms: Mapping[Powers, Between], means: Mapping[Taken, Between], ratios: Mapping[Ratio, Between]
    ) -> Polynomial:
        kept = ((each, factor) for each, factor in means.items() if factor != NOTHING)
        quotients = ((each, factor) for each, factor in ratios.items() if factor != NOTHING)
        return replace(
            Polynomial.of(terms),
            means=tuple(sorted(kept, key=lambda item: (item[0].place, item[0].name))),
            ratios=tuple(sorted(quotients, key=lambda item: (item[0].above, item[0].under))),
        )

    def __add__(self, other: Polynomial) -> Polynomial:
        terms, means, ratios = dict(self.terms), dict(self.means), dict(self.ratios)
        for powers, value in other.terms:
            terms[powers] = terms.get(powers, NOTHING) + value
        for mean, factor in other.means:
            means[mean] = means.get(mean, NOTHING) + factor
        for ratio, factor in other.ratios:
            ratios[ratio] = ratios.get(ratio, NOTHING) + factor
        return Polynomial._with(terms, means, ratios)

    def scaled(self, factor: Between) -> Polynomial:
        terms = {powers: value * factor for powers, value in self.terms}
        means = {mean: own * factor for mean, own in self.means}
        return Polynomial._with(terms, means, {ratio: own * factor for ratio, own in self.ratios})

    @property
    def without_means(self) -> Polynomial:
        return replace(self, means=())

    @property
    def without_ratios(self) -> Polynomial:
        return replace(self, ratios=())

    @property
    def over_all(self) -> Polynomial:
        """At the last position, where means of the positions so far are of all of them."""
        means = {replace(mean, whole=True): factor for mean, factor in self.means}
        return Polynomial._with(dict(self.terms), means, dict(self.ratios))

    @property
    def enclosed(self) -> Polynomial:
        """With each mean as a number that lies where it may be; Underivable where it has ratios."""
        if self.ratios:
            raise Underivable("a quotient of the position stands where no score of hard attention needs it")
        return sum((Polynomial.constant(factor * mean.hull) for mean, factor in self.means), self.without_means)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other.scaled(Between.exactly(-1))

    def __mul__(self, other: Polynomial) -> Polynomial:
        for one, factor in ((self, other), (other, self)):
            if (one.means or one.ratios) and factor.is_number:
                return one.scaled(factor.number)
        total: dict[Powers, Between] = {}
        for (left, a), (right, b) in itertools.product(self.enclosed.terms, other.enclosed.terms):
            powers = tuple(p + q for p, q in zip(left, right, strict=True))
            total[powers] = total.get(powers, NOTHING) + a * b
        return Polynomial.of(total)

    def seen_as(self, places: tuple[int, ...], count: int) -> Polynomial:
        """The same in more variables: its own stand at these places of so many."""

        def spread(powers: Powers) -> Powers:
            wide = [0] * count
            for place, each in zip(places, powers, strict=True):
                wide[place] = each
            return tuple(wide)

        return Polynomial.of({spread(powers): value for powers, value in self.enclosed.terms})

    def at_start(self) -> Polynomial:
        """A value at position 0."""
        return replace(self, terms=tuple(term for term in self.terms if not term[0][0]))

    @property
    def is_known(self) -> bool:
        return not self.means and all(value.known is not None for _, value in (*self.terms, *self.ratios))

    @property
    def is_number(self) -> bool:
        """Whether it is the same at every position of every word."""
        more = self.means or self.ratios
        return not more and (not self.terms or (len(self.terms) == 1 and not any(self.terms[0][0])))

    @property
    def number(self) -> Between:
        """What it is, or where, if that is the same at every position of every word; Underivable where it is not."""
        match self.enclosed.terms:
            case ():
                return NOTHING
            case ((powers, value),) if not any(powers):
                return value
        raise Underivable("a value that depends on the position or the length stands where a number is needed")


Row = tuple[tuple[str, Polynomial], ...]
"""The values of coordinates, by name; those that are 0 are absent."""


def row_of(values: Mapping[str, Polynomial]) -> Row:
    return tuple(sorted((name, value) for name, value in values.items() if value != Polynomial()))


def added(*rows: Row) -> Row:
    total: dict[str, Polynomial] = {}
    for name, value in itertools.chain(*rows):
        total[name] = total[name] + value if name in total else value
    return row_of(total)


def mapped(weights: Mapping[str, Mapping[str, Expression]], row: Row, width: int) -> Row:
    """Rows of a sparse matrix times a row."""
    values = dict(row)
    total: dict[str, Polynomial] = {}
    for name, columns in weights.items():
        for column, weight in columns.items():
            if column in values:
                part = values[column] * scalar(weight, width)
                total[name] = total[name] + part if name in total else part
    return row_of(total)


@dataclass(frozen=True)
class _Exact:
    """A polynomial in i and n with exact coefficients, while a scalar is read; under: what it is divided by, which is
    no number times a power of n."""

    terms: tuple[tuple[Powers, Real], ...]
    under: _Exact | None = None

    @staticmethod
    def of(terms: Iterable[tuple[Powers, Real]], under: _Exact | None = None) -> _Exact:
        total: dict[Powers, Real] = {}
        for powers, value in terms:
            total[powers] = total[powers] + value if powers in total else value
        return _Exact(tuple((p, v) for p, v in total.items() if not (isinstance(v, fmpq) and v == 0)), under)

    @property
    def polynomial(self) -> tuple[tuple[Powers, Real], ...]:
        if self.under is not None:
            raise Underivable("a quotient of the position or the length stands where a polynomial is needed")
        return self.terms

    @property
    def number(self) -> Real:
        if any(any(powers) for powers, _ in self.polynomial):
            raise Underivable("a function, a divisor or a power of the position or the length")
        return self.terms[0][1] if self.terms else ZERO

    def __add__(self, other: _Exact) -> _Exact:
        if self.under == other.under:
            return _Exact.of((*self.terms, *other.terms), self.under)
        left, right = (_Exact(a.terms) * (b.under or UNIT) for a, b in ((self, other), (other, self)))
        return _Exact.of((*left.terms, *right.terms), (self.under or UNIT) * (other.under or UNIT))

    def __neg__(self) -> _Exact:
        return _Exact.of(((powers, -value) for powers, value in self.terms), self.under)

    def __sub__(self, other: _Exact) -> _Exact:
        return self + -other

    def __mul__(self, other: _Exact) -> _Exact:
        pairs = itertools.product(self.terms, other.terms)
        divisors = [each for each in (self.under, other.under) if each is not None]
        under = divisors[0] * divisors[1] if len(divisors) == 2 else next(iter(divisors), None)
        terms = ((tuple(p + q for p, q in zip(a, b, strict=True)), x * y) for (a, x), (b, y) in pairs)
        return _Exact.of(terms, under)

    def __truediv__(self, other: _Exact) -> _Exact:
        match other.polynomial:
            case (((0, q), divisor),):
                return _Exact.of((((a, b - q), value / divisor) for (a, b), value in self.terms), self.under)
        if not never_0(_rational(other.terms)):
            raise Underivable("a division by what may be 0")
        return _Exact.of(self.terms, other if self.under is None else self.under * other)


UNIT = _Exact((((0, 0), ONE),))


def _rational(terms: Iterable[tuple[Powers, Real]]) -> Terms:
    """Those of a polynomial of a quotient; Underivable where one is no fraction."""
    found = list[tuple[Powers, fmpq]]()
    for powers, value in terms:
        if not isinstance(value, fmpq):
            raise Underivable(
                "a quotient of polynomials in the position or the length, with numbers that are no fractions"
            )
        found.append((powers, value))
    return tuple(sorted(found))


@dataclass
class Repetition:
    """From which position on what is no polynomial in a scalar repeats itself, and after how many; it grows while
    scalars are read."""

    start: int = 0
    period: int = 1


def scalar(of: Expression, width: int, position: int = 0, found: Repetition | None = None) -> Polynomial:
    """A scalar at a position, and at those that are multiples of the period behind it if it is not before the start of
    what is `found` to repeat itself; Underivable for what is no polynomial then. Without that it is of no position."""
    return _of_no_position(of, width) if found is None else _scalar(of, width, position, found)


@functools.lru_cache(1 << 12)
def _of_no_position(of: Expression, width: int) -> Polynomial:
    return _scalar(of, width, 0, None)


def _scalar(of: Expression, width: int, position: int, found: Repetition | None) -> Polynomial:
    def refuse(*_: Any) -> Any:
        raise Underivable(f"{of} is read in numbers, n, positions and what repeats itself with these alone")

    def name(identifier: str) -> _Exact:
        if identifier == "d":
            return _Exact.of([((0, 0), fmpq(width))])
        if identifier == "n":
            return _Exact.of([((0, 1), ONE)])
        return _Exact.of([((1, 0), ONE)]) if identifier == "i" and found is not None else refuse()

    def line(argument: _Exact) -> tuple[fmpq, fmpq]:
        """The slope and the constant of a linear function of i with rational coefficients."""
        terms = dict(argument.polynomial)
        slope, constant = terms.pop((1, 0), ZERO), terms.pop((0, 0), ZERO)
        if terms or not isinstance(slope, fmpq) or not isinstance(constant, fmpq):
            refuse()
        return cast("tuple[fmpq, fmpq]", (slope, constant))

    def periodic(argument: _Exact, of_period: int) -> fmpq:
        """Such a function, of which only what it is modulo `of_period` matters."""
        slope, constant = line(argument)
        if found is not None:
            found.period = lcm(found.period, int((slope / of_period).q))
        return slope * position + constant

    def compared(op: str, left: _Exact, right: _Exact) -> bool:
        """Behind the position where both are equal nothing changes any more."""
        slope, constant = line(left - right)
        if slope != 0 and found is not None:
            found.start = max(found.start, math.floor(-constant / slope) + 1)
        value = slope * position + constant
        return COMPARISONS[op](int(value > 0) - int(value < 0))

    def function(which: str, argument: _Exact) -> _Exact:
        if which in ("cospi", "sinpi"):
            turns = periodic(argument, 2)
            value = cosine((turns if which == "cospi" else turns - fmpq(1, 2)) / 2)
        elif which in ("exp", "log", "sqrt"):
            value = {"exp": exp, "log": log, "sqrt": sqrt}[which](argument.number)
        else:
            return refuse()
        return _Exact.of([((0, 0), value)])

    def modulo(left: _Exact, right: _Exact) -> _Exact:
        modulus = right.number
        if not isinstance(modulus, fmpq) or modulus.q != 1 or modulus <= 0:
            return refuse()
        number = periodic(left, int(modulus.p))
        return _Exact.of([((0, 0), number - modulus * ((number / modulus).p // (number / modulus).q))])

    def raised(base: _Exact, exponent: _Exact) -> _Exact:
        if not any(any(powers) for powers, _ in base.polynomial) and base.number == -1:
            number = periodic(exponent, 2)
            return _Exact.of([((0, 0), ONE - 2 * (number.p % 2))]) if number.q == 1 else refuse()
        times = exponent.number
        if not isinstance(times, fmpq) or times.q != 1:
            return refuse()
        match base.terms:
            case (((0, q), value),):
                return _Exact.of([((0, q * int(times.p)), power(value, int(times.p)))])
        result = UNIT
        for _ in range(abs(int(times.p))):
            result = result * base
        return UNIT / result if times < 0 else result

    def bracket(truth: bool) -> _Exact:
        return _Exact.of([((0, 0), fmpq(int(truth)))])

    meaning = meaning_of_part(
        refuse,
        number=lambda number: _Exact.of([((0, 0), fmpq(number))]),
        name=name,
        function=function,
        modulo=modulo,
        power=raised,
        compare=compared,
        bracket=bracket,
        conjunction=all,
        disjunction=any,
        negation=lambda truth: not truth,
    )
    try:
        said = fold(of.tree, meaning)
        exact = bracket(said) if isinstance(said, bool) else said
    except ArithmeticError as error:
        raise Underivable(f"{of} has no value: {error}") from error
    if exact.under is None or not exact.terms:
        return Polynomial.of({powers: Between.around(value) for powers, value in exact.terms})
    if found is None:
        raise Underivable("a division by what is no number times a power of the length")
    return Polynomial(ratios=((Ratio(_rational(exact.terms), _rational(exact.under.terms)), Between(ONE, ONE)),))


MOST_PLACES = 500


def repetition(scalars: Iterable[Expression], width: int) -> Repetition:
    """Of some scalars together; Underivable where that takes more than MOST_PLACES positions."""
    some, found, before = tuple(scalars), Repetition(), None
    while found != before:  # what a part is at one position may show another part that repeats itself there alone
        before = replace(found)
        if before.start + before.period > MOST_PLACES:
            raise Underivable(f"encodings that repeat themselves after more than {MOST_PLACES} positions")
        for each, position in itertools.product(some, range(before.start + before.period)):
            scalar(each, width, position, found)
    return found
