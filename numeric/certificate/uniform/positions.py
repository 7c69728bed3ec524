"""What is known of a position encoding over all positions i = 0..n-1, for every n in a block: read from its expression.

What is not understood is refused, never guessed. Quantities are known by intervals of reals with balls for ends:
python-flint's own balls keep 30 bits of their radius, so that the interval from 0 to 1 would reach below 0; here both
ends are balls of their own, and an end that is 0 stays exactly 0. All comparisons are certain ones: `x <= y` of balls
is true only where it holds for every number in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, fmpq

from weightproof.constructions.scalars.exact import Real, enclosure
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.numeric.rounding.formats import fraction, lowest_bit
from weightproof.numeric.rounding.model import greatest, least

ZERO = arb(0)


@dataclass(frozen=True)
class Range:
    """The reals from low to high; each end is a ball, and the interval is meant to contain both balls."""

    low: arb
    high: arb

    @classmethod
    def of(cls, value: int | fmpq | arb) -> Range:
        exact = arb(value)
        return cls(exact, exact)

    @property
    def size(self) -> arb:
        """The greatest absolute value."""
        return abs(self.low).max(abs(self.high))

    @property
    def width(self) -> arb:
        return self.high - self.low

    @property
    def nonnegative(self) -> bool:
        return bool(self.low >= 0)

    @property
    def one_sign(self) -> bool:
        return self.nonnegative or bool(self.high <= 0)

    @property
    def is_zero(self) -> bool:
        return bool(self.low.is_zero() and self.high.is_zero())

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __sub__(self, other: Range) -> Range:
        return self + -other

    def __mul__(self, other: Range) -> Range:
        ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high]
        return Range(least(ends), greatest(ends))

    def __truediv__(self, other: Range) -> Range:
        """Not finite where the divisor may be 0: such a range bounds nothing."""
        if not (other.low > 0 or other.high < 0):
            return Range(arb("-inf"), arb("inf"))
        return self * Range(1 / other.high, 1 / other.low)

    def hull(self, other: Range) -> Range:
        return Range(self.low.min(other.low), self.high.max(other.high))

    def positive_part(self) -> Range:
        return Range(self.low.max(ZERO), self.high.max(ZERO))

    def power(self, exponent: int) -> Range:
        result = Range.of(1)
        for _ in range(abs(exponent)):
            result = result * self
        if exponent % 2 == 0 and exponent != 0:
            result = Range(result.low.max(ZERO), result.high)
        return result if exponent >= 0 else Range.of(1) / result

    def function(self, name: str) -> Range | None:
        """An increasing elementary function; None for one that is not known."""
        if name in ("exp", "sinh", "tanh"):
            return Range(getattr(self.low, name)(), getattr(self.high, name)())
        if name in ("log", "sqrt") and self.low > 0:
            return Range(getattr(self.low, name)(), getattr(self.high, name)())
        if name == "cosh":
            inner = ZERO if not self.one_sign else abs(self.low).min(abs(self.high))
            return Range(inner.cosh(), self.size.cosh())
        return None


def compare(op: str, left: Range, right: Range) -> bool | None:
    """Whether a comparison holds for all numbers of two ranges (True), for none (False), or neither is certain."""
    gap = left - right
    if op in (">", ">="):
        op, gap = {">": "<", ">=": "<="}[op], -gap
    if op in ("==", "!="):
        same = True if gap.is_zero else False if gap.low > 0 or gap.high < 0 else None
        return same if op == "==" or same is None else not same
    if op == "<":
        return True if gap.high < 0 else False if gap.low >= 0 else None
    return True if gap.high <= 0 else False if gap.low > 0 else None


class NotUnderstood(Exception):
    """Something that the uniform analysis has no rule for; nothing is certified then."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A real function of the position, for one word: what is known of it over all words with n positions.

    total: at least the sum of its absolute values; sums: where its sum lies; support: at least the number of positions
    where it is not 0; slope: its step from each position to the next, None where the steps may differ, 0 where it is
    the same at all positions; first, last: where its values at positions 0 and n-1 lie; quantum: a power of two of
    which all its values are integer multiples, None where there may be none; two: all its values are the ends of
    `values`, which are the same in all words; within: it is 0 at all positions outside, None where that is not known.
    Two profiles are never the same function, as far as anyone knows: equality is identity.
    """

    values: Range
    total: arb
    sums: Range
    support: arb
    slope: Range | None
    first: Range
    last: Range
    quantum: Fraction | None = None
    two: bool = False
    within: Range | None = None

    @classmethod
    def at_one(cls, values: Range) -> Profile:
        """A number at the one position that is read."""
        return cls(values, values.size, values, arb(1), Range.of(0), values, values)

    @property
    def constant(self) -> bool:
        return self.slope is not None and self.slope.is_zero


@dataclass(frozen=True)
class _Truth:
    """A condition on the position: at how many positions it may hold; whether it does at the first and at the last; it
    holds at none outside of `within`, where that is known."""

    support: arb
    first: bool | None
    last: bool | None
    within: Range | None = None


class PositionReader:
    """Reads encodings for n in a range of lengths, with the parameters' exact values."""

    def __init__(self, n: Range, names: Mapping[str, Real]) -> None:
        self.n, self.names = n, names

    def read(self, scalar: Expression) -> Profile:
        """The profile of a scalar; NotUnderstood where there is no rule for it."""
        value = fold(
            scalar.tree,
            Meaning(
                number=lambda number: self._constant(Range.of(number), fmpq(number)),
                name=self._name,
                function=self._function,
                compare=self._compare,
                bracket=self._bracket,
                conjunction=lambda truths: self._join(truths, all_of=True),
                disjunction=lambda truths: self._join(truths, all_of=False),
                negation=lambda t: _Truth(self.n.high, negated(t.first), negated(t.last)),
                modulo=self._modulo,
                power=self._power,
            ),
        )
        return (self._bracket(value) if isinstance(value, _Truth) else value).profile

    def _constant(self, value: Range, exact: fmpq | None = None) -> _Reading:
        quantum = None if exact is None else lowest_bit(fraction(exact))
        support = ZERO if value.is_zero else self.n.high
        zero = Range.of(0)
        profile = Profile(value, self.n.high * value.size, self.n * value, support, zero, value, value, quantum)
        return _Reading(self, profile, exact, None if exact is None else Line(fmpq(0), fmpq(0), exact))

    def _name(self, name: str) -> _Reading:
        if name == "i":
            last = self.n - Range.of(1)
            total = self.n * last * Range.of(fmpq(1, 2))
            values, one = Range(ZERO, last.high), Range.of(1)
            profile = Profile(values, total.high, total, self.n.high, one, Range.of(0), last, Fraction(1))
            return _Reading(self, profile, line=Line(fmpq(1), fmpq(0), fmpq(0)))
        if name == "n":
            reading = self._constant(self.n)
            profile = replace(reading.profile, quantum=Fraction(1))
            return replace(reading, profile=profile, line=Line(fmpq(0), fmpq(1), fmpq(0)))
        value = self.names[name]
        return self._constant(Range.of(enclosure(value)), value if isinstance(value, fmpq) else None)

    def _alternating(self) -> _Reading:
        """1, -1, 1, ...: sums to 1 or 0."""
        sign = Range(arb(-1), arb(1))
        sums = Range(ZERO, arb(1))
        first, step = Range.of(1), Fraction(1)
        return _Reading(self, Profile(sign, self.n.high, sums, self.n.high, None, first, sign, step, two=True))

    def _function(self, name: str, argument: _Reading) -> _Reading:
        profile = argument.profile
        if name == "cospi":
            if profile.quantum is None or profile.quantum < 1 or profile.slope is None:
                raise NotUnderstood("a cosine of something else than a multiple of pi*i")
            if profile.first.is_zero and profile.slope.is_zero:
                return self._constant(Range.of(1), fmpq(1))
            if profile.first.is_zero and (profile.slope - Range.of(1)).is_zero:
                return self._alternating()
            raise NotUnderstood("a cosine of something else than pi*i")
        if name == "sinpi":
            raise NotUnderstood("a sine")
        values, first, last = (part.function(name) for part in (profile.values, profile.first, profile.last))
        if values is None or first is None or last is None:
            raise NotUnderstood(f"{name} of what may be 0 or negative")
        if profile.constant:
            return self._constant(values)
        total, count, series, slope = self.n.high * values.size, self.n.high, None, profile.slope
        if name == "exp" and slope is not None and (slope.low > 0 or slope.high < 0):
            series = 1 / (1 - (-abs(slope.low).min(abs(slope.high))).exp())
        curve = None if name == "cosh" else Curve(name, argument.curve or profile)
        profile = Profile(values, total, self.n * values, count, None, first, last)
        return _Reading(self, profile, curve=curve, series=series)

    def _power(self, base: _Reading, exponent: _Reading) -> _Reading:
        if base.exact == -1:
            return self._function("cospi", exponent)
        if exponent.exact is None or exponent.exact.q != 1 or abs(exponent.exact) > 16:
            raise NotUnderstood("a power with an exponent that is no small integer")
        times, result = int(exponent.exact.p), self._constant(Range.of(1), fmpq(1))
        for _ in range(abs(times)):
            result = result * base
        return result if times >= 0 else self._constant(Range.of(1), fmpq(1)) / result

    def _modulo(self, left: _Reading, right: _Reading) -> _Reading:
        raise NotUnderstood("a remainder")

    def _compare(self, op: str, left: _Reading, right: _Reading) -> _Truth:
        gap = (left - right).profile
        zero = Range.of(0)
        moves = gap.slope is not None and (gap.slope.low > 0 or gap.slope.high < 0)
        support = arb(1) if op == "==" and moves else self.n.high
        within = self._where(op, gap) if moves else None
        return _Truth(support, compare(op, gap.first, zero), compare(op, gap.last, zero), within)

    def _where(self, op: str, gap: Profile) -> Range | None:
        """The positions at which what moves evenly may compare so to 0: on one side of where it is 0, or there."""
        assert gap.slope is not None
        crossing, last = -gap.first / gap.slope, (self.n - Range.of(1)).high
        rises = bool(gap.slope.low > 0)
        match op:
            case "==":
                return crossing
            case "<" | "<=" | ">" | ">=":
                before = (op[0] == "<") == rises
                return Range(ZERO, crossing.high) if before else Range(crossing.low, last)
        return None

    def _join(self, truths: list[_Truth], *, all_of: bool) -> _Truth:
        support, within = truths[0].support, truths[0].within
        for truth in truths[1:]:
            support = support.min(truth.support) if all_of else (support + truth.support).min(self.n.high)
            within = both_within(within, truth.within) if all_of else either_within(within, truth.within)
        ends = [[truth.first for truth in truths], [truth.last for truth in truths]]
        first, last = (all_hold(end) if all_of else some_hold(end) for end in ends)
        return _Truth(support, first, last, within)

    def _bracket(self, truth: _Truth) -> _Reading:
        def bit(known: bool | None) -> Range:
            return Range(ZERO, arb(1)) if known is None else Range.of(int(known))

        sums = Range(ZERO, truth.support)
        first, last = bit(truth.first), bit(truth.last)
        both = Range(ZERO, arb(1))
        profile = Profile(both, truth.support, sums, truth.support, None, first, last, Fraction(1))
        return _Reading(self, replace(profile, within=truth.within))


