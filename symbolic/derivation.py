"""What a derivation is: the recorded steps from the embeddings to the closed form of the logit."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from constructions.schema import Construction
from symbolic.iverson import Iverson
from symbolic.linear import Fact
from symbolic.vocabulary import Vocabulary

Vector = dict[str, Iverson]
"""Coordinate -> value; coordinates that are 0 are absent."""

Stream = dict[str, Vector]
"""Token -> the vector at a position that holds it: at position 0 for the begin marker, n-1 for the end marker, at a
generic position i for a symbol of the alphabet."""


@dataclass(frozen=True)
class Step:
    """One rewriting: the rule, where it was applied, what it turned into what, under which condition."""

    rule: str
    location: str
    before: str
    after: str
    condition: str = ""


@dataclass(frozen=True)
class ExplicitSum:
    """A sum that no rule closes: `symbol` = sum of `body` over the positions j from lo to hi that hold symbols."""

    symbol: sympy.Symbol
    lo: sympy.Expr
    hi: sympy.Expr
    body: Iverson


@dataclass
class Record:
    """What one derivation writes down as it goes: steps, explicit sums, linear facts that were used."""

    steps: list[Step] = field(default_factory=list)
    sums: dict[sympy.Symbol, ExplicitSum] = field(default_factory=dict)
    facts: set[Fact] = field(default_factory=set)

    def step(self, rule: str, location: str, before: object, after: object, condition: str = "") -> None:
        self.steps.append(Step(rule, location, str(before), str(after), condition))

    def explicit(self, lo: sympy.Expr, hi: sympy.Expr, body: Iverson) -> sympy.Symbol:
        for known in self.sums.values():
            if (known.lo, known.hi, known.body) == (lo, hi, body):
                return known.symbol
        symbol = sympy.Symbol(f"S{len(self.sums) + 1}", real=True)
        self.sums[symbol] = ExplicitSum(symbol, lo, hi, body)
        return symbol


@dataclass(frozen=True)
class Derivation:
    """The symbolic forward pass of a construction on a word of length n.

    streams[l] is the residual stream after layer l (0: the embedding) at a generic position, only the rows that the
    readout sees; logit is the closed form, in terms of n, counts, tokens, parameters and `sums`.
    facts are the linear side conditions that were used.
    """

    construction: Construction
    vocabulary: Vocabulary
    streams: tuple[Stream, ...]
    logit: Iverson
    sums: dict[sympy.Symbol, ExplicitSum]
    steps: tuple[Step, ...]
    facts: frozenset[Fact]
