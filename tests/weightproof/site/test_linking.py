"""What is printed leads to what is derived, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weightproof.appendix.published import TITLE
from weightproof.document.blocks import Block, Code, Heading, Items, Link, Paragraph, Table
from weightproof.website.linking import DERIVATION, report, section
from weightproof.website.networks import Told
from weightproof.website.papers import Paper, Statement
from weightproof.website.theorems import THEOREMS

RUN = "weightproof run one '11' --trace"
FAILS = Statement("one/s", "one", "one", "11", RUN, frozenset({("c", "log(2)")}))
PRINTED: tuple[Block, ...] = (
    Paragraph((Code("s"), " is a coordinate")),
    Heading(2, (TITLE,)),
    Table(("claim",), (((Code("s"),), ("elsewhere",)),)),
    Items((("of ", Code("one/s")),)),
)
BOX: dict[str, Any] = {"parameters": {"c": "log(2)", "D": "1"}}
ONE = Told("one", "ONE", "an encoder", "a paper", "paper", "", (Heading(2, (DERIVATION,)), *PRINTED), (), BOX)
PAPER = Paper(
    "paper",
    "A paper",
    (),
    (FAILS, Statement("far/s", "far", "far")),
    (),
    (Items(((Code("one/s"), " on ", Code(RUN)),)),),
)


def test_a_statement_leads_to_its_derivation_and_its_word_to_the_box() -> None:
    leads = (
        Link("one/s", "one", DERIVATION),
        " on ",
        Code(RUN),
        " (",
        Link("in the page", "one", "Run a word", "word=11"),
        ")",
    )
    assert report(PAPER, [ONE]) == (Items((leads,)),)
    light = replace(ONE, section=())
    [items] = report(PAPER, [light])
    assert isinstance(items, Items)
    assert items.items[0][0] == Link("one/s", "one", THEOREMS)


def test_a_word_leads_nowhere_where_the_box_would_not_run_it_so() -> None:
    for other in (replace(ONE, box="why not"), replace(ONE, box={"parameters": {"c": "log(3)"}})):
        [items] = report(PAPER, [other])
        assert isinstance(items, Items)
        assert items.items[0] == (Link("one/s", "one", DERIVATION), " on ", Code(RUN))
    assert report(PAPER, []) == PAPER.report


def test_a_statement_leads_back_to_the_paper_and_nothing_else_does() -> None:
    _, before, _, table, items = section(ONE, PAPER)
    assert before == PRINTED[0]
    assert table == Table(("claim",), (((Link("s", "paper-paper", "one"),), ("elsewhere",)),))
    assert items == Items((("of ", Link("one/s", "paper-paper", "one")),))
    assert section(ONE, None) == ONE.section
    assert section(replace(ONE, argument="two"), PAPER) == ONE.section
