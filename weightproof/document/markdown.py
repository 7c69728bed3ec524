"""A document as Markdown for code hosts: inline formulas as $`...`$, which no emphasis breaks, displays as ```math."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from weightproof.document import blocks
from weightproof.document.layout import broken, packed, runs

ROOM = 46.0
"""Width of a column of text on a code host in em of its formulas."""
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")


def text(words: str) -> str:
    """Plain text; what Markdown would read as a mark is escaped."""
    return SPECIAL.sub(r"\\\1", words)


def unmarked(words: str) -> str:
    """The plain text of which `text` made this."""
    return re.sub(r"\\(.)", r"\1", words)


def span(part: blocks.Span) -> str:
    match part:
        case blocks.Math(tex=tex):
            return f"$`{tex}`$"
        case blocks.Code(text=words):
            fence = "``" if "`" in words else "`"
            return f"{fence}{words}{fence}" if words else "` `"
        case blocks.Styled(text=words):
            inner = words.strip()
            if not part.is_bold or not inner:
                return text(words)
            before, behind = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
            return f"{before}**{text(inner)}**{behind}"  # a space within would leave the asterisks as they are
        case blocks.Reference(number=number):
            return f"({number})"
        case blocks.Link(text=words, page=page, heading=heading):
            return f"[{text(words)}]({f'{page}.md' if page else ''}{f'#{anchor(heading)}' if heading else ''})"
    return text(part)


def anchor(heading: str) -> str:
    """What a code host calls a heading: its letters, digits, - and _, in small letters, and - for spaces."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def spans(parts: blocks.Text) -> str:
    return "".join(span(part) for part in blocks.spans(parts))


def cell(parts: blocks.Text) -> str:
    """In a table a bar would end the cell, in a formula too."""
    written = "".join(
        span(blocks.Math(part.tex.replace("|", r"\vert "))) if isinstance(part, blocks.Math) else span(part)
        for part in blocks.spans(parts)
    )
    return re.sub(r"(?<!\\)\|", r"\\|", written)


def markdown(section: tuple[blocks.Block, ...]) -> str:
    """Blocks, one empty line between them."""
    written = (_matrices(block) if isinstance(block, list) else _block(block) for block in runs(section))
    return "\n\n".join(part for parts in written for part in parts) + "\n"


def _matrices(matrices: Sequence[blocks.Matrix]) -> Iterator[str]:
    for row in packed(matrices, ROOM):
        yield _fenced(" \\qquad\n".join(map(_array, row)))


def page(section: tuple[blocks.Block, ...]) -> str:
    """A section as a file of its own, beside the index."""
    return f"[Notation and contents](index.md)\n\n{markdown(section)}"


def index(document: blocks.Document) -> str:
    """The page that leads to those of the sections, with the notation."""
    titles = [(name, next(b for b in section if isinstance(b, blocks.Heading))) for name, section in document.sections]
    links = "\n".join(f"- [{spans(heading.text)}]({name}.md)" for name, heading in titles)
    return f"# {text(document.title)}\n\n{markdown(document.preface)}\n{links}\n"


def _block(block: blocks.Block) -> Iterator[str]:
    match block:
        case blocks.Heading(level=level, text=parts):
            yield f"{'#' * min(level, 3)} {spans(parts)}"
        case blocks.Paragraph(text=parts):
            yield from [spans(parts)] if parts else []
        case blocks.Items(items=items):
            yield "\n".join(f"- {spans(item)}" for item in items)
        case blocks.Equations(lines=lines):
            yield from _equations(lines)
        case blocks.Matrix():
            yield from _matrices([block])
        case blocks.Table(header=header, rows=rows):
            header = header or ((),) * len(rows[0])
            written = ["| " + " | ".join(cell(part) for part in row) + " |" for row in (header, *rows)]
            yield "\n".join([written[0], "|" + " --- |" * len(header), *written[1:]])


def _fenced(tex: str) -> str:
    return f"```math\n{tex}\n```"


def _equations(lines: tuple[blocks.Line, ...]) -> Iterator[str]:
    """Lines without a note together; a note stands above its line."""
    together: list[blocks.Line] = []
    for line in lines:
        if line.note or line.number is not None:
            if together:
                yield _aligned(together)
                together = []
            if line.note:
                yield f"*{spans(line.note)}:*"
            yield _aligned([line])
        else:
            together.append(line)
    if together:
        yield _aligned(together)


def _aligned(lines: list[blocks.Line]) -> str:
    rows = [f"{row.left} &{row.right}" for line in lines for row in broken(line, ROOM)]
    tag = "".join(rf" \tag{{{line.number}}}" for line in lines if line.number is not None)
    if len(rows) == 1:
        return _fenced(rows[0].replace("&", "", 1) + tag if r"\begin" not in rows[0] else _environment(rows) + tag)
    return _fenced(_environment(rows) + tag)


def _environment(rows: list[str]) -> str:
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _array(matrix: blocks.Matrix) -> str:
    if not matrix.rows:
        return f"{matrix.name} = 0"
    rows = [" & ".join([row, *entries]) for row, entries in zip(matrix.rows, matrix.entries, strict=True)]
    header = " & ".join(["", *matrix.columns]) + " \\\\ \\hline\n" if any(matrix.columns) else ""
    layout = "r|" + "c" * len(matrix.columns)
    body = " \\\\\n".join(rows)
    return f"{matrix.name} \\quad \\begin{{array}}{{{layout}}}\n{header}{body}\n\\end{{array}}"
