"""Where training is: the weights of seeds with the moments of Adam, of each alone, and of all side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from weightproof.numeric.learning.architecture import AsWritten, Constant, Normal, Uniform
from weightproof.numeric.learning.experiment import Adam
from weightproof.numeric.learning.products import VECTOR
from weightproof.numeric.learning.tensors import Free

Tensor = torch.Tensor
KINGMA = Adam()


@dataclass(frozen=True)
class State:
    """Of one seed, after an epoch: its weights and the two moments of Adam, one after the other, float32 [weights];
    chosen: its weights after that epoch which the words of validation have chosen, where they choose any."""

    epoch: int
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray
    chosen: np.ndarray | None = None

    @property
    def best(self) -> np.ndarray:
        """The weights that are tested."""
        return self.weights if self.chosen is None else self.chosen


class Buffers:
    """The weights of all seeds in one buffer, tensor by tensor, with their gradients in another."""

    def __init__(self, free: Sequence[Free], states: Sequence[State], device: torch.device) -> None:
        self.tensors, self.seeds = free, len(states)
        self.epoch = states[0].epoch
        self.weights, self.first, self.second = (
            self._together([getattr(state, name) for state in states]).to(device)
            for name in ("weights", "first", "second")
        )
        self.gradients = torch.zeros_like(self.weights)
        self.trained = torch.zeros_like(self.weights)
        self.named: dict[str, Tensor] = {}
        start = 0
        for tensor in free:
            here = slice(start, start + self.seeds * tensor.size)
            named = self.weights[here].view(self.seeds, *tensor.shape)
            if tensor.trained:
                named.requires_grad_().grad = self.gradients[here].view(self.seeds, *tensor.shape)
                self.trained[here] = 1
            self.named[tensor.name], start = named, here.stop

    def states(self, chosen: Sequence[np.ndarray | None]) -> list[State]:
        """Of each seed, with what has been chosen."""
        weights, first, second = map(self._apart, (self.weights, self.first, self.second))
        return [State(self.epoch, *each) for each in zip(weights, first, second, chosen, strict=True)]

    def all_weights(self) -> list[np.ndarray]:
        """Of each seed."""
        return self._apart(self.weights)

    def _together(self, each: Sequence[np.ndarray]) -> Tensor:
        parts, start = list[np.ndarray](), 0
        for tensor in self.tensors:
            parts += [one[start : start + tensor.size] for one in each]
            start += tensor.size
        whole = np.concatenate(parts)
        return torch.from_numpy(np.concatenate([whole, np.zeros(-len(whole) % VECTOR, dtype=np.float32)]))

    def _apart(self, buffer: Tensor) -> list[np.ndarray]:
        values, start = buffer.detach().cpu().numpy(), 0
        parts: list[list[np.ndarray]] = [[] for _ in range(self.seeds)]
        for tensor in self.tensors:
            for place, part in enumerate(parts):
                part.append(values[start + place * tensor.size :][: tensor.size])
            start += self.seeds * tensor.size
        return [np.concatenate(part) for part in parts]

    def step(self, number: int, rate: float, adam: Adam = KINGMA) -> None:
        """One of Adam, the number-th, counted from 1, with the gradients that are there; these are 0 then."""
        with torch.no_grad():
            if adam.decay:
                self.weights.addcmul_(self.weights, self.trained, value=-rate * adam.decay)
            self.first.mul_(adam.beta_1).add_(self.gradients, alpha=1 - adam.beta_1)
            self.second.mul_(adam.beta_2).addcmul_(self.gradients, self.gradients, value=1 - adam.beta_2)
            scale = (self.second.sqrt() / math.sqrt(1 - adam.beta_2**number)).add_(adam.epsilon)
            self.weights.addcdiv_(self.first, scale, value=-rate / (1 - adam.beta_1**number))
            self.gradients.zero_()


def drawn_weights(free: Sequence[Free], draws: torch.Generator) -> np.ndarray:
    """The weights that a seed begins with."""
    made: dict[str, Tensor] = {}
    for tensor in free:
        match tensor.begins:
            case _ if tensor.like is not None:
                made[tensor.name] = made[tensor.like]
            case Constant(value=value):
                made[tensor.name] = torch.full(tensor.shape, value)
            case Uniform(bound=bound):
                made[tensor.name] = (torch.rand(tensor.shape, generator=draws) * 2 - 1) * bound
            case Normal(deviation=deviation):
                made[tensor.name] = torch.randn(tensor.shape, generator=draws) * deviation
            case AsWritten(deviation=deviation):
                moved = torch.randn(tensor.shape, generator=draws) * deviation if deviation else 0
                made[tensor.name] = torch.from_numpy(tensor.written) + moved
    return torch.cat([tensor.flatten() for tensor in made.values()]).numpy()


def apart(free: Sequence[Free], weights: np.ndarray) -> dict[str, np.ndarray]:
    """Those of one seed, by the names of their tensors."""
    found, start = {}, 0
    for tensor in free:
        found[tensor.name] = weights[start : start + tensor.size].reshape(tensor.shape)
        start += tensor.size
    return found


def stacked(free: Sequence[Free], weights: Sequence[np.ndarray], place: torch.device) -> dict[str, Tensor]:
    """Those of seeds, by the names of tensors, [seeds, ...] each, on the device."""
    every = [apart(free, each) for each in weights]
    return {name: torch.from_numpy(np.stack([each[name] for each in every])).to(place) for name in every[0]}
