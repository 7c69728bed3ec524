"""The theorems about circuits by chain of thought, with their verdicts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.circuits.family import Family
from weightproof.constructions.circuits.regular import Automaton
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of, circuits_of
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.circuits.deciding import (
    BITS,
    Sufficient,
    decide,
    format_gaps,
    obligations,
    small_circuits,
    step_gaps,
    table_gaps,
    wrong_circuit,
)
from weightproof.proofs.circuits.regular import regular_gaps
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import Decided, Exact, Obligation, Obligations, checked, first, settle
from weightproof.proofs.theorem import theorem_file
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat

EVERY, SMALL = "every circuit", "small circuits"
TABLES = "rows of tables, states of scores and gates of circuits are gone through, in which there is no unknown"
OfGates = functools.partial(Exact, unwritten=TABLES)


def theorem_of(family: str) -> Any:
    """The theorem file about the decoders of a family."""
    return theorem_file(CIRCUITS[family][0])


def decide_circuit(
    family: str, circuit: Circuit, deadline: Deadline | None = None, format: FixedPoint | None = None
) -> Decided:
    """Whether the decoder appends the values of all gates of a circuit, on every input; open where there are none."""
    if not circuit.gates:
        return Decided((), gap=("", "the circuit has no gates, and the theorem is about their values: it is vacuous"))
    network = circuit_network_of(family, circuit, format)
    return decide(network, circuits_of(family).layout_of(circuit), deadline)


def of_circuit(circuit: Circuit) -> tuple[Exact, ...]:
    """That its decoders append the value of every gate."""
    return tuple(
        OfGates(
            circuit.name,
            family,
            f"{family} appends the value of each of its {len(circuit.gates)} gates",
            "all inputs",
            functools.partial(_of_gates, family, circuit),
            functools.partial(decide_circuit, family, circuit),
        )
        for family in CIRCUITS
        if family not in CIRCUITS_AS_PRINTED
    )


def _of_gates(family: str, circuit: Circuit) -> Obligations:
    return obligations(circuit_network_of(family, circuit), circuits_of(family).layout_of(circuit))


def of_family(family: str) -> tuple[Exact, ...]:
    """The two lemmas and the theorem, of all circuits and formats; of one as printed, that it fails."""
    said = "the decoder appends the value of every gate"
    if family in CIRCUITS_AS_PRINTED:
        refuted = functools.partial(_refuted, family, (None,))
        return (OfGates(family, EVERY, said, "", _not_so, refuted, expected="refuted"),)
    made, least = circuits_of(family), theorem_of(family).LEAST
    formats = f"formats with B >= {least} in which exp(-B) is rounded to 0"
    return (
        OfGates(
            family,
            "attention lemma",
            "a score is 0 at the address and -B elsewhere, where nothing has weight",
            f"numbers of up to {WIDEST} bits, {formats}",
            lambda: block_gaps(made.decoder, made.layout, EveryFormat(least)),
        ),
        OfGates(
            family,
            "gate lemma",
            "the value of a gate, AND and NOT, is made of those of its wires",
            f"all inputs, {formats}",
            lambda: step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), EveryFormat(least)),
        ),
        OfGates(
            family,
            EVERY,
            said,
            f"up to 2^{WIDEST} wires, all inputs, {formats}",
            functools.partial(of_every_circuit, made, least),
        ),
        OfGates(
            family,
            "every format",
            f"{said}, in every format in which exp(-B) is rounded to 0",
            "",
            _not_so,
            functools.partial(_refuted, family, TOO_SMALL),
            expected="refuted",
        ),
        OfGates(
            family,
            "which formats",
            f"{said} exactly in {formats}",
            f"formats of up to {BITS} bits",
            functools.partial(format_gaps, Sufficient(family, least)),
            evidence=Evidence.BOUNDED,
        ),
    )


def of_every_circuit(made: Family, least: int) -> Iterator[Obligation]:
    """What there is to show of the decoders of a family."""
    yield from row_gaps(made)
    for circuit in small_circuits():
        for each in table_gaps(made(circuit), made.layout_of(circuit)):
            yield replace(each, name=f"{circuit.name}, {each.name}", part=SMALL)
    yield from block_gaps(made.decoder, made.layout, EveryFormat(least))
    yield from step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), EveryFormat(least))


TOO_SMALL = (FixedPoint(2, 0), FixedPoint(3, 1))
"""Formats in which exp(-B) is rounded to 0, and not every circuit is."""


def of_automaton(name: str, automaton: Automaton) -> tuple[Exact, ...]:
    """That its circuits, and so the decoders that append the values of their gates, recognise its language."""
    family = next(family for family in CIRCUITS if family not in CIRCUITS_AS_PRINTED)
    [whole] = [stated for stated in of_family(family) if stated.name == EVERY]
    circuits = functools.partial(regular_gaps, automaton)
    return (
        OfGates(
            name,
            "circuits",
            f"its circuit of n symbols is 1 exactly on the words of n symbols in {name}",
            "all lengths from 1 on",
            circuits,
        ),
        OfGates(
            name,
            family,
            f"the last token that is appended is 1 exactly on the words in {name}",
            f"all lengths from 1 on, {whole.scope}",
            lambda: itertools.chain(circuits(), whole.obligations()),
        ),
    )


def _not_so() -> Obligations:
    return [checked(EVERY, "no small circuit shows that it fails")]


def _refuted(family: str, formats: Sequence[FixedPoint | None], deadline: Deadline) -> Decided:
    """By the first small circuit that is computed wrong in one of these formats; None is the family's own one."""
    found = (wrong_circuit(family, format) for format in formats)
    return settle(_not_so(), lambda: first(found), deadline=deadline)
