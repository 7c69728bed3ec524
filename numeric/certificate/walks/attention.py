"""Which networks count: all that their attention finds at a position is a level, and how far on it is."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isinf

from flint import fmpq

from weightproof.constructions.meaning.choices import REACHES, Choices
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.block import power_of_two
from weightproof.numeric.certificate.uniform.positions import Line, NotUnderstood
from weightproof.numeric.rounding.formats import Format, fraction, nearest, rounded

WALKS = Choices("the certificate of walks", NotUnderstood)


@dataclass(frozen=True)
class Walk:
    """What the attention of a network does: the mean of `unit` times the steps of its symbols goes to `target`, the
    share of the begin marker times a number to each of `shares`."""

    target: str
    unit: float
    steps: Mapping[str, int]
    shares: Mapping[str, float]


def walk_of(network: Encoder, alphabet: Sequence[str], names: Environment, format: Format) -> Walk:
    """Raises NotUnderstood for a network that does anything else."""
    if network.begin is None or network.end is not None or network.readout.position != "sum":
        raise NotUnderstood("words whose terms are not added up from a first position without a symbol")
    if not all(settled(scalar.tree) for scalar in network.embedding.PE.values()):
        raise NotUnderstood("an encoding that depends on the length of the word, but for the last position")
    if [len(layer.heads) for layer in network.layers] != [1, *(0 for _ in network.layers[1:])]:
        raise NotUnderstood("attention elsewhere than in one head of the first layer")
    if not all(layer.attention_residual for layer in network.layers[1:]):
        raise NotUnderstood("a layer that takes nothing over")
    if network.normed:
        raise NotUnderstood("layer normalisation")
    [head] = network.layers[0].heads
    WALKS.require_plain(head)
    causal = BOUND.reach(head.mask) == REACHES["causal"]
    if not _even(head, names, format) or not causal or head.W_O is not None:
        raise NotUnderstood("attention that is not even over the positions so far")
    target, unit, steps, shares = None, 0.0, {}, {}
    for row, columns in head.W_V.items():
        values = {token: _value(network, token, columns, names, format) for token in (network.begin, *alphabet)}
        own = values.pop(network.begin)
        sizes = {abs(value) for value in values.values() if value != 0}
        if not sizes:
            shares[row] = own
        elif own == 0 and len(sizes) == 1 and target is None:
            [unit] = sizes
            target, steps = row, {token: round(value / unit) for token, value in values.items()}
        else:
            raise NotUnderstood("attention to more than one walk")
    if target is None:
        raise NotUnderstood("attention to no walk")
    return Walk(target, unit, steps, shares)


def weights(network: Encoder) -> set[Expression]:
    """Of the weights that are used outside of attention."""
    found = {weight for row in network.embedding.WE.values() for weight in row.values()}
    maps = [network.readout.W]
    maps += [m for layer in network.layers if (f := layer.feed_forward) is not None for m in (f.first, f.second)]
    for each in maps:
        found |= {weight for row in each.weights.values() for weight in row.values()} | {*each.bias.values()}
    return found


def settled(node: ast.AST) -> bool:
    """Whether an encoding is certainly the same in words of all lengths n, at each position that is not the last.

    It is where n stands in comparisons alone, of what is linear in i and n, and the difference a*i + b*n + c of the two
    sides has one sign for all i >= 0 and n = i + 1 + m, m >= 1: as all of a + b, b, and b + (b + c) are of that sign.
    """
    match node:
        case ast.Name(id="n"):
            return False
        case ast.Compare(left=left, comparators=[right]) if any(
            isinstance(part, ast.Name) and part.id == "n" for part in ast.walk(node)
        ):
            sides = _line(left), _line(right)
            if sides[0] is None or sides[1] is None:
                return False
            gap = sides[0] + sides[1].times(fmpq(-1))
            moved = gap.slope + gap.length, gap.length, 2 * gap.length + gap.constant
            return any(sign * moved[2] > 0 and all(sign * x >= 0 for x in moved) for sign in (1, -1))
    return all(map(settled, ast.iter_child_nodes(node)))


def _line(node: ast.AST) -> Line | None:
    """What is linear in i and n, written as a sum of them and whole numbers; None for anything else."""
    match node:
        case ast.Constant(value=int(number)):
            return Line(fmpq(0), fmpq(0), fmpq(number))
        case ast.Name(id="i"):
            return Line(fmpq(1), fmpq(0), fmpq(0))
        case ast.Name(id="n"):
            return Line(fmpq(0), fmpq(1), fmpq(0))
        case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
            sides = _line(left), _line(right)
            if sides[0] is not None and sides[1] is not None:
                return sides[0] + sides[1].times(fmpq(1 if isinstance(op, ast.Add) else -1))
    return None


def _even(head: Head, names: Environment, format: Format) -> bool:
    """Whether all scores are 0, and computed as 0: 0 times what overflows is no number."""
    maps = [weight for rows in (head.W_Q, head.W_K) for row in rows.values() for weight in row.values()]
    if "n" in head.scale.names or any(isinf(rounded(evaluate(w, names), format)) for w in (*maps, head.scale)):
        return False
    if BOUND.side(head.normaliser) is not None:
        return False
    weights = ([evaluate(w, names) for row in rows.values() for w in row.values()] for rows in (head.W_Q, head.W_K))
    return any(all(weight == 0 for weight in each) for each in weights)


def _value(
    network: Encoder, token: str, columns: Mapping[str, Expression], names: Environment, format: Format
) -> float:
    """What a head averages of a token: one product of powers of two, so that it is computed exactly, or 0."""
    products = []
    for name, weight in columns.items():
        if name in network.embedding.PE:
            raise NotUnderstood("attention to a position encoding")
        entry = network.embedding.WE.get(token, {}).get(name)
        factors = [evaluate(weight, names), fmpq(0) if entry is None else evaluate(entry, names)]
        if any(factor == 0 for factor in factors):
            continue
        if not all(power_of_two(factor) for factor in factors):
            raise NotUnderstood("attention to values that may be rounded")
        product = fraction(factors[0]) * fraction(factors[1])
        if not all(nearest(x, format) == x for x in (*map(fraction, factors), product)):
            raise NotUnderstood("attention to values that the format does not hold")
        products.append(float(product))
    if len(products) > 1:
        raise NotUnderstood("attention to sums of values")
    return products[0] if products else 0.0
