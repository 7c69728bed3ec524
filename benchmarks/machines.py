"""What PRECISION.md says of the networks that run Turing machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from weightproof.machines.precision import fails_at

Row = dict[str, Any]

INTRODUCTION = """\
The recurrent networks that run the Turing machines that come with the program, and the transformers that simulate
these: strict arithmetic; lengths in cells of tape, which are those of the word and those that the head has visited. A
network has departed from its machine where a unit of a configuration is off by half of what lies between two symbols
under the head. *Certified*, for the recurrent network: on no longer tape does it depart, whatever the order of its
sums, in the first 400 steps of the machine; an error analysis of every word's run, and so no longer than the words of
which every one can be run. *Fails at*: the least tape on which it does, or, with `<=`, the least that was found.

A half tape is a number in base 2m with m symbols, the blank included. Where 2m is a power of two and sums are taken in
the order of the units, all that a network computes is exact while (L + 1) log2(2m) bits are in the format, for L cells:
L log2(2m) - 1 for the half tape, and log2(2m) + 1 more for the 2m that a unit adds to it and takes away again. The
busy beaver (m = 2) and the strokes (m = 4) depart on the first tape that holds more. The other two have base 6, and
1/6 is in no format: each symbol that is popped makes six times as much of an error, and what tells the states apart is
off by as much as the tapes, so that the palindromes' errors grow even in float64 within six cells.

The directional transformer finds its input by the mean of all equal symbols so far, and computed as a sum of quotients
that mean of 1s is not always 1: in float64, where all else would be exact for longer, it departs earlier.
"""


def summary(rows: Sequence[Row], dtypes: Sequence[str]) -> tuple[tuple[str, ...], list[list[str]]]:
    """A line for each machine and simulator: certified / fails at."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        certified = row["certified_safe_length"]
        said = fails_at(row) if certified is None else f"{certified} / {fails_at(row)}"
        cells.setdefault((row["construction"], row["simulator"]), {})[row["dtype"]] = said
    header = ("machine", "simulator", *dtypes)
    return header, [[*place, *(found[dtype] for dtype in dtypes)] for place, found in cells.items()]


def witnesses(rows: Sequence[Row]) -> Iterator[str]:
    """How each is lost."""
    for row in rows:
        if row["witness"] is not None:
            place = ", ".join(row[name] for name in ("construction", "simulator", "dtype"))
            yield f"- {place}, `{row['witness']['word']}`: {row['mechanism']}."
