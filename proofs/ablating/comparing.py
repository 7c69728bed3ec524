"""The logits of two constructions over the same words, subtracted in closed form."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Fact
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation, ExplicitSum, Record
from weightproof.symbolic.rules.sums import collect


@dataclass(frozen=True)
class Change:
    """after - before. sums: those that it mentions. facts: the linear side conditions of both derivations and of the
    subtraction."""

    value: Iverson
    sums: tuple[ExplicitSum, ...]
    facts: frozenset[Fact]


def change(before: Derivation, after: Derivation) -> Change:
    """The logit after, less that before. Underivable where a norm scales one of them: the scales of two networks have
    nothing in common, and their difference would say nothing."""
    if before.scales or after.scales:
        raise Underivable("a norm scales the logit")
    vocabulary, record = before.vocabulary, Record(facts={*before.facts, *after.facts})
    record.sums |= before.sums
    names: dict[sympy.Symbol, sympy.Symbol] = {}
    for symbol, total in after.sums.items():  # a body mentions only sums before it
        names[symbol] = record.explicit(total.lo, total.hi, substitute(total.body, names))
    words = vocabulary.words(record.facts)
    difference = substitute(after.logit, names) - before.logit
    difference = vocabulary.tokens_in_range(vocabulary.without_first_count(difference), words)
    value = normalise(collect(difference, record, words, vocabulary), words)
    return _numbered(Change(value, tuple(_mentioned(value, record)), frozenset(record.facts)))


def _mentioned(value: Iverson, record: Record) -> list[ExplicitSum]:
    """In the order of their numbers, also those that only the body of another one mentions."""
    wanted, found = set(value.free_symbols), []
    for symbol in reversed(record.sums):
        if symbol in wanted:
            found.append(record.sums[symbol])
            wanted |= record.sums[symbol].body.free_symbols
    return found[::-1]


def _numbered(found: Change) -> Change:
    """With the sums called S1, S2, ... again."""
    names = {total.symbol: sympy.Symbol(f"S{k}", real=True) for k, total in enumerate(found.sums, start=1)}
    sums = tuple(replace(x, symbol=names[x.symbol], body=substitute(x.body, names)) for x in found.sums)
    return Change(substitute(found.value, names), sums, found.facts)
