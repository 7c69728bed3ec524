"""Where the scalars of an encoder stand, zeros included, and the encoder with another one in a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Literal

from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head
from weightproof.constructions.scalars.expressions import Expression

Path = tuple[str | int, ...]
"""Fields, indices and names that lead from a network to a part of it."""
ZERO = Expression("0")


@dataclass(frozen=True)
class Place:
    """Of a scalar, or of a choice, as "softmax"; label: as a person says where it stands."""

    label: str
    path: Path


@dataclass(frozen=True)
class Matrix:
    """A matrix with the names that its rows and columns may have. Of a bias and of the position encoding, which are one
    column each, `rows` is None, and `columns` are its names."""

    label: str
    path: Path
    rows: tuple[str, ...] | None
    columns: tuple[str, ...]
    kind: Literal["weights", "bias", "encoding"] = "weights"

    def places(self) -> Iterator[Place]:
        """Row by row, zeros included."""
        for row in (None,) if self.rows is None else self.rows:
            for column in self.columns:
                yield self.place(row, column)

    def place(self, row: str | None, column: str) -> Place:
        if row is None:
            return Place(f"{self.label}, {column!r}", (*self.path, column))
        return Place(f"{self.label}, {row!r} from {column!r}", (*self.path, row, column))


def matrices(network: Encoder) -> Iterator[Matrix]:
    """All of them, in the order in which a word passes through."""
    stream, embedding = network.coordinates, network.embedding
    yield Matrix("embedding WE", ("embedding", "WE"), tuple(embedding.WE), stream)
    yield Matrix("embedding PE", ("embedding", "PE"), None, stream, "encoding")
    for number, layer in enumerate(network.layers):
        for index, head in enumerate(layer.heads):
            yield from _of_head(
                head, stream, f"layer {number + 1}, head {index + 1}", ("layers", number, "heads", index)
            )
        if layer.feed_forward is not None:
            yield from _of_units(
                layer.feed_forward, stream, f"layer {number + 1}, feed-forward", ("layers", number, "feed_forward")
            )
    readout: Path = ("readout", "W")
    yield Matrix("readout W", (*readout, "weights"), ("logit",), stream)
    yield Matrix("readout bias", (*readout, "bias"), None, ("logit",), "bias")


def _of_head(head: Head, stream: tuple[str, ...], label: str, path: Path) -> Iterator[Matrix]:
    for part in ("W_Q", "W_K"):
        yield Matrix(f"{label}, {part}", (*path, part), tuple(getattr(head, part)), stream)
    values = stream if head.W_O is None else tuple(head.W_V)
    yield Matrix(f"{label}, W_V", (*path, "W_V"), values, stream)
    if head.W_O is not None:
        yield Matrix(f"{label}, W_O", (*path, "W_O"), stream, values)


def _of_units(network: FeedForward, stream: tuple[str, ...], label: str, path: Path) -> Iterator[Matrix]:
    units = network.first.rows
    gates = () if network.gate is None else (("gate", units, stream),)
    for part, rows, columns in (("first", units, stream), *gates, ("second", stream, units)):
        yield Matrix(f"{label} {part}", (*path, part, "weights"), rows, columns)
        yield Matrix(f"{label} {part} bias", (*path, part, "bias"), None, rows, "bias")


def value_at(network: Encoder, place: Place) -> Any:
    """What stands there: a scalar, 0 where nothing does, or a choice."""
    found: Any = network
    for step in place.path:
        if isinstance(found, Mapping):
            if step not in found:
                return ZERO
            found = found[step]
        else:
            found = found[step] if isinstance(step, int) else getattr(found, step)
    return found


def put_at(network: Encoder, place: Place, value: object) -> Encoder:
    """The encoder with this value there; all parts that do not contain the place are the same objects."""
    changed: Encoder = _put(network, place.path, value)
    return changed


def _put(whole: Any, path: Path, value: object) -> Any:
    if not path:
        return value
    step, *rest = path
    if isinstance(whole, Mapping):
        return {**whole, step: _put(whole.get(step, {}), tuple(rest), value)}
    if isinstance(step, int):
        return (*whole[:step], _put(whole[step], tuple(rest), value), *whole[step + 1 :])
    assert is_dataclass(whole)
    assert not isinstance(whole, type)
    return replace(whole, **{step: _put(getattr(whole, step), tuple(rest), value)})
