"""What heads make of positions, at a length: rotary positions, biases of scores, what is seen, and sinks, each number
rounded once, as weights are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment, seen_from
from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import MODEL
from weightproof.numeric.rounding.formats import Format, over_positions, rounded

Tensor = torch.Tensor
Array = np.ndarray


@dataclass(frozen=True)
class Pair:
    """Two score coordinates, by their places, with the cosines and sines of the angles at all positions, each [n]."""

    first: int
    second: int
    cosines: Tensor
    sines: Tensor


@dataclass(frozen=True)
class Positions:
    """Of a head at a length n; hidden, [n, n]: which positions a position does not see, by the mask or the formula;
    bias: of scores, [n, n], where there is one; sink: its score, where there is one."""

    pairs: tuple[Pair, ...]
    hidden: Tensor
    bias: Tensor | None
    sink: Tensor | None

    def turned(self, x: Tensor, start: int) -> Tensor:
        """Queries or keys [d_head, words, positions], from position `start` on."""
        here, result = slice(start, start + x.shape[2]), x.clone()
        for pair in self.pairs:
            first, second, cosines, sines = x[pair.first], x[pair.second], pair.cosines[here], pair.sines[here]
            result[pair.first] = first * cosines - second * sines
            result[pair.second] = first * sines + second * cosines
        return result


@dataclass(frozen=True)
class Tables:
    """The numbers that a head has of positions, each rounded once to the format, as numpy's float64.

    names: their values, n among them. InputError where a position sees nothing, and so has no value.
    """

    head: Head
    names: Environment
    format: Format
    n: int

    def hidden(self) -> Array:
        """[n, n]: which positions a position does not see, by the mask or the formula."""
        hidden = np.ones((self.n, self.n), dtype=bool)
        for i, row in enumerate(hidden):
            shown = seen_from(self.head, i, self.n)
            row[shown.start : shown.stop] = False
        if self.head.sees is not None:
            sees = self.head.sees
            hidden |= np.stack([self._column(sees, j, 0, self.n) == 0 for j in range(self.n)], 1)
        if not self.head.may_see_nothing and hidden.all(1).any():
            raise InputError(f"at length {self.n}, position {int(hidden.all(1).argmax())} sees nothing in some head")
        return hidden

    def bias(self, hidden: Array) -> Array | None:
        """[n, n]; a number where a position is seen, between those that see it alone."""
        if self.head.bias is None:
            return None
        result = np.zeros((self.n, self.n))
        for j in range(self.n):
            places = np.flatnonzero(~hidden[:, j])
            if len(places):
                start, stop = int(places[0]), int(places[-1]) + 1
                result[start:stop, j] = self._column(self.head.bias, j, start, stop)
        return result

    def wave(self, of_position: Expression) -> Array:
        """[n]: the cosines or the sines of a pair."""
        return over_positions(of_position, self.names, self.n, self.format)

    def sink(self) -> float | None:
        return None if self.head.sink is None else rounded(evaluate(self.head.sink, self.names), self.format)

    def _column(self, scalar: Expression, j: int, start: int, stop: int) -> Array:
        return over_positions(scalar, {**self.names, "j": fmpq(j)}, self.n, self.format, start=start, stop=stop)


def positions_of(
    head: Head, names: Environment, format: Format, n: int, tensor: Callable[[Array], Tensor]
) -> Positions | None:
    """Of a head at n positions, None where it makes nothing of them and hides later ones at most; tensor: puts numbers
    on a device."""
    if not MODEL.is_of_table(head):
        return None
    tables, order = Tables(head, names, format, n), tuple(head.W_Q)
    hidden, sink = tables.hidden(), tables.sink()
    bias = tables.bias(hidden)
    return Positions(
        pairs=tuple(
            Pair(
                order.index(pair.first),
                order.index(pair.second),
                tensor(tables.wave(pair.cosine)),
                tensor(tables.wave(pair.sine)),
            )
            for pair in head.rotary
        ),
        hidden=tensor(hidden).bool(),
        bias=None if bias is None else tensor(bias),
        sink=None if sink is None else tensor(np.array(sink)),
    )
