"""A part that replaces what it reads: chapter 3, section "Canceling Residual Connections", after Chiang et al. (2023);
and sums, section "Addition and Subtraction".

Units ReLU(x) and ReLU(-x) of each coordinate, whose difference is x, take x away again: of a part f is made f' with
f'(x) + x = f(x).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import SIGNED
from weightproof.constructions.yang2025cookbook.min_and_max import BOTH_POSITIVE, minimum
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, Row, encoder, side_by_side


def linear(of: Row, into: str, called: str | None = None) -> FeedForward:
    """A sum of coordinates with factors, by two units for each; called: what their names begin with, if not `into`."""
    first: dict[str, Row] = {}
    second: dict[str, object] = {}
    for name, factor in of.items():
        up, down = f"{called or into}: {name} > 0", f"{called or into}: {name} < 0"
        first |= {up: {name: 1}, down: {name: -1}}
        second |= {up: factor, down: f"-({factor})"}
    return FeedForward(Linear(first), Linear({into: second}))


def replacing(part: FeedForward, coordinates: Sequence[str]) -> FeedForward:
    """The part, but that these coordinates are 0 before it adds to them."""
    return side_by_side(part, *(linear({name: -1}, name, f"less {name}") for name in coordinates))


construction = Construction(
    "cookbook-replace",
    "The least of two numbers in place of one of them",
    f"{SOURCE}, chapter 3, Canceling Residual Connections",
    BOTH_POSITIVE,
    encoder(
        replace(SIGNED, feed_forward=replacing(minimum("x", "y", "x"), ("x",))),
        logit={"x": 1},
        position="first",
    ),
)
NEARLY_TWICE = Language(
    "NEARLY TWICE AS MANY 1s",
    BITS,
    lambda word: word.count("1") + 2 > 2 * word.count("0"),
    "count('1') + 2 > 2*count('0')",
    description="twice as many 1s as 0s, or one less, or more",
)
difference = Construction(
    "cookbook-subtract",
    "The difference of two numbers",
    f"{SOURCE}, chapter 3, Addition and Subtraction",
    NEARLY_TWICE,
    encoder(replace(SIGNED, feed_forward=linear({"x": 1, "y": -1}, "d")), logit={"d": 1}, position="first"),
)
