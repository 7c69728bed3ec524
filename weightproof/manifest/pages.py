"""The pages of the manifest, and the one that leads to them: `make manifest`.

`python -m weightproof.manifest.pages DIR` proves every theorem that is stated. The pages name no time and no date: they
change when the weights, a verdict or a pinned version does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from weightproof.document import markdown
from weightproof.document.blocks import Heading, Items, Link, Paragraph, Plain, Spans, Table, Text, joined
from weightproof.document.pages import INDEX, written
from weightproof.manifest import families, trusted
from weightproof.manifest.constructions import of_construction
from weightproof.manifest.rows import REFUTED, UNKNOWN, numbers
from weightproof.proofs.deadline import PATIENT
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Stated, apart_by_file, by_file, theorem_file
from weightproof.proofs.verdict import Evidence

RESTS_ON = {
    Evidence.KERNEL: "the kernel of Coq, which checked all of it, from the weights to the theorem",
    Evidence.CERTIFICATE: "exact arithmetic that checks an algebraic certificate",
    Evidence.TWO_SOLVERS: "Z3 and cvc5, which agree",
    Evidence.ONE_SOLVER: "Z3 or cvc5; the other gave no answer within its steps",
    Evidence.COVERING: "intervals, on sets of words in one of which every word of the lengths in the scope lies",
    Evidence.BOUNDED: "certificates, solvers or runs, one length, size or format at a time, for all those in the scope",
    Evidence.SAMPLED: "the same at chosen points alone, which the scope names; beyond them nothing is proved",
}
HEAD = """\
# What is proved, and what that rests on

Written by `make manifest`, which proves everything anew; `tests/proofs/test_proofs.py` fails when a page no longer
says what comes out.
"""
TRUSTED = """\
## What is trusted

- What a network computes: the definitions in `constructions/meaning/schema.py` and
  `constructions/meaning/interpreter.py`, in real numbers, and that the table of weights is the paper's.
- That the derivation is the forward pass, and the obligations the theorem: both are programmed, compared with the
  interpreter on many words before every `proved`, and controlled by changing every weight. [What every verdict rests
  on](rests-on.md) says how.
- The [rules](rules.md) that solvers are told without an obligation; the solvers themselves only where they are the
  evidence, and then two of them.
- Where the evidence is `kernel`, none of this but the weights and the statement: Coq's kernel and
  `proofs/kernel/Transformer.v`.
- A refutation rests on the interpreter alone, which has replayed the word.
"""
HASHES = """\
A theorem is as strong as its weakest step; in brackets stands how many obligations were closed by which.

The hash of a construction is the SHA-256 of its network with all weights, its parameters, its alphabet and its formula
(`constructions/meaning/record.py`); `weightproof show NAME --json` prints it.
"""


def name_of(file: str) -> str:
    """The page about what a paper, or a file of theorems, states: chiang2022-layer-norm of chiang2022.layer_norm."""
    return file.replace(".", "-").replace("_", "-")


def title_of(file: str) -> str:
    """What the folder of a paper, or a file of theorems, says of itself."""
    return (theorem_file(file).__doc__ or file).partition("\n\n")[0].replace("\n", " ").removesuffix(".")


def page_of(file: str, stated: Stated) -> str:
    """The page of a paper, or of a file of theorems about transformed constructions, proved anew."""
    sections = [
        of_construction(construction, prove(construction, theorems, timeout=PATIENT), theorems)
        for construction, theorems in stated.values()
    ]
    return "\n".join((markdown.markdown((Heading(1, title_of(file)),)), *sections))


def pages() -> dict[str, str]:
    """By their names, everything proved anew, as Markdown."""
    found = {name_of(file): page_of(file, stated) for file, stated in (by_file() | apart_by_file()).items()}
    found |= {name: page() for name, page in families.PAGES.items()}
    return {INDEX: index(found), **{name: page() for name, page in trusted.PAGES.items()}, **found}


def index(found: Mapping[str, str]) -> str:
    """The page that leads to those with theorems: how many are proved, by which evidence, and where they stand."""
    number = numbers("\n".join(found.values()))
    counted, where = markdown.markdown(tuple(_counted(number))), markdown.markdown(tuple(_where(found)))
    return "\n".join((HEAD, counted, HASHES, TRUSTED, where))


def _counted(number: Mapping[str, int]) -> Iterator[Plain]:
    every, proved = sum(number.values()), sum(number[each] for each in RESTS_ON)
    said = f"{every} theorems: {proved} proved, {number[REFUTED]} refuted by a word, {number[UNKNOWN]} unknown."
    yield Paragraph(said)
    rows = [(each, what, f"{number[each]}") for each, what in RESTS_ON.items()]
    yield Table(("evidence", "rests on", "theorems"), rows, right=frozenset({"theorems"}))


def _where(found: Mapping[str, str]) -> Iterator[Plain]:
    yield Heading(2, "The pages")
    header = ("page", "theorems", *(each.value for each in RESTS_ON), REFUTED, UNKNOWN)
    yield Table(header, [_row(name, text) for name, text in found.items()], right=frozenset(header[1:]))
    yield Heading(2, "What stands where")
    yield Items(tuple(_contents(name, text) for name, text in found.items()))


def _row(name: str, text: str) -> tuple[Text, ...]:
    number = numbers(text)
    counts = (number.total(), *(number[each] for each in (*RESTS_ON, REFUTED, UNKNOWN)))
    return Link(name, name), *map(str, counts)


def _contents(name: str, text: str) -> Spans:
    links: list[Spans] = [(Link(heading, name, heading),) for heading in _headings(text, 2)]
    [title] = _headings(text, 1)
    return Link(title, name), ": ", *joined(links)


def _headings(text: str, level: int) -> list[str]:
    """Of a page, without the marks that Markdown needs."""
    return [markdown.unmarked(line) for line in re.findall(rf"^{'#' * level} (.*)$", text, re.MULTILINE)]


def main() -> None:
    """Write the pages into a folder that is there."""
    written(pages(), Path(sys.argv[1]))


if __name__ == "__main__":
    main()
