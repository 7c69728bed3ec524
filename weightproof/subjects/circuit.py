"""Boolean circuits, the decoders that compute them, and regular languages, which have a circuit for each length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof import kinds
from weightproof.circuits.listing import REGULAR
from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS, printed_of
from weightproof.kinds import Running, Showing
from weightproof.reported import Ran, Shown
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.proofs.prover import Exact
    from weightproof.reports.claiming import ToJudge
    from weightproof.reports.explanation import Explanation


@dataclass(frozen=True)
class OfGates(Subject):
    """What runs gate by gate. Print speaks of the decoder that runs every circuit."""

    argument: str

    @property
    def _without_claims(self) -> str | None:
        return None if self.argument in with_claims() else f"ask for {' or '.join(with_claims())}"

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.circuits.members import member
        from weightproof.circuits.running import ran

        return ran(member(self.argument, how.parameters, word), word, how)


@dataclass(frozen=True)
class WithDecoder(OfGates):
    """What has one decoder: a circuit, or all of them."""

    def _explained(self) -> Explanation:
        from weightproof.circuits.deriving import CircuitExplained

        return CircuitExplained(self.argument)


@dataclass(frozen=True)
class OneCircuit(WithDecoder):
    circuit: Circuit
    kind = kinds.CIRCUIT

    def _show(self, how: Showing) -> Shown:
        from weightproof.circuits.members import ShownCircuit, member

        return ShownCircuit(member(self.argument, how.parameters, ""))

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.circuits.prove import of_circuit

        return of_circuit(self.circuit)


@dataclass(frozen=True)
class EveryCircuit(WithDecoder):
    kind = kinds.CIRCUITS

    def _show(self, how: Showing) -> Shown:
        from weightproof.circuits.members import ShownCircuits

        return ShownCircuits(self.argument)

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.circuits.prove import of_family

        return of_family(self.argument)

    def _to_judge(self) -> ToJudge:
        from weightproof.reports.claiming import named_to_judge

        return named_to_judge(self.argument)


@dataclass(frozen=True)
class RegularLanguage(OfGates):
    kind = kinds.REGULAR

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.constructions.circuits.regular import automaton_of
        from weightproof.proofs.circuits.prove import of_automaton

        return of_automaton(self.argument, automaton_of(self.argument.removeprefix(REGULAR)))


def found(argument: str) -> OfGates | None:
    """InputError for a malformed file."""
    if argument in CIRCUITS:
        return EveryCircuit(argument)
    if argument.startswith(REGULAR):
        return RegularLanguage(argument)
    circuit = find_circuit(argument)
    return None if circuit is None else OneCircuit(argument, circuit)


def named() -> Iterator[str]:
    yield from (*CIRCUITS, *SHIPPED)


def with_claims() -> tuple[str, ...]:
    """The families of which print speaks."""
    return tuple(name for name in CIRCUITS if printed_of(name) is not None)


def listed() -> Iterator[Listing]:
    from weightproof.circuits.listing import overview, rows

    yield Listing("circuits", rows(), overview())
