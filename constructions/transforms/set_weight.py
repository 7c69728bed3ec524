"""One weight set to another value: a repair of one line, or a weight that is moved to see what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Head, Layer, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import Refused, encoder_of

OF_A_HEAD = ("W_Q", "W_K", "W_V", "W_O")
OF_A_FEED_FORWARD_NETWORK = {"W_F1": "first", "W_F2": "second"}


def set_weight(
    construction: Construction, part: str, row: str, column: str, to: Expression, layer: str = "", head: str = ""
) -> Construction:
    """part: a matrix of a head (W_Q, W_K, W_V, W_O), of a feed-forward network (W_F1, W_F2), or the readout W; layer
    and head are counted from 1. row and column: by name; what is not named in the data is 0. Refused where there is no
    such layer, head or network; ConstructionError where there is no such row or column."""
    network = encoder_of(construction)
    if part == "W":
        readout = replace(network.readout, W=_set_in(network.readout.W, row, column, to))
        return replace(construction, network=replace(network, readout=readout))
    number = _number("layer", layer, len(network.layers))
    changed = _layer(network.layers[number], part, row, column, to, head)
    layers = (*network.layers[:number], changed, *network.layers[number + 1 :])
    return replace(construction, network=replace(network, layers=layers))


def _layer(layer: Layer, part: str, row: str, column: str, to: Expression, head: str) -> Layer:
    if part in OF_A_FEED_FORWARD_NETWORK:
        if layer.feed_forward is None:
            raise Refused(f"the layer has no feed-forward network, and so no {part}")
        which = OF_A_FEED_FORWARD_NETWORK[part]
        linear: dict[str, Any] = {which: _set_in(getattr(layer.feed_forward, which), row, column, to)}
        return replace(layer, feed_forward=replace(layer.feed_forward, **linear))
    if part not in OF_A_HEAD:
        raise Refused(f"part={part} is none of {', '.join((*OF_A_HEAD, *OF_A_FEED_FORWARD_NETWORK, 'W'))}")
    number = _number("head", head, len(layer.heads))
    changed = _head(layer.heads[number], part, row, column, to)
    return replace(layer, heads=(*layer.heads[:number], changed, *layer.heads[number + 1 :]))


def _head(head: Head, part: str, row: str, column: str, to: Expression) -> Head:
    rows: Rows | None = getattr(head, part)
    if rows is None:
        raise Refused(f"the head has no {part}")
    changed: dict[str, Any] = {part: _set(rows, row, column, to)}
    return replace(head, **changed)


def _set_in(linear: Linear, row: str, column: str, to: Expression) -> Linear:
    return Linear(_set(linear.weights, row, column, to), linear.bias)


def _set(rows: Rows, row: str, column: str, to: Expression) -> Mapping[str, Mapping[str, Expression]]:
    return {**rows, row: {**rows.get(row, {}), column: to}}


def _number(what: str, given: str, most: int) -> int:
    """The index, from 0, of a layer or head that is counted from 1."""
    if not given.isdecimal() or not 1 <= int(given) <= most:
        raise Refused(f"there is no {what} {given or '(write its number)'}; there are {most}")
    return int(given) - 1
