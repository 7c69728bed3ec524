"""What the components of a transformer are needed for, as `show components` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.proofs.certified import proved
from weightproof.proofs.simulation.components import components, evidence_of, judged, theorems
from weightproof.proofs.simulation.prove import SIZED

COLOURS = {"true": "green", "false": "red", "unknown": "yellow"}


def payload() -> dict[str, Any]:
    """The JSON; judged: of simulating every recurrent network, "true", "false" or "unknown"; evidence: what that rests
    on, sampled where networks simulate those of `sizes` alone."""
    results = {result.theorem: result for result in proved(theorems())}
    return {
        "components": [
            {
                "component": row.name,
                "printed": row.printed,
                "source": row.source,
                "judged": judged(row, results),
                "evidence": evidence_of(row, results),
                "without": [each.name for each in row.without],
                "impossible": [each.name for each in row.impossible],
                "note": row.note,
            }
            for row in components()
        ],
        "sizes": SIZED,
    }


def draw() -> Iterator[Plain]:
    """What is printed of each component, judged, and what that rests on."""
    yield Heading(3, "Components of a transformer, for simulating every recurrent network")
    found = payload()
    rows = found["components"]
    cells: list[list[Text]] = [
        [
            row["component"],
            row["printed"],
            row["source"],
            Styled(row["judged"], COLOURS[row["judged"]]),
            row["evidence"] or "-",
        ]
        for row in rows
    ]
    yield Table(("component", "printed", "where", "judged", "evidence"), cells)
    yield Paragraph(f"sampled: {found['sizes']}")
    for row in rows:
        yield Paragraph(f"{row['component']}")
        for name in row["without"]:
            yield Paragraph(f"  simulates those: {name}")
        for name in row["impossible"]:
            yield Paragraph(f"  none does: {name}")
        if row["note"]:
            yield Paragraph(f"  {row['note']}")
    yield Paragraph("The theorems are proved by: weightproof prove components")
