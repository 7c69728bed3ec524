"""A layer whose heads keep the keys and values that they have seen, so that a step costs as much as what it looks at.

Vectors are dense, [words, rows, d_model]: what is computed step by step has few rows, and needs all coordinates.

Sums are in torch's order (`Explicit`), or from left to right (`Strict`). Torch computes +, *, / of single numbers
correctly rounded, in every dtype, but not always square roots, and products of matrices as its kernels please. `Strict`
uses the former alone, with numpy's square roots, and so gives the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, assert_never, cast

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import (
    Activation,
    Layer,
    LayerNorm,
    Norm,
    Normaliser,
    RootMeanSquare,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric import MODEL, STRICT
from weightproof.numeric.model.attention import ATTENTION, Scores, outermost, weights
from weightproof.numeric.model.parts import MLP, Attention, Entries, Normalising, activate
from weightproof.numeric.rounding.activations import activated
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import Format

Tensor = torch.Tensor
Map = Callable[[Tensor], Tensor]


class Operations(Protocol):
    """The operations of a layer that implementations round in different ways."""

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        """x [..., inputs] to x @ W + b, W [inputs, outputs] and b [outputs]."""
        ...

    def sqrt(self, x: Tensor) -> Tensor: ...

    def total(self, x: Tensor) -> Tensor:
        """The sum along the last axis, which stays, of length 1."""
        ...

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        """q·k: queries [words, rows, width] and keys [words, n, width] to [words, rows, n]."""
        ...

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        """Along the last axis; a score of -infinity has the weight 0."""
        ...

    def activated(self, activation: Activation, x: Tensor) -> Tensor: ...

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        """weights [words, rows, n] and values [words, n, width] to [words, rows, width]."""
        ...


class Explicit:
    """The operations by torch's products of matrices and its softmax."""

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        return (lambda x: x @ W) if b is None else (lambda x: x @ W + b)

    def sqrt(self, x: Tensor) -> Tensor:
        return torch.sqrt(x)

    def total(self, x: Tensor) -> Tensor:
        return x.sum(-1, keepdim=True)

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        return queries @ keys.transpose(1, 2)

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        return weights(scores, normaliser)

    def activated(self, activation: Activation, x: Tensor) -> Tensor:
        return activate(activation, x)

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        return weights @ values


class Strict:
    """Each elementary operation rounded, sums from left to right, exponentials correctly rounded; on the cpu.

    Terms with a weight of 0 are left out, as everywhere: they add nothing, whatever they are.
    """

    def __init__(self, format: Format) -> None:
        self.arithmetic = Rounded(format)

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        """All outputs at once: term k of each is its k-th input that has a weight."""
        inputs, outputs = W.shape
        order = (
            (W == 0).to(torch.int8).argsort(dim=0, stable=True)
        )  # of each output: the inputs with a weight, then others
        most = int((W != 0).sum(0).max()) if inputs and outputs else 0
        places, weights = order[:most], W.gather(0, order[:most])

        def apply(x: Tensor) -> Tensor:
            sums = x.new_zeros(*x.shape[:-1], outputs)
            for place, weight in zip(places, weights, strict=True):
                sums = sums + _product(x[..., place], weight)
            return sums if b is None else sums + b

        return apply

    def sqrt(self, x: Tensor) -> Tensor:
        return self._tensor(self.arithmetic.sqrt(self._array(x)), x)

    def total(self, x: Tensor) -> Tensor:
        if x.shape[-1] == 0:
            return x.new_zeros(*x.shape[:-1], 1)
        with np.errstate(all="ignore"):  # overflow is part of what is measured
            sums = np.add.accumulate(self._array(x), axis=-1)[..., -1:]
        return self._tensor(sums, x)

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.total(queries[:, :, None, :] * keys[:, None, :, :])[..., 0]

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        best = scores.amax(-1, keepdim=True)
        if (side := STRICT.side(normaliser)) is None:
            powers = self._exp(scores - best)
        elif side == 0:
            powers = (scores == best).to(scores.dtype)
        else:
            return outermost((scores == best) & (scores > -torch.inf), side).to(scores.dtype)
        return powers / self.total(powers)

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        return self.total(_product(values.transpose(1, 2)[:, None], weights[:, :, None, :]))[..., 0]

    def activated(self, activation: Activation, x: Tensor) -> Tensor:
        with np.errstate(all="ignore"):
            return self._tensor(activated(activation, self._array(x), self.arithmetic), x)

    def _exp(self, x: Tensor) -> Tensor:
        return self._tensor(self.arithmetic.exp(self._array(x)), x)

    def _array(self, x: Tensor) -> np.ndarray:
        return x.double().numpy().astype(self.arithmetic.type)

    def _tensor(self, x: np.ndarray, like: Tensor) -> Tensor:
        return torch.from_numpy(x.astype(np.float64)).to(like.dtype)


