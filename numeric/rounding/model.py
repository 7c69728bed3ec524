"""The rounding model: what is assumed of floating-point arithmetic, in one place.

Every basic operation (+, -, *, /, square root) is correctly rounded, in the format, in a wider one, or not at all, as
fused multiply-add leaves products: so its result is off by at most the distance of the exact one to the nearest number
of the format. For results of size at most s that is half a spacing, `off`: at most u*s, on average over s two thirds of
it, and 0 where the format holds the result.

A sum of m terms may be taken in any order: as any binary tree with the terms for leaves. A node with j leaves has at
least j - 1 nodes with at most j leaves in its tree, itself included; so the k-th smallest node has at most k + 1
leaves, and its partial sum is at most that of the k + 1 largest sizes. So the error is greatest where the terms are
added one after the other, the largest first: `total` adds those errors up (after Higham, Accuracy and Stability of
Numerical Algorithms, section 4.2, where every node is bounded by the sum of all sizes instead, which gives gamma(m-1),
gamma(k) = k*u/(1 - k*u); for m equal terms this is half of it). Where terms are known to be added from left to right,
as strict arithmetic does, each as it is listed, less is lost: Order says which of the two an analysis is of.

exp is off by at most EXP_ULPS units in the last place, which is an assumption: vector libraries promise between 1 and 4
and torch promises nothing; so is that exp(0) is 1, as annex F of the C standard has it. Nothing overflows: a ball that
is not finite bounds nothing.

A computed quantity is held as a ball that contains it (python-flint's arb, outward rounded).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key, reduce
from typing import Literal, get_args

from flint import arb, fmpq

from weightproof.numeric.rounding.formats import Format

Order = Literal["any", "left to right"]
"""In which the terms of a sum are added up."""
ORDERS: tuple[Order, ...] = get_args(Order)

EXP_ULPS = 4
SIGMOID = 4 * EXP_ULPS
"""The sigmoid of x is computed as more than 1/2 where x >= SIGMOID*u; as at most 1/2 where x <= -SIGMOID*u or x = 0.

As 1/(1 + e^-x): for x >= 16u the power is at most 1 - 16u + 128u^2 + 4u < 1 - 3u, its sum with 1 at most 2 - 2u as
rounded, and the quotient at least 1/(2 - 2u) > 1/2 + u/2, which rounds to more than 1/2, in wider arithmetic, too. For
x <= -16u the power is at least 1 + 8u. As e^x/(1 + e^x): for x >= 16u at least (1 + 8u)/(2 + 10u) > 1/2 + u/2; for
x <= -16u at most (1 - 11u)/(2 - 12u) < 1/2. At 0 the power is 1, and so everything exact.
"""


@dataclass(frozen=True)
class Decision:
    """A word is accepted where its computed logit is above `above`, and rejected where it is at most `below` or 0."""

    above: fmpq
    below: fmpq


BY_SIGN = Decision(fmpq(0), fmpq(0))


def by_sigmoid(format: Format, order: Order) -> Decision:
    """Where a sigmoid that is computed in the format is above 1/2.

    From left to right it is that of strict arithmetic, p/(1 + p) for x < 0 and else 1/(1 + p), with p = e^-|x|, each
    operation rounded. Above 0: with t = 3u/2, x > t + t^2 >= -log(1 - t) gives e^-x < 1 - 3u/2, p <= 1 - 2u, and a
    quotient of at least 1/(2 - 2u) > 1/2 + u/2, which rounds to more than 1/2. Below: 1 + p >= 2p, and 2p is a number
    of the format, so that the sum is at least that as rounded, and the quotient at most 1/2.
    """
    u = fmpq(1, format.unit_roundoff.denominator)
    if order == "any":
        return Decision(SIGMOID * u, -SIGMOID * u)
    t = 3 * u / 2
    return Decision(t + t * t, fmpq(0))


def is_modelled(device: str, attention: str) -> bool:
    """Whether these assumptions are made of an implementation of attention, there: of those alone that are named here.

    `strict` rounds each operation itself; `explicit` and `matmul` compute scores, a softmax over the whole row and
    means by sums of products, in an order that is not known, which is what `total` bounds. A fused kernel takes a row
    block by block, and rescales with further exponentials what it has summed whenever a greater score comes: errors
    that no step of the analysis has. Nor is any device covered but the CPU: of a GPU's exponentials nothing is
    promised, and its products of matrices may be rounded to fewer digits than the format has.
    """
    return device == "cpu" and attention in ("strict", "explicit", "matmul")


def off(size: arb, format: Format) -> arb:
    """At least the distance of every real of at most this size to the nearest number of the format.

    Between 2^e and 2^(e+1) that is half the spacing u*2^(e+1), and at most the distance to 2^e; below, half of it.
    """
    if not size.is_finite():
        return arb("inf")
    mantissa, exponent = size.upper().man_exp()
    if mantissa <= 0:
        return arb(0)
    e = int(mantissa).bit_length() - 1 + int(exponent)
    if e > format.greatest:
        return arb("inf")
    least = format.least - format.precision  # half the least positive number
    if e <= format.least:
        return _two(least).min(size.upper())
    return _two(e - 1 - format.precision).max(_two(e - format.precision).min(size.upper() - _two(e)))


def _two(exponent: int) -> arb:
    return arb(2) ** exponent


def between(point: arb, format: Format) -> tuple[arb, arb]:
    """The numbers of the format next to an exact number, below and above; both the number itself where it is one."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    top = abs(mantissa).bit_length() + exponent
    quantum = max(top, format.least + 1) - format.precision
    if exponent >= quantum or mantissa == 0:
        return point, point
    below = mantissa >> (quantum - exponent)
    return below * _two(quantum), (below + 1) * _two(quantum)


