"""The least and the greatest of two numbers: chapter 3, section "Min and Max".

    min(x, y) = x - ReLU(x - y)        max(x, y) = x + ReLU(y - x),

where x itself is ReLU(x) - ReLU(-x). Nothing is asked of the numbers.
"""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import SIGNED
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, encoder

SECTION = f"{SOURCE}, chapter 3, Min and Max"


def minimum(x: str, y: str, into: str) -> FeedForward:
    """The least of two coordinates."""
    return _extreme(x, y, into, 1)


def maximum(x: str, y: str, into: str) -> FeedForward:
    """The greatest of two coordinates."""
    return _extreme(x, y, into, -1)


def _extreme(x: str, y: str, into: str, sign: int) -> FeedForward:
    beyond = {x: sign, y: -sign} if x != y else {}
    units = {f"{into}: x": {x: 1}, f"{into}: -x": {x: -1}, f"{into}: beyond": beyond}
    return FeedForward(Linear(units), Linear({into: dict(zip(units, (1, -1, -sign), strict=True))}))


BOTH_POSITIVE = Language(
    "MORE 1s THAN 0s, AND THREE 0s",
    BITS,
    lambda word: word.count("1") > word.count("0") > 2,
    "count('1') > count('0') and count('0') > 2",
    description="more 1s than 0s, and more than two 0s",
)
ONE_POSITIVE = Language(
    "MORE 1s THAN 0s, OR THREE 0s",
    BITS,
    lambda word: word.count("1") > word.count("0") or word.count("0") > 2,
    "count('1') > count('0') or count('0') > 2",
    description="more 1s than 0s, or more than two 0s",
)


def of_signed(name: str, title: str, part: FeedForward, language: Language) -> Construction:
    """Of two numbers of either sign."""
    network = encoder(replace(SIGNED, feed_forward=part), logit={"m": 1}, position="first")
    return Construction(name, title, SECTION, language, network)


construction = of_signed("cookbook-min", "The least of two numbers", minimum("x", "y", "m"), BOTH_POSITIVE)
greatest = of_signed("cookbook-max", "The greatest of two numbers", maximum("x", "y", "m"), ONE_POSITIVE)
