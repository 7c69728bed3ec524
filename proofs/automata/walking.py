"""What the runs of a network say of one word, held against what the interpreter makes of it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from flint import arb

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.exact import ball
from weightproof.proofs.automata.network import Combination, pieces_of, share_of
from weightproof.proofs.automata.runs import Edge, Runs, Share, Tally
from weightproof.proofs.automata.values import Between
from weightproof.proofs.quantities.runs import Sample, differing

PRECISE = 512
"""Bits of the ball of a logit."""


Walked = tuple["Walked | None", Edge]
"""A path by its last edge, and the path before it."""


def _edges(walked: Walked | None) -> Iterator[Edge]:
    while walked is not None:
        walked, edge = walked
        yield edge


def path_of(runs: Runs, tokens: Sequence[str]) -> tuple[Edge, ...]:
    """The one path that is a word, on which all that is said of sums is true; ArithmeticError where it is none, or
    more."""
    nothing = (0,) * len(runs.edges[0].tallies)
    paths: list[tuple[int, tuple[int, ...], Walked | None]] = [(start, nothing, None) for start in runs.starts]
    for token in tokens:
        longer = list[tuple[int, tuple[int, ...], Walked | None]]()
        for node, totals, walked in paths:
            for edge in runs.leaving.get((node, token), ()):
                added = tuple(map(operator.add, totals, (tally.step for tally in edge.tallies)))
                if all(map(Tally.allows, edge.tallies, added)):
                    longer.append((edge.target, added, (walked, edge)))
        paths = longer
    found = [walked for node, _, walked in paths if node in runs.ends]
    if len(found) != 1:
        raise ArithmeticError(f"the word is {len(found)} paths of its runs")
    return tuple(_edges(found[0]))[::-1]


def logits(construction: Construction, path: tuple[Edge, ...]) -> list[Between]:
    """Where the logit of a word may be, by the pieces that may be those of it."""

    summed, found = construction.encoder.readout.position == "sum", list[Between]()
    for piece in (piece for edge in path for piece in pieces_of(edge)):
        shares = [share_of(edge, piece) for edge in path]
        weights = Between.exactly(1) if summed else reduce(Between.__add__, (share.weight for share in shares))
        signs = [(_total(combination, shares), side) for combination, side in piece.where]
        if all(value.high >= 0 if side > 0 else value.low <= 0 for value, side in signs):
            found.append(_total(piece.logit, shares) * Between(1 / weights.high, 1 / weights.low))
    return found


def _total(combination: Combination, shares: Iterable[Share]) -> Between:
    return reduce(Between.__add__, map(combination.on, shares))


def require_read(construction: Construction, runs: Runs, samples: Iterable[Sample]) -> None:
    """Raises InternalError unless the logit of every run is where the runs of the network say that it is."""
    for sample in samples:
        try:
            found = logits(construction, path_of(runs, sample.run.tokens))
        except ArithmeticError as error:
            raise differing(construction, sample.instance, str(error)) from error
        logit = sample.run.logit
        value = logit if isinstance(logit, arb) else ball(logit, PRECISE)
        if not any(_may_be(value, each) for each in found):
            raise differing(construction, sample.instance, "the logit is not where its runs say that it is")


def _may_be(value: arb, found: Between) -> bool:
    low, high = arb(found.low), arb(found.high)
    beside = value < low or value > high
    return not (beside or (found.above and value <= low) or (found.below and value >= high))
