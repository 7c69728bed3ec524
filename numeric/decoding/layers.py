"""A layer whose heads keep the keys and values that they have seen, so that a step costs as much as what it looks at.

Vectors are dense, [words, rows, d_model]: what is computed step by step has few rows, and needs all coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import torch

from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import Layer, LayerNorm
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric.decoding.operations import Operations
from weightproof.numeric.model.attention import ATTENTION, Scores
from weightproof.numeric.model.parts import MLP, Attention, Entries, activate

Tensor = torch.Tensor


Scales = Mapping[Expression, Tensor]
"""Of the heads of a network, rounded to the dtype."""


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


class Attending:
    """A head in one run: its maps, and what it remembers."""

    def __init__(self, attention: Attention, number: int, operations: Operations) -> None:
        d_score, d_value = attention.sizes[number]
        self.head, self.operations = attention.heads[number], operations
        self.query = operations.linear(attention.W_Q[number][:, :d_score])
        self.key = operations.linear(attention.W_K[number][:, :d_score])
        self.value = operations.linear(attention.W_V[number][:, :d_value])
        self.out = operations.linear(attention.W_O[number][:d_value])
        self.memory = Memory()

    def see(self, x: Tensor) -> None:
        """Remember further positions, x [words, rows, d_model]."""
        self.memory.add(self.key(x), self.value(x))

    def look(self, x: Tensor, first: int, scales: Scales) -> Tensor:
        """What the head adds at positions first, first + 1, ... with the vectors x [words, rows, d_model].

        A causal one sees at position i what it remembers of the positions 0 ... i.
        """
        scores, rows, known = Scores(self.head, scales[self.head.scale]), x.shape[1], self.memory.length
        seen = min(first + rows, known) if scores.causal else known
        keys, values = self.memory(seen)
        scored = scores.of(self.operations.products(self.query(x), keys))
        if scores.causal and rows > 1:
            later = torch.arange(seen) > torch.arange(first, first + rows)[:, None]
            scored = scored.masked_fill(later.to(scored.device), -torch.inf)
        weights = self.operations.weights(scored, self.head.normaliser)
        return self.out(self.operations.means(weights, values))


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
        norms = (layer.attention_norm, layer.cross_norm, layer.feed_forward_norm)
        self.epsilons = {norm: entries.vector({"": norm.epsilon}, [""]) for norm in norms if norm is not None}


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

    def remember(self, memory: Tensor) -> None:
        """What the cross heads look at, once for all steps: [words, n, d_memory]."""
        for head in self.crossed:
            head.see(memory)

    def __call__(self, x: Tensor, first: int, scales: Scales) -> Tensor:
        """The vectors [words, rows, d_model] behind the layer, of positions first, first + 1, ..."""
        for head in self.own:
            head.see(x)
        layer = self.layer
        found = [head.look(x, first, scales) for head in self.own]
        x = self._joined(x, found, layer.attention_residual, layer.attention_norm)
        if self.crossed:
            found = [head.look(x, first, scales) for head in self.crossed]
            x = self._joined(x, found, layer.cross_residual, layer.cross_norm)
        if self.block.mlp is None:
            return x
        update = self.second(activate(self.block.mlp.activation, self.first(x)))
        return self._joined(x, [update], layer.feed_forward_residual, layer.feed_forward_norm)

    def _joined(self, x: Tensor, updates: Sequence[Tensor], residual: bool, norm: LayerNorm | None) -> Tensor:
        """Updates, from left to right, added to the vectors, or in their place where the residual connection is cut."""
        added = torch.zeros_like(x)
        for update in updates:
            added = added + update
        result = x + added if residual else added
        if norm is None:
            return result
        size = result.new_tensor(float(result.shape[-1]))
        centred = result - self.operations.total(result) / size
        variance = self.operations.total(centred * centred) / size
        return centred / self.operations.sqrt(variance + self.block.epsilons[norm])


class Stack(torch.nn.ModuleList):
    """The layers of a network."""

    def __init__(
        self, layers: Sequence[Layer], coordinates: tuple[str, ...], entries: Entries, memory: tuple[str, ...] = ()
    ) -> None:
        super().__init__(CachedBlock(layer, coordinates, entries, memory) for layer in layers)
        self.entries = entries
        heads = [head for layer in layers for head in (*layer.heads, *layer.cross_heads)]
        self._scales = {head.scale for head in heads}

    def start(self, operations: Operations) -> list[Running]:
        """The layers at the beginning of a run."""
        return [Running(cast(CachedBlock, block), operations) for block in self]

    def scales(self, names: Environment) -> Scales:
        return {scale: self.entries.vector({"": scale}, [""], names) for scale in self._scales}
