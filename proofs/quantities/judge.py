"""Judges a formula for a single quantity: for all lengths, by the derivation, or by that of a probe.

What is not proved is replayed on short words, and then on those to which the difference from the derivation leads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from flint import fmpq

from weightproof.constructions.claims.statements import Attention, Formula, Logit, Value
from weightproof.constructions.meaning.running import Run, run
from weightproof.constructions.meaning.schema import UnknownChoice
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import value_on
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.differences import Derived, Rest, differences, leads, occurrences
from weightproof.proofs.quantities.explaining import Case, describe
from weightproof.proofs.quantities.explanation import Explanation, explained
from weightproof.proofs.quantities.instances import Instance, equal, instances, made, on_word
from weightproof.proofs.quantities.outcome import EVERY_WORD, NO_VALUE, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.probe import POSITION, substituted
from weightproof.proofs.quantities.quantity import Wanted, derived_of, found_in, places, wanted
from weightproof.proofs.quantities.runs import differing
from weightproof.proofs.refuting.long import spelled
from weightproof.proofs.refuting.refute import text
from weightproof.symbolic.algebra.iverson import ZERO
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

SECONDS = 8.0
"""For the words to which a difference leads."""


def judge(analysis: Analysis, claim: Value) -> Outcome:
    """As `compared`, held against exact runs where it holds, and with what was derived where it fails."""
    found = compared(analysis, claim)
    if isinstance(found, Holds):
        require_true(analysis, claim, brief=True)
    return Fails(_described(analysis, claim), found) if isinstance(found, Difference) else found


def compared(analysis: Analysis, claim: Value) -> Holds | Difference | Open:
    """Holds for all lengths, or a place at which an exact run and the formula differ, or neither was reached."""
    goal, claim = wanted(claim.of, analysis.network), _at_width(analysis, claim)
    try:
        target = analysis.probe(goal.point)
    except UnknownChoice as error:
        return Open(str(error))
    try:
        derivation = analysis.derivation(goal.point)
        words = analysis.words(derivation)
        printed, derived = _sides(analysis, derivation, goal, claim)
        led = _led(analysis, goal, claim, occurrences(derivation, printed, words, derived))
        if not any(_made(analysis, goal, claim, each) for each in itertools.chain(instances(target, claim.at), led)):
            return Open("no word that was tried is in the case of the claim: it may be vacuous")
        rests = list(differences(derivation, printed, words, derived))
        if not rests:
            return Holds(EVERY_WORD, "certificate")
        reason = "the printed form differs from the derived one, but on no word that was tried"
        led = _led(analysis, goal, claim, rests)
    except Underivable as error:
        reason, led = str(error), iter(())
    for instance in itertools.chain(instances(target, claim.at), led):
        if not _made(analysis, goal, claim, instance):
            continue
        try:
            result = run(target, instance.word, instance.parameters)
        except ArithmeticError:  # the network has no value there, with which the formula could be compared
            continue
        found = _on_run(analysis, goal, claim, instance, result)
        if found is not None:
            return found
    return Open(reason)


def require_true(analysis: Analysis, claim: Value, brief: bool = False) -> None:
    """Raises InternalError where a formula that was proved is wrong of a word that is run; brief: of few."""
    goal, claim = wanted(claim.of, analysis.network), _at_width(analysis, claim)
    for sample in analysis.runs(goal.point, claim.at, brief and goal.point is not None).decided:
        wrong = _on_run(analysis, goal, claim, sample.instance, sample.run)
        if wrong is not None:
            said = f"{wrong.what} was derived as printed, {wrong.printed}, but is {wrong.found}"
            raise differing(analysis.construction, sample.instance, said)


def _at_width(analysis: Analysis, claim: Value) -> Value:
    return replace(claim, equals=substituted(claim.equals, {"d": len(analysis.network.coordinates)}))


def _case(claim: Value) -> Expression:
    """Where a claim is made, also of the parameter that a probe of attention has."""
    of_attention = isinstance(claim.of, Attention)
    return Expression(f"({claim.when}) and {POSITION.name} <= n - 1") if of_attention else claim.when


def _sides(analysis: Analysis, derivation: Derivation, goal: Wanted, claim: Value) -> tuple[Value, Derived]:
    """What is printed and what was derived; the two sides of a formula are read together, so that their sums cancel."""
    printed = replace(claim, when=_case(claim))
    if isinstance(goal.of, Formula):
        return replace(printed, equals=Expression(f"({printed.equals}) - ({goal.of.value})")), ZERO
    return printed, derived_of(analysis.construction, derivation, goal)


def _led(analysis: Analysis, goal: Wanted, claim: Value, rests: Iterable[Rest]) -> Iterator[Instance]:
    """The words to which differences lead, at the parameters of the lead and at the samples."""
    target, vocabulary = analysis.probe(goal.point), analysis.derivation(goal.point).vocabulary
    for lead in leads(rests, vocabulary, SECONDS):
        yield from on_word(target, "".join(spelled(lead.runs)), claim.at, lead.parameters)


def _described(analysis: Analysis, claim: Value) -> Explanation:
    """What was derived, in the case of the claim where the derivation can speak of it."""
    goal = wanted(claim.of, analysis.network)
    try:
        derivation = analysis.derivation(goal.point)
        values = derived_of(analysis.construction, derivation, goal)
        return describe(derivation, values, Case(_case(claim), claim.at), analysis.words(derivation))
    except Underivable as error:
        return explained(f"not derived: {error}")


def _made(analysis: Analysis, goal: Wanted, claim: Value, instance: Instance) -> list[int]:
    """The positions of a word at which the claim is made."""
    return [place for place in places(goal, instance) if made(claim.when, instance, analysis.alphabet, i=place)]


def _on_run(analysis: Analysis, goal: Wanted, claim: Value, instance: Instance, result: Run) -> Difference | None:
    """The first position at which a run and the formula differ; a formula without a value is equal to nothing."""
    for place in _made(analysis, goal, claim, instance):
        names = {**instance.values, "i": fmpq(place)}
        try:
            found = _value(found_in, analysis.construction, goal, result, place, instance)
            if found is None and not isinstance(goal.of, Formula):
                continue  # the network has no value there, with which the formula could be compared
            printed = _value(value_on, claim.equals, names, instance.tokens, analysis.alphabet)
            if found is not None and printed is not None and equal(found, printed):
                continue
        except Undecided:
            continue
        shown = (NO_VALUE if value is None else text(value) for value in (printed, found))
        return _difference(goal, instance, place, *shown)
    return None


def _value(read: Callable[..., Real], *of: object) -> Real | None:
    """What is read, or None where it has no value."""
    try:
        return read(*of)
    except Undecided:
        raise
    except ArithmeticError:
        return None


def _difference(goal: Wanted, instance: Instance, place: int, printed: str, found: str) -> Difference:
    given = dict(instance.parameters)
    position = None if isinstance(goal.of, Logit | Formula) else place
    if isinstance(goal.of, Attention):
        position = int(given.pop(POSITION.name))
    return Difference(goal.name, printed, found, instance.word, given, position)
