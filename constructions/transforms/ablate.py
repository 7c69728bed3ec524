"""A component of an encoder taken out: a head, a hidden unit or a weight.

Zero ablation puts 0 in the place of what it adds. Mean ablation, of heads and units, puts there the mean of what it
adds over all positions of the word, markers included, at every position alike: not a mean over a sample of words, so
that what is left is a network of the schema again, and its logit exact. It is made by letting the component write to
coordinates of its own, which a uniform head of a layer behind it reads; where d stands in weights it keeps its value.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.places import ZERO, matrices, put_at, value_at
from weightproof.constructions.transforms.rewriting import Refused, put, rewritten

Part = Literal["head", "unit", "weight"]
PARTS: tuple[Part, ...] = ("head", "unit", "weight")
Rows = Mapping[str, Mapping[str, Expression]]


@dataclass(frozen=True)
class Ablation:
    """One component taken out. network: what is left; None where the schema has none, and `reason` says why."""

    part: Part
    component: str
    how: Literal["zero", "mean"]
    network: Encoder | None
    reason: str = ""


def ablations(network: Encoder, parts: tuple[Part, ...] = PARTS) -> Iterator[Ablation]:
    """Of every head and every hidden unit to 0 and to its mean, and of every weight that is not written as 0 to 0."""
    if "head" in parts:
        for layer, each in enumerate(network.layers):
            for number in range(len(each.heads)):
                yield from _both(network, "head", f"layer {layer + 1}, head {number + 1}", layer, number)
    if "unit" in parts:
        for layer, each in enumerate(network.layers):
            for unit in () if each.feed_forward is None else each.feed_forward.first.rows:
                yield from _both(network, "unit", f"layer {layer + 1}, unit {unit!r}", layer, unit)
    if "weight" in parts:
        for matrix in matrices(network):
            for place in matrix.places():
                if not _is_zero(value_at(network, place)):
                    yield Ablation("weight", place.label, "zero", put_at(network, place, ZERO))


def _both(network: Encoder, part: Part, component: str, layer: int, which: int | str) -> Iterator[Ablation]:
    old = network.layers[layer]
    zeroed = _without_head(old, which) if isinstance(which, int) else _without_unit(old, which)
    yield Ablation(part, component, "zero", _with_layers(network, layer, (zeroed,)))
    try:
        yield Ablation(part, component, "mean", _averaged(network, layer, which))
    except Refused as error:
        yield Ablation(part, component, "mean", None, str(error))


def _without_head(layer: Layer, number: int) -> Layer:
    return replace(layer, heads=(*layer.heads[:number], *layer.heads[number + 1 :]))


def _without_unit(layer: Layer, unit: str) -> Layer:
    assert layer.feed_forward is not None
    return replace(layer, feed_forward=_redirected(layer.feed_forward, unit, {}))


def _redirected(network: FeedForward, unit: str, rows: Rows) -> FeedForward:
    """The feed-forward network in which the unit is read by these rows alone."""
    others = {
        row: {column: weight for column, weight in columns.items() if column != unit}
        for row, columns in network.second.weights.items()
    }
    return replace(network, second=Linear({**others, **rows}, network.second.bias))


def _averaged(network: Encoder, layer: int, which: int | str) -> Encoder:
    """Refused where a norm would see the coordinates that the component writes to."""
    if network.normed:
        raise Refused("a layer norm would see the coordinates in which the mean is taken")
    width = Expression(str(len(network.coordinates)))
    fixed = rewritten(network, functools.partial(put, name="d", value=width))
    old = fixed.layers[layer]
    if isinstance(which, int):
        first, second, aside = _averaged_head(old, which, fixed.coordinates)
    else:
        first, second, aside = _averaged_unit(old, which, fixed.coordinates)
    return replace(_with_layers(fixed, layer, (first, second)), coordinates=(*fixed.coordinates, *aside))


def _averaged_head(layer: Layer, number: int, coordinates: tuple[str, ...]) -> tuple[Layer, Layer, tuple[str, ...]]:
    head = layer.heads[number]
    written = head.W_V if head.W_O is None else head.W_O
    aside = {row: _fresh(f"mean of {row}", coordinates) for row in written}
    renamed = {aside[row]: columns for row, columns in written.items()}
    apart = replace(head, W_V=renamed) if head.W_O is None else replace(head, W_O=renamed)
    first = replace(
        layer,
        heads=(*layer.heads[:number], apart, *layer.heads[number + 1 :]),
        feed_forward=None,
        feed_forward_residual=True,
    )
    mean = Head(W_V={row: {name: 1} for row, name in aside.items()})
    return first, replace(layer, heads=(mean,), attention_residual=True), tuple(aside.values())


def _averaged_unit(layer: Layer, unit: str, coordinates: tuple[str, ...]) -> tuple[Layer, Layer, tuple[str, ...]]:
    network = layer.feed_forward
    assert network is not None
    aside = _fresh(f"mean of {unit}", coordinates)
    read = {row: columns[unit] for row, columns in network.second.weights.items() if unit in columns}
    first = replace(layer, feed_forward=_redirected(network, unit, {aside: {unit: Expression("1")}}))
    return first, Layer(heads=(Head(W_V={row: {aside: weight} for row, weight in read.items()}),)), (aside,)


def _fresh(name: str, coordinates: tuple[str, ...]) -> str:
    return name if name not in coordinates else _fresh(f"{name}'", coordinates)


def _with_layers(network: Encoder, layer: int, new: tuple[Layer, ...]) -> Encoder:
    return replace(network, layers=(*network.layers[:layer], *new, *network.layers[layer + 1 :]))


def _is_zero(weight: Expression) -> bool:
    return not weight.names and evaluate(weight, {}) == 0
