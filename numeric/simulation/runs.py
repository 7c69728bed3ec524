"""What a network has to hold while it runs a Turing machine on words of one length, and how long the tape is by then.

The cells of a tape are those that hold the word and those that the head has visited, with all between them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from weightproof.constructions.machines import turing
from weightproof.constructions.machines.rnn import State
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration

Array = np.ndarray


@dataclass(frozen=True)
class Moment:
    """A step of the network at which configurations stand in it, one of each run that has not ended before.

    number: of the configuration; step: of the network; runs: which ones; cells: of their tapes up to here, [runs];
    wanted: what the units of `Runs.units` should hold, [runs, units].
    """

    number: int
    step: int
    runs: Array
    cells: Array
    wanted: Array


class Runs:
    """The runs of a machine on words of one length, each up to its halt or to `most` steps of the machine."""

    def __init__(self, network: MachineNetwork, words: Sequence[str], most: int) -> None:
        self.network, self.words = network, words
        machine = network.machine
        self.runs = [list(itertools.islice(turing.run(machine, word), most + 1)) for word in words]
        self.unfinished = sum(turing.step(machine, run[-1]) is not None for run in self.runs)
        self._encoded = _remembered(network.encoded)
        self.units = (*self._encoded(turing.start(machine, "")), network.halted)

    @cached_property
    def places(self) -> list[int]:
        """Of the units that are compared, among those of the network."""
        return [self.network.rnn.units.index(unit) for unit in self.units]

    def moments(self) -> Iterator[Moment]:
        """Every configuration; the unit `halted` is 0 up to the last one."""
        first, every = self.network.first(self.words[0]), self.network.every
        least = np.zeros(len(self.runs), dtype=int)
        most = np.full(len(self.runs), max(0, len(self.words[0]) - 1))
        for number in range(max(map(len, self.runs))):
            here = [(k, run[number]) for k, run in enumerate(self.runs) if number < len(run)]
            runs = np.array([k for k, _ in here], dtype=int)
            heads = np.array([at.head for _, at in here], dtype=int)
            least[runs], most[runs] = np.minimum(least[runs], heads), np.maximum(most[runs], heads)
            wanted = np.array([[*map(_number, self._encoded(at).values()), 0.0] for _, at in here])
            yield Moment(number, first + number * every, runs, (most - least + 1)[runs], wanted)


def _remembered(encoded: Callable[[Configuration], State]) -> Callable[[Configuration], State]:
    """Wherever the head is."""

    @lru_cache(1 << 16)
    def found(state: str, left: tuple[str, ...], right: tuple[str, ...]) -> State:
        return encoded(Configuration(state, left, right))

    return lambda at: found(at.state, at.left, at.right)


def _number(value: object) -> float:
    return int(value.p) / int(value.q)  # type: ignore[attr-defined]
