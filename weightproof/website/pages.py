"""The pages as HTML: what stands around the blocks, the word box, and the picture of the example word."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

from weightproof.document.blocks import Block, Code, Heading, Items, Link, Paragraph
from weightproof.document.html import Page, attribute, text
from weightproof.measuring.kept import Row
from weightproof.measuring.report import table as lengths
from weightproof.website.catalogue import first_page
from weightproof.website.lengths import picture
from weightproof.website.linking import RUN, report, section
from weightproof.website.networks import Told
from weightproof.website.papers import Paper, Papers
from weightproof.website.theorems import table as theorems

INDEX, STYLE, SCRIPT, BOX = "index", "site.css", "wide.js", "word-box.js"
"""The first page, and the files beside the pages."""
SHIPPED = (STYLE, SCRIPT, BOX)
TITLE = "Weightproof"


def index_page(told: Sequence[Told], papers: Papers, with_manual: bool) -> str:
    return _framed(TITLE, Page().written(tuple(first_page(told, papers, with_manual))), "")


def page_of_paper(paper: Paper, told: Sequence[Told]) -> str:
    """The report as it is, with links to the pages of its networks behind it."""
    page = Page()
    body = page.written(report(paper, told))
    if networks := [each for each in told if each.paper == paper.name]:
        body += page.written((Heading(2, "Its networks"),))
        links = "".join(f'<li><a href="{attribute(each.file)}.html">{text(each.title)}</a></li>' for each in networks)
        body += f"<ul>{links}</ul>\n"
    return _framed(f"{paper.citation}: what is printed, judged", body, _trail(paper.citation))


def page_of_network(told: Told, paper: Paper | None, rows: Sequence[Row], related: Sequence[Told]) -> str:
    """Title and what is said before the first heading, theorems, word box, then the section of the document, failure
    lengths, and what it was transformed into; related: that, and what it was transformed from."""
    page, (opening, *rest) = Page(), section(told, paper)
    said = [*itertools.takewhile(lambda block: not isinstance(block, Heading), rest)]
    beginning: list[Block] = [opening, *said]
    if paper is not None:
        link = Link("What the paper prints", paper.file)
        beginning.append(Paragraph((f"{told.source or paper.citation}. ", link, ".")))
    beginning += [Paragraph((f"{TRANSFORMED} ", Link(each.title, each.file), ".")) for each in related if told.origin]
    body = [page.written((*beginning, *theorems(told.settled))), _box(told, page)]
    if told.picture is not None:
        body.append(_pictured(told, page))
    body.append(page.written(rest[len(said) :]))
    if rows:
        body.append(page.written((Heading(2, "Failure lengths"), Paragraph(LENGTHS))))
        body += [picture(rows), page.written((lengths(rows),))]
    if related and not told.origin:
        links = tuple((Link(each.argument, each.file),) for each in related)
        body.append(page.written((Heading(2, "Transformed"), Paragraph(FROM_HERE), Items(links))))
    script = f'<script src="{BOX}" defer></script>' if isinstance(told.box, dict) else ""
    return _framed(told.title, "\n".join(body), _trail(told.argument), script)


TRANSFORMED = "Transformed as its name says, from"
FROM_HERE = "What it becomes by transformations, with theorems of its own."
LENGTHS = (
    "In floating point, the longest words that are certified to be decided rightly, and the shortest that was found to "
    "be lost. In the picture a line is what is certified, a dot the length that fails; where there is no dot, none was "
    "found."
)


def _trail(name: str) -> str:
    return f'<nav aria-label="Where you are"><a href="{INDEX}.html">{TITLE}</a> / {text(name)}</nav>'


def _framed(title: str, body: str, trail: str, script: str = "") -> str:
    whole = title if title == TITLE else f"{title} - {TITLE}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{text(whole)}</title>
<link rel="stylesheet" href="{STYLE}">
<link rel="icon" href="data:,">
<script src="{SCRIPT}" defer></script>
{script}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>{trail}</header>
<main id="content">
{body}
</main>
</body>
</html>
"""


def _box(told: Told, page: Page) -> str:
    heading = page.written((Heading(2, RUN),))
    if not isinstance(told.box, dict):
        return heading + page.written((Paragraph(told.box),))
    box = told.box
    symbols = ", ".join(f"<code>{text(symbol)}</code>" for symbol in box["alphabet"])
    many = "" if box["symbols"] is None else f" of {box['symbols']} symbols, with spaces between them,"
    given = "".join(f", <code>{text(f'{name} = {value}')}</code>" for name, value in box["parameters"].items())
    return f"""{heading}<p>The weights of this page, each rounded once to float64, run here by a script{given}. What is
exact was computed, or proved, when the page was made.</p>
<form id="word-form">
<label for="word">A word{many} over {symbols}</label>
<input id="word" value="{attribute(box["example"])}" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="submit">Run</button>
</form>
<div id="answer" aria-live="polite"></div>
<div id="drawn"></div>
<noscript><p>The box needs JavaScript; nothing else on this page does.</p></noscript>
<script type="application/json" id="network">{_json(box)}</script>
"""


def _json(value: Any) -> str:
    """JSON that ends no element of the page."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _pictured(told: Told, page: Page) -> str:
    heading = page.written((Heading(2, "Attention and residual stream of an example word"),))
    said = f"Heat maps of the attention of each head, and of the residual stream after each layer, on {told.word}"
    where = ", run exactly; the numbers of the stream stand in the worked example."
    shown = page.written((Paragraph(("On the word ", Code(told.word), where)),))
    return (
        f'{heading}{shown}<div class="wide picture"><img src="{attribute(told.file)}.svg" alt="{attribute(said)}" '
        'loading="lazy"></div>\n'
    )
