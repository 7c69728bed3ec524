"""Rows over the root of the mean of their squares, which does not depend on how great all of them are together."""

from __future__ import annotations

import numpy as np

from weightproof.proofs.covering.automaton import Flags, Integers
from weightproof.proofs.covering.forms import Forms
from weightproof.proofs.running.enclosures import Enclosed, Floats, U, between, over, point, under


def over_root_mean_square(x: Forms, epsilon: Enclosed) -> Forms:
    """x/sqrt(mean(x^2) + epsilon); with s one of the rows it is (x/|s|)/sqrt(mean((x/|s|)^2) + epsilon/s^2), too, which
    is known where rows are multiples of each other, however great they are: of the two, for each set and row of the
    stream, the one that leaves less open."""
    found, known = _over_root(x, epsilon)
    x.basis.lost |= ~known
    which, least, most = _farthest(x)
    if (least == most).all():
        return found
    ratios = _over_a_row(x, which, least, most)
    inverse_square = between(under(under(1 / over(most)) ** 2), over(over(1 / np.where(least > 0, least, 0.0)) ** 2))
    other, _ = _over_root(ratios, inverse_square * epsilon)
    better = (_left_open(other) < _left_open(found)) & known
    return Forms(
        x.basis,
        np.where(better[..., None, None], other.padded, found.padded),
        np.where(better[..., None], other.radius, found.radius),
    )


def _over_root(x: Forms, epsilon: Enclosed) -> tuple[Forms, Flags]:
    """And of which sets and rows of the stream it is known that they have such a root."""
    width = x.radius.shape[-1]
    low, high = x.range()
    inside = (low <= 0) & (high >= 0)
    least = np.where(inside, 0.0, np.minimum(low * low, high * high)).sum(-1) * (1 - 2 * (width + 4) * U) / width
    most = np.maximum(low * low, high * high).sum(-1) * (1 + 2 * (width + 4) * U) / width
    inverse = _inverse_root(between(least * (1 - 2 * U), most * (1 + 2 * U)) + epsilon)
    return x.scaled_alike(inverse), np.isfinite(inverse.radius)


def _farthest(x: Forms) -> tuple[Integers, Floats, Floats]:
    """The row that is the farthest from 0, of each set its own, and between which numbers its absolute value lies."""
    low, high = x.range()
    sizes = np.maximum(np.maximum(low, -high), 0.0)
    which = sizes.argmax(-1)[..., None]
    greatest = np.maximum(np.abs(low), np.abs(high))
    return which, *(np.take_along_axis(each, which, -1)[..., 0] for each in (sizes, greatest))


def _over_a_row(x: Forms, which: Integers, least: Floats, most: Floats) -> Forms:
    """With s a row, and q about x/s, whatever numbers: x/|s| = q s/|s| + (x - q s)/|s|. least, most: of |s|."""
    low, high = x.range()
    sign = np.sign(np.take_along_axis(low, which, -1))
    middle = np.where(low == high, low, (low + high) / 2)
    quotient = middle / np.take_along_axis(middle, which, -1)
    quotient = np.where(np.isfinite(quotient), quotient, 0.0)
    away = x + x.row(which).repeated(x.radius.shape[-1]).scaled(-quotient)
    inverse = between(under(1 / over(most)), over(1 / np.where(under(least) > 0, under(least), 0.0)))
    least_away, most_away = away.range()
    lost = np.maximum(np.abs(least_away), np.abs(most_away)) * inverse.radius[..., None] * (1 + 4 * U)
    lost = np.where(inverse.radius[..., None] == 0, 0.0, lost)
    told = away.scaled(np.broadcast_to(inverse.middle[..., None], quotient.shape))
    return told.noisy(lost, away.directions) + x.basis.constant(point(sign * quotient))


def _left_open(x: Forms) -> Floats:
    """All that no functional tells, of all rows."""
    return np.asarray(sum(x.noise.values(), x.radius).sum(-1))


def _inverse_root(square: Enclosed) -> Enclosed:
    """Of numbers that are not negative; infinite where one may be 0."""
    root = square.root()
    least, most = root.middle - root.radius, root.middle + root.radius
    return between(under(1 / over(most)), over(1 / np.where(under(least) > 0, under(least), 0.0)))
