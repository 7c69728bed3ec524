"""Whether the networks of a family are what the one with names says: numbers in the place of names, and, of several
frequencies, one network beside the other."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.sums.addition import OUTPUT, SUMMANDS, Family, Modulus, all_frequencies, every_modulus
from weightproof.constructions.sums.addition import modulus as of_number
from weightproof.symbolic.algebra.vocabulary import Underivable

LARGEST = 8
"""Modulus up to which members are compared."""
Rename = Callable[[str], str]


def require_members(family: Family, coprime: bool) -> None:
    """Underivable where a member with one frequency and a modulus up to LARGEST is another network than the one with
    names, numbers put in their place."""
    generic = family(every_modulus()).network
    for p in range(2, LARGEST + 1):
        for k in all_frequencies(p):
            of = of_number(p, (k,))
            if coprime and of.divisor != 1:
                continue
            if _plain(family(of).network) != _plain(instance(generic, of)):
                raise Underivable(
                    f"the network for p = {p}, k = {k} is not the one with names, read with these numbers"
                )


def instance(generic: Encoder, of: Modulus) -> Encoder:
    """The network of a modulus with one frequency, made of the one with names."""
    [k] = of.frequencies

    def named(**values: object) -> Rename:
        numbers = {"p": str(of.p), "k": str(k), **{name: str(value) for name, value in values.items()}}
        pattern = re.compile(rf"\b({'|'.join(numbers)})\b")
        return lambda text: pattern.sub(lambda found: numbers[found[0]], text)

    everywhere, first = named(), SUMMANDS[0]
    markers = {token: row for token, row in generic.embedding.WE.items() if token not in (*SUMMANDS, OUTPUT)}
    words = {str(r): _row(generic.embedding.WE[first], named(**{first: r})) for r in of.residues}
    for other in (*SUMMANDS[1:], OUTPUT):  # all of these names stand for any residue
        renamed = _row(generic.embedding.WE[first], functools.partial(re.sub, rf"\b{first}\b", other))
        if renamed != generic.embedding.WE[other]:
            raise Underivable(f"residues {first} and {other} are embedded in two ways")
    W = generic.readout.W
    return Encoder(
        coordinates=tuple(map(everywhere, generic.coordinates)),
        embedding=Embedding(
            {**words, **{token: _row(row, everywhere) for token, row in markers.items()}},
            _row(generic.embedding.PE, everywhere),
        ),
        layers=tuple(_layer(layer, everywhere) for layer in generic.layers),
        readout=Readout(
            Linear(
                {str(r): _row(W.weights[OUTPUT], named(c=r)) for r in of.residues},
                {str(r): _value(W.bias[OUTPUT], named(c=r)) for r in of.residues if OUTPUT in W.bias},
            ),
            generic.readout.position,
            generic.readout.accept,
        ),
        begin=generic.begin,
        end=generic.end,
    )


def _value(weight: Expression, rename: Rename) -> Expression:
    return Expression(rename(weight.source))


def _row(row: Mapping[str, Expression], rename: Rename) -> dict[str, Expression]:
    return {rename(name): _value(weight, rename) for name, weight in row.items()}


def _rows(rows: Rows, rename: Rename) -> dict[str, dict[str, Expression]]:
    return {rename(name): _row(row, rename) for name, row in rows.items()}


def _linear(linear: Linear, rename: Rename) -> Linear:
    return Linear(_rows(linear.weights, rename), _row(linear.bias, rename))


def _layer(layer: Layer, rename: Rename) -> Layer:
    if layer.feed_forward is None:
        raise Underivable("a layer without a feed-forward network")
    heads = tuple(
        Head(
            _rows(head.W_V, rename),
            _rows(head.W_Q, rename),
            _rows(head.W_K, rename),
            None if head.W_O is None else _rows(head.W_O, rename),
            score=head.score,
            scale=_value(head.scale, rename),
            normaliser=head.normaliser,
            mask=head.mask,
        )
        for head in layer.heads
    )
    inner = layer.feed_forward
    network = FeedForward(_linear(inner.first, rename), _linear(inner.second, rename), inner.activation)
    return Layer(heads, network, (), layer.attention_residual, True, layer.feed_forward_residual)


def require_side_by_side(family: Family) -> None:
    """Underivable where the network with all frequencies of a modulus up to LARGEST, or with two or three that are
    names, does not consist of those with one of them each."""
    named = [every_modulus("k", "l"), every_modulus("k", "l", "m")]
    for of in (*named, *(of_number(p, all_frequencies(p)) for p in range(3, LARGEST + 1))):
        parts = [family(Modulus(of.p, (k,), of.residues)).network for k in of.frequencies if _is_allowed(of, k)]
        if len(parts) == len(of.frequencies) and _plain(family(of).network) != _plain(beside(parts)):
            said = ", ".join(map(str, of.frequencies))
            raise Underivable(f"the network with frequencies {said} is not those with one of them, side by side")


def _is_allowed(of: Modulus, k: int | str) -> bool:
    return isinstance(k, str) or Modulus(of.p, (k,), of.residues).divisor == 1


def beside(networks: Sequence[Encoder]) -> Encoder:
    """One network of several that have no coordinate in common, of which the outputs are added up."""
    coordinates = tuple(name for network in networks for name in network.coordinates)
    if len(set(coordinates)) < len(coordinates):
        raise Underivable("a coordinate belongs to two frequencies")
    first = networks[0]
    layers = []
    for several in zip(*(network.layers for network in networks), strict=True):
        found = [layer.feed_forward for layer in several]
        inner = [each for each in found if each is not None]
        if len(inner) < len(several) or any(len(layer.heads) != 1 for layer in several):
            raise Underivable("a layer without a feed-forward network, or without one head")
        layers.append(
            Layer(
                (Head(_united(layer.heads[0].W_V for layer in several)),),
                FeedForward(_joined(x.first for x in inner), _joined(x.second for x in inner), inner[0].activation),
                (),
                several[0].attention_residual,
                True,
                several[0].feed_forward_residual,
            )
        )
    return Encoder(
        coordinates,
        Embedding(_united(network.embedding.WE for network in networks)),
        tuple(layers),
        Readout(_joined(network.readout.W for network in networks), first.readout.position, first.readout.accept),
        first.begin,
        first.end,
    )


def _united(rows: Iterable[Rows]) -> dict[str, dict[str, Expression]]:
    result: dict[str, dict[str, Expression]] = {}
    for each in rows:
        for name, row in each.items():
            result.setdefault(name, {}).update(row)
    return result


def _joined(linears: Iterable[Linear]) -> Linear:
    several = list(linears)
    if any(linear.bias for linear in several):
        raise Underivable("a bias")
    return Linear(_united(linear.weights for linear in several))


def _plain(network: Encoder) -> Any:
    """Without the order of its coordinates, which means nothing."""
    return (
        set(network.coordinates),
        network.embedding,
        network.layers,
        network.readout,
        network.begin,
        network.end,
    )
