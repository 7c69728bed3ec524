"""Where a sum over the whole word stands among the numbers of positions: which position it is the number of, or between
which two it is, or that it is before all of them, or behind.

A path guesses it. The sum less the number of positions that are before it is then known at the end of the path, which
says so; so a word is one path on which what is said is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import lcm

from flint import fmpq

from weightproof.proofs.automata.runs import Edge, Runs, Tally

BELOW, BEFORE, AT, BEHIND, BETWEEN = "below", "before", "at", "behind", "between"
SIGNS = {BELOW: 1, BEFORE: -1, AT: 0, BEHIND: 1, BETWEEN: 1}
"""Of the number of a position less the sum: the sum is below all of them; or the position is before it, or is it, or is
behind the one that is it, or behind one that is before it where none is it."""
FOLLOWING = {
    None: (BELOW, BEFORE, AT),
    BELOW: (BELOW,),
    BEFORE: (BEFORE, AT, BETWEEN),
    AT: (BEHIND,),
    BEHIND: (BEHIND,),
    BETWEEN: (BETWEEN,),
}


def placed(runs: Runs, step: Callable[[Edge], fmpq], constant: fmpq) -> Runs:
    """With one more mark at every position: the sign of its number less the sum over the whole word of what `step` says
    of each position, and the constant."""
    given = {step(edge) for edge in runs.edges}
    whole = lcm(*(int(each.q) for each in (*given, constant)))
    start = int((constant * whole).p)
    ends = {
        BELOW: (None, -1),
        BEFORE: (1 - whole, None),
        AT: (0, 0),
        BEHIND: (0, 0),
        BETWEEN: (1 - whole, -1),
    }  # of the sum less the number of positions before it, times `whole`

    def tally(edge: Edge, guess: str) -> Tally:
        own = int((step(edge) * whole).p) - whole * int(guess == BEFORE)
        least, most = (None if end is None or not runs.is_last(edge) else end - start for end in ends[guess])
        return Tally(own, least, most, SIGNS[guess])

    def after(guess: str | None, _: Edge) -> Iterator[str]:
        yield from (each for each in FOLLOWING[guess] if each != BETWEEN or whole > 1)

    def seen(edge: Edge, _: object, guess: str) -> Edge:
        own = tally(edge, guess)
        return replace(edge, marks=(*edge.marks, own.sign), tallies=(*edge.tallies, own))

    told = next((k for k in range(len(runs.edges[0].tallies)) if _is_told(runs, k, tally)), None)
    if told is None:
        return runs.guessing(None, after, seen)
    return runs.changed(lambda edge: replace(edge, marks=(*edge.marks, edge.tallies[told].sign)))


def _is_told(runs: Runs, number: int, tally: Callable[[Edge, str], Tally]) -> bool:
    """Whether it is what a sum says already, as of a head that looks there."""
    return all(any(edge.tallies[number] == tally(edge, guess) for guess in SIGNS) for edge in runs.edges)
