"""What training asks of an experiment of any kind: what is learned in a step, and what is measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch

from weightproof.numeric.learning.experiment import Adam, Measure
from weightproof.numeric.learning.states import KINGMA, State
from weightproof.numeric.learning.tensors import Free

Tensor = torch.Tensor
Weights = Mapping[str, Tensor]
"""By the names of tensors, [seeds, ...] each."""


@dataclass(frozen=True)
class Step:
    """slope: whose gradient is taken; losses: cross-entropies in nats, and rights: whether, or what share, is right, of
    each example or of several together, [seeds, examples] each, before anything is learned from them."""

    slope: Tensor
    losses: Tensor
    rights: Tensor


class Validation(ABC):
    """By what examples the epoch is chosen whose weights are tested."""

    @abstractmethod
    def shares(self, weights: Weights) -> np.ndarray:
        """How much of them is right with these weights, [seeds]."""

    @abstractmethod
    def goodness(self, weights: Weights, shares: np.ndarray) -> tuple[tuple[float, ...], ...]:
        """Of each seed: the epoch with the greatest is chosen."""

    @abstractmethod
    def after(self, weights: Weights, shares: np.ndarray) -> None:
        """Changes weights behind an epoch, where steps alone do not."""


class Session(ABC):
    """What does not change while seeds are trained, and what comes out of weights. Nothing is added up over seeds."""

    @classmethod
    @abstractmethod
    def of(cls, experiment: Any, curve: Any, states: Mapping[int, State], place: torch.device) -> Self:
        """Of seeds that have reached these states, on a device."""

    @staticmethod
    @abstractmethod
    def tensors(experiment: Any, curve: Any) -> tuple[Free, ...]:
        """The weights of one seed, in the order in which they are drawn."""

    @property
    def adam(self) -> Adam:
        """The numbers of Adam."""
        return KINGMA

    @abstractmethod
    def rate(self, number: int) -> float:
        """That of a step, counted from 1."""

    @abstractmethod
    def steps(self, epoch: int, weights: Weights) -> Iterator[Step]:
        """Those of an epoch, counted from 1. The weights are changed behind each."""

    @abstractmethod
    def tested(self, epoch: int, weights: Weights) -> dict[Measure, np.ndarray]:
        """What is measured of weights after an epoch, [seeds] each."""

    @property
    def validation(self) -> Validation | None:
        """None where the weights of the last epoch are tested."""
        return None
