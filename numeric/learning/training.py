"""Training, of many seeds at once: every tensor of weights has a leading dimension of seeds, and nothing is ever added
up over it. What is learned, and what is measured, is said by the session of the experiment's kind.

What comes out for a seed is the same to the bit whatever other seeds are beside it: see `products`. Tests compare runs
of one seed and of several, bit by bit; between two kinds of processor, or of torch, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from weightproof.constructions.meaning.schema import known
from weightproof.numeric.learning.architecture import TRAINING
from weightproof.numeric.learning.experiment import OF_TRAINING, AnyCurve, AnyExperiment, Experiment, Measure
from weightproof.numeric.learning.pairs import PairsSession
from weightproof.numeric.learning.products import mean, one_thread
from weightproof.numeric.learning.sequences import PairsExperiment
from weightproof.numeric.learning.session import Session, Validation
from weightproof.numeric.learning.states import Buffers, State, drawn_weights, stacked
from weightproof.numeric.learning.tasks import number
from weightproof.numeric.learning.tensors import Free
from weightproof.numeric.learning.words import WordsSession

T = TypeVar("T")
SESSIONS: Mapping[type[AnyExperiment], type[Session]] = {Experiment: WordsSession, PairsExperiment: PairsSession}
"""By the kind of an experiment."""
KEPT = 50
"""Epochs after which a state is handed out, if it is not tested."""


@dataclass(frozen=True)
class Reached:
    """What a seed has reached; measured: where it was tested then."""

    seed: int
    state: State
    measured: Mapping[Measure, float] | None


def begun(experiment: AnyExperiment, curve: AnyCurve, seed: int) -> State:
    """The weights that a seed begins with."""
    draws = torch.Generator().manual_seed(number(experiment, curve, seed, "weights"))
    weights = drawn_weights(SESSIONS[type(experiment)].tensors(experiment, curve), draws)
    chosen = weights if curve.chooses else None
    return State(0, weights, np.zeros_like(weights), np.zeros_like(weights), chosen)


@dataclass(frozen=True)
class Choice:
    """Of each seed, the weights that words of validation have chosen so far, None where there are none, and how good
    they are; of epochs that are as good the earliest."""

    chosen: tuple[np.ndarray | None, ...]
    goodness: tuple[tuple[float, ...], ...]

    @classmethod
    def of(
        cls, validation: Validation | None, free: Sequence[Free], states: Sequence[State], place: torch.device
    ) -> Choice:
        """What has been chosen before."""
        there = [state.chosen for state in states if state.chosen is not None]
        if validation is None or len(there) < len(states):
            return cls((None,) * len(states), ())
        named = stacked(free, there, place)
        return cls(tuple(there), validation.goodness(named, validation.shares(named)))

    def after(self, validation: Validation, shares: np.ndarray, buffers: Buffers) -> Choice:
        """With the weights that there are now, where they are better. shares: of what is validated, [seeds]."""
        now, weights = validation.goodness(buffers.named, shares), buffers.all_weights()
        better = [new > old for new, old in zip(now, self.goodness, strict=True)]
        return Choice(_replaced(better, weights, self.chosen), _replaced(better, now, self.goodness))


def _replaced(better: Sequence[bool], new: Sequence[T], old: Sequence[T]) -> tuple[T, ...]:
    return tuple(one if is_better else other for is_better, one, other in zip(better, new, old, strict=True))


def train(
    experiment: AnyExperiment, curve: AnyCurve, states: Mapping[int, State], epochs: int, device: str = "cpu"
) -> Iterator[list[Reached]]:
    """Goes on from the states of seeds, all after the same epoch, to the last of so many epochs: what all of them have
    reached after each at which they are tested, each KEPT-th, and the last."""
    place, kind = torch.device(device), SESSIONS[type(experiment)]
    with one_thread(place):
        buffers = Buffers(kind.tensors(experiment, curve), [*states.values()], place)
        session = kind.of(experiment, curve, states, place)
        validation = session.validation
        choice = Choice.of(validation, buffers.tensors, [*states.values()], place)
        run = Run(experiment, session, tuple(states), place, buffers)
    if buffers.epoch == 0 and 0 in experiment.points:
        with one_thread(place):
            reached = run.reached(choice, None)
        yield reached
    while buffers.epoch < epochs:
        with one_thread(place):
            before = run.learn()
            if validation is not None:
                shares = validation.shares(buffers.named)
                choice = choice.after(validation, shares, buffers)
                validation.after(buffers.named, shares)
            epoch = buffers.epoch
            if not (tested := epoch in experiment.points or epoch == epochs) and epoch % KEPT:
                continue
            reached = run.reached(choice, before if tested else None, tested)
        yield reached


@dataclass(frozen=True)
class Run:
    """Seeds that are trained beside each other: their numbers, and where they are."""

    experiment: AnyExperiment
    session: Session
    seeds: tuple[int, ...]
    place: torch.device
    buffers: Buffers

    def learn(self) -> tuple[np.ndarray, np.ndarray]:
        """An epoch more: shares of what was right, and cross-entropies in bits, [seeds] each, of what it learned
        from."""
        buffers, found, rights = self.buffers, [], []
        before = buffers.epoch * self.experiment.steps
        for place, step in enumerate(self.session.steps(buffers.epoch + 1, buffers.named), start=before + 1):
            step.slope.backward()  # type: ignore[no-untyped-call]
            buffers.step(place, self.session.rate(place), self.session.adam)
            found.append(step.losses.detach())
            rights.append(step.rights)
        buffers.epoch += 1
        return mean(torch.cat(rights, 1)), mean(torch.cat(found, 1)) / math.log(2)

    def reached(
        self, choice: Choice, before: tuple[np.ndarray, np.ndarray] | None, tested: bool = True
    ) -> list[Reached]:
        """What each seed has reached. before: what was right of what the last epoch learned from, and cross-entropies,
        where there was one."""
        states = self.buffers.states(choice.chosen)
        measured: dict[Measure, np.ndarray] = {}
        wanted: list[Measure] = []
        if tested:
            named = stacked(self.buffers.tensors, [state.best for state in states], self.place)
            measured |= self.session.tested(self.buffers.epoch, named)
            wanted = [name for name in self.experiment.measures if before is not None or name not in OF_TRAINING]
        if before is not None:
            measured |= dict(zip(OF_TRAINING, before, strict=True))
        every = [{name: float(_measure(name, measured)[place]) for name in wanted} for place in range(len(states))]
        return [Reached(*each) for each in zip(self.seeds, states, (each or None for each in every), strict=True)]


def _measure(name: Measure, measured: Mapping[Measure, np.ndarray]) -> np.ndarray:
    return known(TRAINING, "measure", name, {str(each): values for each, values in measured.items()})
