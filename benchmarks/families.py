"""What findings/precision says of the networks that run Turing machines, and of families that add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from weightproof.measuring.report import fails_at

Row = dict[str, Any]

INTRODUCTION = """\
The recurrent networks that run the Turing machines that come with the program, and the transformers that simulate
these: strict arithmetic; lengths in cells of tape, which are those of the word and those that the head has visited. A
network has departed from its machine where a unit of a configuration is off by half of what lies between two symbols
under the head. *Certified*, of the recurrent network, for every order of summation: on no longer tape does it depart.
In brackets, cells of half tapes with which its configurations are exact after any number of steps; beyond, an error
analysis beside every word's run, as far as all words of a length can be run, for the first 400 steps of the machine.
*Fails at*: the least tape on which it does, or, with `<=`, the least that was found.

A half tape is a number in base 2m with m symbols, the blank included. Where 2m is a power of two, one of L cells has
L log2(2m) - 1 bits; a unit adds 2m to it and takes it away again, which takes log2(2m) + 1 more, and in the worst order
of summation another one. So all is exact while the format has (L + 1) log2(2m) + 1 bits, for L >= 2, and
`numeric/simulation/exactness.py` certifies just that from the weights. The busy beaver (m = 2) and the strokes (m = 4)
depart within three cells behind it. The other two have base 6, and 1/6 is in no format: each symbol that is popped
makes six times as much of an error, and from the tapes it gets into the units that tell the states apart, so that
palindromes fail even in float64 on six cells.

The last two lines are of the transformers alone: of a recurrent network that holds the token it has read, on words of
up to 600 symbols, in symbols. With positions a token is found while the format counts them: in bfloat16 position 257
is 256, and at step 256 two tokens are read at once. Without positions it is found by the growth of its share, which is
lost where sums of 1/(t + 1) round it away, and "$" by 2^-t, which underflows: in float16 at t = 24. Certified are
all words of so many symbols, at every step until four behind the end, in any order of summation; without positions that
is as long as 2^-t is told from what another order makes of the same mean.

The directional transformer finds its input by the mean of all equal symbols so far, and computed as a sum of quotients
that mean of 1s is not always 1: in float64, where all else is exact for longer, it departs earlier.
"""


def summary(rows: Sequence[Row], dtypes: Sequence[str]) -> tuple[tuple[str, ...], list[list[str]]]:
    """A line for each machine and simulator: certified / fails at."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        certified = row["certified_safe_length"]
        exact = f" ({row['exact_for_ever']})" if row["exact_for_ever"] else ""
        said = fails_at(row) if certified is None else f"{certified}{exact} / {fails_at(row)}"
        cells.setdefault((row["construction"], row["simulator"]), {})[row["dtype"]] = said
    header = ("machine", "simulator", *dtypes)
    return header, [[*place, *(found[dtype] for dtype in dtypes)] for place, found in cells.items()]


def witnesses(rows: Sequence[Row]) -> Iterator[str]:
    """How each is lost."""
    for row in rows:
        if row["witness"] is not None:
            place = ", ".join(row[name] for name in ("construction", "simulator", "dtype"))
            yield f"- {place}, `{row['witness']['word']}`: {row['mechanism']}."


SUMS = """\
Strict arithmetic. *Certified* and *fails at* are moduli, or the n of PARITY by a feed-forward network for words of n
bits. A modulus fails where the right residue does not have the greatest output, alone. It is certified for every order
of summation that none up to there does: the error of each output is bounded from the weights, and compared with the
proved gap, 2 (1 - cos(2 pi/p)) for one frequency (1, which stands for all: another one renames residues), 2p for all of
them. With `<=` it is the least that a sample found: moduli grow by a sixteenth, with 48 pairs of residues each, and
then go back from the first that fails. Without `<=` all pairs of all smaller moduli were run.
"""


def sums(rows: Sequence[Row], dtypes: Sequence[str]) -> tuple[tuple[str, ...], list[list[str]]]:
    """A line for each family and its frequencies: certified / fails at."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        given = ", ".join(f"{name} = {value}" for name, value in row["parameters"].items()) or "-"
        said = f"{row['certified_safe_length']:,} / {fails_at(row)}"
        cells.setdefault((row["construction"], given), {})[row["dtype"]] = said
    header = ("family", "frequencies", *dtypes)
    return header, [[*place, *(found.get(dtype, "-") for dtype in dtypes)] for place, found in cells.items()]


def lost(rows: Sequence[Row]) -> Iterator[str]:
    """How each witness is."""
    for row in rows:
        if row["witness"] is not None:
            place = ", ".join((row["construction"], *row["parameters"].values(), row["dtype"]))
            at = row["witness"].get("p", row["witness"].get("n"))
            yield f"- {place}, {at:,}, on `{row['witness']['word']}`: {row['mechanism']}."


PREDICTING = """\
Networks that predict a token or a class. *Fails at* is the shortest word found after which the right token has the
greatest output, alone, in exact arithmetic, but not in the format. All words of up to six symbols were run, then of
each length words of the families and drawn ones, up to 20,000 symbols, or 200 where strict arithmetic takes quadratic
time. *Certified*: for every order of summation, no word of up to so many symbols is lost. The errors of two outputs are
bounded from the weights, and compared with their exact difference, which is a function of how often each symbol is
there: of three symbols all counts are gone through, up to 20,000 in all. Where no mean that the head may compute turns
two outputs round, the bound is that of the formats: of sums of more terms nothing is known.
"""


def predicting(rows: Sequence[Row], dtypes: Sequence[str]) -> tuple[tuple[str, ...], list[list[str]]]:
    """A line for each network and implementation: certified / fails at, or up to where it was run."""
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        given = ", ".join(f"{name} = {value}" for name, value in row["parameters"].items()) or "-"
        fails = fails_at(row) if row["witness"] else f"none found up to {row['searched_to']:,}"
        certified = row["certified_safe_length"]
        said = fails if certified is None else f"{certified:,} / {fails}"
        cells.setdefault((row["construction"], given, row["attention"]), {})[row["dtype"]] = said
    header = ("construction", "parameters", "attention", *dtypes)
    return header, [[*place, *(found.get(dtype, "-") for dtype in dtypes)] for place, found in cells.items()]


def mispredicted(rows: Sequence[Row]) -> Iterator[str]:
    """After which word each is lost."""
    for row in rows:
        if (witness := row["witness"]) is not None:
            place = ", ".join(row[name] for name in ("construction", "dtype", "attention"))
            word = witness["word"] if len(witness["word"]) <= LONGEST_SHOWN else witness["word"][:21] + "..."
            outputs = ", ".join(f"{token} {value}" for token, value in witness["outputs"].items())
            yield f"- {place}, after `{word}`: {witness['right']} is right; outputs {outputs}."


LONGEST_SHOWN = 24
"""Symbols of a word that is written out."""
