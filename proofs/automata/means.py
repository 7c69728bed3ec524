"""Means over positions that every position may take: what units make of them, as far as signs tell."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from flint import fmpq

from weightproof.constructions.meaning.schema import FeedForward, Head, Layer
from weightproof.proofs.automata.attention import (
    READING,
    aims,
    is_mean,
    key_of,
    number_row,
    scores_of,
    values_of,
    weights_of,
)
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.tallies import Comparison, compared
from weightproof.proofs.automata.units import BREAKS, activated, linear
from weightproof.proofs.automata.values import (
    NOTHING,
    ZERO,
    Between,
    Polynomial,
    Row,
    added,
    hull,
    row_of,
    scalar,
)


@dataclass(frozen=True)
class Share:
    """What a position gives to a mean over all of them: its weight, and its values by name."""

    weight: Between
    values: Row


@dataclass(frozen=True)
class _Mean:
    """A mean of the positions up to each one, or of the `whole` word; place: which of the shares of a position is in
    it. hulls: where it may be, by name."""

    whole: bool
    place: int
    hulls: Mapping[str, Between]


def takes_mean(runs: Runs, head: Head, width: int, location: str) -> bool:
    """Whether every position takes the same mean of what differs."""
    found = set(aims(runs, head, _always, width, location).values())
    differs = len({values_of(head, edge.row, width) for edge in runs.edges}) > 1
    return len(found) == 1 and is_mean(found.pop()) and differs


def _always(runs: Runs, edge: Edge) -> bool:
    return True


def behind_means(runs: Runs, layer: Layer, heads: Sequence[Head], width: int, location: str) -> Runs:
    """The runs behind a layer of which these heads take means. The last two marks are the row that they see, and the
    stream without them.

    A mean is above a number where the sum of what it is a mean of, less the number each, is above 0. How such sums
    compare with what units need is told; of a mean itself that it lies between the values that it is a mean of."""
    groups: dict[tuple[bool, Hashable], list[Head]] = {}
    for head in heads:
        groups.setdefault((not READING.is_causal(head.mask), scores_of(head)), []).append(head)
    weights = [weights_of(*{*aims(runs, own[0], _always, width, location).values()}) for own in groups.values()]

    def shared(edge: Edge) -> Edge:
        *marks, seen, stream = cast("tuple[Row, ...]", edge.marks)
        shares = tuple(
            Share(
                by_key[key_of(own[0], seen, width)], added(*(number_row(values_of(each, seen, width)) for each in own))
            )
            for own, by_key in zip(groups.values(), weights, strict=True)
        )
        return replace(edge, row=stream, marks=(*marks, shares))

    runs = runs.changed(shared)
    means = [_Mean(whole, place, _hulls(runs, place)) for place, (whole, _) in enumerate(groups)]
    inside = added(*(row_of({name: Polynomial.constant(each) for name, each in mean.hulls.items()}) for mean in means))
    if layer.feed_forward is None:
        return runs.changed(lambda edge: replace(edge, row=added(edge.row, inside), marks=edge.marks[:-1]))
    return _through_units(runs, layer, layer.feed_forward, means, inside, width, location)


def _through_units(
    runs: Runs, layer: Layer, network: FeedForward, means: Sequence[_Mean], inside: Row, width: int, location: str
) -> Runs:
    READING.require_ungated(network)
    breaks, kept = BREAKS.get(network.activation, ()), layer.feed_forward_residual
    read = [name for name in network.first.rows if _factors(network, name, means, width)]
    asked = list[Comparison]()
    places: dict[tuple[str, fmpq, fmpq], int] = {}
    for name in read:
        reading = {place for place, _ in _factors(network, name, means, width)}
        given = {_given(network, edge.row, width).get(name, NOTHING) for edge in runs.edges}
        for constant, at in itertools.product(sorted({each.low for each in given if each.is_exact}), breaks):
            if (
                len(reading) == 1
                and (found := _comparison(runs, network, name, means, constant - at, width)) is not None
            ):
                places[name, constant, at] = len(asked)
                asked.append(found)

    def behind(edge: Edge) -> Edge:
        *marks, _, signs = edge.marks
        given = _given(network, edge.row, width)
        units = dict[str, Polynomial]()
        for name in network.first.rows:
            constant = value = given.get(name, NOTHING)
            for (place, coordinate), factor in _factors(network, name, means, width).items():
                value += factor * means[place].hulls[coordinate]
            for at in breaks:
                if constant.is_exact and (name, constant.low, at) in places:
                    value = value.beside(at, signs[places[name, constant.low, at]])  # type: ignore[index]
            units[name] = Polynomial.constant(activated(network, value, location))
        more = linear(network.second, row_of(units), width)
        return replace(
            edge, row=added(edge.row, inside, more) if layer.feed_forward_residual else more, marks=tuple(marks)
        )

    return compared(runs, asked).changed(behind)


def _given(network: FeedForward, row: Row, width: int) -> dict[str, Between]:
    """What units are given but for means."""
    return {name: value.number for name, value in linear(network.first, row, width)}


def _factors(network: FeedForward, unit: str, means: Sequence[_Mean], width: int) -> dict[tuple[int, str], Between]:
    """Of the means that a unit reads, each by its place and a coordinate."""
    columns = network.first.weights.get(unit, {})
    return {
        (mean.place, name): scalar(columns[name], width).number
        for mean in means
        for name in mean.hulls
        if name in columns
    }


def _comparison(
    runs: Runs, network: FeedForward, unit: str, means: Sequence[_Mean], more: fmpq, width: int
) -> Comparison | None:
    """That the means that a unit reads, and more, are above 0, as one of sums: None where what is summed is not known
    exactly, and may be more than 0 at one position and less at another one."""
    factors = _factors(network, unit, means, width)
    [place] = {place for place, _ in factors}

    def summed(share: Share) -> Between:
        values = dict(share.values)
        parts = (f * values[name].number for (_, name), f in factors.items() if name in values)
        return share.weight * sum(parts, Between.exactly(more))

    by_share = {share: summed(share) for share in {_shares(edge)[place] for edge in runs.edges}}
    if all(each.is_exact for each in by_share.values()):
        steps = {share: each.low for share, each in by_share.items()}
    elif {each.sign for each in by_share.values()} in ({0, 1}, {0, -1}, {1}, {-1}):
        steps = {share: fmpq(each.sign or 0) for share, each in by_share.items()}
    else:
        return None
    return Comparison(lambda edge: steps[_shares(edge)[place]], ZERO, means[place].whole)


def _shares(edge: Edge) -> tuple[Share, ...]:
    return edge.marks[-1]  # type: ignore[return-value]


def _hulls(runs: Runs, place: int) -> dict[str, Between]:
    rows = [dict(_shares(edge)[place].values) for edge in runs.edges]
    names = sorted({name for row in rows for name in row})
    return {name: hull(row[name].number if name in row else NOTHING for row in rows) for name in names}
