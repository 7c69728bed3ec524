"""Every coordinate x joined by -x, so that the mean of each vector is 0: Chiang and Cholak (2022), section 4.1.

Layer normalisation then does not shift a vector, it only scales it. The new network decides as the old one does. It is
twice as wide, so that d/2 stands where d stood; but for a head whose weights have the factor sqrt(d) which its scale
takes away again, as those of the paper have: it is the same at every width.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import Refused, encoder_of, negated, put, rewritten


def remove_centering(construction: Construction) -> Construction:
    """Refused where a coordinate has its opposite already."""
    network = encoder_of(construction)
    choices = Choices("remove-centering", Refused)
    choices.require_norms_behind(network)
    choices.require_plain_heads(network)
    for coordinate in network.coordinates:
        if opposite(coordinate) in network.coordinates:
            raise Refused(f"coordinate {coordinate!r} has its opposite already")
    narrow = rewritten(network, _half_as_wide)
    embedding = replace(
        narrow.embedding,
        WE={token: _doubled(vector) for token, vector in narrow.embedding.WE.items()},
        PE=_doubled(narrow.embedding.PE),
    )
    layers = tuple(_layer(old, new) for old, new in zip(network.layers, narrow.layers, strict=True))
    coordinates = (*network.coordinates, *map(opposite, network.coordinates))
    wider = replace(narrow, coordinates=coordinates, embedding=embedding, layers=layers)
    return replace(construction, network=wider)


def opposite(coordinate: str) -> str:
    """The name of the coordinate that holds the negation."""
    return f"-{coordinate}"


def _half_as_wide(weight: Expression) -> Expression:
    return put(weight, "d", Expression("(d/2)"))


def _layer(old: Layer, new: Layer) -> Layer:
    heads = tuple(_head(before, after) for before, after in zip(old.heads, new.heads, strict=True))
    return replace(new, heads=heads, feed_forward=None if new.feed_forward is None else _network(new.feed_forward))


def _head(old: Head, new: Head) -> Head:
    scores = old if _same_at_every_width(old) else new
    W_V, W_O = (_both(new.W_V), None) if new.W_O is None else (new.W_V, _both(new.W_O))
    return replace(new, W_V=W_V, W_Q=scores.W_Q, W_K=scores.W_K, W_O=W_O, scale=scores.scale)


def _same_at_every_width(head: Head) -> bool:
    """Whether d is in the factor sqrt(d) of each weight of the queries, and in the scale 1/sqrt(d), alone."""
    keys = [weight for row in head.W_K.values() for weight in row.values()]
    queries = [weight for row in head.W_Q.values() for weight in row.values()]
    return (
        head.scale == Expression("1/sqrt(d)")
        and all("d" not in weight.names for weight in keys)
        and all(_has_the_root_of_the_width(weight.tree) for weight in queries)
    )


def _has_the_root_of_the_width(weight: ast.expr) -> bool:
    match weight:
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Call(func=ast.Name(id="sqrt"), args=[ast.Name(id="d")])):
            return "d" not in Expression(ast.unparse(left)).names
    return False


def _network(network: FeedForward) -> FeedForward:
    second = Linear(_both(network.second.weights), _doubled(network.second.bias))
    return replace(network, second=second)


def _both(rows: Rows) -> dict[str, Mapping[str, Expression]]:
    """Rows, and for each of them the row of the opposite coordinate."""
    opposites = {opposite(name): {x: negated(weight) for x, weight in row.items()} for name, row in rows.items()}
    return {**rows, **opposites}


def _doubled(vector: Mapping[str, Expression]) -> dict[str, Expression]:
    return {**vector, **{opposite(name): negated(value) for name, value in vector.items()}}
