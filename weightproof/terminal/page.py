"""Where reports are written: aligned plain text in a pipe, colours and fitted tables on a terminal.

A report says what to show (headings, lines, tables of cells with a style); it never knows which of the two it gets.
"""

from __future__ import annotations

import io
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

INDENT = "  "
GAP = "  "


@dataclass(frozen=True)
class Cell:
    """A cell with a style of Rich ("bold green"), which plain text ignores."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Table:
    """Columns named in `right` are aligned right. A `matrix` has row labels in its first column, and is never wrapped:
    a terminal that is too narrow gets it in blocks of columns."""

    header: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    right: frozenset[str] = frozenset()
    matrix: bool = False

    def text(self) -> list[list[str]]:
        return [list(self.header), *([_text(cell) for cell in row] for row in self.rows)]

    def widths(self) -> list[int]:
        return [max(map(len, column)) for column in self.columns()]

    def fitted(self, room: int) -> list[int] | None:
        """Widths of columns that fit, the widest ones cut down until they do; None where a word would be broken."""
        full = self.widths()
        words = [max(len(word) for cell in column for word in cell.split() or [""]) for column in self.columns()]
        for widest in range(max(full), 0, -1):
            widths = [max(word, min(width, widest)) for word, width in zip(words, full, strict=True)]
            if sum(widths) + len(GAP) * (len(widths) - 1) <= room:
                return widths
        return None

    def columns(self) -> list[tuple[str, ...]]:
        return list(zip(*self.text(), strict=True))

    def is_right(self, column: int) -> bool:
        return column > 0 if self.matrix else self.header[column] in self.right


def _text(cell: str | Cell) -> str:
    text = cell.text if isinstance(cell, Cell) else cell
    return text.replace("\n", " ")


class Page(ABC):
    """One stream to write a report to."""

    @abstractmethod
    def heading(self, text: str) -> None:
        """A title, set off by an empty line from what stands above it."""

    @abstractmethod
    def line(self, text: str, style: str = "", indent: int = 0) -> None: ...

    @abstractmethod
    def table(self, table: Table, indent: int = 0) -> None: ...

    @abstractmethod
    def command(self, text: str, indent: int = 0) -> None:
        """A command line to paste: never broken by us."""

    @abstractmethod
    def pairs(self, pairs: Iterable[tuple[str, str | Cell]], indent: int = 0) -> None:
        """Names and what they are, aligned."""


class PlainPage(Page):
    """Aligned columns, nothing wrapped or cut, no escape codes."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.written = False

    def heading(self, text: str) -> None:
        if self.written:
            self.line("")
        self.line(text)

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        self.written = True
        print((INDENT * indent + text).rstrip(), file=self.file)

    def table(self, table: Table, indent: int = 0) -> None:
        widths = table.widths()
        for row in table.text():
            cells = (
                text.rjust(width) if table.is_right(column) else text.ljust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            self.line(GAP.join(cells), indent=indent)

    def command(self, text: str, indent: int = 0) -> None:
        self.line(text, indent=indent)

    def pairs(self, pairs: Iterable[tuple[str, str | Cell]], indent: int = 0) -> None:
        rows = [(name, _text(value)) for name, value in pairs]
        width = max(len(name) for name, _ in rows)
        for name, value in rows:
            self.line(f"{name.ljust(width)}{GAP}{value}", indent=indent)


class TerminalPage(Page):
    """Colours, and cells wrapped to the width of the terminal."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.written = False

    def heading(self, text: str) -> None:
        if self.written:
            self.console.print()
        self._print(_styled(Cell(text, "bold cyan")), 0)

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        self._print(_styled(Cell(text, style)), indent)

    def command(self, text: str, indent: int = 0) -> None:
        self.console.print(_styled(Cell(INDENT * indent + text, "bold")), soft_wrap=True)

    def pairs(self, pairs: Iterable[tuple[str, str | Cell]], indent: int = 0) -> None:
        from rich.table import Table as Grid

        grid = Grid.grid(padding=(0, len(GAP), 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in pairs:
            grid.add_row(_styled(Cell(name, "dim")), _styled(value))
        self._print(grid, indent)

    def table(self, table: Table, indent: int = 0) -> None:
        room = self.console.width - len(INDENT) * indent
        if table.matrix:
            for block in blocks(table, room):
                self._print(_grid(block, block.widths()), indent)
        elif (widths := table.fitted(room)) is not None:
            self._print(_grid(table, widths), indent)
        else:
            self._records(table, indent)

    def _records(self, table: Table, indent: int) -> None:
        """What is too wide for columns: each row as a list of its cells, under its first one."""
        for first, *rest in table.rows:
            self._print(_styled(first), indent)
            self.pairs(zip(table.header[1:], rest, strict=True), indent + 1)

    def _print(self, what: RenderableType, indent: int) -> None:
        from rich.padding import Padding

        self.written = True
        self.console.print(Padding(what, (0, 0, 0, len(INDENT) * indent), expand=False))


def _styled(cell: str | Cell) -> Text:
    """Never markup: names of coordinates are full of square brackets."""
    from rich.text import Text

    return Text(_text(cell), style=cell.style if isinstance(cell, Cell) else "")


def _grid(table: Table, widths: Sequence[int]) -> RenderableType:
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="bold", pad_edge=False, padding=(0, len(GAP), 0, 0))
    for column, (name, width) in enumerate(zip(table.header, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if table.is_right(column) else "left"
        grid.add_column(_styled(name), justify=justify, width=width)
    for row in table.rows:
        grid.add_row(*map(_styled, row))
    return grid


def blocks(table: Table, width: int) -> Iterator[Table]:
    """The matrix cut into blocks of columns that fit, each with the row labels."""
    costs = [columns + len(GAP) for columns in table.widths()]
    first, room = 1, width - costs[0]
    while first < len(costs):
        last, used = first + 1, costs[first]
        while last < len(costs) and used + costs[last] <= room:
            used += costs[last]
            last += 1
        yield Table(
            [table.header[0], *table.header[first:last]],
            [[row[0], *row[first:last]] for row in table.rows],
            matrix=True,
        )
        first = last


def is_terminal(stream: TextIO | None) -> bool:
    """None is a stream that was closed before the program began."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """A spinner on a terminal while something takes its time, nothing elsewhere."""
    if not is_terminal(sys.stderr):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield


Report = Callable[[Page], None]
"""What writes itself to a page."""


def plain(report: Report) -> str:
    """What a report is in a pipe, without the end of its last line."""
    written = io.StringIO()
    report(PlainPage(written))
    return written.getvalue().removesuffix("\n")


def open_page() -> Page:
    """Standard output, as a terminal or as a pipe."""
    if not is_terminal(sys.stdout):
        return PlainPage(sys.stdout)
    from rich.console import Console

    return TerminalPage(Console(highlight=False))
