"""What reports and documents are made of, whoever prints them: frozen blocks of text and formulas.

Formulas are LaTeX for amsmath and amssymb, without dollars. Long ones come in pieces, tables of numbers as matrices:
how they are broken or split is up to who prints them (`weightproof.document.tex`, `weightproof.document.markdown`,
`weightproof.terminal.page`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from weightproof.symbolic.writing.breakable import Terms, Written


@dataclass(frozen=True)
class Math:
    """A formula in a line of text; typed: as a terminal has it, where that is not the TeX."""

    tex: str
    typed: str = ""


@dataclass(frozen=True)
class Code:
    """Text as it is typed."""

    text: str


@dataclass(frozen=True)
class Styled:
    """Text in a style of Rich, as "bold green". Where there are no colours, bold text stays bold."""

    text: str
    style: str = "bold"

    @property
    def is_bold(self) -> bool:
        """Whether it is bold, and there is something that can be."""
        return "bold" in self.style and bool(self.text)


@dataclass(frozen=True)
class Reference:
    """The number of an equation of the document."""

    number: str


@dataclass(frozen=True)
class Link:
    """Leads to a page beside this one, or to a heading, of that page or of this one where none is named: heading is its
    text; query: what a script of that page is asked, as an address has it. What has no pages has the text alone."""

    text: str
    page: str = ""
    heading: str = ""
    query: str = ""


Span = str | Math | Code | Styled | Reference | Link
Spans = tuple[Span, ...]
Text = Span | Spans
"""Text of one piece, or of several."""


def spans(text: Text) -> Spans:
    """The pieces of a text."""
    return text if isinstance(text, tuple) else (text,)


@dataclass(frozen=True)
class Heading:
    """level 1 is a construction, 2 a part of it, 3 a part of that, or of a report; 4 starts a paragraph."""

    level: int
    text: Text


@dataclass(frozen=True)
class Paragraph:
    """indent: steps to the right, where text is not set but typed. What is code alone is a command to paste, which is
    never broken; an empty paragraph is an empty line there."""

    text: Text
    indent: int = 0


@dataclass(frozen=True)
class Items:
    """A list of sentences. Code at the end of one is a command to paste."""

    items: tuple[Text, ...]


@dataclass(frozen=True)
class Line:
    """left = right = right ...; note: why; number: what it is referred to by."""

    left: str
    rights: tuple[Written, ...]
    note: Spans = ()
    number: str | None = None
    relation: str = "="


@dataclass(frozen=True)
class Equations:
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Matrix:
    """A matrix with its name, its rows and columns labelled; entries by rows. Without rows it is 0.

    Several in a row may be printed side by side. A vector has one column, without a label.
    """

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Table:
    """Cells of text. Without a header its two columns are names and what these are.

    shares: of the width, for each column; without, by what stands in it; right: the columns that are aligned right;
    labelled: the first column has the names of the rows, and no cell is wrapped: where there is too little room, the
    rows come in several tables, one beneath the other; most: characters of these where there is any room.
    """

    header: Sequence[Text]
    rows: Sequence[Sequence[Text]]
    shares: tuple[float, ...] = ()
    right: frozenset[str] = frozenset()
    labelled: bool = False
    most: int | None = None
    indent: int = 0


Plain = Heading | Paragraph | Items | Table
"""A block of a report, which a terminal shows, too."""
Block = Plain | Equations | Matrix

NamedSection = tuple[str, tuple[Block, ...]]
"""A section with the name of the file that it may have of its own."""


@dataclass(frozen=True)
class Document:
    """title and abstract, then sections, each of one construction."""

    title: str
    preface: tuple[Block, ...]
    sections: tuple[NamedSection, ...]


def pairs(rows: Iterable[Sequence[Text]], indent: int = 0) -> Table:
    """Names and what they are."""
    return Table((), tuple(rows), indent=indent)


def fitting(costs: Sequence[float], room: float) -> Iterator[slice]:
    """The columns in runs that fit the room side by side, one column at least in each."""
    first = 0
    while first < len(costs):
        last, used = first + 1, costs[first]
        while last < len(costs) and used + costs[last] <= room:
            used += costs[last]
            last += 1
        yield slice(first, last)
        first = last


def equation(left: str, *rights: Written | str, note: Spans = (), number: str | None = None) -> Line:
    """A line, a right side that is one text being one piece."""
    return Line(left, tuple(Terms((r,)) if isinstance(r, str) else r for r in rights), note, number)


def joined(parts: list[Spans], separator: str = ", ", last: str | None = None) -> Spans:
    """Spans one after the other, separated; before the last one by `last`, if it is given."""
    result: list[Span] = []
    for place, part in enumerate(parts):
        if place:
            result.append(last if last is not None and place == len(parts) - 1 else separator)
        result += part
    return tuple(result)
