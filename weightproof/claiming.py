"""`claims`: judges what is printed about constructions, and reports it as text, JSON, Markdown or TeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from constructions.claims import Claims
from constructions.interpreter import InputError
from constructions.library import load_claims, names
from proofs.claims.judging import VERDICTS, Judged, Judgement, judge_claims
from proofs.claims.outcome import Fails, Holds, Open
from proofs.prove import Proof, theorems_of
from weightproof.formulas import plain
from weightproof.page import Cell, Page, Table
from weightproof.progress import progress
from weightproof.sources import Source, resolve

STYLES = {"true": "green", "true-under": "green", "false": "bold red", "ambiguous": "bold yellow", "unknown": "yellow"}


@dataclass(frozen=True)
class Section:
    """The judgements about one construction. notation: how letters of its source are read."""

    source: Source
    notation: str
    judgements: tuple[Judgement, ...]


def sections(wanted: Sequence[str]) -> list[Section]:
    """Judges what is claimed about the constructions that are named; about all that have claims, if none is.

    Raises InputError for a construction about which nothing is claimed.
    """
    jobs = []
    for name in dict.fromkeys(wanted or [name for name in names() if load_claims(name) is not None]):
        source = resolve(name)
        if claims_about(source) is None:
            hint = "define claims = Claims(NAME, ...)" if source.is_file else "it is in no paper"
            raise InputError(f"{name}: no claims are known about it; {hint}")
        jobs.append(source)
    result: list[Section] = []
    with progress(len(jobs)) as advance:
        for source in jobs:
            advance(source.construction.name, len(result))
            section = judged(source)
            assert section is not None
            result.append(section)
    return result


def claims_about(source: Source) -> Claims | None:
    """What is printed about a built-in construction, or claimed in a user's file."""
    return source.claims if source.is_file else load_claims(source.argument)


def judged(source: Source, known: Sequence[Proof] = ()) -> Section | None:
    """The judgements about one construction; None where nothing is claimed about it. known: proofs of its theorems."""
    claims = claims_about(source)
    if claims is None:
        return None
    theorems = (source.theorems or ()) if source.is_file else theorems_of(source.argument)
    return Section(source, claims.notation, tuple(judge_claims(source.construction, claims, theorems, known)))


def settled(found: Sequence[Section]) -> bool:
    """Whether no verdict is unknown."""
    return all(judgement.verdict != "unknown" for section in found for judgement in section.judgements)


def payload(found: Sequence[Section]) -> dict[str, Any]:
    return {"claims": [_claim(section, judgement) for section in found for judgement in section.judgements]}


def _claim(section: Section, judgement: Judgement) -> dict[str, Any]:
    claim, difference = judgement.claim, judgement.difference
    return {
        "id": claim.id,
        "construction": section.source.construction.name,
        "source": section.source.construction.source.split(", section")[0],
        "location": claim.place,
        "claim": plain(claim.printed),
        "tex": claim.printed,
        "verdict": judgement.verdict,
        "convention": ", ".join(judgement.deciding.reading.conventions) or None
        if judgement.verdict == "true-under"
        else None,
        "derived": judgement.derived,
        "counterexample": None
        if difference is None
        else {
            "what": difference.what,
            "printed": difference.printed,
            "derived": difference.found,
            "word": difference.word,
            "parameters": dict(difference.parameters),
            "position": difference.position,
            "command": difference.command(section.source.argument),
        },
        "note": note(judgement),
        "evidence": evidence(judgement.deciding),
        "readings": [_reading(each) for each in judgement.readings],
    }


def _reading(read: Judged) -> dict[str, Any]:
    outcome = read.outcome
    return {
        "convention": ", ".join(read.reading.conventions) or None,
        "sense": read.reading.sense,
        "verdict": read.word,
        "derived": outcome.derived if isinstance(outcome, Fails) else None,
        "evidence": evidence(read),
    }


