"""Machines and families of simulators as `prove` takes them."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.proofs.machines.prove import number_of_theorems, prove_family, prove_machine
from weightproof.reports.proving import Simulated


def simulated(argument: str) -> Simulated | None:
    """What an argument names, if it names a machine or a family; InputError for a malformed machine."""
    if argument in FAMILIES | AS_PRINTED:
        return Simulated(argument, number_of_theorems(argument), lambda: prove_family(argument))
    machine = find_machine(argument)
    return None if machine is None else Simulated(argument, 1 + len(FAMILIES), lambda: prove_machine(machine))


def everything() -> Iterator[str]:
    """The families and the shipped machines."""
    yield from (*FAMILIES, *AS_PRINTED)
    yield from SHIPPED
