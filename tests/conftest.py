"""What the suites share: the results of all theorems, proved once a session, and the tables at the end of a run."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

import weightproof.numeric  # noqa: F401 - before any test loads torch

if TYPE_CHECKING:
    from weightproof.proofs.prove import Proof

TABLES, COUNTS = "tables", "counts"


@pytest.fixture(scope="session")
def proved() -> Callable[[str], dict[str, Proof]]:
    """The proofs of all theorems about a built-in construction, by the theorem's name; each construction once."""
    from weightproof.constructions.library import load
    from weightproof.proofs.prove import proofs, theorems_of

    @functools.cache
    def of(name: str) -> dict[str, Proof]:
        return {proof.theorem.name: proof for proof in proofs(load(name), theorems_of(name))}

    return of


@pytest.fixture
def little_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second for the last search: where no word is to be found, all of its time is spent."""
    from weightproof.proofs import deciding

    monkeypatch.setattr(deciding, "SEARCHING", 1 / 60)


@pytest.fixture
def table_row(
    record_property: Callable[[str, object], None], request: pytest.FixtureRequest
) -> Callable[[str, Sequence[str]], None]:
    """Adds a row to a table that is printed at the end of the run; header and cells joined by tabs.

    The rows are in the order in which the tests are written, whichever process ends first.
    """

    def add(header: str, cells: Sequence[str]) -> None:
        record_property(TABLES, (header, request.session.items.index(request.node), list(cells)))

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

    placed: dict[str, list[tuple[int, Sequence[str]]]] = {}
    counts: dict[str, dict[str, list[int]]] = {}
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for key, value in [item for report in reports if report.when == "call" for item in report.user_properties]:
        if key == TABLES:
            header, place, cells = value
            placed.setdefault(header, []).append((place, cells))
        elif key == COUNTS:
            header, name, numbers = value
            rows = counts.setdefault(header, {})
            rows[name] = [a + b for a, b in zip(rows.get(name, [0] * len(numbers)), numbers, strict=True)]
    tables = {header: [cells for _, cells in sorted(rows)] for header, rows in placed.items()}
    for header, sums in counts.items():
        total = [sum(column) for column in zip(*sums.values(), strict=True)]
        tables[header] = [[name, *map(str, numbers)] for name, numbers in [*sums.items(), ("all", total)]]
    page = PlainPage(sys.stdout)
    for header, lines in tables.items():
        terminalreporter.write_line("")
        titles = header.split("\t")
        right = frozenset(titles[1:] if header in counts else [title for title in titles if "time" in title])
        page.table(Table(titles, lines, right=right))
