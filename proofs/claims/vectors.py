"""Judges what is printed of vectors at every position: their entries, whether a quantity is the same at all of them,
and whether a vector is left what it is."""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.claims.statements import Constant, Kept, Stream, Value, Vector, named, stage_name, units
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.explaining import Case, describe
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.instances import equal, instances
from weightproof.proofs.quantities.judge import judge
from weightproof.proofs.quantities.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.probe import Point
from weightproof.proofs.quantities.quantity import derived_of, found_in, wanted
from weightproof.proofs.refuting.refute import text
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise
from weightproof.symbolic.algebra.vocabulary import Underivable, i


def judge_vector(analysis: Analysis, claim: Vector) -> Outcome:
    """Each entry is judged; those that are not printed are to be 0. Of those that fail the first is replayed."""
    names = units(analysis.network, claim.layer) if claim.stage == "activation" else analysis.network.coordinates
    if len(claim.entries) > len(names):
        row = f"row {len(names) + 1} of the vector {stage_name(claim.layer, claim.stage)}"
        return Fails(
            explained(f"{len(names)} rows"), Difference(row, str(claim.entries[len(names)]), "there is no such row")
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
        derived = explained(f"row {number}, {name}: ") + first.derived
        if len(wrong) > 1:
            others = ", ".join(str(number) for number, *_ in wrong[1:])
            derived += explained(f"; row {others} differs, too" if len(wrong) == 2 else f"; rows {others} differ, too")
        return Fails(derived, replace(first.difference, what=f"row {number}, {first.difference.what}"))
    open_ones = [outcome for outcome in outcomes if isinstance(outcome, Open)]
    return open_ones[0] if open_ones else Holds(EVERY_WORD, "certificate")


SHORT = 5
"""Symbols of the longest words whose positions are compared."""
SHORTER = 3
"""Symbols of the longest words whose vectors are compared before and behind half a layer, coordinate by coordinate."""
EVERYWHERE = Case(Expression("n >= 1"))


def judge_constant(analysis: Analysis, claim: Constant) -> Outcome:
    """Short words refute, by exact runs; what was derived at a generic position shows it, where that does not name the
    position."""
    goal, found = wanted(claim.of, analysis.network), _different(analysis, claim)
    try:
        derivation = analysis.derivation(goal.point)
        words = analysis.words(derivation)
        values = derived_of(analysis.construction, derivation, goal)
        assert not isinstance(values, Iverson)
        if found is not None:
            return Fails(describe(derivation, values, EVERYWHERE, words), found)
        first, *others = values.values()
        same = not any(normalise(each - first, words).terms for each in others)
        if same and i not in normalise(first, words).free_symbols:
            return Holds(EVERY_WORD, "certificate")
    except Underivable as error:
        if found is not None:
            return Fails(explained(f"not derived: {error}"), found)
    return Open(f"no word up to {SHORT} symbols tells positions apart")


def _different(analysis: Analysis, claim: Constant) -> Difference | None:
    """The first position of a short word at which there is another value than at position 0."""
    goal = wanted(claim.of, analysis.network)
    target = analysis.probe(goal.point)
    for instance in instances(target, longest=SHORT):
        try:
            result = run(target, instance.word, instance.parameters)
            values = [
                found_in(analysis.construction, goal, result, place, instance) for place in range(len(instance.tokens))
            ]
        except ArithmeticError:  # the network has no value there
            continue
        for place, value in enumerate(values):
            if not equal(values[0], value):
                printed, found = f"{text(values[0])}, as at position 0", text(value)
                return Difference(goal.name, printed, found, instance.word, instance.parameters, place)
    return None


def judge_kept(analysis: Analysis, claim: Kept) -> Outcome:
    """Short words refute, by exact runs; what was derived at a generic position shows it."""
    stages = [Point(claim.layer, "attention"), Point(claim.layer, "layer")]
    found = _changed(analysis, claim, *stages)
    if found is not None:
        return Fails(explained("another value"), found)
    try:
        derivation = analysis.derivation(stages[1])
        words = analysis.words(derivation)
    except Underivable as error:
        return Open(str(error))
    before, after = derivation.attended[claim.layer - 1], derivation.streams[-1]
    for token, vector in after.items():
        for name in {*vector, *before[token]}:
            difference = vector.get(name, ZERO) - before[token].get(name, ZERO)
            if normalise(difference, words).terms:
                return Open(f"no word up to {SHORTER} symbols changes {name}")
    return Holds(EVERY_WORD, "certificate")


def _changed(analysis: Analysis, claim: Kept, *stages: Point) -> Difference | None:
    """The first coordinate of a short word that is another one behind the layer."""
    targets = [analysis.probe(stage) for stage in stages]
    for instance in instances(targets[1], longest=SHORTER):
        try:
            before, after = (run(target, instance.word, instance.parameters).streams[-1] for target in targets)
        except ArithmeticError:  # the network has no value there
            continue
        for place, (vector, changed) in enumerate(zip(before, after, strict=True)):
            for name in analysis.network.coordinates:
                if not equal(vector[name], changed[name]):
                    what = named(Stream(name, claim.layer))
                    printed, found = f"{text(vector[name])}, as after the attention", text(changed[name])
                    return Difference(what, printed, found, instance.word, instance.parameters, place)
    return None