def both_within(left: Range | None, right: Range | None) -> Range | None:
    """The positions that two sets have in common; None is all of them."""
    if left is None or right is None:
        return left if right is None else right
    return Range(left.low.max(right.low), left.high.min(right.high))


def either_within(left: Range | None, right: Range | None) -> Range | None:
    """The positions from the first to the last one of two sets; None is all of them."""
    return None if left is None or right is None else left.hull(right)


def negated(known: bool | None) -> bool | None:
    """Not what is known, None where it is not known."""
    return None if known is None else not known


def all_hold(known: list[bool | None]) -> bool | None:
    """Whether all of what may be known is so."""
    return False if False in known else None if None in known else True


def some_hold(known: list[bool | None]) -> bool | None:
    """Whether some of what may be known is so."""
    return negated(all_hold([negated(each) for each in known]))


@dataclass(frozen=True)
class Line:
    """i times `slope`, n times `length`, and a constant: what n - i is of a word, though n is known as a range only."""

    slope: fmpq
    length: fmpq
    constant: fmpq

    def __add__(self, other: Line) -> Line:
        return Line(self.slope + other.slope, self.length + other.length, self.constant + other.constant)

    def times(self, factor: fmpq) -> Line:
        return Line(self.slope * factor, self.length * factor, self.constant * factor)

    def ends(self, n: Range) -> tuple[Range, Range]:
        """The values at positions 0 and n-1."""
        first = n * Range.of(self.length) + Range.of(self.constant)
        return first, n * Range.of(self.length + self.slope) + Range.of(self.constant - self.slope)


