"""Judges what is printed of whole vectors, a quantity at a time."""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.claims.statements import Stream, Value, Vector, stage_name, units
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.judge import judge
from weightproof.proofs.quantities.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told


def judge_vector(analysis: Analysis, claim: Vector) -> Outcome:
    """Each entry is judged; those that are not printed are to be 0. Of those that fail the first is replayed."""
    names = units(analysis.network, claim.layer) if claim.stage == "activation" else analysis.network.coordinates
    if len(claim.entries) > len(names):
        row = f"row {len(names) + 1} of the vector {stage_name(claim.layer, claim.stage)}"
        return Fails(
            told(f"{len(names)} rows"), Difference(row, str(claim.entries[len(names)]), "there is no such row")
        )
    entries = (*claim.entries, *[Expression("0")] * (len(names) - len(claim.entries)))
    outcomes = [
        judge(analysis, Value(Stream(name, claim.layer, claim.stage), entry, claim.when))
        for name, entry in zip(names, entries, strict=True)
    ]
    wrong = [
        (row, name, o) for row, (name, o) in enumerate(zip(names, outcomes, strict=True), 1) if isinstance(o, Fails)
    ]
    if wrong:
        number, name, first = wrong[0]
        derived = told(f"row {number}, {name}: ") + first.derived
        if len(wrong) > 1:
            others = ", ".join(str(number) for number, *_ in wrong[1:])
            derived += told(f"; row {others} differs, too" if len(wrong) == 2 else f"; rows {others} differ, too")
        return Fails(derived, replace(first.difference, what=f"row {number}, {first.difference.what}"))
    open_ones = [outcome for outcome in outcomes if isinstance(outcome, Open)]
    return open_ones[0] if open_ones else Holds(EVERY_WORD, "certificate")
