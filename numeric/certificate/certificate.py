"""The certified safe length: up to there every word is classified rightly in floating point, whatever the order of
sums, or for sums from left to right, as strict arithmetic takes them.

From below, where a failing word bounds the same length from above. Lengths are certified in blocks, each by comparing
the error of the logit, uniform over all words of the block (`uniform.bound`), with the margin of the exact logit
(`Margin`); the shortest words, where the margin may be 0, one by one (`bound`). Strict and explicit attention are
covered; fused kernels are not. Of networks that count, words are looked at as walks (`walks`), which is closer, but for
sums from left to right alone.

Margins say how far from 0 the exact logit stays, by cases over the number of positions n; they are proved elsewhere,
and evaluated over all n of a block at once. A case that may hold counts; and every n of the block has to be covered by
a case that holds for certain, or there is no margin.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from flint import arb, ctx, fmpq

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, enclosure
from weightproof.constructions.scalars.expressions import Expression, ExpressionError, Meaning, fold
from weightproof.constructions.scalars.grammar import expression
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.certificate.uniform.block import Block
from weightproof.numeric.certificate.uniform.bound import output_errors
from weightproof.numeric.certificate.uniform.positions import (
    ZERO,
    NotUnderstood,
    Range,
    all_hold,
    compare,
    negated,
    some_hold,
)
from weightproof.numeric.certificate.walks.walks import Walks
from weightproof.numeric.rounding.formats import FORMATS, Format, format_named
from weightproof.numeric.rounding.model import BY_SIGN, Decision, Order, by_sigmoid, least

Side = Literal["accepted", "rejected"]
MOST_RESIDUES = 64


@dataclass(frozen=True)
class Margin:
    """|logit| >= value for all words of a side (by the exact logit) with n positions, for the n where `when` holds.

    value and when: in n and the parameters; without a value, there are no such words. Under "logit = 0" the accepted
    words have a logit of exactly 0, and only the margin of the rejected ones counts.
    """

    side: Side
    value: Expression | None
    when: Expression

    def __init__(self, side: Side, value: object | None, when: object = "n >= 1") -> None:
        object.__setattr__(self, "side", side)
        object.__setattr__(self, "value", None if value is None else expression(value))
        object.__setattr__(self, "when", expression(when))


def margin(cases: Sequence[Margin], side: Side, names: Mapping[str, Real], shortest: int, longest: int) -> arb | None:
    """A lower bound of |logit| over the words of a side with n positions, shortest <= n <= longest.

    None where none is given for some n; infinite where there are no such words.
    """
    chosen = [case for case in cases if case.side == side]
    period = math.lcm(1, *(modulus for case in chosen for modulus in _moduli(case.when)))
    if not chosen or period > MOST_RESIDUES:
        return None
    found: list[arb] = []
    for residue in range(period):
        first = shortest + (residue - shortest) % period
        if first > longest:
            continue
        last = longest - (longest - residue) % period
        reader = _Reader(Range(arb(first), arb(last)), names, residue, period)
        try:
            truths = [reader.holds(case.when) for case in chosen]
            if True not in truths:
                return None
            found += [
                arb("inf") if case.value is None else reader.value(case.value).low.max(ZERO)
                for case, truth in zip(chosen, truths, strict=True)
                if truth is not False
            ]
        except NotUnderstood:
            return None
    result = least(found)
    return None if result.is_nan() else result


def _moduli(formula: Expression) -> Iterator[int]:
    """The m of every n % m."""
    for node in ast.walk(formula.tree):
        match node:
            case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int(modulus))) if modulus > 0:
                yield modulus


@dataclass(frozen=True)
class _Reader:
    """Expressions in n, for all n of a range that leave this residue after division by `period`."""

    n: Range
    names: Mapping[str, Real]
    residue: int
    period: int

    def holds(self, formula: Expression) -> bool | None:
        """True or False where a formula is so for all n; None where it may be either."""
        truth: bool | None = fold(formula.tree, self._meaning())
        return truth

    def value(self, scalar: Expression) -> Range:
        result: Range = fold(scalar.tree, self._meaning())
        return result

    def _meaning(self) -> Meaning:
        return Meaning(
            number=Range.of,
            name=self._name,
            function=_function,
            compare=compare,
            bracket=lambda truth: Range(ZERO, arb(1)) if truth is None else Range.of(int(truth)),
            conjunction=all_hold,
            disjunction=some_hold,
            negation=negated,
            modulo=self._modulo,
            power=self._power,
        )

    def _name(self, name: str) -> Range:
        if name == "n":
            return self.n
        if name not in self.names:
            raise NotUnderstood(f"the name {name}")
        return Range.of(enclosure(self.names[name]))

    def _modulo(self, left: Range, right: Range) -> Range:
        """The remainder of n itself."""
        modulus = next((m for m in range(1, self.period + 1) if (right - Range.of(m)).is_zero), None)
        if modulus is None or self.period % modulus or left is not self.n:
            raise NotUnderstood("a remainder of something else than n")
        return Range.of(self.residue % modulus)

    def _power(self, base: Range, exponent: Range) -> Range:
        for times in range(-16, 17):
            if (exponent - Range.of(times)).is_zero:
                return base.power(times)
        if not base.low >= 1:
            raise NotUnderstood("a power whose exponent may be large, of a number that may be less than 1")
        ends = [base.low**exponent.low, base.high**exponent.high]
        mixed = [base.high**exponent.low, base.low**exponent.high]
        return Range(ends[0].min(mixed[0]).min(mixed[1]), ends[1].max(mixed[0]).max(mixed[1]))


def _function(name: str, value: Range) -> Range:
    result = value.function(name)
    if result is None:
        raise NotUnderstood(f"the function {name}")
    return result


def over_block(value: object, names: Mapping[str, Real], shortest: int, longest: int) -> Range:
    """An expression in n and the parameters, over the n of a block."""
    return _Reader(Range(arb(shortest), arb(longest)), names, 0, 1).value(expression(value))


PRECISION = 128
"""Bits of the balls; longer than every format, so that their own roundings do not matter."""
SINGLY = 64
"""Up to here each number of positions is a block of its own."""
WIDEST, NARROWEST = fmpq(1, 2), fmpq(1, 1024)
"""Width of a block, relative to its shortest words; narrowed where a block fails."""
MARGIN_BITS = 8
"""Where words are walks, margins are taken over all n that agree in so many leading bits."""
ONE_BY_ONE = 6
"""Symbols of the longest words that are tried one by one, where the uniform bound does not do."""
LONGEST_CERTIFIED = 1 << 62
"""Positions of the longest words that are certified at all."""


@dataclass(frozen=True)
class Certifier:
    """A construction with its exact margins, in one format.

    tolerance: under "logit = 0" a computed logit counts as 0 where it is at most this; an expression in n.
    by_probability: whether a word is accepted where the sigmoid of its logit is computed as more than 1/2. order: in
    which sums are taken; from left to right the sigmoid is that of strict arithmetic.
    """

    construction: Construction
    network: Encoder
    margins: Sequence[Margin]
    names: Environment
    format: Format
    tolerance: object = 0
    by_probability: bool = False
    order: Order = "any"

    @property
    def decision(self) -> Decision:
        """Which computed logits certainly accept, and which reject."""
        return by_sigmoid(self.format, self.order) if self.by_probability else BY_SIGN

    def block(self, shortest: int, longest: int) -> Block:
        alphabet = self.construction.language.alphabet
        return Block(self.network, alphabet, self.names, self.format, shortest, longest, self.order)

    def certifies(self, shortest: int, longest: int) -> bool:
        """Whether all words with that many positions are certainly classified rightly."""
        error = self.error(shortest, longest)
        with ctx.workprec(PRECISION):
            return error is not None and self._survives(error, shortest, longest)

    def error(self, shortest: int, longest: int) -> arb | None:
        """At least |computed - exact logit| for all words with that many positions; None where nothing is known."""
        with ctx.workprec(PRECISION):
            try:
                return output_errors(self.block(shortest, longest), ["logit"])["logit"]
            except NotUnderstood:
                return None

    def counted(self, start: int, longest: int = LONGEST_CERTIFIED) -> int:
        """The greatest N, at most `longest`, such that all words with start..N positions are certainly classified
        rightly where sums are taken from left to right, for networks that count (`walks`); start - 1 for others."""
        if not BOUND.accepted(self.network.readout.accept).is_above:
            return start - 1
        try:
            walks = Walks(self.network, self.construction.language.alphabet, self.names, self.format)
        except NotUnderstood:
            return start - 1

        @cache
        def least(side: Side, first: int, last: int) -> arb | None:
            with ctx.workprec(PRECISION):
                return margin(self.margins, side, self.names, first, last)

        def near(side: Side, n: int) -> arb | None:
            width = 1 << max(0, n.bit_length() - MARGIN_BITS)
            first = n - n % width
            return least(side, first, first + width - 1)

        return walks.right_up_to(near, self.decision, start, longest)

    def _survives(self, error: arb, shortest: int, longest: int) -> bool:
        rejected = margin(self.margins, "rejected", self.names, shortest, longest)
        if rejected is None:
            return False
        if not BOUND.accepted(self.network.readout.accept).side:
            allowed = over_block(self.tolerance, self.names, shortest, longest)
            return bool(error <= allowed.low and rejected - error > allowed.high)
        accepted = margin(self.margins, "accepted", self.names, shortest, longest)
        return accepted is not None and self._clear(accepted - error, True) and self._clear(rejected - error, False)

    def _clear(self, least: arb, member: bool) -> bool:
        """Whether a word is classified rightly by every logit that is so far on its side of 0."""
        _, apart = BOUND.accepted(self.network.readout.accept).on_side(member)
        edge = arb(self.decision.above if member else -self.decision.below)
        return bool(least > edge if apart else least >= edge)

    def right(self, low: arb, high: arb, member: bool, n: int) -> bool:
        """Whether a word with n positions is classified rightly by every logit from low to high."""
        if not (low.is_finite() and high.is_finite()):
            return False
        accepted = BOUND.accepted(self.network.readout.accept)
        if not accepted.side:
            allowed = over_block(self.tolerance, self.names, n, n)
            outside = low > allowed.high or high < -allowed.high
            return bool(-low <= allowed.low and high <= allowed.low) if member else bool(outside)
        if low.is_zero() and high.is_zero():
            return accepted.at_zero == member
        return self._clear(low if accepted.on_side(member)[0] > 0 else -high, member)


def certifier(
    construction: Construction,
    margins: Sequence[Margin],
    parameters: Mapping[str, object] | None = None,
    format: Format = FORMATS["float64"],
    tolerance: object = 0,
    by_probability: bool = False,
    order: Order = "any",
) -> Certifier:
    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts:
        raise InputError(f"{construction.name}: only encoders that read out a logit run in floating point so far")
    if by_probability and not BOUND.accepted(network.readout.accept).is_above:
        raise InputError(f"{construction.name}: accepts by {network.readout.accept}, so not by a probability above 1/2")
    names: Environment = {**parameter_values(construction, parameters), "d": fmpq(len(network.coordinates))}
    try:
        over_block(tolerance, names, 1, 1)
    except (NotUnderstood, ExpressionError) as error:
        raise InputError(f"{construction.name}: tolerance {tolerance}: {error}") from error
    return Certifier(construction, network, tuple(margins), names, format, tolerance, by_probability, order)


def certified_safe_length(
    construction: Construction,
    margins: Sequence[Margin],
    parameters: Mapping[str, object] | None = None,
    dtype: str = "float64",
    longest: int = LONGEST_CERTIFIED,
    tolerance: object = 0,
    by_probability: bool = False,
) -> int:
    """The greatest L, at most `longest`, such that all words of at most L symbols are certified; -1 where none is.

    Counted in symbols, without markers. margins: of the exact logit, proved for these parameters.
    """
    given = certifier(construction, margins, parameters, format_named(dtype), tolerance, by_probability)
    markers = len(given.block(1, 1).markers)
    shortest = 0 if markers else 1
    for length in range(shortest, min(ONE_BY_ONE, longest) + 1):
        if not given.certifies(length + markers, length + markers) and not _each(given, parameters, dtype, length):
            return length - 1 if length > shortest else -1
    if longest <= ONE_BY_ONE:
        return longest
    return uniform_length(given, ONE_BY_ONE + 1 + markers, longest + markers) - markers


def certified_from_left_to_right(
    construction: Construction,
    margins: Sequence[Margin],
    parameters: Mapping[str, object] | None = None,
    dtype: str = "float64",
    longest: int = LONGEST_CERTIFIED,
    tolerance: object = 0,
    by_probability: bool = False,
    known: int = -1,
) -> int:
    """As `certified_safe_length`, where sums are taken from left to right and sigmoids as in strict arithmetic: from
    the greatest length that is known on, first words as walks, where a network counts, and then blocks of lengths.

    known: words of at most so many symbols are known to be classified rightly.
    """
    order: Order = "left to right"
    given = certifier(construction, margins, parameters, format_named(dtype), tolerance, by_probability, order)
    markers = len(given.block(1, 1).markers)
    reached = given.counted(known + 1 + markers, longest + markers)
    return (uniform_length(given, reached + 1, longest + markers) if reached > 0 else reached) - markers


def uniform_length(given: Certifier, start: int, longest: int = LONGEST_CERTIFIED) -> int:
    """The greatest N, at most `longest`, such that all n from start to N are certified in blocks; start - 1 where none.

    Counted in positions, with markers.
    """
    return in_blocks(given.certifies, start, longest)


def in_blocks(certifies: Callable[[int, int], bool], start: int, longest: int, border: int = 0) -> int:
    """The greatest length up to which `certifies` says, of blocks of lengths from `start` on, that all are certified;
    no block goes from `border` or below to beyond it."""
    n, width = start, WIDEST
    while n <= longest:
        reach = n if n <= SINGLY else min(longest, n + int(n * width))
        reach = min(reach, border) if n <= border else reach
        if certifies(n, reach):
            n, width = reach + 1, min(WIDEST, width * 2)
        elif reach == n or width <= NARROWEST:
            break
        else:
            width /= 4
    return n - 1


def _each(given: Certifier, parameters: Mapping[str, object] | None, dtype: str, length: int) -> bool:
    """Whether every word of that many symbols is certified by a bound of its own.

    That is its exact logit with the uniform error, or the ball of its own forward pass; each is tighter at times.
    """
    construction, markers = given.construction, len(given.block(1, 1).markers)
    error = given.error(length + markers, length + markers)
    for symbols in itertools.product(construction.language.alphabet, repeat=length):
        word = "".join(symbols)
        member = is_member(construction, word, given.names)
        with ctx.workprec(PRECISION):
            around = None if error is None else enclosure(run(construction, word, parameters).logit)
            if around is not None and given.right(around - error, around + error, member, length + markers):
                continue
            computed = output_balls(construction, word, parameters, dtype)["logit"]
            if not given.right(computed.lower(), computed.upper(), member, length + markers):
                return False
    return True
