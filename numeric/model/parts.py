"""The parts of a network as torch modules, named as interpretability tools name them: W_Q, W_K, W_V, W_O, W_in, W_out.

They hold the exact data, rounded once; their forward passes are for streams (see `stream`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import assert_never

import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import (
    Activation,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    RootMeanSquare,
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import MODEL
from weightproof.numeric.model.attention import Kernel, Scores, positioned
from weightproof.numeric.model.stream import Stream, added, at, dense, linear, numbers, total
from weightproof.numeric.rounding.formats import FORMATS, format_named, rounded

Tensor = torch.Tensor
DTYPES = {name: getattr(torch, name) for name in FORMATS}


class Entries:
    """Exact entries, rounded once each, as tensors of one dtype on one device; InputError where these are not there."""

    def __init__(self, names: Environment, dtype: str, device: str) -> None:
        self.names, self.format = names, format_named(dtype)
        self.dtype, self.device = DTYPES[dtype], device_named(device)

    def matrix(self, rows: Rows, columns: Sequence[str], order: Sequence[str] | None = None) -> torch.nn.Parameter:
        """The transposed matrix, shape [columns, rows], rows in the order given: a vector x [columns] goes to x @ W."""
        names = tuple(rows) if order is None else order
        matrix = torch.zeros(len(columns), len(names), dtype=torch.float64)
        for number, name in enumerate(names):
            for column, weight in rows.get(name, {}).items():
                matrix[columns.index(column), number] = rounded(evaluate(weight, self.names), self.format)
        return self.parameter(matrix)

    def vector(
        self, values: Mapping[str, object], order: Sequence[str], names: Environment | None = None
    ) -> torch.nn.Parameter:
        """names: values of all names, where others stand in it, such as i and n."""
        scalars, known = [values.get(name) for name in order], self.names if names is None else names
        exact = [0.0 if x is None else rounded(evaluate(x, known), self.format) for x in scalars]  # type: ignore[arg-type]
        return self.parameter(torch.tensor(exact, dtype=torch.float64))

    def parameter(self, values: Tensor) -> torch.nn.Parameter:
        return torch.nn.Parameter(values.to(self.device, self.dtype), requires_grad=False)


class Affine(torch.nn.Module):
    """x @ W + b: W_U [d_model, outputs], b_U [outputs]."""

    def __init__(self, linear: Linear, outputs: Sequence[str], inputs: Sequence[str], entries: Entries) -> None:
        super().__init__()
        self.W_U = entries.matrix(linear.weights, inputs, outputs)
        self.b_U = entries.vector(linear.bias, outputs)

    def forward(self, stream: Stream) -> Stream:
        return linear(self.W_U, stream, self.b_U)


class Block(torch.nn.Module):
    """One layer."""

    def __init__(self, layer: Layer, coordinates: tuple[str, ...], entries: Entries, attend: Kernel) -> None:
        super().__init__()
        self.layer = layer
        self.attn = Attention(layer.heads, coordinates, entries, attend)
        self.mlp = None if layer.feed_forward is None else MLP(layer.feed_forward, coordinates, entries)
        self.norm_before, self.norm, self.feed_forward_norm_before, self.feed_forward_norm = (
            None if norm is None else Normalising(norm, coordinates, entries)
            for norm in (
                layer.attention_norm_before,
                layer.attention_norm,
                layer.feed_forward_norm_before,
                layer.feed_forward_norm,
            )
        )

    def forward(self, stream: Stream, n: int, scores: list[Scores], rows: str) -> Stream:
        """The stream of words of n positions after the layer, at the rows that are wanted."""
        read = self.read(stream)
        return self.updated(at(rows, stream), self.attn(at(rows, read), read, n, scores, rows))

    def read(self, stream: Stream) -> Stream:
        """What its heads read of a stream."""
        return normed(self.norm_before, stream)

    def updated(self, here: Stream, attended: Stream) -> Stream:
        """Rows of a stream after the layer, given what its heads add to them."""
        middle = normed(self.norm, added(here, attended) if self.layer.attention_residual else attended)
        if self.mlp is None:
            return middle
        update = self.mlp(normed(self.feed_forward_norm_before, middle))
        return normed(self.feed_forward_norm, added(middle, update) if self.layer.feed_forward_residual else update)


class Normalising(torch.nn.Module):
    """A norm over coordinates: w and b [coordinates], its gain and bias, where it has them."""

    def __init__(self, norm: Norm, coordinates: Sequence[str], entries: Entries) -> None:
        super().__init__()
        self.width, self.norm = len(coordinates), norm
        self._epsilon = (entries.vector({"": norm.epsilon}, [""]),)  # no parameter, as it is no weight
        self.w = None if norm.gain is None else entries.vector(norm.gain, coordinates)
        self.b = None if norm.bias is None else entries.vector(norm.bias, coordinates)

    @property
    def epsilon(self) -> Tensor:
        return self._epsilon[0]

    def of(self, vectors: Tensor, coordinates: int = 0) -> Tensor:
        """Of vectors whose coordinates are along that dimension."""
        match self.norm:
            case LayerNorm():
                away = vectors - vectors.mean(coordinates, keepdim=True)
            case RootMeanSquare():
                away = vectors
            case other:
                assert_never(other)
        result = away / torch.sqrt((away * away).mean(coordinates, keepdim=True) + self.epsilon)
        shape = [-1 if dimension == coordinates % vectors.dim() else 1 for dimension in range(vectors.dim())]
        result = result if self.w is None else result * self.w.view(shape)
        return result if self.b is None else result + self.b.view(shape)

    def forward(self, stream: Stream) -> Stream:
        every = range(self.width)

        @cache
        def found() -> Tensor:
            return self.of(dense([stream(coordinate) for coordinate in every], self.epsilon))

        return Stream(lambda coordinate: found()[coordinate], lambda _: all(map(stream.same, every)))


def normed(norm: Normalising | None, stream: Stream) -> Stream:
    made: Stream = stream if norm is None else norm(stream)
    return made


class Attention(torch.nn.Module):
    """The heads of a layer: W_Q, W_K, W_V [heads, d_model, d_head], W_O [heads, d_head, d_model], padded with zeros.

    seen: the coordinates of what keys and values are made of, [heads, len(seen), d_head], where that is another stream.
    """

    def __init__(
        self,
        heads: tuple[Head, ...],
        coordinates: tuple[str, ...],
        entries: Entries,
        attend: Kernel,
        seen: tuple[str, ...] | None = None,
    ) -> None:
        super().__init__()
        seen = coordinates if seen is None else seen
        self.heads, self.attend = heads, attend
        self.sizes = [(len(head.W_Q), len(head.W_V)) for head in heads]
        self.norms = [
            [
                None if norm is None else Normalising(norm, tuple(head.W_Q), entries)
                for norm in (head.query_norm, head.key_norm)
            ]
            for head in heads
        ]
        width = max((size for sizes in self.sizes for size in sizes), default=0)

        def padded(matrices: list[Tensor], shape: tuple[int, int]) -> torch.nn.Parameter:
            result = torch.zeros(len(heads), *shape, dtype=entries.dtype)
            for number, matrix in enumerate(matrices):
                result[number, : matrix.shape[0], : matrix.shape[1]] = matrix
            return entries.parameter(result)

        inward, memory, outward = (len(coordinates), width), (len(seen), width), (width, len(coordinates))
        self.W_Q = padded([entries.matrix(head.W_Q, coordinates) for head in heads], inward)
        self.W_K = padded([entries.matrix(head.W_K, seen, tuple(head.W_Q)) for head in heads], memory)
        self.W_V = padded([entries.matrix(head.W_V, seen) for head in heads], memory)
        self.W_O = padded([entries.matrix(_outward(head), tuple(head.W_V), coordinates) for head in heads], outward)

    def forward(self, here: Stream, stream: Stream, n: int, scores: list[Scores], rows: str) -> Stream:
        """What the heads add to the rows `here` of a stream over n positions."""

        @cache
        def head(number: int) -> Stream:
            how, (d_score, d_value) = scores[number], self.sizes[number]
            alone = how.positions is None and how.causal and rows == "first"
            seen, length = (at("first", stream), 1) if alone else (stream, n)
            q, k, v = self.projected(number, here, seen)
            queries = dense([q(part) for part in range(d_score)], self.W_Q)
            if rows != "sum" and all(map(q.same, range(d_score))):
                queries = queries[:, :1]
            keys = dense([k(part) for part in range(d_score)], self.W_K).expand(-1, -1, length)
            values = {part: x for part in range(d_value) if (x := v(part)) is not None}
            if how.positions is None:
                means = self.attend(queries, keys, list(values.values()), how, rows == "sum")
            else:
                wanted = {"first": range(1), "last": range(n - 1, n), "sum": range(n)}[rows]
                means = positioned(queries, keys, list(values.values()), how, how.positions, wanted)
            return linear(self.W_O, Stream(dict(zip(values, means, strict=True)).get), head=number)

        return self.joined(head)

    def projected(self, number: int, here: Stream, seen: Stream) -> tuple[Stream, Stream, Stream]:
        """Queries, keys and values of a head."""
        query, key = self.norms[number]
        q, k = linear(self.W_Q, here, head=number), linear(self.W_K, seen, head=number)
        return normed(query, q), normed(key, k), linear(self.W_V, seen, head=number)

    def joined(self, head: Callable[[int], Stream]) -> Stream:
        """What the heads add, given what each of them does; a head is asked for what it reaches alone."""

        def reaching(coordinate: int) -> list[int]:
            return [number for number, columns in enumerate(numbers(self.W_O)) if any(columns[coordinate])]

        return Stream(
            lambda coordinate: total(head(number)(coordinate) for number in reaching(coordinate)),
            lambda coordinate: not reaching(coordinate),
        )


def _outward(head: Head) -> Rows:
    """W_O, or the map of each value coordinate to the residual coordinate of its name."""
    return {name: {name: Expression("1")} for name in head.W_V} if head.W_O is None else head.W_O


class MLP(torch.nn.Module):
    """The feed-forward network: W_in [d_model, d_mlp], b_in [d_mlp], W_out [d_mlp, d_model], b_out [d_model]; with a
    gate, W_gate and b_gate as the first two."""

    def __init__(self, network: FeedForward, coordinates: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        hidden = network.first.rows
        self.activation = network.activation
        self.is_on_at_0 = bool(activate(network.activation, torch.zeros(())))
        self.W_in = entries.matrix(network.first.weights, coordinates, hidden)
        self.b_in = entries.vector(network.first.bias, hidden)
        gate = network.gate
        self.W_gate = None if gate is None else entries.matrix(gate.weights, coordinates, hidden)
        self.b_gate = None if gate is None else entries.vector(gate.bias, hidden)
        self.W_out = entries.matrix(network.second.weights, hidden, coordinates)
        self.b_out = entries.vector(network.second.bias, coordinates)

    def forward(self, stream: Stream) -> Stream:
        values = linear(self.W_in, stream, self.b_in)
        if self.W_gate is None:
            return linear(self.W_out, self._activated(values), self.b_out)
        opened = self._activated(linear(self.W_gate, stream, self.b_gate))

        def gated(unit: int) -> Tensor | None:
            x, factor = values(unit), opened(unit)
            return None if x is None or factor is None else factor * x

        both = Stream(gated, lambda unit: values.same(unit) and opened.same(unit))
        return linear(self.W_out, both, self.b_out)

    def _activated(self, inputs: Stream) -> Stream:
        def active(unit: int) -> Tensor | None:
            x = inputs(unit)
            if x is None and not self.is_on_at_0:
                return None
            return activate(self.activation, self.b_in.new_zeros(1, 1) if x is None else x)

        return Stream(active, inputs.same)


def activate(activation: Activation, x: Tensor) -> Tensor:
    match activation:
        case "relu":
            return torch.relu(x)
        case "saturated-linear":
            return torch.clamp(x, 0, 1)
        case "step":
            return (x > 0).to(x.dtype)
        case "square":
            return x * x
        case "identity":
            return x
        case "abs":
            return x.abs()
        case "tanh":
            return torch.tanh(x)
        case "sigmoid":
            return torch.sigmoid(x)
        case "silu":
            return torch.nn.functional.silu(x)
        case "gelu":
            return torch.nn.functional.gelu(x)
        case "gelu-tanh":
            return torch.nn.functional.gelu(x, approximate="tanh")
    MODEL.refuse("activation", activation)


def device_named(name: str) -> torch.device:
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InputError(f"unknown device {name!r}; there are cpu and, with a GPU, cuda") from error
    if device.type not in ("cpu", "cuda"):
        raise InputError(f"device {name!r} is not supported; there are cpu and, with a GPU, cuda")
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"device {name!r} is not available on this machine; take cpu")
    return device
