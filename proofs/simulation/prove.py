"""The theorems about machines and families of simulators, with their verdicts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from weightproof.constructions.library import AS_PRINTED, FAMILIES, MACHINE_NETWORK, network_of, simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import SCOPE, SEARCH, Decided, Exact, Obligation, Obligations, settle
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.diverging import network_that_fails
from weightproof.proofs.simulation.holding import Invariant
from weightproof.proofs.simulation.lemmas import Lemma, compared, lemma_that_fails
from weightproof.proofs.simulation.passages import Passage
from weightproof.proofs.simulation.simulates import induction
from weightproof.proofs.theorem import theorem_file
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.simulation.polynomial import Region, Values

SIZES = ((1, 1, 1), (2, 1, 2), (2, 2, 2), (3, 2, 3))
"""Units, inputs and symbols of the recurrent networks of which a family is proved, whatever their numbers are."""
SIZED = f"RNNs of {', '.join('/'.join(map(str, size)) for size in SIZES)} units/inputs/symbols"
OF_SIZES = f"{SCOPE}, {SIZED}"
"""The scope of what is true of all of these, and said of every recurrent network."""
RUNS = "network"
"""The theorem that the network of a machine runs it."""
MAKING = "the making of the network"


def of_machine(machine: TuringMachine) -> tuple[Exact, ...]:
    """That the recurrent network of a machine runs it, and that the transformers of all families simulate that."""
    network = functools.cache(lambda: network_of(machine))  # which takes its time, too
    said = "its recurrent network holds the configuration of each step, from every configuration on"
    runs = functools.partial(_runs, network)
    return (
        Exact(
            machine.name,
            RUNS,
            said,
            SCOPE,
            lambda: (each.of(network().rnn) for each in passages_of(network())),
            runs,
        ),
        *_simulations(machine.name, "its recurrent network", lambda: network().rnn),
    )


def of_recurrent(network: RNN) -> tuple[Exact, ...]:
    """That the transformers of all families simulate a recurrent network."""
    return tuple(_simulations(network.name, "it", lambda: network))


def _simulations(name: str, of: str, network: Callable[[], RNN]) -> Iterator[Exact]:
    for family in FAMILIES:
        said = f"{family} of {of} holds the state of each step, from every state on"
        yield Exact(name, family, said, SCOPE, *_simulation(family, network))


def of_family(family: str) -> tuple[Exact, ...]:
    """That the transformer holds the state of each step, for all numbers that a recurrent network of a size has.

    Of one as printed: that it does not, by the smallest network that is found, a word and a step; and, where it does
    for embeddings in [0, 1], that.
    """
    return tuple(_of_family(family))


def _of_family(family: str) -> Iterator[Exact]:
    printed = family in AS_PRINTED
    expected: Literal["proved", "refuted"] = "refuted" if printed else "proved"
    if printed:
        said = "holds the state of each step of every RNN, from every state on"
        smallest = functools.partial(_induction, family, functools.partial(every_rnn, 1, 1, 1))
        yield Exact(family, "every RNN", said, SCOPE, smallest, functools.partial(_refuted, family), expected="refuted")
    if not printed or _theorem_of(family).PRINTED_FOR_FRACTIONS:
        for units, inputs, symbols in SIZES:
            network = functools.partial(every_rnn, units, inputs, symbols, embedded_in_fractions=printed)
            name = network().name
            said = f"holds the state of each step of {name}, from every state on"
            theorem = name.removeprefix("every RNN with ")
            yield Exact(family, theorem, said, SCOPE, *_simulation(family, network))
    for lemma in _lemmas(family, every_rnn(1, 1, 1)):
        said = f"{lemma.statement}, of every RNN of these sizes"
        parts, decide = functools.partial(_of_sizes, family, lemma.name), functools.partial(_lemma, family, lemma.name)
        yield Exact(family, lemma.name, said, OF_SIZES, parts, decide, expected=expected)


def _lemmas(family: str, network: RNN) -> tuple[Lemma, ...]:
    theorem = _theorem_of(family)
    found: tuple[Lemma, ...] = theorem.as_printed(network) if family in AS_PRINTED else theorem.lemmas(network)
    return found


def _lemma(family: str, name: str, deadline: Deadline) -> Decided:
    """For every recurrent network of SIZES; of a gap, one of the smallest size that shows it in a run."""
    reached: list[RNN] = []

    def fails() -> Counterexample | None:
        made, network = functools.partial(simulation_of, family), reached[-1]
        return lemma_that_fails(made, network, _named(family, name, network))

    return settle(_of_sizes(family, name, reached), lambda: fails() if reached else None, deadline=deadline)


def _of_sizes(family: str, name: str, reached: list[RNN] | None = None) -> Iterator[Obligation]:
    """reached: the networks so far."""
    for size in SIZES:
        network = every_rnn(*size)
        if reached is not None:
            reached.append(network)
        lemma = _named(family, name, network)
        asked = compared(simulation_of(family, network), invariant_of(family, network), lemma)
        yield from (replace(each, part=network.name) for each in asked)


def _named(family: str, name: str, network: RNN) -> Lemma:
    [lemma] = [each for each in _lemmas(family, network) if each.name == name]
    return lemma


def _simulation(
    family: str, network: Callable[[], RNN]
) -> tuple[Callable[[], Obligations], Callable[[Deadline], Decided]]:
    """The obligations, and how they are settled."""
    return functools.partial(_induction, family, network), functools.partial(_simulated, family, network)


def _induction(family: str, network: Callable[[], RNN]) -> Obligations:
    rnn = network()
    return induction(simulation_of(family, rnn), invariant_of(family, rnn))


def _refuted(family: str, deadline: Deadline) -> Decided:
    network = every_rnn(1, 1, 1)
    decided = decide_simulation(simulation_of(family, network), invariant_of(family, network), deadline)
    if decided.gap is None:
        return decided
    diverging = functools.partial(network_that_fails, functools.partial(simulation_of, family), network)
    return replace(decided, counterexample=deadline.during(SEARCH, diverging))


def _runs(network: Callable[[], MachineNetwork], deadline: Deadline) -> Decided:
    made = deadline.during(MAKING, network)
    return decide_run(made, passages_of(made), deadline)


def _simulated(family: str, network: Callable[[], RNN], deadline: Deadline) -> Decided:
    rnn = deadline.during(MAKING, network)
    simulation = deadline.during(MAKING, functools.partial(simulation_of, family, rnn))
    return decide_simulation(simulation, invariant_of(family, rnn), deadline)


def passages_of(network: MachineNetwork) -> Iterator[Passage]:
    """Those of the theorem that the network of a machine runs it."""
    for part, passages in parts_of(network).items():
        yield from (replace(each, part=part) for each in passages)


def parts_of(network: MachineNetwork) -> dict[str, Iterator[Passage]]:
    """The same, by what they are about."""
    module, _ = MACHINE_NETWORK
    parts: dict[str, Iterator[Passage]] = theorem_file(module).parts(network.machine)
    return parts


def held_by(network: MachineNetwork) -> tuple[Region, Values]:
    """What is held between two steps of the machine, and where all is that is not known of it."""
    module, _ = MACHINE_NETWORK
    invariant: tuple[Region, Values] = theorem_file(module).invariant(network.machine)
    return invariant


def invariant_of(family: str, network: RNN) -> Invariant:
    """That of the theorem that a family's transformer simulates a network."""
    invariant: Invariant = _theorem_of(family).invariant(network)
    return invariant


def _theorem_of(family: str) -> Any:
    module, _ = (FAMILIES | AS_PRINTED)[family]
    return theorem_file(module)
