"""An activation on an interval, as a straight line and how far from that it can be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.schema import Activation, Decoder, Encoder
from weightproof.proofs.running.enclosures import TINY, Floats, U

Line = tuple[Floats, Floats, Floats]
"""slope, least, most: on the interval, least <= f(x) - slope x <= most."""
Function = Callable[[Floats], Floats]


class NotCovered(Exception):
    """A choice that covering does not read; one line that names it."""


COVERING = Choices("covering", NotCovered)


def require_known_parts(network: Encoder | Decoder) -> None:
    """NotCovered, by name, for norms elsewhere than behind sublayers, those with gain and bias, and gates."""
    COVERING.require_norms_behind(network)
    for layer in network.layers:
        if layer.feed_forward is not None:
            COVERING.require_ungated(layer.feed_forward)


def line(activation: Activation, low: Floats, high: Floats) -> Line:
    """Of an activation on the intervals from low to high. NotCovered for one that is not known here."""
    return COVERING.of("activation", activation, LINES)(low, high)


def _piecewise(f: Function, *corners: float) -> Callable[[Floats, Floats], Line]:
    """Of a continuous function that is straight between its corners, with slopes that are whole numbers, and whose
    values are not rounded."""

    def bound(low: Floats, high: Floats) -> Line:
        straight = np.ones_like(low, dtype=np.bool_)
        for corner in corners:
            straight &= (high <= corner) | (low >= corner)
        chord = (f(high) - f(low)) / (high - low)
        slope = np.where((high > low) & np.isfinite(chord), np.where(straight, np.rint(chord), chord), 0.0)
        inner = [np.clip(corner, low, high) for corner in corners]  # one that lies outside counts as an end
        return slope, *_extremes(slope, [(x, f(x)) for x in (low, high, *inner)])

    return bound


def _extremes(slope: Floats, points: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Of f(x) - slope x at some points (x, f(x)), rounded outward; a difference that is 0 is not rounded."""
    values, errors = [], []
    for x, y in points:
        product = slope * x
        values.append(y - product)
        of_product = np.where((np.abs(slope) == 1) | (slope == 0), 0.0, 2 * U * np.abs(product) + TINY)
        errors.append(of_product + 2 * U * np.abs(values[-1]))
    least = np.min([v - e for v, e in zip(values, errors, strict=True)], axis=0)
    most = np.max([v + e for v, e in zip(values, errors, strict=True)], axis=0)
    return least, most


def _step(low: Floats, high: Floats) -> Line:
    """1 where x > 0, else 0."""
    return np.zeros_like(low), np.where(low > 0, 1.0, 0.0), np.where(high <= 0, 0.0, 1.0)


def _square(low: Floats, high: Floats) -> Line:
    """x^2 less the chord is greatest at the ends, and least halfway between the two."""
    slope = low + high
    x = np.clip(slope / 2, low, high)
    size = 8 * U * (low * low + high * high) + TINY
    ends = [end * end - slope * end for end in (low, high)]
    return slope, x * x - slope * x - size, np.maximum(*ends) + size


LINES: dict[str, Callable[[Floats, Floats], Line]] = {
    "relu": _piecewise(lambda x: np.maximum(x, 0.0), 0.0),
    "saturated-linear": _piecewise(lambda x: np.clip(x, 0.0, 1.0), 0.0, 1.0),
    "step": _step,
    "square": _square,
    "identity": _piecewise(lambda x: x),
    "abs": _piecewise(np.abs, 0.0),
}
