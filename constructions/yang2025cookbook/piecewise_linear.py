"""A continuous piecewise linear function of one variable: chapter 3, section "Continuous Piecewise Linear Functions".

Through points (x_1, y_1), ..., (x_(m+1), y_(m+1)) with increasing x, slope s_k between the k-th and the next one, the
first and the last piece going on for ever, goes

    f(x) = y_1 + s_1 (x - x_1) + sum_(k=2)^m (s_k - s_(k-1)) ReLU(x - x_k).

The term that is linear is ReLU of x, and of -x. Where what stands for 1 is some u > 0 instead, as 1/n beside a count
over n, the units find f(x) u of x u: everything here is homogeneous.

Commit 96f5d43 of 23 May 2024 prints y_1 + s_1 x, which is right where x_1 = 0 alone; c4f78ae of the same day mends it:
`cookbook-piecewise-linear-as-first-printed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import SIGNED
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, encoder

Points = Sequence[tuple[int, int]]


def piecewise_linear(points: Points, of: str, into: str, one: str) -> FeedForward:
    """f of a coordinate, through the points, whose numbers are multiples of what `one` is. ConstructionError unless
    there are two points at least, each x being more than the one before."""
    if len(points) < 2 or any(x <= x_before for (x_before, _), (x, _) in pairwise(points)):
        raise ConstructionError(f"{into}: a piecewise linear function goes through 2 points or more with increasing x")
    (x_1, y_1), slopes = points[0], slopes_of(points)
    return through(points, of, into, one, y_1 - slopes[0] * x_1)


def slopes_of(points: Points) -> list[Fraction]:
    return [Fraction(y - y_before, x - x_before) for (x_before, y_before), (x, y) in pairwise(points)]


def through(points: Points, of: str, into: str, one: str, at_0: Fraction) -> FeedForward:
    """The same function, but for a constant: at_0 is what its first piece has at x = 0."""
    slopes = slopes_of(points)
    first: dict[str, dict[str, object]] = {"+x": {of: 1}, "-x": {of: -1}, "1": {one: 1}}
    second = {"+x": slopes[0], "-x": -slopes[0], "1": at_0}
    for (x, _), (before, slope) in zip(points[1:-1], pairwise(slopes), strict=True):
        unit = f"x-{x}" if x > 0 else f"x+{-x}" if x < 0 else "x"
        first[unit] = {of: 1, one: -x} if x else {of: 1}
        second[unit] = slope - before
    needed = [unit for unit, factor in second.items() if factor]
    return FeedForward(
        Linear({f"{into}: {unit}": first[unit] for unit in needed}),
        Linear({into: {f"{into}: {unit}": str(second[unit]) for unit in needed}}),
    )


ZIGZAG: Points = ((-1, -1), (0, 1), (2, -3), (3, -2))
"""Slopes 2, -2 and 1: above 0 for the integer 0 alone, and from 6 on."""


def positive(word: str) -> bool:
    x = word.count("1") - word.count("0")
    return x == 0 or x > 5


WHERE_POSITIVE = Language(
    "f IS ABOVE 0",
    BITS,
    positive,
    "count('1') == count('0') or count('1') > count('0') + 5",
    description="as many 1s as 0s, or more than five more",
)


def of_difference(name: str, title: str, source: str, part: FeedForward) -> Construction:
    """f of how many more 1s there are than 0s, over n."""
    network = encoder(replace(SIGNED, feed_forward=part), logit={"f": 1}, position="first")
    return Construction(name, title, source, WHERE_POSITIVE, network)


SECTION = "chapter 3, Continuous Piecewise Linear Functions"
construction = of_difference(
    "cookbook-piecewise-linear",
    "A piecewise linear function of an integer",
    f"{SOURCE}, {SECTION}",
    piecewise_linear(ZIGZAG, "x", "f", "1/n"),
)
as_first_printed = of_difference(
    "cookbook-piecewise-linear-as-first-printed",
    "A piecewise linear function of an integer, whose first piece goes through (0, y_1)",
    f"Yang et al. (2025), commit 96f5d43, {SECTION}",
    through(ZIGZAG, "x", "f", "1/n", Fraction(-1)),
)
