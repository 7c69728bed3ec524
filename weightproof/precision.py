"""`precision`: where rounding breaks constructions, row by row; what is reached is kept, and taken up again.

A row is one construction in one dtype, on one device, by one implementation of attention, under one rule of acceptance.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flint import fmpq

from constructions.interpreter import InputError, Names, parameter_values
from constructions.notation import compact
from constructions.record import digest
from constructions.schema import Construction
from weightproof.page import Cell, Page, Table
from weightproof.progress import progress
from weightproof.sources import Source

if TYPE_CHECKING:
    from numeric.model import Transformer
    from numeric.search import Finding

Row = dict[str, Any]

EFFORT = {"strict": 1 << 23, "explicit": 1 << 24, "fused": 1 << 23}
"""Symbols that a search runs, by implementation: a few seconds each."""
DTYPES = ("float64", "float32", "bfloat16", "float16")
LIBRARIES = ("torch", "numpy", "ml-dtypes", "python-flint")


@dataclass(frozen=True)
class Subject:
    """One search: what is run, how, and how far."""

    source: Source
    parameters: Mapping[str, str]
    dtype: str
    device: str
    attention: str
    max_length: int
    tolerance: float | None

    @property
    def construction(self) -> Construction:
        return self.source.construction

    @property
    def key(self) -> dict[str, Any]:
        """What a row has to share with this subject to be its row."""
        return {
            "construction": self.source.argument,
            "sha256": digest(self.construction),
            "parameters": self.values,
            "dtype": self.dtype,
            "device": self.device,
            "attention": self.attention,
            "max_length": self.max_length,
            "tolerance": self.tolerance,
        }

    @property
    def values(self) -> dict[str, str]:
        return {p.name: self.parameters.get(p.name, p.default.source) for p in self.construction.parameters}

    def model(self) -> Transformer:
        """The network; InputError where the dtype, the device or the length cannot be had."""
        from numeric.model import Transformer

        model = Transformer(self.construction, self.parameters, self.dtype, self.device, self.attention)
        model.require_memory(self.max_length + 2)
        return model


def subjects(
    sources: Sequence[Source],
    parameters: Mapping[str, str],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
    max_length: int,
    tolerance: float | None,
) -> list[Subject]:
    """All combinations; InputError, before any long work, where one of them cannot be run."""
    if max_length < 1:
        raise InputError(f"--max-length {max_length} leaves no word to run: give 1 or more")
    if tolerance is not None and not 0 <= tolerance < float("inf"):
        raise InputError(f"--tolerance {tolerance:g} is no tolerance: give a number such as 1e-7")
    result = []
    for source, dtype, device, attention in product(sources, dtypes, devices, attentions):
        known = {p.name for p in source.construction.parameters}
        given = {name: value for name, value in parameters.items() if name in known or len(sources) == 1}
        result.append(Subject(source, given, dtype, device, attention, max_length, tolerance))
        result[-1].model()
    return result


@dataclass
class Session:
    """What one call of `precision` has reached, with the rows of earlier calls in its file."""

    file: Path | None
    rows: list[Row] = field(default_factory=list)
    interrupted: bool = False

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            try:
                self.rows = json.loads(self.file.read_text(encoding="utf-8"))["rows"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{self.file}: no results of `precision`; name another file, or delete it") from error

    def measure(self, wanted: Sequence[Subject]) -> None:
        """Every subject that has no rows yet; Ctrl-C ends it early and keeps what is there."""
        known = [_key(row) for row in self.rows]
        missing = [subject for subject in wanted if subject.key not in known]
        try:
            with progress(len(missing)) as advance:
                for number, subject in enumerate(missing):
                    doing = f"{subject.source.argument} {subject.dtype} {subject.attention}"
                    self.rows += measured(subject, lambda share, n=number, d=doing: advance(d, n + share))  # type: ignore[misc]
                    self._save()
        except KeyboardInterrupt:
            self.interrupted = True
        order = {json.dumps(subject.key): place for place, subject in enumerate(wanted)}
        self.rows = sorted(
            (row for row in self.rows if json.dumps(_key(row)) in order), key=lambda row: order[json.dumps(_key(row))]
        )

    def _save(self) -> None:
        if self.file is None:
            return
        new = self.file.with_name(self.file.name + ".new")
        new.write_text(json.dumps(self.payload(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(new, self.file)

    def payload(self) -> dict[str, Any]:
        return {"machine": machine(), "rows": self.rows, "complete": not self.interrupted}


def _key(row: Row) -> dict[str, Any]:
    names = ("construction", "sha256", "parameters", "dtype", "device", "attention", "max_length", "tolerance")
    return {name: row[name] for name in names}


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


def measured(subject: Subject, advance: Callable[[float], None]) -> Iterator[Row]:
    """One row for each rule of acceptance."""
    from numeric.acceptance import rules
    from numeric.search import Search

    model = subject.model()
    names = parameter_values(subject.construction, subject.parameters)
    search = Search(subject.construction, model, names, EFFORT[subject.attention])
    for finding in search.run(rules(model.network, subject.tolerance), subject.max_length, advance):
        yield _row(subject, finding, names)


def _row(subject: Subject, finding: Finding, names: Names) -> Row:
    failure = finding.failure
    row: Row = {
        **subject.key,
        "rule": finding.rule.name,
        "certified_safe_length": certified(subject, finding.rule.name),
        "first_failing_length": None if failure is None else len(failure.word),
        "least": failure is not None and len(failure.word) == finding.searched_to + 1,
        "witness": None,
        "mechanism": None,
        "searched": finding.searched,
        "searched_to": finding.searched_to,
        "probed_to": finding.probed_to,
        "only_in_batches": finding.only_in_batches,
    }
    if failure is not None:
        row["witness"] = {
            "word": compact(failure.word),
            "member": failure.member,
            "accepts": not failure.member,
            "logit": failure.logit if abs(failure.logit) < float("inf") else str(failure.logit),
            "exact_logit": _exact_logit(subject, failure.word, names),
        }
        row["mechanism"] = _mechanism(subject, finding, names)
    return row


def certified(subject: Subject, rule: str) -> int | None:
    """Symbols up to which every word is certainly right; None where no certificate covers the row."""
    from numeric.acceptance import PROBABILITY
    from numeric.certificate import certified_safe_length

    if subject.attention == "fused" or rule == PROBABILITY.name:
        return None
    tolerance = Fraction(subject.tolerance or 0) if rule.startswith("|") else Fraction(0)
    return certified_safe_length(
        subject.construction,
        margins(subject),
        subject.parameters,
        subject.dtype,
        tolerance=f"{tolerance.numerator}/{tolerance.denominator}",
    )


def margins(subject: Subject) -> list[Any]:
    """The proved margins, in the words of the certificate."""
    from constructions.exact import holds
    from numeric.margins import Margin as Case
    from proofs.prove import theorems_of
    from proofs.theorem import Margin

    theorems = subject.source.theorems if subject.source.is_file else theorems_of(subject.source.argument)
    names, alphabet = parameter_values(subject.construction, subject.parameters), subject.construction.language.alphabet
    cases = []
    for theorem in theorems or ():
        if not isinstance(theorem, Margin):
            continue
        if "n" in theorem.given.names:
            cases.append(Case(theorem.side, theorem.value, f"({theorem.when}) and ({theorem.given})"))
        elif holds(theorem.given, names, (), alphabet):
            cases.append(Case(theorem.side, theorem.value, theorem.when))
    return cases


def _exact_logit(subject: Subject, word: str, names: Names) -> str | None:
    from numeric.mechanism import LONGEST, exact_pass
    from weightproof.digits import cell

    if len(word) > LONGEST:
        return None
    return cell(exact_pass(subject.construction, word, _with_width(subject, names)).logits()[0])


def _with_width(subject: Subject, names: Names) -> Names:
    return {**names, "d": fmpq(len(subject.construction.network.coordinates))}


def _mechanism(subject: Subject, finding: Finding, names: Names) -> str | None:
    """How the word was lost, in one line; None where it is too long to be traced."""
    from numeric.acceptance import PROBABILITY
    from numeric.mechanism import LONGEST, exact_pass, explained, mechanism_of

    failure, rule = finding.failure, finding.rule
    assert failure is not None
    if len(failure.word) > LONGEST:
        return None
    exact = exact_pass(subject.construction, failure.word, _with_width(subject, names))
    if exact.accepts() != failure.member:
        return "no rounding: the exact network misclassifies the word, too"
    if rule == PROBABILITY and (failure.logit > 0) == failure.member:
        return f"the logit {failure.logit:.6g} is right; its probability rounds to 1/2"
    if rule.tolerance is not None and not failure.member:
        return f"the exact logit is within the tolerance of {rule.tolerance:g}"
    found = mechanism_of(subject.construction, failure.word, _with_width(subject, names), subject.dtype)
    if found is None:
        return "none in strict arithmetic, which gets the word right: the order of the kernel's sums"
    return explained(found) if subject.attention == "strict" else f"as in strict arithmetic: {explained(found)}"


SHORT = 24
"""Characters of a witness that a table shows."""


def report(page: Page, session: Session) -> None:
    """The rows as a table, and each witness as the command that replays it."""
    header = ("construction", "dtype", "attention", "rule", "certified", "fails at", "witness", "searched", "to")
    page.table(Table(header, [_cells(row) for row in session.rows], right=frozenset({"certified", "fails at", "to"})))
    for row in session.rows:
        if row["witness"] is None:
            continue
        page.heading(f"{row['construction']}, {row['dtype']}, {row['attention']}, {row['rule']}")
        page.line(row["mechanism"] or "too long to be traced exactly", indent=1)
        page.command(replay(row), indent=1)


def _cells(row: Row) -> list[str | Cell]:
    length, witness = row["first_failing_length"], row["witness"]
    word = "" if witness is None else witness["word"] or "(empty)"
    return [
        Cell(row["construction"], "bold"),
        row["dtype"],
        row["attention"],
        row["rule"],
        "-" if row["certified_safe_length"] is None else str(row["certified_safe_length"]),
        Cell("none found", "green") if length is None else Cell(("" if row["least"] else "<= ") + str(length), "red"),
        word if len(word) <= SHORT else word[: SHORT - 3] + "...",
        row["searched"],
        str(row["searched_to"]),
    ]


def replay(row: Row) -> str:
    """The command that shows the wrong decision again."""
    import shlex

    given = "".join(f" --param {name}={shlex.quote(value)}" for name, value in row["parameters"].items())
    options = f"--dtype {row['dtype']} --device {row['device']} --attention {row['attention']}"
    word = shlex.quote(row["witness"]["word"])
    return f"weightproof run {row['construction']} {word}{given} {options}"