@dataclass(frozen=True)
class RoundingModel:
    """Balls that contain what a format's arithmetic computes from computed quantities in balls."""

    format: Format

    def entry(self, exact: arb) -> arb:
        """A stored number: rounded to nearest in the format itself."""
        low, high = self._nearest(exact.lower()), self._nearest(exact.upper())
        return low.union(high)

    def _nearest(self, point: arb) -> arb:
        """Either neighbour of a point halfway between two."""
        if not off(abs(point), self.format).is_finite():
            return arb("nan")
        below, above = between(point, self.format)
        return (
            below if point - below < above - point else above if point - below > above - point else below.union(above)
        )

    def off(self, exact: arb) -> arb:
        """At least the distance of the numbers in a ball to the nearest numbers of the format."""
        everywhere = off(abs(exact), self.format)
        if not everywhere.is_finite():
            return everywhere
        low, high = exact.lower(), exact.upper()
        below, above = between(low, self.format)
        if not (high <= above):
            return everywhere
        middle = (below + above) / 2
        if high <= middle:
            return high - below
        return above - low if low >= middle else everywhere

    def rounded(self, exact: arb, times: int = 1) -> arb:
        """After `times` roundings."""
        for _ in range(times):
            exact = exact + arb(0, 1) * self.off(exact)
        return exact

    def total(self, terms: Sequence[arb]) -> arb:
        """A sum in any order."""
        exact = sum(terms, arb(0))
        return self.rounded(exact + arb(0, 1) * self._inner(terms)) if len(terms) > 1 else exact

    def _inner(self, terms: Sequence[arb]) -> arb:
        """What all roundings of a sum but the last amount to.

        Nothing while all terms are multiples of a power of two, and all their sizes together few of them.
        """
        if self._exact(terms):
            return arb(0)
        sizes = sorted((abs(term).upper() for term in terms), key=cmp_to_key(_descending))
        reach, error = sizes[0], arb(0)
        for size in sizes[1:-1]:
            reach += size
            error += off(reach + error, self.format)
        return error

    def _exact(self, terms: Sequence[arb]) -> bool:
        """Whether the format holds all partial sums."""
        if not all(term.is_exact() for term in terms):
            return False
        quantum = min((int(term.man_exp()[1]) for term in terms if not term.is_zero()), default=0)
        quantum = max(quantum, self.format.least - self.format.precision + 1)
        held = all(int(term.man_exp()[1]) >= quantum for term in terms if not term.is_zero())
        size = sum((abs(term) for term in terms), arb(0))
        return held and bool(size <= _two(quantum + self.format.precision) and size < _two(self.format.greatest))

    def exp(self, x: arb) -> arb:
        """A unit in the last place is a spacing, twice the greatest distance."""
        if x.is_zero():
            return arb(1)
        exact = x.exp()
        return exact + arb(0, 1) * (2 * EXP_ULPS * off(abs(exact), self.format))

    def powers(self, scores: Sequence[arb]) -> list[arb]:
        """e^(s - m), where m is the greatest of the scores as computed."""
        best = greatest(scores)
        return [self.exp(self.rounded(score - best)) for score in scores]

    def mean(self, scores: Sequence[arb], values: Sequence[arb]) -> arb:
        """The mean of values under softmax weights: a sum of products with weights, or a quotient of two sums."""
        powers = self.powers(scores)
        return self._mean(powers, _mean_under(powers, values), values)

    def mean_of_best(self, scores: Sequence[arb], values: Sequence[arb]) -> arb:
        """The mean of the values with the greatest score as computed, which have the power 1, and all others 0.

        Where it is not known which have it, some do, and the mean lies among their values.
        """
        if not all(x.is_finite() for x in (*scores, *values)):
            return arb("nan")
        floor = greatest([score.lower() for score in scores])
        best = [(score, value) for score, value in zip(scores, values, strict=True) if not score < floor]
        known, found = all(score == floor for score, _ in best), [value for _, value in best]
        powers = [arb(1) if known else arb(0).union(arb(1))] * len(best)
        return self._mean(powers, _mean_under(powers, found) if known else hull(found), found)

    def outermost(self, scores: Sequence[arb], values: Sequence[arb], side: int) -> arb:
        """The value with the greatest score as computed that stands first, side -1, or last, side 1; 0 of none. The
        weights are 1 and 0, so that nothing is rounded.

        Where it is not known which have it, it is the value of one that may.
        """
        if not all(x.is_finite() for x in (*scores, *values)):
            return arb("nan")
        if not scores:
            return arb(0)
        floor = greatest([score.lower() for score in scores])
        ordered = [*zip(scores, values, strict=True)][::-side]
        best = [(score, value) for score, value in ordered if not score < floor]
        if all(score == floor for score, _ in best):
            return best[0][1]
        return hull([value for _, value in best])

    def _mean(self, powers: Sequence[arb], exact: arb, values: Sequence[arb]) -> arb:
        """A mean, given what it is of these powers without any rounding; one of them is 1, and none below 0.

        The powers in the denominator are those in the numerator, so that only the roundings come on top of their mean;
        a weight is a quotient, or a product with a reciprocal.
        """
        partition = self.total(powers).max(arb(1))
        slack = self.sum_error(powers) / sum(powers, arb(0)).lower().max(arb(1))
        exact = exact / (1 + arb(0, 1) * slack)
        weighted, total = self._products(powers, partition, values), self._quotients(powers, values)
        return (exact + arb(0, 1) * weighted).union(self.rounded(exact + arb(0, 1) * total / partition.abs_lower()))

    def sum_error(self, terms: Sequence[arb]) -> arb:
        """How far a sum in any order may be off."""
        exact = sum(terms, arb(0))
        inner = self._inner(terms) if len(terms) > 1 else arb(0)
        return inner + self.off(exact + arb(0, 1) * inner) if len(terms) > 1 else inner

    def _products(self, powers: Sequence[arb], partition: arb, values: Sequence[arb]) -> arb:
        """What the roundings of weights, of products and of their sum amount to."""
        error, terms = arb(0), []
        inverse = self.rounded(1 / partition)
        for power, value in zip(powers, values, strict=True):
            if value.is_zero():
                continue
            exact = power / partition
            weight = self.rounded(exact).union(self.rounded(power * inverse))
            lost = self.off(exact).max(self.off(power * inverse) + power.abs_upper() * self.off(1 / partition))
            product = weight * value
            error += lost * value.abs_upper() + self.off(product)
            terms.append(self.rounded(product))
        return error + self.sum_error(terms)

    def _quotients(self, powers: Sequence[arb], values: Sequence[arb]) -> arb:
        """What the roundings of products and of their sum amount to."""
        products = [power * value for power, value in zip(powers, values, strict=True) if not value.is_zero()]
        terms = [self.rounded(product) for product in products]
        return sum((self.off(product) for product in products), arb(0)) + self.sum_error(terms)


