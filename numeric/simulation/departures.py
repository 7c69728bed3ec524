"""The first step at which a network in floating point no longer does what its machine does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from weightproof.constructions.machines.rnn import RNN, states
from weightproof.numeric.rounding.formats import Format, rounded
from weightproof.numeric.simulation.runs import Runs

Tensor = torch.Tensor


@dataclass(frozen=True)
class Departure:
    """On a word, before step `number` of the machine and after step `step` of the network, a unit is off by `apart` or
    more, with so many cells of tape."""

    word: str
    number: int
    step: int
    cells: int
    unit: str
    computed: float
    wanted: float


def departures(runs: Runs, computed: Iterator[Tensor]) -> list[Departure]:
    """The first one of each run that has one; computed: the network's units after each step, [words, units]."""
    apart = int(runs.network.apart.p) / int(runs.network.apart.q)
    found: dict[int, Departure] = {}
    before = -1
    for moment in runs.moments():
        h = next(itertools.islice(computed, moment.step - before - 1, None)).double().cpu().numpy()
        before = moment.step
        here = h[moment.runs][:, runs.places]
        wrong = ~(np.abs(here - moment.wanted) < apart)  # no number is wrong, too
        for row in np.flatnonzero(wrong.any(1)).tolist():
            run = int(moment.runs[row])
            if run not in found:
                unit = int(np.flatnonzero(wrong[row])[0])
                found[run] = Departure(
                    str(runs.words[run]),
                    moment.number,
                    moment.step,
                    int(moment.cells[row]),
                    runs.units[unit],
                    float(here[row, unit]),
                    float(moment.wanted[row, unit]),
                )
        if len(found) == len(runs.words):
            break
    return [found[run] for run in sorted(found)]


@dataclass(frozen=True)
class Rounding:
    """The first step after which a unit is not the exact value rounded once; off: by how much."""

    step: int
    unit: str
    off: float


def first_rounding(network: RNN, word: str, computed: Iterator[Tensor], format: Format, steps: int) -> Rounding | None:
    """In so many steps; computed: the units after each step, [1, units]."""
    for step, (h, exact) in enumerate(itertools.islice(zip(computed, states(network, word), strict=False), steps)):
        for unit, value in zip(network.units, h[0].tolist(), strict=True):
            if value != (wanted := rounded(exact[unit], format)):
                return Rounding(step, unit, abs(value - wanted))
    return None
