"""The theorems about circuits by chain of thought, with their verdicts."""

from __future__ import annotations

import functools
import importlib
import itertools
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Literal

from weightproof.constructions.circuits.circuit import Circuit
from weightproof.constructions.library import CIRCUITS, circuit_network_of
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
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.machines.deciding import Decided
from weightproof.proofs.machines.prove import verdict
from weightproof.proofs.verdict import Evidence, Proved, Result, Verdict
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat

PRINTED = "-as-printed"
"""What the name of a family ends with that its source says, and that fails."""


def theorem_of(family: str) -> ModuleType:
    """What the theorem file says of the decoders of a family."""
    return importlib.import_module(f"weightproof.proofs.theorems.{CIRCUITS[family][0]}")


def decide_circuit(family: str, circuit: Circuit, format: FixedPoint | None = None) -> Decided:
    """Whether the decoder appends the values of all gates of a circuit, on every input."""
    network = circuit_network_of(family, circuit, format)
    return decide(network, theorem_of(family).layout_of(circuit))


def prove_circuit(circuit: Circuit) -> Iterator[Result]:
    """That its decoders append the value of every gate."""
    for family in CIRCUITS:
        if not family.endswith(PRINTED):
            said = f"{family} appends the value of each of its {len(circuit.gates)} gates"
            yield _result(circuit.name, family, said, "all inputs", functools.partial(decide_circuit, family, circuit))


def prove_circuit_family(family: str) -> Iterator[Result]:
    """The two lemmas and the theorem, of all circuits and formats; of one as printed, that it fails."""
    theorem = theorem_of(family)
    said = "the decoder appends the value of every gate"
    if family.endswith(PRINTED):
        refute = functools.partial(_refuted, family)
        yield _result(family, "every circuit", said, "", refute, "refuted")
        return
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
    score = "a score is 0 at the address, elsewhere -B, which has no weight"
    yield _result(family, "attention lemma", score, f"all numbers of up to {WIDEST} bits, {formats}", _closed(heads))
    makes = "of the values of its wires the value of a gate is made, NOT and AND"
    yield _result(family, "gate lemma", makes, f"all inputs, {formats}", _closed(gates))
    scope = f"circuits of up to 2^{WIDEST} wires, all inputs, {formats}"
    yield _result(family, "every circuit", said, scope, _closed(whole))
    any_format = f"{said}, in every format in which exp(-B) is rounded to 0"
    decided = functools.partial(_other_formats, family)
    yield _result(family, "every format", any_format, "", decided, "refuted")
    sufficient = f"{said} exactly in formats with B >= {theorem.LEAST} in which exp(-B) is rounded to 0"
    some = functools.partial(format_gaps, Sufficient(family, theorem.LEAST))
    yield _result(
        family, "which formats", sufficient, f"formats of up to {BITS} bits", _closed(some), evidence=Evidence.BOUNDED
    )


def _closed(gaps: Callable[[], Gaps]) -> Callable[[], Decided]:
    """Decided by obligations alone."""
    return lambda: settled(gaps(), iter(()))


def _refuted(family: str) -> Decided:
    divergence = wrong_circuit(family, FixedPoint(3, 0))
    return Decided(0, divergence, None if divergence else ("every circuit", "no small circuit shows that it fails"))


def _other_formats(family: str) -> Decided:
    """By a format in which exp(-B) is rounded to 0 and the decoder still fails."""
    for format in (FixedPoint(2, 0), FixedPoint(3, 1)):
        divergence = wrong_circuit(family, format)
        if divergence is not None:
            return Decided(0, divergence, None)
    return Decided(0, None, ("every format", "no small circuit shows that one fails"))


def _result(
    construction: str,
    theorem: str,
    statement: str,
    scope: str,
    decide: Callable[[], Decided],
    expected: Literal["proved", "refuted"] = "proved",
    evidence: Evidence = Evidence.CERTIFICATE,
) -> Result:
    begin = time.monotonic()
    decided = decide()
    found: Verdict = verdict(decided)
    return Result(
        construction=construction,
        theorem=theorem,
        statement=statement,
        given=(),
        accepts=None,
        verdict=Proved(scope, evidence) if isinstance(found, Proved) else found,
        expected=expected,
        solvers=(),
        obligations={evidence.value: decided.obligations},
        seconds=time.monotonic() - begin,
        solver_seconds=0.0,
    )


def number_of_theorems(argument: str) -> int:
    """How many there are of a family, or of a circuit."""
    if argument in CIRCUITS:
        return 1 if argument.endswith(PRINTED) else 5
    return sum(not family.endswith(PRINTED) for family in CIRCUITS)
