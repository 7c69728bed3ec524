"""Verdicts on simulations: proved by the obligations of the induction, or refuted by a word and a step that were run.

All obligations are about polynomials of rational coefficients and are settled by exact arithmetic, without a solver.
Where an invariant says what is not so, what runs show instead is tried. Before a verdict `proved` the words up to
CHECKED symbols are run; a divergence there is an internal error, no verdict. A deadline limits all of this together.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator

from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prover import SEARCH, Decided, Progress, first, proved_in_time, settle, within
from weightproof.proofs.simulation import simulates
from weightproof.proofs.simulation.diverging import (
    configurations,
    put_in_states,
    run_diverges,
    simulation_diverges,
    words,
)
from weightproof.proofs.simulation.holding import Gap, Invariant, tells_step_0_apart
from weightproof.proofs.simulation.simulates import Passage
from weightproof.proofs.simulation.weakening import seen_to_hold, weaker
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable

CHECKED, FEW, MOST_WORDS = 2, 7, 120
"""Symbols of the words that are run before a proof counts; how many words, and then states, are run to refute before
anything else is tried to be proved; and how many words are run in turn with states then."""
LONGEST_PUT_IN, DEPTH = 2, 2
"""Symbols of the words on which states are put in, and of the half tapes of configurations that are."""


def decide_run(network: MachineNetwork, passages: Iterable[Passage], deadline: Deadline | None = None) -> Decided:
    """Whether a recurrent network runs a machine, for every word and every number of steps, and from every other
    configuration in the place of the first, if these are its passages."""
    alphabet = network.machine.alphabet
    on_words = (run_diverges(network, word) for word in itertools.islice(words(alphabet), MOST_WORDS))
    from_others = (run_diverges(network, "", each) for each in configurations(network.machine, DEPTH))
    return settle(
        (each.of(network.rnn) for each in passages),
        lambda: first(itertools.chain(on_words, from_others)),
        lambda: first(run_diverges(network, word) for word in _up_to(CHECKED, alphabet)),
        deadline,
    )


def decide_simulation(simulation: Simulation, invariant: Invariant, deadline: Deadline | None = None) -> Decided:
    """Whether a transformer simulates its recurrent network, for every word, at every step, from every state; see
    `simulates` for step 0."""
    asked = simulates.induction(simulation, invariant)
    proof = proved_in_time(lambda proof: proof.close(asked), deadline)
    if simulation.rnn.numbers:  # there is nothing to run
        return proof.decided()
    alphabet, earliest = simulation.rnn.alphabet, int(tells_step_0_apart(invariant))
    tried = words(alphabet)
    try:
        if proof.reason is not None:
            few = (simulation_diverges(simulation, word) for word in itertools.islice(tried, FEW))
            put_in = itertools.islice(_from_states(simulation, proof.reason, earliest), FEW)
            divergence = within(deadline, SEARCH, lambda: first(itertools.chain(few, put_in)))
            if divergence is not None:
                return proof.decided(divergence)
            if not proof.timed_out:
                proof = proved_in_time(functools.partial(_with_less, simulation, invariant), deadline)
        if proof.reason is None:
            check = (simulation_diverges(simulation, word) for word in _up_to(CHECKED, alphabet))
            return proof.held_against(lambda: first(check), deadline)
        from_states = _from_states(simulation, proof.reason, earliest)
        on_words = (simulation_diverges(simulation, word) for word in itertools.islice(tried, MOST_WORDS))
        # In turn: there may be many states where a word of three symbols shows it, and the other way round.
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(on_words, from_states))
        return proof.held_against(lambda: first(in_turn), deadline)
    except TimeUp as late:
        return proof.decided(late=late)


def _with_less(simulation: Simulation, invariant: Invariant, proof: Progress) -> None:
    """Invariants that say what runs show, and less and less of that."""
    other: Invariant | None = seen_to_hold(simulation, invariant)
    while other is not None:
        proof.close(simulates.induction(simulation, other))
        other = weaker(other, proof.reason, simulation.rnn.units) if isinstance(proof.reason, Gap) else None


def _from_states(simulation: Simulation, gap: object, earliest: int) -> Iterator[Counterexample | None]:
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
    for word in _up_to(LONGEST_PUT_IN, rnn.alphabet):
        for at, state in itertools.product(range(earliest, len(word) + 3), states):
            yield simulation_diverges(simulation, word, at, state)


def _up_to(length: int, alphabet: tuple[str, ...]) -> Iterable[str]:
    return itertools.takewhile(lambda word: len(word) <= length, words(alphabet))
