"""`precision`: where rounding breaks constructions, row by row; what is reached is kept, and taken up again."""

from __future__ import annotations

import json
import platform
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weightproof.constructions.languages.notation import run_command
from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import Measuring
from weightproof.reports.measuring import Subject, measured, proved_margins, spans, subjects
from weightproof.rows.columns import Row
from weightproof.rows.kept import LAW, SEARCH, Results, added, taken_up
from weightproof.sources import Source
from weightproof.terminal.page import Cell, Page, Table
from weightproof.terminal.progress import progress

if TYPE_CHECKING:
    from weightproof.numeric.certificate.margins import Margin
    from weightproof.numeric.certificate.scaling import Law, Point

DTYPES = ("float64", "float32", "bfloat16", "float16")
LIBRARIES = ("torch", "numpy", "ml-dtypes", "python-flint")


@dataclass
class Session:
    """What one call of `precision` has reached, with what is kept in its file."""

    file: Path | None
    kept: Results = field(init=False)
    rows: list[Row] = field(default_factory=list)
    complete: bool = False
    interrupted: bool = False

    def __post_init__(self) -> None:
        self.kept = taken_up(self.file)

    def measure(self, wanted: Sequence[Subject]) -> None:
        """Every subject that has no rows yet; Ctrl-C ends it early and keeps what is there."""
        missing = [subject for subject in wanted if not self.kept.of(subject.key)]
        margins: dict[str, list[Margin]] = {}
        here, name = machine(), ""
        try:
            with progress(len(missing)) as advance:
                for number, subject in enumerate(missing):
                    if self.kept.of(subject.key):  # another process has measured it in the meantime
                        continue
                    name = subject.source.argument
                    if name not in margins:
                        advance(f"{name} margins", number)
                        margins[name] = proved_margins(subject.source, subject.parameters)
                    self._law(subject, margins[name], lambda d=f"{name} law", n=number: advance(d, n))
                    doing = f"{name} {subject.dtype} {subject.attention}"
                    found = measured(
                        subject,
                        margins[name],
                        self._predicted(subject),
                        lambda share, n=number, d=doing: advance(d, n + share),  # type: ignore[misc]
                    )
                    rows = tuple(row | {"machine": 0} for row in found)  # all its rows or none
                    self._add(Results((here,), rows), complete=subject is missing[-1])
            if not self.kept.complete:
                self._add(Results(), complete=True)
            self.complete = True
        except KeyboardInterrupt:
            self.interrupted = True
        except ArithmeticError as error:
            raise InputError(f"{name}: no value on some word: {error}") from error
        self.rows = [row for subject in wanted for row in self.kept.of(subject.key)]

    def _add(self, new: Results, complete: bool) -> None:
        self.kept = added(self.kept, new, self.file, complete=complete)

    def _law(self, subject: Subject, margins: Sequence[Margin], advance: Any) -> None:
        """The law of the certificate, once for each construction with its parameters and tolerance; it is kept with the
        first row."""
        from weightproof.numeric.certificate.scaling import certified_points, fitted

        if self.kept.law(subject.key) is not None:
            return
        advance()
        points = certified_points(subject.construction, margins, subject.parameters)
        law, key = fitted(points), {name: subject.key[name] for name in LAW}
        told = {**key, "form": law and law.form, "rate": law and law.rate, "text": law and str(law), "points": points}
        self.kept = self.kept.joined(Results(laws=(told,)))

    def _predicted(self, subject: Subject) -> dict[str, int]:
        """Failing lengths by the names of the rules: the one of the next lower precision that fails, carried on."""
        law = self.law(subject.key)
        lower = [
            (point, row["rule"])
            for row in self.kept.of({name: value for name, value in subject.key.items() if name != "dtype"})
            for point in _points([row])
            if point[0] < _precision(subject.dtype)
        ]
        if law is None:
            return {}
        return {rule: law.extended(*point, _precision(subject.dtype)) for point, rule in sorted(lower)}

    def law(self, row: Row) -> Law | None:
        """The law of the certificate for a row."""
        from weightproof.numeric.certificate.scaling import Law

        found = self.kept.law(row)
        return None if found is None or found["form"] is None else Law(found["form"], found["rate"])

    def payload(self) -> dict[str, Any]:
        return self.kept.payload(self.rows, self.complete)


@dataclass(frozen=True)
class LogitSearches:
    """Those of encoders that read out a logit, as `measurable.Searches` are those of others."""

    sources: Sequence[Source]
    how: Measuring

    @property
    def report(self) -> Callable[[Page, Session], None]:
        return report

    def joined(self, others: Sequence[LogitSearches]) -> LogitSearches:
        return LogitSearches([source for some in (self, *others) for source in some.sources], self.how)

    def made(self, file: Path | None) -> tuple[Row, Callable[[Page], None], bool]:
        how, session = self.how, Session(file)
        dtypes, devices, attentions = how.dtypes or DTYPES, how.devices or ("cpu",), how.attentions or ("strict",)
        session.measure(
            subjects(self.sources, how.parameters, dtypes, devices, attentions, how.max_length, how.tolerance)
        )
        return session.payload(), lambda page: report(page, session), session.interrupted


