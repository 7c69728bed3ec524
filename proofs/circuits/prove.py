"""The theorems about circuits by chain of thought, with their verdicts."""

from __future__ import annotations

import functools
import importlib
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Literal

from weightproof.constructions.circuits.circuit import Circuit, inputs_of
from weightproof.constructions.circuits.family import Family, Makes
from weightproof.constructions.circuits.regular import Automaton
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of, circuits_of
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.circuits.deciding import (
    FEW_INPUTS,
    Gaps,
    decide,
    diverges,
    settled,
    small_circuits,
    step_gaps,
    table_gaps,
)
from weightproof.proofs.circuits.formats import BITS, Sufficient, format_gaps, wrong_circuit
from weightproof.proofs.circuits.regular import regular_gaps
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.deadline import TIMEOUT, Deadline
from weightproof.proofs.machines.timed import Decided, in_time, verdict
from weightproof.proofs.verdict import Evidence, Proved, Result, Verdict
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat

EVERY = "every circuit"


@dataclass(frozen=True)
class Stated:
    """scope: what a proof is of."""

    name: str
    statement: str
    scope: str
    decide: Callable[[], Decided]
    expected: Literal["proved", "refuted"] = "proved"
    evidence: Evidence = Evidence.CERTIFICATE


def theorem_of(family: str) -> ModuleType:
    """The theorem file about the decoders of a family."""
    return importlib.import_module(f"weightproof.proofs.theorems.{CIRCUITS[family][0]}")


def decide_circuit(family: str, circuit: Circuit, format: FixedPoint | None = None) -> Decided:
    """Whether the decoder appends the values of all gates of a circuit, on every input; open where there are none."""
    if not circuit.gates:
        return Decided(0, gap=("", "the circuit has no gates, and the theorem is about their values: it is vacuous"))
    network = circuit_network_of(family, circuit, format)
    return decide(network, circuits_of(family).layout_of(circuit))


def of_circuit(circuit: Circuit) -> tuple[Stated, ...]:
    """That its decoders append the value of every gate."""
    return tuple(
        Stated(
            family,
            f"{family} appends the value of each of its {len(circuit.gates)} gates",
            "all inputs",
            functools.partial(decide_circuit, family, circuit),
        )
        for family in CIRCUITS
        if family not in CIRCUITS_AS_PRINTED
    )


def of_family(family: str) -> tuple[Stated, ...]:
    """The two lemmas and the theorem, of all circuits and formats; of one as printed, that it fails."""
    said = "the decoder appends the value of every gate"
    if family in CIRCUITS_AS_PRINTED:
        refuted = functools.partial(_refuted, family, (None,))
        return (Stated(EVERY, said, "", refuted, "refuted"),)
    made, least = circuits_of(family), theorem_of(family).LEAST
    arithmetic = EveryFormat(least)

    def heads() -> Gaps:
        return block_gaps(made.decoder, made.layout, arithmetic)

    def gates() -> Gaps:
        return step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), arithmetic)

    formats = f"formats with B >= {least} in which exp(-B) is rounded to 0"
    return (
        Stated(
            "attention lemma",
            "a score is 0 at the address and -B elsewhere, where nothing has weight",
            f"numbers of up to {WIDEST} bits, {formats}",
            _closed(heads),
        ),
        Stated(
            "gate lemma",
            "the value of a gate, AND and NOT, is made of those of its wires",
            f"all inputs, {formats}",
            _closed(gates),
        ),
        Stated(
            EVERY,
            said,
            f"up to 2^{WIDEST} wires, all inputs, {formats}",
            functools.partial(decide_every, made, least),
        ),
        Stated(
            "every format",
            f"{said}, in every format in which exp(-B) is rounded to 0",
            "",
            functools.partial(_refuted, family, TOO_SMALL),
            "refuted",
        ),
        Stated(
            "which formats",
            f"{said} exactly in {formats}",
            f"formats of up to {BITS} bits",
            _closed(functools.partial(format_gaps, Sufficient(family, least))),
            evidence=Evidence.BOUNDED,
        ),
    )


