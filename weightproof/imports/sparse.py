"""From dense matrices to the parts of a construction: sparse maps between names, with exact scalars.

What adds exactly 0 is left out: rows of zeros among scores, values and hidden units, and heads of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, LayerNorm, Linear, Mask
from weightproof.imports.dense import DenseFeedForward, DenseHead, DenseLayer, Tensor
from weightproof.imports.recognising import Recognised, recognised

Scalar = Fraction | str
Rows = dict[str, dict[str, Scalar]]
ONE = "1"
"""The coordinate that is 1 everywhere, which is added where a query has a bias."""


@dataclass
class Exactly:
    """Floating-point numbers as exact scalars. precision: None takes each as it is; else short expressions that near to
    it, relatively, are recognised, and listed."""

    precision: float | None
    found: list[Recognised] = field(default_factory=list)

    def __call__(self, value: float, place: str) -> Scalar:
        known = None if self.precision is None else recognised(value, self.precision, place)
        if known is None:
            return Fraction(value)
        self.found.append(known)
        return known.expression

    def row(self, values: Tensor, names: Sequence[str], place: str) -> dict[str, Scalar]:
        """What is not 0, by name."""
        numbers = zip(names, values.tolist(), strict=True)
        return {name: self(value, f"{place}, {name}") for name, value in numbers if value}


@dataclass(frozen=True)
class Reading:
    """What is the same for all layers of a network.

    scale: of the scores, None for 1/sqrt(d_head); mask: as in `Head`.
    """

    coordinates: tuple[str, ...]
    exactly: Exactly
    scale: str | None
    mask: Mask


def layer_of(dense: DenseLayer, reading: Reading) -> Layer:
    """InputError where attention has a bias that no part of a layer can hold."""
    heads, constant = [], _row_or_none(dense.b_O, reading, f"{dense.name}, bias of attention")
    for number, head in enumerate(dense.heads, start=1):
        place = f"{dense.name}, head {number}"
        made = head_of(head, reading, place)
        heads += [] if made is None else [made]
        outward = _rows(head.W_O.T, "v", reading, f"{place}, W_O")
        for value, bias in _row_or_none(head.b_V, reading, f"{place}, b_V", _numbered("v", len(head.W_V))).items():
            row = outward.get(value, {})  # the weights of attention add up to 1
            constant = _sum(constant, {name: _product(weight, bias) for name, weight in row.items()})
    if constant and dense.epsilons is not None:
        raise InputError(f"{dense.name}: attention has an output bias before a norm, which no part holds; make it 0")
    attention_norm, feed_forward_norm = (
        (None, None) if dense.epsilons is None else (LayerNorm(reading.exactly(e, "epsilon")) for e in dense.epsilons)
    )
    feed_forward = feed_forward_of(dense.feed_forward, constant, reading, dense.name)
    if feed_forward is None and feed_forward_norm is not None:
        feed_forward = FeedForward(Linear(), Linear())
    return Layer(
        heads=tuple(heads),
        feed_forward=feed_forward,
        attention_norm=attention_norm,
        feed_forward_norm=feed_forward_norm,
    )


def head_of(dense: DenseHead, reading: Reading, place: str) -> Head | None:
    """None where it adds nothing."""
    d_head = dense.W_Q.shape[0]
    queries, keys = _rows(dense.W_Q, "q", reading, f"{place}, W_Q"), _rows(dense.W_K, "q", reading, f"{place}, W_K")
    for name, bias in _row_or_none(dense.b_Q, reading, f"{place}, b_Q", _numbered("q", d_head)).items():
        queries.setdefault(name, {})[ONE] = bias
    scored = [name for name in queries if name in keys]
    outward = _rows(dense.W_O.T, "v", reading, f"{place}, W_O")
    inward = _rows(dense.W_V, "v", reading, f"{place}, W_V")
    carried = [name for name in inward if name in outward]
    if not carried:
        return None
    W_O = _transposed({name: outward[name] for name in carried}, reading)
    W_V = {name: inward[name] for name in carried}
    if sorted(map(str, W_O.values())) == sorted(str({name: Fraction(1)}) for name in carried):  # each goes to one place
        W_V, W_O = {coordinate: inward[name] for coordinate, [name] in W_O.items()}, {}
    return Head(
        W_Q={name: queries[name] for name in scored},
        W_K={name: keys[name] for name in scored},
        W_V=W_V,
        W_O=W_O or None,
        scale=reading.scale or (f"1/sqrt({d_head})" if scored else 1),
        mask=reading.mask,
    )


def feed_forward_of(
    dense: DenseFeedForward | None, constant: Mapping[str, Scalar], reading: Reading, place: str
) -> FeedForward | None:
    """None where it adds nothing. constant: what attention adds everywhere, which is added here, before and after the
    hidden units."""
    if dense is None:
        return FeedForward(Linear(), Linear(bias=constant)) if constant else None
    place = f"{place}, feed-forward network"
    hidden = _numbered("h", dense.W_F1.shape[0])
    first = _rows(dense.W_F1, "h", reading, f"{place}, W_F1")
    bias = _row_or_none(dense.b_F1, reading, f"{place}, b_F1", hidden)
    for unit, row in first.items():
        for name, weight in row.items():
            if name in constant:
                bias = _sum(bias, {unit: _product(weight, constant[name])})
    outward = _rows(dense.W_F2.T, "h", reading, f"{place}, W_F2")
    live = [unit for unit in hidden if unit in outward and (unit in first or unit in bias)]
    second = _transposed({unit: outward[unit] for unit in live}, reading)
    added = _sum(_row_or_none(dense.b_F2, reading, f"{place}, b_F2"), constant)
    if not live and not added:
        return None
    return FeedForward(
        Linear(
            {unit: first[unit] for unit in live if unit in first}, {unit: bias[unit] for unit in live if unit in bias}
        ),
        Linear(second, added),
        dense.activation,
    )


def _transposed(rows: Rows, reading: Reading) -> Rows:
    """By coordinate, in their order."""
    found = {
        name: {row: values[name] for row, values in rows.items() if name in values} for name in reading.coordinates
    }
    return {name: row for name, row in found.items() if row}


def _rows(matrix: Tensor, name: str, reading: Reading, place: str) -> Rows:
    """The rows that are not 0, numbered; columns by the names of the coordinates."""
    rows = zip(_numbered(name, matrix.shape[0]), matrix, strict=True)
    found = {row: reading.exactly.row(values, reading.coordinates, f"{place}, row {row}") for row, values in rows}
    return {row: values for row, values in found.items() if values}


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}{number}" for number in range(1, count + 1))


def _row_or_none(
    values: Tensor | None, reading: Reading, place: str, names: Sequence[str] | None = None
) -> dict[str, Scalar]:
    names = reading.coordinates if names is None else names
    return {} if values is None else reading.exactly.row(values, names, place)


def _sum(left: Mapping[str, Scalar], right: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Name by name; what is 0 is left out."""
    result = dict(left)
    for name, value in right.items():
        before = result.get(name, Fraction(0))
        exact = isinstance(before, Fraction) and isinstance(value, Fraction)
        result[name] = before + value if exact else f"{before} + ({value})"  # type: ignore[operator]
    return {name: value for name, value in result.items() if value != 0}


def _product(left: Scalar, right: Scalar) -> Scalar:
    exact = isinstance(left, Fraction) and isinstance(right, Fraction)
    return left * right if exact else f"({left})*({right})"  # type: ignore[operator]
