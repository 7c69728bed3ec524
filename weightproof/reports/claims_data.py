"""What the judgements of claims are as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weightproof.proofs.claims import judging
from weightproof.proofs.quantities.outcome import Fails, Open
from weightproof.reports.claiming import Mistake, Repair, Section, evidence, mistakes, note, repairs
from weightproof.reports.formulas import plain
from weightproof.reports.severity import severity_of


def as_data(found: Sequence[Section]) -> dict[str, Any]:
    return {
        "claims": [_claim(section, judgement) for section in found for judgement in section.judgements],
        "slips": [_slip(mistake) for mistake in mistakes(found)],
        "repairs": [_repair(repair) for repair in repairs(found)],
    }


def _claim(section: Section, judgement: judging.Judgement) -> dict[str, Any]:
    claim, difference = judgement.claim, judgement.difference
    conventions = judgement.deciding.reading.conventions if judgement.verdict == "true-under" else ()
    slips = [slip.id for slip in claim.slips]
    return {
        "id": claim.id,
        "construction": section.about.name,
        "source": section.about.source.split(", section")[0].split(", appendix")[0],
        "location": claim.place,
        "claim": plain(claim.printed),
        "tex": claim.printed,
        "kind": "transcription" if claim.transcribed else "derived",
        "verdict": judgement.verdict,
        "convention": ", ".join(conventions) or None,
        "slip": ", ".join(slips) or None,
        "derived": None if judgement.derived is None else str(judgement.derived),
        "counterexample": None
        if difference is None
        else {
            "what": difference.what,
            "printed": difference.printed,
            "derived": difference.found,
            "word": difference.word,
            "parameters": dict(difference.parameters),
            "position": difference.position,
            "command": difference.command(section.about.argument),
        },
        "note": str(note(judgement)),
        "evidence": evidence(judgement.deciding),
        "timed_out": _timed_out(judgement.deciding),
        "readings": [_reading(each) for each in judgement.readings],
    }


def _reading(read: judging.Judged) -> dict[str, Any]:
    outcome = read.outcome
    return {
        "convention": ", ".join(read.reading.conventions) or None,
        "sense": read.reading.sense,
        "verdict": read.word,
        "derived": str(outcome.derived) if isinstance(outcome, Fails) else None,
        "evidence": evidence(read),
        "timed_out": _timed_out(read),
    }


def _timed_out(read: judging.Judged) -> bool:
    return isinstance(read.outcome, Open) and read.outcome.timed_out


def _slip(mistake: Mistake) -> dict[str, Any]:
    correction = mistake.correction
    return {
        "id": mistake.slip.id,
        "about": mistake.slip.about,
        "severity": severity_of(mistake),
        "cause": plain(mistake.slip.cause),
        "correction": {
            "location": correction.claim.place,
            "claim": plain(correction.claim.printed),
            "tex": correction.claim.printed,
            "verdict": correction.verdict,
            "evidence": evidence(correction.deciding),
        },
        "claims": [each.judgement.claim.id for each in mistake.affected],
    }


def _repair(repair: Repair) -> dict[str, Any]:
    return {
        "construction": repair.construction,
        "repair": repair.said or None,
        "weights": [{"place": place, "here": here, "printed": printed} for place, here, printed in repair.weights],
    }
