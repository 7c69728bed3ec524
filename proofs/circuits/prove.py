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

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.circuits.regular import Automaton
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.circuits.deciding import (
    Gaps,
    decide,
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
    """What the theorem file says of the decoders of a family."""
    return importlib.import_module(f"weightproof.proofs.theorems.{CIRCUITS[family][0]}")


def decide_circuit(family: str, circuit: Circuit, format: FixedPoint | None = None) -> Decided:
    """Whether the decoder appends the values of all gates of a circuit, on every input."""
    network = circuit_network_of(family, circuit, format)
    return decide(network, theorem_of(family).layout_of(circuit))


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
    theorem = theorem_of(family)
    arithmetic = EveryFormat(theorem.LEAST)

    def heads() -> Gaps:
        return block_gaps(theorem.of_bits, theorem.layout, arithmetic)

    def gates() -> Gaps:
        return step_gaps(theorem.of_bits(ONE_BIT), theorem.layout(ONE_BIT), arithmetic)

    def tables() -> Gaps:
        for circuit in small_circuits():
            for name, reason in table_gaps(circuit_network_of(family, circuit), theorem.layout_of(circuit)):
                yield f"{circuit.name}, {name}", reason

    def whole() -> Gaps:
        return itertools.chain(row_gaps(theorem.row_of, theorem.layout), tables(), heads(), gates())

    formats = f"formats with B >= {theorem.LEAST} in which exp(-B) is rounded to 0"
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
        Stated(EVERY, said, f"up to 2^{WIDEST} wires, all inputs, {formats}", _closed(whole)),
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
            _closed(functools.partial(format_gaps, Sufficient(family, theorem.LEAST))),
            evidence=Evidence.BOUNDED,
        ),
    )


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
