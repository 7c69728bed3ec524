"""What an encoder and a decoder compute of pairs of sequences, and what is decoded: the weights of `Translator`, on
several seeds at once. A vector x goes to x @ W."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from weightproof.numeric.learning.architecture import Begin, Constant, Uniform
from weightproof.numeric.learning.products import multiplied, times
from weightproof.numeric.learning.sequences import Task, Translator
from weightproof.numeric.learning.session import Weights
from weightproof.numeric.learning.tensors import Free

Tensor = torch.Tensor
PAD = -1
"""Stands behind a sequence that is shorter than others, and is no token."""
Kept = tuple[Tensor, Tensor]
"""Keys and values of positions, [seeds, pairs, positions, d] each."""


def tensors(architecture: Translator, task: Task) -> tuple[Free, ...]:
    """All of them, in the order in which they are drawn: matrices as Xavier's (Glorot and Bengio 2010, equation 16), as
    Rush has all of them, embeddings included; biases as those of torch.nn.Linear."""
    d = architecture.width

    def free(name: str, shape: tuple[int, ...], begins: Begin) -> Free:
        return Free(name, np.zeros(shape, dtype=np.float32), begins)

    def matrix(name: str, rows: int, columns: int) -> Free:
        return free(name, (rows, columns), Uniform(math.sqrt(6 / (rows + columns))))

    def linear(name: str, rows: int, columns: int) -> Iterator[Free]:
        yield matrix(f"{name}.W", rows, columns)
        yield free(f"{name}.b", (columns,), Uniform(rows**-0.5))

    def norm(name: str) -> Iterator[Free]:
        yield free(f"{name}.gain", (d,), Constant(1))
        yield free(f"{name}.bias", (d,), Constant(0))

    def attention(name: str) -> Iterator[Free]:
        yield from norm(name)
        for each in "QKVO":
            yield matrix(f"{name}.{each}", d, d)

    def side(name: str, looks: Sequence[str]) -> Iterator[Free]:
        for layer in range(architecture.layers):
            for look in looks:
                yield from attention(f"{name}.{layer}.{look}")
            yield from norm(f"{name}.{layer}.units")
            yield from linear(f"{name}.{layer}.units.1", d, architecture.hidden)
            yield from linear(f"{name}.{layer}.units.2", architecture.hidden, d)
        yield from norm(f"{name}.final")

    return (
        matrix("source", task.sources, d),
        matrix("target", task.targets, d),
        *side("encoder", ("self",)),
        *side("decoder", ("self", "cross")),
        *linear("output", d, task.targets),
    )


@dataclass(frozen=True)
class Network:
    """With some weights. Vectors are [seeds, pairs, positions, d], tokens [seeds, pairs, positions]."""

    architecture: Translator
    weights: Weights

    def encoded(self, source: Tensor) -> Tensor:
        """The vectors behind the encoder."""
        x, n = self._embedded("source", source, 0), source.shape[2]
        unseen = behind(source)
        if self.architecture.masked:
            unseen = unseen | torch.ones(n, n, dtype=torch.bool, device=source.device).triu(1)
        for layer in range(self.architecture.layers):
            name = f"encoder.{layer}.self"
            y = self._normed(x, name)
            x = x + self._attended(y, self._kept(y, name), unseen, name)
            x = self._fed(x, f"encoder.{layer}.units")
        return self._normed(x, "encoder.final")

    def remembered(self, memory: Tensor) -> tuple[Kept, ...]:
        """What each layer of the decoder sees of the vectors behind the encoder."""
        return tuple(self._kept(memory, f"decoder.{layer}.cross") for layer in range(self.architecture.layers))

    def decoded(
        self, tokens: Tensor, memory: Sequence[Kept], unseen: Tensor, past: Sequence[Kept]
    ) -> tuple[Tensor, tuple[Kept, ...]]:
        """The outputs behind tokens, [seeds, pairs, positions, targets], and what each layer keeps of them and of those
        before. unseen: positions of the source that are none; past: what layers have kept of tokens before, nothing
        where there are none."""
        rows, start = tokens.shape[2], past[0][0].shape[2] if past else 0
        x = self._embedded("target", tokens, start)
        later = torch.ones(rows, start + rows, dtype=torch.bool, device=tokens.device).triu(1 + start)
        all_kept = []
        for layer in range(self.architecture.layers):
            name = f"decoder.{layer}.self"
            y = self._normed(x, name)
            kept = self._kept(y, name)
            if past:
                k, v = (torch.cat(each, 2) for each in zip(past[layer], kept, strict=True))
                kept = k, v
            all_kept.append(kept)
            mixed = self._attended(y, kept, later, name)
            x = x + mixed if self.architecture.self_residual else mixed
            name = f"decoder.{layer}.cross"
            mixed = self._attended(self._normed(x, name), memory[layer], unseen, name)
            x = x + mixed if self.architecture.cross_residual else mixed
            x = self._fed(x, f"decoder.{layer}.units")
        return self._linear(self._normed(x, "decoder.final"), "output"), tuple(all_kept)

    def _embedded(self, name: str, tokens: Tensor, start: int) -> Tensor:
        table, d = self.weights[name], self.architecture.width
        of_seeds = torch.arange(len(table), device=tokens.device)[:, None, None] * table.shape[1]
        x = torch.nn.functional.embedding(tokens.clamp(min=0) + of_seeds, table.reshape(-1, d)) * math.sqrt(d)
        return x + waves(start + tokens.shape[2], d)[start:].to(x) if self.architecture.positions else x

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return times(x, self.weights[f"{name}.W"]) + self.weights[f"{name}.b"][:, None, None]

    def _normed(self, x: Tensor, name: str) -> Tensor:
        centred = torch.nn.functional.layer_norm(x, x.shape[-1:], eps=self.architecture.epsilon)
        return centred * self.weights[f"{name}.gain"][:, None, None] + self.weights[f"{name}.bias"][:, None, None]

    def _kept(self, x: Tensor, name: str) -> Kept:
        return times(x, self.weights[f"{name}.K"]), times(x, self.weights[f"{name}.V"])

    def _attended(self, x: Tensor, kept: Kept, unseen: Tensor, name: str) -> Tensor:
        """What positions find; unseen: what they do not see, [..., positions or 1, positions that are kept]."""
        d = x.shape[-1]
        q, k, v = (each.reshape(-1, each.shape[2], d) for each in (times(x, self.weights[f"{name}.Q"]), *kept))
        scores = (multiplied(q, k.transpose(1, 2)) * d**-0.5).view(*x.shape[:3], -1)
        shares = scores.masked_fill(unseen, -math.inf).softmax(-1)
        return times(multiplied(shares.view(len(q), x.shape[2], -1), v).view(x.shape), self.weights[f"{name}.O"])

    def _fed(self, x: Tensor, name: str) -> Tensor:
        return x + self._linear(torch.relu(self._linear(self._normed(x, name), f"{name}.1")), f"{name}.2")


def behind(source: Tensor) -> Tensor:
    """Which positions are behind the source, [seeds, pairs, 1, positions]."""
    return (source == PAD)[:, :, None]


@lru_cache(maxsize=64)
def waves(n: int, width: int) -> Tensor:
    """[n, width]: sin at even places, cos at odd ones."""
    powers = torch.arange(0, width, 2, dtype=torch.float64) / width
    angles = torch.arange(n, dtype=torch.float64)[:, None] / 10000.0**powers
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float()


def outputs(architecture: Translator, task: Task, weights: Weights, source: Tensor, target: Tensor) -> Tensor:
    """The outputs at each place of the target, [seeds, pairs, positions, targets], the tokens before being the right
    ones."""
    network = Network(architecture, weights)
    before = torch.cat([torch.full_like(target[:, :, :1], task.begin), target[:, :, :-1]], 2)
    return network.decoded(before, network.remembered(network.encoded(source)), behind(source), ())[0]


def greedy(architecture: Translator, task: Task, weights: Weights, source: Tensor, most: int) -> Tensor:
    """What is decoded, [seeds, pairs, most], the likeliest token each time, PAD from the end on."""
    network = Network(architecture, {name: values.detach() for name, values in weights.items()})
    memory, unseen = network.remembered(network.encoded(source)), behind(source)
    token, past = torch.full_like(source[:, :, :1], task.begin), tuple[Kept, ...]()
    ended, found = torch.zeros_like(token, dtype=torch.bool), torch.full((*source.shape[:2], most), PAD)
    for place in range(most):
        logits, past = network.decoded(token, memory, unseen, past)
        token = logits.argmax(-1)
        if task.end is not None:
            ended = ended | (token == task.end)
        found[:, :, place] = token.masked_fill(ended, PAD)[:, :, 0]
        if ended.all():
            break
    return found
