"""The theorems about machines and families of simulators, with their verdicts."""

from __future__ import annotations

import functools
import importlib
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Literal

from weightproof.constructions.library import AS_PRINTED, FAMILIES, MACHINE_NETWORK, network_of, simulation_of
from weightproof.constructions.machines.rnn import RNN, every_rnn
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.proofs.carried import Invariant
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.machines.deciding import decide_run, decide_simulation
from weightproof.proofs.machines.diverging import network_that_diverges
from weightproof.proofs.machines.lemmas import Lemma, lemma_gaps, lemma_that_fails
from weightproof.proofs.machines.steps import Obligation
from weightproof.proofs.machines.timed import SCOPE, Decided, in_time, undecided, verdict
from weightproof.proofs.verdict import Evidence, Result

SIZES = ((1, 1, 1), (2, 1, 2), (2, 2, 2), (3, 2, 3))
"""Units, inputs and symbols of the recurrent networks of which a family is proved, whatever their numbers are."""
SIZED = f"RNNs of {', '.join('/'.join(map(str, size)) for size in SIZES)} units/inputs/symbols"
OF_SIZES = f"{SCOPE}, {SIZED}"
"""The scope of what is true of all of these, and said of every recurrent network."""
MAKING = "the making of the network"


def prove_machine(machine: TuringMachine, timeout: float = TIMEOUT) -> Iterator[Result]:
    """That the recurrent network of a machine runs it, and that the transformers of all families simulate that.

    timeout: seconds for all of a theorem, here and below.
    """
    network = functools.cache(lambda: network_of(machine))  # which takes its time, too
    said = "its recurrent network holds the configuration of each step, from every configuration on"
    yield _result(machine.name, "network", said, functools.partial(_runs, network), timeout)
    yield from _simulations(machine.name, "its recurrent network", lambda: network().rnn, timeout)


def prove_recurrent(network: RNN, timeout: float = TIMEOUT) -> Iterator[Result]:
    """That the transformers of all families simulate a recurrent network."""
    yield from _simulations(network.name, "it", lambda: network, timeout)


def _simulations(name: str, of: str, network: Callable[[], RNN], timeout: float) -> Iterator[Result]:
    for family in FAMILIES:
        said = f"{family} of {of} holds the state of each step, from every state on"
        yield _result(name, family, said, functools.partial(_simulated, family, network), timeout)


def prove_family(family: str, timeout: float = TIMEOUT) -> Iterator[Result]:
    """That the transformer holds the state of each step, for all numbers that a recurrent network of a size has.

    Of one as printed: that it does not, by the smallest network that is found, a word and a step; and, where it does
    for embeddings in [0, 1], that.
    """
    if family in AS_PRINTED:
        yield _result(
            family,
            "every RNN",
            "holds the state of each step of every RNN, from every state on",
            functools.partial(_refuted, family),
            timeout,
            "refuted",
        )
    if family in FAMILIES or _theorem_of(family).PRINTED_FOR_FRACTIONS:
        for units, inputs, symbols in SIZES:
            network = functools.partial(every_rnn, units, inputs, symbols, embedded_in_fractions=family in AS_PRINTED)
            name = network().name
            said = f"holds the state of each step of {name}, from every state on"
            theorem = name.removeprefix("every RNN with ")
            yield _result(family, theorem, said, functools.partial(_simulated, family, network), timeout)
    for lemma in _lemmas(family, every_rnn(1, 1, 1)):
        decide = functools.partial(_lemma_holds, family, lemma.name)
        said = f"{lemma.statement}, of every RNN of these sizes"
        expected: Literal["proved", "refuted"] = "refuted" if family in AS_PRINTED else "proved"
        yield _result(family, lemma.name, said, decide, timeout, expected, OF_SIZES)


def number_of_theorems(family: str) -> int:
    """How many theorems there are of a family."""
    printed = family in AS_PRINTED
    sizes = len(SIZES) if not printed or _theorem_of(family).PRINTED_FOR_FRACTIONS else 0
    return printed + sizes + len(_lemmas(family, every_rnn(1, 1, 1)))


def _lemmas(family: str, network: RNN) -> tuple[Lemma, ...]:
    theorem = _theorem_of(family)
    found: tuple[Lemma, ...] = theorem.as_printed(network) if family in AS_PRINTED else theorem.lemmas(network)
    return found


def _lemma_holds(family: str, name: str, deadline: Deadline) -> Decided:
    """For every recurrent network of SIZES; of a gap, one of the smallest size that shows it in a run."""

    def decide() -> Decided:
        closed = 0
        for units, inputs, symbols in SIZES:
            network = every_rnn(units, inputs, symbols)
            [lemma] = [each for each in _lemmas(family, network) if each.name == name]
            simulation, invariant = simulation_of(family, network), invariant_of(family, network)
            for where, reason in lemma_gaps(simulation, invariant, lemma):
                if reason is not None:
                    divergence = lemma_that_fails(functools.partial(simulation_of, family), network, lemma)
                    return Decided(closed, divergence, (where, reason))
                closed += 1
        return Decided(closed)

    return in_time(deadline, decide)


def _refuted(family: str, deadline: Deadline) -> Decided:
    network = every_rnn(1, 1, 1)

    def decide() -> Decided:
        decided = decide_simulation(simulation_of(family, network), invariant_of(family, network))
        if decided.gap is None:
            return decided
        return replace(decided, divergence=network_that_diverges(functools.partial(simulation_of, family), network))

    return in_time(deadline, decide)


def _runs(network: Callable[[], MachineNetwork], deadline: Deadline) -> Decided:
    try:
        made = deadline.during(MAKING, network)
    except TimeUp as late:
        return undecided(late)
    return decide_run(made, obligations_of(made), deadline)


def _simulated(family: str, network: Callable[[], RNN], deadline: Deadline) -> Decided:
    def make() -> tuple[Simulation, Invariant]:
        rnn = network()
        return simulation_of(family, rnn), invariant_of(family, rnn)

    try:
        simulation, invariant = deadline.during(MAKING, make)
    except TimeUp as late:
        return undecided(late)
    return decide_simulation(simulation, invariant, deadline)


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


def _result(
    construction: str,
    theorem: str,
    statement: str,
    decide: Callable[[Deadline], Decided],
    timeout: float,
    expected: Literal["proved", "refuted"] = "proved",
    scope: str = SCOPE,
) -> Result:
    begin = time.monotonic()
    decided = decide(Deadline.after(timeout))
    return Result(
        construction=construction,
        theorem=theorem,
        statement=statement,
        given=(),
        accepts=None,
        verdict=verdict(decided, scope),
        expected=expected,
        solvers=(),
        obligations={Evidence.CERTIFICATE.value: decided.obligations},
        seconds=time.monotonic() - begin,
        solver_seconds=0.0,
    )
