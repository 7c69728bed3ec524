"""Verdicts on simulations: proved by the obligations of the induction, or refuted by a word and a step that were run.

All obligations are about polynomials of rational coefficients and are settled by exact arithmetic, without a solver.
Before a verdict `proved` the words up to SPOT symbols are run; a divergence there is an internal error, no verdict.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.machines import rnn, turing
from weightproof.constructions.machines.rnn import RNN, numbered
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.meaning.decoding import decode
from weightproof.proofs.carried import Invariant
from weightproof.proofs.machines import simulates
from weightproof.proofs.machines.steps import Obligation
from weightproof.proofs.verdict import Divergence
from weightproof.symbolic.algebra.vocabulary import Underivable

SPOT, MOST_WORDS = 2, 120
"""Symbols of the words that are run before a proof counts, and how many words are run to refute."""
BEHIND = 8
"""Steps behind the end of the word in which a recurrent network and its simulator are compared."""
LONGEST = 40
"""Steps of a machine that are compared."""
VALUES, MOST_NUMBERS, LONGEST_WORD = ("1", "-1", "1/2", "2"), 3, 4
"""What the numbers of the recurrent networks are that are run to refute a family, how many are not 0, and how long the
words are."""


@dataclass(frozen=True)
class Decided:
    """divergence: where the simulation fails; gap: the obligation that stayed open, and why; neither where all
    obligations were closed, of which there were so many."""

    obligations: int
    divergence: Divergence | None = None
    gap: tuple[str, str] | None = None


def decide_run(network: MachineNetwork, obligations: Iterable[Obligation]) -> Decided:
    """Whether a recurrent network runs a machine, for every word and every number of steps, if that takes these
    obligations."""

    def gaps() -> Iterator[tuple[str, str | None]]:
        for each in obligations:
            yield each.name, each.gap(network.rnn)

    def search(words: Iterable[str]) -> Divergence | None:
        return _first(run_diverges(network, word) for word in words)

    return _decided(gaps, search, network.machine.alphabet)


def decide_simulation(simulation: Simulation, invariant: Invariant) -> Decided:
    """Whether a transformer simulates its recurrent network, for every word and at every step."""

    def gaps() -> Iterator[tuple[str, str | None]]:
        yield "before the first step", simulates.start_gap(simulation, invariant)
        for each in simulates.obligations(simulation.rnn):
            yield each.name, each.gap(simulation, invariant)

    def search(words: Iterable[str]) -> Divergence | None:
        if simulation.rnn.numbers:  # there is nothing to run
            return None
        return _first(simulation_diverges(simulation, word) for word in words)

    return _decided(gaps, search, simulation.rnn.alphabet)


def network_that_diverges(family: Callable[[RNN], Simulation], network: RNN) -> Divergence | None:
    """Numbers of a recurrent network, as few as possible that are not 0, with which a family's transformer does not
    simulate it, on as short a word as possible."""
    for size in range(MOST_NUMBERS + 1):
        for names in itertools.combinations(network.numbers, size):
            for values in itertools.product(VALUES, repeat=size):
                numbers = dict(zip(names, values, strict=True))
                simulation = family(numbered(network, numbers))
                tried = itertools.takewhile(lambda word: len(word) <= LONGEST_WORD, words(network.alphabet))
                found = _first(simulation_diverges(simulation, word) for word in tried)
                if found is not None:
                    return replace(found, parameters=numbers)
    return None


def _decided(
    gaps: Callable[[], Iterator[tuple[str, str | None]]],
    search: Callable[[Iterable[str]], Divergence | None],
    alphabet: tuple[str, ...],
) -> Decided:
    closed = 0
    gap: tuple[str, str] | None = None
    name = "before the first step"
    try:
        for name, reason in gaps():
            if reason is not None:
                gap = (name, reason)
                break
            closed += 1
    except Underivable as error:
        gap = (name, f"not derived: {error}")
    if gap is not None:
        return Decided(closed, search(itertools.islice(words(alphabet), MOST_WORDS)), gap)
    divergence = search(itertools.takewhile(lambda word: len(word) <= SPOT, words(alphabet)))
    if divergence is not None:
        raise AssertionError(f"proved, but on {divergence.word!r} {divergence.note}")
    return Decided(closed)


def words(alphabet: tuple[str, ...]) -> Iterator[str]:
    """All of them, the shortest first."""
    for length in itertools.count():
        yield from map("".join, itertools.product(alphabet, repeat=length))


def run_diverges(network: MachineNetwork, word: str) -> Divergence | None:
    """The first of LONGEST configurations that the network does not hold when it should."""
    machine, first = network.machine, network.first(word)
    configurations = list(itertools.islice(turing.run(machine, word), LONGEST))
    states = list(itertools.islice(rnn.states(network.rnn, word), first + network.every * len(configurations) + 1))
    for number, configuration in enumerate(configurations):
        step = first + network.every * number
        halts = fmpq(int(turing.step(machine, configuration) is None))
        held = [(step, unit, value) for unit, value in network.encoded(configuration).items()]
        for at, unit, value in [*held, (step + network.every, network.halted, halts)]:
            if states[at][unit] != value:
                return Divergence(machine.name, word, at, unit, str(value), str(states[at][unit]))
    return None


def simulation_diverges(simulation: Simulation, word: str) -> Divergence | None:
    """The first step at which the output vector does not hold the state."""
    steps = len(word) + 2 + BEHIND
    both = zip(rnn.states(simulation.rnn, word), decode(simulation.network, word), strict=True)
    for number, (h, z) in enumerate(itertools.islice(both, steps)):
        for unit in simulation.rnn.units:
            if h[unit] != z[unit]:
                return Divergence(simulation.name, word, number, unit, str(h[unit]), str(z[unit]))
    return None


def _first(found: Iterable[Divergence | None]) -> Divergence | None:
    return next((each for each in found if each is not None), None)
