"""Comparisons of integers: chapter 8, section "Comparison", and those that are piecewise linear functions of chapter 3.

Of integers over i + 1, with u = 1/(i + 1) at hand,

    [x > 0] u = ReLU(x u) - ReLU(x u - u)
    [x = 0] u = ReLU(x u + u) - 2 ReLU(x u) + ReLU(x u - u),

and the source's

    gtz(x) = min(1/2, x - 1/2) - min(0, x) = 1/2 + ReLU(-x) - ReLU(1 - x)

is, times u, 1/2 for integers x > 0, and -1/2 for all others. So b - a + 1 tells whether a <= b. The source takes
b - a + 1/2, of which gtz is 0 where a = b, and 1/2 only where a < b (`cookbook-at-most-as-stated`); the units that it
writes down have b - a, of which gtz is -1/2 there (`cookbook-at-most-as-printed`).
"""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import MORE_ONES, SIGNED
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, Row, encoder
from weightproof.constructions.yang2025cookbook.piecewise_linear import SECTION, piecewise_linear


def is_positive(of: str, into: str, one: str) -> FeedForward:
    """1 where an integer is above 0, else 0; both are multiples of what `one` is."""
    return piecewise_linear(((-1, 0), (0, 0), (1, 1), (2, 1)), of, into, one)


def is_zero(of: str, into: str, one: str) -> FeedForward:
    """1 where an integer is 0, else 0; both are multiples of what `one` is."""
    return piecewise_linear(((-2, 0), (-1, 0), (0, 1), (1, 0), (2, 0)), of, into, one)


def gtz(of: Row, into: str, one: str) -> FeedForward:
    """1/2 where a sum of coordinates, an integer, is above 0, and -1/2 where it is not; multiples of what `one` is, a
    coordinate that the sum may have, too."""
    half, below, beyond = f"{into}: 1/2", f"{into}: -x", f"{into}: 1-x"
    opposite = {name: f"-({weight})" for name, weight in of.items()}
    units = {
        half: {one: "1/2"},
        below: opposite,
        beyond: {**opposite, one: f"1 - ({of.get(one, 0)})"},
    }
    return FeedForward(Linear(units), Linear({into: {half: 1, below: 1, beyond: -1}}))


AT_MOST = Language(
    "NO MORE 1s THAN 0s",
    BITS,
    lambda word: word.count("1") <= word.count("0"),
    "count('1') <= count('0')",
    description="no more 1s than 0s",
)
AS_MANY = Language(
    "AS MANY 1s AS 0s",
    BITS,
    lambda word: word.count("1") == word.count("0"),
    "count('1') == count('0')",
    description="as many 1s as 0s",
)

ONE_OVER = "1/n"


def of_difference(
    name: str, title: str, source: str, part: FeedForward, language: Language, logit: Row
) -> Construction:
    """Of how many more 1s there are than 0s."""
    return Construction(
        name, title, source, language, encoder(replace(SIGNED, feed_forward=part), logit=logit, position="first")
    )


def at_most(name: str, title: str, source: str, added: str) -> Construction:
    """By gtz of how many more 0s there are, and something added."""
    part = gtz({"x": -1, ONE_OVER: added}, "z", ONE_OVER)
    return of_difference(name, title, source, part, AT_MOST, {"z": 1})


PLACE, ABOVE_HALF = f"{SOURCE}, chapter 8, Comparison", {"z": 1, ONE_OVER: "-1/2"}
construction = at_most("cookbook-at-most", "a <= b by gtz(b - a + 1)", f"after {PLACE}", "1")
as_stated = at_most("cookbook-at-most-as-stated", "a <= b by gtz(b - a + 1/2), as stated", PLACE, "1/2")
as_printed = at_most("cookbook-at-most-as-printed", "a <= b by gtz(b - a), the units as printed", PLACE, "0")
positive = of_difference(
    "cookbook-positive",
    "x > 0 of an integer",
    f"after {SOURCE}, {SECTION}",
    is_positive("x", "z", ONE_OVER),
    MORE_ONES,
    ABOVE_HALF,
)
zero = of_difference(
    "cookbook-zero",
    "x = 0 of an integer",
    f"after {SOURCE}, {SECTION}",
    is_zero("x", "z", ONE_OVER),
    AS_MANY,
    ABOVE_HALF,
)
