"""What decoders for circuits append, bits, and what exp(-B) is rounded to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from flint import fmpq

from weightproof.constructions.claims.circuits import (
    Appends,
    Computes,
    Forgets,
    OfBits,
)
from weightproof.constructions.claims.formulas import Always
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.fixed_point import rounded
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.certified import settle
from weightproof.proofs.circuits.deciding import formats, step_gaps, wrong_circuit
from weightproof.proofs.circuits.widths import ONE_BIT
from weightproof.proofs.claims.circuits.runs import DecoderDifference, runs
from weightproof.proofs.claims.circuits.settings import Setting, heads_gap, layout_gap, scaled, scope, settings
from weightproof.proofs.claims.formulas.always import judge_always
from weightproof.proofs.claims.formulas.exactly import told_number
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence


def judge_bits(said: OfBits) -> Outcome:
    """There are eight cases."""
    for bits in itertools.product((0, 1), repeat=3):
        known: dict[str, Real] = {name: fmpq(bit) for name, bit in zip(("x_a", "x_b", "c"), bits, strict=True)}
        if holds(said.given, known, (), ()) and not holds(said.says, known, (), ()):
            parameters = {name: str(bit) for name, bit in known.items()}
            return Fails(told(f"not {said.says}"), Evaluated(str(said.says), "true", "false", None, parameters))
    return Holds("all bits", Evidence.CERTIFICATE.value)


def judge_forgets(said: Forgets) -> Outcome:
    """A number of f bits behind the point that is at most 2^-(f + 1) is rounded to 0. exp(-B) is less than that where
    B >= 7/10 (f + 1), as exp(7/10) > 2."""
    met = False
    for format in formats():
        known: dict[str, Real] = {"B": format.greatest, "s": fmpq(format.bits), "f": fmpq(format.fraction)}
        if not holds(said.given, known, (), ()):
            continue
        met = True
        found = rounded(-format.greatest, format).exp()
        if found.sign:
            parameters = {name: str(value) for name, value in known.items()}
            return Fails(told_number(found.value), Evaluated("exp(-B), rounded", "0", str(found), None, parameters))
    if not met:
        return Open("no format was found of which it speaks")
    every = f"({said.given}) and s >= 2 and 0 <= f and f < s and (f > 0 or B >= 1)"
    far = judge_always(Always("10*B >= 7*(f + 1)", {"B": "positive", "s": "natural", "f": "integer"}, every))
    if isinstance(far, Holds):
        return Holds(f"every format with {said.given}", far.evidence)
    return Open(f"it is not seen that B >= 7/10 (f + 1) wherever {said.given}")


def judge_computed(said: Appends | Computes) -> Outcome:
    """Whether what is appended is the value of the gate that is written, or of another wire if that is said."""
    for setting in settings(said.family, said.least):
        gap = _gap(said, setting)
        if gap is not None:
            seen = _wrong(said, setting) if isinstance(said, Computes) else next(_others(said, setting), None)
            return Open(": ".join(gap)) if seen is None else Fails(told(f"{seen.what}: {seen.found}"), seen)
    return Holds(scope(said.least), Evidence.CERTIFICATE.value)


def _gap(said: Appends | Computes, setting: Setting) -> tuple[str, str] | None:
    if isinstance(said, Appends) and said.ahead:
        return "the token that is appended", "the value of the gate that is written"
    scale = said.scale if isinstance(said, Computes) else None
    made = scaled(said.family, scale)
    gap = layout_gap(said.family) or heads_gap(said.family, setting.arithmetic, scale)
    gates = step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), setting.arithmetic)
    return gap or settle(gates).gap


def _wrong(said: Computes, setting: Setting) -> Difference | None:
    """A circuit that is computed wrong; a decoder with another scale than its own is run by no command line."""
    found = wrong_circuit(said.family, setting.format, scaled(said.family, said.scale))
    if found is None or (wrong := found.step) is None:
        return None
    what = f"{wrong.unit}, appended at step {wrong.number}"
    if said.scale is not None:
        return Evaluated(what, wrong.expected, wrong.found, found.word, found.parameters, evidence="run exactly")
    return DecoderDifference(what, wrong.expected, wrong.found, found.word, found.parameters, None, family=said.family)


def _others(said: Appends, setting: Setting) -> Iterator[DecoderDifference]:
    """Tokens that are not the value of the wire of which it is said."""
    for run in runs(said.family, setting.format):
        for position, produced in enumerate(run.produced):
            wire = position + 2 + said.ahead
            if 1 <= wire <= run.circuit.wires and produced.token != str(run.wires[wire - 1]):
                what = f"the token behind {position + 1} tokens, of wire {wire}"
                yield run.apart(what, run.wires[wire - 1], produced.token, position)
        if run.stopped is not None:
            yield run.apart("the next token", "a value", f"{NO_VALUE} ({run.stopped})", len(run.produced))
