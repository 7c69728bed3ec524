"""Rows over the root of the mean of their squares, in balls."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

from weightproof.proofs.covering.checking.lines import most_of
from weightproof.proofs.covering.checking.sets import Stream, Sum, WordSet, around

Ends = Mapping[str, tuple[arb, arb]]


def over_root_mean_square(words: WordSet, stream: Stream, epsilon: arb) -> Stream:
    """x/sqrt(mean(x^2) + epsilon), and, with s the row that is the farthest from 0, (x/|s|)/sqrt(mean((x/|s|)^2) +
    epsilon/s^2): what leaves less open."""
    ends = {name: words.range(x) for name, x in stream.items()}
    found = _over_root(words, stream, ends, epsilon)
    which = max(ends, key=lambda name: _least(*ends[name]))
    least, most = _least(*ends[which]), _most(*ends[which])
    if not least > 0 or not most - least > least / 2**64:
        return found
    ratios = _over_a_row(words, stream, ends, which)
    inverse = 1 / arb((least + most) / 2, (most - least) / 2)
    other = _over_root(words, ratios, {name: words.range(x) for name, x in ratios.items()}, epsilon * inverse**2)
    return other if _left_open(other) < _left_open(found) else found


def _over_root(words: WordSet, stream: Stream, ends: Ends, epsilon: arb) -> Stream:
    least = sum((_least(*each) ** 2 for each in ends.values()), arb(0))
    most = sum((_most(*each) ** 2 for each in ends.values()), arb(0))
    inverse, radius = around(
        (1 / (most / len(ends) + epsilon).sqrt()).lower(), (1 / (least / len(ends) + epsilon).sqrt()).upper()
    )
    number, found = words.new(), {}
    for name, x in stream.items():
        middle, away = around(*ends[name])
        found[name] = x.times(inverse) + Sum(arb(0), {}, {number: middle * radius}) + words.open(away * radius)
    return found


def _over_a_row(words: WordSet, stream: Stream, ends: Ends, which: str) -> Stream:
    """x/|s| = q s/|s| + (x - q s)/|s|, with s a row that is not 0, and q about x/s, whatever number."""
    middle, _ = around(*ends[which])
    sign = 1 if middle > 0 else -1
    inverse, radius = around(1 / _most(*ends[which]), 1 / _least(*ends[which]))
    found = {}
    for name, x in stream.items():
        quotient = (around(*ends[name])[0] / middle).mid()
        away = x + stream[which].times(-quotient)
        size = _most(*words.range(away))
        found[name] = away.times(inverse) + Sum(sign * quotient) + words.open(size * radius)
    return found


def _least(low: arb, high: arb) -> arb:
    """The least absolute value between two numbers."""
    return max(arb(0), low, -high)


def _most(low: arb, high: arb) -> arb:
    return most_of((-low, high))


def _left_open(stream: Stream) -> arb:
    return sum((abs(size).upper() for x in stream.values() for size in x.noise.values()), arb(0))
