"""What the suites share: the results of all theorems, proved once a session, and the tables at the end of a run."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import weightproof.numeric  # noqa: F401 - before any test loads torch
from weightproof.proofs.verdict import Result

TABLES, COUNTS = "tables", "counts"


@pytest.fixture(scope="session")
def results() -> Callable[[str], dict[str, Result]]:
    """The results of all theorems about a built-in construction, by the theorem's name; each construction once."""
    from weightproof.constructions.library import load
    from weightproof.proofs.prove import prove, theorems_of

    @functools.cache
    def of(name: str) -> dict[str, Result]:
        return {result.theorem: result for result in prove(load(name), theorems_of(name))}

    return of


@pytest.fixture
def little_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second for the last search: where no word is to be found, all of its time is spent."""
    from weightproof.proofs import deciding

    monkeypatch.setattr(deciding, "SEARCHING", 1 / 60)


@pytest.fixture
def table_row(record_property: Callable[[str, object], None]) -> Callable[[str, Sequence[str]], None]:
    """Adds a row to a table that is printed at the end of the run; header and cells joined by tabs."""

    def add(header: str, cells: Sequence[str]) -> None:
        record_property(TABLES, (header, list(cells)))

    return add


@pytest.fixture
def count_row(record_property: Callable[[str, object], None]) -> Callable[[str, str, Sequence[int]], None]:
    """As `table_row`, for numbers: rows of the same name, from several tests, are added up."""

    def add(header: str, name: str, numbers: Sequence[int]) -> None:
        record_property(COUNTS, (header, name, list(numbers)))

    return add


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The tables that the tests have filled."""
    from weightproof.terminal.page import PlainPage, Table

    tables: dict[str, list[Sequence[str]]] = {}
    counts: dict[str, dict[str, list[int]]] = {}
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for key, value in [item for report in reports if report.when == "call" for item in report.user_properties]:
        if key == TABLES:
            header, cells = value
            tables.setdefault(header, []).append(cells)
        elif key == COUNTS:
            header, name, numbers = value
            rows = counts.setdefault(header, {})
            rows[name] = [a + b for a, b in zip(rows.get(name, [0] * len(numbers)), numbers, strict=True)]
    for header, sums in counts.items():
        total = [sum(column) for column in zip(*sums.values(), strict=True)]
        tables[header] = [[name, *map(str, numbers)] for name, numbers in [*sums.items(), ("all", total)]]
    page = PlainPage(sys.stdout)
    for header, lines in tables.items():
        terminalreporter.write_line("")
        titles = header.split("\t")
        right = frozenset(titles[1:] if header in counts else [title for title in titles if "time" in title])
        page.table(Table(titles, lines, right=right))
