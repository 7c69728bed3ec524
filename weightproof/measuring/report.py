"""The rows of `precision` as a report: one table of whatever was measured, how lengths grow with the precision, and how
each word is lost."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence

from weightproof.constructions.languages.notation import quoted, run_command
from weightproof.document.blocks import Code, Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.measuring.kept import COMPUTING, ENCODER, PREDICTING, SEARCH, SIMULATED, UNCERTIFIED, Row, Rows
from weightproof.measuring.logits import failing_points, law_of, spans
from weightproof.measuring.tapes import READER

SHORT = 24
"""Characters of a witness that a table shows."""
CELLS_OF_TAPE = (
    "Lengths are cells of tape: those of the word and those that the head has visited. A step is one of the",
    "network, which is off there by half of what lies between two symbols under the head, or more.",
)
OF_FAMILIES = "*"
OF_PROMPTS = (
    "Lengths of decoders are symbols of a prompt. Where one is certified, all prompts get the right tokens appended;",
    "of all there are, as many as the table says were drawn and run.",
)
SYMBOLS_READ = "Lengths of families are symbols of words, on which a recurrent network is run that holds what it reads."


def report(found: Rows) -> Iterator[Plain]:
    """Where a word is known that is lost, and a command shows it, the command, too."""
    yield table(found.rows)
    simulators = {row[SIMULATED] for row in found.rows if SIMULATED in row}
    if simulators - {READER}:
        for line in CELLS_OF_TAPE:
            yield Paragraph(line)
    if READER in simulators:
        yield Paragraph(SYMBOLS_READ)
    if any(COMPUTING in row for row in found.rows):
        for line in OF_PROMPTS:
            yield Paragraph(line)
    laws = _laws(found)
    if laws:
        yield Heading(3, "Lengths and the unit roundoff u")
        yield Table(("construction", "attention", "rule", "certified", "fails at", "dtypes that fail"), laws)
    for row in found.rows:
        notes = [] if row["refused"] is None else [row["refused"]]
        notes += [*_notes(row)] if ENCODER in row else []
        notes += [f"not certified: {row[UNCERTIFIED]}"] if row.get(UNCERTIFIED) else []
        if row["witness"] is None and not notes:
            continue
        names = (row["construction"], row.get(SIMULATED), row["dtype"], row["attention"], row["rule"])
        yield Heading(3, ", ".join(name for name in names if name))
        for note in notes:
            yield Paragraph(note, 1)
        if row["witness"] is not None:
            yield Paragraph(_lost(row), 1)
            if (shown := command(row)) is not None:
                yield Paragraph(Code(shown), 1)


def table(rows: Sequence[Row]) -> Table:
    """A line for each row."""
    columns = [column for column in COLUMNS if column[0] in ALWAYS or any(map(column[1], rows))]
    header = tuple(name for name, _ in columns)
    return Table(header, [[cell(row) for _, cell in columns] for row in rows], right=RIGHT & {*header})


def fails_at(row: Row, number: Callable[[int], str] = str) -> str:
    """The length of the witness, "<=" before it where a shorter one is not excluded; then OF_FAMILIES after it where
    none of the language's families is shorter."""
    length = row["first_failing_length"]
    if row["refused"] is not None:
        return "refused"
    if length is None or row["least"]:
        return "none found" if length is None else number(length)
    return f"<= {number(length)}{OF_FAMILIES if row.get('of_families') else ''}"


def _ratio(row: Row) -> str:
    length, certified = row["first_failing_length"], row["certified_safe_length"]
    return f"{length / certified:.3g}" if length and certified and certified > 0 else ""


def _word(row: Row) -> str:
    if row["witness"] is None:
        return ""
    word: str = row["witness"]["word"] or "(empty)"
    return word if len(word) <= SHORT else word[: SHORT - 3] + "..."