def _product(x: Tensor, weight: Tensor) -> Tensor:
    """0 where the weight is 0."""
    return torch.where(weight == 0, torch.zeros((), dtype=x.dtype), x * weight)


def require_one_length(reader: str, words: Sequence[Sequence[str]], name: str, alphabet: Sequence[str]) -> None:
    """InputError for words of different lengths, or none, and for a symbol outside the alphabet of what has that name.

    reader: what runs them.
    """
    if len({len(word) for word in words}) != 1:
        raise InputError(f"{reader} runs words of one length; give at least one, and others apart")
    for word in words:
        refuse_foreign(name, alphabet, word)


IMPLEMENTATIONS = ("strict", "explicit")


def operations(attention: str, entries: Entries) -> Operations:
    """The operations of an implementation of attention; InputError where there is none of that name, or not on that
    device."""
    if attention not in IMPLEMENTATIONS:
        raise InputError(f"unknown attention {attention!r} for a decoder; there are {', '.join(IMPLEMENTATIONS)}")
    if attention == "explicit":
        return Explicit()
    if entries.device.type != "cpu":
        raise InputError(f"strict attention runs on the cpu, not on {str(entries.device)!r}")
    return Strict(entries.format)


class Scalars:
    """The numbers that scalars of heads stand for where names have these values, each rounded once to the dtype."""

    def __init__(self, entries: Entries, names: Environment) -> None:
        self.entries, self.names = entries, names
        self._found: dict[tuple[Expression, tuple[int, ...]], Tensor] = {}

    def __call__(self, scalar: Expression, **places: int) -> Tensor:
        """Of shape [1]; places: values of i and j."""
        asked = scalar, tuple(places.values())
        if asked not in self._found:
            names = {**self.names, **{name: fmpq(place) for name, place in places.items()}}
            self._found[asked] = self.entries.vector({"": scalar}, [""], names)
        return self._found[asked]

    def table(self, scalar: Expression, shown: Tensor, first: int) -> Tensor:
        """Of the pairs that are shown, [rows, positions], the rows from position `first` on; 0 for the others."""
        found = torch.zeros(shown.shape, dtype=self.entries.dtype)
        for row, j in shown.nonzero().tolist():
            found[row, j] = self(scalar, i=first + row, j=j)[0]
        return found.to(self.entries.device)


class Memory:
    """Keys and values [words, n, d_head] of the positions seen so far, in buffers that double when they are full."""

    def __init__(self) -> None:
        self.length = 0
        self._buffers: list[Tensor] = []

    def add(self, *parts: Tensor) -> None:
        """Keys and values of further positions."""
        new = parts[0].shape[1]
        if not self._buffers:
            self._buffers = [part.clone() for part in parts]
        elif self.length + new > self._buffers[0].shape[1]:
            room = self._buffers[0].shape[1] + new
            self._buffers = [torch.cat([old, old.new_zeros(len(old), room, old.shape[2])], 1) for old in self._buffers]
        for buffer, part in zip(self._buffers, parts, strict=True):
            buffer[:, self.length : self.length + new] = part
        self.length += new

    def __call__(self, seen: int) -> list[Tensor]:
        """The keys and values [words, seen, d_head] of the first positions."""
        return [buffer[:, :seen] for buffer in self._buffers]


