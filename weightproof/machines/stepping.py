"""What the recurrent network of a Turing machine makes of every configuration, step by step, for `derive`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.machines.formulas import nonzero
from weightproof.proofs.simulation.prove import parts_of
from weightproof.proofs.simulation.simulates import Passage
from weightproof.symbolic.simulation.parts import arguments
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values

NOTHING = Polynomial()


@dataclass(frozen=True)
class Taken:
    """A step of the network: what it reads, and what its units are the saturated values of, and so hold."""

    token: str
    arguments: Values
    held: Values


@dataclass(frozen=True)
class Followed:
    """An obligation with the steps that the network takes; gap: where it does not hold, if it does not."""

    obligation: Passage
    steps: tuple[Taken, ...]
    gap: str | None


def followed(network: MachineNetwork) -> Iterator[tuple[str, tuple[Followed, ...]]]:
    """Every obligation of the theorem that the network runs its machine, by what they are about."""
    for about, obligations in parts_of(network).items():
        yield about, tuple(_followed(network.rnn, each) for each in obligations)


def _followed(rnn: RNN, each: Passage) -> Followed:
    steps, held = [], each.before
    for token in each.tokens:
        given = arguments(rnn, held, token)
        held = {unit: each.region.saturated(x) for unit, x in given.items()}
        steps.append(Taken(token, nonzero(given), nonzero(held)))
    return Followed(each, tuple(steps), each.gap(rnn))


def region_as_text(region: Region) -> str:
    """Where its atoms are."""
    return " and ".join(map(_where, region.simplices))


def _where(simplex: Simplex) -> str:
    if len(simplex.atoms) == 1:
        least, most = (x for [x] in simplex.vertices)
        return f"{least} <= {simplex.atoms[0]} <= {most}"
    corners = ", ".join(f"({', '.join(map(str, point))})" for point in simplex.vertices)
    return f"({', '.join(simplex.atoms)}) in the convex hull of {corners}"
