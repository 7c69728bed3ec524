"""A part that replaces what it reads: chapter 3, section "Canceling Residual Connections", after Chiang et al. (2023);
and sums, section "Addition and Subtraction".

Units ReLU(x) and ReLU(-x) of each coordinate, whose difference is x, take x away again: of a part f is made f' with
f'(x) + x = f(x).
"""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import COUNTS, MORE_ONES, average_so_far
from weightproof.constructions.yang2025cookbook.min_and_max import BOTH_TWICE, minimum
from weightproof.constructions.yang2025cookbook.on_words import SOURCE, Row, encoder, side_by_side


def linear(of: Row, into: str) -> FeedForward:
    """A sum of coordinates with factors, by two units for each."""
    first: dict[str, Row] = {}
    second: dict[str, object] = {}
    for name, factor in of.items():
        up, down = f"{into}: +{name}", f"{into}: -{name}"
        first |= {up: {name: 1}, down: {name: -1}}
        second |= {up: factor, down: f"-({factor})"}
    return FeedForward(Linear(first), Linear({into: second}))


def replacing(part: FeedForward, coordinates: Sequence[str]) -> FeedForward:
    """The part, but that these coordinates are 0 before it adds to them."""
    return side_by_side(part, *(linear({name: -1}, name) for name in coordinates))


X, Y = "#1/(i+1)", "#0/(i+1)"
construction = Construction(
    "cookbook-replace",
    "The least of two counts in place of one of them",
    f"{SOURCE}, chapter 3, Canceling Residual Connections",
    BOTH_TWICE,
    encoder(
        Layer(heads=(average_so_far(COUNTS),), feed_forward=replacing(minimum(X, Y, X), (X,))),
        logit={X: 1, "1/(i+1)": "-3/2"},
    ),
)
difference = Construction(
    "cookbook-subtract",
    "The difference of two counts",
    f"{SOURCE}, chapter 3, Addition and Subtraction",
    MORE_ONES,
    encoder(Layer(heads=(average_so_far(COUNTS),), feed_forward=linear({X: 1, Y: -1}, "d")), logit={"d": 1}),
)
