"""Failure lengths of one network as a picture: for each format and kind of attention, up to which length rounding
cannot break it, and at which length it does; both on one logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from weightproof.document.html import text
from weightproof.measuring.kept import Row

WIDE, HIGH, LABELS, TOP = 780, 18, 280, 34
"""Units of the picture: all of it, a row, what stands left of the scale, and above the rows."""
DECADES = 9
"""Powers of ten on the scale, at most."""
LETTER = 46
"""Characters of a label."""


def picture(rows: Sequence[Row]) -> str:
    """An SVG for a page; its colours are those of the page's style sheet."""
    last = max(1, math.ceil(max(map(_reach, rows))))
    high = TOP + HIGH * len(rows) + 8
    lines = [*_scale(min(last, DECADES), high), *(part for k, row in enumerate(rows) for part in _bar(row, k, last))]
    said = "Lengths up to which each format is certified, and at which it fails; the table has the numbers."
    return (
        f'<div class="wide"><svg class="lengths" viewBox="0 0 {WIDE} {high}" width="{WIDE}" height="{high}" role="img" '
        f'aria-label="{said}">{"".join(lines)}</svg></div>'
    )


def _reach(row: Row) -> float:
    """Where the row ends, as a power of ten of one symbol more."""
    return _power(max(row["first_failing_length"] or 0, row["certified_safe_length"] or 0, row["searched_to"] or 0))


def _power(length: int) -> float:
    return math.log10(max(length, 0) + 1)


def _at(power: float, last: int) -> float:
    return round(LABELS + (WIDE - LABELS - 45) * power / last, 1)


def _scale(last: int, high: int) -> Iterator[str]:
    for power in range(last + 1):
        x = _at(power, last)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{high - 4}"/>'
        yield f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{10**power:,}</text>'


def _bar(row: Row, place: int, last: int) -> Iterator[str]:
    y = TOP + HIGH * place + HIGH / 2
    yield f'<text x="0" y="{y + 4}">{text(_label(row))}</text>'
    safe, fails = row["certified_safe_length"], row["first_failing_length"]
    if safe is not None and safe >= 0:
        x = _at(_power(safe), last)
        yield f'<line class="safe" x1="{_at(0, last)}" x2="{x}" y1="{y}" y2="{y}"/>'
    if fails is not None:
        yield f'<circle class="fails" cx="{_at(_power(fails), last)}" cy="{y}" r="4"/>'


def _label(row: Row) -> str:
    device = "" if row["device"] == "cpu" else f" {row['device']}"
    kernel = f" {row['kernel']}" if row["kernel"] else ""
    said = f"{row['dtype']}{device}, {row.get('simulator') or row['attention']}{kernel}, {row['rule']}"
    return said if len(said) <= LETTER else said[: LETTER - 1] + "…"
