"""What a head makes of positions alone, whatever tokens stand there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.choices import REACHES
from weightproof.constructions.meaning.schema import Decoder, Encoder, Head
from weightproof.constructions.scalars.values import Evaluator, Number, in_balls
from weightproof.proofs.covering.automaton import Flags
from weightproof.proofs.covering.scope import COVERING, NotCovered
from weightproof.proofs.running.enclosures import Enclosed, enclosed
from weightproof.proofs.running.weights import ball, scored


@dataclass(frozen=True)
class Placed:
    """Of each of some positions of a network. seen: the positions that it sees, in a row; turns: the matrix by which
    queries and keys are turned there, None where they are not; scale: of scores; bias: what is added to the score of
    each position, in a row; sink: the score of the sink."""

    seen: Flags
    turns: Enclosed | None
    scale: Enclosed
    bias: Enclosed | None
    sink: Enclosed | None


def placed(network: Encoder | Decoder, head: Head, length: int) -> Placed:
    """At `length` positions; NotCovered where one of them sees nothing, and the network so has no value on any word."""
    at = [position(network, place, length) for place in range(length)]
    reach = COVERING.reach(head.mask)
    reach = reach.within(REACHES["causal"]) if isinstance(network, Decoder) else reach
    seen = np.array(
        [
            [reach.shows(i, j) and (head.sees is None or at[i].at(j=j).holds(head.sees)) for j in range(length)]
            for i in range(length)
        ]
    )
    if not head.may_see_nothing and not seen.any(-1).all():
        place = int(np.flatnonzero(~seen.any(-1))[0])
        raise NotCovered(f"a network without a value: position {place} sees nothing at {length} positions")
    bias = head.bias
    return Placed(
        seen,
        _turns(head, at),
        enclosed([ball(each(head.scale)) for each in at], (length, 1, 1)),
        None
        if bias is None
        else enclosed([ball(at[i].at(j=j)(bias)) for i in range(length) for j in range(length)], (length, length)),
        None if head.sink is None else enclosed([ball(each(head.sink)) for each in at], (length, 1, 1)),
    )


def position(network: Encoder | Decoder, place: int, length: int) -> Evaluator:
    """What i, n and d mean at a position: those of a decoder see none behind them."""
    n = length if isinstance(network, Encoder) else place + 1
    return in_balls({"i": fmpq(place), "n": fmpq(n), "d": fmpq(len(network.coordinates))})


def _turns(head: Head, at: Sequence[Evaluator]) -> Enclosed | None:
    """Of each position the matrix over the score coordinates."""
    if not head.rotary:
        return None
    names = scored(head)
    entries = []
    for scalars in at:
        matrix: dict[tuple[str, str], Number] = {(name, name): fmpq(1) for name in names}
        for pair in head.rotary:
            cosine, sine = scalars(pair.cosine), scalars(pair.sine)
            matrix |= {(pair.first, pair.first): cosine, (pair.first, pair.second): -sine}
            matrix |= {(pair.second, pair.first): sine, (pair.second, pair.second): cosine}
        entries += [ball(matrix.get((row, column), fmpq(0))) for row in names for column in names]
    return enclosed(entries, (len(at), len(names), len(names)))
