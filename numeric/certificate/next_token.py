"""A length up to which a format predicts the right token after every word after which exact arithmetic does: certified
for any order of sums, in strict and in explicit attention.

It is known of networks that see counts alone, with one head and nothing behind it. There an output less another one is
S/Z, two sums over the tokens of the word (`leads`), and keeps its sign where it exceeds the errors of both outputs,
which are bounded for all words of a block of lengths at once (`certificate.uniform`). So a word is in danger where 0 <
S <= E Z, and of three symbols all such counts are gone through, by two of them, between the zeros of two functions of
the third. That is done in float64 with a slack for its rounding; what it leaves over is looked at in balls. Of the
shortest words each is analysed for itself (`certificate.bound`). None of this is needed of outputs that keep their
order whatever the head averages (`kept`).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import seen, sees_counts
from weightproof.constructions.meaning.interpreter import Environment, add, apply_linear, embed
from weightproof.constructions.meaning.outputs import tied_outputs
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import ZERO, Number, in_balls
from weightproof.numeric.certificate.bound import PRECISION, BallPass, output_balls
from weightproof.numeric.certificate.certificate import LONGEST_CERTIFIED, in_blocks
from weightproof.numeric.certificate.certificate import PRECISION as UNIFORM_PRECISION
from weightproof.numeric.certificate.uniform.block import Block
from weightproof.numeric.certificate.uniform.bound import output_errors
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.rounding.formats import COMPARE, Format, format_named
from weightproof.numeric.rounding.model import RoundingModel, greatest, hull

ONE_BY_ONE = 8
"""Symbols of the longest words of which each is analysed for itself, where the bound for all does not do."""
GONE_THROUGH = 20_000
"""Symbols of the longest words whose counts are gone through."""
CERTIFICATE = Choices("a certificate of predicted tokens", NotUnderstood)
SLACK = 2.0**-45
"""More than all roundings of a sum of a dozen terms, of its coefficients included, over the sum of their sizes."""
NARROW = 2.0**-100
"""More than the radius of a share or a weight, and than what underflows in one."""
MOST_COUNTS_OPEN = 10_000
"""Counts that float64 leaves over, before a block is given up."""
Counts = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Lead:
    """What one output is ahead of another by: the sum over a word's tokens of `shares`, divided by that of `weights`,
    which are positive and at most 1."""

    right: str
    other: str
    shares: Mapping[str, arb]
    weights: Mapping[str, arb]

    def sums(self, counts: Mapping[str, int]) -> tuple[arb, arb]:
        """Both sums, of a word with so many of each token."""
        return (
            sum((self.shares[token] * many for token, many in counts.items()), arb(0)),
            sum((self.weights[token] * many for token, many in counts.items()), arb(0)),
        )


def leads(construction: Construction, names: Environment) -> list[Lead]:
    """What each right token is ahead of each other one by, tokens with equal outputs counting as one; a right token
    that has an equal one is never predicted. NotUnderstood for a network of another kind."""
    network, groups = construction.encoder, tied_outputs(construction)
    rank = CERTIFICATE.ranked(network.readout.accept)
    if not sees_counts(network) or network.end is None or len(network.layers[0].heads) != 1:
        raise NotUnderstood("what sees more of a word than counts, or sees them in several ways")
    [layer] = network.layers
    [head] = layer.heads
    if layer.feed_forward is not None or network.normed:
        raise NotUnderstood("what stands behind the head")
    tokens = [*construction.language.alphabet, *network.markers]
    with ctx.workprec(PRECISION):
        scalars = in_balls({**names, "d": fmpq(len(network.coordinates))})
        try:
            vectors = [embed(network, token, scalars) for token in tokens]
            powers, values = seen(head, vectors, scalars)
        except KeyError as error:
            raise NotUnderstood(f"a weight in {error}") from error
        rest = vectors[-1] if layer.attention_residual else dict.fromkeys(vectors[-1], ZERO)
        outputs = apply_linear(network.readout.W, [add(rest, value) for value in values], scalars)
        most = greatest([_ball(power) for power in powers])
        weights = {token: _ball(power) / most for token, power in zip(tokens, powers, strict=True)}
        pairs = ((r, o) for r in construction.language.labels for o in groups if r not in groups[o])
        return [
            Lead(
                right,
                other,
                {
                    token: weights[token] * _ball(rank.ahead(output[right], output[other]))
                    for token, output in zip(tokens, outputs, strict=True)
                },
                weights,
            )
            for right, other in pairs
            if (right,) in groups.values()
        ]


def _ball(number: Number) -> arb:
    assert isinstance(number, arb | fmpq)
    return arb(number)


MEAN_PARTS = 64
"""Into which the means are divided: what several outputs read is then the same number, up to the width of a part."""


def kept(construction: Construction, names: Environment, format: Format, n: int) -> set[tuple[str, str]]:
    """Pairs of outputs of which the first is computed as ahead of the second, of one run of words of up to n
    positions, in any order of sums, for a network with one head of one row and nothing behind it (`leads`); none for
    others.

    Where scores are far apart rounding may change weights by any factor, but what is computed is still a mean of the
    values, up to the roundings of the mean itself. No power of e is negative, and that of the greatest score is 1.
    Their sum is off by a relative gamma(n - 1), each quotient by one more rounding, or two with a reciprocal, each
    product by one, and their sum by gamma(n - 1) again: together by at most gamma(2n + 2) of the greatest size of a
    value; as a quotient of two sums by no more. Each weight and each product may lose the least number of the format,
    besides.
    """
    network = construction.encoder
    rank = CERTIFICATE.ranked(network.readout.accept)
    [layer] = network.layers
    [head] = layer.heads
    roundings = (2 * n + 2) * arb(fmpq(1, format.unit_roundoff.denominator))
    if len(head.W_V) != 1 or not roundings < fmpq(1, 2):
        return set()
    tokens = (*construction.language.alphabet, *network.markers)
    with ctx.workprec(PRECISION):
        given = BallPass(RoundingModel(format), {**names, "d": fmpq(len(network.coordinates))})
        vectors = [given.embed(network, token, 0) for token in tokens]
        [name] = head.W_V
        values = [value[name] for value in given.rows(head.W_V, vectors)]
        size = greatest([abs(value).upper() for value in values])
        least = arb(fmpq(1, format.smallest.denominator))
        off = roundings / (1 - roundings) * size + n * least * (2 + size) * 2
        means = hull(values) + arb(0, 1) * off
        low, high = means.lower(), means.upper()
        result: set[tuple[str, str]] | None = None
        for part in range(MEAN_PARTS):
            mean = (low + (high - low) * part / MEAN_PARTS).union(low + (high - low) * (part + 1) / MEAN_PARTS)
            added = {name: mean} if head.W_O is None else given.rows(head.W_O, [{name: mean}])[0]
            rest = vectors[-1] if layer.attention_residual else {}
            vector = {each: given.sum([x[each] for x in (rest, added) if each in x]) for each in network.coordinates}
            [found] = given.linear(network.readout.W, [vector])
            above = {(r, o) for r in found for o in found if rank.ahead(found[r], found[o]) > 0}
            result = above if result is None else result & above
        return result or set()


def certified_length(
    construction: Construction,
    parameters: Mapping[str, object] | None = None,
    dtype: str = "float64",
    gone_through: int = GONE_THROUGH,
) -> int | None:
    """The greatest L known such that after every word of at most L symbols, markers excluded, that exact arithmetic
    predicts rightly, the format does, too; -1 where that is not known of the empty word, None for a network of a kind
    that is not analysed. gone_through: symbols of the longest words whose counts are gone through, where that takes it;
    time grows with its square."""
    names, format = parameter_values(construction, parameters), format_named(dtype)
    try:
        known = leads(construction, names)
    except NotUnderstood:
        return None
    return _Certificate(construction, parameters, names, format, tuple(known), gone_through).length()


@dataclass(frozen=True)
class _Certificate:
    construction: Construction
    parameters: Mapping[str, object] | None
    names: Environment
    format: Format
    leads: tuple[Lead, ...]
    gone_through: int

    @property
    def network(self) -> Encoder:
        return self.construction.encoder

    @property
    def markers(self) -> tuple[str, ...]:
        return self.network.markers

    @property
    def alphabet(self) -> tuple[str, ...]:
        return self.construction.language.alphabet

    def length(self) -> int:
        return in_blocks(self._certifies_somehow, 0, LONGEST_CERTIFIED, self.gone_through)

    def _certifies_somehow(self, shortest: int, longest: int) -> bool:
        if self.certifies(shortest, longest):
            return True
        return shortest == longest <= min(ONE_BY_ONE, self.gone_through) and self.each_certified(longest)

    def certifies(self, shortest: int, longest: int) -> bool:
        """Whether no word of so many symbols is in danger."""
        positions = shortest + len(self.markers), longest + len(self.markers)
        sure = kept(self.construction, self.names, self.format, positions[1])
        open_ones = [lead for lead in self.leads if (lead.right, lead.other) not in sure]
        if not open_ones:
            return True
        names = {**self.names, "d": fmpq(len(self.network.coordinates))}
        block = Block(self.network, self.alphabet, names, self.format, *positions)
        with ctx.workprec(UNIFORM_PRECISION):
            try:
                errors = output_errors(block, {token for lead in open_ones for token in (lead.right, lead.other)})
            except NotUnderstood:
                return False
        with ctx.workprec(PRECISION):
            return all(
                self._keeps(lead, errors[lead.right] + errors[lead.other], shortest, longest) for lead in open_ones
            )

    def _keeps(self, lead: Lead, error: arb, shortest: int, longest: int) -> bool:
        """Whether a lead exceeds an error wherever it is positive and its token right, for words of so many symbols."""
        tokens = (*self.alphabet, *self.markers) if longest else self.markers
        alone = [lead.shares[token] / lead.weights[token] for token in tokens]  # a lead is a mean of these
        if all(each > error for each in alone) or all(each <= 0 for each in alone):
            return True
        if len(self.alphabet) > 3 or longest > self.gone_through:
            return False
        rows = in_danger(lead, error, self.alphabet, self.markers, shortest, longest)
        looked_at = 0
        for counts in rows:
            right = np.flatnonzero(self.is_right(lead.right, counts))
            looked_at += len(right)
            if looked_at > MOST_COUNTS_OPEN:
                return False
            for place in right:
                exactly = {symbol: int(many[place]) for symbol, many in counts.items()}
                if not _survives(lead, error, exactly | dict.fromkeys(self.markers, 1)):
                    return False
        return True

    def is_right(self, token: str, counts: Counts) -> np.ndarray:
        """Whether a token is right after words with these counts; True where the formula says more of a word."""
        size = np.shape(counts[self.alphabet[0]])
        try:
            truth = holds_of_counts(self.construction.language.labels[token], counts, len(self.markers))
        except NotUnderstood:
            return np.ones(size, dtype=bool)
        return np.broadcast_to(np.asarray(truth, dtype=bool), size)

    def each_certified(self, length: int) -> bool:
        """Whether no word of a length is in danger, by the analysis of one word for each of their counts."""
        rank = CERTIFICATE.ranked(self.network.readout.accept)
        for counts in _counts_of(self.alphabet, length):
            word = list(itertools.chain.from_iterable([symbol] * many for symbol, many in counts.items()))
            arrays = {symbol: np.array([many]) for symbol, many in counts.items()}
            whole = counts | dict.fromkeys(self.markers, 1)
            computed: Mapping[str, arb] | None = None
            for right in dict.fromkeys(lead.right for lead in self.leads):
                ahead = [lead for lead in self.leads if lead.right == right]
                with ctx.workprec(PRECISION):
                    lost = any(lead.sums(whole)[0] <= 0 for lead in ahead)
                if lost or not self.is_right(right, arrays).all():
                    continue
                computed = computed or output_balls(self.construction, word, self.parameters, self.format.name)
                with ctx.workprec(PRECISION):
                    if not all(rank.ahead(computed[right], computed[lead.other]) > 0 for lead in ahead):
                        return False
        return True


def _survives(lead: Lead, error: arb, counts: Mapping[str, int]) -> bool:
    shares, weights = lead.sums(counts)
    return bool(shares <= 0 or shares > error * weights)


def _counts_of(alphabet: Sequence[str], length: int) -> Iterator[dict[str, int]]:
    first, *others = alphabet
    if not others:
        yield {first: length}
        return
    for many in range(length + 1):
        for rest in _counts_of(others, length - many):
            yield {first: many} | rest


def in_danger(
    lead: Lead, error: arb, alphabet: Sequence[str], markers: Sequence[str], shortest: int, longest: int
) -> Iterator[Counts]:
    """At least all counts of up to three symbols, so many in all, for which a lead is positive and at most the error;
    each array has one place for each."""
    e = float(error.upper()) * (1 + SLACK)
    shares = {token: _float(x) for token, x in lead.shares.items()}
    weights = {token: _float(x) for token, x in lead.weights.items()}
    solved = max(alphabet, key=lambda symbol: abs(shares[symbol]))
    outer, inner = (*(symbol for symbol in alphabet if symbol != solved), None, None)[:2]
    of_markers = sum(shares[token] for token in markers), sum(weights[token] for token in markers)
    size_of_markers = sum(abs(shares[token]) for token in markers)

    def of(symbol: str | None, numbers: Mapping[str, float]) -> float:
        return 0.0 if symbol is None else numbers[symbol]

    for a in range(longest + 1 if outer is not None else 1):
        b = np.arange(longest - a + 1 if inner is not None else 1, dtype=np.float64)
        left = longest - a - b
        S = a * of(outer, shares) + b * of(inner, shares) + of_markers[0]
        Z = a * of(outer, weights) + b * of(inner, weights) + of_markers[1]
        size = abs(a * of(outer, shares)) + abs(b * of(inner, shares)) + size_of_markers + left * abs(shares[solved])
        slack = SLACK * (size + e * (Z + left * weights[solved])) + (longest + len(markers)) * 2 * NARROW
        # S + x k >= -slack, and (S - e Z) + (x - e z) k <= slack
        low = np.maximum(shortest - a - b, 0.0)
        low, high = _between(low, left, S + slack, shares[solved])
        low, high = _between(low, high, slack - S + e * Z, e * weights[solved] - shares[solved])
        k = np.ceil(low)
        while (found := np.flatnonzero(k <= high)).size:
            counts = {solved: k[found].astype(np.int64)}
            counts |= {} if outer is None else {outer: np.full(found.size, a, dtype=np.int64)}
            counts |= {} if inner is None else {inner: b[found].astype(np.int64)}
            yield counts
            k += 1


def _between(low: np.ndarray, high: np.ndarray, at_0: np.ndarray, slope: float) -> tuple[np.ndarray, np.ndarray]:
    """The k from low to high with at_0 + slope k >= 0, and those that are next to them by rounding."""
    if slope == 0:
        return low, np.where(at_0 >= 0, high, -1.0)
    zero = -at_0 / slope
    wider = SLACK * abs(zero)
    return (np.maximum(low, zero - wider), high) if slope > 0 else (low, np.minimum(high, zero + wider))


def _float(ball: arb) -> float:
    """The number nearest to its middle; the balls are narrow."""
    assert ball.rad() <= NARROW
    return float(ball.mid())


def holds_of_counts(formula: Expression, counts: Counts, markers: int) -> Any:
    """A formula that speaks of counts, n and integers alone, on words with these counts; NotUnderstood for others."""

    def refused(*_: object) -> Any:
        raise NotUnderstood("a formula that says more of a word than counts")

    if any(isinstance(node, ast.Div) for node in ast.walk(formula.tree)):
        refused()

    def number(value: Any) -> Any:
        return int(value) if fmpq(value).q == 1 else refused()

    meaning = meaning_of_part(
        refused,
        number=number,
        name=lambda name: sum(counts.values()) + markers if name == "n" else refused(),
        compare=lambda op, left, right: COMPARE[op](left, right),
        conjunction=lambda truths: np.logical_and.reduce(truths),
        disjunction=lambda truths: np.logical_or.reduce(truths),
        negation=np.logical_not,
        count=lambda symbol, last: counts[symbol] if last is None and symbol in counts else refused(),
    )
    return fold(formula.tree, meaning)
