"""The lines of a user's file that a repair edits, where its weights stand there literally.

Nothing is guessed of how the file makes its construction: a literal is the right one where the file, run with another
one in its place, makes the changed construction and nothing else new.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from weightproof.constructions.library import UserFile, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.record import record
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.work import spend
from weightproof.constructions.transforms.places import put_at, value_at
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.repairing.candidates import Edit
from weightproof.sources import Source

MOST_SECONDS = 5.0
"""Seconds of counted work for all literals that are tried, as every one takes a run of the file."""


@dataclass(frozen=True)
class Line:
    """A line of the file, counted from 1, before and after."""

    file: str
    number: int
    old: str
    new: str


@dataclass(frozen=True)
class _Literal:
    """A number or a text that stands in one line; columns are bytes."""

    line: int
    begin: int
    end: int
    value: str


def lines(source: Source, edits: Sequence[Edit]) -> tuple[Line, ...]:
    """The lines that all of the edits change; none where the construction is no file's, where a weight stands in no
    literal of its own, or where the file takes too long to run."""
    path = Path(source.named)
    if path.suffix != ".py" or not source.is_named or source.asked:
        return ()
    deadline = Deadline.after(MOST_SECONDS)
    try:
        return deadline.during("the lines to edit", lambda: _lines(path, source.construction, edits, deadline))
    except (TimeUp, OSError, ValueError, SyntaxError):
        return ()


def _lines(path: Path, construction: Construction, edits: Sequence[Edit], deadline: Deadline) -> tuple[Line, ...]:
    text, file = path.read_text(encoding="utf-8"), load_file(path)
    literals, found = list(_literals(text)), []
    for edit in edits:
        wanted = _with(construction, (edit,))
        alike = [literal for literal in literals if literal.value == edit.old]
        right = (each for each in alike if _makes(path, _put(text, [(each, edit.new)]), wanted, file, deadline))
        if (literal := next(right, None)) is None:
            return ()
        found.append((literal, edit.new))
    changed = _put(text, found)
    if not _makes(path, changed, _with(construction, edits), file, deadline):
        return ()
    pairs = zip(text.splitlines(), changed.splitlines(), strict=True)
    return tuple(Line(str(path), n, old, new) for n, (old, new) in enumerate(pairs, start=1) if old != new)


def _literals(text: str) -> Iterator[_Literal]:
    """Those that may be a weight, or a choice."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                value = str(-number)
            case ast.Constant(value=int() | str() as constant):
                value = str(constant)
            case _:
                continue
        if node.end_lineno == node.lineno and node.end_col_offset is not None:
            yield _Literal(node.lineno, node.col_offset, node.end_col_offset, value)


def _put(text: str, new: list[tuple[_Literal, str]]) -> str:
    """The text with other literals; the last ones first, as they move what is behind them."""
    found = text.splitlines(keepends=True)
    for literal, value in sorted(new, key=lambda each: (each[0].line, each[0].begin), reverse=True):
        line = found[literal.line - 1].encode()
        written = value if value.removeprefix("-").isdigit() else f'"{value}"'
        found[literal.line - 1] = (line[: literal.begin] + written.encode() + line[literal.end :]).decode()
    return "".join(found)


def _with(construction: Construction, edits: Sequence[Edit]) -> Construction:
    network = construction.network
    assert isinstance(network, Encoder)
    for edit in edits:
        is_scalar = isinstance(value_at(network, edit.place), Expression)
        network = put_at(network, edit.place, Expression(edit.new) if is_scalar else edit.new)
    return replace(construction, network=network)


def _makes(path: Path, text: str, wanted: Construction, file: UserFile, deadline: Deadline) -> bool:
    """Whether the file with this text makes the wanted construction, and states the same of it."""
    try:
        with _counted(path):
            made = None if deadline.remaining() == 0 else load_file(path, text)
    except (InputError, ConstructionError):
        return False
    return made is not None and record(made.construction) == record(wanted) and made.theorems == file.theorems


@contextlib.contextmanager
def _counted(path: Path) -> Iterator[None]:
    """What the file does is counted, a step for every line of it that runs: with another number in it, it may never
    end."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != str(path):
            return None
        if event == "line":
            spend(1)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
