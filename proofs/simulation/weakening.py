"""Invariants that say something else of a coordinate, where what is said is not so: that need not be wrong.

What runs show is only a guess: every obligation is asked again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import decoded_steps
from weightproof.proofs.simulation.diverging import words
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
)
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.polynomial import ONE, ZERO

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
