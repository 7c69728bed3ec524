"""The report of `claims` as a Markdown file and as a LaTeX fragment; both say the same, and nothing about today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weightproof.appendix.published import published, repaired, spelled_out, table
from weightproof.document import markdown, tex
from weightproof.document.blocks import Block, Heading, Items, Paragraph, Table
from weightproof.reports.claiming import Section, evidence
from weightproof.reports.slips import by_construction, repairs, summary

HEAD = """\
# What the papers print, judged

Written by `make claims`, which judges every claim anew; `tests/weightproof/test_claims_report.py` fails when this
file no longer says what comes out. The claims are data, in `constructions/`, beside the networks; no verdict is entered
by hand.

| verdict | what it says |
|---|---|
| true | What is printed is what was derived: from the weights, or, of a formula about no network, from its terms. |
| true-under | Literally it is not, and it is said where; under the convention that is named it is. |
| false | It is not: the slip behind it stands below, with what was derived, and where the two differ. |
| ambiguous | Print leaves more than one literal reading, and they have different verdicts. |

| convention | how it reads a statement |
|---|---|
| index shift | A divisor that is a position is one larger: causal attention at i averages over i + 1 positions. |
| padding | A matrix or a shape counts zeros up to the width. |
| empty word | The statement is made of words with at least one symbol. |
| symbols only | It is made of positions that hold a symbol of the word, and sums run over these. |
| transposition | The rows and columns of a shape change places. |
| fractions | The statement is made of recurrent networks whose embeddings lie in [0, 1]. |

*Rests on*: a claim about words holds for `all lengths`, by a certificate of exact arithmetic or by solvers; short
words alone make nothing true. One that is about no network holds for `all numbers`, `all vectors` of every length,
`all sizes` of matrices, `all angles` or `all finite sets`; where it is false it has been evaluated, at the values that
are named. One
about decoders for circuits holds for all inputs and in all formats that are named; what is said of their sizes and
tables is compared with those that were made. One about what a transformer needs of its components rests on theorems
about all networks without one, or on one that is without it (`weightproof show components`). One about transformers
for every recurrent network is judged for every one of the sizes that are named, units/inputs/symbols, for all words and
steps: of other sizes that is no proof, and it is called `sampled`. Printed formulas
are in the notation of the paper. Derived ones count positions from 0, n being the number of positions, markers
included; $`k_{\\texttt{1}}(i)`$ are the 1s at positions 0..i.

Counts are of distinct statements: what is printed at one place is one, of however many constructions it is judged, and
of their verdicts the strictest counts.

In Steffen et al. (2022) the brackets are 0, which opens, and 1, which closes; $`k_{\\texttt{1}} - k_{\\texttt{0}}`$ is
more closed than opened.

"""


def as_markdown(found: Sequence[Section]) -> str:
    """The whole report."""
    header, rows = by_construction(found)
    counts = Table(tuple((name,) for name in header), tuple(tuple((cell,) for cell in row) for row in rows))
    blocks = (
        Heading(2, ("Counts",)),
        Items(tuple((sentence,) for sentence in summary(found))),
        counts,
        *(block for repair in repairs(found) for block in repaired(repair)),
        Heading(2, ("The slips",)),
        *spelled_out(found),
        *(block for section in found for block in _told(section)),
    )
    return HEAD + markdown.markdown(blocks)


def _told(section: Section) -> Iterator[Block]:
    about = section.about
    yield Heading(2, (about.name,))
    yield Paragraph((f"{about.title}; {about.source}. {section.claims.notation}".strip(),))
    yield _with_evidence(table(section), section)


def _with_evidence(plain: Table, section: Section) -> Table:
    """The table with a column for what the verdicts rest on."""
    basis = ["rests on", *(evidence(judgement.deciding) for judgement in section.judgements)]
    header, *rows = [(*row, (said,)) for row, said in zip((plain.header, *plain.rows), basis, strict=True)]
    return replace(plain, header=header, rows=tuple(rows), shares=())


def as_tex(found: Sequence[Section]) -> str:
    r"""A fragment: what the document of the derivations says of it, a section for each construction."""
    needs = "% Written by: weightproof claims --format tex. Needs array, longtable, amsmath, amssymb, hyperref.\n"
    blocks = (block for section in found for block in (Heading(1, (section.about.title,)), *published(section)))
    return needs + tex.fragment(tuple(blocks))