def normalised(norm: Normalising | None, x: Tensor, operations: Operations) -> Tensor:
    """Vectors [..., coordinates] behind a norm, where there is one."""
    if norm is None:
        return x
    size = x.new_tensor(float(x.shape[-1]))
    match norm.norm:
        case LayerNorm():
            away = x - operations.total(x) / size
        case RootMeanSquare():
            away = x
        case other:
            assert_never(other)
    result = away / operations.sqrt(operations.total(away * away) / size + norm.epsilon)
    result = result if norm.w is None else result * norm.w
    return result if norm.b is None else result + norm.b


class Attending:
    """A head in one run: its maps, and what it remembers."""

    def __init__(self, attention: Attention, number: int, operations: Operations) -> None:
        d_score, d_value = attention.sizes[number]
        self.head, self.operations = attention.heads[number], operations
        self.query = operations.linear(attention.W_Q[number][:, :d_score])
        self.key = operations.linear(attention.W_K[number][:, :d_score])
        self.query_norm, self.key_norm = attention.norms[number]
        self.value = operations.linear(attention.W_V[number][:, :d_value])
        self.out = operations.linear(attention.W_O[number][:d_value])
        self.memory = Memory()

    def see(self, x: Tensor, scalars: Scalars) -> None:
        """Remember further positions, x [words, rows, d_model]."""
        keys = normalised(self.key_norm, self.key(x), self.operations)
        self.memory.add(self._turned(keys, self.memory.length, scalars), self.value(x))

    def look(self, x: Tensor, first: int, scalars: Scalars) -> Tensor:
        """What the head adds at positions first, first + 1, ... with the vectors x [words, rows, d_model].

        A causal one sees at position i what it remembers of the positions 0 ... i.
        """
        scores, rows, known = Scores(self.head, scalars(self.head.scale)), x.shape[1], self.memory.length
        reach = MODEL.reach(self.head.mask)
        seen = known if reach.looks_ahead else min(first + rows, known)
        keys, values = self.memory(seen)
        queries = self._turned(normalised(self.query_norm, self.query(x), self.operations), first, scalars)
        scored = scores.of(self.operations.products(queries, keys))
        shown = torch.zeros(rows, seen, dtype=torch.bool)
        for row in range(rows):
            span = reach.span(first + row, seen)
            shown[row, span.start : span.stop] = True
        if self.head.sees is not None:
            shown &= scalars.table(self.head.sees, shown, first).cpu() != 0
        if not self.head.may_see_nothing and not bool(shown.any(1).all()):
            raise InputError(f"position {first + int((~shown.any(1)).int().argmax())} sees nothing in some head")
        if self.head.bias is not None:
            scored = scored + scalars.table(self.head.bias, shown, first)
        if not bool(shown.all()):
            scored = scored.masked_fill(~shown.to(scored.device), -torch.inf)
        if self.head.sink is not None:
            sink = scalars(self.head.sink)
            scored = torch.cat([scored, sink.expand(*scored.shape[:2], 1)], 2)
        weights = self.operations.weights(scored, self.head.normaliser)[..., :seen]
        return self.out(self.operations.means(weights, values))

    def _turned(self, x: Tensor, first: int, scalars: Scalars) -> Tensor:
        """Queries or keys [words, rows, d_head], at positions first, first + 1, ..., by the angles there."""
        result, order, places = x.clone() if self.head.rotary else x, tuple(self.head.W_Q), range(x.shape[1])
        for pair in self.head.rotary:
            cosine, sine = (
                torch.cat([scalars(wave, i=first + row) for row in places]) for wave in (pair.cosine, pair.sine)
            )
            a, b = order.index(pair.first), order.index(pair.second)
            result[..., a] = x[..., a] * cosine - x[..., b] * sine
            result[..., b] = x[..., a] * sine + x[..., b] * cosine
        return result


