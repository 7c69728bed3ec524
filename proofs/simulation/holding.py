"""Invariants: what the input of each step of an encoder-decoder holds beside the state that it simulates, as data; and
what that says of an input, as hypotheses of a step and as what is to be shown of the next input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from flint import fmpq

from weightproof.constructions.machines.simulation import Simulation
from weightproof.proofs.solving.polynomials import Fact
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Values, interval

STEP, HALVED = "t", "2^-t"
LATER = "[t>0]"
"""1 at all steps but step 0, and 0 there."""


@dataclass(frozen=True)
class Multiple:
    """A number times STEP, HALVED, LATER, a number, or a `share`."""

    factor: fmpq
    of: str


@dataclass(frozen=True)
class AtLeast:
    """A number times the share of the first position after this step, at step 0 at least 0."""

    factor: fmpq


@dataclass(frozen=True)
class Within:
    """Some value from 0 to `most`, and not 0 if it is said to be positive."""

    most: fmpq
    positive: bool = False


@dataclass(frozen=True)
class Positive:
    """Some number that is greater than 0."""


@dataclass(frozen=True)
class Anything:
    """Some number."""


Held: TypeAlias = str | Multiple | AtLeast | Within | Positive | Anything
Invariant = Mapping[str, Held]
"""Coordinate of the decoder's input at step t -> STEP, HALVED, LATER, a number, `share` of a token, or what is less
exact; coordinates that are missing hold 0, but for those of the simulated state."""


def tells_step_0_apart(invariant: Invariant) -> bool:
    """Whether it says of step 0 what it does not say of all others: that is no state to put in there."""
    return any(LATER in (said, said.of if isinstance(said, Multiple) else "") for said in invariant.values())


ZERO = Polynomial()
NEXT, FIRST = "the next input", "the input of step 0"
FIRST_POSITION = "share of the first position after this step"
"""What `AtLeast` speaks of."""
HELD = "held in "
"""Of a coordinate, begins the name of the atom for what it holds where that is not said exactly."""


@dataclass(frozen=True)
class Gap:
    """Where a vector is not what it has to be, or may not be: which one, the coordinate, and what it holds
    and should hold."""

    vector: str
    coordinate: str
    found: Polynomial
    wanted: Polynomial | AtLeast | Within | Positive

    def __str__(self) -> str:
        match self.wanted:
            case Within(most, positive):
                wanted = f"from 0 to {most}{' and positive' if positive else ''}"
            case AtLeast(factor):
                wanted = f"at least {factor} times the share of the first position"
            case Positive():
                wanted = "positive"
            case _:
                wanted = str(self.wanted)
        vector = f"{self.vector}: " if self.vector else ""
        return f"{vector}{self.coordinate!r} is {self.found}, not {wanted}"

    def is_closed(self, values: Values, region: Region) -> bool:
        match self.wanted:
            case Polynomial():
                return self.found == self.wanted
            case AtLeast():
                return region.is_not_negative(self.found - _least(self.wanted, values))
            case Positive():
                return region.is_positive(self.found)
            case Within(most, positive):
                bounds = region.bounds(self.found)
                inside = bounds is not None and bounds[0] >= 0 and bounds[1] <= most
                return inside and (not positive or region.is_positive(self.found))

    def facts(self, values: Values) -> Iterator[Fact]:
        """What has to be so of polynomials."""
        match self.wanted:
            case Polynomial():
                yield "=", self.found - self.wanted
            case AtLeast():
                yield ">=", self.found - _least(self.wanted, values)
            case Positive():
                yield ">", self.found
            case Within(most, positive):
                yield ">" if positive else ">=", self.found
                yield ">=", Polynomial.number(most) - self.found


def comparisons_of(
    vector: str, simulation: Simulation, invariant: Invariant, found: Values, values: Values
) -> Iterator[Gap]:
    """Whether a vector holds the state and what an invariant says; values: of the units, and of the atoms."""
    for name in simulation.network.coordinates:
        held, said = found.get(name, ZERO), invariant.get(name, "0")
        if name in simulation.rnn.units:
            yield Gap(vector, name, held, values.get(name, ZERO))
        elif isinstance(said, str | Multiple):
            yield Gap(vector, name, held, read(said, name, values))
        elif not isinstance(said, Anything):
            yield Gap(vector, name, held, said)


def _least(said: AtLeast, values: Values) -> Polynomial:
    return Polynomial.number(said.factor) * values[FIRST_POSITION]


def read(said: Held, name: str, values: Values) -> Polynomial:
    """What is said of a coordinate: an atom of its own where no value is."""
    match said:
        case AtLeast():
            return _least(said, values) + Polynomial.atom(HELD + name)
        case Within() | Positive() | Anything():
            return Polynomial.atom(HELD + name)
        case Multiple(factor, of):
            return Polynomial.number(factor) * read(of, name, values)
        case str():
            return values[said] if said in values else Polynomial.number(fmpq(said))


def known_of(invariant: Invariant, region: Region) -> Region:
    """A region, with what an invariant says of the atoms of coordinates."""
    intervals, positive, more = [], set(), set()
    for name, said in invariant.items():
        match said:
            case Within(most, is_positive):
                intervals.append(interval(HELD + name, 0, most))
                if is_positive:
                    positive.add(HELD + name)
            case Positive():
                positive.add(HELD + name)
            case AtLeast():
                more.add(HELD + name)
    return replace(
        region,
        simplices=(*region.simplices, *intervals),
        positive=region.positive | positive,
        not_negative=region.not_negative | more,
    )
