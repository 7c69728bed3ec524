"""Means that positions take: what units make of them, as far as signs tell.

A mean is above a number where the sum of what it is a mean of, less the number each, is above 0. How such sums compare
with what units need is told; of a mean itself that it lies between the values that it is a mean of.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

from flint import fmpq

from weightproof.constructions.meaning.schema import Layer
from weightproof.proofs.automata.attention import READING, Mean, key_of, number_row, scores_of, values_of
from weightproof.proofs.automata.runs import Edge, Runs, Share
from weightproof.proofs.automata.tallies import Comparison, compared
from weightproof.proofs.automata.units import BREAKS, activated, linear
from weightproof.proofs.automata.values import (
    NOTHING,
    ONE,
    ZERO,
    Between,
    Polynomial,
    Row,
    Taken,
    added,
    hull,
    row_of,
)

Asks = Callable[[Edge], bool]


def taking(runs: Runs, layer: Layer, width: int, location: str) -> Runs:
    """The runs with the means that heads take in their streams. The last two marks, which are read, are the stream
    without these, and the means; the row of an edge is what heads see."""
    means = tuple(dict.fromkeys(mean for edge in runs.edges for mean in _means(edge)))
    first = len(runs.edges[0].shares)

    def share(edge: Edge, mean: Mean) -> Share:
        head = layer.heads[mean.head]
        weight = dict(mean.by_key)[key_of(head, edge.row, width)]
        return Share(weight, number_row(values_of(head, edge.row, width)))

    shares = {edge: tuple(share(edge, mean) for mean in means) for edge in runs.edges}
    hulls = [_hulls([own[place] for own in shares.values()]) for place in range(len(means))]
    rows = dict[Mean, Row]()
    for place, mean in enumerate(means):
        weighing = (location, scores_of(layer.heads[mean.head]), mean.by_key)
        taken = (Taken(first + place, name, mean.whole, at, weighing) for name, at in hulls[place].items())
        rows[mean] = row_of({each.name: Polynomial(means=((each, Between(ONE, ONE)),)) for each in taken})

    def told(edge: Edge) -> Edge:
        *marks, stream, own = edge.marks
        row = added(cast("Row", stream), *(rows[mean] for mean in cast("tuple[Mean, ...]", own)))
        return replace(edge, row=row, marks=tuple(marks), shares=(*edge.shares, *shares[edge]))

    return runs.changed(told)


def _means(edge: Edge) -> tuple[Mean, ...]:
    return cast("tuple[Mean, ...]", edge.marks[-1])


def _hulls(shares: Iterable[Share]) -> dict[str, Between]:
    rows = [dict(share.values) for share in shares if share.weight != NOTHING]
    names = sorted({name for row in rows for name in row})
    return {name: hull(row[name].number if name in row else NOTHING for row in rows) for name in names}


def forgotten(runs: Runs) -> Runs:
    """Without the shares in means that no stream holds."""
    live = {mean.place for edge in runs.edges for _, value in edge.row for mean, _ in value.means}

    def kept(edge: Edge) -> Edge:
        return replace(edge, shares=tuple(own if place in live else None for place, own in enumerate(edge.shares)))

    return runs.changed(kept)


def through_units(runs: Runs, layer: Layer, asks: Asks, width: int, location: str) -> Runs:
    """The runs behind a feed-forward network; the stream is that of the positions that ask."""
    if layer.feed_forward is None:
        return runs
    network, kept = layer.feed_forward, layer.feed_forward_residual
    READING.require_ungated(network)
    breaks = BREAKS.get(network.activation, ())
    asked, numbers = list[Comparison](), dict[tuple[Polynomial, fmpq], int]()
    given = dict.fromkeys(
        value for edge in runs.edges if asks(edge) for _, value in linear(network.first, edge.row, width) if value.means
    )
    for value, at in itertools.product(given, breaks):
        if (found := _comparison(runs, value, at)) is not None:
            numbers[value, at] = len(asked)
            asked.append(found)

    def unit(value: Polynomial, signs: tuple[int, ...]) -> Between:
        number = value.number
        for at in breaks:
            if (value, at) in numbers:
                number = number.beside(at, signs[numbers[value, at]])
        return activated(network, number, location)

    def behind(edge: Edge) -> Edge:
        *marks, signs = edge.marks
        if not asks(edge):
            return replace(edge, marks=tuple(marks))
        values = dict(linear(network.first, edge.row, width))
        units = {
            name: Polynomial.constant(unit(values.get(name, Polynomial()), cast("tuple[int, ...]", signs)))
            for name in network.first.rows
        }
        more = linear(network.second, row_of(units), width)
        return replace(edge, row=added(edge.row, more) if kept else more, marks=tuple(marks))

    return compared(runs, asked).changed(behind)


def of_one_weight(runs: Runs, means: Iterable[Taken]) -> bool:
    """Whether at every position the weights in some means are the same."""
    some = tuple(means)
    if len({(mean.weighing) for mean in some}) == 1:
        return True
    weights = [{edge.share_in(mean).weight for mean in some} for edge in runs.edges]
    return all(len(own) == 1 and all(weight.is_exact for weight in own) for own in weights)


def _summed(edge: Edge, means: Sequence[tuple[Taken, Between]], more: Between) -> Between:
    """What a position gives to a sum of means of one weight, each with a factor, and a number, times the weights."""
    total = sum((factor * edge.holds(mean) for mean, factor in means), more)
    return total * edge.share_in(means[0][0]).weight


def _comparison(runs: Runs, value: Polynomial, at: fmpq) -> Comparison | None:
    """That what a unit is given is above a number, as one of sums: None where what is summed is not known exactly, and
    may be more than 0 at one position and less at another one; or of different weights."""
    constant, means = value.without_means.number, [mean for mean, _ in value.means]
    whole = {mean.whole for mean in means}
    if not constant.is_exact or len(whole) > 1 or not of_one_weight(runs, means):
        return None
    steps = {edge.shares: _summed(edge, value.means, constant - Between.exactly(at)) for edge in runs.edges}
    signs = {each.sign for each in steps.values()}
    if all(each.is_exact for each in steps.values()):
        exactly = {shares: each.low for shares, each in steps.items()}
    elif None not in signs and not {1, -1} <= signs:
        exactly = {shares: fmpq(each.sign or 0) for shares, each in steps.items()}
    else:
        return None
    return Comparison(lambda edge: exactly[edge.shares], ZERO, whole.pop())
