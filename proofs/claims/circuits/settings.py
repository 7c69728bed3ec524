"""The formats of which a claim is made, as few arithmetics, and what is derived in each of them once for all claims."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.circuits.family import Family
from weightproof.constructions.library import circuits_of
from weightproof.constructions.meaning.schema import Decoder, Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FEWEST, FixedPoint
from weightproof.proofs.certified import settle
from weightproof.proofs.circuits.deciding import forgets, small_circuits, table_gaps
from weightproof.proofs.circuits.prove import theorem_of
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.quantities.outcome import Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat, OneFormat
from weightproof.symbolic.fixed_point.decoder import Step, step

Formats = EveryFormat | OneFormat
"""The arithmetic of some formats."""


@dataclass(frozen=True)
class Setting:
    """The arithmetic of some formats, and one of them, in which is run what differs."""

    arithmetic: Formats
    format: FixedPoint


def settings(family: str, least: int) -> Iterator[Setting]:
    """Together all formats with B >= least in which exp(-B) is rounded to 0.

    Those with B >= L, the least of the theorem, have one arithmetic. Others are few: where B < L, exp(-B) is more than
    4^-L, and not rounded to 0 if there are 2 L bits behind the point, or more.
    """
    enough = max(least, theorem_of(family).LEAST)
    wide = next(each for bits in itertools.count(FEWEST) if (each := FixedPoint(bits, 0)).greatest >= enough)
    yield Setting(EveryFormat(enough), wide)
    for fraction in range(2 * enough):
        for bits in itertools.count(max(FEWEST, fraction + 1)):
            format = FixedPoint(bits, fraction)
            if format.greatest >= enough:
                break
            if format.greatest >= least and forgets(format):
                yield Setting(OneFormat(format), format)


def judged_in_formats(
    family: str,
    least: int,
    apart: Callable[[Formats], tuple[str, str] | None],
    seen: Callable[[Setting], Iterator[Difference]],
) -> Outcome:
    """apart: where what is derived in some formats is not what is said, and what it is; seen: where a run shows it."""
    for setting in settings(family, least):
        if (gap := apart(setting.arithmetic)) is not None:
            shown = next(seen(setting), None)
            return Open(": ".join(gap)) if shown is None else Fails(told(": ".join(gap)), shown)
    return Holds(scope(least), Evidence.CERTIFICATE.value)


def scope(least: int) -> str:
    """Of what is proved in all of these."""
    formats = f"formats with B >= {least}" if least > 1 else "every format"
    return f"up to 2^{WIDEST} wires, all inputs, {formats} in which exp(-B) is rounded to 0"


def scaled(family: str, scale: Expression | None) -> Family:
    """Its decoders with each score multiplied by a formula in d_h, the number of its products; None is their own."""
    made = circuits_of(family)
    if scale is None:
        return made

    def decoder(bits: Sequence[str]) -> Decoder:
        network = made.decoder(bits)
        layers = (replace(layer, heads=tuple(map(with_scale, layer.heads))) for layer in network.layers)
        return replace(network, layers=tuple(layers))

    def with_scale(head: Head) -> Head:
        return replace(head, scale=Expression(re.sub(r"\bd_h\b", str(len(head.W_Q)), scale.source)))

    return replace(made, decoder=decoder)


@functools.cache
def derived(family: str, arithmetic: Formats) -> Step:
    """A step of the decoder; Underivable as in `step`."""
    made = circuits_of(family)
    return step(made.decoder(ONE_BIT), made.layout(ONE_BIT), arithmetic)


@functools.cache
def layout_gap(family: str) -> tuple[str, str] | None:
    """Where a table is not laid out as every derivation takes for granted."""
    made = circuits_of(family)
    for circuit in small_circuits():
        gap = settle(table_gaps(made(circuit), made.layout_of(circuit))).gap
        if gap is not None:
            return f"{circuit.name}, {gap[0]}", gap[1]
    return settle(row_gaps(made)).gap


@functools.cache
def heads_gap(family: str, arithmetic: Formats, scale: Expression | None = None) -> tuple[str, str] | None:
    """Where what is derived of numbers of one bit is not shown of those of every width."""
    made = scaled(family, scale)
    return settle(block_gaps(made.decoder, made.layout, arithmetic)).gap