COLUMNS: Sequence[tuple[str, Callable[[Row], str | Styled]]] = (
    ("construction", lambda row: Styled(row["construction"])),
    ("parameters", lambda row: ", ".join(f"{name} = {value}" for name, value in row["parameters"].items())),
    ("simulator", lambda row: str(row.get(SIMULATED, ""))),
    ("dtype", lambda row: str(row["dtype"])),
    ("device", lambda row: "" if row["device"] == "cpu" else str(row["device"])),
    ("attention", lambda row: str(row["attention"])),
    ("kernel", lambda row: row["kernel"] or ""),
    ("rule", lambda row: str(row["rule"])),
    ("certified", lambda row: "-" if row["certified_safe_length"] is None else str(row["certified_safe_length"])),
    ("fails at", lambda row: Styled(fails_at(row), "green" if row["witness"] is None else "red")),
    ("ratio", _ratio),
    ("witness", _word),
    ("step", lambda row: str((row["witness"] or {}).get("step", ""))),
    ("prompts", lambda row: f"{row[COMPUTING]:,}" if COMPUTING in row else ""),
    ("searched", lambda row: str(row["searched"])),
    ("to", lambda row: str(row["searched_to"])),
)
"""Those that no row fills are left out, but for these."""
ALWAYS = ("construction", "certified", "fails at", "ratio", "witness")
RIGHT = frozenset({"certified", "fails at", "ratio", "step", "prompts", "to"})


def _lost(row: Row) -> str:
    """How the witness is lost."""
    if row["mechanism"] is None and PREDICTING in row:
        right = row["witness"]["right"]
        return (
            f"after {quoted(row['witness']['word'])} comes {right!r}, which has not the {row['rule'].partition(',')[0]}"
        )
    return row["mechanism"] or "too long to be traced exactly"


def _notes(row: Row) -> list[str]:
    notes = []
    if row["witness"] is None and row["predicted_length"] is not None:
        notes.append(f"failure predicted near {row['predicted_length']} symbols, from lower precision")
    if row["luck"] is not None:
        notes.append(f"right by luck: {row['luck']}")
    if row["followed"]:
        notes.append(f"from {row['searched_to'] + 1} symbols on, only words like the witness were run at every length")
    if row["of_families"] and not row["least"]:
        notes.append(f"{OF_FAMILIES} no shorter word of the language's families fails, all were run; others may")
    if len(row["in_full"]) > 1:
        notes.append(f"families were run in full at {spans(row['in_full'])} symbols")
    if row["only_in_batches"] is not None:
        notes.append(f"a word of {row['only_in_batches']} symbols is wrong in a batch, and right alone")
    return notes


def _laws(found: Rows) -> list[list[Text]]:
    """By construction, attention and rule: the law of the certificate, and the one that fits the failing lengths."""
    from weightproof.numeric.certificate.scaling import fitted

    grouped: dict[str, list[Row]] = {}
    for row in found.rows:
        if ENCODER not in row:
            continue
        place = {name: row.get(name) for name in SEARCH if name != "dtype"} | {"rule": row["rule"]}
        grouped.setdefault(json.dumps(place), []).append(row)
    lines: list[list[Text]] = []
    for rows in grouped.values():
        law, points = law_of(found, rows[0]), failing_points(rows)
        measured_law = fitted(points, law.form if law else None)
        if law is None and measured_law is None:
            continue
        names = ", ".join(row["dtype"] for row in rows if row["first_failing_length"] is not None)
        lines.append(
            [
                Styled(rows[0]["construction"]),
                rows[0]["attention"],
                rows[0]["rule"],
                "-" if law is None else str(law),
                "-" if measured_law is None else str(measured_law),
                names or "-",
            ]
        )
    return lines


def command(row: Row) -> str | None:
    """The one that shows the wrong decision again, in the line of the row's rule; None where there is none, or where
    `run` has no floating point to show."""
    if row["witness"] is None or not (ENCODER in row or PREDICTING in row or COMPUTING in row):
        return None
    given = "".join(f" --param {name}={shlex.quote(value)}" for name, value in row["parameters"].items())
    options = f"--dtype {row['dtype']} --device {shlex.quote(row['device'])} --attention {row['attention']}"
    if COMPUTING in row:
        options += f" --max-steps {len(row['witness']['right'].split())}"
    if row["rule"].startswith("|"):
        options += f" --tolerance {row['tolerance']}"
    named, *transforms = row["construction"].split(" --with ")
    name, word = " --with ".join((shlex.quote(named), *transforms)), row["witness"]["word"]
    if word.startswith("-"):
        return run_command(name, word, f"{given} {options}")
    return f"weightproof run {name} {shlex.quote(word)}{given} {options}"
