"""What transformations have in common: they apply to encoders that read out a logit, and change every scalar of the
data in the same way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, LayerNorm, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression

Change = Callable[[Expression], Expression]


class Refused(InputError):
    """A construction that a transformation does not apply to; one line that names the part."""


def encoder_of(construction: Construction) -> Encoder:
    """The network of a construction; Refused where it is no encoder that reads out a logit."""
    network = construction.network
    if not isinstance(network, Encoder):
        raise Refused(f"the network is a {type(network).__name__}; only encoders are transformed so far")
    if network.readout.predicts_tokens:
        raise Refused("the readout takes the argmax over tokens, not the sign of a logit")
    return network


def rewritten(network: Encoder, change: Change) -> Encoder:
    """The encoder with `change` applied to every weight, bias, encoding, scale and epsilon."""
    embedding, readout = network.embedding, network.readout
    return replace(
        network,
        embedding=replace(embedding, WE=_rows(embedding.WE, change), PE=_entries(embedding.PE, change)),
        layers=tuple(_layer(layer, change) for layer in network.layers),
        readout=replace(readout, W=_linear(readout.W, change)),
    )


def put(weight: Expression, name: str, value: Expression) -> Expression:
    """The scalar with a name replaced by a value."""
    if name not in weight.names:
        return weight

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return value.tree if node.id == name else node

    copied = ast.parse(weight.source.strip(), mode="eval").body  # the tree of an Expression is shared
    return written(Put().visit(copied))


def negated(weight: Expression) -> Expression:
    return written(_negated(weight.tree))


def _negated(tree: ast.expr) -> ast.expr:
    """The sign of a product stands before its first factor."""
    match tree:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return operand
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            return ast.BinOp(_negated(left), op, right)
    return ast.UnaryOp(ast.USub(), tree)


def written(tree: ast.expr) -> Expression:
    """As the data writes it, without spaces around a product."""
    return Expression(ast.unparse(tree).replace(" * ", "*").replace(" / ", "/"))


def _layer(layer: Layer, change: Change) -> Layer:
    network = layer.feed_forward
    return replace(
        layer,
        heads=tuple(_head(head, change) for head in layer.heads),
        feed_forward=None if network is None else _feed_forward(network, change),
        attention_norm=_norm(layer.attention_norm, change),
        feed_forward_norm=_norm(layer.feed_forward_norm, change),
    )


def _head(head: Head, change: Change) -> Head:
    return replace(
        head,
        W_V=_rows(head.W_V, change),
        W_Q=_rows(head.W_Q, change),
        W_K=_rows(head.W_K, change),
        W_O=None if head.W_O is None else _rows(head.W_O, change),
        scale=change(head.scale),
    )


def _feed_forward(network: FeedForward, change: Change) -> FeedForward:
    return replace(network, first=_linear(network.first, change), second=_linear(network.second, change))


def _norm(norm: LayerNorm | None, change: Change) -> LayerNorm | None:
    return None if norm is None else LayerNorm(change(norm.epsilon))


def _linear(linear: Linear, change: Change) -> Linear:
    return Linear(_rows(linear.weights, change), _entries(linear.bias, change))


def _rows(rows: Rows, change: Change) -> dict[str, dict[str, Expression]]:
    return {name: _entries(row, change) for name, row in rows.items()}


def _entries(entries: Mapping[str, Expression], change: Change) -> dict[str, Expression]:
    return {name: change(value) for name, value in entries.items()}
