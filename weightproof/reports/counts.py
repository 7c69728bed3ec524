"""How many statements there are of each kind and verdict.

What is printed at one place of a paper is one statement, of however many constructions it is judged. Transcription
checks are counted apart: what they compare was typed from the same page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from weightproof.proofs.claims.judging import VERDICTS, Judgement, VerdictName
from weightproof.reports.claiming import ODD, Section

STRICTEST: tuple[VerdictName, ...] = ("unknown", "false", "ambiguous", "true-under", "true")
"""Of the verdicts on one statement about several constructions, the first one of these counts."""


@dataclass(frozen=True)
class Statement:
    """What is printed at one place, with the judgements of it, one for each construction that it is about."""

    judgements: tuple[Judgement, ...]

    @property
    def verdict(self) -> VerdictName:
        there = {judgement.verdict for judgement in self.judgements}
        return next(verdict for verdict in STRICTEST if verdict in there)

    @property
    def transcribed(self) -> bool:
        return all(judgement.claim.transcribed for judgement in self.judgements)

    @property
    def slips(self) -> set[str]:
        """The mistakes behind it, by their ids."""
        odd = (judgement for judgement in self.judgements if judgement.verdict in ODD)
        return {slip.id for judgement in odd for slip in judgement.claim.slips}


def statements(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements, in the order in which they occur."""
    together: dict[tuple[str, str, str], list[Judgement]] = {}
    for section in found:
        paper = section.about.source.removeprefix("after ").partition(",")[0]
        for judgement in section.judgements:
            claim = judgement.claim
            together.setdefault((paper, claim.place, claim.printed), []).append(judgement)
    return tuple(Statement(tuple(judgements)) for judgements in together.values())


def derived(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements that are no transcription checks."""
    return tuple(statement for statement in statements(found) if not statement.transcribed)


def transcribed(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements that are transcription checks."""
    return tuple(statement for statement in statements(found) if statement.transcribed)


Row = tuple[str, ...]


def by_construction(found: Sequence[Section]) -> tuple[Row, tuple[Row, ...]]:
    """Header and rows: construction, statements, each verdict, transcription checks, and distinct slips of both; what
    all come to last, where a statement about several constructions is counted once."""
    there = {statement.verdict for statement in statements(found)}
    used = [verdict for verdict in VERDICTS if verdict != "unknown" or verdict in there]
    rows = [_counted(section.about.name, (section,), used) for section in found]
    header = ("construction", "statements", *used, "transcribed", "slips")
    return header, (*rows, _counted("all", found, used))


def _counted(name: str, found: Sequence[Section], used: Sequence[str]) -> Row:
    verdicts = Counter[str](statement.verdict for statement in derived(found))
    slips = set[str]().union(*(statement.slips for statement in statements(found)))
    numbers = (len(derived(found)), *(verdicts[verdict] for verdict in used), len(transcribed(found)), len(slips))
    return (name, *map(str, numbers))


def summary(found: Sequence[Section]) -> tuple[str, ...]:
    """The counts, in sentences."""
    of_both = statements(found)
    odd = [statement for statement in of_both if statement.verdict in ODD]
    slips = set[str]().union(*(statement.slips for statement in of_both))
    return (
        f"{len(derived(found))} statements, each counted once, of however many constructions it is judged: "
        f"{verdicts(derived(found))}.",
        f"Not counted there are {len(transcribed(found))} transcription checks, a matrix, a shape or a number compared "
        f"with the data typed from it: {verdicts(transcribed(found))}.",
        f"False or ambiguous are {len(odd)} of both; the number of distinct slips behind them is {len(slips)}."
        if odd
        else "None is false or ambiguous.",
    )


def verdicts(counted: Sequence[Statement]) -> str:
    """How many there are of each verdict, in words."""
    numbers = Counter[str](statement.verdict for statement in counted)
    return ", ".join(f"{numbers[verdict]} {verdict}" for verdict in VERDICTS if numbers[verdict]) or "none"
