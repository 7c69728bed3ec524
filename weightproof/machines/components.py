"""What the components of a transformer are needed for, as `show components` prints it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.proofs.prover import proved
from weightproof.proofs.simulation.components import components, evidence_of, judged, theorems
from weightproof.proofs.simulation.prove import SIZED
from weightproof.results import Shown

COLOURS = {"true": "green", "false": "red", "unknown": "yellow"}


class ShownComponents(Shown):
    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """judged: of simulating every recurrent network, "true", "false" or "unknown"; evidence: what that rests on,
        sampled where networks simulate those of `sizes` alone."""
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

    def report(self) -> Iterator[Plain]:
        """What is printed of each component, judged, and what that rests on."""
        yield Heading(3, "Components of a transformer, for simulating every recurrent network")
        rows = self.data["components"]
        cells: list[list[Text]] = [
            [
                *(row[name] for name in ("component", "printed", "source")),
                Styled(row["judged"], COLOURS[row["judged"]]),
                row["evidence"] or "-",
            ]
            for row in rows
        ]
        yield Table(("component", "printed", "where", "judged", "evidence"), cells)
        yield Paragraph(f"sampled: {self.data['sizes']}")
        for row in rows:
            yield Paragraph(row["component"])
            yield from (Paragraph(f"simulates those: {name}", 1) for name in row["without"])
            yield from (Paragraph(f"none does: {name}", 1) for name in row["impossible"])
            if row["note"]:
                yield Paragraph(row["note"], 1)
        yield Paragraph("The theorems are proved by: weightproof prove components")
