"""A length up to which a format predicts the right token after every word after which exact arithmetic does: certified
for any order of sums, in strict and in explicit attention.

Two outputs keep their order where the exact difference exceeds the errors of both. Errors are bounded for all words of
a block of lengths at once (`certificate.uniform`). The difference is S/Z, two sums over tokens (`leads`): so a word is
in danger where 0 < S <= E Z, and of three symbols all such counts are gone through, by two of them, between the zeros
of two functions of the third. That is done in float64 with a slack for its rounding; what it leaves over is looked at
in balls. Of the shortest words each is analysed for itself (`certificate.bound`). None of this is needed of outputs
that keep their order whatever the head averages (`means`).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Names
from weightproof.constructions.meaning.outputs import over
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.numeric.certificate.bound import logit_ball
from weightproof.numeric.certificate.certificate import LONGEST, Certifier, certifier, in_blocks
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.next_token.leads import PRECISION, Lead, leads
from weightproof.numeric.next_token.means import kept
from weightproof.numeric.rounding.formats import FORMATS, format_named
from weightproof.numeric.rounding.quotients import COMPARE

ONE_BY_ONE = 8
"""Symbols of the longest words of which each is analysed for itself, where the bound for all does not do."""
GONE_THROUGH = 20_000
"""Symbols of the longest words whose counts are gone through."""
SLACK = 2.0**-45
"""More than all roundings of a sum of a dozen terms, of its coefficients included, over the sum of their sizes."""
NARROW = 2.0**-100
"""More than the radius of a share or a weight, and than what underflows in one."""
MOST_OPEN = 10_000
"""Counts that float64 leaves over, before a block is given up."""
Counts = Mapping[str, np.ndarray]


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
    format = format_named(dtype)
    names = parameter_values(construction, parameters)
    try:
        known = leads(construction, names)
    except NotUnderstood:
        return None
    tokens = dict.fromkeys(token for lead in known for token in (lead.right, lead.other))
    analysed = {token: certifier(over(construction, token), (), parameters, format) for token in tokens}
    return _Certificate(construction, parameters, names, dtype, tuple(known), analysed, gone_through).length()


@dataclass(frozen=True)
class _Certificate:
    construction: Construction
    parameters: Mapping[str, object] | None
    names: Names
    dtype: str
    leads: tuple[Lead, ...]
    analysed: Mapping[str, Certifier]
    gone_through: int

    @cached_property
    def markers(self) -> tuple[str, ...]:
        network = self.construction.network
        assert isinstance(network, Encoder)
        return tuple(token for token in (network.begin, network.end) if token is not None)

    @property
    def alphabet(self) -> tuple[str, ...]:
        return self.construction.language.alphabet

    def length(self) -> int:
        return in_blocks(self._certifies_somehow, 0, LONGEST, self.gone_through)

    def _certifies_somehow(self, shortest: int, longest: int) -> bool:
        if self.certifies(shortest, longest):
            return True
        return shortest == longest <= min(ONE_BY_ONE, self.gone_through) and self.each_certified(longest)

    def certifies(self, shortest: int, longest: int) -> bool:
        """Whether no word of so many symbols is in danger."""
        positions = shortest + len(self.markers), longest + len(self.markers)
        sure = kept(self.construction, self.names, FORMATS[self.dtype], positions[1])
        open_ones = [lead for lead in self.leads if (lead.right, lead.other) not in sure]
        errors = {
            token: self.analysed[token].error(*positions)
            for token in dict.fromkeys(token for lead in open_ones for token in (lead.right, lead.other))
        }
        with ctx.workprec(PRECISION):
            for lead in open_ones:
                own, its = errors[lead.right], errors[lead.other]
                if own is None or its is None or not self._keeps(lead, own + its, shortest, longest):
                    return False
        return True

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
            if looked_at > MOST_OPEN:
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
        """The same of the words of one length, by the analysis of one word for each of their counts."""
        for counts in _counts_of(self.alphabet, length):
            word = list(itertools.chain.from_iterable([symbol] * many for symbol, many in counts.items()))
            arrays = {symbol: np.array([many]) for symbol, many in counts.items()}
            whole = counts | dict.fromkeys(self.markers, 1)
            computed: dict[str, arb] = {}
            for right in dict.fromkeys(lead.right for lead in self.leads):
                ahead = [lead for lead in self.leads if lead.right == right]
                with ctx.workprec(PRECISION):
                    lost = any(lead.sums(whole)[0] <= 0 for lead in ahead)
                if lost or not self.is_right(right, arrays).all():
                    continue
                for token in (right, *(lead.other for lead in ahead)):
                    if token not in computed:
                        of_token = over(self.construction, token)
                        computed[token] = logit_ball(of_token, word, self.parameters, self.dtype)
                with ctx.workprec(PRECISION):
                    if not all(computed[right] > computed[lead.other] for lead in ahead):
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

    meaning = Meaning(
        number=number,
        name=lambda name: sum(counts.values()) + markers if name == "n" else refused(),
        function=refused,
        compare=lambda op, left, right: COMPARE[op](left, right),
        bracket=refused,
        conjunction=lambda truths: np.logical_and.reduce(truths),
        disjunction=lambda truths: np.logical_or.reduce(truths),
        negation=np.logical_not,
        modulo=refused,
        power=refused,
        count=lambda symbol, last: counts[symbol] if last is None and symbol in counts else refused(),
        token=refused,
        for_all=refused,
        total=refused,
    )
    return fold(formula.tree, meaning)
