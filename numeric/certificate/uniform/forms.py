"""Linear forms over tokens and profiles, and computed values that are off from them by a bounded error.

An exact coordinate is a linear form: a number for each token, plus multiples of *profiles*, functions of the position
of which only bounds are known (a position encoding, a row of a head, a row of a feed-forward network). Forms add up and
cancel exactly, their coefficients being exact. A computed coordinate is off from its form by a bounded error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from flint import arb, fmpq

from weightproof.constructions.scalars.exact import Real
from weightproof.numeric.certificate.uniform.positions import Profile
from weightproof.numeric.certificate.uniform.ranges import ZERO, Range

Where = Literal["all", "first", "last"]
"""At all positions, or at the one that alone is read."""


@dataclass(frozen=True)
class Form:
    """The function of the position: tokens[w_i] + the sum of coefficient * profile(i). Absent entries are 0."""

    tokens: Mapping[str, Real] = field(default_factory=dict)
    profiles: Mapping[Profile, Real] = field(default_factory=dict)

    def __add__(self, other: Form) -> Form:
        return Form(_added(self.tokens, other.tokens), _added(self.profiles, other.profiles))

    def times(self, factor: Real) -> Form:
        return Form(
            {token: x * factor for token, x in self.tokens.items()} if factor != 0 else {},
            {profile: x * factor for profile, x in self.profiles.items()} if factor != 0 else {},
        )

    def __sub__(self, other: Form) -> Form:
        return self + other.times(fmpq(-1))

    @property
    def is_zero(self) -> bool:
        return not self.tokens and not self.profiles


def _added(left: Mapping, right: Mapping) -> dict:  # type: ignore[type-arg]
    result = dict(left)
    for key, value in right.items():
        total = result[key] + value if key in result else value
        if total == 0:
            result.pop(key, None)
        else:
            result[key] = total
    return result


@dataclass(frozen=True)
class Value:
    """A coordinate: its exact form, and how far the computed one may be off.

    At a position, |computed - exact| <= absolute + relative*|exact|; the sum of |computed - exact| over the positions
    of a word is at most `total`. quantum: a power of two of which exact values are integer multiples, given only where
    the computed value is the exact one; then all errors are 0. owed: parts of the error that are known functions of the
    errors of another coordinate, all counted in `absolute`; without them it is `rest`.
    """

    form: Form
    absolute: arb = ZERO
    relative: arb = ZERO
    total: arb = ZERO
    quantum: Fraction | None = None
    owed: tuple[Owed, ...] = ()
    rest: arb = ZERO

    @property
    def is_zero(self) -> bool:
        """Exactly 0 everywhere, and computed as 0."""
        return self.form.is_zero and self.exact

    @property
    def exact(self) -> bool:
        return bool(self.absolute.is_zero() and self.relative.is_zero() and self.total.is_zero())


@dataclass(frozen=True)
class Owed:
    """The sum over positions of the error of another coordinate, each times a weight in this range divided by n."""

    source: Value
    weights: Range


NOTHING = Value(Form(), quantum=Fraction(1))
Stream = dict[str, Value]
