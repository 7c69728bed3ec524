"""What is said to simulate what: a recurrent network a Turing machine, a transformer a recurrent network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, State
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.constructions.scalars.frozen import Checked


@dataclass(frozen=True)
class MachineNetwork:
    """A recurrent network that is said to run a machine.

    Where it reads a word, its units hold the values of `encoded` of configuration number k at step
    first(word) + k * every; the unit `halted` is 0 up to the configuration in which the machine halts, and 1 at the
    step at which the next one would stand, where that configuration still stands. `written` is how people read such
    values, legend how, computes what units are for. apart: half the least distance of values that differ in meaning.
    """

    machine: TuringMachine
    rnn: RNN
    every: int
    halted: str
    first: Callable[[Sequence[str]], int]
    encoded: Callable[[Configuration], State]
    written: Callable[[State], str]
    legend: str
    computes: Mapping[str, str]
    apart: fmpq


@dataclass(frozen=True)
class Simulation(Checked):
    """An encoder-decoder whose output vector at step t is said to hold h_t, in coordinates that are named like the
    units; a malformed one raises ConstructionError."""

    name: str
    title: str
    source: str
    rnn: RNN
    network: EncoderDecoder
