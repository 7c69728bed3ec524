"""One of two numbers, as a condition says: chapter 3, section "Conditionals".

Of a condition p that is 0 or 1, and numbers x and y from 0 to 1, ReLU(x + p - 1) is x where p is 1 and else 0, and
ReLU(y - p) is y where p is 0 and else 0: their sum is x if p, else y.

The source writes ReLU(x - p) + ReLU(y + p - 1), and says that this is x where p is 1. It is y: the two have changed
places (`cookbook-conditional-as-printed`). Up to commit bbfc9be of 27 June 2024 the first unit is ReLU(x - p + 1), and
where p is 1 the sum is x + y, where it is 0 it is x + 1 (`cookbook-conditional-as-first-printed`).
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import COUNTS, average_so_far
from weightproof.constructions.yang2025cookbook.on_words import BITS, ONE, SOURCE, encoder

SECTION = "chapter 3, Conditionals"


def if_then_else(p: str, x: str, y: str, into: str) -> FeedForward:
    """x where p is 1, y where it is 0; both from 0 to 1."""
    return _two_units(x, y, into, {p: 1}, -1, {p: -1}, 0)


def _two_units(
    x: str, y: str, into: str, of_x: dict[str, int], bias_x: int, of_y: dict[str, int], bias_y: int
) -> FeedForward:
    """The sum of what is left of x and of y, each with a condition and a bias; either may be the condition itself."""
    left_x, left_y = f"{into}: x", f"{into}: y"
    rows = {
        left: {of: 1, **more} | {of: 1 + more.get(of, 0)} for left, of, more in ((left_x, x, of_x), (left_y, y, of_y))
    }
    first = Linear(rows, {left_x: bias_x, left_y: bias_y})
    return FeedForward(first, Linear({into: {left_x: 1, left_y: 1}}))


def as_many_as_half(word: str) -> bool:
    return word != "" and 2 * word.count(word[-1]) > len(word) + 1


LAST_PREVAILS = Language(
    "THE LAST SYMBOL PREVAILS",
    BITS,
    as_many_as_half,
    "w[n - 1] == '1' and 2*count('1') > n or w[n - 1] == '0' and 2*count('0') > n",
    description="more than half of the positions, BOS among them, hold the symbol that is last",
)


def of_counts(name: str, title: str, source: str, part: FeedForward) -> Construction:
    """Of how many 1s there are if the last symbol is 1, else of how many 0s: whether they are more than n/2."""
    layer = Layer(heads=(average_so_far(COUNTS),), feed_forward=part)
    return Construction(name, title, source, LAST_PREVAILS, encoder(layer, logit={"r": 1}, bias="-1/2"))


X, Y = "#1/(i+1)", "#0/(i+1)"
construction = of_counts(
    "cookbook-conditional", "One of two counts", f"after {SOURCE}, {SECTION}", if_then_else(ONE, X, Y, "r")
)
as_printed = of_counts(
    "cookbook-conditional-as-printed",
    "One of two counts, by the units as printed",
    f"{SOURCE}, {SECTION}",
    _two_units(X, Y, "r", {ONE: -1}, 0, {ONE: 1}, -1),
)
as_first_printed = of_counts(
    "cookbook-conditional-as-first-printed",
    "One of two counts, by the units as first printed",
    f"Yang et al. (2025), before commit bbfc9be, {SECTION}",
    _two_units(X, Y, "r", {ONE: -1}, 1, {ONE: 1}, -1),
)
