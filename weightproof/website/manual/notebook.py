"""A notebook, with the outputs that it has, as Markdown."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weightproof.document.mathml import mathml

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
"""What is a heading in an output is none of the page."""


def as_markdown(content: bytes) -> str:
    """The cells, one after the other. TypeError for an output of a kind that no page can show."""
    return "\n\n".join(part for cell in json.loads(content)["cells"] for part in _cell(cell)) + "\n"


def _cell(cell: Mapping[str, Any]) -> Iterator[str]:
    source = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield _fenced(source, "python")
    for output in cell["outputs"]:
        yield _output(output, cell["metadata"].get("alt", ""))


def _output(output: Mapping[str, Any], alt: str) -> str:
    """What a cell has printed, or the value of its last line, as it shows itself best."""
    if output["output_type"] == "stream":
        return _fenced(_text(output["text"]), "text")
    match output:
        case {"data": {"image/svg+xml": svg}}:
            address = base64.b64encode(_text(svg).encode()).decode()
            return f"![{alt}](data:image/svg+xml;base64,{address})"
        case {"data": {"text/latex": tex}}:
            return f"<div>{mathml(_text(tex).strip().strip('$'), display=True)}</div>"
        case {"data": {"text/markdown": written}}:
            return HEADING.sub(r"**\1**", _text(written))
        case {"data": {"text/plain": plain}}:
            return _fenced(_text(plain), "text")
    raise TypeError(f"an output of the kind {output['output_type']}")


def _text(lines: str | Sequence[str]) -> str:
    """As the format has it: a text, or its lines."""
    return "".join(lines)


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
