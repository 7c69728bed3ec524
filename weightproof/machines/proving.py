"""Machines, families of simulators and components as `prove` takes them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.kinds import kind_of, kinds
from weightproof.machines import COMPONENTS
from weightproof.proofs.machines.components import prove_components, theorems
from weightproof.proofs.machines.prove import number_of_theorems, prove_family, prove_machine, prove_recurrent
from weightproof.reports.proving import Simulated

STEPS = "steps are compared as polynomials, by exact arithmetic, and no solver is asked"


def simulated(given: str | Path | object) -> Simulated | None:
    """A machine or a recurrent network, or what a name or a path names, if that is a machine, a family or the
    components of a transformer; InputError for a malformed machine or circuit."""
    match given:
        case TuringMachine():
            return Simulated(given.name, 1 + len(FAMILIES), partial(prove_machine, given), STEPS, is_named=False)
        case RNN():
            return Simulated(given.name, len(FAMILIES), partial(prove_recurrent, given), STEPS, is_named=False)
        case str() | Path():
            return _named(str(given))
    return None


def _named(argument: str) -> Simulated | None:
    if (kind := kind_of(argument)) is not None:
        return kind.theorems(argument)
    if argument in FAMILIES | AS_PRINTED:
        return Simulated(argument, number_of_theorems(argument), partial(prove_family, argument), STEPS)
    if argument == COMPONENTS:
        return Simulated(argument, len(theorems()), prove_components, STEPS)
    machine = find_machine(argument)
    if machine is None:
        return None
    return Simulated(argument, 1 + len(FAMILIES), partial(prove_machine, machine), STEPS)


def everything() -> Iterator[str]:
    """The families, the components, the shipped machines, and the families of other kinds with their examples."""
    yield from (*FAMILIES, *AS_PRINTED, COMPONENTS)
    yield from SHIPPED
    for kind in kinds():
        yield from kind.names()
