"""Negative controls of the simulations of shipped machines: nonzero weights of the recurrent networks and of both
transformers changed, one at a time.

What is changed must be refuted with a word and a step, or proved again because the change is harmless: then nothing may
be found on other words and from other states either. No verdict may stay open.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from flint import fmpq

from tests.constructions.machines.test_turing import shipped
from tests.support.changes import changed_weights
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import SHIPPED
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.changes import weights
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.diverging import run_diverges, simulation_diverges
from weightproof.proofs.simulation.prove import invariant_of, passages_of
from weightproof.proofs.verdict import Counterexample, WrongStep

HEADER = "weights of simulators changed\ttried\trefuted on a word\trefuted from a state\tproved harmless\topen"
ONE_OF = {"busy-beaver-3": 29, "increment": 47, "palindrome-machine": 151, "unary-to-binary": 151}
"""Which changes are made: one of how many, of the kinds in turn. A transformer has 1,900 to 5,000."""
AGREEING_WORDS = 20


def kind(found: Counterexample | None, gap: object) -> str:
    if found is None:
        return "harmless" if gap is None else "open"
    return "state" if found.step is not None and found.step.put_in else "word"


@pytest.mark.controls
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SHIPPED)
def test_changed_transformers_are_refuted_or_harmless(
    name: str, family: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    network = network_of(shipped(name)).rnn
    right, invariant = simulation_of(family, network), invariant_of(family, network)
    tally: Counter[str] = Counter()
    wrong = []
    for place, what, changed in changed_weights(weights(right.network), one_of=ONE_OF[name]):
        simulation = replace(right, network=changed)
        outcome = decide_simulation(simulation, invariant)
        found = outcome.counterexample
        tally[kind(found, outcome.gap)] += 1
        if found is None:
            if outcome.gap is not None or not agrees(simulation):
                wrong.append((place, what, outcome))
        elif replayed(simulation, found) != found or replayed(right, found) is not None:
            wrong.append((place, what, outcome))
    count_row(HEADER, f"{name}, {family}", counts(tally))
    assert tally.total() > 0
    assert not wrong, wrong


@pytest.mark.controls
@pytest.mark.parametrize("name", SHIPPED)
def test_changed_networks_are_refuted_or_harmless(
    name: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    right = network_of(shipped(name))
    tally: Counter[str] = Counter()
    wrong = []
    for place, what, changed in changed_weights(weights(right.rnn), one_of=ONE_OF[name]):
        network: MachineNetwork = replace(right, rnn=changed)
        outcome = decide_run(network, passages_of(right))
        tally[kind(outcome.counterexample, outcome.gap)] += 1
        if outcome.counterexample is None and (outcome.gap is not None or not runs(network)):
            wrong.append((place, what, outcome))
    count_row(HEADER, f"{name}, recurrent network", counts(tally))
    assert tally.total() > 0
    assert not wrong, wrong


def counts(tally: Counter[str]) -> list[int]:
    return [tally.total(), *(tally[each] for each in ("word", "state", "harmless", "open"))]


def runs(network: MachineNetwork) -> bool:
    tried = itertools.islice(words(network.machine.alphabet), AGREEING_WORDS)
    return all(run_diverges(network, word) is None for word in tried)


def agrees(simulation: Simulation) -> bool:
    tried = list(itertools.islice(words(simulation.rnn.alphabet), AGREEING_WORDS))
    states = [dict.fromkeys(simulation.rnn.units, fmpq(k, 3)) for k in range(4)]
    return all(simulation_diverges(simulation, word) is None for word in tried) and all(
        simulation_diverges(simulation, word, at, state) is None
        for word in tried[:3]
        for at in range(4)
        for state in states
    )


def replayed(simulation: Simulation, found: Counterexample) -> Counterexample | None:
    """What is seen of a simulation on the word, from the state that was put in, if one was."""
    assert found.step is not None
    return simulation_diverges(simulation, found.word, found.step.at, state_of(simulation.rnn, found.step))


def state_of(rnn: RNN, step: WrongStep) -> dict[str, fmpq] | None:
    if not step.put_in:
        return None
    return {unit: evaluate(Expression(step.put_in.get(unit, "0")), {}) for unit in rnn.units}
