"""Verdicts on simulations: proved by the obligations of the induction, or refuted by a word and a step that were run.

All obligations are about polynomials of rational coefficients and are settled by exact arithmetic, without a solver.
Where an invariant says what is not so, what runs show instead is tried; it is only a guess, of which every obligation
is asked again. Before a verdict `proved` the words up to CHECKED symbols are run; a divergence there is an internal
error, no verdict. A deadline limits all of this together.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import words
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.meaning.interpreter import decoded_steps
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prover import SEARCH, Decided, Progress, first, proved_in_time, settle, within
from weightproof.proofs.simulation import simulates
from weightproof.proofs.simulation.diverging import configurations, put_in_states, run_diverges, simulation_diverges
from weightproof.proofs.simulation.holding import (
    FIRST,
    HALVED,
    LATER,
    NEXT,
    STEP,
    Anything,
    AtLeast,
    Gap,
    Held,
    Invariant,
    Multiple,
    Positive,
    Within,
    tells_step_0_apart,
)
from weightproof.proofs.simulation.passages import Passage
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.polynomial import ONE, ZERO

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
        lambda: first(run_diverges(network, word) for word in words(alphabet, CHECKED)),
        deadline,
    )


def decide_simulation(simulation: Simulation, invariant: Invariant, deadline: Deadline | None = None) -> Decided:
    """Whether a transformer simulates its recurrent network, for every word, at every step, from every state; see
    `simulates` for step 0."""
    obligations = simulates.induction(simulation, invariant)
    proof = proved_in_time(lambda proof: proof.close(obligations), deadline)
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
            check = (simulation_diverges(simulation, word) for word in words(alphabet, CHECKED))
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
    for word in words(rnn.alphabet, LONGEST_PUT_IN):
        for at, state in itertools.product(range(earliest, len(word) + 3), states):
            yield simulation_diverges(simulation, word, at, state)


WORDS, STEPS = 15, 8
"""How many words are run to see what coordinates hold, for so many steps behind the end."""


@dataclass(frozen=True)
class Seen:
    """What a coordinate of an input should hold, and what it holds; the share of the first position after the step."""

    wanted: fmpq
    found: fmpq
    first: fmpq


def seen_to_hold(simulation: Simulation, invariant: Invariant) -> Invariant:
    """What runs on words do not contradict, coordinate by coordinate: the value that is said, or else a multiple of it,
    or that it is positive and never more than now, or else what is still less."""
    seen: dict[str, list[Seen]] = {name: [] for name in simulation.network.coordinates}
    for word in itertools.islice(words(simulation.rnn.alphabet), WORDS):
        for name, each in _seen(simulation, invariant, word):
            seen[name].append(each)
    return {
        **invariant,
        **{
            name: _said(invariant.get(name, "0"), all_of, simulation.rnn.begin)
            for name, all_of in seen.items()
            if all_of
        },
    }


def weaker(invariant: Invariant, gap: Gap, units: tuple[str, ...]) -> Invariant | None:
    """An invariant that says less of the coordinate in which an input is not what it says; None where nothing less is
    known to try, or where it is no such gap."""
    if gap.vector not in (FIRST, NEXT) or gap.coordinate in units:
        return None
    match invariant.get(gap.coordinate, "0"):
        case Anything():
            return None
        case Within(positive=True):
            less: Held = Positive()
        case AtLeast(factor) if factor > ONE:
            less = AtLeast(ONE)
        case _:
            less = Anything()
    return {**invariant, gap.coordinate: less}


def _seen(simulation: Simulation, invariant: Invariant, word: str) -> Iterator[tuple[str, Seen]]:
    """What is seen of each coordinate but the units in the input of each step but the first."""
    network = simulation.network
    tokens = network.encoder.begin, *word, network.encoder.end
    for step, made in enumerate(itertools.islice(decoded_steps(network, word), len(tokens) + STEPS), start=1):
        read = tokens[:step]
        known = {STEP: fmpq(step), HALVED: fmpq(1, 2**step), LATER: ONE}
        known |= {share(token): fmpq(read.count(token), len(read)) for token in simulation.rnn.tokens}
        for name, value in made.next_input.items():
            said = invariant.get(name, "0")
            if name not in simulation.rnn.units and isinstance(said, str) and isinstance(value, fmpq):
                wanted = known[said] if said in known else fmpq(said)
                yield name, Seen(wanted, value, fmpq(1, min(step + 1, len(tokens))))


def _said(said: Held, seen: list[Seen], begin: str) -> Held:
    if all(each.wanted == each.found for each in seen):
        return said
    factors = {each.found / each.wanted for each in seen if each.wanted}
    if isinstance(said, str) and len(factors) == 1 and all(each.wanted or not each.found for each in seen):
        return Multiple(factors.pop(), said)
    found = [each.found for each in seen]
    if min(found) < ZERO:
        return Anything()
    if said == share(begin) and min(found) > ZERO:
        return AtLeast(min(each.found / each.first for each in seen))
    return Within(max(ONE, *found), positive=min(found) > ZERO)
