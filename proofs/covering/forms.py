"""Numbers that depend on the word, for whole sets of words: as sums over the edges of its path, each number of which is
known, times a factor, and what is not known, bounded.

A form is constant + sum of (factor times functional) + sum of (size times a number from -1 to 1) + at most its radius.
Functionals are sums over the edges of a path, so that the range of a sum of them is exact, and found by dynamic
programming; numbers from -1 to 1, the noise of an activation, say, are the same wherever they stand, so that they
cancel (de Figueiredo and Stolfi, Numerical Algorithms 37, 2004, on affine arithmetic, which these are with functionals
in place of variables). Factors are float64; what is lost where they are rounded is found without error (Dekker,
Numerische Mathematik 18, 1971) and goes to the radius: where nothing is lost, nothing is added.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from weightproof.proofs.covering.automaton import Flags, Integers, Words, on_grid
from weightproof.proofs.running.enclosures import GRID, TINY, Enclosed, Floats, U, point

SPLITTER = 2.0**27 + 1


@dataclass(frozen=True, eq=False)
class Functional:
    """A sum of numbers for each edge over the edges of a path, by set and row, and the column in which it stands;
    layers: those in which some number is not 0; sizes: of the numbers and their radii along a path; exact: where they
    are multiples of 1/GRID."""

    column: int
    numbers: Enclosed
    layers: tuple[int, ...]
    sizes: Floats
    exact: Flags

    def of_row(self, row: int) -> Functional:
        """On the axis of sets alone."""
        return Functional(self.column, self.numbers[:, row], self.layers, self.sizes[:, row], self.exact[:, row])


@dataclass(eq=False)
class Basis:
    """What the columns of forms stand for, of sets of words: the first is the constant 1. Columns are added while forms
    are made; a form that was made before has 0 in those. scales: the greatest absolute value of each column; lost: the
    sets in which something on the way may have no value, of whatever is made of it."""

    words: Words
    functionals: list[Functional] = field(default_factory=list)
    directions: dict[int, Floats] = field(default_factory=dict)
    """Of each column that is noise: the factors of the functionals on which it depends, as many as there were."""
    scales: list[Floats] = field(default_factory=list)
    lost: Flags = field(init=False)
    _stacks: dict[tuple[int, ...], tuple[tuple[int, ...], Enclosed]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scales.append(np.ones(self.words.edges.shape[:-1]))
        self.lost = np.zeros(self.words.edges.shape[:-1], dtype=np.bool_)

    def some_lost(self) -> Flags:
        """Of sets by row: those in which a row is lost that has words."""
        lost = self.lost & self.words.some if self.lost.any() else self.lost
        return np.asarray(lost.any(-1))

    def functional(self, numbers: Enclosed) -> tuple[int, Floats, Floats]:
        """A column for the sum of numbers for each edge, and its range."""
        layers = self.words.automaton.told(numbers)
        row = numbers[..., None, self.words.automaton.among(layers)]
        sizes, exact = self.words.sizes(row, layers), on_grid(row)
        low, high = (each[..., 0] for each in self.words.between(row, layers, self.words.rounding(sizes, 0, exact)))
        self.functionals.append(Functional(len(self.scales), numbers, layers, sizes[..., 0], exact[..., 0]))
        self.scales.append(np.maximum(np.abs(low), np.abs(high)))
        return len(self.scales) - 1, low, high

    def noise(self, direction: Floats) -> int:
        """A column for a number from -1 to 1."""
        self.directions[len(self.scales)] = direction
        self.scales.append(np.ones(self.words.edges.shape[:-1]))
        return len(self.scales) - 1

    def stacked(self, which: tuple[int, ...]) -> tuple[tuple[int, ...], Enclosed]:
        """Some of the functionals, by their numbers: the layers in which one has a number that is not 0, and for the
        edges of these the numbers, on the last axis, with the functionals on the axis before it."""
        if which not in self._stacks:
            parts = [self.functionals[k] for k in which]
            layers = tuple(sorted({*itertools.chain.from_iterable(part.layers for part in parts)}))
            among = self.words.automaton.among(layers)
            middle, radius = (
                np.stack([getattr(part.numbers, name)[..., among] for part in parts], -2)
                for name in ("middle", "radius")
            )
            self._stacks[which] = layers, Enclosed(middle, radius)
        return self._stacks[which]

    def constant(self, values: Enclosed) -> Forms:
        """Numbers that are the same on all words of a set, on the last axis."""
        matrix = np.zeros((*values.middle.shape, len(self.scales)))
        matrix[..., 0] = values.middle
        return Forms(self, matrix, values.radius)

    @property
    def columns(self) -> list[int]:
        """Those of the functionals."""
        return [each.column for each in self.functionals]

    def numbers(self, factors: Floats) -> Floats:
        """Of a sum of functionals with these factors, on the last axis, about what each edge adds."""
        total = np.zeros(self.words.edges.shape)
        for k in range(factors.shape[-1]):
            total = total + factors[..., k, None] * self.functionals[k].numbers.middle
        return total


@dataclass(frozen=True, eq=False)
class Forms:
    """A form a row: matrix has the rows on the axis before the last, and the columns of the basis on the last one;
    radius has the rows on the last one."""

    basis: Basis
    matrix: Floats
    radius: Floats

    @property
    def padded(self) -> Floats:
        """The matrix with all columns that there are by now."""
        missing = len(self.basis.scales) - self.matrix.shape[-1]
        return np.pad(self.matrix, [(0, 0)] * (self.matrix.ndim - 1) + [(0, missing)]) if missing else self.matrix

    @property
    def factors(self) -> Floats:
        """Those of the functionals."""
        return self.padded[..., self.basis.columns]

    @property
    def noise(self) -> dict[int, Floats]:
        """By column, how much of it there is in each row."""
        sizes = np.abs(self.padded)
        return {column: sizes[..., column] for column in self.basis.directions}

    @property
    def directions(self) -> Floats:
        """Of each row the factors of functionals on which most of it depends: its own, or those of its greatest noise,
        where that is more than the functionals tell."""
        found = self.factors
        if not self.basis.directions:
            return found
        least, most = self._of_functionals
        sizes = np.stack([*self.noise.values()])
        which = np.where((sizes.max(0) > (most - least) / 2), sizes.argmax(0), -1)
        for number, direction in enumerate(self.basis.directions.values()):
            if (which == number).any():
                missing = found.shape[-1] - direction.shape[-1]
                direction = np.pad(direction, [(0, 0)] * (direction.ndim - 1) + [(0, missing)])
                found = np.where((which == number)[..., None], direction[..., None, :], found)
        return found

    def size(self) -> Floats:
        """More than the absolute value of each, its parts taken one by one."""
        parts = np.abs(self.padded) @ np.stack(self.basis.scales, -1)[..., None]
        found: Floats = (parts[..., 0] + self.radius) * (1 + 4 * (len(self.basis.scales) + 4) * U) + TINY
        return found

    def unless(self, lost: Flags) -> Forms:
        """The same, but for sets of which nothing is to be known."""
        return Forms(self.basis, self.matrix, np.where(lost[..., None], np.inf, self.radius))

    def __add__(self, other: Forms) -> Forms:
        left, right = self.padded, other.padded
        total, error = _sum(left, right)
        return Forms(self.basis, total, self._with(self.radius + other.radius, error))

    def _with(self, radius: Floats, error: Floats) -> Floats:
        """A radius, with the errors of the factors, which are on one more axis."""
        lost = (error @ np.stack(self.basis.scales, -1)[..., None])[..., 0]
        count = 4 * (len(self.basis.scales) + 8)
        return np.where((lost == 0) & (radius == 0), 0.0, (radius + lost) * (1 + count * U) + TINY)

    def through(self, weights: Enclosed, bias: Enclosed | None = None) -> Forms:
        """What a matrix makes of them, rows by columns, and what is added to that; one for all sets, or one for
        each."""
        matrix, columns = self.padded, weights.middle.shape[-1]
        total = np.zeros((*matrix.shape[:-2], weights.middle.shape[-2], matrix.shape[-1]))
        error = np.zeros_like(total)
        for k in range(columns):
            column = weights.middle[..., k, None]
            if not column.any():
                continue
            product, lost = _product(column, matrix[..., k, None, :])
            total, more = _sum(total, product)
            error += lost + more
        radius = (np.abs(weights.middle) @ self.radius[..., None])[..., 0]
        if weights.radius.any():
            radius = radius + (weights.radius @ self.size()[..., None])[..., 0]
        radius = radius * (1 + 4 * (columns + 4) * U)
        found = Forms(self.basis, total, self._with(radius, error * (1 + 4 * (columns + 2) * U)))
        return (
            found
            if bias is None
            else found
            + self.basis.constant(
                Enclosed(*(np.broadcast_to(each, found.radius.shape) for each in (bias.middle, bias.radius)))
            )
        )

    def row(self, which: Integers) -> Forms:
        """One row, of each set its own, whose number is on the last axis."""
        matrix = np.take_along_axis(self.padded, which[..., None], -2)
        return Forms(self.basis, matrix, np.take_along_axis(self.radius, which, -1))

    def repeated(self, count: int) -> Forms:
        """Of one row, so many that are the same."""
        return Forms(self.basis, np.repeat(self.matrix, count, -2), np.repeat(self.radius, count, -1))

    def range(self) -> tuple[Floats, Floats]:
        """The least and the greatest value of each on some word of the set, at most and at least."""
        low = high = point(self.padded[..., 0])
        if self.basis.functionals:
            least, most = self._of_functionals
            low, high = point(least) + low, point(most) + high
        more = self.radius
        if self.basis.directions:
            more = sum(self.noise.values(), more) * (1 + 4 * (len(self.basis.directions) + 2) * U)
        low, high = low - point(more), high + point(more)
        return _outward(low.middle - low.radius, -np.inf, low.radius), _outward(
            high.middle + high.radius, np.inf, high.radius
        )

    @cached_property
    def _of_functionals(self) -> tuple[Floats, Floats]:
        """Between which numbers the sum of the functionals lies; of the rows and columns that have a factor alone."""
        factors = self.factors
        least, most = np.zeros(self.radius.shape), np.zeros(self.radius.shape)
        rows, columns = (np.flatnonzero(factors.any((*range(factors.ndim - 2), axis))) for axis in (-1, -2))
        if not len(columns):
            return least, most
        words, factors = self.basis.words, factors[..., rows, :][..., columns]
        parts, size = [self.basis.functionals[k] for k in columns], np.abs(factors)
        sizes = (size @ np.stack([part.sizes for part in parts], -1)[..., None])[..., 0]
        exact = np.stack([part.exact for part in parts], -1)[..., None, :] | (factors == 0)
        exact &= np.rint(factors * GRID) == factors * GRID
        layers, numbers = self.basis.stacked(tuple(map(int, columns)))
        sums = Enclosed(factors @ numbers.middle, size @ numbers.radius)
        slack = words.rounding(sizes, len(parts) + 2, exact.all(-1))
        least[..., rows], most[..., rows] = words.between(sums, layers, slack)
        return least, most

    def scaled(self, by: Floats) -> Forms:
        """Each row times a number."""
        product, error = _product(by[..., None], self.padded)
        radius = np.abs(by) * self.radius * (1 + 4 * U)
        return Forms(self.basis, product, self._with(radius, error))

    def scaled_alike(self, by: Enclosed) -> Forms:
        """All rows times one number, which is known within a radius. What that leaves open is the same part of each
        row, but for how far rows are from the middle of their ranges."""
        found = self.scaled(by.middle[..., None])
        if not by.radius.any():
            return found
        middle, away = _around(*self.range())
        most = np.abs(middle).argmax(-1)
        column = self.basis.noise(np.take_along_axis(self.directions, most[..., None, None], -2)[..., 0, :])
        matrix = found.padded
        matrix[..., column] = middle * by.radius[..., None]
        lost = 4 * U * np.abs(middle) * by.radius[..., None] + TINY
        return Forms(self.basis, matrix, found.radius + lost).noisy(
            away * by.radius[..., None] * (1 + 4 * U), self.directions
        )

    def times(self, other: Forms) -> Forms:
        """Row by row. x y = a y + b x - a b + (x - a) (y - b), whatever a and b are: the middles of their ranges."""
        (a, x), (b, y) = (_around(*each.range()) for each in (self, other))
        found = other.scaled(a) + self.scaled(b) + self.basis.constant(-(point(a) * point(b)))
        lost = x * y * (1 + 4 * U)
        wider = (x * np.abs(b) >= y * np.abs(a))[..., None]
        return found.noisy(lost, np.where(wider, self.directions, other.directions))

    def noisy(self, sizes: Floats, directions: Floats | None = None) -> Forms:
        """With noise of these sizes, in each row its own. directions: factors of functionals, for each row; those of
        the forms themselves, where none are named."""
        where = self.directions if directions is None else directions
        matrix, rows = self.padded, self.radius.shape[-1]
        for row in range(rows):
            if not (sizes[..., row] > 0).any():
                continue
            column = self.basis.noise(where[..., row, :])
            matrix = np.pad(matrix, [(0, 0)] * (matrix.ndim - 1) + [(0, 1)])
            matrix[..., row, column] = sizes[..., row]
        return Forms(self.basis, matrix, self.radius)


def _around(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """A number between two, and how far from it these are, at most."""
    middle = np.where(low == high, low, (low + high) / 2)
    return middle, np.maximum(high - middle, middle - low) * (1 + 4 * U)


def _sum(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """The sum, and how much was lost (Knuth)."""
    total = left + right
    part = total - left
    return total, np.abs((left - (total - part)) + (right - part))


def _product(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """The product, and at least how much was lost (Dekker)."""
    product = left * right
    a, b = _halves(left), _halves(right)
    lost = np.abs(((a[0] * b[0] - product) + a[0] * b[1] + a[1] * b[0]) + a[1] * b[1])
    small = (np.abs(product) < 2.0**-900) & (left != 0) & (right != 0)
    return product, np.where(small, lost + TINY, lost)


def _halves(x: Floats) -> tuple[Floats, Floats]:
    shifted = SPLITTER * x
    high = shifted - (shifted - x)
    return high, x - high


def _outward(value: Floats, towards: float, radius: Floats) -> Floats:
    return np.where(radius == 0, value, np.nextafter(value, towards))
