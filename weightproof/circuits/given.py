"""Which circuit and which format are meant: a name, a file, and the values of --param."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.circuits.files import find_circuit, written
from weightproof.constructions.circuits.network import CircuitNetwork
from weightproof.constructions.library import CIRCUITS, circuit_network_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.fixed_point import FEWEST, MOST, FixedPoint
from weightproof.proofs.circuits.formats import forgets

CIRCUIT, BITS, FRACTION = "circuit", "bits", "fraction"
DEFAULT = next(iter(CIRCUITS))
"""The family that runs a circuit."""


@dataclass(frozen=True)
class Member:
    """A circuit, by a family, in a format; None is the family's own one."""

    argument: str
    family: str
    circuit: Circuit
    format: FixedPoint | None

    @property
    def network(self) -> CircuitNetwork:
        return circuit_network_of(self.family, self.circuit, self.format)


def member(argument: str, given: Mapping[str, str], inputs: int) -> Member:
    """The one that is meant; inputs: of a circuit that is written out in --param. InputError for what is none."""
    known = (CIRCUIT, BITS, FRACTION) if argument in CIRCUITS else (BITS, FRACTION)
    for name in given:
        if name not in known:
            raise InputError(f"{argument}: no parameter {name!r}; it has {', '.join(known)}")
    if argument not in CIRCUITS:
        circuit = find_circuit(argument)
        assert circuit is not None
        return Member(argument, DEFAULT, circuit, format_of(argument, given))
    if CIRCUIT not in given:
        raise InputError(
            f"{argument}: say which circuit, as --param {CIRCUIT}='AND(1,2) NOT(3)', or name a file of one"
        )
    circuit = replace(written(given[CIRCUIT], inputs), name=given[CIRCUIT])
    return Member(argument, argument, circuit, format_of(argument, given))


def format_of(argument: str, given: Mapping[str, str]) -> FixedPoint | None:
    """That of bits and fraction; InputError where there is no such format, and where exp(-B) is not rounded to 0, with
    the smallest one in which it is."""
    if BITS not in given and FRACTION not in given:
        return None
    fraction = _whole(argument, FRACTION, given.get(FRACTION, "0"), 0, MOST - 1)
    bits = _whole(argument, BITS, given.get(BITS, str(fraction + FEWEST)), FEWEST, MOST)
    format = FixedPoint(bits, fraction)
    if fraction >= bits:
        raise InputError(f"{argument}: {format.name}, and one is the sign: give more bits")
    if not forgets(format):
        enough = next(more for more in range(bits, MOST + 1) if forgets(FixedPoint(more, fraction)))
        raise InputError(
            f"{argument}: with {format.name} exp(-B) = exp(-{format.greatest}) is not rounded to 0, so that "
            f"what is not looked for has a weight; with {fraction} behind the point it takes at least {enough} bits"
        )
    return format


def _whole(argument: str, name: str, said: str, least: int, most: int) -> int:
    if not said.strip().isdecimal() or not least <= int(said) <= most:
        raise InputError(f"{argument}: {name} = {said}: give a whole number from {least} to {most}")
    return int(said)
