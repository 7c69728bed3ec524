"""Where the sums of steps w, -w and 0 may lie, added from left to right and each correctly rounded.

A bound by the sizes of partial sums would add up a rounding for each step. But a walk that goes up and comes down again
nearly undoes its own roundings: as rounding is monotone, two walks keep their order while they take the same steps. So
intervals say it all: where the sums of all walks that are at a level lie in its interval, those one step later lie
between the rounded ends. Intervals, one for each level, that contain 0 at level 0 and all ends that step into them
contain the sums of every walk of any number of steps between these levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.rounding.arithmetic import Array

PASSES = 16
"""How often the levels are gone through, out and back; intervals that are not closed by then bound nothing."""


@dataclass(frozen=True)
class Reach:
    """Intervals of sums at the levels bottom..top, for each w: arrays [levels, len(w)] in the format's own type.

    A level that the walks of some w cannot be at has an empty interval there, from infinity to minus infinity.
    """

    bottom: int
    step: Array
    low: Array
    high: Array

    def at(self, level: int) -> tuple[Array, Array]:
        """The interval at a level, or one step beyond the outermost ones; empty farther away."""
        place = level - self.bottom
        if 0 <= place < len(self.low):
            return self.low[place], self.high[place]
        nearest, step = (0, -self.step) if place < 0 else (-1, self.step)
        if place not in (-1, len(self.low)):
            step = step * step.dtype.type(np.inf)
            return abs(step), -abs(step)
        return self.low[nearest] + step, self.high[nearest] + step


def reach(step: Array, bottoms: np.ndarray, tops: np.ndarray) -> Reach:
    """The intervals of walks that start at 0 and stay at the levels from bottom <= 0 to top >= 0 of their w.

    step: w, shape [rows], as are the levels, which go from row to row outwards only. Raises NotUnderstood where the
    intervals are not closed after PASSES.
    """
    bottom, top = int(bottoms[-1]), int(tops[-1])
    shape, infinite = (top - bottom + 1, len(step)), step.dtype.type(np.inf)
    low, high = np.full(shape, infinite), np.full(shape, -infinite)
    low[-bottom] = high[-bottom] = 0
    levels = range(bottom, top + 1)
    # The first row whose walks may be at a level.
    first = [int(np.searchsorted(tops, k) if k > 0 else np.searchsorted(-bottoms, -k)) for k in levels]
    pairs = [(k, k + 1, max(first[k], first[k + 1])) for k in range(len(low) - 1)]
    for _ in range(PASSES):
        before = low.copy(), high.copy()
        for below, above, row in pairs:
            _widen(low, high, below, above, step, row)
        for below, above, row in reversed(pairs):
            _widen(low, high, above, below, -step, row)
        if (before[0] == low).all() and (before[1] == high).all():
            return Reach(bottom, step, low, high)
    raise NotUnderstood("sums that no interval is seen to contain")


def _widen(low: Array, high: Array, source: int, target: int, step: Array, row: int) -> None:
    """The intervals of a level after a step into it, from a row on; what nothing has reached yet stays empty."""
    np.minimum(low[target, row:], low[source, row:] + step[row:], out=low[target, row:])
    np.maximum(high[target, row:], high[source, row:] + step[row:], out=high[target, row:])
