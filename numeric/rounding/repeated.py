"""Sums of many equal terms from left to right, without adding them one by one, to the same bits.

While a running sum s stays in one binade it is a whole number S of the spacing q there, and s + w, for a term
w = (m + f) q with 0 <= f < 1, is rounded to a whole number of q again. Unless f = 1/2, the nearest one to S + m + f is
S + m or S + m + 1 by f alone: the increment is one number D of q. If f = 1/2, the sum goes to the even one of the two,
so that S is even after the first step; from then on S + m is even for every even m, and S + m + 1 for every odd one,
and the increment is again one number. So D is the increment of a second step in the binade, and j more steps come to
S + j D, as long as no sum leaves the binade before it is rounded: |w/q - D| <= 1/2, so that this holds where the
rounded sums keep at least one q from its ends. Below the normal numbers, and in the first binade of them, the spacing
is one, and the only end is the upper one; a sum that changes its sign there, takes steps. A sum that a step does not
change is never changed again; so are infinity and what is no number.

A sum of equal terms goes down towards 0 and away from it at most once, and stops where w < q/2: it sees no more than
about 2p binades, and a few steps in each.
"""

from __future__ import annotations

import numpy as np

from weightproof.numeric.rounding.formats import Format

Array = np.ndarray


def repeated(total: Array, term: Array, times: Array, format: Format) -> Array:
    """total + term + ... + term, `times` terms, rounded after each addition, as `np.add.accumulate` does it.

    Arrays of one shape: of the format's numpy type, and of int64 for times.
    """
    result, left = total.flatten(), times.flatten()
    terms, open_ = term.ravel(), np.flatnonzero(left)
    while open_.size:
        before, w = result[open_], terms[open_]
        once = before + w
        twice = once + w
        remaining = left[open_] - 1
        quantum = _quantum(once, format)
        first, next_ = _steps(once, quantum), _steps(twice, quantum)
        increment = next_ - first
        lowest = np.where(quantum == format.least - format.precision + 1, 1, (1 << (format.precision - 1)) + 1)
        outward = np.sign(increment) == np.sign(first)
        room = np.where(outward, (1 << format.precision) - 1 - abs(first), abs(first) - lowest)
        within = (_quantum(before, format) == quantum) & (_quantum(twice, format) == quantum)
        within &= (increment != 0) & (room > 0)
        jumps = np.where(within, np.minimum(room // np.maximum(abs(increment), 1), remaining), 0)
        jumped = np.ldexp((first + jumps * increment).astype(np.float64), quantum).astype(result.dtype)
        result[open_] = np.where(jumps > 0, jumped, once)
        stays = (twice == once) | (once != once)
        left[open_] = np.where(stays, 0, remaining - jumps)
        open_ = open_[left[open_] > 0]
    return result.reshape(total.shape)


def _quantum(x: Array, format: Format) -> Array:
    """The exponents of the spacings of the binades that numbers lie in."""
    _, exponents = np.frexp(x.astype(np.float64))
    return np.maximum(np.where(x == 0, format.least, exponents - 1), format.least) - format.precision + 1


def _steps(x: Array, quantum: Array) -> Array:
    """Finite numbers as integer multiples of 2^quantum; 0 for others, and cut where they are none."""
    finite = np.where(np.isfinite(x), x, 0).astype(np.float64)
    return np.ldexp(finite, -quantum).astype(np.int64)
