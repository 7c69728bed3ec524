"""Numbers of s bits as tensors: int64 multiples of 2^-fraction, each operation rounded, and saturated at the greatest.

What `constructions.scalars.fixed_point` documents, written anew: to the nearest number, of two the one nearer to 0.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import HIGHEST_PRECISION, Real, Undecided, enclosure
from weightproof.constructions.scalars.fixed_point import FixedPoint

Tensor = torch.Tensor

MOST_BITS = 31
"""Of a format: twice a product of two numbers is an int64 then."""
SMALL = 12
"""Bits of the formats whose exponentials are all computed at once."""
FIRST_PRECISION = 64


class Numbers:
    """The operations of a format on numerators. Raises InputError for a format that is too wide."""

    def __init__(self, format: FixedPoint) -> None:
        if format.bits > MOST_BITS:
            raise InputError(f"numbers of {format.name} do not fit; tensors compute in at most {MOST_BITS} bits")
        self.format, self.fraction = format, format.fraction
        self.most = (1 << (format.bits - 1)) - 1
        self._exponentials: dict[int, int] = {}
        self._all: Tensor | None = None

    def constant(self, x: Real) -> int:
        """The numerator of an exact number, rounded; Undecided where no precision tells how."""
        if isinstance(x, fmpq):
            p, q = int(x.p) << self.fraction, int(x.q)
            size = -((q - 2 * abs(p)) // (2 * q))  # the least integer that is no less than |p/q| - 1/2
            return max(-self.most, min(self.most, size if p > 0 else -size))
        precision = FIRST_PRECISION
        while precision <= HIGHEST_PRECISION:
            with ctx.workprec(precision):
                found = self._in_ball(enclosure(x) * (1 << self.fraction))
            if found is not None:
                return found
            precision *= 2
        raise Undecided("no number of bits tells how a number is rounded")

    def _in_ball(self, ball: arb) -> int | None:
        """The integer nearest to what a ball contains, or the greatest of its sign; None where the ball is too wide. No
        number in it is half an integer if there is only one."""
        if abs(ball) > self.most:
            return self.most if ball > 0 else -self.most
        nearest = (ball + fmpq(1, 2)).floor().unique_fmpz()
        return None if nearest is None or (ball - int(nearest)).contains(fmpq(-1, 2)) else int(nearest)

    def saturated(self, x: Tensor) -> Tensor:
        return x.clamp(-self.most, self.most)

    def product(self, x: Tensor, y: Tensor) -> Tensor:
        exact = x * y
        if self.fraction:
            half = 1 << (self.fraction - 1)
            exact = (exact + half - (exact >= 0).long()) >> self.fraction  # a tie goes down from above 0, up from below
        return self.saturated(exact)

    def sum(self, x: Tensor, y: Tensor) -> Tensor:
        return self.saturated(x + y)

    def quotient(self, x: Tensor, y: Tensor) -> Tensor:
        """Of x, not negative, by y, positive: multiples of one unit, whatever it is, so that 1/m is one, too."""
        return self.saturated(((x << (self.fraction + 1)) + y - 1) // (2 * y))

    def signed_quotient(self, x: Tensor, y: int) -> Tensor:
        """By a positive number."""
        return self.quotient(x.abs(), torch.tensor(y)) * x.sign()

    def curve(self, function: Callable[[arb], arb], x: Tensor) -> Tensor:
        """An odd function whose value is irrational at every rational number but 0, so that some precision tells how it
        is rounded."""
        needed, places = torch.unique(x, return_inverse=True)
        found = [self._at(function, number) if number else 0 for number in needed.tolist()]
        return torch.tensor(found, dtype=torch.int64, device=x.device)[places]

    def total(self, terms: Tensor) -> Tensor:
        """The sum over the last dimension, from left to right.

        Saturation does not associate, but the maps s -> clamp(s + a, low, high) do, and adding a term is one of them:
        neighbours are composed until there is one map for all terms.
        """
        if terms.shape[-1] == 0 or int(terms.abs().sum(-1).max()) <= self.most:
            return terms.sum(-1)  # nothing saturates
        low, high = torch.full_like(terms, -self.most), torch.full_like(terms, self.most)
        while terms.shape[-1] > 1:
            if terms.shape[-1] % 2:
                terms, low, high = (
                    torch.nn.functional.pad(part, (0, 1), value=value)
                    for part, value in ((terms, 0), (low, -self.most), (high, self.most))
                )
            then, least, greatest = terms[..., 1::2], low[..., 1::2], high[..., 1::2]
            low = (low[..., ::2] + then).clamp(least, greatest)
            high = (high[..., ::2] + then).clamp(least, greatest)
            terms = terms[..., ::2] + then
        return terms.clamp(low, high)[..., 0]

    def exponential(self, x: Tensor) -> Tensor:
        """From a table of all results where the format is small; else each is computed when it is needed."""
        if self.format.bits <= SMALL:
            if self._all is None:
                self._all = torch.tensor([self._exponential(number) for number in range(-self.most, self.most + 1)])
            return self._all.to(x.device)[x + self.most]
        needed, places = torch.unique(x, return_inverse=True)
        results = [self._exponential(number) for number in needed.tolist()]
        return torch.tensor(results, dtype=torch.int64, device=x.device)[places]

    def _exponential(self, numerator: int) -> int:
        found = self._exponentials.get(numerator)
        if found is None:
            found = self._exponentials[numerator] = self._exponential_anew(numerator)
        return found

    def _exponential_anew(self, numerator: int) -> int:
        """exp of a rational number but 0 is irrational, so that some precision tells how it is rounded."""
        return self._at(arb.exp, numerator) if numerator else self.constant(fmpq(1))

    def _at(self, function: Callable[[arb], arb], numerator: int) -> int:
        precision = FIRST_PRECISION
        while True:
            with ctx.workprec(precision):
                found = self._in_ball(function(arb(fmpq(numerator, 1 << self.fraction))) * (1 << self.fraction))
            if found is not None:
                return found
            precision *= 2
