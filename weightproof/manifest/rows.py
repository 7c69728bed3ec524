"""A section of a page: what it is about, with its hash, and a row for each theorem; and how many rows say what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from weightproof.document import markdown
from weightproof.document.blocks import Code, Heading, Items, Spans, Styled, Table, Text
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Result, Unknown

REFUTED, UNKNOWN = "refuted", "unknown"


def section(name: str, about: Sequence[Text], table: Table) -> str:
    """What is settled of one network or family, under its name."""
    return markdown.markdown((Heading(2, name), Items(tuple(about)), table))


def hashed(mark: str) -> Spans:
    """The line with the hash of what a section is about."""
    return "hash: ", Code(mark)


def on_a_word(found: Counterexample) -> Spans:
    """A word that refutes, with the values of the parameters."""
    values = "".join(f", {name} = {value}" for name, value in found.parameters.items())
    return "word ", Code(repr(found.word)), values


def at_a_step(found: Counterexample) -> Spans:
    """The same, and what is wrong there."""
    return *on_a_word(found), f": {found.note}"


def settled(result: Result, refuting: Callable[[Counterexample], Spans]) -> tuple[Text, Text, Text]:
    """Verdict, scope and basis; refuting: how a word that refutes stands there."""
    scope: Text
    match result.verdict:
        case Proved(scope=scope, evidence=evidence, words=int(words)) if not result.obligations:
            basis = f"{evidence}: {words:,} words run"
        case Proved(scope=scope, evidence=evidence):
            basis = _counted(evidence, result.obligations)
        case Refuted(counterexample=found, evidence=evidence):
            scope = refuting(found)
            basis = found.evidence if evidence is None else f"{evidence}: {found.evidence}"
        case Unknown(reason=reason):
            scope, basis = "-", reason
    expected = () if result.as_expected else (", ", Styled(f"expected {result.expected}"))
    return (result.verdict.name, *expected), scope, basis


def _counted(evidence: Evidence, obligations: Mapping[str, int]) -> str:
    """The obligations by what closed them, weakest first."""
    kinds = [kind for kind in reversed(Evidence) if kind in obligations]
    counts = ", ".join(f"{kind} ({obligations[kind]})" for kind in kinds)
    return counts if evidence in kinds else f"{evidence}: {counts}"


def numbers(text: str) -> Counter[str]:
    """How many theorems are proved, by their evidence, and how many are not, by the verdict: as it stands in the tables
    of pages."""
    found = Counter[str]()
    for row in _rows_of(text):
        verdict = row.get("verdict", "").partition(",")[0]
        if verdict == "proved":
            found[re.split(r" \(|: ", row["evidence"])[0]] += 1
        elif verdict in (REFUTED, UNKNOWN):
            found[verdict] += 1
    return found


def _rows_of(text: str) -> Iterator[dict[str, str]]:
    """Of all tables, as they are written; the line under the header is one, too."""
    header: list[str] = []
    for line in text.splitlines():
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if not line.startswith("| "):
            header = []
        elif header:
            yield dict(zip(header, cells, strict=True))
        else:
            header = cells
