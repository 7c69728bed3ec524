"""A report as blocks, so that a notebook can show it as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from weightproof.document import blocks
from weightproof.document.blocks import Block, Code, Heading, Paragraph, Span, Spans, Strong
from weightproof.document.markdown import markdown
from weightproof.terminal.page import Cell, Page, Report, Table

LEVEL = 3
"""Of a report's headings: beneath those of the notebook."""


@dataclass(frozen=True)
class BlockPage(Page):
    """Collects what is written to it."""

    blocks: list[Block] = field(default_factory=list)

    def heading(self, text: str) -> None:
        self.blocks.append(Heading(LEVEL, (text,)))

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        if text:
            self.blocks.append(Paragraph((text,)))

    def command(self, text: str, indent: int = 0) -> None:
        self.blocks.append(Paragraph((Code(text),)))

    def table(self, table: Table, indent: int = 0) -> None:
        header = tuple((name,) for name in table.header)
        self.blocks.append(blocks.Table(header, tuple(tuple(map(_spans, row)) for row in table.rows)))

    def pairs(self, pairs: Iterable[tuple[str, str | Cell]], indent: int = 0) -> None:
        self.blocks.append(blocks.Table((), tuple(((name,), _spans(value)) for name, value in pairs)))


def _spans(cell: str | Cell) -> Spans:
    """A style that is bold stays so; Markdown has no colours."""
    text = cell.text if isinstance(cell, Cell) else cell
    part: Span = Strong(text) if isinstance(cell, Cell) and "bold" in cell.style else text
    return (part,) if text else ()


def as_markdown(report: Report) -> str:
    """A report as Markdown."""
    page = BlockPage()
    report(page)
    return markdown(tuple(page.blocks))
