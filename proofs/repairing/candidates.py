"""The changes that are tried, smallest first: kind by kind, and within a kind in the order of the network.

A change keeps the shape where the same weights are 0 before and after it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.places import ZERO, Matrix, Place, matrices, put_at, value_at
from weightproof.proofs.repairing.values import Values, compared


@dataclass(frozen=True)
class Edit:
    """One line of a construction to edit: what stands in a place, and what is to stand there; scalars, or choices as
    "softmax"."""

    place: Place
    old: str
    new: str


Change = tuple[tuple[Place, Expression | str], ...]
"""What is put where."""


@dataclass(frozen=True)
class Candidate:
    """before: the network that it was made of, with which it shares all parts that the last change leaves alone."""

    changes: tuple[Change, ...]
    edits: tuple[Edit, ...]
    before: Encoder
    network: Encoder


@dataclass(frozen=True)
class Kind:
    """Changes of one kind; key: what a command line calls it. goes_with: whether two go together, where it takes two at
    a time."""

    key: str
    name: str
    changes: Sequence[Change]
    goes_with: Callable[[Change, Change], bool] | None = None

    def candidates(self, network: Encoder) -> Iterator[Candidate]:
        if self.goes_with is None:
            for change in self.changes:
                yield Candidate((change,), _edits(network, change), network, _changed(network, change))
            return
        for k, first in enumerate(self.changes):
            before = _changed(network, first)
            for second in self._seconds(k, first):
                edits = *_edits(network, first), *_edits(network, second)
                yield Candidate((first, second), edits, before, _changed(before, second))

    def count(self) -> int:
        """How many candidates there are."""
        if self.goes_with is None:
            return len(self.changes)
        return sum(1 for k, first in enumerate(self.changes) for _ in self._seconds(k, first))

    def _seconds(self, k: int, first: Change) -> Iterator[Change]:
        """The changes at another place that come after one of them, which stands at k, and go with it."""
        assert self.goes_with is not None
        for second in itertools.islice(self.changes, k + 1, None):
            if first[0][0] != second[0][0] and self.goes_with(first, second):
                yield second


def _edits(network: Encoder, change: Change) -> tuple[Edit, ...]:
    return tuple(Edit(place, str(value_at(network, place)), str(new)) for place, new in change)


def _changed(network: Encoder, change: Change) -> Encoder:
    for place, new in change:
        network = put_at(network, place, new)
    return network


CHOICES = {
    "accept": ("logit > 0", "logit = 0"),
    "position": ("first", "last", "sum"),
    "score": ("dot", "-|dot|"),
    "normaliser": ("softmax", "hardmax"),
    "mask": ("none", "causal"),
    "activation": ("relu", "saturated-linear", "step", "square"),
}
"""What can be chosen: of a readout, of a head, of a feed-forward network."""


SIGN, VALUE, RULE, REMOVED, MOVED, ADDED, TWO = KEYS = "sign", "value", "rule", "removed", "moved", "added", "two"
"""The kinds, in the order in which they are tried."""


def single(construction: Construction) -> list[Kind]:
    """The kinds of one change."""
    network, values = construction.encoder, Values(construction)
    signs = _of_each(network, values, lambda matrix, old: [values.opposite(old)])
    others = [*_of_each(network, values, values.instead), *_scales(network, values)]
    rules = [*_of_each(network, values, lambda matrix, old: compared(old)), *_choices(network)]
    removals = _of_each(network, values, lambda matrix, old: [ZERO])
    return [
        Kind(SIGN, "one sign", signs),
        Kind(VALUE, "one weight or bias", others),
        Kind(RULE, "one rule or comparison", rules),
        Kind(REMOVED, "one weight removed", removals),
        Kind(MOVED, "one weight moved", list(_moved(network, values))),
        Kind(ADDED, "one weight added", list(_added(network, values))),
    ]


def double(network: Encoder, kinds: Iterable[Kind], unsettled: Set[Change]) -> list[Kind]:
    """The kinds of two changes, neither of which moves or adds a weight. unsettled: changes of one kind that alone
    could be neither refuted nor proved; pairs with one of them come last, as the other change may do nothing."""
    of = {kind.key: kind.changes for kind in kinds}
    kept = [change for key in (SIGN, VALUE, RULE) for change in of[key]]
    removals = frozenset(of[REMOVED])

    def removes(first: Change, second: Change) -> bool:
        return first in removals or second in removals

    def is_unsettled(first: Change, second: Change) -> bool:
        return first in unsettled or second in unsettled

    every = _in_order(network, [*kept, *removals])
    return [
        Kind(TWO, "two that keep the shape", _in_order(network, kept), lambda a, b: not is_unsettled(a, b)),
        Kind(TWO, "two, with a removal", every, lambda a, b: removes(a, b) and not is_unsettled(a, b)),
        Kind(TWO, "two, one open alone", every, is_unsettled),
    ]


def _of_each(
    network: Encoder, values: Values, instead: Callable[[Matrix, Expression], Iterable[Expression]]
) -> list[Change]:
    """Of each scalar that is not 0, in the order of the network."""
    return [
        ((place, new),)
        for matrix in matrices(network)
        for place in matrix.places()
        if not values.is_zero(old := value_at(network, place))
        for new in instead(matrix, old)
    ]


def _in_order(network: Encoder, changes: Iterable[Change]) -> list[Change]:
    """The earliest layer first: what comes after it is then all that a second change there leaves to be computed."""
    layers = len(network.layers)

    def stage(change: Change) -> int:
        part, number, *_ = change[0][0].path
        return {"embedding": -1, "readout": layers}.get(str(part), int(number) if isinstance(number, int) else 0)

    return sorted(changes, key=stage)


def _choices(network: Encoder) -> Iterator[Change]:
    for label, path, fields in _chosen(network):
        for field in fields:
            place = Place(f"{label}, {field}", (*path, field))
            for choice in CHOICES[field]:
                if choice != value_at(network, place):
                    yield ((place, choice),)


def _chosen(network: Encoder) -> Iterator[tuple[str, tuple[str | int, ...], tuple[str, ...]]]:
    for number, layer in enumerate(network.layers):
        for index, head in enumerate(layer.heads):
            path = ("layers", number, "heads", index)
            yield (
                f"layer {number + 1}, head {index + 1}",
                path,
                ("score", "normaliser", "mask") if _scores(head) else ("mask",),
            )
        if layer.feed_forward is not None:
            yield f"layer {number + 1}, feed-forward", ("layers", number, "feed_forward"), ("activation",)
    yield "readout", ("readout",), ("accept", "position")


def _scales(network: Encoder, values: Values) -> Iterator[Change]:
    for number, layer in enumerate(network.layers):
        for index, head in enumerate(layer.heads):
            place = Place(f"layer {number + 1}, head {index + 1}, scale", ("layers", number, "heads", index, "scale"))
            for scale in values.of_scale(head) if _scores(head) else ():
                yield ((place, scale),)


def _scores(head: Head) -> bool:
    """Whether there are scores, so that it matters how they are made."""
    return bool(head.W_Q and head.W_K)


def _moved(network: Encoder, values: Values) -> Iterator[Change]:
    """A weight put where a 0 stands, in its row or in its column."""
    for matrix in matrices(network):
        for row in (None,) if matrix.rows is None else matrix.rows:
            for column in matrix.columns:
                here = matrix.place(row, column)
                weight = value_at(network, here)
                if values.is_zero(weight):
                    continue
                beside = [(row, other) for other in matrix.columns if other != column]
                below = [(other, column) for other in matrix.rows or () if other != row]
                for where in (matrix.place(*each) for each in (*beside, *below)):
                    if values.is_zero(value_at(network, where)):
                        yield (here, ZERO), (where, weight)


def _added(network: Encoder, values: Values) -> Iterator[Change]:
    for matrix in matrices(network):
        new = values.added(matrix)
        for place in matrix.places():
            if values.is_zero(value_at(network, place)):
                yield from (((place, value),) for value in new)