def note(judgement: Judgement) -> str:
    """What is to be said beside the verdict, in a line: the convention, for true-under; empty where nothing is."""
    deciding = judgement.deciding
    outcome = deciding.outcome
    match judgement.verdict:
        case "ambiguous":
            return "; ".join(f"{each.name}: {each.word}" for each in judgement.readings)
        case "unknown":
            return outcome.reason if isinstance(outcome, Open) else ""
    first = deciding.name if judgement.verdict == "true-under" else deciding.reading.sense
    also = outcome.note if isinstance(outcome, Holds) else None
    return "; ".join(part for part in (first, also) if part)


def evidence(read: Judged) -> str:
    """What a verdict rests on."""
    match read.outcome:
        case Holds(scope=scope, evidence=basis):
            return f"{scope}, {basis}" if basis else scope
        case Fails(difference=difference):
            return "the entry differs" if difference.word is None else "replayed exactly"
    return "-"


def shown(judgement: Judgement) -> str:
    """Where print and weights differ, in a line."""
    difference = judgement.difference
    assert difference is not None
    where = "" if difference.word is None else f" on {difference.word!r}"
    where += "".join(f", {name} = {value}" for name, value in difference.parameters.items())
    where += "" if difference.position is None else f", position {difference.position}"
    return f"{difference.what}: printed {difference.printed}, derived {difference.found}{where}"


def counts(found: Sequence[Section]) -> list[tuple[str, ...]]:
    """Rows of construction, number of claims, and number for each verdict; the sums last."""
    used = used_verdicts(found)
    rows = []
    total = Counter[str]()
    for section in found:
        counted = Counter[str](judgement.verdict for judgement in section.judgements)
        total.update(counted)
        row = (len(section.judgements), *(counted[verdict] for verdict in used))
        rows.append((section.source.construction.name, *map(str, row)))
    return [*rows, ("all", *map(str, (sum(total.values()), *(total[verdict] for verdict in used))))]


def used_verdicts(found: Sequence[Section]) -> list[str]:
    """The verdicts, without unknown where nothing is."""
    there = {judgement.verdict for section in found for judgement in section.judgements}
    return [verdict for verdict in VERDICTS if verdict != "unknown" or verdict in there]


def report(page: Page, found: Sequence[Section]) -> None:
    """A table for each construction, then what is false or ambiguous, then the counts."""
    for section in found:
        construction = section.source.construction
        page.heading(f"{construction.name}: {construction.source}")
        if section.notation:
            page.line(section.notation, indent=1)
        rows: list[list[str | Cell]] = [
            [
                judgement.claim.id,
                judgement.claim.place,
                plain(judgement.claim.printed),
                Cell(judgement.verdict, STYLES[judgement.verdict]),
                evidence(judgement.deciding),
                note(judgement) or "-",
            ]
            for judgement in section.judgements
        ]
        page.table(Table(("id", "place", "claim", "verdict", "rests on", "note"), rows), indent=1)
        _spelled_out(page, section)
    page.heading("Claims by verdict")
    header = ("construction", "claims", *used_verdicts(found))
    page.table(Table(header, [list(row) for row in counts(found)], right=frozenset(header[1:])), indent=1)


def _spelled_out(page: Page, section: Section) -> None:
    odd = [judgement for judgement in section.judgements if judgement.verdict in ("false", "ambiguous")]
    if not odd:
        return
    page.heading("False or ambiguous")
    for judgement in odd:
        difference = judgement.difference
        assert difference is not None
        page.line(f"{judgement.claim.id}: {judgement.verdict}", indent=1)
        lines = [("printed", plain(judgement.claim.printed)), ("derived", judgement.derived or "-")]
        if len(judgement.readings) > 1:
            lines += [("read", f"{each.name}: {each.word}") for each in judgement.readings]
        page.pairs([*lines, ("differs", shown(judgement))], indent=2)
        page.command(difference.command(section.source.argument), indent=2)
