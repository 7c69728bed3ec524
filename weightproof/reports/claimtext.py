"""The report of `claims` for a terminal: counts, repairs, slips with what they affect, then every statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.document.blocks import Code, Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.reports.claiming import STYLES, Section, evidence, note, shown
from weightproof.reports.formulas import plain
from weightproof.reports.slips import Affected, Mistake, by_construction, mistakes, repairs, summary, unexplained


def report(found: Sequence[Section]) -> Iterator[Plain]:
    yield Heading(3, "What is printed, judged")
    for sentence in summary(found):
        yield Paragraph(sentence, 1)
    header, rows = by_construction(found)
    yield Table(header, [list(row) for row in rows], right=frozenset(header[1:]), indent=1)
    yield from _repairs(found)
    for number, mistake in enumerate(mistakes(found), start=1):
        yield from _slip(number, mistake)
    rest = unexplained(found)
    if rest:
        yield Heading(3, "False or ambiguous, without a known cause")
        for affected in rest:
            yield from _affected(affected)
    for section in found:
        yield from _statements(section)


def _repairs(found: Sequence[Section]) -> Iterator[Plain]:
    for repair in repairs(found):
        yield Heading(3, f"{repair.construction} is repaired")
        if repair.said:
            yield Paragraph(repair.said, 1)
        if repair.weights:
            rows = [list(row) for row in repair.weights]
            yield Table(("weight", "here", "as printed"), rows, right=frozenset(("here", "as printed")), indent=1)


def _slip(number: int, mistake: Mistake) -> Iterator[Plain]:
    correction = mistake.correction
    yield Heading(3, f"Slip {number}, {mistake.slip.id}: {plain(mistake.slip.cause)}")
    verdict = Styled(f"{correction.verdict}, {evidence(correction.deciding)}", STYLES[correction.verdict])
    said = f"{plain(correction.claim.printed)} ({correction.claim.place})"
    yield pairs([("corrected", said), ("which is", verdict)], 1)
    for affected in mistake.affected:
        yield from _affected(affected)


def _affected(affected: Affected) -> Iterator[Plain]:
    judgement = affected.judgement
    difference = judgement.difference
    told = "" if affected.told is None else f", see slip {affected.told}"
    yield Paragraph(f"{judgement.claim.id}, {judgement.claim.place}: {judgement.verdict}{told}", 1)
    if told:
        return
    lines = [
        ("printed", plain(judgement.claim.printed)),
        ("derived", "-" if judgement.derived is None else str(judgement.derived)),
    ]
    if len(judgement.readings) > 1:
        lines += [("read", f"{each.name}: {each.word}") for each in judgement.readings]
    yield pairs(lines if difference is None else [*lines, ("differs", shown(difference))], 2)
    if difference is not None:
        yield Paragraph(Code(difference.command(affected.section.about.argument)), 2)


def _statements(section: Section) -> Iterator[Plain]:
    yield Heading(3, f"{section.about.name}: {section.about.source}")
    if section.claims.notation:
        yield Paragraph(section.claims.notation, 1)
    rows: list[list[Text]] = [
        [
            judgement.claim.id,
            judgement.claim.place,
            plain(judgement.claim.printed),
            Styled(judgement.verdict, STYLES[judgement.verdict]),
            evidence(judgement.deciding),
            str(note(judgement)) or "-",
        ]
        for judgement in section.judgements
    ]
    yield Table(("id", "place", "claim", "verdict", "rests on", "note"), rows, indent=1)
