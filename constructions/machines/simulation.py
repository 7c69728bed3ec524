"""What is said to simulate what: a recurrent network a Turing machine, a transformer a recurrent network."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, State, numbered
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import Checked


@dataclass(frozen=True)
class MachineNetwork:
    """A recurrent network that is said to run a machine.

    Where it reads a word, its units hold the values of `encoded` of configuration number k at step
    first(word) + k * every; the unit `halted` is 0 up to the configuration in which the machine halts, and 1 at the
    step at which the next one would stand, where that configuration still stands. `written` is how people read such
    values, and legend says how. apart: half of the least distance between values that say different things, such as
    which symbol is under the head.
    """

    machine: TuringMachine
    rnn: RNN
    every: int
    halted: str
    first: Callable[[Sequence[str]], int]
    encoded: Callable[[Configuration], State]
    written: Callable[[State], str]
    legend: str
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


def with_numbers(simulation: Simulation, values: Mapping[str, object]) -> Simulation:
    """That of the recurrent network with values in the place of its numbers, 0 where none is given, as `numbered`; the
    transformer is the same one, these numbers put in. So what is proved of all numbers at once is true of each."""
    rnn = numbered(simulation.rnn, values)
    told = {name: str(values.get(name, 0)) for name in simulation.rnn.numbers}
    names = re.compile(rf"\b({'|'.join(told)})\b")

    def put(part: Any) -> Any:
        match part:
            case Expression():
                if part.source in told:
                    return Expression(told[part.source])
                return Expression(names.sub(lambda found: f"({told[found[0]]})", part.source))
            case Mapping():
                return {name: put(each) for name, each in part.items()}
            case tuple():
                return tuple(map(put, part))
        if is_dataclass(part) and not isinstance(part, type):
            return replace(part, **{field.name: put(getattr(part, field.name)) for field in fields(part)})
        return part

    return replace(simulation, rnn=rnn, network=put(simulation.network)) if told else simulation
