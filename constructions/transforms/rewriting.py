"""What transformations have in common: they apply to encoders that read out a logit, and change every scalar of the
data in the same way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression

Part = TypeVar("Part")


class Refused(InputError):
    """A construction that a transformation does not apply to; one line that names the part."""


def encoders_of(construction: Construction) -> Encoder:
    """The network of a construction, whatever it reads out; Refused where it is no encoder."""
    network = construction.network
    if not isinstance(network, Encoder):
        raise Refused(f"the network is a {type(network).__name__}; only encoders are transformed so far")
    return network


def encoder_of(construction: Construction) -> Encoder:
    """The network of a construction; Refused where it is no encoder that reads out a logit."""
    network = encoders_of(construction)
    if network.readout.predicts:
        raise Refused("the readout predicts a token or a class, not the sign of a logit")
    return network


def rewritten(part: Part, change: Callable[[Expression], Expression], left: Set[str] = frozenset()) -> Part:
    """The network, or a part of one, with `change` applied to every weight, bias, encoding, scale and epsilon, but for
    the fields that are left as they are."""
    made: Any = part
    match made:
        case Expression():
            made = change(made)
        case Mapping():
            made = {name: rewritten(each, change, left) for name, each in made.items()}
        case tuple():
            made = tuple(rewritten(each, change, left) for each in made)
        case _ if is_dataclass(made) and not isinstance(made, type):
            names = [field.name for field in fields(made) if field.name not in left]
            made = replace(made, **{name: rewritten(getattr(made, name), change, left) for name in names})
    return made


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
