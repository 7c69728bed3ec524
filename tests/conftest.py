"""What the suites share: the results of all theorems, proved once a session, and the tables at the end of a run."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from proofs.verdict import Result

TABLES = "tables"


@pytest.fixture(scope="session")
def results() -> Callable[[str], dict[str, Result]]:
    """The results of all theorems about a built-in construction, by the theorem's name; each construction once."""
    from constructions.library import load
    from proofs.prove import prove, theorems_of

    @functools.cache
    def of(name: str) -> dict[str, Result]:
        return {result.theorem: result for result in prove(load(name), theorems_of(name))}

    return of


@pytest.fixture
def table_row(record_property: Callable[[str, object], None]) -> Callable[[str, Sequence[str]], None]:
    """Adds a row to a table that is printed at the end of the run; header and cells joined by tabs."""

    def add(header: str, cells: Sequence[str]) -> None:
        record_property(TABLES, (header, list(cells)))

    return add


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The tables that the tests have filled."""
    from weightproof.page import PlainPage, Table

    tables: dict[str, list[Sequence[str]]] = {}
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for report in reports:
        for key, value in getattr(report, "user_properties", ()):
            if key == TABLES and report.when == "call":
                header, cells = value
                tables.setdefault(header, []).append(cells)
    page = PlainPage(sys.stdout)
    for header, rows in tables.items():
        terminalreporter.write_line("")
        titles = header.split("\t")
        page.table(Table(titles, rows, right=frozenset(title for title in titles if "time" in title)))