def _descending(a: arb, b: arb) -> int:
    return -1 if a > b else int(a < b)


def _mean_under(weights: Sequence[arb], values: Sequence[arb]) -> arb:
    """The means of values under positive weights, each in its ball."""
    return weighted_mean([weight.lower() for weight in weights], [weight.upper() for weight in weights], values)


def weighted_mean(least: Sequence[arb], most: Sequence[arb], values: Sequence[arb]) -> arb:
    """The means of values, each in its ball, under positive weights, each between two ends: a ball would not tell ends
    apart that differ by more than its radius has digits.

    The greatest mean gives the greatest weights to the values above it, and the least to those below: of all the ways
    to part the values so, one is it, and all are means.
    """
    ends: list[arb] = []
    for sign in (1, -1):
        order = cmp_to_key(_descending)
        signed = [((sign * value).upper(), *weight) for *weight, value in zip(least, most, values, strict=True)]
        ordered = sorted(signed, key=lambda each: order(each[0]))
        above, below = arb(0), sum((low * value for value, low, _ in ordered), arb(0))
        weight_above, weight_below = arb(0), sum((low for _, low, _ in ordered), arb(0))
        best = below / weight_below
        for value, low, high in ordered:
            above, below = above + high * value, below - low * value
            weight_above, weight_below = weight_above + high, weight_below - low
            best = best.max((above + below) / (weight_above + weight_below))
        ends.append(sign * best)
    return ends[0].union(ends[1])


def greatest(balls: Sequence[arb]) -> arb:
    """The greatest of numbers in balls."""
    return reduce(arb.max, balls)


def least(balls: Sequence[arb]) -> arb:
    """The least of numbers in balls."""
    return reduce(arb.min, balls)


def hull(balls: Sequence[arb]) -> arb:
    """A ball that contains all the balls."""
    return reduce(arb.union, balls)
