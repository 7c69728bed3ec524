"""How bad the mistakes of a paper are, worst first: by what is false because of them, not by anybody's opinion.

A theorem or a construction that fails is worse than a formula that is wrong, and that is worse than a slip of form.
Apart from these stands a statement that needs a case: it is true as it is printed, of fewer words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from weightproof.constructions.claims.published import Convention, Published
from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.claims.stepwise import OfEvery
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.proofs.claims.judging import Judgement
from weightproof.reports.claiming import Mistake, Section, mistakes

Severity = Literal["outcome", "formula", "case", "form"]
SEVERITIES: dict[Severity, tuple[str, str]] = {
    "outcome": ("A theorem or a construction fails as printed", "in a theorem or a construction"),
    "formula": ("A formula is wrong", "in a formula"),
    "case": ("A statement needs a case", "in a case that is not made"),
    "form": ("Slips of form: types, shapes, indices, entries", "in form"),
}
"""Worst first: what is to be said of it, and where the slip is."""
OF_CONVENTIONS: dict[Convention, Severity] = {
    "empty word": "case",
    "symbols only": "case",
    "fractions": "case",
    "index shift": "form",
    "padding": "form",
    "transposition": "form",
}
"""What it is that a statement needs a convention: to be made of fewer words, or to be written otherwise."""
CASES = frozenset({"when", "given", "steps", "fractions"})
"""The fields of statements that say of which words, steps and parameters they are made."""


@dataclass(frozen=True)
class Falls:
    """What is not true as it is printed, of one severity: the mistakes behind it, those of most statements first, and
    what is true under a convention, by the conventions."""

    severity: Severity
    mistakes: tuple[Mistake, ...]
    under: Mapping[tuple[Convention, ...], tuple[Judgement, ...]]


def worst_first(found: Sequence[Section]) -> tuple[Falls, ...]:
    """What falls of the sections' statements, without the severities of which there is nothing."""
    behind: dict[Severity, list[Mistake]] = {severity: [] for severity in SEVERITIES}
    for mistake in mistakes(found):
        behind[severity_of(mistake)].append(mistake)
    every = [
        Falls(each, tuple(sorted(behind[each], key=lambda mistake: -len(mistake.affected))), _under(found, each))
        for each in SEVERITIES
    ]
    return tuple(each for each in every if each.mistakes or each.under)


def bearing(claim: Published) -> int:
    """The place in SEVERITIES of what a claim is about; of several senses, of the worst."""
    about = {sense.statement.bearing for sense in claim.senses}
    return next(place for place, severity in enumerate(SEVERITIES) if severity in about)


def severity_of(mistake: Mistake) -> Severity:
    """Of the worst that is false because of it; a case, where its correction says of fewer words what is false."""
    said = [reading.statement for each in mistake.affected for reading in each.judgement.claim.senses]
    corrected = [reading.statement for reading in mistake.correction.claim.senses]
    if any(narrows(correction, statement) for correction in corrected for statement in said):
        return "case"
    return list(SEVERITIES)[min(bearing(each.judgement.claim) for each in mistake.affected)]


def narrows(correction: Statement, statement: Statement) -> bool:
    """Whether two statements are the same but for the words, steps or parameters of which they are made."""
    here, there = _made(correction), _made(statement)
    if type(here) is not type(there) or here == there:
        return False
    return all(getattr(here, f.name) == getattr(there, f.name) for f in fields(here) if f.name not in CASES)


def _made(statement: Statement) -> Statement:
    return statement.made(every_rnn(1, 1, 1)) if isinstance(statement, OfEvery) else statement


def _under(found: Sequence[Section], severity: Severity) -> Mapping[tuple[Convention, ...], tuple[Judgement, ...]]:
    """What is true under conventions, of which the worst is of this severity."""
    together: dict[tuple[Convention, ...], list[Judgement]] = {}
    for section in found:
        for judgement in section.judgements:
            if judgement.verdict == "true-under":
                together.setdefault(judgement.deciding.reading.conventions, []).append(judgement)
    return {
        conventions: tuple(judgements)
        for conventions, judgements in together.items()
        if next(each for each in SEVERITIES if each in {OF_CONVENTIONS[c] for c in conventions}) == severity
    }