class CachedBlock(torch.nn.Module):
    """The weights of one layer, with its cross heads.

    memory: the coordinates of the vectors that those look at.
    """

    def __init__(self, layer: Layer, coordinates: tuple[str, ...], entries: Entries, memory: tuple[str, ...]) -> None:
        super().__init__()
        self.layer = layer
        kernel = ATTENTION["explicit"]
        self.attn = Attention(layer.heads, coordinates, entries, kernel)
        self.cross = Attention(layer.cross_heads, coordinates, entries, kernel, memory)
        self.mlp = None if layer.feed_forward is None else MLP(layer.feed_forward, coordinates, entries)

        def made(norm: Norm | None) -> Normalising | None:
            return None if norm is None else Normalising(norm, coordinates, entries)

        self.before = made(layer.attention_norm_before), made(layer.cross_norm_before)
        self.feed_forward_before = made(layer.feed_forward_norm_before)
        self.behind = made(layer.attention_norm), made(layer.cross_norm), made(layer.feed_forward_norm)


class Running:
    """A layer in one run: its maps, and the memories of its heads."""

    def __init__(self, block: CachedBlock, operations: Operations) -> None:
        self.block, self.layer, self.operations = block, block.layer, operations
        self.own, self.crossed = (
            [Attending(part, number, operations) for number in range(len(part.heads))]
            for part in (block.attn, block.cross)
        )
        mlp = block.mlp
        if mlp is not None:
            self.first, self.second = (
                operations.linear(W, b) for W, b in ((mlp.W_in, mlp.b_in), (mlp.W_out, mlp.b_out))
            )
            self.gate = None if mlp.W_gate is None else operations.linear(mlp.W_gate, mlp.b_gate)

    def remember(self, memory: Tensor, scalars: Scalars) -> None:
        """What the cross heads look at, once for all steps: [words, n, d_memory]."""
        for head in self.crossed:
            head.see(memory, scalars)

    def __call__(self, x: Tensor, first: int, scalars: Scalars) -> Tensor:
        """The vectors [words, rows, d_model] behind the layer, of positions first, first + 1, ..."""
        layer, of, (before, before_cross) = self.layer, self.operations, self.block.before
        behind, behind_cross, behind_network = self.block.behind
        read = normalised(before, x, of)
        for head in self.own:
            head.see(read, scalars)
        found = [head.look(read, first, scalars) for head in self.own]
        x = normalised(behind, self._joined(x, found, layer.attention_residual), of)
        if self.crossed:
            read = normalised(before_cross, x, of)
            found = [head.look(read, first, scalars) for head in self.crossed]
            x = normalised(behind_cross, self._joined(x, found, layer.cross_residual), of)
        if self.block.mlp is None:
            return x
        read = normalised(self.block.feed_forward_before, x, of)
        values = self.first(read)
        opened = of.activated(self.block.mlp.activation, values if self.gate is None else self.gate(read))
        update = self.second(opened if self.gate is None else opened * values)
        return normalised(behind_network, self._joined(x, [update], layer.feed_forward_residual), of)

    def _joined(self, x: Tensor, updates: Sequence[Tensor], residual: bool) -> Tensor:
        """Updates, from left to right, added to the vectors, or in their place where the residual connection is cut."""
        added = torch.zeros_like(x)
        for update in updates:
            added = added + update
        return x + added if residual else added


class Stack(torch.nn.ModuleList):
    """The layers of a network."""

    def __init__(
        self, layers: Sequence[Layer], coordinates: tuple[str, ...], entries: Entries, memory: tuple[str, ...] = ()
    ) -> None:
        super().__init__(CachedBlock(layer, coordinates, entries, memory) for layer in layers)
        self.entries = entries

    def start(self, operations: Operations) -> list[Running]:
        """The layers at the beginning of a run."""
        return [Running(cast(CachedBlock, block), operations) for block in self]

    def scalars(self, names: Environment) -> Scalars:
        return Scalars(self.entries, names)
