"""The page about the entries of a contest, each proved or refuted, and the JSON that it is made of: `make contest`.

`python -m weightproof.manifest.contest DIR` keeps what is there of the same weights, as each entry takes up to minutes,
and what is so of one is so of others of the same weights.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from weightproof.constructions.entry import Entry
from weightproof.constructions.files import write
from weightproof.constructions.library import entries, entry_of, load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.schema import Head, Layer, LayerNorm, RootMeanSquare
from weightproof.document import markdown
from weightproof.document.blocks import Heading, Items, Paragraph, Plain, Table, Text
from weightproof.manifest.executed import DTYPES, Executed, in_floats
from weightproof.measuring.prompts import margin_of
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Computes, theorems_of
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown
from weightproof.reports.sheet import all_layers
from weightproof.terminal.streams import progress

NAME = "contest"
"""Of both files."""
LIMIT = 600.0
"""Seconds of counted work for an entry: more than twice what any takes of which an answer is known."""
HEAD = """\
Written by `make contest`, which proves or refutes anew what has other weights by now; a test fails where a page says
something else than `contest.json`, and that something else than the weights.

In [AdderBoard](https://github.com/anadim/AdderBoard) decoders are to add two numbers of ten digits, with as few
parameters as can be, and are tried on some 10,000 pairs. Here are the entries whose weights are set by hand, as real
numbers, and what is so of each after all 10^20 prompts: that the right token is the only one with the greatest output,
and so again after the prompt and the right tokens behind it. Two are left out, of 31 parameters (Arch222) and of 111
(corbensorenson): their weights do not stand in the contest's repository.
"""
READING = """\
*Parameters* are as many as the contest counts, which is [another thing](#what-is-counted-as-a-parameter) for each
author. *Sets* of prompts are those on which intervals decide, and *margin* is how far from 0, at least, what is shown
stays on them. *Seconds* are of one process of the computer that wrote the page; of entries with [the same
weights](#the-same-weights) one was proved. *Elsewhere* is what `proofs/verification_status.md` of the contest's
repository reports, of 2026-03-26: of entries that its program could not load, that they were not run.
"""
IN_FLOATS = (
    "What is proved above is so of real numbers. Here the same weights are run by PyTorch in each dtype, with explicit "
    "attention, on prompts of which half have digits that add up to 9 in all places but one. Proved is what is so of "
    "all 10^20 prompts: no two outputs are off by as much as the margin, under the rounding model, with explicit "
    "attention, or with strict attention, which alone says how silu is rounded. Open is where that is not known, and "
    "none that was run is wrong: below stands by how much outputs may be off. Of what is wrong there stands the first "
    "prompt, with what is appended to it, and what is right."
)


@dataclass(frozen=True)
class Row:
    """An entry and what came of its theorem.

    author, parameters, counted, elsewhere: as in `Entry`; blocks: what its network is made of; seconds: that it took.
    words, sets, run, margin: as in `Covered`, None where nothing is proved; executed: what runs in floats came to, in
    each dtype. note: the prompt that refutes it and what
    is wrong there, or the reason why nothing is known.
    """

    name: str
    author: str
    parameters: int
    counted: str
    elsewhere: str
    blocks: str
    sha256: str
    statement: str
    verdict: str
    expected: str
    words: int | None
    sets: int | None
    run: int | None
    margin: str | None
    note: str
    seconds: float
    executed: tuple[Executed, ...]

    @classmethod
    def read(cls, data: dict[str, Any]) -> Row:
        """As it was written."""
        return cls(**data | {"executed": tuple(Executed(**each) for each in data["executed"])})

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.expected


@dataclass(frozen=True)
class Asked:
    """An entry with the theorem about it."""

    name: str
    entry: Entry
    construction: Construction
    theorem: Computes

    @property
    def known(self) -> dict[str, Any]:
        """What is known of its row before anything is proved."""
        return asdict(self.entry) | {
            "blocks": ", ".join(blocks(self.construction)),
            "sha256": digest(self.construction),
            "statement": self.theorem.statement,
            "expected": self.theorem.expected,
        }

    def as_of(self, row: Row) -> Row | None:
        """Its row, by that of another entry, where weights and theorem are the same."""
        if (self.known["sha256"], self.theorem) != (row.sha256, asked(row.name).theorem):
            return None
        return replace(row, name=self.name, **self.known)

    def settled(self) -> Row | None:
        """Its row, the theorem proved or refuted now; None where the time was up, which says nothing of an entry."""
        [result] = prove(self.construction, [self.theorem], timeout=LIMIT)
        if isinstance(result.verdict, Unknown) and result.verdict.timed_out:
            return None
        covered = result.verdict.covered if isinstance(result.verdict, Proved) else None
        margin = margin_of(result.verdict)
        return Row(
            name=self.name,
            **self.known,
            verdict=result.verdict.name,
            words=None if covered is None else covered.words,
            sets=None if covered is None else covered.sets,
            run=None if covered is None else covered.run,
            margin=None if covered is None else covered.margin,
            note=_note(result),
            seconds=round(result.seconds, 1),
            executed=tuple(in_floats(self.construction, self.theorem, dtype, margin) for dtype in DTYPES),
        )


def asked(name: str) -> Asked:
    """An entry as it stands here."""
    [theorem] = theorems_of(name)
    assert isinstance(theorem, Computes)
    return Asked(name, entry_of(name), load(name), theorem)


def _note(result: Result) -> str:
    match result.verdict:
        case Refuted(counterexample=found):
            return f"{found.word!r}: {found.note}"
        case Unknown(reason=reason):
            return reason
    return ""


def blocks(construction: Construction) -> Iterator[str]:
    """What a network is made of, each kind once."""
    layers = all_layers(construction.network)
    heads = sum(len(layer.heads) for layer in layers)
    yield _several(len(layers), "layer")
    yield f"width {len(construction.network.coordinates)}"
    yield _several(heads, "head")
    yield from dict.fromkeys(kind for layer in layers for kind in _kinds(layer))


def _several(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _kinds(layer: Layer) -> Iterator[str]:
    for head in layer.heads:
        yield from _additions(head)
    if layer.feed_forward is not None:
        yield f"{'' if layer.feed_forward.gate is None else 'gated '}{layer.feed_forward.activation}"
    for norm in layer.norms:
        match norm:
            case LayerNorm():
                yield "layer norm"
            case RootMeanSquare():
                yield "root mean square"


def _additions(head: Head) -> Iterator[str]:
    """What a head has beside queries, keys and values."""
    if head.rotary:
        yield "rotary"
    for name in ("bias", "sees", "sink"):
        if getattr(head, name) is not None:
            yield name


def page(rows: Sequence[Row]) -> str:
    """The page that is made of the rows, and names the entries that have none, as Markdown."""
    title, number = markdown.markdown((Heading(1, "Decoders that add"),)), markdown.markdown((_counted(rows),))
    return "\n".join((title, HEAD, number, READING, markdown.markdown(tuple(_page(rows)))))


def _counted(rows: Sequence[Row]) -> Paragraph:
    verdicts = Counter(row.verdict for row in rows)
    told = ", ".join(f"{verdicts[each]} {each}" for each in (Proved.name, Refuted.name, Unknown.name))
    there = {row.name for row in rows}
    others = [name for name in entries() if name not in there]
    open_ = f" Not settled so far: {', '.join(others)}." if others else ""
    return Paragraph(f"{len(rows)} entries: {told}.{open_}")


def _page(rows: Sequence[Row]) -> Iterator[Plain]:
    right = frozenset({"parameters", "sets", "margin", "seconds"})
    header = ("entry", "author", "parameters", "verdict", "sets", "margin", "seconds", "elsewhere", "made of")
    yield Table(header, [_cells(row) for row in rows], right=right)
    yield from _in_floats(rows)
    yield from _told("Not proved", [f"{row.name}: {row.note}" for row in rows if row.note])
    yield from _told("The same weights", [", ".join(names) for names in _alike(rows) if len(names) > 1])
    yield from _told("What is counted as a parameter", [f"{row.name}: {row.counted}" for row in rows])


def _in_floats(rows: Sequence[Row]) -> Iterator[Plain]:
    yield Heading(2, "As executed in floats")
    yield Paragraph(IN_FLOATS)
    by_mark = {row.sha256: row for row in reversed(rows)}
    yield Table(
        ("weights of", *DTYPES),
        [(row.name, *(each.said for each in row.executed)) for row in rows if by_mark[row.sha256] is row],
    )
    yield Items(
        tuple(
            f"{row.name}, {each.dtype}: {each.first or each.open}"
            for row in rows
            if by_mark[row.sha256] is row
            for each in row.executed
            if each.first or each.open
        )
    )


def _told(title: str, lines: Sequence[str]) -> Iterator[Plain]:
    if lines:
        yield Heading(2, title)
        yield Items(tuple(lines))


def _cells(row: Row) -> tuple[Text, ...]:
    odd = "" if row.as_expected else f", expected {row.expected}"
    sets = "-" if row.sets is None else f"{row.sets:,}"
    return (
        row.name,
        row.author,
        str(row.parameters),
        f"{row.verdict}{odd}",
        sets,
        row.margin or "-",
        f"{row.seconds:.1f}",
        row.elsewhere,
        row.blocks,
    )


def _alike(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """The names of those of the same hash."""
    for mark in dict.fromkeys(row.sha256 for row in rows):
        yield tuple(row.name for row in rows if row.sha256 == mark)


def kept(file: Path) -> Iterator[Row]:
    """The rows of a file, if it is there, of which weights and statement are still the same; what is said beside is as
    it is now. None of what was unknown."""
    rows = [Row.read(each) for each in json.loads(file.read_text(encoding="utf-8"))["entries"]] if file.exists() else []
    for row in rows:
        if row.name in entries() and row.verdict != Unknown.name:
            now = asked(row.name).known
            if (row.sha256, row.statement) == (now["sha256"], now["statement"]):
                yield replace(row, **now)


def written(rows: Sequence[Row], folder: Path) -> None:
    """Both files, in a folder that is there."""
    data = {"entries": [asdict(row) for row in rows]}
    write(folder / f"{NAME}.json", json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    write(folder / f"{NAME}.md", page(rows))


def main(folder: Path) -> None:
    """Prove what is missing, and write after each entry what there is."""
    there = {row.name: row for row in kept(folder / f"{NAME}.json")}
    with progress(len(entries())) as advance:
        for name in entries():
            advance(name, len(there))
            if name not in there:
                wanted = asked(name)
                alike = (found for row in there.values() if (found := wanted.as_of(row)) is not None)
                found = next(alike, None) or wanted.settled()
                there |= {} if found is None else {name: found}
            written([there[each] for each in entries() if each in there], folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
