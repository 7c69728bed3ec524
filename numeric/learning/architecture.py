"""What is trained: a network of the schema whose weights are free, and how they begin. Nothing here needs PyTorch.

The networks of papers with PyTorch begin as its modules do: torch.nn.Embedding with the normal distribution,
torch.nn.Linear with an even one between +-1/sqrt(inputs), queries, keys and values of torch.nn.MultiheadAttention with
Xavier's, of all three as one matrix (Glorot and Bengio 2010, equation 16).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    Normaliser,
    Readout,
    Rows,
    known,
)
from weightproof.constructions.scalars.frozen import Written as Field
from weightproof.constructions.scalars.frozen import frozen

BEGIN, END = "CLS", "EOS"
TRAINING = "training"
READ: Mapping[str, int | None] = {"first": 0, "last": -1, "sum": None}
"""By the position that is read: its index, None where all are."""
PREDICTS: Mapping[str, bool] = {"logit > 0": False, "argmax": True}
"""By the rule of acceptance: whether the greatest output is a prediction."""
SEES_ALL: Mapping[str, bool] = {"none": True, "causal": False}
"""By mask; others see no later position."""
SCORES, ACTIVATIONS = {"dot": None}, {"relu": None}


@dataclass(frozen=True)
class Constant:
    """All entries begin as this."""

    value: float


@dataclass(frozen=True)
class Uniform:
    """Entries begin anywhere between -bound and bound."""

    bound: float


@dataclass(frozen=True)
class Normal:
    """Entries begin normally distributed, with mean 0."""

    deviation: float = 1


@dataclass(frozen=True)
class AsWritten:
    """Entries begin as the network has them, rounded once, each with a normally distributed number added, of mean 0."""

    deviation: float = 0


Begin = Constant | Uniform | Normal | AsWritten


@dataclass(frozen=True)
class Block:
    """One layer, as it is trained. head: one of its heads, which all attend alike, or None; each of them has so many
    score and value coordinates; writes: without W_O, the coordinates into which each writes; norms: behind attention
    and behind the feed-forward network."""

    heads: int
    head: Head | None
    scored: int
    carried: int
    writes: tuple[tuple[str, ...], ...] | None
    feed_forward: bool
    norms: tuple[LayerNorm | None, LayerNorm | None]


@dataclass(frozen=True)
class Architecture:
    """network: an encoder without parameters, all of whose matrices and vectors are trained, in each row that has a
    name there, and in every column, whatever stands in it (see `tensors`); what its positions add, how heads score and
    what they see stays as it is.

    begins: how each tensor does, by its name without the layer's number; one that is not there begins as the network
    has it. alike: whether all layers begin with the same weights, as those of torch.nn.TransformerEncoder do, which
    copies the layer that it is given. fixed: tensors that are not trained, by the same names.

    InputError for a network that cannot be trained.
    """

    network: Encoder
    begins: Field[Mapping[str, Begin]] = Field(frozen)
    alike: bool = False
    fixed: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Of the residual stream."""
        return len(self.network.coordinates)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its layers."""
        if self.network.final_norm is not None:
            raise InputError("a final norm is not trained here")
        known(TRAINING, "readout position", self.network.readout.position, READ, InputError)
        known(TRAINING, "acceptance rule", self.network.readout.accept, PREDICTS, InputError)
        return tuple(_block(layer, f"layer {number}") for number, layer in enumerate(self.network.layers, start=1))

    @cached_property
    def counts(self) -> bool:
        """Whether positions with equal tokens and encodings are equal in every layer, as each sees all others; in the
        last layer the one that is read has to."""
        *before, last = [block.head is None or SEES_ALL[block.head.mask] for block in self.blocks] or [True]
        read = READ[self.network.readout.position]
        return all(before) and (last or read == -1) and read is not None and self.network.begin is not None

    @property
    def looks_once(self) -> bool:
        """Whether the last position alone is read, and has looked but once: then what is computed of tokens is the same
        for all words, and each word is its counts."""
        return self.counts and len(self.blocks) == 1 and READ[self.network.readout.position] == -1


def _block(layer: Layer, place: str) -> Block:
    if layer.cross_heads or not (layer.attention_residual and layer.feed_forward_residual):
        raise InputError(f"{place}: cross heads, and layers without residual connections, are not trained here")
    if (layer.attention_norm_before, layer.feed_forward_norm_before) != (None, None):
        raise InputError(f"{place}: norms in front are not trained here")
    norms = (_norm(layer.attention_norm, place), _norm(layer.feed_forward_norm, place))
    network = layer.feed_forward
    if network is not None:
        known(TRAINING, "activation", network.activation, ACTIVATIONS, InputError)
        if network.gate is not None:
            raise InputError(f"{place}: feed-forward networks with gates are not trained here")
    if not layer.heads:
        return Block(0, None, 0, 0, None, network is not None, norms)
    first = layer.heads[0]
    for head in layer.heads:
        known(TRAINING, "score", head.score, SCORES, InputError)
        known(TRAINING, "mask", head.mask, SEES_ALL, InputError)
        if not head.is_plain or head.query_norm is not None or head.key_norm is not None:
            raise InputError(f"{place}: heads other than of dot products alone are not trained here")
        alike = [(each.mask, each.scale, each.normaliser, each.W_O is None) for each in (first, head)]
        sizes = [(len(each.W_Q), len(each.W_K), len(each.W_V)) for each in (first, head)]
        if alike[0] != alike[1] or sizes[0] != sizes[1]:
            raise InputError(f"{place}: heads that are not alike are not trained here")
    writes = None if first.W_O is not None else tuple(tuple(head.W_V) for head in layer.heads)
    return Block(len(layer.heads), first, len(first.W_Q), len(first.W_V), writes, network is not None, norms)


def _norm(norm: Norm | None, place: str) -> LayerNorm | None:
    if norm is not None and not isinstance(norm, LayerNorm):
        raise InputError(f"{place}: norms other than layer normalisation are not trained here")
    return norm


def named(letter: str, number: int) -> tuple[str, ...]:
    """So many coordinates, counted from 1."""
    return tuple(f"{letter}{place}" for place in range(1, number + 1))


def free(names: Sequence[str]) -> Rows:
    """A matrix with these rows, in which nothing stands yet."""
    return {name: {} for name in names}


def standard(
    symbols: Sequence[str],
    *,
    layers: int,
    heads: int,
    width: int,
    hidden: int,
    encodings: Sequence[str],
    scale: str,
    epsilon: str,
    end: bool = False,
    normaliser: Normaliser = "softmax",
) -> Architecture:
    """That of torch.nn.TransformerEncoder: position 0, CLS, is read; with `end` the last position holds EOS.

    layers of so many heads, each over width/heads coordinates, and of a feed-forward network with so many hidden units;
    layer normalisation behind each of both. Attention has no biases. encodings: functions of i and n, which are added
    to the first coordinates. scale: of scores, which may use n. epsilon: of the norms. normaliser: of scores; with
    hardmax, the mean over the positions that have the greatest, scores have no gradient, so that W_Q and W_K stay as
    they begin.
    """
    coordinates, units, each = named("x", width), named("h", hidden), width // heads
    head = Head(
        W_Q=free(named("q", each)),
        W_K=free(named("q", each)),
        W_V=free(named("v", each)),
        W_O=free(coordinates),
        scale=scale,
        normaliser=normaliser,
    )
    layer = Layer(
        heads=(head,) * heads,
        attention_norm=LayerNorm(epsilon),
        feed_forward=FeedForward(Linear(free(units)), Linear(free(coordinates))),
        feed_forward_norm=LayerNorm(epsilon),
    )
    network = Encoder(
        coordinates=coordinates,
        embedding=Embedding(
            WE=free((*symbols, BEGIN, *((END,) if end else ()))),
            PE=dict(zip(coordinates, encodings, strict=False)),
        ),
        layers=(layer,) * layers,
        readout=Readout(Linear(free(("logit",)))),
        begin=BEGIN,
        end=END if end else None,
    )
    inputs, units_in = Uniform(width**-0.5), Uniform(hidden**-0.5)
    attention = Uniform(math.sqrt(6 / (width + 3 * width)))
    begins: dict[str, Begin] = {
        "W_E": Normal(),
        **dict.fromkeys(("W_Q", "W_K", "W_V"), attention),
        **dict.fromkeys(("W_O", "W_F1", "b_F1", "W_U", "b_U"), inputs),
        **dict.fromkeys(("W_F2", "b_F2"), units_in),
    }
    return Architecture(network, begins, alike=True)


def with_normaliser(architecture: Architecture, normaliser: Normaliser) -> Architecture:
    """The same, whose heads have this one."""
    network = architecture.network
    layers = tuple(
        replace(layer, heads=tuple(replace(head, normaliser=normaliser) for head in layer.heads))
        for layer in network.layers
    )
    return replace(architecture, network=replace(network, layers=layers))


def opened(network: Encoder, deviation: float = 0, fixed: Sequence[str] = ()) -> Architecture:
    """That of a network that is written down, with its weights, each with a normally distributed number added, and in
    every place where one could be: heads without W_O write into all coordinates, those without W_Q or W_K score over as
    many coordinates as the stream has."""
    coordinates = network.coordinates

    def rows(matrices: Sequence[Rows], letter: str) -> list[Rows]:
        """With the same rows, so many as the largest has."""
        most = max(map(len, matrices)) or len(coordinates)
        names = named(letter, most)
        return [dict(zip(names, (*rows.values(), *({},) * most), strict=False)) for rows in matrices]

    def opened_heads(heads: Sequence[Head]) -> tuple[Head, ...]:
        if not heads:
            return ()
        names = [tuple(dict.fromkeys((*head.W_Q, *head.W_K))) for head in heads]
        queries, keys = (
            rows([{name: matrix.get(name, {}) for name in own} for own, matrix in zip(names, given, strict=True)], "q")
            for given in ([head.W_Q for head in heads], [head.W_K for head in heads])
        )
        if any(head.W_O is None for head in heads):
            if not all(head.W_O is None for head in heads):
                raise InputError("heads with and without W_O in one layer are not trained here")
            values: Sequence[Rows] = [{**free(coordinates), **head.W_V} for head in heads]
            return tuple(
                replace(head, W_Q=q, W_K=k, W_V=v) for head, q, k, v in zip(heads, queries, keys, values, strict=True)
            )
        most = max(len(head.W_V) for head in heads)
        return tuple(
            replace(
                head,
                W_Q=q,
                W_K=k,
                W_V={**head.W_V, **free(named("v", most - len(head.W_V)))},
                W_O={**free(coordinates), **(head.W_O or {})},
            )
            for head, q, k in zip(heads, queries, keys, strict=True)
        )

    def opened_units(units: FeedForward | None) -> FeedForward | None:
        if units is None:
            return None
        first = replace(units.first, weights={**free(units.first.rows), **units.first.weights})
        return replace(
            units, first=first, second=replace(units.second, weights={**free(coordinates), **units.second.weights})
        )

    layers = tuple(
        replace(layer, heads=opened_heads(layer.heads), feed_forward=opened_units(layer.feed_forward))
        for layer in network.layers
    )
    names = ("W_E", "W_Q", "W_K", "W_V", "W_O", "gain_1", "bias_1", "W_F1", "b_F1", "W_F2", "b_F2", "gain_2", "bias_2")
    begins = {name: AsWritten(deviation) for name in (*names, "W_U", "b_U") if name not in fixed}
    read = network.readout.W
    readout = replace(network.readout, W=replace(read, weights={**free(read.rows), **read.weights}))
    return Architecture(replace(network, layers=layers, readout=readout), begins, fixed=tuple(fixed))
