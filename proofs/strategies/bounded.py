"""Bounded checks: every length and every combination of counts up to a limit, each as an obligation of its own.

A scope of its own, named as such: it says nothing about longer words.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import sympy

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.obligation import Obligation
from weightproof.proofs.strategies.direct import direct
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n
from weightproof.symbolic.derivation import Derivation

MOST_COMBINATIONS = 2_000
"""Of a length and counts that are checked one by one."""


def bounded(derivation: Derivation, theorem: Decides, words: Context) -> Iterator[Obligation]:
    """The obligations of the direct proof at each n <= theorem.up_to and each combination of counts.

    Where there are too many of these, those of the direct proof for all n <= theorem.up_to at once.
    """
    assert theorem.up_to is not None
    vocabulary = derivation.vocabulary
    markers = int(vocabulary.begin) + int(vocabulary.end)
    symbols = len(vocabulary.alphabet)
    if math.comb(min(theorem.up_to, MOST_COMBINATIONS) + symbols, symbols) > MOST_COMBINATIONS:
        under = replace(theorem, given=Expression(f"({theorem.given}) and n <= {theorem.up_to}"))
        yield from direct(derivation, under, words)
        return
    for length in range(max(markers, 1), theorem.up_to + 1):
        for counts in combinations(vocabulary, length - markers):
            here = {n: length, **{vocabulary.total(a): count for a, count in counts.items()}}
            fixed = {atom: sympy.Integer(value) for atom, value in here.items()}
            shown = ", ".join(f"{a}: {count}" for a, count in counts.items())
            yield from direct(derivation, theorem, words, fixed, f"n = {length}, {shown}: ")


def combinations(vocabulary: Vocabulary, length: int) -> Iterator[dict[str, int]]:
    """All counts of the symbols in words of `length` symbols."""
    *others, last = vocabulary.alphabet
    for counts in itertools.product(range(length + 1), repeat=len(others)):
        if sum(counts) <= length:
            yield {**dict(zip(others, counts, strict=True)), last: length - sum(counts)}