@dataclass(frozen=True)
class Curve:
    """An increasing function of something that rises or falls all the way."""

    name: str
    argument: Curve | Profile

    def at(self, position: arb) -> Range | None:
        """Its value at a real position; None where that is not known."""
        match self.argument:
            case Profile(slope=None):
                return None
            case Profile(first=first, slope=Range() as slope):
                inner: Range | None = first + slope * Range.of(position)
            case Curve() as curve:
                inner = curve.at(position)
        return inner and inner.function(self.name)


@dataclass(frozen=True)
class _Reading:
    """A profile while it is built up; exact: its value, where that is one rational for all n and i; line: where it is
    linear in these; curve: where its values rise or fall all the way. series: whichever positions are taken, the sum of
    its sizes there is at most so many times the greatest of them, as of a geometric series."""

    reader: PositionReader
    profile: Profile
    exact: fmpq | None = None
    line: Line | None = None
    curve: Curve | None = None
    series: arb | None = None

    def over(self, within: Range | None) -> Range:
        """Where its values at these positions lie."""
        if within is None or self.curve is None:
            return self.profile.values
        ends = self.curve.at(within.low), self.curve.at(within.high)
        return self.profile.values if ends[0] is None or ends[1] is None else ends[0].hull(ends[1])

    def __neg__(self) -> _Reading:
        return self * self.reader._constant(Range.of(-1), fmpq(-1))

    def __sub__(self, other: _Reading) -> _Reading:
        return self + -other

    def __add__(self, other: _Reading) -> _Reading:
        n, a, b = self.reader.n, self.profile, other.profile
        if self.exact is not None and other.exact is not None:
            exact = self.exact + other.exact
            return self.reader._constant(Range.of(exact), exact)
        slope = None if a.slope is None or b.slope is None else a.slope + b.slope
        line = None if self.line is None or other.line is None else self.line + other.line
        first, last = (a.first + b.first, a.last + b.last) if line is None else line.ends(n)
        values = a.values + b.values if slope is None else first.hull(last)
        total = (a.total + b.total).min(n.high * values.size)
        if slope is not None and values.one_sign:
            total = total.min(n.high * (first.size + last.size) / 2)
        quantum = _common(self, other)
        support = (a.support + b.support).min(n.high)
        profile = Profile(values, total, a.sums + b.sums, support, slope, first, last, quantum)
        return _Reading(self.reader, profile, line=line)

    def __mul__(self, other: _Reading) -> _Reading:
        if self.profile.constant and not other.profile.constant:
            return other * self
        n, a, b = self.reader.n, self.profile, other.profile
        if self.exact is not None and other.exact is not None:
            exact = self.exact * other.exact
            return self.reader._constant(Range.of(exact), exact)
        quantum = None if a.quantum is None or b.quantum is None else a.quantum * b.quantum
        within = both_within(a.within, b.within)
        left, right = self.over(within), other.over(within)
        values, first, last = left * right, a.first * b.first, a.last * b.last
        values = values if within is None else values.hull(Range.of(0))
        total, support = a.total * right.size, a.support.min(b.support)
        for series in (self.series, other.series):
            total = total if series is None else total.min(series * left.size * right.size)
        sums, slope = Range(-total, total), None
        if b.constant:
            sums, slope = a.sums * b.values, None if a.slope is None else a.slope * b.values
        total = total.min(n.high * values.size)
        line = None if self.line is None or other.exact is None else self.line.times(other.exact)
        profile = Profile(values, total, sums, support, slope, first, last, quantum, within=within)
        return _Reading(self.reader, profile, line=line)

    def __truediv__(self, other: _Reading) -> _Reading:
        b = other.profile
        if other.exact is not None and other.exact != 0:
            return self * self.reader._constant(Range.of(1 / other.exact), 1 / other.exact)
        if not (b.values.low > 0):
            raise NotUnderstood("a quotient whose denominator may be 0 or negative")
        one = Range.of(1)
        if b.constant:
            return self * self.reader._constant(one / b.values)
        if b.slope is None or not b.slope.low > 0:
            raise NotUnderstood("a quotient whose denominator does not grow evenly")
        values, first, last = one / b.values, one / b.first, one / b.last
        # The sum of 1/(a + b*i) is at most its first term and the integral from 0 to n-1 of 1/(a + b*x).
        total = (1 / b.first.low + (b.last.high / b.first.low).log() / b.slope.low).min(
            self.reader.n.high * values.high
        )
        inverse = Profile(values, total, Range(ZERO, total), self.reader.n.high, None, first, last)
        return self * _Reading(self.reader, inverse)


def _common(left: _Reading, right: _Reading) -> Fraction | None:
    """The power of two that both are multiples of; 0 is a multiple of everything."""
    if left.exact == 0 or right.exact == 0:
        return right.profile.quantum if left.exact == 0 else left.profile.quantum
    a, b = left.profile.quantum, right.profile.quantum
    return None if a is None or b is None else min(a, b)
