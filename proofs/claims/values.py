"""Judges what is printed of single quantities and of whole vectors: for all lengths, by the derivation of a probe.

What is not proved is replayed on short words, and then on those to which the difference of print and weights leads.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from flint import fmpq

from weightproof.constructions.claims.problems import units
from weightproof.constructions.claims.statements import Attention, Formula, Logit, Stream, Value, Vector
from weightproof.constructions.meaning.interpreter import Run, run
from weightproof.constructions.meaning.schema import Claim
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import value_on
from weightproof.proofs.claims.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.claims.probe import POSITION, substituted
from weightproof.proofs.claims.quantity import Wanted, derived_of, found_in, places, stage_name, wanted
from weightproof.proofs.claims.subject import Instance, Subject, equal, instances, made, on_word
from weightproof.proofs.claims.telling import describe
from weightproof.proofs.differences import Derived, Rest, differences, leads, occurrences
from weightproof.proofs.refuting.refute import text
from weightproof.proofs.spot import InternalError
from weightproof.symbolic.algebra.iverson import ZERO
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

SECONDS = 8.0
"""For the words to which a difference leads."""


def judge_value(subject: Subject, claim: Value) -> Outcome:
    """Holds for all lengths, or fails at a word, or stays open."""
    goal = wanted(claim.of)
    claim = replace(claim, equals=substituted(claim.equals, {"d": len(subject.network.coordinates)}))
    when = claim.when if not isinstance(claim.of, Attention) else f"({claim.when}) and {POSITION.name} <= n - 1"
    printed = Claim("", claim.equals, "", when, claim.at)
    short = instances(subject.probe(goal.point), claim.at)
    try:
        derivation = subject.derivation(goal.point)
        words = subject.words(derivation)
        compared, derived = _sides(subject, derivation, goal, printed)
        in_case = itertools.chain(short, _led(subject, goal, claim, occurrences(derivation, compared, words, derived)))
        if not _occurs(subject, goal, claim, in_case):
            return Open("no word that was tried is in the case of the claim: it may be vacuous")
        rests = list(differences(derivation, compared, words, derived))
        if not rests:
            _require_true(subject, goal, claim)
            return Holds(EVERY_WORD, "certificate")
        reason = "the printed form differs from the derived one, but on no word that was tried"
        led = _led(subject, goal, claim, rests)
    except Underivable as error:
        reason, led = str(error), iter(())
    found = _compare(subject, goal, claim, itertools.chain(instances(subject.probe(goal.point), claim.at), led))
    return Open(reason) if found is None else Fails(_described(subject, goal, printed), found)


def _sides(subject: Subject, derivation: Derivation, goal: Wanted, printed: Claim) -> tuple[Claim, Derived]:
    """What is printed and what was derived; the two sides of a formula are read together, so that their sums cancel."""
    if isinstance(goal.of, Formula):
        return replace(printed, value=Expression(f"({printed.value}) - ({goal.of.value})")), ZERO
    return printed, derived_of(subject.construction, derivation, goal)


def _require_true(subject: Subject, goal: Wanted, claim: Value) -> None:
    """Raises InternalError where what was proved is wrong of a word that is run."""
    for instance, result in subject.runs(goal.point, claim.at):
        wrong = _on_run(subject, goal, claim, instance, result)
        if wrong is not None:
            said = f"{wrong.what} was derived as printed, {wrong.printed}, but is {wrong.found}"
            raise InternalError(f"{subject.construction.name} on {wrong.word!r}: {said}")


def _led(subject: Subject, goal: Wanted, claim: Value, rests: Iterable[Rest]) -> Iterator[Instance]:
    """The words to which differences lead, at the parameters of the lead and at the samples."""
    target, vocabulary = subject.probe(goal.point), subject.derivation(goal.point).vocabulary
    for lead in leads(rests, vocabulary, SECONDS):
        yield from on_word(target, "".join(lead.word), claim.at, lead.parameters)


def _described(subject: Subject, goal: Wanted, printed: Claim) -> str:
    """What was derived, in the case of the claim where the derivation can speak of it."""
    try:
        derivation = subject.derivation(goal.point)
        values = derived_of(subject.construction, derivation, goal)
        return describe(derivation, values, printed, subject.words(derivation))
    except Underivable as error:
        return f"not derived: {error}"


def judge_vector(subject: Subject, claim: Vector) -> Outcome:
    """Each entry is judged; those that are not printed are to be 0. Of those that fail the first is replayed."""
    names = units(subject.network, claim.layer) if claim.stage == "activation" else subject.network.coordinates
    if len(claim.entries) > len(names):
        row = f"row {len(names) + 1} of the vector {stage_name(claim.layer, claim.stage)}"
        return Fails(f"{len(names)} rows", Difference(row, str(claim.entries[len(names)]), "there is no such row"))
    entries = (*claim.entries, *[Expression("0")] * (len(names) - len(claim.entries)))
    outcomes = [
        judge_value(subject, Value(Stream(name, claim.layer, claim.stage), entry, claim.when))
        for name, entry in zip(names, entries, strict=True)
    ]
    wrong = [
        (row, name, o) for row, (name, o) in enumerate(zip(names, outcomes, strict=True), 1) if isinstance(o, Fails)
    ]
    if wrong:
        number, name, first = wrong[0]
        derived = f"row {number}, {name}: {first.derived}"
        if len(wrong) > 1:
            others = ", ".join(str(number) for number, *_ in wrong[1:])
            derived += f"; row {others} differs, too" if len(wrong) == 2 else f"; rows {others} differ, too"
        return Fails(derived, replace(first.difference, what=f"row {number}, {first.difference.what}"))
    open_ones = [outcome for outcome in outcomes if isinstance(outcome, Open)]
    return open_ones[0] if open_ones else Holds(EVERY_WORD, "certificate")


def _occurs(subject: Subject, goal: Wanted, claim: Value, candidates: Iterable[Instance]) -> bool:
    """Whether some candidate is in the case of a claim."""
    return any(_made(subject, goal, claim, instance) for instance in candidates)


def _compare(subject: Subject, goal: Wanted, claim: Value, candidates: Iterable[Instance]) -> Difference | None:
    """The first place on a candidate at which the exact run and print differ."""
    target = subject.probe(goal.point)
    for instance in candidates:
        if _made(subject, goal, claim, instance):
            found = _on_run(subject, goal, claim, instance, run(target, instance.word, instance.parameters))
            if found is not None:
                return found
    return None


def _made(subject: Subject, goal: Wanted, claim: Value, instance: Instance) -> list[int]:
    """The positions of a word at which the claim is made."""
    return [place for place in places(goal, instance) if made(claim.when, instance, subject.alphabet, i=place)]


def _on_run(subject: Subject, goal: Wanted, claim: Value, instance: Instance, result: Run) -> Difference | None:
    """The first position at which a run and print differ."""
    for place in _made(subject, goal, claim, instance):
        found = found_in(subject.construction, goal, result, place, instance)
        try:
            printed = value_on(claim.equals, {**instance.values, "i": fmpq(place)}, instance.tokens, subject.alphabet)
            if equal(found, printed):
                continue
            shown = text(printed)
        except Undecided:
            continue
        except ArithmeticError:
            shown = "no value"
        return _difference(goal, instance, place, shown, text(found))
    return None


def _difference(goal: Wanted, instance: Instance, place: int, printed: str, found: str) -> Difference:
    given = dict(instance.parameters)
    name, position = goal.name, None if isinstance(goal.of, Logit | Formula) else place
    if isinstance(goal.of, Attention):
        position = int(given.pop(POSITION.name))
    return Difference(name, printed, found, instance.word, given, position)
