"""Rows of `precision` of what is no construction: measured in turn, and kept in a file as soon as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import Cell, Page, Table
from weightproof.terminal.progress import progress

Row = dict[str, Any]


@dataclass(frozen=True)
class Measurable:
    """One search. label: as its progress is shown; key: what a row that was measured before has in common with it;
    measured: the row, key included."""

    label: str
    key: Row
    measured: Callable[[], Row]


def session(wanted: Sequence[Measurable], file: Path | None) -> tuple[Row, bool]:
    """The payload of all rows that are wanted, those of a file taken from there, and whether it was interrupted; each
    row is kept in the file, beside the others there, as soon as it is measured."""
    from weightproof.reports.precision import machine

    kept = _kept(file)
    every, computers, here = kept["rows"], kept["machines"], machine()
    rows: list[Row] = []
    interrupted = False
    try:
        with progress(len(wanted)) as advance:
            for number, each in enumerate(wanted):
                advance(each.label, number)
                known = [row for row in every if all(row.get(name) == value for name, value in each.key.items())]
                if not known:
                    computers += [] if here in computers else [here]
                    known = [each.measured() | {"machine": computers.index(here)}]
                    every += known
                    _write(file, _payload(computers, every, False))
                rows += known
        _write(file, _payload(computers, every, True))
    except KeyboardInterrupt:
        interrupted = True
    return _payload(computers, rows, not interrupted), interrupted


def _payload(computers: list[Row], rows: list[Row], complete: bool) -> Row:
    return {"machines": computers, "rows": rows, "laws": [], "complete": complete}


def _kept(file: Path | None) -> Row:
    nothing: Row = {"machines": [], "rows": []}
    if file is None:
        return nothing
    try:
        if not file.exists():
            _write(file, _payload([], [], False))  # found out now, not after the first search
            return nothing
        kept: Row = json.loads(file.read_text(encoding="utf-8"))
        _ = [(row["construction"], row["sha256"], kept["machines"][row["machine"]]) for row in kept["rows"]]
    except OSError as error:
        raise InputError(f"--output {file}: {error.strerror}; name a file that can be written") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(f"{file}: no results of `precision` for these; name another file, or delete it") from error
    return kept


def _write(file: Path | None, payload: Row) -> None:
    if file is not None:
        file.write_text(json.dumps(payload, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


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
