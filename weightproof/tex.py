"""A document as LaTeX: what pdflatex of a plain installation sets, with amsmath, booktabs and hyperref."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from symbolic.latex import SPECIAL
from weightproof.document import (
    Block,
    Code,
    Document,
    Equations,
    Heading,
    Items,
    Line,
    Math,
    Matrix,
    Paragraph,
    Reference,
    Span,
    Spans,
    Strong,
    Table,
)
from weightproof.layout import blocks, broken, width

ROOM = 45.0
"""Width of a line in em, less a margin for what `weightproof.layout` does not know."""
NOTE_ROOM = 20.0
"""A line that leaves less than this beside it has its note below."""

PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=2.2cm]{geometry}
\usepackage[fleqn]{amsmath}
\usepackage{amssymb}
\usepackage{array}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage[hidelinks,bookmarksdepth=2]{hyperref}
% The same bytes at every run: no dates, no file names, no random identifiers.
\pdfinfoomitdate=1
\pdftrailerid{}
\pdfsuppressptexinfo=-1
\allowdisplaybreaks
\setlength{\mathindent}{1.5em}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5ex plus 0.3ex}
\setlength{\emergencystretch}{4em}
\setcounter{tocdepth}{1}
\renewcommand{\labelitemi}{$\bullet$}
\newcommand{\note}[1]{{\footnotesize\itshape #1}}
"""

SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}
LETTERS = {"·": r"$\cdot$", "≤": r"$\le$", "≥": r"$\ge$", "–": "--", "—": "---", "“": "``", "”": "''", "’": "'"}


def text(words: str) -> str:
    """Plain text, every character of it printable by pdflatex."""
    return "".join(_letter(letter) for letter in words)


