"""The witnesses of rows, run once more: which of them hold on this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.schema import UnknownChoice
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import ExpressionError
from weightproof.document.blocks import Code, Heading, Items, Paragraph, Plain, Styled, Table, Text
from weightproof.measuring.kept import SIMULATED, Row, Rows
from weightproof.measuring.machine import machine, said
from weightproof.measuring.report import COLUMNS, command
from weightproof.measuring.session import Search
from weightproof.parallel.processes import Processes, processors
from weightproof.reported import Ending, Reported
from weightproof.terminal.streams import INTERRUPTED, progress

STRICT = "strict"
HELD, NOT_HELD, NOT_RUN, LONGER, NONE = "held", "not held", "cannot be run here", "longer", "no witness"
VERDICTS = (HELD, NOT_HELD, NOT_RUN, LONGER, NONE)
UNUSABLE = (InputError, ConstructionError, ExpressionError, UnknownChoice, Undecided)
MANY = 16
"""Witnesses that take longer to run than it takes to begin other processes."""
BESIDE = 1 << 24
"""Numbers that a word may need at a time where every core runs one; those with more are run one after the other."""
PER_SYMBOL = 64
"""Numbers that a symbol needs, roughly; a matrix of scores needs the square of their number."""
STEADY = 5_000
"""Symbols that are run in the time that it takes to make a network: the unit of progress."""
TOLD = ("construction", "parameters", "simulator", "dtype", "device", "attention", "rule", "fails at", "witness")
"""The columns of rows that are shown."""


@dataclass(frozen=True)
class Witness:
    """What became of the witness of the row with that number. same: whether all numbers are those of the row, to the
    bit, None where it was not run; said: what is computed here, or why nothing is."""

    place: int
    verdict: str
    said: str = ""
    same: bool | None = None


@dataclass(frozen=True, repr=False)
class Replayed(Reported):
    """The rows of a file, and what became of the witnesses that were reached, in their order; here: on which machine.
    max_length: of longer ones, none was run."""

    file: Path
    rows: Rows
    witnesses: tuple[Witness, ...]
    here: Row
    max_length: int | None = None
    interrupted: bool = False

    def of(self, verdict: str) -> list[Witness]:
        """Those of which it is true."""
        return [each for each in self.witnesses if each.verdict == verdict]

    @property
    def holds(self) -> bool:
        """Whether no witness was run that does not hold."""
        return not self.of(NOT_HELD)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "file": str(self.file),
            "machine": self.here,
            "counts": {verdict: len(self.of(verdict)) for verdict in VERDICTS},
            "witnesses": [self._entry(each) for each in self.witnesses],
            "complete": not self.interrupted,
        }

    def _entry(self, found: Witness) -> dict[str, Any]:
        row = self.rows.rows[found.place]
        named = ("construction", "parameters", "dtype", "device", "attention", "rule")
        return {
            "row": found.place,
            **{name: row[name] for name in named},
            "simulator": row.get(SIMULATED),
            "word": row["witness"] and row["witness"]["word"],
            "verdict": found.verdict,
            "same_bits": found.same,
            "computed": found.said or None,
            "command": command(row),
        }

    def report(self) -> Iterator[Plain]:
        """A table of all that have a witness; then those that do not hold, with what is computed here, and why the
        others could not be run; at last how many of each there are."""
        shown = [each for each in self.witnesses if each.verdict != NONE]
        rows = [self.rows.rows[each.place] for each in shown]
        columns = [column for column in COLUMNS if column[0] in TOLD and any(map(column[1], rows))]
        lines = [
            [*(cell(row) for _, cell in columns), _verdict(each), _bits(each)]
            for row, each in zip(rows, shown, strict=True)
        ]
        if lines:
            yield Table((*(name for name, _ in columns), "here", "same bits"), lines, right=frozenset({"fails at"}))
        for each in self.of(NOT_HELD):
            yield from self._lost(each)
        reasons = Counter(each.said for each in self.of(NOT_RUN))
        if reasons:
            yield Heading(3, "Cannot be run here")
            yield Items(tuple(f"{number}: {reason}" for reason, number in reasons.items()))
        if not self.holds:
            yield Heading(3, "Machines")
            yield Paragraph(f"here: {said(self.here)}", 1)
            for number in sorted({self.rows.rows[each.place]["machine"] for each in self.of(NOT_HELD)}):
                yield Paragraph(f"there: {said(self.rows.machines[number])}", 1)
        yield Heading(3, self._counted())

    def _lost(self, found: Witness) -> Iterator[Plain]:
        row = self.rows.rows[found.place]
        names = (row["construction"], row.get(SIMULATED), row["dtype"], row["attention"], row["rule"])
        yield Heading(3, f"Not held: {', '.join(name for name in names if name)}")
        yield Paragraph(f"here: {found.said}", 1)
        told = (f"{name} {value}" for name, value in row["witness"].items() if name not in ("word", "first_rounded"))
        yield Paragraph(f"the row: {', '.join(told)}", 1)
        if (shown := command(row)) is not None:
            yield Paragraph(Code(shown), 1)

    def _counted(self) -> str:
        """Of those that hold, how many of strict rows, and how many of the others have the bits of their rows."""
        held = self.of(HELD)
        strict = sum(self.rows.rows[each.place]["attention"] == STRICT for each in held)
        others, same = len(held) - strict, sum(bool(each.same) for each in held) - strict
        hold = [f"{len(held)} of {len(held) + len(self.of(NOT_HELD))} hold"]
        hold += [f"strict {strict} to the bit"] if strict else []
        hold += [f"{same} of {others} others to the bit"] if others else []
        longer, none = len(self.of(LONGER)), len(self.of(NONE))
        left = [
            f"{len(self.of(NOT_RUN))} cannot be run here",
            *([f"{longer} {'is' if longer == 1 else 'are'} longer than {self.max_length}"] if longer else []),
            "1 row has no witness" if none == 1 else f"{none} rows have no witness",
        ]
        return "; ".join([", ".join(hold), *left])

    @property
    def ending(self) -> Ending:
        if self.interrupted:
            unread = len(self.rows.rows) - len(self.witnesses)
            reached = sum(map(len, map(self.of, (HELD, NOT_HELD, NOT_RUN))))
            return Ending(INTERRUPTED, f"interrupted after {reached} of {reached + unread} witnesses")
        if (left := self.of(NOT_RUN)) and not self.of(HELD) and self.holds:
            [(reason, _)] = Counter(each.said for each in left).most_common(1)
            return Ending(1, f"{self.file}: nothing was looked at, no witness can be run here: {reason}")
        return Ending(int(not self.holds))


def _verdict(found: Witness) -> Text:
    return Styled(found.verdict, {HELD: "green", NOT_HELD: "bold red"}.get(found.verdict, "yellow"))


def _bits(found: Witness) -> Text:
    return "-" if found.same is None else "yes" if found.same else "no"


def replay(rows: Rows, search_of: Callable[[Row], Search], max_length: int | None, file: Path) -> Replayed:
    """Every witness of at most so many symbols, or cells, run here; on all cores where there are many. Ctrl-C ends it,
    and keeps what was reached.

    search_of: makes the search that a row is of anew, and has to travel to other processes. InputError where the
    greatest length is below 0.
    """
    if max_length is not None and max_length < 0:
        raise InputError(f"--max-length {max_length} leaves no word to run: give 0 or more")
    length = {place: row["first_failing_length"] for place, row in enumerate(rows.rows) if row["witness"] is not None}
    wanted = [place for place in length if max_length is None or length[place] <= max_length]
    found = {place: Witness(place, LONGER if place in length else NONE) for place in range(len(rows.rows))}
    for place in wanted:
        del found[place]
    work = {place: STEADY + length[place] for place in wanted}
    done, interrupted = 0, False
    try:
        with progress(len(wanted)) as advance:
            advance("running witnesses", 0)
            for each in _run([rows.rows[place] for place in wanted], wanted, search_of):
                found[each.place] = each
                done += work[each.place]
                advance(rows.rows[each.place]["construction"], len(wanted) * done / sum(work.values()))
    except KeyboardInterrupt:
        interrupted = True
    return Replayed(file, rows, tuple(found[place] for place in sorted(found)), machine(), max_length, interrupted)


def _run(rows: Sequence[Row], places: Sequence[int], search_of: Callable[[Row], Search]) -> Iterator[Witness]:
    """As they come. Those that need much memory are run here, alone."""
    beside = [number for number, row in enumerate(rows) if _needs(row) <= BESIDE]
    workers = min(processors(), len(beside) // (MANY // 2)) if len(beside) >= MANY else 1
    alone = [*range(len(rows))]
    if workers > 1:
        order = sorted(beside, key=lambda number: -_needs(rows[number]))
        pieces = partial(_pieces, rows, places, search_of)
        yield from (found for _, _, found in Processes(workers).spread(pieces, order))
        alone = sorted({*alone} - {*beside})
    for number in alone:
        yield run_again(rows[number], places[number], search_of)


def _needs(row: Row) -> int:
    length: int = row["first_failing_length"]
    return max(PER_SYMBOL * length, length**2 if row["attention"] == "matmul" else 0)


def _pieces(
    rows: Sequence[Row], places: Sequence[int], search_of: Callable[[Row], Search]
) -> list[Callable[[], Iterator[Witness]]]:
    def piece(row: Row, place: int) -> Iterator[Witness]:
        yield run_again(row, place, search_of)

    return [partial(piece, row, place) for row, place in zip(rows, places, strict=True)]


def run_again(row: Row, place: int, search_of: Callable[[Row], Search]) -> Witness:
    """One witness. It holds where it is decided as the row says, and wrongly; of a strict row, to the bit. No other
    kernel is run in the place of the row's."""
    from weightproof.numeric.model.kernels import NoKernel, kernel_of

    kernel = kernel_of(row["attention"], row["device"], row["dtype"])
    if kernel != row["kernel"]:
        here, there = kernel or "no kernel", row["kernel"] or "one that is not known"
        return Witness(place, NOT_RUN, f"attention is fused by {here} here, and was by {there}")
    try:
        search = search_of(row)
    except UNUSABLE as error:
        return Witness(place, NOT_RUN, str(error))
    try:
        again = search.again(row)
    except NoKernel as error:
        return Witness(place, NOT_RUN, str(error))
    except MemoryError:
        return Witness(place, NOT_RUN, f"{row['construction']}: the word needs more memory than there is")
    except UNUSABLE as error:
        return Witness(place, NOT_HELD, str(error))
    except ArithmeticError as error:
        return Witness(place, NOT_HELD, f"no value on the word: {error}")
    if again.fails and (again.same or row["attention"] != STRICT):
        return Witness(place, HELD, again.said, again.same)
    bits = "; strict arithmetic gives the same bits everywhere, and these are not the row's" if again.fails else ""
    return Witness(place, NOT_HELD, f"{again.said}{bits}", again.same)
