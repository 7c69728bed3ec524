"""An activation on an interval, as a straight line and how far from that it can be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weightproof.constructions.meaning.schema import Activation
from weightproof.proofs.covering.scope import COVERING
from weightproof.proofs.running.enclosures import TINY, Enclosed, Floats, U, point

Line = tuple[Floats, Floats, Floats]
"""slope, least, most: on the interval, least <= f(x) - slope x <= most."""
Function = Callable[[Floats], Floats]


def line(activation: Activation, low: Floats, high: Floats) -> Line:
    """Of an activation on the intervals from low to high. NotCovered for one that is not known here."""
    return COVERING.of("activation", activation, LINES)(low, high)


def slopes(activation: Activation) -> tuple[float, float] | None:
    """Between which numbers (f(x) - f(y))/(x - y) lies, whatever x and y are; None where there are none, or they are
    not known here."""
    return SLOPES.get(activation)


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


T, NEARLY = 40.0, 1e-15
"""From |x| = T on a smooth activation is nearer than that to its asymptote: 1 - tanh(x) is at most 2 e^-2x, 1 - s(x)
and s(-x) at most e^-x with s the sigmoid, and silu and gelu are off by at most x e^-x."""
PIECES = 64


def _smooth(f: Callable[[Enclosed], Enclosed], curvature: float, rises: bool, below: float) -> Callable[..., Line]:
    """Of a function whose second derivative is nowhere greater than the curvature, in absolute value: between two
    points it is off from the line through its values there by at most curvature * distance^2 / 8. Far to the left it is
    near to `below`, far to the right to x, where it `rises`, and else to 1."""

    def bound(low: Floats, high: Floats) -> Line:
        a, b = np.clip(low, -T, T), np.clip(high, -T, T)
        chord = (f(point(b)).middle - f(point(a)).middle) / (b - a)
        slope = np.where((b - a > 1e-9) & np.isfinite(chord), chord, 0.0)
        slope = np.where(low >= T, float(rises), np.where(high <= -T, 0.0, slope))
        nodes = a[..., None] + (b - a)[..., None] * (np.arange(PIECES + 1) / PIECES)
        nodes[..., 0], nodes[..., -1] = a, b
        steps = np.diff(nodes, axis=-1).max(-1, initial=0.0) * (1 + 4 * U)
        away = f(point(nodes)) - point(slope[..., None]) * point(nodes)
        least, most = _hull(away, (curvature * steps * steps / 8 * (1 + 8 * U))[..., None])
        right = [np.maximum(low, T), np.maximum(high, T)]
        left = [np.minimum(low, -T), np.minimum(high, -T)]
        for is_far, ends in ((low < -T, left), (high > T, right)):
            near_to = [np.full_like(x, below) if ends is left else x if rises else np.ones_like(x) for x in ends]
            x = np.stack(ends, -1)
            there = _hull(point(np.stack(near_to, -1)) - point(slope[..., None]) * point(x), np.full_like(x, NEARLY))
            least = np.where(is_far, np.minimum(least, there[0]), least)
            most = np.where(is_far, np.maximum(most, there[1]), most)
        return slope, least, most

    return bound


def _hull(x: Enclosed, beside: Floats) -> tuple[Floats, Floats]:
    """Of numbers on the last axis, with so much beside them, rounded outward."""
    size = (x.radius + beside) * (1 + 8 * U) + 8 * U * np.abs(x.middle) + TINY
    return (x.middle - size).min(-1), (x.middle + size).max(-1)


LINES: dict[str, Callable[[Floats, Floats], Line]] = {
    "relu": _piecewise(lambda x: np.maximum(x, 0.0), 0.0),
    "saturated-linear": _piecewise(lambda x: np.clip(x, 0.0, 1.0), 0.0, 1.0),
    "step": _step,
    "square": _square,
    "identity": _piecewise(lambda x: x),
    "abs": _piecewise(np.abs, 0.0),
    # |tanh''| = 2 t (1 - t^2) with t = |tanh|, at most 4/(3 sqrt(3)); of the sigmoid, s (1 - s) (1 - 2s), at most
    # 1/(6 sqrt(3)).
    "tanh": _smooth(Enclosed.tanh, 0.77, rises=False, below=-1.0),
    "sigmoid": _smooth(Enclosed.sigmoid, 0.0963, rises=False, below=0.0),
    # s' (2 - x tanh(x/2)) with s' <= 1/4: at most 1/2, and where it is negative at most s' |x| <= |x| e^-|x| < 0.37.
    "silu": _smooth(Enclosed.silu, 0.5, rises=True, below=0.0),
    # (2 - x^2) times the density of the normal distribution: at most 2/sqrt(2 pi), at 0.
    "gelu": _smooth(Enclosed.gelu, 0.798, rises=True, below=0.0),
}
SLOPES: dict[Activation, tuple[float, float]] = {
    "relu": (0.0, 1.0),
    "saturated-linear": (0.0, 1.0),
    "identity": (1.0, 1.0),
    "abs": (-1.0, 1.0),
    "tanh": (0.0, 1.0),
    "sigmoid": (0.0, 0.25),
    # silu'(x) = s (1 + x (1 - s)), and silu'(x) + silu'(-x) = 1; it is greatest where x tanh(x/2) = 2, x = 2.3994
    "silu": (-0.1, 1.1),
    # gelu'(x) = F + x F', and gelu'(x) + gelu'(-x) = 1; it is greatest at sqrt(2), at 1.1290
    "gelu": (-0.13, 1.13),
}
