"""Numbers of which is known where the exact ones lie, and how far from them at most they are computed, under the
rounding model: a running error analysis of many words at once (Higham, Accuracy and Stability of Numerical Algorithms,
section 3.3), where a ball for what is computed would be as wide as the words differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation
from weightproof.numeric import BOUND
from weightproof.numeric.rounding.model import EXP_ULPS, RoundingModel, greatest, hull, weighted_mean

ZERO, ONE = arb(0), arb(1)
AROUND = arb(0, 1)
LOWEST, LEAST_SILU = arb("-1.2785"), arb("-0.2785")
"""silu falls up to a number between LOWEST and LOWEST + 0.001, where it is above LEAST_SILU, and rises behind it."""
SLOPES = {"silu": arb("1.1"), "sigmoid": arb("0.25"), "tanh": ONE}
"""The size of the slope of what is smooth, at most."""


@dataclass(frozen=True)
class Computed:
    """exact: a ball with the exact numbers; error: at least how far off any of them is computed. What is not finite
    says nothing."""

    exact: arb
    error: arb = ZERO

    @property
    def is_zero(self) -> bool:
        """Exactly, and computed so."""
        return bool(self.exact.is_zero() and self.error.is_zero())

    @property
    def size(self) -> arb:
        """At least that of each exact number; without a radius, which `min` and `max` would reach below 0 with."""
        return self.exact.abs_upper()

    @property
    def ball(self) -> arb:
        """With the numbers as they are computed."""
        return self.exact + AROUND * self.error

    def __neg__(self) -> Computed:
        return Computed(-self.exact, self.error)


NOTHING = Computed(ZERO)


def either(numbers: Sequence[Computed]) -> Computed:
    """Any of them."""
    return Computed(hull([each.exact for each in numbers]), greatest([each.error for each in numbers]))


@dataclass(frozen=True)
class Operations:
    """What is computed of computed numbers: the rounding of each operation comes on top of what its operands are off.

    is_strict: whether activations are those of strict arithmetic, each operation rounded. Of those that need an
    exponential nothing else is known.
    """

    model: RoundingModel
    is_strict: bool

    def entry(self, exact: arb) -> Computed:
        """A stored number."""
        return NOTHING if exact.is_zero() else Computed(exact, self.model.off(exact))

    def product(self, a: Computed, b: Computed) -> Computed:
        if a.is_zero or b.is_zero:
            return NOTHING
        error = a.size * b.error + b.size * a.error + a.error * b.error
        return self._rounded(a.exact * b.exact, error.abs_upper())

    def square(self, x: Computed) -> Computed:
        found = self.product(x, x)
        return Computed(found.exact.max(ZERO), found.error)

    def quotient(self, a: Computed, b: Computed, most: arb) -> Computed:
        """By what is positive; `most`: at least the size of the exact quotient. a'/b' - a/b is ((a' - a) - a/b (b' -
        b))/b'."""
        divisor = b.ball.lower()
        if not divisor > 0:
            return Computed(AROUND * most, arb("inf"))
        exact = _within(a.exact / b.exact, most)
        return self._rounded(exact, ((a.error + exact.abs_upper() * b.error) / divisor).abs_upper())

    def root(self, x: Computed) -> Computed:
        """Of what is not negative, exactly and as computed. sqrt(x') - sqrt(x) is (x' - x)/(sqrt(x') + sqrt(x))."""
        exact, computed = x.exact.max(ZERO).sqrt(), x.ball.lower().max(ZERO).sqrt()
        both = (exact + computed).lower()
        return self._rounded(exact, (x.error / both).abs_upper() if both > 0 else arb("inf"))

    def total(self, terms: Sequence[Computed]) -> Computed:
        """A sum in any order, without the terms that are exactly 0."""
        terms = [term for term in terms if not term.is_zero]
        exact, error = sum((term.exact for term in terms), ZERO), sum((term.error for term in terms), ZERO)
        return Computed(exact, (error + self.model.sum_error([term.ball for term in terms])).abs_upper())

    def dot(self, left: Sequence[Computed], right: Sequence[Computed]) -> Computed:
        return self.total([self.product(a, b) for a, b in zip(left, right, strict=True)])

    def activated(self, activation: Activation, x: Computed) -> Computed:
        """InputError for an activation of which nothing says how it is rounded."""
        match activation:
            case "relu":
                return NOTHING if x.ball <= 0 else Computed(x.exact.max(ZERO), x.error)
            case "saturated-linear":
                return NOTHING if x.ball <= 0 else Computed(x.exact.max(ZERO).min(ONE), x.error)
            case "step":
                if x.ball <= 0:
                    return NOTHING
                return Computed(ONE) if x.ball > 0 else Computed(ZERO.union(ONE), ONE)
            case "square":
                return self.square(x)
            case "identity":
                return x
            case "abs":
                return Computed(abs(x.exact), x.error)
            case "tanh" | "sigmoid" | "silu" if self.is_strict:
                return self._smooth(activation, x)
            case "tanh" | "sigmoid" | "silu" | "gelu" | "gelu-tanh":
                where = "" if self.is_strict else " there; strict attention says it of silu, sigmoid and tanh"
                raise InputError(
                    f"the activation {activation} has no bound on rounding: nothing says how it is rounded{where}"
                )
        BOUND.refuse("activation", activation)

    def _smooth(self, activation: str, x: Computed) -> Computed:
        """As `rounding.activations` has them: tanh is rounded once; the sigmoid is a quotient, by a sum, of an
        exponential or 1, and silu its product with x."""
        functions = {"tanh": arb.tanh, "sigmoid": _sigmoid, "silu": lambda t: t * _sigmoid(t)}
        low, high = (functions[activation](end) for end in (x.exact.lower(), x.exact.upper()))
        exact = low.union(high)
        if activation == "silu" and x.exact.lower() < LOWEST + arb("0.001") and x.exact.upper() > LOWEST:
            exact = exact.union(LEAST_SILU)
        off = SLOPES[activation] * x.error
        if activation == "tanh":
            return self._rounded(exact, off)
        size = exact.abs_upper() + off
        underflow = 3 * self.least * (1 + x.size + x.error)
        return Computed(exact, (off + self.gamma(5) * size + underflow).abs_upper())

    def mean(self, scores: Sequence[Computed], values: Sequence[Sequence[Computed]]) -> list[Computed]:
        """Of the rows of values, a number for each score, the means under the softmax of the scores.

        With w the exact weights, a power is computed as e^(s - m) e^l, m the greatest score as computed, where l is at
        most what the score is off, what the difference from m is rounded by, and what exp is off by. Their sum is then
        off by a share of at most the mean of e^l - 1. The error of a mean is a mean, too, under the exact weights, of
        what each value is off, and of its size times what its weight is off by in proportion. A weight is a quotient,
        or a product with a reciprocal, and there is a product with the value and a sum.
        """
        floor, top = greatest([s.exact.lower() for s in scores]), greatest([s.ball.upper() for s in scores])
        low, high = ([(end - floor).exp() for end in ends] for ends in _ends(scores))
        sum_low = sum(low, ZERO)
        most = [(b / (sum_low - a + b)).upper().min(ONE) for a, b in zip(low, high, strict=True)]
        exp = self.gamma(2 * EXP_ULPS)
        logs = [s.error + self.model.off(AROUND * (top - s.ball.lower()).abs_upper()) + 2 * exp for s in scores]
        grown = [(each.exp() - 1).abs_upper() for each in logs]
        share = sum((w * x for w, x in zip(most, grown, strict=True)), ZERO).abs_upper().min(greatest(grown))
        count = len(scores)
        rounding = (1 + self.gamma(2)) * (1 + self.gamma(count)) / (1 - self.gamma(count))
        if not share < fmpq(1, 2) or not self.gamma(count) < fmpq(1, 2):
            return [Computed(hull([each.exact for each in row]), arb("inf")) for row in values]
        off = [(1 + x) * rounding / (1 - share) - 1 for x in grown]
        return [self._mean(row, weighted_mean(low, high, [each.exact for each in row]), most, off) for row in values]

    def _mean(self, values: Sequence[Computed], exact: arb, most: Sequence[arb], off: Sequence[arb]) -> Computed:
        """exact: the exact means; most, off: of each weight, the exact one at most, and how far off it is computed at
        most, in proportion."""
        if all(value.is_zero for value in values):
            return NOTHING
        errors = [((1 + x) * v.error + x * v.size).abs_upper() for x, v in zip(off, values, strict=True)]
        error = sum((w * x for w, x in zip(most, errors, strict=True)), ZERO).abs_upper().min(greatest(errors))
        size = greatest([value.size + value.error for value in values])
        underflow = 32 * len(values) ** 2 * self.least * (1 + size)
        return Computed(exact, (error + underflow).abs_upper())

    def _rounded(self, exact: arb, error: arb) -> Computed:
        """The result of an operation that on computed operands is off by that, before it is rounded."""
        return Computed(exact, (error + self.model.off(exact + AROUND * error)).abs_upper())

    @property
    def least(self) -> arb:
        """The least positive number of the format."""
        return arb(2) ** (self.model.format.least - self.model.format.precision + 1)

    def gamma(self, roundings: int) -> arb:
        """k u/(1 - k u): what k roundings in proportion come to (Higham, section 3.1)."""
        u = self.model.format.unit_roundoff
        part = roundings * arb(fmpq(u.numerator, u.denominator))
        return part / (1 - part) if part < 1 else arb("inf")


def _ends(scores: Sequence[Computed]) -> tuple[list[arb], list[arb]]:
    return [score.exact.lower() for score in scores], [score.exact.upper() for score in scores]


def _sigmoid(x: arb) -> arb:
    return 1 / (1 + (-x).exp())


def _within(x: arb, most: arb) -> arb:
    """The part of a ball of numbers that are at most so great in size."""
    return x.max(-most).min(most) if x.is_finite() else AROUND * most
