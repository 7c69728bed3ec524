"""Words as walks: up to which length every word is classified rightly, where all that attention finds is a level.

Of networks whose only attention is in the first layer, causal and even, and counts: a symbol steps up, down or stays,
so that the mean at position i is level/(i+1), computed as a sum from left to right of steps w = 1/(i+1), rounded once.
All that comes later is of one position, up to the sum of the readout. So a word is a walk of integers, and the logit is
a sum of terms, one for each position, that depends on the level there, on the position and on whether it is the last.

A level is *kept* at a position where the exact term is 0 for every symbol (within NOTHING), and *lost* where it is
negative. Exact terms that are positive are refused, but for the last position's. Then:

- A word that is lost somewhere before its last position has an exact logit of at most minus that term plus the greatest
  last term: it is rejected, and is computed so, if the computed terms are like that, too. None of them is positive,
  whatever was summed (`cells`), so that the sum only falls from the first loss on.
- A word that is kept up to there is accepted or rejected by its last term, which is as large as the margin. What its
  computed terms amount to before is at most what the worst walk of kept levels collects: a level costs what its
  computed term may be below 0, with a sum in the interval of that level (`reach`), and neighbouring positions have
  neighbouring levels. That is why few positions have the level that costs most.

Levels that are farther from 0 than NEAR are taken as one on each side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from flint import arb, fmpq

from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.certificate.walks.affine import ZERO, Affine, Bounds, constant
from weightproof.numeric.certificate.walks.attention import walk_of, weights
from weightproof.numeric.certificate.walks.reach import Reach, reach
from weightproof.numeric.rounding.arithmetic import TYPES, Array
from weightproof.numeric.rounding.formats import (
    FORMATS,
    Format,
    fraction,
    over_positions,
    rounded,
)
from weightproof.numeric.rounding.model import Decision

Side = Literal["accepted", "rejected"]
Interval = tuple[Array, Array]
"""From low to high."""

NEAR = 8
"""Levels up to here, on either side, are looked at one by one."""
CLIMB = 32
"""Levels up to here have intervals of their own; what lies beyond is known by its size alone."""
ROWS = 1024
"""Positions that are looked at together, at most; at first fewer, as many as come before."""
MOST_POSITIONS = 1 << 14
"""Of the longest words that are looked at: the work grows with the square."""
NOTHING = 2.0**-36
"""An exact term counts as 0 where it is at most this times the weight of a position; what all of them may amount to is
kept count of."""
LEVELS = np.arange(-NEAR - 1, NEAR + 2)[:, None]
"""All levels; the first and the last stand for all that are farther."""
SLACK = 1 + 2.0**-36
"""More than float64 loses here, in which the results are compared: MOST_POSITIONS sums, and 1 + u, which is 1 to it."""


@dataclass(frozen=True)
class Piece:
    """Some positions, with what holds at each level of LEVELS; arrays [levels, positions], or [positions].

    clear: no term is positive but for last ones, neither exactly nor, whatever was summed, as computed. reached: a word
    may be at the level. kept, lost: by the exact terms. known: the computed sums are, of words that are kept before.
    exact, computed, exact_last, computed_last: where the terms lie, the computed ones where the sums are known.
    greatest_last: what a computed last term is at most, whatever was summed.
    """

    positions: Array
    clear: Array
    reached: Array
    kept: Array
    lost: Array
    known: Array
    exact: Interval
    computed: Interval
    exact_last: Interval
    computed_last: Interval
    greatest_last: Array


class Walks:
    """A network with the values of its parameters, in one format."""

    def __init__(self, network: Encoder, alphabet: Sequence[str], names: Environment, format: Format) -> None:
        self.network, self.names, self.format = network, names, format
        self.walk = walk_of(network, alphabet, names, format)
        self.u, self.type = float(format.unit_roundoff), TYPES[format.name]
        self.longest = min(MOST_POSITIONS, 1 << format.precision)  # so far the ones of a softmax are counted exactly
        self._encodings: dict[object, Array] = {}
        self._entries = {
            exact: {scalar: self._entry(scalar, exact) for scalar in weights(network)} for exact in (False, True)
        }
        self.bottom = self.top = 0
        """Of the levels that are kept somewhere so far."""

    # Terms

    def terms(self, token: str, positions: Array, least: Array, most: Array, *, exact: bool, last: bool) -> Interval:
        """Where the terms of a token lie, with a sum from `least` to `most`."""
        format = FORMATS["float64"] if exact else self.format
        spread = 2.0**-52 if exact else 0.0
        bounds = Bounds(least, most, None if exact else self.format, self._entries[exact])
        weights = self._weights(positions) if not exact else 1 / (positions + 1)
        attended = {
            name: _spread((weights * weights.dtype.type(value)).astype(np.float64), spread)
            for name, value in self.walk.shares.items()
        }
        known = np.where(least == most, least, 0.0)
        attended[self.walk.target] = Affine(np.where(least == most, 0.0, 1.0), known, known)
        stream: dict[str, Affine] = {}
        for name in self.network.coordinates:
            entry = self.network.embedding.WE.get(token, {}).get(name)
            own = ZERO if entry is None else constant(*bounds.entries[entry])
            if name in self.network.embedding.PE:
                scalar = self.network.embedding.PE[name]
                own = bounds.plus(own, _spread(self._encoding(scalar, positions, format, last), spread))
            kept = own if self.network.layers[0].attention_residual else ZERO
            stream[name] = bounds.plus(kept, attended.get(name, ZERO))
        low, high = bounds.output(self.network.layers, self.network.readout.W, "logit", stream)
        return np.broadcast_to(low, least.shape), np.broadcast_to(high, least.shape)

    def _entry(self, scalar: Expression, exact: bool) -> tuple[float, float]:
        value = evaluate(scalar, self.names)
        if not exact:
            stored = rounded(value, self.format)
            return stored, stored
        near = rounded(value, FORMATS["float64"])
        if isinstance(value, fmpq) and fraction(value) == near:
            return near, near
        return float(np.nextafter(near, -np.inf)), float(np.nextafter(near, np.inf))

    def _encoding(self, scalar: Expression, positions: Array, format: Format, last: bool) -> Array:
        """The values of an encoding, where it depends on n only by whether a position is the last (`settled`)."""
        first, stop = int(positions[0]), int(positions[-1]) + 1
        last = last and "n" in scalar.names
        key = scalar, format.name, last, first, stop
        if key not in self._encodings and last:
            each = (over_positions(scalar, self.names, i + 1, format, start=i, stop=i + 1) for i in range(first, stop))
            self._encodings[key] = np.concatenate([*each])
        elif key not in self._encodings:
            self._encodings[key] = over_positions(scalar, self.names, stop + 1, format, start=first, stop=stop)
        return self._encodings[key]

    # Levels

    def pieces(self, longest: int) -> Iterator[Piece]:
        """All positions from 1 on, some at a time, of words of at most so many; of no more than are looked at."""
        stop, longest = 1, min(longest, self.longest)
        while stop < longest:
            first, stop = stop, min(stop + min(max(stop, NEAR), ROWS), longest)
            positions = np.arange(first, stop)
            yield self._piece(positions)

    def _piece(self, positions: Array) -> Piece:
        unit = self.walk.unit
        near = abs(LEVELS) <= NEAR
        in_step = (LEVELS + positions) % 2 == 0 if 0 not in self.walk.steps.values() else True
        reached = np.where(near, (abs(LEVELS) <= positions) & in_step, positions > NEAR)
        weight = unit / (positions + 1)
        middle = np.where(near, LEVELS, 0) * weight
        ends = LEVELS * weight, np.sign(LEVELS) * positions * weight
        least, most = np.where(near, middle, np.minimum(*ends)), np.where(near, middle, np.maximum(*ends))
        least, most = least - 2.0**-50 * abs(least), most + 2.0**-50 * abs(most)  # float64 has rounded them twice
        exact, exact_last = (
            self._over_symbols(positions, least, most, exact=True, last=last) for last in (False, True)
        )
        kept = reached & (exact[1] <= NOTHING * weight) & (exact[0] >= -NOTHING * weight)
        lost = reached & (exact[1] < 0) & ~kept
        least, most = self._sums(positions, kept)
        known = reached & (least <= most)
        sums = np.where(known, least, 0.0), np.where(known, most, 0.0)
        computed, computed_last = (
            self._over_symbols(positions, *sums, exact=False, last=last) for last in (False, True)
        )
        others, cells = (self._cells(positions, last=last) for last in (False, True))
        clear = (others <= 0) & ~(reached & ~kept & ~lost).any(axis=0)
        return Piece(positions, clear, reached, kept, lost, known, exact, computed, exact_last, computed_last, cells)

    def _over_symbols(self, positions: Array, least: Array, most: Array, *, exact: bool, last: bool) -> Interval:
        found = [self.terms(t, positions, least, most, exact=exact, last=last) for t in self.walk.steps]
        return np.minimum.reduce([low for low, _ in found]), np.maximum.reduce([high for _, high in found])

    def _weights(self, positions: Array) -> Array:
        """What the head weighs each position by, as computed."""
        return self.type(1) / (positions + 1).astype(self.type)

    def _steps(self, positions: Array) -> Array:
        """Those of a sum, as computed."""
        return self._weights(positions) * self.type(self.walk.unit)

    def _sums(self, positions: Array, kept: Array) -> Interval:
        """Where the computed sums lie of words that are kept at all earlier positions; empty where there are none.

        A walk that ends at a level has not been higher than half of its length and that level.
        """
        some = kept.any(axis=1)
        self.bottom = min(self.bottom, int(LEVELS[some].min(initial=0)))
        self.top = max(self.top, int(LEVELS[some].max(initial=0)))
        step = self._steps(positions)
        tables = {within: self._reach(positions, step, within) for within in (1, CLIMB)}
        least, most = np.full(kept.shape, np.inf), np.full(kept.shape, -np.inf)
        lowest = -CLIMB if self.bottom < -NEAR else self.bottom - 1
        highest = CLIMB if self.top > NEAR else self.top + 1
        for level in range(lowest, highest + 1):
            place = min(max(level, -NEAR - 1), NEAR + 1) + NEAR + 1
            low, high = tables[1 if abs(level) <= 1 else CLIMB].at(level)
            least[place] = np.minimum(least[place], low.astype(np.float64))
            most[place] = np.maximum(most[place], high.astype(np.float64))
        for place, (low, high) in zip((0, -1), self._far(positions, step.astype(np.float64)), strict=True):
            beyond = positions > CLIMB
            least[place] = np.where(beyond, np.minimum(least[place], low), least[place])
            most[place] = np.where(beyond, np.maximum(most[place], high), most[place])
        return least, most

    def _reach(self, positions: Array, step: Array, within: int) -> Reach:
        heights = (positions + within) // 2
        bottoms = -heights if self.bottom < -NEAR else np.maximum(-heights, self.bottom)
        tops = heights if self.top > NEAR else np.minimum(heights, self.top)
        return reach(step, bottoms, tops)

    def _far(self, positions: Array, step: Array) -> tuple[Interval, Interval]:
        """Where the sums at all levels below -CLIMB lie, and at all levels above CLIMB.

        j steps add up to at most j*w*(1 + u)^j, and each of the sums is off by at most u times that.
        """
        size = positions * step * (1 + self.u) ** positions * SLACK
        nearest = (CLIMB + 1) * step - positions * self.u * size * SLACK
        return (-size, -nearest), (nearest, size)

    def _cells(self, positions: Array, *, last: bool) -> Array:
        """The greatest term as computed, whatever the sum is, shape [positions]: in cells of half a step, and beyond.

        No sum is larger than i*w*(1 + u)^i, which is at most 2*unit*(1 + u)^i.
        """
        step = self._steps(positions).astype(np.float64)
        edges = np.arange(-2 * NEAR, 2 * NEAR + 1)[:, None] / 2 * step
        outermost = np.maximum(2 * self.walk.unit * (1 + self.u) ** int(positions[-1]), 2 * edges[-1:])
        edges = np.concatenate([-outermost, edges, outermost])
        return self._over_symbols(positions, edges[:-1], edges[1:], exact=False, last=last)[1].max(axis=0)

    # Words

    def right_up_to(
        self, margin: Callable[[Side, int], arb | None], decision: Decision, start: int, longest: int
    ) -> int:
        """The greatest N, at most `longest`, such that all words of start..N positions are classified rightly; less
        than `start` where none is.

        margin: a lower bound of |logit| of the words of a side with n positions, None where there is none. decision:
        which computed logits accept, and which reject.
        """
        if not 2 <= start <= min(self.longest, longest):
            return start - 1
        reached = start - 1
        try:
            told = Collected(self, decision)
            for piece in self.pieces(longest):
                for row in range(len(piece.positions)):
                    n = int(piece.positions[row]) + 1
                    if n >= start:
                        sides = margin("accepted", n), margin("rejected", n)
                        if not told.decides(piece, row, *sides):
                            return reached
                        reached = n
                    if not piece.clear[row]:
                        return reached
                    told.add(piece, row)
        except NotUnderstood:
            return reached
        return reached


class Collected:
    """What is known of all words up to a position: of those that are kept, how far their computed sum of terms may be
    below 0, by their level; of the others, how far both sums are below 0 at least."""

    def __init__(self, walks: Walks, decision: Decision) -> None:
        self.walks = walks
        self.accepting, self.rejecting = (int(edge.p) / int(edge.q) for edge in (decision.above, decision.below))
        begin = walks.network.begin
        assert begin is not None
        start = np.zeros((1, 1)), np.zeros((1, 1))
        position = np.array([0])
        terms = walks.terms(begin, position, *start, exact=True, last=False)
        computed = walks.terms(begin, position, *start, exact=False, last=False)
        if abs(terms[0]).max() > NOTHING or abs(terms[1]).max() > NOTHING or computed[1].max() > 0:
            raise NotUnderstood("a begin marker with a term of its own")
        self.below = np.full(len(LEVELS), -np.inf)
        self.below[NEAR + 1] = -computed[0].min()
        self.noise = NOTHING
        self.lost, self.lost_exact = np.inf, np.inf

    def add(self, piece: Piece, row: int) -> None:
        """One more position, which is not the last."""
        below, here, lost = self._stepped(piece, row)
        cost = np.maximum(-piece.computed[0][:, row], 0)
        self.below = np.where(piece.kept[:, row] & here, below + cost, -np.inf)
        self.noise += NOTHING / float(piece.positions[row] + 1) * self.walks.walk.unit * SLACK
        if lost.any():
            self.lost = min(self.lost, float(-piece.computed[1][lost, row].max()))
            self.lost_exact = min(self.lost_exact, float(-piece.exact[1][lost, row].max()))

    def _stepped(self, piece: Piece, row: int) -> tuple[Array, Array, Array]:
        """At the next position: the greatest sum below 0 of the levels that a symbol leads from, the levels that words
        which are kept so far may be at, and those of them where they are lost. Far levels lead to themselves, too.

        Raises NotUnderstood where the computed sums at such a level are not known.
        """
        result = np.full(len(self.below), -np.inf)
        for step in {*self.walks.walk.steps.values()}:
            moved = np.roll(self.below, step)
            if step:
                end, beyond = (-1, 0) if step > 0 else (0, -1)
                moved[beyond] = self.below[beyond]
                moved[end] = max(moved[end], self.below[end])
            result = np.maximum(result, moved)
        here = (result > -np.inf) & piece.reached[:, row]
        if (here & ~piece.known[:, row]).any():
            raise NotUnderstood("a level whose sums are not known")
        return result, here, here & piece.lost[:, row]

    def decides(self, piece: Piece, row: int, accepted: arb | None, rejected: arb | None) -> bool:
        """Whether all words are classified rightly whose last position is this one."""
        if accepted is None or rejected is None:
            return False
        n, u = int(piece.positions[row]) + 1, self.walks.u
        low, high = (each[:, row] for each in piece.computed_last)
        least, most = (each[:, row] for each in piece.exact_last)
        below, here, _ = self._stepped(piece, row)
        # Words that are lost before: their exact logit is negative, and so is the computed one.
        if not most[piece.reached[:, row]].max() + self.noise < self.lost_exact or not (
            piece.greatest_last[row] - self.lost <= self.rejecting * SLACK and piece.greatest_last[row] < self.lost
        ):
            return False
        # The others: the last term alone is as large as the margin.
        total = below * (1 + u) ** n * SLACK
        may_accept = here & (most >= float(accepted.lower()) / SLACK - self.noise)
        may_reject = here & (least <= -float(rejected.lower()) / SLACK + self.noise)
        above = low[may_accept] - total[may_accept] > self.accepting * (1 + 4 * u)  # which is rounded to float64
        return bool(above.all() and (high[may_reject] <= self.rejecting).all())


def _spread(values: Array, relative: float) -> Affine:
    """Constants that are known up to a relative error."""
    off = abs(values) * relative
    return constant(values - off, values + off)
