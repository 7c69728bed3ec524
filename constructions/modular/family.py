"""Networks that add, one for every modulus and every set of frequencies, as data: one network whose numbers are names.

A member is that network with numbers in the place of its names; of several frequencies it is one such network beside
the other, which have no coordinate in common and whose outputs are added up. So what is true of the network with names,
whatever numbers they stand for, is true of all members: nothing else makes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.modular.addition import EQUALS, OUTPUT, SUMMANDS, Adder, Modulus
from weightproof.constructions.scalars.expressions import Expression

P, K = "p", "k"
"""The names of the modulus and of the frequency."""
CALLED = re.compile(rf"(.*\W)?{K}", re.DOTALL)
"""What coordinates and hidden units are called: by a name that ends in the frequency's, which a number or another name
takes the place of. So those of two frequencies, and two of one, are never called alike."""


@final
@dataclass(frozen=True)
class Family:
    """network: that of any modulus p with any one frequency k; its tokens are the residues a and b, the output c, and
    "=". coprime: whether frequencies that have a divisor in common with p are refused.

    Raises ConstructionError for a network that does not say what its members are: see `_problems`.
    """

    name: str
    title: str
    source: str
    network: schema.Encoder
    coprime: bool = True

    def __post_init__(self) -> None:
        Adder(self.name, self.title, self.source, every_modulus(), self.network)
        for message in _problems(self.network):
            raise ConstructionError(f"{self.name}: {message}")

    def __call__(self, of: Modulus) -> Adder:
        """The member for a modulus; InputError for frequencies with which it cannot tell all residues apart."""
        if self.coprime:
            refuse_ties(self.name, of)
        network = beside([_with(self.network, of, k) for k in of.frequencies])
        return Adder(self.name, self.title, self.source, of, network)


def _problems(network: schema.Encoder) -> Iterator[str]:
    """What keeps members from being the network with numbers for names, or networks that stand side by side: names that
    could coincide, weights that see how many coordinates there are, and parts that look at all frequencies at once."""
    units = [name for layer in network.layers if layer.feed_forward for name in layer.feed_forward.first.weights]
    for name in (*network.coordinates, *units):
        if not CALLED.fullmatch(name):
            yield f"{name!r} does not end in the name {K} of the frequency, as 'cos {K}' does"
    if network.embedding.PE or network.readout.W.bias or network.readout.position != "last":
        yield "a position encoding, a bias of the readout, or another position than the last that is read"
    for number, layer in enumerate(network.layers, start=1):
        inner = layer.feed_forward
        if inner is None or inner.gate or layer.attention_norm or layer.feed_forward_norm:
            yield f"layer {number}: no feed-forward network, or one with a gate, or a norm"
        elif inner.first.bias or inner.second.bias or any(head != schema.Head(head.W_V) for head in layer.heads):
            yield f"layer {number}: a bias, or a head that does not look everywhere alike"
        elif len(layer.heads) != 1:
            yield f"layer {number}: {len(layer.heads)} heads, not one"
    for token, row in network.embedding.WE.items():
        yield from _unknown(f"token {token!r}", row, {P, K, *({token} - {EQUALS})})
    for output, row in network.readout.W.weights.items():
        yield from _unknown(f"output {output!r}", row, {P, K, output})
    for layer in network.layers:
        for row in _inner(layer):
            yield from _unknown("a layer", row, {P, K})
    first = SUMMANDS[0]
    for other in (*SUMMANDS[1:], OUTPUT):
        if _row(network.embedding.WE[first], _renaming({first: other}), str) != network.embedding.WE[other]:
            yield f"residues {first} and {other} are embedded in two ways"


def _inner(layer: schema.Layer) -> Iterator[Mapping[str, Expression]]:
    """The rows of a layer."""
    inner = layer.feed_forward
    assert inner is not None
    for rows in (*(head.W_V for head in layer.heads), inner.first.weights, inner.second.weights):
        yield from rows.values()


def _unknown(place: str, row: Mapping[str, Expression], known: set[str]) -> Iterator[str]:
    for weight in row.values():
        if more := sorted(weight.names - known):
            yield f"{place}: the weight {weight} uses {', '.join(more)}; take {', '.join(sorted(known))} alone"


Rename = Callable[[str], str]


def _renaming(values: Mapping[str, object]) -> Rename:
    """Numbers or names in the place of names, in the text of a weight."""
    pattern = re.compile(rf"\b({'|'.join(values)})\b")
    return lambda text: pattern.sub(lambda found: str(values[found[0]]), text)


def _with(network: schema.Encoder, of: Modulus, k: int | str) -> schema.Encoder:
    """The network for one frequency: values in the place of its names, which nothing else is asked of."""
    known: dict[str, object] = {P: of.p, K: k}
    everywhere, first = _renaming(known), SUMMANDS[0]

    def called(name: str) -> str:
        return name[: -len(K)] + str(k)

    def residues(row: Mapping[str, Expression], name: str) -> dict[str, dict[str, Expression]]:
        return {str(r): _row(row, _renaming({**known, name: r}), called) for r in of.residues}

    def rows(each: schema.Rows) -> dict[str, dict[str, Expression]]:
        return {called(name): _row(row, everywhere, called) for name, row in each.items()}

    WE, readout = network.embedding.WE, network.readout
    return replace(
        network,
        coordinates=tuple(map(called, network.coordinates)),
        embedding=schema.Embedding({**residues(WE[first], first), EQUALS: _row(WE[EQUALS], everywhere, called)}),
        layers=tuple(_layer(layer, rows) for layer in network.layers),
        readout=replace(readout, W=schema.Linear(residues(readout.W.weights[OUTPUT], OUTPUT))),
    )


def _row(row: Mapping[str, Expression], rename: Rename, called: Rename) -> dict[str, Expression]:
    return {called(name): Expression(rename(weight.source)) for name, weight in row.items()}


def _layer(layer: schema.Layer, rows: Callable[[schema.Rows], schema.Rows]) -> schema.Layer:
    inner = layer.feed_forward
    assert inner is not None
    first, second = (schema.Linear(rows(linear.weights)) for linear in (inner.first, inner.second))
    return replace(
        layer,
        heads=tuple(schema.Head(rows(head.W_V)) for head in layer.heads),
        feed_forward=schema.FeedForward(first, second, inner.activation),
    )


def beside(networks: Sequence[schema.Encoder]) -> schema.Encoder:
    """One network of several of a `Family` that have no coordinate in common, of which the outputs are added up."""
    first = networks[0]
    return replace(
        first,
        coordinates=tuple(name for network in networks for name in network.coordinates),
        embedding=schema.Embedding(_united(network.embedding.WE for network in networks)),
        layers=tuple(map(_beside, zip(*(network.layers for network in networks), strict=True))),
        readout=replace(first.readout, W=_joined(network.readout.W for network in networks)),
    )


def _beside(layers: tuple[schema.Layer, ...]) -> schema.Layer:
    inner = [layer.feed_forward for layer in layers if layer.feed_forward is not None]
    first, second = _joined(each.first for each in inner), _joined(each.second for each in inner)
    return replace(
        layers[0],
        heads=(schema.Head(_united(layer.heads[0].W_V for layer in layers)),),
        feed_forward=schema.FeedForward(first, second, inner[0].activation),
    )


def _joined(linears: Iterable[schema.Linear]) -> schema.Linear:
    return schema.Linear(_united(linear.weights for linear in linears))


def _united(several: Iterable[schema.Rows]) -> dict[str, dict[str, Expression]]:
    result: dict[str, dict[str, Expression]] = {}
    for rows in several:
        for name, row in rows.items():
            result.setdefault(name, {}).update(row)
    return result


LARGEST_MODULUS = 10**18
"""Modulus, so that all that is printed of it can be read."""


def modulus(p: int, frequencies: tuple[int, ...], residues: tuple[int, ...] | None = None) -> Modulus:
    """All residues, or some, which is the part of the network that knows these alone; InputError for what is none."""
    if not 2 <= p <= LARGEST_MODULUS:
        raise InputError(f"the modulus p = {p} is not from 2 to {LARGEST_MODULUS}: give 2 or more")
    for k in frequencies:
        if not 1 <= k <= LARGEST_MODULUS:
            raise InputError(f"the frequency k = {k} is not from 1 to {LARGEST_MODULUS}: give 1 or more")
    if not frequencies or len(set(frequencies)) < len(frequencies):
        raise InputError(f"frequencies {', '.join(map(str, frequencies)) or 'none'}: give one or more, each once")
    if residues is not None and (len(set(residues)) < len(residues) or not all(0 <= a < p for a in residues)):
        raise InputError(f"residues {', '.join(map(str, residues))}: give some from 0 to {p - 1}, each once")
    return Modulus(p, frequencies, tuple(range(p)) if residues is None else residues)


def all_frequencies(p: int) -> tuple[int, ...]:
    return tuple(range(1, p))


def every_modulus(*frequencies: str) -> Modulus:
    """Any modulus with any frequencies, k where none is named; two residues and an output: what is proved of it is true
    of all."""
    return Modulus("p", frequencies or ("k",), (*SUMMANDS, OUTPUT))


def refuse_ties(name: str, of: Modulus) -> None:
    """InputError where the frequencies have a divisor in common with p: then two residues tie, whatever is added."""
    if of.names or (divisor := of.divisor) == 1:
        return
    assert not isinstance(of.p, str)
    said = ", ".join(map(str, of.frequencies))
    what = f"frequency {said} is not coprime to"
    if len(of.frequencies) > 1:
        what = f"frequencies {said} have the divisor {divisor} in common with"
    raise InputError(
        f"{name}: {what} {of.p}: the outputs 0 and {of.p // divisor} always tie; take a frequency coprime to {of.p}"
    )
