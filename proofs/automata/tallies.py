"""Sums over the positions up to each one, or over all positions, as far as it matters how they compare with some
numbers: a sum is known where it is one of few, and else it is above or below all of these.

That is a counter whose values are told apart within a window. A path of the graph guesses where the sum comes back into
it; so a word is one path on which what is said is true, and a path may be no word's.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm

from flint import fmpq

from weightproof.proofs.automata.runs import Edge, Runs, Tally
from weightproof.proofs.automata.values import ZERO
from weightproof.symbolic.algebra.vocabulary import Underivable

MOST_VALUES = 200
"""Of a sum that are told apart."""
Span = tuple[int | None, int | None]
"""Whole numbers from the first to the second; None where there is no end."""


@dataclass(frozen=True)
class Comparison:
    """A sum of what `step` says of each position, up to one and with it, or of the `whole` word, against a number."""

    step: Callable[[Edge], fmpq]
    number: fmpq
    whole: bool = False


@dataclass(frozen=True)
class _Against:
    """A comparison as one of a sum of whole numbers without a common divisor: it has the sign of that less `cut`, times
    `sign`."""

    steps: tuple[int, ...]
    cut: fmpq
    sign: int
    whole: bool

    @property
    def sum_(self) -> tuple[tuple[int, ...], bool]:
        return self.steps, self.whole


def compared(runs: Runs, asked: Sequence[Comparison]) -> Runs:
    """With one more mark at every position: by comparison the sign of the sum less the number."""
    if not asked:
        return runs.changed(lambda edge: replace(edge, marks=(*edge.marks, ())))
    against = [_normal(runs, each) for each in asked]
    sums: dict[tuple[tuple[int, ...], bool], list[fmpq]] = defaultdict(list)
    for each in against:
        sums[each.sum_].append(each.cut)
    places = {key: place for place, key in enumerate(sums)}
    steps = list(zip(*(own for own, _ in sums), strict=True))
    numbered = zip(runs.edges, steps, strict=True)
    runs = replace(runs, edges=tuple(replace(edge, marks=(*edge.marks, own, ())) for edge, own in numbered))
    for (_, whole), cuts in sums.items():
        runs = _totalled(runs, cuts) if whole else _tallied(runs, cuts)

    def told(edge: Edge) -> Edge:
        *marks, _, spans = edge.marks
        found = list[int]()
        for each in against:
            sign = _sign(spans[places[each.sum_]], each.cut)  # type: ignore[index]
            assert sign is not None  # sums are told apart by all that they are compared with
            found.append(each.sign * sign)
        return replace(edge, marks=(*marks, tuple(found)))

    return runs.changed(told).merged()


def told_at_ends(runs: Runs, asked: Comparison) -> int | None:
    """The sign of the sum over the whole word less the number, where what is said of sums at all last positions tells
    it; None where it does not."""
    against = _normal(runs, asked)
    for place in range(len(runs.edges[0].tallies)):
        if all(edge.tallies[place].step == step for edge, step in zip(runs.edges, against.steps, strict=True)):
            lasts = (edge.tallies[place] for edge in runs.edges if runs.is_last(edge))
            signs = {_sign((last.least, last.most), against.cut) for last in lasts}
            sign = signs.pop() if len(signs) == 1 else None
            return None if sign is None else against.sign * sign
    return None


def _normal(runs: Runs, asked: Comparison) -> _Against:
    """What all first positions add alike, as a marker does, is taken off the number instead."""
    steps = [asked.step(edge) for edge in runs.edges]
    firsts = {step for edge, step in zip(runs.edges, steps, strict=True) if runs.is_first(edge)}
    start = firsts.pop() if len(firsts) == 1 else ZERO
    steps = [step - start if runs.is_first(edge) else step for edge, step in zip(runs.edges, steps, strict=True)]
    least = lcm(*(int(step.q) for step in steps))
    whole = [int((step * least).p) for step in steps]
    divisor = gcd(*whole) or 1
    divisor *= _orientation(runs, [step // divisor for step in whole])
    cut = (asked.number - start) * least / divisor
    return _Against(tuple(step // divisor for step in whole), cut, 1 if divisor > 0 else -1, asked.whole)


def _orientation(runs: Runs, steps: list[int]) -> int:
    """-1 where a sum that is told already is the same but for its sign, or the first step is less than 0."""
    told = list(zip(*([tally.step for tally in edge.tallies] for edge in runs.edges), strict=True))
    for own in told:
        if list(own) == steps:
            return 1
        if [-step for step in own] == steps:
            return -1
    return next((1 if step > 0 else -1 for step in steps if step), 1)


def _sign(span: Span, cut: fmpq) -> int | None:
    """Of all numbers of a span, less the cut; None where they differ."""
    low, high = span
    if low is not None and low > cut:
        return 1
    if high is not None and high < cut:
        return -1
    return 0 if low == high == cut else None


def _tallied(runs: Runs, cuts: Iterable[fmpq]) -> Runs:
    """With one more sum up to each position."""
    low, high = math.floor(min(cuts)), math.ceil(max(cuts))
    if high - low > MOST_VALUES:
        raise Underivable(f"a sum over positions that is compared with numbers more than {MOST_VALUES} apart")

    def after(span: Span, edge: Edge) -> Iterator[Span]:
        step, (least, most) = _step(edge), span
        least, most = None if least is None else least + step, None if most is None else most + step
        if least is None or least < low:
            yield None, low - 1
        yield from (
            (value, value)
            for value in range(low, high + 1)
            if (least is None or least <= value) and (most is None or value <= most)
        )
        if most is None or most > high:
            yield high + 1, None

    same = _same(runs)

    def seen(edge: Edge, _: object, span: Span) -> Edge | None:
        return _with(edge, Tally(_step(edge), *span), span, same)

    return runs.guessing((0, 0), after, seen)


def _totalled(runs: Runs, cuts: Iterable[fmpq]) -> Runs:
    """With one more sum over all positions."""
    same = _same(runs)
    spans = tuple(_between(sorted(set(cuts))))

    def seen(edge: Edge, _: object, span: Span) -> Edge | None:
        tally = Tally(_step(edge), *span) if runs.is_last(edge) else Tally(_step(edge))
        return _with(edge, tally, span, same)

    return runs.guessing(None, lambda span, _: spans if span is None else (span,), seen)


def _between(cuts: Sequence[fmpq]) -> Iterator[Span]:
    """All whole numbers, by how they compare with each cut."""
    least = None
    for cut in cuts:
        below, next_ = math.ceil(cut) - 1, math.floor(cut) + 1
        if least is None or least <= below:
            yield least, below
        if cut.q == 1:
            yield int(cut.p), int(cut.p)
        least = next_
    yield least, None


def _step(edge: Edge) -> int:
    """Of the next sum, which are as many as there are spans of already."""
    *_, steps, spans = edge.marks
    return steps[len(spans)]  # type: ignore[index, arg-type]


def _same(runs: Runs) -> int | None:
    """Which tally is of the same sum as the next one."""
    told = list(zip(*(edge.tallies for edge in runs.edges), strict=True))
    alike = (all(t.step == _step(e) for t, e in zip(some, runs.edges, strict=True)) for some in told)
    return next((place for place, same in enumerate(alike) if same), None)


def _with(edge: Edge, tally: Tally, span: Span, same: int | None) -> Edge | None:
    """None where it is said already that the sum is elsewhere."""
    *marks, spans = edge.marks
    shown = replace(edge, marks=(*marks, (*spans, span)))  # type: ignore[misc]
    if same is None:
        return replace(shown, tallies=(*edge.tallies, tally))
    both = edge.tallies[same].narrowed(tally)
    return replace(shown, tallies=(*edge.tallies[:same], both, *edge.tallies[same + 1 :])) if both.is_open else None
