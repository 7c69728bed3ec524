"""A report as a pipe has it, in aligned plain text, and as a terminal shows it, with colours and fitted tables."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TextIO

from weightproof.document import blocks
from weightproof.terminal.streams import is_terminal

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text as RichText

INDENT = "  "
GAP = "  "


def show(report: Iterable[blocks.Plain]) -> None:
    """On standard output, as a terminal or as a pipe."""
    if not is_terminal(sys.stdout):
        return write(report, sys.stdout)
    from rich.console import Console

    return _draw(report, Console(highlight=False))


def plain(report: Iterable[blocks.Plain]) -> str:
    """What a report is in a pipe, without the end of its last line."""
    written = io.StringIO()
    write(report, written)
    return written.getvalue().removesuffix("\n")


def write(report: Iterable[blocks.Plain], file: TextIO) -> None:
    """Aligned columns, nothing wrapped or cut, no escape codes."""
    for number, block in enumerate(report):
        for line in _lines(block, number == 0):
            print(line.rstrip(), file=file)


def _lines(block: blocks.Plain, is_first: bool) -> Iterator[str]:
    """A title is set off by an empty line from what stands above it."""
    match block:
        case blocks.Heading(text=text):
            yield from () if is_first else ("",)
            yield typed(text)
        case blocks.Paragraph(text=text, indent=indent):
            yield INDENT * indent + typed(text)
        case blocks.Items(items=items):
            for item in items:
                sentence, command = _parted(item)
                yield f"{INDENT}- {typed(sentence)}"
                yield from () if command is None else (f"{INDENT * 2}{command}",)
        case blocks.Table(header=(), rows=rows, indent=indent):
            width = max(len(_in_a_line(name)) for name, _ in rows)
            for name, value in rows:
                yield f"{INDENT * indent}{_in_a_line(name).ljust(width)}{GAP}{_in_a_line(value)}"
        case blocks.Table(most=most, indent=indent):
            for table in (block,) if most is None else _cut(block, most):
                widths = _widths(table)
                for row in _typed_rows(table):
                    cells = (
                        text.rjust(width) if _is_right(table, column) else text.ljust(width)
                        for column, (text, width) in enumerate(zip(row, widths, strict=True))
                    )
                    yield INDENT * indent + GAP.join(cells)


def _parted(item: blocks.Text) -> tuple[blocks.Spans, str | None]:
    """A sentence, and the command at its end, which stands in a line of its own."""
    *sentence, last = blocks.spans(item)
    return (tuple(sentence), last.text) if isinstance(last, blocks.Code) and sentence else (blocks.spans(item), None)


def typed(text: blocks.Text) -> str:
    """A text as it is typed."""
    return "".join(map(_typed, blocks.spans(text)))


def _typed(part: blocks.Span) -> str:
    match part:
        case blocks.Math(tex=tex, typed=as_typed):
            return as_typed or tex
        case blocks.Code(text=text) | blocks.Styled(text=text) | blocks.Link(text=text):
            return text
        case blocks.Reference(number=number):
            return f"({number})"
    return part


def _in_a_line(text: blocks.Text) -> str:
    return typed(text).replace("\n", " ")


def _typed_rows(table: blocks.Table) -> list[list[str]]:
    """The header first."""
    return [list(map(_in_a_line, row)) for row in (table.header, *table.rows)]


def _widths(table: blocks.Table) -> list[int]:
    return [max(map(len, column)) for column in zip(*_typed_rows(table), strict=True)]


def _is_right(table: blocks.Table, column: int) -> bool:
    return column > 0 if table.labelled else typed(table.header[column]) in table.right


def _fitted(table: blocks.Table, room: int) -> list[int] | None:
    """Widths of columns that fit, the widest ones cut down until they do; None where a word would be broken."""
    full, columns = _widths(table), zip(*_typed_rows(table), strict=True)
    words = [max(len(word) for cell in column for word in cell.split() or [""]) for column in columns]
    for widest in range(max(full), 0, -1):
        widths = [max(word, min(width, widest)) for word, width in zip(words, full, strict=True)]
        if sum(widths) + len(GAP) * (len(widths) - 1) <= room:
            return widths
    return None


def _cut(table: blocks.Table, room: int) -> Iterator[blocks.Table]:
    """A labelled table in tables of columns that fit, each with the names of the rows."""
    labels, *costs = (width + len(GAP) for width in _widths(table))
    for columns in blocks.fitting(costs, room - labels):
        header, *rows = ([row[0], *row[1:][columns]] for row in (table.header, *table.rows))
        yield replace(table, header=header, rows=rows)


def _draw(report: Iterable[blocks.Plain], console: Console) -> None:
    """Colours, and cells wrapped to the width of the terminal."""
    for number, block in enumerate(report):
        match block:
            case blocks.Heading(text=text):
                if number:
                    console.print()
                _print(console, _rich(blocks.Styled(typed(text), "bold cyan")), 0)
            case blocks.Paragraph(text=blocks.Code(text=command), indent=indent):
                console.print(_rich(blocks.Styled(INDENT * indent + command)), soft_wrap=True)
            case blocks.Paragraph(text=text, indent=indent):
                _print(console, _rich(text), indent)
            case blocks.Items(items=items):
                for item in items:
                    sentence, at_end = _parted(item)
                    _print(console, _rich(("- ", *sentence)), 1)
                    if at_end is not None:
                        console.print(_rich(blocks.Styled(INDENT * 2 + at_end)), soft_wrap=True)
            case blocks.Table():
                _draw_table(block, console)


def _draw_table(table: blocks.Table, console: Console) -> None:
    room = console.width - len(INDENT) * table.indent
    if not table.header:
        from rich.table import Table as Grid

        grid = Grid.grid(padding=(0, len(GAP), 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in table.rows:
            grid.add_row(_rich(blocks.Styled(typed(name), "dim")), _rich(value))
        _print(console, grid, table.indent)
    elif table.labelled:
        for part in _cut(table, min(room, table.most or room)):
            _print(console, _grid(part, _widths(part)), table.indent)
    elif (widths := _fitted(table, room)) is not None:
        _print(console, _grid(table, widths), table.indent)
    else:  # too wide for columns: each row as a list of its cells, under its first one
        for first, *rest in table.rows:
            _print(console, _rich(first), table.indent)
            _draw_table(blocks.pairs(zip(table.header[1:], rest, strict=True), table.indent + 1), console)


def _print(console: Console, what: RenderableType, indent: int) -> None:
    from rich.padding import Padding

    console.print(Padding(what, (0, 0, 0, len(INDENT) * indent), expand=False))


def _rich(text: blocks.Text) -> RichText:
    """Never markup: names of coordinates are full of square brackets."""
    from rich.text import Text as RichText

    parts = [(_in_a_line(part), part.style if isinstance(part, blocks.Styled) else "") for part in blocks.spans(text)]
    return RichText(*parts[0]) if len(parts) == 1 else RichText.assemble(*parts)


def _grid(table: blocks.Table, widths: Sequence[int]) -> RenderableType:
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="bold", pad_edge=False, padding=(0, len(GAP), 0, 0))
    for column, (name, width) in enumerate(zip(table.header, widths, strict=True)):
        justify: Literal["left", "right"] = "right" if _is_right(table, column) else "left"
        grid.add_column(_rich(name), justify=justify, width=width)
    for row in table.rows:
        grid.add_row(*map(_rich, row))
    return grid
