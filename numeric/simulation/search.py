"""The shortest tape on which a network in floating point departs from its machine, and one on which it cannot.

Runs are compared configuration after configuration. The cells of a tape are those that hold the word and those that the
head has visited, with all between them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import TypeVar

import numpy as np
import torch

from weightproof.constructions.machines import turing
from weightproof.constructions.machines.rnn import State, states
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import Configuration
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer, RecurrentNetwork
from weightproof.numeric.rounding.formats import FORMATS, Format, fraction, rounded
from weightproof.numeric.simulation.certificate import ENLARGED, Array, Bounds, bounds, bounds_of_units, covers

T = TypeVar("T")
Tensor = torch.Tensor


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
        self.apart = float(fraction(network.apart))
        """A unit is right where it is nearer than this to what it should hold."""

    @cached_property
    def places(self) -> list[int]:
        """The numbers of the units that are compared, among those of the network."""
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
            wanted = np.array([[*(float(fraction(x)) for x in self._encoded(at).values()), 0.0] for _, at in here])
            yield Moment(number, first + number * every, runs, (most - least + 1)[runs], wanted)

    def along(self, steps: Iterator[T]) -> Iterator[tuple[Moment, T]]:
        """Every moment, with what there is after its step; steps: after each step of the network."""
        before = -1
        for moment in self.moments():
            yield moment, next(itertools.islice(steps, moment.step - before - 1, None))
            before = moment.step


def _remembered(encoded: Callable[[Configuration], State]) -> Callable[[Configuration], State]:
    """Wherever the head is."""

    @lru_cache(1 << 16)
    def found(state: str, left: tuple[str, ...], right: tuple[str, ...]) -> State:
        return encoded(Configuration(state, left, right))

    return lambda at: found(at.state, at.left, at.right)


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
    found: dict[int, Departure] = {}
    for moment, h in runs.along(computed):
        here = h.double().cpu().numpy()[moment.runs][:, runs.places]
        wrong = ~(np.abs(here - moment.wanted) < runs.apart)  # no number is wrong, too
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


Simulator = Callable[[Sequence[str]], Iterator[Tensor]]
"""The units of a machine's recurrent network after each step, [words, units], on words of one length."""

EVERY = 1 << 10
"""Words of one length of which every one is run; of more, some are drawn."""
DRAWN = 16
MOST_STEPS = 400
"""Of the machine, after which a run is left."""


def simulator(
    network: MachineNetwork, simulation: Simulation | None, dtype: str, device: str, attention: str
) -> Simulator:
    """The recurrent network itself, or a transformer that simulates it; InputError for what cannot be had."""
    if simulation is None:
        return RecurrentNetwork(network.rnn, dtype, device, attention).states
    inside = simulation.network
    model = EncoderDecoderTransformer(inside, network.rnn.alphabet, dtype, device, attention)
    units = [inside.coordinates.index(unit) for unit in network.rnn.units]
    return lambda words: (vector[:, units] for vector in model.decode(words))


@dataclass(frozen=True)
class Found:
    """departure: one with the fewest cells of tape; least: no tape of fewer cells was left out, nor a run before it
    halted. searched_to: symbols of the longest words of which every one was run; looked_to: of the longest that were
    run; unfinished: runs that were left."""

    departure: Departure | None
    least: bool
    searched_to: int
    looked_to: int
    unfinished: int


def words_of(alphabet: Sequence[str], length: int) -> tuple[list[str], bool]:
    """Every word of a length, or some: of one symbol, of two in turn, and drawn ones; and whether it is every one."""
    if len(alphabet) ** length <= EVERY:
        return ["".join(word) for word in itertools.product(alphabet, repeat=length)], True
    repeated = [*alphabet, *(a + b for a in alphabet for b in alphabet if a != b)]
    drawn = Random(length)
    words = [(part * length)[:length] for part in repeated]
    return [*words, *("".join(drawn.choices(alphabet, k=length)) for _ in range(DRAWN))], False


def search(network: MachineNetwork, run: Simulator, longest: int) -> Found:
    """Words of up to `longest` symbols, the shortest first, until longer ones can only have longer tapes."""
    best: Departure | None = None
    every, searched_to, unfinished, length = True, -1, 0, -1
    for length in range(longest + 1):
        if best is not None and length >= best.cells:
            length -= 1
            break
        words, whole = words_of(network.machine.alphabet, length)
        every &= whole
        searched_to = length if every else searched_to
        runs = Runs(network, words, MOST_STEPS)
        unfinished += runs.unfinished
        found = departures(runs, run(words))
        best = min([*found, *([best] if best else [])], key=lambda one: (one.cells, one.number), default=None)
    least = best is not None and searched_to >= best.cells - 1 and not unfinished
    return Found(best, least, searched_to, length, unfinished)


def certain(runs: Runs, format: Format, steps: Iterator[Bounds] | None = None) -> Array:
    """The cells of the tape at the first moment of each run at which some unit is not certainly nearer than `apart` to
    what it should be; 0 where there is none. Shape [words].

    steps: bounds of the units after each step, those of the recurrent network itself if none are given.
    """
    apart, open_at, places = runs.apart / ENLARGED, np.zeros(len(runs.words), dtype=int), runs.places
    for moment, h in runs.along(bounds(runs.network.rnn, runs.words, format) if steps is None else steps):
        apart_by = np.abs(h.beside[moment.runs][:, places] - moment.wanted)
        apart_by += (h.beside_off + h.off)[moment.runs][:, places] + 2.0**-50
        lost = ~(apart_by < apart).all(1) & (open_at[moment.runs] == 0)  # no number is no certainty
        open_at[moment.runs[lost]] = moment.cells[lost]
        if open_at.all():
            break
    return open_at


def certified(network: MachineNetwork, simulation: Simulation | None, dtype: str, longest: int) -> int | None:
    """Cells of tape on which the recurrent network, or a transformer that simulates it, does what its machine does, on
    every word of at most as many symbols, whatever the order of its sums, in the first MOST_STEPS steps; None for a
    transformer that the error analysis does not cover."""
    if simulation is not None and not covers(simulation.network):
        return None
    safe, format = longest, FORMATS[dtype]
    for length in range(longest + 1):
        words, whole = words_of(network.machine.alphabet, length)
        if not whole:
            return min(safe, length - 1)
        steps = None if simulation is None else bounds_of_units(simulation, words, format)
        lost = certain(Runs(network, words, MOST_STEPS), format, steps)
        safe = min([safe, *(int(cells) - 1 for cells in lost if cells)])
        if length >= safe:
            return safe
    return safe


def rounding(network: MachineNetwork, run: Simulator, departure: Departure, dtype: str) -> Rounding | None:
    """The rounding with which a departure begins; None where nothing is rounded up to it."""
    word, rnn = departure.word, network.rnn
    steps = itertools.islice(zip(run([word]), states(rnn, word), strict=False), departure.step + 1)
    for step, (h, exact) in enumerate(steps):
        for unit, value in zip(rnn.units, h[0].tolist(), strict=True):
            if value != (wanted := rounded(exact[unit], FORMATS[dtype])):
                return Rounding(step, unit, abs(value - wanted))
    return None
