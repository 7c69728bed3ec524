"""A document as HTML: headings with anchors, formulas as MathML, matrices and tables as tables, wide ones in frames of
their own in which they are moved sideways."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from weightproof.document import blocks
from weightproof.document.layout import broken, width
from weightproof.document.markdown import anchor
from weightproof.document.mathml import aligned, mathml, spoken

ROOM = 46.0
"""Width of a column of text in em of its formulas."""
INLINE = 16.0
"""Width in em of a formula in a line of text up to which it fits a narrow screen."""
NUMBER = re.compile(r"-?\d+")
"""An entry of a matrix that is set as it is."""


def text(words: str) -> str:
    """Plain text."""
    return html.escape(words, quote=False)


def attribute(words: str) -> str:
    """Plain text between double quotes."""
    return html.escape(words)


def span(part: blocks.Span) -> str:
    match part:
        case blocks.Math(tex=tex):
            return mathml(tex) if width(tex) <= INLINE else f'<span class="wide">{mathml(tex)}</span>'
        case blocks.Code(text=words):
            return f"<code>{text(words) or ' '}</code>"
        case blocks.Styled(text=words):
            colour = part.style.rpartition(" ")[2]
            tag = "strong" if part.is_bold else "span"
            return (
                f"<{tag}>{text(words)}</{tag}>"
                if colour == "bold"
                else f'<{tag} class="{colour}">{text(words)}</{tag}>'
            )
        case blocks.Reference(number=number):
            return f'<a href="#{_equation(number)}">({text(number)})</a>'
        case blocks.Link(text=words, page=page, heading=heading, query=query):
            place = f"{f'{page}.html' if page else ''}{query and '?'}{query}{f'#{anchor(heading)}' if heading else ''}"
            return f'<a href="{attribute(place)}">{text(words)}</a>'
        case str():
            return text(part)
    raise TypeError(f"HTML has no {type(part).__name__}")


def spans(parts: blocks.Text) -> str:
    return "".join(span(part) for part in blocks.spans(parts))


def plain(parts: blocks.Text) -> str:
    """The words of a heading, of which its anchor is made."""
    return "".join(
        part if isinstance(part, str) else part.tex if isinstance(part, blocks.Math) else _words(part)
        for part in blocks.spans(parts)
    )


def _words(part: blocks.Code | blocks.Styled | blocks.Reference | blocks.Link) -> str:
    return part.number if isinstance(part, blocks.Reference) else part.text


def _equation(number: str) -> str:
    return f"equation-{number}"


@dataclass
class Page:
    """Writes the blocks of one page, one part after the other, and remembers what has been used on it: each anchor
    once, as a code host numbers them, and no heading more than one level below the one before."""

    used: Counter[str] = field(default_factory=Counter)
    level: int = 0

    def written(self, section: Sequence[blocks.Block]) -> str:
        """TypeError for a block that is not known, Unconvertible for a formula that is not."""
        return "\n".join(line for block in section for line in self._block(block)) + "\n"

    def anchored(self, words: str) -> str:
        """The anchor of a heading with these words."""
        name = anchor(words)
        self.used[name] += 1
        return name if self.used[name] == 1 else f"{name}-{self.used[name] - 1}"

    def _block(self, block: blocks.Block) -> Iterator[str]:
        match block:
            case blocks.Heading(level=level, text=parts):
                self.level = min(level, self.level + 1)
                yield f'<h{self.level} id="{attribute(self.anchored(plain(parts)))}">{spans(parts)}</h{self.level}>'
            case blocks.Paragraph(text=parts):
                yield from [f"<p>{spans(parts)}</p>"] if parts else []
            case blocks.Items(items=items):
                yield f"<ul>{''.join(f'<li>{spans(item)}</li>' for item in items)}</ul>"
            case blocks.Equations(lines=lines):
                yield from map(_line, lines)
            case blocks.Matrix():
                yield _matrix(block)
            case blocks.Table():
                yield _table(block)
            case _:
                raise TypeError(f"HTML has no {type(block).__name__}")


def _line(line: blocks.Line) -> str:
    """With its number at its right and its note above it."""
    rows = [(row.left, row.right) for row in broken(line, ROOM)]
    note = f'<p class="note">{spans(line.note)}:</p>' if line.note else ""
    formula = f'<div class="wide">{aligned(rows)}</div>'
    if line.number is None:
        return f'{note}<div class="line">{formula}</div>'
    number = f'<span class="number">({text(line.number)})</span>'
    return f'{note}<div class="line" id="{attribute(_equation(line.number))}">{formula}{number}</div>'


def _matrix(matrix: blocks.Matrix) -> str:
    if not matrix.rows:
        return f'<div class="line"><div class="wide">{mathml(f"{matrix.name} = 0", display=True)}</div></div>'
    header = ""
    if any(matrix.columns):
        columns = "".join(_named("col", blocks.Math(column)) for column in matrix.columns)
        header = f"<thead><tr><td></td>{columns}</tr></thead>"
    rows = "".join(
        f"<tr>{_named('row', blocks.Math(row))}{''.join(f'<td>{_entry(entry)}</td>' for entry in entries)}</tr>"
        for row, entries in zip(matrix.rows, matrix.entries, strict=True)
    )
    caption = f"<caption>{mathml(matrix.name)}</caption>"
    return f'<div class="wide beside"><table class="matrix">{caption}{header}<tbody>{rows}</tbody></table></div>'


def _named(scope: str, part: blocks.Text, side: str = "") -> str:
    """The name of a row or a column; for who hears the page a formula is in letters, as not every reader speaks
    formulas there."""
    return f'<th scope="{scope}"{side}>{"".join(map(_heard, blocks.spans(part)))}</th>'


def _heard(part: blocks.Span) -> str:
    if not isinstance(part, blocks.Math):
        return span(part)
    shown = mathml(part.tex).replace("<math>", '<math aria-hidden="true">', 1)
    return f'<span class="spoken">{text(spoken(part.tex))}</span>{shown}'


def _entry(tex: str) -> str:
    return tex.replace("-", "\N{MINUS SIGN}") if NUMBER.fullmatch(tex) else mathml(tex)


def _table(table: blocks.Table) -> str:
    names = [plain(part) for part in table.header]
    right = [' class="right"' if name in table.right else "" for name in names]
    header = "".join(_named("col", part, side) for part, side in zip(table.header, right, strict=True))
    first = "th" if table.labelled or not names else "td"
    rows = "".join(f"<tr>{''.join(_cells(row, right, first))}</tr>" for row in table.rows)
    kind = "" if names else ' class="pairs"'
    head = f"<thead><tr>{header}</tr></thead>" if names else ""
    return f'<div class="wide"><table{kind}>{head}<tbody>{rows}</tbody></table></div>'


def _cells(row: Sequence[blocks.Text], right: Sequence[str], first: str) -> Iterator[str]:
    for place, part in enumerate(row):
        side = right[place] if right else ""
        yield _named("row", part, side) if place == 0 and first == "th" else f"<td{side}>{spans(part)}</td>"
