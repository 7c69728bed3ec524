"""Verdicts on simulations: proved by the obligations of the induction, or refuted by a word and a step that were run.

All obligations are about polynomials of rational coefficients and are settled by exact arithmetic, without a solver.
Where an invariant says what is not so, what runs show instead is tried. Before a verdict `proved` the words up to SPOT
symbols are run; a divergence there is an internal error, no verdict.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.proofs.carried import Invariant, tells_step_0_apart
from weightproof.proofs.machines import simulates
from weightproof.proofs.machines.diverging import (
    configurations,
    first,
    put_in_states,
    run_diverges,
    simulation_diverges,
    words,
)
from weightproof.proofs.machines.holding import Gap
from weightproof.proofs.machines.steps import Obligation
from weightproof.proofs.machines.weakening import seen_to_hold, weaker
from weightproof.proofs.verdict import Divergence
from weightproof.symbolic.algebra.vocabulary import Underivable

SPOT, FEW_WORDS, MOST_WORDS = 2, 7, 120
"""Symbols of the words that are run before a proof counts, and how many words are run to refute, before states are put
in and behind that."""
LONGEST, DEPTH = 2, 2
"""Symbols of the words on which states are put in, and of the half tapes of configurations that are."""


@dataclass(frozen=True)
class Decided:
    """divergence: where the simulation fails; gap: the obligation that stayed open, and why; neither where all
    obligations were closed, of which there were so many."""

    obligations: int
    divergence: Divergence | None = None
    gap: tuple[str, str] | None = None


def decide_run(network: MachineNetwork, obligations: Iterable[Obligation]) -> Decided:
    """Whether a recurrent network runs a machine, for every word and every number of steps, and from every other
    configuration in the place of the first, if that takes these obligations."""
    closed, gap = 0, None
    for each in obligations:
        reason = each.gap(network.rnn)
        if reason is not None:
            gap = (each.name, reason)
            break
        closed += 1
    alphabet = network.machine.alphabet
    if gap is None:
        return _proved(closed, (run_diverges(network, word) for word in _up_to(SPOT, alphabet)))
    on_words = (run_diverges(network, word) for word in itertools.islice(words(alphabet), MOST_WORDS))
    from_others = (run_diverges(network, "", each) for each in configurations(network.machine, DEPTH))
    return Decided(closed, first(itertools.chain(on_words, from_others)), gap)


def decide_simulation(simulation: Simulation, invariant: Invariant) -> Decided:
    """Whether a transformer simulates its recurrent network, for every word, at every step, from every state; see
    `simulates` for step 0."""
    alphabet = simulation.rnn.alphabet
    closed, gap = _induction(simulation, invariant)
    if simulation.rnn.numbers:  # there is nothing to run
        return Decided(closed, None, gap and (gap[0], str(gap[1])))
    tried = words(alphabet)
    divergence = None
    if gap is not None:
        divergence = first(simulation_diverges(simulation, word) for word in itertools.islice(tried, FEW_WORDS))
    if gap is not None and divergence is None:
        other: Invariant | None = seen_to_hold(simulation, invariant)
        while gap is not None and other is not None:
            closed, gap = _induction(simulation, other)
            other = weaker(other, gap[1], simulation.rnn.units) if gap and isinstance(gap[1], Gap) else None
    if gap is None:
        return _proved(closed, (simulation_diverges(simulation, word) for word in _up_to(SPOT, alphabet)))
    if divergence is None:
        divergence = first(_from_states(simulation, gap[1], int(tells_step_0_apart(invariant))))
    if divergence is None:
        divergence = first(simulation_diverges(simulation, word) for word in itertools.islice(tried, MOST_WORDS))
    return Decided(closed, divergence, (gap[0], str(gap[1])))


def _induction(simulation: Simulation, invariant: Invariant) -> tuple[int, tuple[str, Gap | str] | None]:
    """The obligations that are closed, and the first one that is not."""
    closed, name = 0, "before the first step"
    try:
        gap = simulates.start_gap(simulation, invariant)
        for each in simulates.obligations(simulation.rnn, put_in=not tells_step_0_apart(invariant)):
            if gap is not None:
                break
            closed, name = closed + 1, each.name
            gap = each.gap(simulation, invariant)
    except Underivable as error:
        return closed, (name, f"not derived: {error}")
    return (closed, (name, gap)) if gap is not None else (closed + 1, None)


def _from_states(simulation: Simulation, gap: Gap | str, earliest: int) -> Iterator[Divergence | None]:
    """Runs from states, put in before step `earliest` or a later one, in which much depends on the unit of the gap, or
    on the input."""
    rnn = simulation.rnn
    if isinstance(gap, Gap) and gap.coordinate in rnn.units:
        units = [gap.coordinate]
    else:
        units = [unit for unit in rnn.units if rnn.W_x.weights.get(unit)]
    try:
        states = list(put_in_states(rnn, units))
    except Underivable:  # weights that are not rational
        states = []
    for word in _up_to(LONGEST, rnn.alphabet):
        for at, state in itertools.product(range(earliest, len(word) + 3), states):
            yield simulation_diverges(simulation, word, at, state)


def _up_to(length: int, alphabet: tuple[str, ...]) -> Iterable[str]:
    return itertools.takewhile(lambda word: len(word) <= length, words(alphabet))


def _proved(closed: int, runs: Iterable[Divergence | None]) -> Decided:
    divergence = first(runs)
    if divergence is not None:
        raise AssertionError(f"proved, but on {divergence.word!r} {divergence.note}")
    return Decided(closed)
