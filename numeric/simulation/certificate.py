"""How far a recurrent network in floating point may be from the exact one, along the runs on words of one length.

Beside the run goes one in float64, and for each unit a bound on its distance to the exact number, and one on the
distance of what any arithmetic of the format computes. The latter may take sums in any order, and round products or
not: m terms of sizes that add up to s are off by (m-1)u/(1-(m-1)u) s at most (Higham, Accuracy and Stability of
Numerical Algorithms, section 4.2), and by nothing while all are multiples of a power of two, q, and s <= 2^p q. A unit
that is certainly below 0 or above 1 before it is saturated is exact.

Bounds are computed in float64 and enlarged by far more than that rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, read
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.rounding.formats import FORMATS, Format, fraction, nearest

Array = np.ndarray
ENLARGED = 1 + 1e-9
FINEST = FORMATS["float64"]
"""In which the run beside is computed."""


@dataclass(frozen=True)
class Rounded:
    """Numbers as a format holds them, in float64; at least how far each is from the exact one; and its lowest bit."""

    values: Array
    off: Array
    lowest: Array


def _rounded(exact: Sequence[Fraction], format: Format) -> Rounded:
    values = [nearest(x, format) for x in exact]
    off = np.array([float(abs(Fraction(value) - x)) for value, x in zip(values, exact, strict=True)]) * ENLARGED
    return Rounded(np.array(values), off, lowest_bit(np.array(values)))


def lowest_bit(x: Array) -> Array:
    """The greatest power of two of which each number is a multiple; infinite for 0."""
    mantissa, exponent = np.frexp(x)
    whole = (np.abs(mantissa) * 2.0**53).astype(np.int64)
    return np.where(x == 0, np.inf, np.ldexp((whole & -whole).astype(float), exponent - 53))


@dataclass(frozen=True)
class Further:
    """A column of a sum that is no unit and no coordinate, whatever these are called: of what kind, and which one."""

    kind: str
    name: str


Column = str | Further
Weights = Mapping[str, Mapping[Any, Expression]]
"""Row -> column -> weight."""


class Terms:
    """The sums of a linear map, as one list of terms: in each a weight, and a column of what it is applied to, or 1."""

    def __init__(
        self, weights: Weights, bias: Mapping[str, Expression], columns: Sequence[Column], rows: Sequence[str]
    ) -> None:
        places = {name: number for number, name in enumerate(columns)}
        self.exact: list[Fraction] = []
        self.starts: list[int] = []
        taken: list[int] = []
        for row in rows:
            terms = [(places[name], weight) for name, weight in weights.get(row, {}).items()]
            self.starts.append(len(self.exact))
            self.exact += [*(value_of(weight) for _, weight in terms), value_of(bias.get(row))]
            taken += [*(place for place, _ in terms), len(columns)]
        self.columns = np.array(taken)

    def added(self, terms: Array) -> Array:
        return np.add.reduceat(terms, self.starts, axis=1)

    def least(self, terms: Array) -> Array:
        return np.minimum.reduceat(terms, self.starts, axis=1)


def value_of(scalar: Expression | None, i: int = 0, n: int = 0) -> Fraction:
    """A rational weight, or a rational position encoding at position i of n; 0 where there is none."""
    return Fraction(0) if scalar is None else fraction(evaluate(scalar, {"i": fmpq(i), "n": fmpq(n)}))


@dataclass(frozen=True)
class Bounds:
    """What is known of the units after a step, or of other numbers, [words, units]: the run in float64, how far it may
    be off, and how far one in the format may be."""

    beside: Array
    beside_off: Array
    off: Array

    def beside_these(self, other: Bounds) -> Bounds:
        """Both, one behind the other."""
        pairs = zip(self.parts, other.parts, strict=True)
        return Bounds(*(np.concatenate(pair, 1) for pair in pairs))

    @property
    def parts(self) -> tuple[Array, Array, Array]:
        return self.beside, self.beside_off, self.off


class Sums:
    """A linear map in a format, and beside it in float64: from numbers in the order of the columns to those of rows."""

    def __init__(
        self,
        weights: Weights,
        bias: Mapping[str, Expression],
        columns: Sequence[Column],
        rows: Sequence[str],
        format: Format,
    ) -> None:
        self.terms, self.format = Terms(weights, bias, columns, rows), format
        self.weights, self.finest = _rounded(self.terms.exact, format), _rounded(self.terms.exact, FINEST)

    def __call__(self, x: Bounds) -> Bounds:
        sums, rounding = self.parted(x)
        return Bounds(sums.beside, *(off + more for off, more in zip(sums.parts[1:], rounding, strict=True)))

    def parted(self, x: Bounds) -> tuple[Bounds, tuple[Array, Array]]:
        """The sums, off by what x and the weights are off, and what is rounded beside that, in float64 and in the
        format."""
        one = np.ones((len(x.beside), 1))
        values, beside_off, off = (
            np.concatenate([part, last], 1) for part, last in zip(x.parts, (one, 0 * one, 0 * one), strict=True)
        )
        sums = self.terms.added(self.finest.values * values[:, self.terms.columns])
        beside_inherited, beside_rounding = _error(
            self.terms, self.finest, FINEST, values, beside_off, np.zeros_like(off)
        )
        inherited, rounding = _error(self.terms, self.weights, self.format, values, beside_off, off)
        return Bounds(sums, beside_inherited, inherited), (beside_rounding, rounding)


def numbers_of(exact: Sequence[Sequence[Fraction]], format: Format) -> Bounds:
    """Rows of numbers, each rounded once."""
    finest, own = ([_rounded(row, each) for row in exact] for each in (FINEST, format))
    return Bounds(*map(np.array, ([r.values for r in finest], [r.off for r in finest], [r.off for r in own])))


def bounds(network: RNN, words: Sequence[Sequence[str]], format: Format) -> Iterator[Bounds]:
    """Step after step, without end, on words of one length."""
    inputs = {name: Further("input", name) for name in network.inputs}
    weights = {
        unit: {
            **network.W_h.weights.get(unit, {}),
            **{inputs[name]: weight for name, weight in network.W_x.weights.get(unit, {}).items()},
        }
        for unit in network.units
    }
    columns: tuple[Column, ...] = (*network.units, *inputs.values())
    sums = Sums(weights, network.W_x.bias, columns, network.units, format)
    embedding = {
        token: [value_of(network.embedding.WE.get(token, {}).get(name)) for name in network.inputs]
        for token in network.tokens
    }
    h = Bounds(*(np.zeros((len(words), len(network.units))) for _ in range(3)))
    for tokens in zip(*(read(network, word) for word in words), strict=True):
        h = saturated(sums(h.beside_these(numbers_of([embedding[token] for token in tokens], format))))
        yield h


def saturated(sums: Bounds) -> Bounds:
    """What is left of errors after saturation."""
    beside, beside_err, err = sums.parts
    return Bounds(np.clip(beside, 0, 1), _kept(beside, beside_err, beside_err), _kept(beside, beside_err + err, err))


def _kept(sums: Array, around: Array, err: Array) -> Array:
    """around: how far the sums may be from what is saturated."""
    certain = (sums + around <= 0) | (sums - around >= 1)
    return np.where(certain, 0.0, np.minimum(err, 1.0))


def _error(
    terms: Terms, weights: Rounded, format: Format, values: Array, beside_off: Array, off: Array
) -> tuple[Array, Array]:
    """How far a sum as the format computes it may be from the exact one, [words, units]: by what its terms are off, and
    by rounding.

    off: how far the computed values may be from the exact ones, or 0 where the values are those of the run beside.
    """
    columns, u = terms.columns, float(format.unit_roundoff)
    beside_off, off = beside_off[:, columns], off[:, columns]
    shift = np.maximum(off, beside_off) if format is FINEST else off
    largest = np.abs(values[:, columns]) + beside_off
    sizes = np.abs(weights.values) * (largest + shift)
    total, many = terms.added(sizes) * ENLARGED, terms.added((sizes > 0).astype(float))
    inherited = terms.added(np.abs(weights.values) * shift + weights.off * largest)
    powers_of_two = np.abs(weights.values) == weights.lowest
    tiny = float(format.smallest)
    products = u * terms.added(np.where(powers_of_two, 0.0, sizes)) + tiny * many
    inner = np.maximum(many - 1, 0) * u
    with np.errstate(invalid="ignore"):  # of what may overflow
        sums = inner / np.maximum(1 - inner, u) * total * (1 + u)
    lowest = terms.least(weights.lowest * lowest_bit(values)[:, columns])
    known = terms.least(((beside_off + off + weights.off == 0) | (sizes == 0)).astype(float)) == 1
    exact = known & (total <= 2.0**format.precision * lowest) & (lowest >= tiny) & (total < 2.0**format.greatest)
    # What may overflow may be anything.
    rounding = np.where(total < 2.0**format.greatest, (products + sums) * ENLARGED, np.inf)
    return np.where(exact, 0.0, inherited * ENLARGED), np.where(exact, 0.0, rounding)
