"""The least and the greatest of two numbers: chapter 3, section "Min and Max".

    min(x, y) = x - ReLU(x - y)        max(x, y) = x + ReLU(y - x),

where x itself is ReLU(x) - ReLU(-x). Nothing is asked of the numbers.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import COUNTS, average_so_far
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, encoder

SECTION = f"{SOURCE}, chapter 3, Min and Max"


def minimum(x: str, y: str, into: str) -> FeedForward:
    """The least of two coordinates."""
    return _extreme(x, y, into, 1)


def maximum(x: str, y: str, into: str) -> FeedForward:
    """The greatest of two coordinates."""
    return _extreme(x, y, into, -1)


def _extreme(x: str, y: str, into: str, sign: int) -> FeedForward:
    units = {f"{into}: x": {x: 1}, f"{into}: -x": {x: -1}, f"{into}: beyond": {x: sign, y: -sign}}
    return FeedForward(Linear(units), Linear({into: dict(zip(units, (1, -1, -sign), strict=True))}))


BOTH_TWICE = Language(
    "TWO OF EACH",
    BITS,
    lambda word: min(word.count("0"), word.count("1")) >= 2,
    "count('0') >= 2 and count('1') >= 2",
    description="two 0s and two 1s, or more",
)
SOME_TWICE = Language(
    "TWO OF ONE",
    BITS,
    lambda word: max(word.count("0"), word.count("1")) >= 2,
    "count('0') >= 2 or count('1') >= 2",
    description="two 0s or two 1s, or more",
)


def above_one(name: str, title: str, part: FeedForward, language: Language) -> Construction:
    """More than 3/2, of numbers of 0s and 1s, over n."""
    layer = Layer(heads=(average_so_far(COUNTS),), feed_forward=part)
    return Construction(name, title, SECTION, language, encoder(layer, logit={"m": 1, "1/(i+1)": "-3/2"}))


X, Y = "#1/(i+1)", "#0/(i+1)"
construction = above_one("cookbook-min", "The least of two counts", minimum(X, Y, "m"), BOTH_TWICE)
greatest = above_one("cookbook-max", "The greatest of two counts", maximum(X, Y, "m"), SOME_TWICE)
