"""The theorems about machines and families of simulators, with their verdicts."""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Literal

from weightproof.constructions.library import AS_PRINTED, FAMILIES, MACHINE_NETWORK, network_of, simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.proofs.certified import SCOPE, SEARCH, Decided, Obligations, Scripts, Stated, settle
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.diverging import network_that_fails
from weightproof.proofs.simulation.holding import Invariant
from weightproof.proofs.simulation.lemmas import Lemma, compared, lemma_that_fails
from weightproof.proofs.simulation.simulates import Comparisons, as_smt, gaps, induction
from weightproof.proofs.simulation.steps import Obligation
from weightproof.proofs.verdict import Counterexample

SIZES = ((1, 1, 1), (2, 1, 2), (2, 2, 2), (3, 2, 3))
"""Units, inputs and symbols of the recurrent networks of which a family is proved, whatever their numbers are."""
SIZED = f"RNNs of {', '.join('/'.join(map(str, size)) for size in SIZES)} units/inputs/symbols"
OF_SIZES = f"{SCOPE}, {SIZED}"
"""The scope of what is true of all of these, and said of every recurrent network."""
MAKING = "the making of the network"


def of_machine(machine: TuringMachine) -> tuple[Stated, ...]:
    """That the recurrent network of a machine runs it, and that the transformers of all families simulate that."""
    network = functools.cache(lambda: network_of(machine))  # which takes its time, too
    said = "its recurrent network holds the configuration of each step, from every configuration on"
    runs = functools.partial(_runs, network)
    return (
        Stated(machine.name, "network", said, SCOPE, runs, smt=lambda: _steps(network())),
        *_simulations(machine.name, "its recurrent network", lambda: network().rnn),
    )


def of_recurrent(network: RNN) -> tuple[Stated, ...]:
    """That the transformers of all families simulate a recurrent network."""
    return tuple(_simulations(network.name, "it", lambda: network))


def _simulations(name: str, of: str, network: Callable[[], RNN]) -> Iterator[Stated]:
    for family in FAMILIES:
        said = f"{family} of {of} holds the state of each step, from every state on"
        decide, smt = functools.partial(_simulated, family, network), functools.partial(_induction, family, network)
        yield Stated(name, family, said, SCOPE, decide, smt=smt)


def of_family(family: str) -> tuple[Stated, ...]:
    """That the transformer holds the state of each step, for all numbers that a recurrent network of a size has.

    Of one as printed: that it does not, by the smallest network that is found, a word and a step; and, where it does
    for embeddings in [0, 1], that.
    """
    return tuple(_of_family(family))


def _of_family(family: str) -> Iterator[Stated]:
    printed = family in AS_PRINTED
    expected: Literal["proved", "refuted"] = "refuted" if printed else "proved"
    if printed:
        said = "holds the state of each step of every RNN, from every state on"
        smt = functools.partial(_induction, family, functools.partial(every_rnn, 1, 1, 1))
        yield Stated(family, "every RNN", said, SCOPE, functools.partial(_refuted, family), "refuted", smt=smt)
    if not printed or _theorem_of(family).PRINTED_FOR_FRACTIONS:
        for units, inputs, symbols in SIZES:
            network = functools.partial(every_rnn, units, inputs, symbols, embedded_in_fractions=printed)
            name = network().name
            said = f"holds the state of each step of {name}, from every state on"
            theorem = name.removeprefix("every RNN with ")
            smt = functools.partial(_induction, family, network)
            yield Stated(family, theorem, said, SCOPE, functools.partial(_simulated, family, network), smt=smt)
    for lemma in _lemmas(family, every_rnn(1, 1, 1)):
        said, decide = f"{lemma.statement}, of every RNN of these sizes", functools.partial(_lemma, family, lemma.name)
        smt = functools.partial(_lemmas_as_smt, family, lemma.name)
        yield Stated(family, lemma.name, said, OF_SIZES, decide, expected, smt=smt)


def _lemmas(family: str, network: RNN) -> tuple[Lemma, ...]:
    theorem = _theorem_of(family)
    found: tuple[Lemma, ...] = theorem.as_printed(network) if family in AS_PRINTED else theorem.lemmas(network)
    return found


def _lemma(family: str, name: str, deadline: Deadline) -> Decided:
    """For every recurrent network of SIZES; of a gap, one of the smallest size that shows it in a run."""
    asked: list[RNN] = []

    def obligations() -> Obligations:
        for size in SIZES:
            asked.append(every_rnn(*size))
            yield from gaps(_compared(family, name, asked[-1]))

    def fails() -> Counterexample | None:
        made, network = functools.partial(simulation_of, family), asked[-1]
        return lemma_that_fails(made, network, _named(family, name, network))

    return settle(obligations(), lambda: fails() if asked else None, deadline=deadline)


def _named(family: str, name: str, network: RNN) -> Lemma:
    [lemma] = [each for each in _lemmas(family, network) if each.name == name]
    return lemma


def _compared(family: str, name: str, network: RNN) -> Comparisons:
    lemma = _named(family, name, network)
    return compared(simulation_of(family, network), invariant_of(family, network), lemma)


def _lemmas_as_smt(family: str, name: str) -> Scripts:
    return (each for size in SIZES for each in as_smt(_compared(family, name, every_rnn(*size))))


def _induction(family: str, network: Callable[[], RNN]) -> Scripts:
    rnn = network()
    return as_smt(induction(simulation_of(family, rnn), invariant_of(family, rnn)))


def _steps(network: MachineNetwork) -> Scripts:
    return ((each.name, functools.partial(each.as_smt, network.rnn)) for each in obligations_of(network))


def _refuted(family: str, deadline: Deadline) -> Decided:
    network = every_rnn(1, 1, 1)
    decided = decide_simulation(simulation_of(family, network), invariant_of(family, network), deadline)
    if decided.gap is None:
        return decided
    diverging = functools.partial(network_that_fails, functools.partial(simulation_of, family), network)
    return replace(decided, counterexample=deadline.during(SEARCH, diverging))


def _runs(network: Callable[[], MachineNetwork], deadline: Deadline) -> Decided:
    made = deadline.during(MAKING, network)
    return decide_run(made, obligations_of(made), deadline)


def _simulated(family: str, network: Callable[[], RNN], deadline: Deadline) -> Decided:
    rnn = deadline.during(MAKING, network)
    simulation = deadline.during(MAKING, functools.partial(simulation_of, family, rnn))
    return decide_simulation(simulation, invariant_of(family, rnn), deadline)


def obligations_of(network: MachineNetwork) -> Iterator[Obligation]:
    """Those of the theorem that the network of a machine runs it."""
    return itertools.chain.from_iterable(parts_of(network).values())


def parts_of(network: MachineNetwork) -> dict[str, Iterator[Obligation]]:
    """The same, by what they are about."""
    module, _ = MACHINE_NETWORK
    parts: dict[str, Iterator[Obligation]] = _theorem(module).parts(network.machine)
    return parts


def invariant_of(family: str, network: RNN) -> Invariant:
    """That of the theorem that a family's transformer simulates a network."""
    invariant: Invariant = _theorem_of(family).invariant(network)
    return invariant


def _theorem_of(family: str) -> ModuleType:
    module, _ = (FAMILIES | AS_PRINTED)[family]
    return _theorem(module)


def _theorem(module: str) -> ModuleType:
    return importlib.import_module(f"weightproof.proofs.theorems.{module}")
