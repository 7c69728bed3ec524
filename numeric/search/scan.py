"""Lengths at which sums from left to right are off by most, from their closed form, without running a word.

A head of the first layer whose scores are all 0 weighs each of n positions w = fl(1/n). If what it averages depends on
the token alone, the mean over a word of one symbol is a sum of n equal terms t, the value v of the symbol times w. In a
binade with the spacing q each step adds the multiple d of q that is nearest to t (see `repeated`), so that it takes
2^(p-1) q/d steps and puts the mean off by d/t - 1 positions with each of them. A binade that is lower by one counts for
a quarter, or less, of the error; the highest one takes the steps that are left.

That says which words to run, not what they come to: only a run decides. Beyond 2^p positions the sum of the weights
stands still, and so does w.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.numeric.model.strict import Pass
from weightproof.numeric.rounding.arithmetic import Rounded

Array = np.ndarray

BINADES = 10
"""Below the highest one that count."""
CHUNK = 1 << 18
"""Lengths that are looked at together."""
NEAR = 1 / 256
"""How much less than all shorter lengths one may be off, and is kept."""
NEIGHBOURS = 4
"""Lengths with the greatest errors among those that are shorter than a failing one, which are run, too."""


@dataclass(frozen=True)
class Mean:
    """What a head averages over a word of one symbol: its value, as it is rounded."""

    symbol: str
    value: float


def means(network: Encoder, alphabet: tuple[str, ...], arithmetic: Rounded, names: Environment) -> list[Mean]:
    """Of the heads of the first layer that weigh all positions alike and read nothing that depends on them, nor on n;
    one for each size of a value, a factor of 2 apart being one; none where there is no such head.

    names: the parameters and d."""
    found: dict[float, Mean] = {}
    ids = np.arange(len(alphabet))[None]
    for head in network.layers[0].heads if network.layers else ():
        if not _is_uniform(network, head):
            continue
        done = Pass(network, alphabet, ids, arithmetic, {**names, "n": fmpq(len(alphabet))})
        for row in done.values(0, head).values():
            for symbol, value in zip(alphabet, row[0].astype(float).tolist(), strict=True):
                if value and np.isfinite(value):
                    found.setdefault(float(np.frexp(abs(value))[0]), Mean(symbol, value))
    return [*found.values()]


def _is_uniform(network: Encoder, head: Head) -> bool:
    """Whether all scores are 0, and the values depend on the token alone."""
    embedding = network.embedding
    read = {column for row in head.W_V.values() for column in row}
    entries = [x for row in head.W_V.values() for x in row.values()]
    entries += [row[column] for row in embedding.WE.values() for column in read if column in row]
    scored = bool(head.W_Q) and bool(head.W_K)
    return not scored and read.isdisjoint(embedding.PE) and not any({"n", "i"} & {*x.names} for x in entries)


def errors(mean: Mean, positions: Array, arithmetic: Rounded) -> Array:
    """By how many positions the mean over all is off, nearly, at numbers of positions up to 2^p."""
    value, p = abs(mean.value), arithmetic.format.precision
    one, kind = arithmetic.type(1), arithmetic.type
    term = (one / positions.astype(kind) * kind(value)).astype(np.float64)
    mantissa, exponent = np.frexp(value)
    top = int(exponent) - (2 if mantissa == 0.5 else 1)  # of the highest binade below the value
    spacing = 2.0 ** (top - p + 1)
    off, left = np.zeros(len(positions)), positions - 2.0 ** (top - BINADES) / term
    for below in range(BINADES, -1, -1):
        exact = term / spacing * 2.0**below
        added = np.rint(exact)
        with np.errstate(divide="ignore"):  # a sum that stands still makes all the steps that are left
            steps = left if below == 0 else np.minimum(2.0 ** (p - 1) / added, left)
        off, left = off + steps * (added - exact) / exact, left - steps
    return np.abs(off)


@dataclass(frozen=True)
class Candidates:
    """Lengths of words of a symbol that were scanned, in ascending order, and how far off the mean is there, nearly.

    records: places of those where it is farther off than at all shorter ones; the others are nearly as far off."""

    symbol: str
    lengths: tuple[int, ...]
    errors: tuple[float, ...]
    records: tuple[int, ...]


def scanned(mean: Mean, first: int, last: int, markers: int, arithmetic: Rounded) -> Candidates:
    """The lengths from first to last at which a mean is farther off than at all shorter ones, or nearly; at most as
    many as the format counts."""
    lengths, sizes, records = list[int](), list[float](), list[int]()
    last, record = min(last, (1 << arithmetic.format.precision) - markers), 0.0
    for start in range(first, last + 1, CHUNK):
        here = np.arange(start, min(start + CHUNK, last + 1))
        off = errors(mean, here + markers, arithmetic)
        greatest = np.maximum.accumulate(np.concatenate([[record], off]))
        kept = np.flatnonzero(off > greatest[:-1] * (1 - NEAR))
        new = off[kept] > greatest[kept]
        records += [len(lengths) + int(place) for place in np.flatnonzero(new)]
        lengths += here[kept].tolist()
        sizes += off[kept].tolist()
        record = float(greatest[-1])
    return Candidates(mean.symbol, tuple(lengths), tuple(sizes), tuple(records))


def nearly_all(symbol: str, alphabet: tuple[str, ...], length: int, both: bool) -> Iterator[str]:
    """The symbol alone, and once another one: at the end, and, for both, at the beginning."""
    yield symbol * length
    for other in alphabet:
        if other != symbol:
            yield symbol * (length - 1) + other
            if both:
                yield other + symbol * (length - 1)


def run_candidates(candidates: Candidates, fails: Callable[[int], bool]) -> None:
    """Runs lengths until a failing one has no shorter neighbour that fails.

    As if failures were monotone, the records are halved; then come the lengths below the shortest that failed, the
    greatest errors first, until some of them in sequence do not fail."""
    passed, failed, run = -1, len(candidates.records), set[int]()
    while failed - passed > 1:
        middle = (passed + failed) // 2
        place = candidates.records[middle]
        run.add(place)
        passed, failed = (passed, middle) if fails(candidates.lengths[place]) else (middle, failed)
    if failed == len(candidates.records):
        return
    shortest, left = candidates.records[failed], NEIGHBOURS
    by_error = sorted(range(shortest), key=lambda place: (-candidates.errors[place], candidates.lengths[place]))
    for place in by_error:
        if left == 0:
            return
        if place < shortest and place not in run:
            if fails(candidates.lengths[place]):
                shortest, left = place, NEIGHBOURS
            else:
                left -= 1
