"""Margins: how far from 0 the exact logit stays, by cases over the number of positions n; proved elsewhere, used here.

Evaluated over all n of a block at once. A case that may hold counts; and every n of the block has to be covered by a
case that holds for certain, or there is no margin.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flint import arb

from weightproof.constructions.scalars.exact import Real, enclosure
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.constructions.scalars.grammar import expression
from weightproof.numeric.certificate.uniform.positions import (
    ZERO,
    NotUnderstood,
    Range,
    all_hold,
    compare,
    negated,
    some_hold,
)
from weightproof.numeric.rounding.model import least

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
