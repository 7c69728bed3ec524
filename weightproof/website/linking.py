"""Links between what a paper prints and the networks of which it is printed: a statement leads to the page on which it
is derived, the word on which it fails to the word box there, and a statement on a network's page to that of its paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from weightproof.appendix.published import TITLE
from weightproof.document.blocks import Block, Code, Heading, Items, Link, Paragraph, Spans, Table, Text, spans
from weightproof.website.networks import Told
from weightproof.website.papers import Paper, Statement
from weightproof.website.theorems import THEOREMS

DERIVATION, RUN, WORD = "Derivation", "Run a word", "word"
"""Headings of a network's page, and what its address asks of the box."""


def report(paper: Paper, told: Sequence[Told]) -> tuple[Block, ...]:
    """The report of a paper, whose statements lead to the pages that there are."""
    pages, leads = {each.argument: each for each in told}, dict[str, Spans]()
    for statement in paper.statements:
        if (page := pages.get(statement.about)) is not None:
            derived = any(isinstance(b, Heading) and spans(b.text) == (DERIVATION,) for b in page.section)
            leads[statement.id] = (Link(statement.id, page.file, DERIVATION if derived else THEOREMS),)
            leads |= _replayed(statement, page)
    return tuple(_linked(paper.report, leads))


def _replayed(statement: Statement, page: Told) -> dict[str, Spans]:
    """The command that replays the word, with what runs it in the page, if that runs it at the same parameters."""
    word = statement.word
    if word is None or not isinstance(page.box, dict) or not statement.parameters <= page.box["parameters"].items():
        return {}
    link = Link("in the page", page.file, RUN, urlencode({WORD: word}))
    return {statement.command: (Code(statement.command), " (", link, ")")}


def section(told: Told, paper: Paper | None) -> tuple[Block, ...]:
    """The section of a network, in which the statements of its paper lead to the page of that."""
    if paper is None:
        return told.section
    leads: dict[str, Spans] = {}
    for statement in paper.statements:
        if statement.about == told.argument:
            for name in (statement.id, statement.id.partition("/")[2]):
                leads[name] = (Link(name, paper.file, statement.heading),)
    place = next((k for k, block in enumerate(told.section) if _begins_with_print(block)), len(told.section))
    return (*told.section[:place], *_linked(told.section[place:], leads))


def _begins_with_print(block: Block) -> bool:
    return isinstance(block, Heading) and spans(block.text) == (TITLE,)


def _linked(blocks: Sequence[Block], leads: Mapping[str, Spans]) -> Iterator[Block]:
    """With these in the place of code that says the same."""

    def text(given: Text) -> Spans:
        parts = ((leads.get(part.text, (part,)) if isinstance(part, Code) else (part,)) for part in spans(given))
        return tuple(span for part in parts for span in part)

    for block in blocks:
        match block:
            case Paragraph():
                yield replace(block, text=text(block.text))
            case Items():
                yield Items(tuple(map(text, block.items)))
            case Table():
                yield replace(block, rows=tuple(tuple(map(text, row)) for row in block.rows))
            case _:
                yield block
