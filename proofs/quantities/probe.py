"""Constructions that stop early: the same weights up to a point, so that what stands there is what comes out.

What is derived of a probe is what the whole network has at that point, at every position, and the exact interpreter
runs a probe as it runs any construction.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from weightproof.constructions.claims.statements import Stage, units
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Layer, Linear, Norm, Readout, UnknownChoice
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.theorem import PROVER

WEIGHT = "attention weight"
HERE = "[i=p]"
POSITION = Parameter("p", domain="p >= 0", default=0, kind="natural")
OTHER = Parameter("q", domain="q >= 0", default=0, kind="natural")


@dataclass(frozen=True)
class Point:
    """A stage of a layer, with all its heads."""

    layer: int
    stage: Stage


@dataclass(frozen=True)
class AttentionPoint:
    """The weights of one head: the probe has a parameter p, and what position 0 gives to position p stands in a
    coordinate of its own."""

    layer: int
    head: int


def probe(construction: Construction, point: Point | AttentionPoint) -> Construction:
    """The construction up to a point; its readout sees every position and reads nothing. UnknownChoice where it has
    coordinates more, over which a norm would go, too."""
    network = _at_width(construction.encoder, len(construction.encoder.coordinates))
    parameters = construction.parameters
    if isinstance(point, AttentionPoint):
        network, parameters = _with_marked(network, point, "(i == p)"), (*parameters, POSITION)
    else:
        network = _up_to(network, point)
    silent = Readout(Linear({"logit": {}}), position="sum")
    return replace(construction, network=replace(network, readout=silent), parameters=parameters)


def _up_to(network: Encoder, point: Point) -> Encoder:
    layers, network = network.layers[: point.layer], replace(network, final_norm=None)
    match point.stage:
        case "position":
            blank: dict[str, dict[str, object]] = {token: {} for token in network.embedding.WE}
            return replace(network, embedding=Embedding(blank, network.embedding.PE), layers=())
        case "attention":
            last = replace(
                layers[-1],
                feed_forward=None,
                feed_forward_norm_before=None,
                feed_forward_norm=None,
                feed_forward_residual=True,
            )
            return replace(network, layers=(*layers[:-1], last))
        case "activation":
            last = layers[-1]
            assert last.feed_forward is not None
            PROVER.require_norms_behind(network)
            names = units(network, point.layer)
            kept = replace(last.feed_forward, second=Linear({name: {name: 1} for name in names}))
            hidden = replace(last, feed_forward=kept, feed_forward_norm=None, feed_forward_residual=False)
            more = tuple(name for name in names if name not in network.coordinates)
            if more:
                _require_free(layers[:-1], last.attention_norm)
            return replace(network, layers=(*layers[:-1], hidden), coordinates=(*network.coordinates, *more))
        case "embedding" | "layer":
            return replace(network, layers=layers)
    PROVER.refuse("stage", point.stage)


def preference(construction: Construction, point: AttentionPoint) -> Construction:
    """The construction whose logit is by how much more weight position 0 gives to position p than to position q in a
    head, with parameters p and q."""
    network = _at_width(construction.encoder, len(construction.encoder.coordinates))
    network = _with_marked(network, point, "(i == p) - (i == q)")
    network = replace(network, readout=Readout(Linear({"logit": {WEIGHT: 1}})))
    return replace(construction, network=network, parameters=(*construction.parameters, POSITION, OTHER))


def _with_marked(network: Encoder, point: AttentionPoint, mark: str) -> Encoder:
    """A mark is averaged by the head: what comes out at position 0 is the weight there of the position that has it."""
    network = replace(network, final_norm=None)
    PROVER.require_norms_behind(network)
    layers = network.layers[: point.layer]
    _require_free(layers[:-1])
    head = replace(layers[-1].heads[point.head - 1], W_V={WEIGHT: {HERE: 1}}, W_O=None)
    return replace(
        network,
        coordinates=(*network.coordinates, WEIGHT, HERE),
        embedding=Embedding(network.embedding.WE, {**network.embedding.PE, HERE: mark}),
        layers=(*layers[:-1], Layer(heads=(head,))),
    )


def _require_free(layers: Sequence[Layer], *norms: Norm | None) -> None:
    """UnknownChoice where a norm would go over the coordinates that a probe has more, and so make another vector."""
    if any(norms) or any(layer.norms for layer in layers):
        raise UnknownChoice(f"{PROVER.reading} does not know attention weights and activations behind a norm")


def substituted(scalar: Expression, values: Mapping[str, int | Expression]) -> Expression:
    """The scalar with numbers or other scalars for names."""

    class Names(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            value = values.get(node.id)
            if value is None:
                return node
            return copy.deepcopy(value.tree) if isinstance(value, Expression) else ast.Constant(value)

    if scalar.names.isdisjoint(values):
        return scalar
    return Expression(ast.unparse(Names().visit(copy.deepcopy(scalar.tree))))


def _at_width(value: Any, width: int) -> Any:
    """Part of a network with the number for the width d: a probe may have more coordinates, but not other weights."""
    match value:
        case Expression():
            return substituted(value, {"d": width})
        case Mapping():
            return {name: _at_width(item, width) for name, item in value.items()}
        case tuple():
            return tuple(_at_width(item, width) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(**{field.name: _at_width(getattr(value, field.name), width) for field in fields(value)})
    return value
