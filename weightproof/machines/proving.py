"""Machines, families of simulators and components as `prove` takes them."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.kinds import kind_of, kinds
from weightproof.machines import COMPONENTS
from weightproof.proofs.machines.components import prove_components, theorems
from weightproof.proofs.machines.prove import number_of_theorems, prove_family, prove_machine
from weightproof.reports.proving import Simulated


def simulated(argument: str) -> Simulated | None:
    """What an argument names, if it names a machine, a family or the components of a transformer; InputError for a
    malformed machine or circuit."""
    if (kind := kind_of(argument)) is not None:
        return kind.theorems(argument)
    if argument in FAMILIES | AS_PRINTED:
        return Simulated(argument, number_of_theorems(argument), lambda timeout: prove_family(argument, timeout))
    if argument == COMPONENTS:
        return Simulated(argument, len(theorems()), prove_components)
    machine = find_machine(argument)
    if machine is None:
        return None
    return Simulated(argument, 1 + len(FAMILIES), lambda timeout: prove_machine(machine, timeout))


def everything() -> Iterator[str]:
    """The families, the components, the shipped machines, and the families of other kinds with their examples."""
    yield from (*FAMILIES, *AS_PRINTED, COMPONENTS)
    yield from SHIPPED
    for kind in kinds():
        yield from kind.names()
