"""Heads that look at the position whose number is a sum over the word, as at position k of k ones.

A path guesses which position that is, and what it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.proofs.automata.placing import placed
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.values import NOTHING, ZERO, Between, Polynomial, Row, Taken
from weightproof.symbolic.algebra.vocabulary import Underivable

OTHER, LENGTH = 1, 2


@dataclass(frozen=True)
class Numbered:
    """The position nearest to the one whose number is an offset, n times `length`, and a sum over the word of what each
    position holds of means, each with a factor. others: as of the nearest ones."""

    means: tuple[tuple[Taken, fmpq], ...]
    length: int
    offset: int
    others: fmpq

    def step(self, edge: Edge) -> fmpq:
        return sum((factor * edge.holds(mean).low for mean, factor in self.means), fmpq(self.length))


def numbered(
    runs: Runs,
    query: Row,
    keys: tuple[Row, ...],
    others: Callable[[Between, int], fmpq],
    location: str,
) -> Numbered:
    """Where -|S/n + a j/n + b/n + c| is largest, S/n being means, and 1/n what they are of one position; without these
    also where it is so times another power of n. others: by the size of a, and the power of n there."""
    refusal = Underivable(f"{location}: scores that depend on means, but are no distance from a count")
    means, rest = _score(runs, query, keys, lambda other: other.number if other.is_number else None, refusal)
    terms = dict(rest.terms)
    length = next((powers[LENGTH] for powers in terms if powers[OTHER]), -1)
    slope, constant = (terms.pop((0, power, length), NOTHING) for power in (1, 0))
    longer = terms.pop((0, 0, length + 1), NOTHING)
    exact = all(each.is_exact for each in (slope, constant, longer, *means.values())) and (length == -1 or not means)
    if terms or not exact or slope.sign == 0 or not all(_is_uniform(runs, mean) for mean in means):
        raise refusal
    found = _whole(runs, {mean: factor.low for mean, factor in means.items()}, longer.low, constant.low, -slope.low)
    if found is None:
        raise refusal
    return replace(found, others=others(slope if slope.sign == 1 else -slope, length))


def numbered_by_square(
    runs: Runs,
    query: Row,
    keys: tuple[Row, ...],
    others: Callable[[Between, int], fmpq],
    location: str,
) -> Numbered:
    """The same where a j^2/n + b j/n + c j + j S/n is largest, a being negative, but for what is the same for all j:
    that is -|a| (j - t)^2/n, which falls from whole numbers next to t on no slower than a distance does."""
    refusal = Underivable(f"{location}: scores that depend on means, but are no square of a distance from a count")
    means, rest = _score(runs, query, keys, _slope, refusal)
    terms = {powers: number for powers, number in rest.terms if powers[OTHER]}
    length = next((powers[LENGTH] for powers in terms if powers[OTHER] == 2), -1)
    slope, square = (terms.pop((0, power, length), NOTHING) for power in (1, 2))
    longer = terms.pop((0, 1, length + 1), NOTHING)
    exact = all(each.is_exact for each in (slope, square, longer, *means.values())) and (length == -1 or not means)
    if terms or not exact or square.sign != -1 or not all(_is_uniform(runs, mean) for mean in means):
        raise refusal
    found = _whole(runs, {mean: factor.low for mean, factor in means.items()}, longer.low, slope.low, -2 * square.low)
    if found is None:
        raise refusal
    return replace(found, others=others(-square, length))


def _score(
    runs: Runs,
    query: Row,
    keys: tuple[Row, ...],
    factor_of: Callable[[Polynomial], Between | None],
    refusal: Underivable,
) -> tuple[dict[Taken, Between], Polynomial]:
    """What the means of a query are multiplied with, and the rest of its products with the only key. factor_of: of a
    coordinate of the key, what the mean beside it has of it; None where it has something else."""
    [key, *more] = keys
    if more:
        raise refusal
    means, rest, held = dict[Taken, Between](), Polynomial(), dict(key)
    for name, value in query:
        other = held.get(name, Polynomial())
        for mean, factor in value.means:
            if (total := _total_of_one(runs, mean)) is not None:
                over_length = Polynomial.of({(0, -1): factor * Between.exactly(total)})
                rest += over_length.seen_as((0, LENGTH), 3) * other.seen_as((OTHER, LENGTH), 3)
            elif (own := factor_of(other)) is not None:
                means[mean] = means.get(mean, NOTHING) + factor * own
            else:
                raise refusal
        rest += value.without_means.seen_as((0, LENGTH), 3) * other.seen_as((OTHER, LENGTH), 3)
    return means, rest


def _slope(other: Polynomial) -> Between | None:
    """What a linear function of the position is multiplied with there; None of another one."""
    if other.means or other.ratios or not {powers for powers, _ in other.terms} <= {(0, 0), (1, 0)}:
        return None
    return dict(other.terms).get((1, 0), NOTHING)


def _whole(runs: Runs, means: dict[Taken, fmpq], length: fmpq, offset: fmpq, divisor: fmpq) -> Numbered | None:
    """All of it over the divisor, where that makes whole numbers; None where it does not."""
    length, offset = length / divisor, offset / divisor
    if length.q != 1 or offset.q != 1:
        return None
    found = Numbered(tuple((mean, each / divisor) for mean, each in means.items()), int(length.p), int(offset.p), ZERO)
    return found if all(found.step(edge).q == 1 for edge in runs.edges) else None


def _total_of_one(runs: Runs, mean: Taken) -> fmpq | None:
    """The sum that a mean is of, where only the first position of a word holds anything, or only the last one, and the
    same in every word: so it is this number over n. None for any other mean."""
    if not _is_uniform(runs, mean):
        return None
    for alone in (runs.is_first, runs.is_last):
        held = {edge.holds(mean).low for edge in runs.edges if alone(edge)}
        if len(held) == 1 and not any(edge.holds(mean).low for edge in runs.edges if not alone(edge)):
            return held.pop()
    return None


def _is_uniform(runs: Runs, mean: Taken) -> bool:
    """Whether it is over the whole word, of exact numbers that weigh the same."""
    weights = {edge.share_in(mean).weight for edge in runs.edges}
    exact = all(edge.holds(mean).is_exact for edge in runs.edges)
    return mean.whole and exact and len(weights) == 1 and weights.pop().is_exact


def guessed(runs: Runs, aim: Numbered, value_of: Callable[[Edge], Row]) -> Runs:
    """With one more mark at every position: what the position holds that is looked at."""
    values = tuple(dict.fromkeys(map(value_of, runs.edges)))
    runs = placed(runs, aim.step, fmpq(aim.offset))

    def seen(edge: Edge, _: object, value: Row) -> Edge | None:
        *marks, sign = edge.marks
        bare = replace(edge, marks=tuple(marks))
        nearest = sign == 0 or (sign == 1 and runs.is_first(edge)) or (sign == -1 and runs.is_last(edge))
        return None if nearest and value != value_of(bare) else replace(bare, marks=(*marks, value))

    return runs.guessing(None, lambda value, _: values if value is None else (value,), seen)
