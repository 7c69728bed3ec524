"""Means over positions that every position may take: what units make of them, as far as signs tell."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from flint import fmpq

from weightproof.constructions.meaning.schema import FeedForward, Layer
from weightproof.proofs.automata.attention import READING, Mean, key_of, number_row, scores_of, values_of
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


def shares_of(runs: Runs, layer: Layer, means: Sequence[Mean], width: int) -> dict[Edge, tuple[Share, ...]]:
    """What each position gives to each mean."""

    def share(edge: Edge, mean: Mean) -> Share:
        head = layer.heads[mean.head]
        weight = dict(mean.by_key)[key_of(head, edge.row, width)]
        return Share(weight, number_row(values_of(head, edge.row, width)))

    return {edge: tuple(share(edge, mean) for mean in means) for edge in runs.edges}


def of_one_weight(
    layer: Layer, shares: Iterable[tuple[Share, ...]], means: Sequence[Mean], places: Iterable[int]
) -> bool:
    """Whether at every position the weights of some means are the same."""
    some = tuple(places)
    if len({(scores_of(layer.heads[means[place].head]), means[place].by_key) for place in some}) == 1:
        return True
    weights = [{own[place].weight for place in some} for own in shares]
    return all(len(own) == 1 and all(weight.is_exact for weight in own) for own in weights)


def behind_means(runs: Runs, layer: Layer, width: int, location: str) -> Runs:
    """The runs behind a layer some heads of which take means. The last two marks are the stream without these, and the
    means of each position.

    A mean is above a number where the sum of what it is a mean of, less the number each, is above 0. How such sums
    compare with what units need is told; of a mean itself that it lies between the values that it is a mean of."""
    return _Behind.of(runs, layer, width, location).runs()


@dataclass(frozen=True)
class _Behind:
    """A layer whose heads take means; shares: of the positions, to each of them; hulls: where each may be, by name."""

    before: Runs
    layer: Layer
    width: int
    location: str
    means: tuple[Mean, ...]
    shares: dict[Edge, tuple[Share, ...]]
    hulls: tuple[dict[str, Between], ...]

    @staticmethod
    def of(runs: Runs, layer: Layer, width: int, location: str) -> _Behind:
        means = tuple(dict.fromkeys(mean for edge in runs.edges for mean in _means(edge)))
        shares = shares_of(runs, layer, means, width)
        hulls = tuple(_hulls([own[place] for own in shares.values()]) for place in range(len(means)))
        return _Behind(runs, layer, width, location, means, shares, hulls)

    def runs(self) -> Runs:
        def told(edge: Edge) -> Edge:
            *marks, stream, means = edge.marks
            places = tuple(self.means.index(mean) for mean in cast("tuple[Mean, ...]", means))
            return replace(edge, row=cast("Row", stream), marks=(*marks, self.shares[edge], places))

        runs = self.before.changed(told)
        if self.layer.feed_forward is None:
            return runs.changed(lambda edge: replace(edge, row=self.inside(edge), marks=edge.marks[:-2]))
        return self.through(self.layer.feed_forward, runs)

    def inside(self, edge: Edge) -> Row:
        """The stream with where the means may be."""
        hulls = (self.hulls[place] for place in _places(edge))
        return added(edge.row, *(row_of({k: Polynomial.constant(v) for k, v in hull.items()}) for hull in hulls))

    def through(self, network: FeedForward, runs: Runs) -> Runs:
        READING.require_ungated(network)
        breaks = BREAKS.get(network.activation, ())
        asked, numbers = list[Comparison](), dict[tuple[str, tuple[int, ...], fmpq, fmpq], int]()
        kinds = dict.fromkeys((_places(edge), edge.row) for edge in runs.edges)
        for (places, row), name, at in itertools.product(kinds, network.first.rows, breaks):
            reading, given = self.reading(network, name, places), self.given(network, row).get(name, NOTHING)
            key = (name, reading, given.low, at)
            if reading and given.is_exact and key not in numbers:
                found = self.comparison(network, name, reading, given.low - at, runs)
                if found is not None:
                    numbers[key] = len(asked)
                    asked.append(found)

        def behind(edge: Edge) -> Edge:
            *marks, signs = edge.marks
            edge = replace(edge, marks=tuple(marks))
            given, units = self.given(network, edge.row), dict[str, Polynomial]()
            for name in network.first.rows:
                reading, constant = self.reading(network, name, _places(edge)), given.get(name, NOTHING)
                value = constant
                for place in reading:
                    for coordinate, factor in self.factors(network, name, place).items():
                        value += factor * self.hulls[place][coordinate]
                for at in breaks:
                    if constant.is_exact and (name, reading, constant.low, at) in numbers:
                        number = numbers[name, reading, constant.low, at]
                        value = value.beside(at, cast("tuple[int, ...]", signs)[number])
                units[name] = Polynomial.constant(activated(network, value, self.location))
            more = linear(network.second, row_of(units), self.width)
            row = added(self.inside(edge), more) if self.layer.feed_forward_residual else more
            return replace(edge, row=row, marks=edge.marks[:-2])

        return compared(runs, asked).changed(behind)

    def given(self, network: FeedForward, row: Row) -> dict[str, Between]:
        """What units are given but for means."""
        return {name: value.number for name, value in linear(network.first, row, self.width)}

    def reading(self, network: FeedForward, unit: str, places: Iterable[int]) -> tuple[int, ...]:
        """The means among these that a unit reads."""
        return tuple(place for place in places if self.factors(network, unit, place))

    def factors(self, network: FeedForward, unit: str, place: int) -> dict[str, Between]:
        """Those of what a mean is of, in what a unit is given."""
        columns = network.first.weights.get(unit, {})
        return {name: scalar(columns[name], self.width).number for name in self.hulls[place] if name in columns}

    def comparison(
        self, network: FeedForward, unit: str, reading: tuple[int, ...], more: fmpq, runs: Runs
    ) -> Comparison | None:
        """That the means that a unit reads, and more, are above 0, as one of sums: None where what is summed is not
        known exactly, and may be more than 0 at one position and less at another one; or of different weights."""
        whole = {self.means[place].whole for place in reading}
        if len(whole) > 1 or not of_one_weight(self.layer, self.shares.values(), self.means, reading):
            return None

        def summed(shares: tuple[Share, ...]) -> Between:
            total = Between.exactly(more)
            for place in reading:
                values = dict(shares[place].values)
                for name, factor in self.factors(network, unit, place).items():
                    total += factor * values[name].number if name in values else NOTHING
            return shares[reading[0]].weight * total

        by_shares = {own: summed(own) for own in {*map(_shares, runs.edges)}}
        if all(each.is_exact for each in by_shares.values()):
            steps = {own: each.low for own, each in by_shares.items()}
        elif {each.sign for each in by_shares.values()} in ({0, 1}, {0, -1}, {1}, {-1}):
            steps = {own: fmpq(each.sign or 0) for own, each in by_shares.items()}
        else:
            return None
        return Comparison(lambda edge: steps[_shares(edge)], ZERO, whole.pop())


def _means(edge: Edge) -> tuple[Mean, ...]:
    return cast("tuple[Mean, ...]", edge.marks[-1])


def _shares(edge: Edge) -> tuple[Share, ...]:
    return cast("tuple[Share, ...]", edge.marks[-2])


def _places(edge: Edge) -> tuple[int, ...]:
    """Which means the position takes."""
    return cast("tuple[int, ...]", edge.marks[-1])


def _hulls(shares: Iterable[Share]) -> dict[str, Between]:
    rows = [dict(share.values) for share in shares if share.weight != NOTHING]
    names = sorted({name for row in rows for name in row})
    return {name: hull(row[name].number if name in row else NOTHING for row in rows) for name in names}
