"""Negative controls: every nonzero weight of a construction changed, one at a time.

A changed construction must be refuted with a word, or proved again because the change is harmless; a verdict that
stays open is a gap in the machinery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.changes import CHANGES, Weight, weights


@dataclass(frozen=True)
class Change:
    """One weight of one construction changed: where it stands, what was done to it."""

    place: str
    what: str
    construction: Construction


def changes(construction: Construction, made: Iterable[str] = tuple(CHANGES), one_of: int = 1) -> Iterator[Change]:
    """The changes of these kinds to every nonzero weight, each network once; one of how many of them."""
    network = construction.network
    assert isinstance(network, Encoder)
    for place, what, changed in changed_weights(weights(network), made, one_of):
        yield Change(place, what, replace(construction, network=changed))


def changed_weights(
    each: Iterable[Weight], made: Iterable[str] = tuple(CHANGES), one_of: int = 1
) -> Iterator[tuple[str, str, Any]]:
    """As `changes`, to these weights: the place with the old value, what was done, and the network then. Of changes of
    a weight that lead to the same network there is the first: 1 zeroed, and not 1 minus 1."""
    kinds = set(made)
    found = (
        (f"{place}: {old}", what, new, rebuild)
        for place, old, rebuild in each
        for what, new in _distinct(old)
        if what in kinds
    )
    for place, what, new, rebuild in islice(found, 0, None, one_of):
        yield place, what, rebuild(new)


def entries_of_table(network: Decoder) -> Iterator[Weight]:
    """Every nonzero entry of the table of positions."""
    table = network.table or ()
    for position, row in enumerate(table):
        for place, old, build in weights(row):

            def with_row(new: Expression, at: int = position, row: Callable[[Expression], Any] = build) -> Decoder:
                return replace(network, table=(*table[:at], row(new), *table[at + 1 :]))

            yield f"table, position {position}, {place}", old, with_row


def _distinct(old: Expression) -> Iterable[tuple[str, Expression]]:
    distinct: dict[object, tuple[str, Expression]] = {}
    for what, new in _changed(old).items():
        distinct.setdefault(new if new.names else evaluate(new, {}), (what, new))
    return distinct.values()


def _changed(old: Expression) -> dict[str, Expression]:
    return {what: Expression(template.format(w=old) if what != "zeroed" else "0") for what, template in CHANGES.items()}
