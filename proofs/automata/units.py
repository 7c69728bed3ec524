"""Feed-forward networks of what finite memories tell: units of numbers that are known, or lie between two."""

from __future__ import annotations

from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.proofs.automata.values import (
    ONE,
    ZERO,
    Between,
    Row,
    added,
    mapped,
    row_of,
    scalar,
)
from weightproof.symbolic.algebra.vocabulary import Underivable

BREAKS = {"relu": (ZERO,), "step": (ZERO,), "abs": (ZERO,), "saturated-linear": (ZERO, ONE)}
"""The numbers between which an activation is linear."""


def linear(of: Linear, row: Row, width: int) -> Row:
    bias = {name: scalar(each, width) for name, each in of.bias.items()}
    return added(mapped(of.weights, row, width), row_of(bias))


def activated(network: FeedForward, value: Between, location: str) -> Between:
    """The value of a unit."""
    match network.activation:
        case "relu":
            return value.at_least(ZERO)
        case "saturated-linear":
            return value.at_least(ZERO).at_most(ONE)
        case "step":
            return Between(ONE if value.sign == 1 else ZERO, ONE if value.high > 0 else ZERO)
        case "identity":
            return value
        case "abs":
            return (
                value if value.low >= 0 else -value if value.high <= 0 else Between(ZERO, max(-value.low, value.high))
            )
        case "square":
            square = value * value
            return square if value.sign is not None else Between(ZERO, square.high)
    raise Underivable(f"{location}: the activation {network.activation} is not read by automata")