def decide_every(made: Makes, least: int, inputs: int = FEW_INPUTS) -> Decided:
    """Whether the decoders of all circuits of so many wires append the value of every gate, in all formats with B >=
    least in which exp(-B) is rounded to 0. Members of a `Family` are rows for gates and a number for B, and nothing
    else; of any other function, which may make another decoder of a longer circuit, nothing is proved. inputs: the most
    of those circuits that are run to refute it."""
    if not isinstance(made, Family):
        refuting = (diverges(made(circuit), word) for circuit in small_circuits(inputs) for word in inputs_of(circuit))
        divergence = next((each for each in refuting if each is not None), None)
        reason = "a function makes them, and may make another one of a larger circuit: write a Family of them"
        return Decided(0, divergence, ("the decoders of circuits", reason))

    def tables() -> Gaps:
        for circuit in small_circuits():
            for name, reason in table_gaps(made(circuit), made.layout_of(circuit)):
                yield f"{circuit.name}, {name}", reason

    arithmetic = EveryFormat(least)
    heads = block_gaps(made.decoder, made.layout, arithmetic)
    gates = step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), arithmetic)
    return settled(itertools.chain(row_gaps(made), tables(), heads, gates))


TOO_SMALL = (FixedPoint(2, 0), FixedPoint(3, 1))
"""Formats in which exp(-B) is rounded to 0, and not every circuit is."""


def of_automaton(name: str, automaton: Automaton) -> tuple[Stated, ...]:
    """That its circuits, and so the decoders that append the values of their gates, recognise its language."""
    family = next(family for family in CIRCUITS if family not in CIRCUITS_AS_PRINTED)
    whole = next(stated for stated in of_family(family) if stated.name == EVERY)

    def decoders() -> Decided:
        circuits, decided = settled(regular_gaps(automaton)), whole.decide()
        if circuits.gap is not None:
            return circuits
        return replace(decided, obligations=decided.obligations + circuits.obligations)

    return (
        Stated(
            "circuits",
            f"its circuit of n symbols is 1 exactly on the words of n symbols in {name}",
            "all lengths from 1 on",
            _closed(functools.partial(regular_gaps, automaton)),
        ),
        Stated(
            family,
            f"the last token that is appended is 1 exactly on the words in {name}",
            f"all lengths from 1 on, {whole.scope}",
            decoders,
        ),
    )


def prove_automaton(name: str, automaton: Automaton, timeout: float = TIMEOUT) -> Iterator[Result]:
    """The theorems about a regular language, each in so many seconds."""
    return (_result(name, stated, timeout) for stated in of_automaton(name, automaton))


def _closed(gaps: Callable[[], Gaps]) -> Callable[[], Decided]:
    """Decided by obligations alone."""
    return lambda: settled(gaps())


def _refuted(family: str, formats: Sequence[FixedPoint | None]) -> Decided:
    """By the first small circuit that is computed wrong in one of these formats; None is the family's own one."""
    found = (divergence for format in formats if (divergence := wrong_circuit(family, format)) is not None)
    divergence = next(found, None)
    return Decided(0, divergence, None if divergence else (EVERY, "no small circuit shows that it fails"))


def prove_circuit(circuit: Circuit, timeout: float = TIMEOUT) -> Iterator[Result]:
    """The theorems about a circuit, each in so many seconds."""
    return (_result(circuit.name, stated, timeout) for stated in of_circuit(circuit))


def prove_circuit_family(family: str, timeout: float = TIMEOUT) -> Iterator[Result]:
    """The theorems about a family of CIRCUITS, each in so many seconds."""
    return (_result(family, stated, timeout) for stated in of_family(family))


def _result(construction: str, stated: Stated, timeout: float) -> Result:
    begin = time.monotonic()
    decided = in_time(Deadline.after(timeout), stated.decide)
    found: Verdict = verdict(decided)
    return Result(
        construction=construction,
        theorem=stated.name,
        statement=stated.statement,
        given=(),
        accepts=None,
        verdict=Proved(stated.scope, stated.evidence) if isinstance(found, Proved) else found,
        expected=stated.expected,
        solvers=(),
        obligations={stated.evidence.value: decided.obligations},
        seconds=time.monotonic() - begin,
        solver_seconds=0.0,
    )
