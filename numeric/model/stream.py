"""A residual stream whose coordinates are computed when something reads them, and linear maps between streams.

Hand-built weights are sparse, and much of a stream is the same in all words or in all rows. So each coordinate is a
tensor of its own, [words, rows], with 1 word or 1 row where all have the same; what nothing reads is never computed,
and products with a weight of 0 are left out (0 times infinity, too, is nothing here).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from math import frexp
from typing import Any

import torch

from weightproof.numeric import MODEL

Tensor = torch.Tensor


class Stream:
    """Coordinate -> its values, None where they are 0 everywhere; computed once.

    same: coordinate -> whether it is known, before any value is, that all words have one value in the row that is read:
    where they have one token there, as far as no head has reached it.
    """

    def __init__(
        self, compute: Callable[[int], Tensor | None], same: Callable[[int], bool] = lambda coordinate: False
    ) -> None:
        self.compute, self.same = compute, same
        self.known: dict[int, Tensor | None] = {}

    def __call__(self, coordinate: int) -> Tensor | None:
        if coordinate not in self.known:
            self.known[coordinate] = self.compute(coordinate)
        return self.known[coordinate]


def total(parts: Iterable[Tensor | None]) -> Tensor | None:
    """The sum, small operands first; None for nothing at all."""
    terms = sorted((part for part in parts if part is not None), key=Tensor.numel)
    return reduce(torch.add, terms) if terms else None


def combined(weights: Sequence[float], stream: Stream) -> Tensor | None:
    """The sum of weight * coordinate over the weights that are not 0, values of one shape first."""
    terms: dict[torch.Size, list[tuple[float, Tensor]]] = {}
    for coordinate, weight in enumerate(weights):
        values = stream(coordinate) if weight else None
        if values is not None:
            terms.setdefault(values.shape, []).append((weight, values))
    return total(map(_scaled, terms.values()))


def _scaled(terms: Sequence[tuple[float, Tensor]]) -> Tensor:
    """The sum of weight * values. It saves a pass to begin with values that are not scaled, and if the other one of the
    first two is scaled by a power of two, which is exact, changes nothing."""
    (weight, first), *others = terms
    if weight != 1 and others and others[0][0] == 1 and abs(frexp(weight)[0]) == 0.5:
        (_, first), others = others[0], [terms[0], *others[1:]]
    elif weight != 1:
        first = first * weight
    return reduce(lambda before, term: torch.add(before, term[1], alpha=term[0]), others, first)


_read: ContextVar[dict[int, tuple[Tensor, Any]] | None] = ContextVar("weights that were read", default=None)


@contextmanager
def weights_read_once() -> Iterator[None]:
    """What `numbers` has read stays, for as long as nothing can change a weight: on a GPU, reading waits for all that
    goes on there."""
    before = _read.set({})
    try:
        yield
    finally:
        _read.reset(before)


def numbers(weights: Tensor) -> Any:
    """Weights [..., inputs, outputs] as Python numbers, lists of the columns; or [outputs], one list."""
    known = _read.get()
    if known is not None and id(weights) in known:
        return known[id(weights)][1]
    found = weights.mT.tolist() if weights.dim() > 1 else weights.tolist()
    if known is not None:
        known[id(weights)] = weights, found  # held, so that no other tensor comes to have its id
    return found


def linear(matrix: Tensor, stream: Stream, bias: Tensor | None = None, head: int | None = None) -> Stream:
    """x @ matrix + bias, matrix [inputs, outputs] and bias [outputs]; of a head, where there is a matrix for each."""
    columns = numbers(matrix) if head is None else numbers(matrix)[head]
    biases = [] if bias is None else numbers(bias)

    def output(number: int) -> Tensor | None:
        product = combined(columns[number], stream)
        return total([product, bias[number].view(1, 1)]) if bias is not None and biases[number] else product

    def same(number: int) -> bool:
        return all(stream.same(coordinate) for coordinate, weight in enumerate(columns[number]) if weight)

    return Stream(output, same)


def at(rows: str, stream: Stream) -> Stream:
    """The rows that are wanted: "first", "last", or "sum", all of them."""
    columns = MODEL.of("readout position", rows, {"first": slice(0, 1), "last": slice(-1, None), "sum": None})
    if columns is None:
        return stream
    return Stream(
        lambda coordinate: None if (values := stream(coordinate)) is None else values[:, columns], stream.same
    )


def added(*streams: Stream) -> Stream:
    return Stream(
        lambda coordinate: total(stream(coordinate) for stream in streams),
        lambda coordinate: all(stream.same(coordinate) for stream in streams),
    )


def dense(parts: Sequence[Tensor | None], like: Tensor) -> Tensor:
    """All the parts, [parts, words, rows]; of the dtype and on the device of another where all are 0."""
    zero = like.new_zeros(1, 1)
    return stacked([zero if part is None else part for part in parts], 0) if parts else like.new_zeros(0, 1, 1)


def stacked(parts: Sequence[Tensor], dimension: int) -> Tensor:
    """One tensor of parts that may be 1 where others are more."""
    return torch.stack(torch.broadcast_tensors(*parts), dimension)  # type: ignore[no-untyped-call]
