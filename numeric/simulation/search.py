"""The shortest tape on which a network in floating point departs from its machine, and one on which it cannot."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import torch

from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.numeric.decoding.encoder_decoder import EncoderDecoderTransformer
from weightproof.numeric.decoding.recurrent import RecurrentNetwork
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.simulation.attending import bounds_of_units, covers
from weightproof.numeric.simulation.certificate import certain
from weightproof.numeric.simulation.departures import Departure, Rounding, departures, first_rounding
from weightproof.numeric.simulation.runs import Runs

Tensor = torch.Tensor
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
    """departure: one with the fewest cells of tape; least: no tape of fewer cells was left out. searched_to: symbols of
    the longest words of which every one was run; looked_to: of the longest that were run; unfinished: runs that were
    left before they halted."""

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
    return Found(best, best is not None and searched_to >= best.cells - 1, searched_to, length, unfinished)


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
    """Where the departure begins."""
    return first_rounding(network.rnn, departure.word, run([departure.word]), FORMATS[dtype], departure.step + 1)
