"""The report of `claims` for a terminal: counts, repairs, slips with what they affect, then every statement."""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.reports.claiming import STYLES, Section, evidence, note, shown
from weightproof.reports.formulas import plain
from weightproof.reports.slips import Affected, Mistake, by_construction, mistakes, repairs, summary, unexplained
from weightproof.terminal.page import Cell, Page, Table


def report(page: Page, found: Sequence[Section]) -> None:
    page.heading("What is printed, judged")
    for sentence in summary(found):
        page.line(sentence, indent=1)
    header, rows = by_construction(found)
    page.table(Table(header, [list(row) for row in rows], right=frozenset(header[1:])), indent=1)
    _repairs(page, found)
    for number, mistake in enumerate(mistakes(found), start=1):
        _slip(page, number, mistake)
    rest = unexplained(found)
    if rest:
        page.heading("False or ambiguous, without a known cause")
        for affected in rest:
            _affected(page, affected)
    for section in found:
        _statements(page, section)


def _repairs(page: Page, found: Sequence[Section]) -> None:
    for repair in repairs(found):
        page.heading(f"{repair.construction} is repaired")
        if repair.said:
            page.line(repair.said, indent=1)
        if repair.weights:
            rows = [list(row) for row in repair.weights]
            page.table(Table(("weight", "here", "as printed"), rows, right=frozenset(("here", "as printed"))), indent=1)


def _slip(page: Page, number: int, mistake: Mistake) -> None:
    correction = mistake.correction
    page.heading(f"Slip {number}, {mistake.slip.id}: {plain(mistake.slip.cause)}")
    verdict = Cell(f"{correction.verdict}, {evidence(correction.deciding)}", STYLES[correction.verdict])
    said = f"{plain(correction.claim.printed)} ({correction.claim.place})"
    page.pairs([("corrected", said), ("which is", verdict)], indent=1)
    for affected in mistake.affected:
        _affected(page, affected)


def _affected(page: Page, affected: Affected) -> None:
    judgement = affected.judgement
    difference = judgement.difference
    told = "" if affected.told is None else f", see slip {affected.told}"
    page.line(f"{judgement.claim.id}, {judgement.claim.place}: {judgement.verdict}{told}", indent=1)
    if told:
        return None
    lines = [
        ("printed", plain(judgement.claim.printed)),
        ("derived", "-" if judgement.derived is None else str(judgement.derived)),
    ]
    if len(judgement.readings) > 1:
        lines += [("read", f"{each.name}: {each.word}") for each in judgement.readings]
    if difference is None:
        return page.pairs(lines, indent=2)
    page.pairs([*lines, ("differs", shown(difference))], indent=2)
    page.command(difference.command(affected.section.about.argument), indent=2)
    return None


def _statements(page: Page, section: Section) -> None:
    page.heading(f"{section.about.name}: {section.about.source}")
    if section.claims.notation:
        page.line(section.claims.notation, indent=1)
    rows: list[list[str | Cell]] = [
        [
            judgement.claim.id,
            judgement.claim.place,
            plain(judgement.claim.printed),
            Cell(judgement.verdict, STYLES[judgement.verdict]),
            evidence(judgement.deciding),
            str(note(judgement)) or "-",
        ]
        for judgement in section.judgements
    ]
    page.table(Table(("id", "place", "claim", "verdict", "rests on", "note"), rows), indent=1)