def _precision(dtype: str) -> int:
    from weightproof.numeric.rounding.formats import FORMATS

    return FORMATS[dtype].precision


def _points(rows: Sequence[Row]) -> list[Point]:
    """Precisions and failing lengths."""
    return [
        (_precision(row["dtype"]), row["first_failing_length"])
        for row in rows
        if row["first_failing_length"] is not None
    ]


def machine() -> dict[str, Any]:
    """What the rows were measured on, and when."""
    import torch

    return {
        "processor": platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
        "accelerator": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "libraries": {name: version(name) for name in LIBRARIES},
        "date": datetime.now(UTC).date().isoformat(),
    }


SHORT = 24
"""Characters of a witness that a table shows."""


def report(page: Page, session: Session) -> None:
    """The rows as a table, how they scale, and each witness as the command that replays it."""
    header = (
        "construction",
        "dtype",
        "attention",
        "rule",
        "certified",
        "fails at",
        "ratio",
        "witness",
        "searched",
        "to",
    )
    right = frozenset({"certified", "fails at", "ratio", "to"})
    page.table(Table(header, [_cells(row) for row in session.rows], right=right))
    laws = _laws(session)
    if laws:
        page.heading("Lengths and the unit roundoff u")
        page.table(Table(("construction", "attention", "rule", "certified", "fails at", "dtypes that fail"), laws))
    for row in session.rows:
        notes = [*_notes(row)]
        if row["witness"] is None and not notes:
            continue
        page.heading(f"{row['construction']}, {row['dtype']}, {row['attention']}, {row['rule']}")
        for note in notes:
            page.line(note, indent=1)
        if row["witness"] is not None:
            page.line(row["mechanism"] or "too long to be traced exactly", indent=1)
            page.command(replay(row), indent=1)


def _cells(row: Row) -> list[str | Cell]:
    length, witness, certified = row["first_failing_length"], row["witness"], row["certified_safe_length"]
    word = "" if witness is None else witness["word"] or "(empty)"
    return [
        Cell(row["construction"], "bold"),
        row["dtype"],
        row["attention"],
        row["rule"],
        "-" if certified is None else str(certified),
        Cell("none found", "green") if length is None else Cell(("" if row["least"] else "<= ") + str(length), "red"),
        f"{length / certified:.3g}" if length and certified and certified > 0 else "-",
        word if len(word) <= SHORT else word[: SHORT - 3] + "...",
        row["searched"],
        str(row["searched_to"]),
    ]


def _notes(row: Row) -> list[str]:
    notes = []
    if row["witness"] is None and row["predicted_length"] is not None:
        notes.append(f"failure predicted near {row['predicted_length']} symbols, from lower precision")
    if row["luck"] is not None:
        notes.append(f"right by luck: {row['luck']}")
    if row["followed"]:
        notes.append(f"from {row['searched_to'] + 1} symbols on, only words like the witness were run at every length")
    if len(row["in_full"]) > 1:
        notes.append(f"families were run in full at {spans(row['in_full'])} symbols")
    if row["only_in_batches"] is not None:
        notes.append(f"a word of {row['only_in_batches']} symbols is wrong in a batch, and right alone")
    return notes


def _laws(session: Session) -> list[list[str | Cell]]:
    """By construction, attention and rule: the law of the certificate, and the one that fits the failing lengths."""
    from weightproof.numeric.certificate.scaling import fitted

    grouped: dict[str, list[Row]] = {}
    for row in session.rows:
        place = {name: row.get(name) for name in SEARCH if name != "dtype"} | {"rule": row["rule"]}
        grouped.setdefault(json.dumps(place), []).append(row)
    lines: list[list[str | Cell]] = []
    for rows in grouped.values():
        law, points = session.law(rows[0]), _points(rows)
        measured_law = fitted(points, law.form if law else None)
        if law is None and measured_law is None:
            continue
        names = ", ".join(row["dtype"] for row in rows if row["first_failing_length"] is not None)
        lines.append(
            [
                Cell(rows[0]["construction"], "bold"),
                rows[0]["attention"],
                rows[0]["rule"],
                "-" if law is None else str(law),
                "-" if measured_law is None else str(measured_law),
                names or "-",
            ]
        )
    return lines


def replay(row: Row) -> str:
    """The command that shows the wrong decision again, in the line of the row's rule."""
    given = "".join(f" --param {name}={shlex.quote(value)}" for name, value in row["parameters"].items())
    options = f"--dtype {row['dtype']} --device {row['device']} --attention {row['attention']}"
    if row["rule"].startswith("|"):
        options += f" --tolerance {row['tolerance']}"
    name, word = row["construction"], row["witness"]["word"]
    if word.startswith("-"):
        return run_command(name, word, f"{given} {options}")
    return f"weightproof run {name} {shlex.quote(word)}{given} {options}"
