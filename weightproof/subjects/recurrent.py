"""Recurrent networks: those that Python hands over, and the families of transformers that simulate every one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.machines.rnn import RNN
from weightproof.kinds import RECURRENT, SIMULATORS, Measuring, Running
from weightproof.reported import Ran
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.proofs.prover import Exact
    from weightproof.reports.claiming import ToJudge
    from weightproof.reports.explanation import Explanation


@dataclass(frozen=True)
class Recurrent(Subject):
    rnn: RNN
    kind = RECURRENT
    is_named = False

    @property
    def argument(self) -> str:  # type: ignore[override]
        return self.rnn.name

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.simulation.prove import of_recurrent

        return of_recurrent(self.rnn)

    def _explained(self) -> Explanation:
        from weightproof.machines.deriving import RecurrentExplained

        return RecurrentExplained(self.rnn)


@dataclass(frozen=True)
class Simulators(Subject):
    """A transformer for every recurrent network. parameters, of a run: numbers of the smallest network."""

    argument: str
    kind = SIMULATORS

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.machines.running import family_ran

        return family_ran(self.argument, word, how)

    def _theorems(self) -> Sequence[Exact]:
        from weightproof.proofs.simulation.prove import of_family

        return of_family(self.argument)

    def _explained(self) -> Explanation:
        from weightproof.machines.deriving import SimulatorExplained

        return SimulatorExplained(self.argument)

    @property
    def _without_claims(self) -> str | None:
        return f"ask for {' or '.join(AS_PRINTED)}" if self.argument not in AS_PRINTED else None

    def _to_judge(self) -> ToJudge:
        from weightproof.reports.claiming import named_to_judge

        return named_to_judge(self.argument)

    @property
    def attentions(self) -> tuple[str, ...]:
        from weightproof.numeric.decoding.layers import IMPLEMENTATIONS

        return IMPLEMENTATIONS

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.tapes import of_family

        return of_family(self.argument, how)


def found(argument: str) -> Simulators | None:
    return Simulators(argument) if argument in FAMILIES | AS_PRINTED else None


def named() -> Iterator[str]:
    yield from (*FAMILIES, *AS_PRINTED)


def listed() -> Iterator[Listing]:
    told = f"transformers for every recurrent network: {', '.join(named())}"
    yield Listing("families", [{"name": name} for name in named()], line=told)
