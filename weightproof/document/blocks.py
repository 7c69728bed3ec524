"""What a document is made of, before anybody knows how it is printed: frozen blocks of text and formulas.

Formulas are LaTeX for amsmath and amssymb, without dollars. Long ones come in pieces, tables of numbers as matrices:
how they are broken or split is up to who prints them (`weightproof.document.tex`, `weightproof.document.markdown`).
"""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.symbolic.writing.latex import Terms, Written


@dataclass(frozen=True)
class Math:
    """A formula in a line of text."""

    tex: str


@dataclass(frozen=True)
class Code:
    """Text as it is typed."""

    text: str


@dataclass(frozen=True)
class Strong:
    text: str


@dataclass(frozen=True)
class Reference:
    """The number of an equation of the document."""

    number: str


Span = str | Math | Code | Strong | Reference
Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Heading:
    """level 1 is a construction, 2 a part of it, 3 a part of that; 4 starts a paragraph."""

    level: int
    spans: Spans


@dataclass(frozen=True)
class Paragraph:
    spans: Spans


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    items: tuple[Spans, ...]


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
    """Cells of text; the header may be empty. shares: of the width, for each column; without, by what stands in it."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    shares: tuple[float, ...] = ()


Block = Heading | Paragraph | Items | Equations | Matrix | Table

NamedSection = tuple[str, tuple[Block, ...]]
"""A section with the name of the file that it may have of its own."""


@dataclass(frozen=True)
class Document:
    """title and abstract, then sections, each of one construction."""

    title: str
    preface: tuple[Block, ...]
    sections: tuple[NamedSection, ...]


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
