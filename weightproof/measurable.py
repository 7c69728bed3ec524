"""Rows of `precision` of what is no construction: measured in turn, and kept in a file as soon as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weightproof.rows.columns import Row
from weightproof.rows.kept import Results, added, taken_up
from weightproof.terminal.page import Cell, Page, Table
from weightproof.terminal.progress import progress


@dataclass(frozen=True)
class Measurable:
    """One search. label: as its progress is shown; key: what a row that was measured before has in common with it;
    measured: the row, key included."""

    label: str
    key: Row
    measured: Callable[[], Row]


@dataclass(frozen=True)
class Searches:
    """Some of them, and how their rows are told: those that are told in different ways are not made together."""

    wanted: Sequence[Measurable]
    report: Callable[[Page, Sequence[Row]], None]

    def joined(self, others: Sequence[Searches]) -> Searches:
        return Searches([each for some in (self, *others) for each in some.wanted], self.report)

    def made(self, file: Path | None) -> tuple[Row, Callable[[Page], None], bool]:
        """The payload, what writes its report, and whether it was interrupted."""
        payload, interrupted = session(self.wanted, file)
        return payload, lambda page: self.report(page, payload["rows"]), interrupted


def session(wanted: Sequence[Measurable], file: Path | None) -> tuple[Row, bool]:
    """The payload of all rows that are wanted, those of a file taken from there, and whether it was interrupted; each
    row is kept in the file, beside the others there, as soon as it is measured."""
    from weightproof.reports.precision import machine

    kept, here = taken_up(file), machine()
    rows: list[Row] = []
    interrupted = False
    try:
        with progress(len(wanted)) as advance:
            for number, each in enumerate(wanted):
                advance(each.label, number)
                if not kept.of(each.key):
                    new = Results((here,), (each.measured() | {"machine": 0},))
                    kept = added(kept, new, file, complete=False)
                rows += kept.of(each.key)
        if not kept.complete:
            kept = added(kept, Results(), file, complete=True)
    except KeyboardInterrupt:
        interrupted = True
    return kept.payload(rows, not interrupted), interrupted


def fails_at(row: Row) -> str:
    """The length of the witness, "<=" before it where a shorter one is not excluded."""
    length = row["first_failing_length"]
    return "none found" if length is None else ("" if row["least"] else "<= ") + str(length)


def report(page: Page, rows: Sequence[Row]) -> None:
    """The rows of families as a table, and how each witness is lost."""
    header = ("family", "parameters", "dtype", "attention", "rule", "certified", "fails at", "on", "all up to")
    cells: list[list[str | Cell]] = [
        [
            Cell(row["construction"], "bold"),
            ", ".join(f"{name} = {value}" for name, value in row["parameters"].items()) or "-",
            row["dtype"],
            row["attention"],
            row["rule"],
            "-" if row["certified_safe_length"] is None else str(row["certified_safe_length"]),
            Cell(fails_at(row), "green" if row["witness"] is None else "red"),
            "" if row["witness"] is None else str(row["witness"]["word"]),
            str(row["searched_to"]),
        ]
        for row in rows
    ]
    page.table(Table(header, cells, right=frozenset({"certified", "fails at", "all up to"})))
    for row in rows:
        if row["mechanism"] is not None:
            page.heading(f"{row['construction']}, {row['dtype']}, {row['attention']}")
            page.line(row["mechanism"], indent=1)
