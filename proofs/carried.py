"""What the input of each step of an encoder-decoder holds beside the state that it simulates: an invariant, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

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
