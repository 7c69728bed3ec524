"""In which formats a decoder computes every circuit: format by format, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from weightproof.constructions.circuits.circuit import Circuit, conjunction, inputs_of, negation
from weightproof.constructions.circuits.family import Family
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.scalars.fixed_point import FEWEST, FixedPoint, rounded
from weightproof.proofs.certified import Gaps
from weightproof.proofs.circuits.deciding import diverges, small_circuits, step_gaps
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.fixed_point.arithmetic import OneFormat

BITS = 8
"""Of the widest format that is gone through."""
TRIED = Circuit("a NAND of two", 2, (conjunction(1, 2), negation(3)))
"""Of whose decoder, in each format, heads and gates are derived."""


@dataclass(frozen=True)
class Sufficient:
    """A family, and the B from which on it is said to compute every circuit."""

    family: str
    least: int


def formats(bits: int = BITS) -> Iterator[FixedPoint]:
    """All formats of so many bits at most, but for those without a bit before the point and the sign."""
    for total in range(FEWEST, bits + 1):
        for fraction in range(total):
            yield FixedPoint(total, fraction)


def forgets(format: FixedPoint) -> bool:
    """Whether exp(-B) is rounded to 0: the assumption of the proof of theorem 3.4."""
    return rounded(-format.greatest, format).exp().sign == 0


def enough(format: FixedPoint, said: Sufficient) -> bool:
    """Whether the decoder computes every circuit in it, as is said."""
    return format.greatest >= said.least and forgets(format)


def format_gaps(said: Sufficient) -> Gaps:
    """Of each format: it is one of those of the theorem and its heads and gates are derived anew, or else some circuit
    is computed wrong, run exactly."""
    for format in formats():
        yield format.name, _gap(format, said)


def _gap(format: FixedPoint, said: Sufficient) -> str | None:
    if not enough(format, said):
        return None if wrong_circuit(said.family, format) else "no small circuit is computed wrong"
    network = circuit_network_of(said.family, TRIED, format)
    gaps = step_gaps(network.network, circuits_of(said.family).layout_of(TRIED), OneFormat(format))
    return next((f"{name}: {reason}" for name, reason in gaps if reason is not None), None)


def wrong_circuit(family: str, format: FixedPoint | None = None, made: Family | None = None) -> Counterexample | None:
    """A circuit, with an input and a step, that the decoder computes wrong in a format: a small one, or a NOT of the
    first of many inputs that are all otherwise, each of which keeps a little weight.

    made: decoders that stand for those of the family.
    """
    made = circuits_of(family) if made is None else made
    small = ((circuit, word) for circuit in small_circuits() for word in inputs_of(circuit))
    for circuit, word in itertools.chain(small, () if format is None else _long(format)):
        found = diverges(made(circuit, format), word)
        if found is not None:
            given = {} if format is None else {"bits": str(format.bits), "fraction": str(format.fraction)}
            return replace(found, construction=family, parameters={"circuit": listed(circuit.gates), **given})
    return None


def _long(format: FixedPoint) -> Iterator[tuple[Circuit, str]]:
    """As many inputs as it takes units of weight to outweigh 1, and more."""
    for inputs in (2**format.fraction, 2 ** (format.fraction + 1)):
        for first, others in ("10", "01"):
            yield Circuit("a NOT of the first", inputs, (negation(1),)), first + others * (inputs - 1)
