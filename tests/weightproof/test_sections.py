"""Sections of a document: which there are, what is kept of them when they are interrupted, and how the command ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from weightproof.appendix import sections
from weightproof.appendix.appendix import Written
from weightproof.cli import main
from weightproof.parallel.pieces import Gone
from weightproof.reports.explanation import Derivable
from weightproof.subjects.registry import everything, subject_of

NAMES = ("parity-of-4", "majority-of-3", "full-adder")


def wanted() -> list[Derivable]:
    return [subject_of(name).derivation() for name in NAMES]


def test_all_is_all_that_is_proved_of_networks() -> None:
    proved, derived = ([each.argument for each in everything(verb)] for verb in ("prove", "derive"))
    assert [name for name in proved if name not in derived] == ["components"]
    assert sum(" --with " in name for name in derived) >= 30


def test_an_interrupted_document_has_what_was_reached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = sections.section_of

    def stopped(each: Derivable, number: int) -> Written:
        if number == len(NAMES) - 1:
            raise KeyboardInterrupt
        return made(each, number)

    monkeypatch.setattr(sections, "section_of", stopped)
    monkeypatch.setattr(sections, "processors", lambda: 1)
    assert main(["derive", *NAMES]) == 130
    shown = capsys.readouterr()
    assert shown.out.count(r"\section{") == 2
    assert shown.err == "weightproof: interrupted after 2 derivations\n"


class GoesAway:
    """Workers that make one section."""

    def spread(self, pieces: Any, order: Sequence[int]) -> Iterator[tuple[int, int, Any]]:
        yield 1, 0, next(iter(pieces()[1]()))
        raise Gone("the scheduler went away")


def test_what_workers_made_before_they_went_away_is_kept() -> None:
    found = sections.made(wanted, sections.SECTIONS, GoesAway())
    assert [each.section[0] for each in found.found] == [NAMES[1]]
    assert found.ending.status == 2
    assert found.ending.complaint == "the scheduler went away after 1 derivation; begin once more for the others"


def test_a_status_that_is_not_0_has_a_line() -> None:
    [right] = sections.made(lambda: wanted()[1:2], sections.SECTIONS).found
    assert sections.Made((right,)).ending.status == 0
    other = replace(right, results=(replace(right.results[0], expected="refuted"), *right.results[1:]))
    ending = sections.Made((right, other)).ending
    assert ending.status == 1
    theorem = f"majority-of-3, {right.results[0].theorem}: proved, expected refuted"
    assert ending.complaint == f"not as expected, 1 of {2 * len(right.results)} theorems: {theorem}"
