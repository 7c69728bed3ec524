"""The session of pairs of sequences: what is learned of them, token by token, and what is decoded."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Self

import numpy as np
import torch

from weightproof.numeric.learning import decoder
from weightproof.numeric.learning.bleu import bleu
from weightproof.numeric.learning.decoder import PAD, greedy, outputs
from weightproof.numeric.learning.experiment import Adam, Measure
from weightproof.numeric.learning.sequences import BEYOND, Pair, PairsCurve, PairsExperiment
from weightproof.numeric.learning.session import Session, Step, Weights
from weightproof.numeric.learning.states import State
from weightproof.numeric.learning.tasks import number
from weightproof.numeric.learning.tensors import Free

Tensor = torch.Tensor
NEAR: tuple[Measure, Measure] = ("BLEU", "wholly right")
"""What is measured of sources that are as long as those of training."""


@dataclass(frozen=True)
class PairsSession(Session):
    """Of pairs, which are drawn anew for every epoch and every test."""

    experiment: PairsExperiment
    curve: PairsCurve
    seeds: tuple[int, ...]
    place: torch.device

    @classmethod
    def of(
        cls, experiment: PairsExperiment, curve: PairsCurve, states: Mapping[int, State], place: torch.device
    ) -> Self:
        return cls(experiment, curve, tuple(states), place)

    @staticmethod
    def tensors(experiment: PairsExperiment, curve: PairsCurve) -> tuple[Free, ...]:
        return decoder.tensors(curve.architecture, curve.task)

    @property
    def adam(self) -> Adam:
        return self.experiment.adam

    def rate(self, number: int) -> float:
        return self.curve.noam.rate(number, self.curve.architecture.width)

    def steps(self, epoch: int, weights: Weights) -> Iterator[Step]:
        many, curve = self.experiment.words, self.curve
        every = self.drawn(f"epoch {epoch}", self.experiment.steps * many, curve.shortest, curve.longest)
        sources, targets = self.tokens(every, curve.longest)
        for step in range(self.experiment.steps):
            here = slice(step * many, (step + 1) * many)
            yield self.step(sources[:, here], targets[:, here], weights)

    def step(self, source: Tensor, target: Tensor, weights: Weights) -> Step:
        """With what is right of all tokens together."""
        logits = outputs(self.curve.architecture, self.curve.task, weights, source, target)
        there = target != PAD
        loss = -logits.log_softmax(-1).gather(-1, target.clamp(min=0)[..., None])[..., 0] * there
        tokens = there.sum((1, 2), keepdim=True)
        of_all = added(there)
        right = added(logits.detach().argmax(-1) == target) / of_all  # no token is PAD
        return Step((loss / tokens).sum(), added(loss.detach()) / of_all, right)

    def tested(self, epoch: int, weights: Weights) -> dict[Measure, np.ndarray]:
        curve = self.curve
        found: dict[Measure, np.ndarray] = {}
        longest, distinct = (np.zeros(len(self.seeds)) for _ in range(2))
        for least, most in ((curve.shortest, curve.longest), *curve.beyond):
            pairs = self.drawn(f"test {epoch}, {least}-{most}", self.experiment.test_words, least, most)
            said = self.said(pairs, most, weights)
            right = [[[token for token in target if token != curve.task.end] for _, target in each] for each in pairs]
            corpora = [*zip(said, right, strict=True)]
            of_all, of_each = BEYOND[least, most] if found else NEAR
            if not found:
                found |= self.predicted(pairs, weights)
            found[of_all] = np.array([bleu(*each) for each in corpora])
            found[of_each] = np.array([np.mean([*map(operator.eq, *each)]) for each in corpora])
            longest = np.maximum(longest, [max(map(len, each)) for each in said])
            distinct = np.maximum(distinct, [max(len({*output}) for output in each) for each in said])
        return found | {"longest": longest, "most distinct": distinct}

    def predicted(self, pairs: Sequence[Sequence[Pair]], weights: Weights) -> dict[Measure, np.ndarray]:
        """Of each token, behind the right ones."""
        with torch.no_grad():
            step = self.step(*self.tokens(pairs, self.curve.longest), weights)
        rights, losses = step.rights.numpy()[:, 0], step.losses.numpy()[:, 0]
        return {"accuracy": rights, "cross-entropy": losses / math.log(2)}

    def said(self, pairs: Sequence[Sequence[Pair]], longest: int, weights: Weights) -> list[list[list[int]]]:
        """What is decoded of sources that have so many tokens at most, of every seed."""
        curve, (source, _) = self.curve, self.tokens(pairs, longest)
        found = greedy(curve.architecture, curve.task, weights, source, curve.task.most(longest))
        return [[[token for token in output if token != PAD] for output in each] for each in found.tolist()]

    def drawn(self, purpose: str, many: int, shortest: int, longest: int) -> list[list[Pair]]:
        """Pairs of every seed."""
        numbers = (number(self.experiment, self.curve, seed, purpose) for seed in self.seeds)
        return [self.curve.task.pairs(Random(each), many, shortest, longest) for each in numbers]

    def tokens(self, pairs: Sequence[Sequence[Pair]], longest: int) -> tuple[Tensor, Tensor]:
        """Of sources and of targets, [seeds, pairs, positions], PAD behind them, on the device."""
        source, target = (
            torch.tensor([[[*each[side], *[PAD] * (size - len(each[side]))] for each in of_seed] for of_seed in pairs])
            for side, size in enumerate(self.curve.task.lengths(longest))
        )
        return source.to(self.place), target.to(self.place)


def added(values: Tensor) -> Tensor:
    """[seeds, pairs, positions], over the last two, [seeds, 1]: as `mean` does, seed by seed."""
    return torch.from_numpy(values.double().cpu().numpy().reshape(len(values), -1).sum(1, keepdims=True))
