"""Units that are given nearly the same: what is open of one is open of the other, and their difference is small. So
steps are built, f(x + 1) - f(x), of which each unit alone may be anything where x is not known."""

from __future__ import annotations

import numpy as np

from weightproof.proofs.covering.forms import Forms
from weightproof.proofs.running.enclosures import Floats, U

LESS = 0.5
"""A unit is told by another one where that leaves less than this part of what its own line leaves open."""


def paired(x: Forms, units: Forms, sizes: Floats, between: tuple[float, float]) -> Forms:
    """What an activation f makes of x, row by row. units, sizes: by a line of each row alone, and how far off that may
    be; between: where (f(x) - f(y))/(x - y) lies.

    Where it leaves less open, f(x) is told by an earlier row y: f(x) = f(y) + m (x - y), up to r |x - y|, with m - r
    and m + r the ends of `between`.
    """
    middle, radius = sum(between) / 2, (between[1] - between[0]) / 2 * (1 + 4 * U)
    found = units
    for row in range(sizes.shape[-1]):
        own = sizes[..., row]
        if row and (own > 0).any():
            nearest, off = _nearest(x, row)
            taken = radius * off < LESS * own
            if taken.any():
                told = found.row(_which(found, nearest)) + (
                    x.row(_which(x, row)) + x.row(_which(x, nearest)).scaled(_alike(x, -1.0))
                ).scaled(_alike(x, middle))
                found = _with_row(found, row, told, taken)
                own = np.where(taken, radius * off, own)
        one = np.zeros_like(sizes)
        one[..., row] = own
        found = found.noisy(one, x.directions)
    return found


def _nearest(x: Forms, row: int) -> tuple[np.ndarray, Floats]:
    """Of each set, the earlier row from which a row is the least off, and by how much at most."""
    matrix = x.padded
    scales = np.stack(x.basis.scales, -1)[..., None]
    sizes = (np.abs(matrix[..., row, None, :] - matrix[..., :row, :]) @ scales)[..., 0]
    nearest = sizes.argmin(-1)
    return nearest, (x.row(_which(x, row)) + x.row(_which(x, nearest)).scaled(_alike(x, -1.0))).size()[..., 0]


def _which(x: Forms, row: int | np.ndarray) -> np.ndarray:
    """One row, of each set its own."""
    return np.broadcast_to(row, x.radius.shape[:-1])[..., None]


def _alike(x: Forms, factor: float) -> Floats:
    """A factor of one row."""
    return np.full((*x.radius.shape[:-1], 1), factor)


def _with_row(x: Forms, row: int, other: Forms, where: np.ndarray) -> Forms:
    """With another form for a row, in some of the sets."""
    matrix, radius, told = x.padded.copy(), x.radius.copy(), other.padded
    matrix[..., row, :] = np.where(where[..., None], told[..., 0, :], matrix[..., row, :])
    radius[..., row] = np.where(where, other.radius[..., 0], radius[..., row])
    return Forms(x.basis, matrix, radius)