def _letter(letter: str) -> str:
    if letter.isascii():
        return {**SPECIAL, "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}.get(letter, letter)
    if letter in LETTERS:
        return LETTERS[letter]
    if unicodedata.decomposition(letter) and unicodedata.normalize("NFD", letter)[0].isascii():
        return letter  # an accented letter, which inputenc composes
    return rf"\texttt{{U+{ord(letter):04X}}}"


def code(words: str) -> str:
    """Text as it is typed, which may be broken where it is long."""
    return rf"\texttt{{{''.join(_typed(letter) for letter in words)}}}"


def _typed(letter: str) -> str:
    """A character in the typewriter font, where ASCII is itself but for quotes and ligatures."""
    typed = {"'": r"\char13{}", "-": "-{}", " ": r"\ \allowbreak{}", "<": "<", ">": ">", "|": "|", "\\": r"\char92{}"}
    return typed.get(letter, text(letter))


def span(part: Span) -> str:
    match part:
        case Math(tex=tex):
            return f"${tex}$"
        case Code(text=words):
            return code(words)
        case Strong(text=words):
            return rf"\textbf{{{text(words)}}}"
        case Reference(number=number):
            return rf"(\ref{{eq:{number}}})"
    return text(part)


def spans(parts: Spans) -> str:
    return "".join(span(part) for part in parts)


def latex(document: Document) -> str:
    """The whole file."""
    lines = [
        PREAMBLE,
        r"\begin{document}",
        rf"\begin{{center}}\LARGE\bfseries {text(document.title)}\end{{center}}",
        *(line for block in document.preface for line in _block(block)),
        *([r"\tableofcontents"] if len(document.sections) > 1 else []),
        r"\appendix",
    ]
    for number, (_, section) in enumerate(document.sections):
        lines += [r"\clearpage"] if number or len(document.sections) > 1 else []
        lines += [line for block in section for line in _block(block)]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def fragment(section: tuple[Block, ...]) -> str:
    """Blocks without the file around them."""
    return "\n".join(line for block in section for line in _block(block)) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(level=level, spans=parts):
            yield f"\n\\{SECTIONS[level]}{{{_heading(parts)}}}"
        case Paragraph(spans=parts):
            yield f"\n{spans(parts)}\n"
        case Items(items=items):
            yield r"\begin{itemize}\setlength{\itemsep}{0pt}"
            yield from (rf"\item {spans(item)}" for item in items)
            yield r"\end{itemize}"
        case Equations(lines=lines):
            yield from _equations(lines)
        case Matrix():
            yield from _matrix(block)
        case Table():
            yield from _table(block)


def _heading(parts: Spans) -> str:
    """Formulas in headings have a plain twin for the bookmarks of the PDF."""
    return "".join(
        rf"\texorpdfstring{{${part.tex}$}}{{{text(re.sub(r'[^A-Za-z0-9,]', '', part.tex))}}}"
        if isinstance(part, Math)
        else span(part)
        for part in parts
    )


def _equations(lines: tuple[Line, ...]) -> Iterator[str]:
    rows = [row for line in lines for row in _rows(line)]
    yield r"\begin{align*}"
    yield " \\\\\n".join(rows)
    yield r"\end{align*}"


def _rows(line: Line) -> list[str]:
    rows = broken(line, ROOM)
    texts = [f"{left} &{right}" for left, right in rows]
    if line.number is not None:
        texts[-1] += rf" \tag{{{line.number}}}\label{{eq:{line.number}}}"
    if line.note:
        note = rf"\text{{\note{{{spans(line.note)}}}}}"
        left, right = rows[-1]
        room = ROOM - width(left) - width(right) - 0.45 * len(spans(line.note))
        if line.number is None and room > 0 and r"\begin" not in right:
            texts[-1] += rf" \tag*{{{note}}}"
        else:
            texts.append(rf" &\qquad {note}")
    return texts


def _matrix(matrix: Matrix) -> Iterator[str]:
    for number, block in enumerate(blocks(matrix, ROOM)):
        name = block.name if number == 0 else rf"\phantom{{{block.name}}}"
        yield r"\begin{equation*}"
        yield rf"{name} \quad \begin{{array}}{{@{{}}r|{'c' * len(block.columns)}@{{}}}}"
        yield " & ".join(["", *(rf"{column}" for column in block.columns)]) + r" \\ \hline"
        rows = [" & ".join([row, *entries]) for row, entries in zip(block.rows, block.entries, strict=True)]
        gap = r" \\[0.6ex]" if any(r"\frac" in row for row in rows) else r" \\"
        yield f"{gap}\n".join([rows[0].replace(rows[0], r"\rule{0pt}{2.4ex}" + rows[0]), *rows[1:]])
        yield r"\end{array}"
        yield r"\end{equation*}"


def _table(table: Table) -> Iterator[str]:
    columns = len(table.header)
    shares = _shares(table)
    layout = "".join(
        rf">{{\raggedright\arraybackslash}}p{{\dimexpr {share:.3f}\linewidth-2\tabcolsep\relax}}" for share in shares
    )
    yield rf"\begin{{longtable}}{{@{{}}{layout}@{{}}}}" if columns else ""
    yield r"\toprule"
    yield " & ".join(rf"\textit{{{spans(cell)}}}" for cell in table.header) + r" \\ \midrule \endhead"
    yield r"\bottomrule \endfoot"
    yield from (" & ".join(spans(cell) for cell in row) + r" \\" for row in table.rows)
    yield r"\end{longtable}"


def _shares(table: Table) -> list[float]:
    """How much of the width each column has: in proportion to what it needs, none more than it needs by far."""
    needs = [
        min(60.0, max(max(length(row[column]) for row in (table.header, *table.rows)), 4.0)) + 2.0
        for column in range(len(table.header))
    ]
    total = max(sum(needs), ROOM * 1.02)
    return [need / total for need in needs]


def length(parts: Spans) -> float:
    """About how wide a text is, in em."""
    total = 0.0
    for part in parts:
        match part:
            case Math(tex=tex):
                total += width(tex)
            case Code(text=words):
                total += 0.53 * len(words)
            case Strong(text=words):
                total += 0.55 * len(words)
            case Reference(number=number):
                total += 0.5 * len(number) + 1.0
            case str():
                total += 0.47 * len(part)
    return total
