"""`repair`: the word that refutes, the lines to edit after which the theorem is proved, and what was searched; as a
command shows it and as Python gets it.
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
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.work import spend
from weightproof.constructions.transforms.places import put_at, value_at
from weightproof.document.blocks import Code, Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline, TimeUp, clock
from weightproof.proofs.prove import prove
from weightproof.proofs.repairing.candidates import KEYS, Edit
from weightproof.proofs.repairing.search import BY_WORDS, OUTCOMES, Repair, Search, Tried
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.reported import Ending, Reported
from weightproof.reports import proving
from weightproof.reports.proving import Outcome
from weightproof.stating import decides
from weightproof.subjects.registry import subject_of
from weightproof.terminal.streams import INTERRUPTED, progress

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


def lines(source: Named, edits: Sequence[Edit]) -> tuple[Line, ...]:
    """The lines that all of the edits change; none where the construction is no file's, where a weight stands in no
    literal of its own, or where the file takes too long to run."""
    path = Path(source.named)
    if path.suffix != ".py" or not source.is_named or source.transforms:
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
    network = construction.encoder
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


ALL, FIRST = 300.0, 30.0
"""Seconds of counted work for the whole search, and at most for the verdict before."""
SHOWN = 5
"""Candidates that stay open, which are written out."""


@dataclass(frozen=True, repr=False)
class Repaired(Reported):
    """The repairs that were found, the smallest one first, and what was searched. before: the verdict on the
    construction as it is; seconds: of counted work, for the whole search; interrupted: what was reached before."""

    source: Named
    theorem: Decides
    seconds: float
    search: Search
    before: Outcome | None
    interrupted: bool

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return tuple(self.search.found)

    @property
    def construction(self) -> Construction | None:
        """The construction with the smallest repair; None where none was found, or none is needed."""
        return next((repair.construction for repair in self.repairs), None)

    @property
    def ending(self) -> Ending:
        """Status 1 where no repair was found and one is needed."""
        search = self.search
        if self.interrupted:
            return Ending(INTERRUPTED, "interrupted; what was searched is above" if search.tried else "interrupted")
        complaint = None
        if search.timed_out and len(search.found) < search.most:
            more = "give more with --timeout SECONDS, or less to search with --kind"
            complaint = f"given up after {self.seconds:g} s; {more}"
        needed = self.before is None or not isinstance(self.before.result.verdict, Proved)
        return Ending(int(needed and not search.found), complaint)

    @property
    def data(self) -> dict[str, Any]:
        search, before = self.search, self.before
        theorems = [] if before is None else proving.as_data([before])["theorems"]
        return {
            "construction": self.source.argument,
            "theorem": self.theorem.name,
            "before": theorems[0] if theorems else None,
            "repairs": [_repair(self.source, repair) for repair in search.found],
            "searched": [_searched(tried) for tried in search.tried],
            "open": [{"edits": _edits(each.candidate.edits), "reason": each.reason} for each in search.unsettled],
            "candidates": candidates(search),
            "seconds": search.seconds,
            "seconds_of_discarding": search.discarding,
            "timed_out": search.timed_out,
            "complete": not self.interrupted,
        }

    def report(self) -> Iterator[Plain]:
        """The verdict before, each repair with its lines to edit, and what became of all candidates."""
        before = self.before
        if before is None:
            return
        place = f"{self.source.construction.name}, {self.theorem.name}"
        match before.result.verdict:
            case Proved(scope=scope):
                yield Paragraph(f"{place}: proved, {scope}; there is nothing to repair")
                return
            case Unknown(reason=reason):
                yield Paragraph(f"{place}: unknown, and no word refutes it, so nothing is to be repaired: {reason}")
                return
            case Refuted(counterexample=word):
                yield Paragraph(f"{place}: refuted")
                yield Paragraph(proving.failure(word), 1)
                if before.replay is not None:
                    yield Paragraph(Code(before.replay), 2)
        for repair in self.search.found:
            yield from _found(self.source, repair)
        yield from _tried(self.search)


def repaired(source: Named, named: str | None, kinds: Sequence[str], most: int, timeout: float | None) -> Repaired:
    """The verdict, and where it is a word the search; Ctrl-C ends it early and keeps what is there. InputError for what
    cannot be asked.

    named: the theorem; timeout: the limit that the user sets, which is that on the work as well.
    """
    unknown = [kind for kind in kinds if kind not in KEYS]
    if unknown:
        raise InputError(f"--kind {unknown[0]}: there is no such kind of change; there are {', '.join(KEYS)}")
    if most < 1:
        raise InputError(f"--most {most}: ask for one repair or more")
    theorem, seconds = decides(source, named), ALL if timeout is None else timeout
    search = Search(source.construction, theorem, tuple(kinds) or KEYS, most)
    before, interrupted = None, False
    try:
        [result] = prove(source.construction, [theorem], timeout=min(seconds, FIRST))
        before = Outcome(source.argument, source.is_named, result)
        if isinstance(result.verdict, Refuted):
            with progress(1.0) as advance:
                search.run(
                    result.verdict.counterexample,
                    seconds,
                    lambda kind, done, count: advance(f"{kind}, {done} of {count}", done / count),
                )
    except KeyboardInterrupt:
        interrupted = True
    return Repaired(source, theorem, seconds, search, before, interrupted)


def repair(
    given: str | Path | Construction,
    *,
    theorem: str | None = None,
    kinds: Sequence[str] = (),
    most: int = 1,
    timeout: float | None = None,
) -> Repaired:
    """Search the smallest change after which a refuted construction is proved.

    theorem: which one is to be proved, the first on accepted words if none is named. kinds: of changes, as `--kind`
    takes them, all if there are none. most: how many repairs are enough. timeout: seconds for all of it; without, work
    is counted.
    """
    with clock(timeout):
        found = repaired(subject_of(given).network("repair"), theorem, kinds, most, timeout)
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def candidates(search: Search) -> int:
    """How many were tried."""
    return sum(tried.candidates for tried in search.tried)


def _repair(source: Named, repair: Repair) -> dict[str, Any]:
    verdict = repair.result.verdict
    assert isinstance(verdict, Proved)
    return {
        "kind": repair.kind,
        "edits": _edits(repair.edits),
        "lines": [vars(line) for line in lines(source, repair.edits)],
        "verdict": verdict.name,
        "scope": verdict.scope,
        "evidence": verdict.evidence.value,
        "given": list(repair.result.hypotheses),
    }


def _edits(edits: Sequence[Edit]) -> list[dict[str, str]]:
    return [{"place": edit.place.label, "old": edit.old, "new": edit.new} for edit in edits]


def _searched(tried: Tried) -> dict[str, Any]:
    outcomes = {name.replace(" ", "_"): tried.outcomes[name] for name in OUTCOMES}
    return {"kind": tried.kind, "candidates": tried.candidates, "of": tried.count, **outcomes}


def _found(source: Named, repair: Repair) -> Iterator[Plain]:
    yield Heading(3, f"Repair: {repair.kind}")
    rows: list[list[Text]] = [[edit.place.label, edit.old, Styled(edit.new, "bold green")] for edit in repair.edits]
    yield Table(("place", "old", "new"), rows)
    for line in lines(source, repair.edits):
        yield Paragraph(f"{line.file}:{line.number}")
        yield Paragraph(Code(f"- {line.old}"), 1)
        yield Paragraph(Code(f"+ {line.new}"), 1)
    verdict, given = repair.result.verdict, " and ".join(repair.result.hypotheses)
    assert isinstance(verdict, Proved)
    case = f"given {given}, " if given else ""
    yield Paragraph(f"proved, {case}{verdict.scope}, {verdict.evidence}: {repair.result.statement}")


def _tried(search: Search) -> Iterator[Plain]:
    if not search.found:
        yield Heading(3, "No repair found")
    yield Heading(3, "Searched")
    header = ("change", "candidates", *OUTCOMES)
    rows = [[tried.kind, _of(tried), *(str(tried.outcomes[name]) for name in OUTCOMES)] for tried in search.tried]
    yield Table(header, rows, right=frozenset(header[1:]))
    if search.unsettled:
        yield Heading(3, "Neither refuted nor proved")
        for each in search.unsettled[:SHOWN]:
            edits = "; ".join(f"{edit.place.label}: {edit.old} -> {edit.new}" for edit in each.candidate.edits)
            yield Paragraph(f"{edits}: {each.reason}", 1)
        if len(search.unsettled) > SHOWN:
            yield Paragraph(f"and {len(search.unsettled) - SHOWN} more, which --json lists", 1)
    yield Heading(3, _summary(search))


def _of(tried: Tried) -> str:
    return str(tried.count) if tried.candidates == tried.count else f"{tried.candidates} of {tried.count}"


def _summary(search: Search) -> str:
    count = candidates(search)
    proofs = sum(tried.proofs for tried in search.tried)
    by_words = sum(tried.outcomes[BY_WORDS] for tried in search.tried)
    rate = f", {by_words / search.discarding:,.0f} a second" if search.discarding > 0 else ""
    return (
        f"{count:,} candidates in {search.seconds:.1f} s; {by_words:,} discarded by words{rate}; "
        f"{proofs} tried by the prover"
    )
