"""Words that are too long to try them all, and regular: the language's own families, and up to three repeated blocks.

They find late mistakes of networks that have no closed form, or none whose states can be told apart.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.refuting.critical import Relations
from weightproof.proofs.refuting.refute import by_interest, counterexample
from weightproof.proofs.theorem import OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.derivation import Derivation

SYMBOLS = 4
"""Blocks are made of so many different symbols at most."""
FAMILY = 20
"""Words that a family is asked for at a length."""
NEAR_END = 1
"""The lengths of the blocks at both ends, up to which all are tried; the one between takes the rest."""


def search_patterns(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, longest: int, deadline: float
) -> Counterexample | None:
    """The first counterexample among regular words, shortest first; deadline: as `time.monotonic` tells it."""
    lead = None if derivation is None else Relations(derivation, (), ()).reader
    tried = samples(construction)
    for length in range(1, longest + 1):
        for word in dict.fromkeys(patterns(construction, theorem, length)):
            if time.monotonic() > deadline:
                return None
            for parameters in tried:
                found = counterexample(construction, theorem, word, parameters, lead)
                if found is not None:
                    return found
    return None


def patterns(construction: Construction, theorem: OnWords, length: int) -> Iterator[str]:
    """Regular words of a length."""
    for family in construction.language.families.values():
        try:
            yield from list(family(length, FAMILY))
        except Exception:  # a function of the user's own, which is no part of what is to be shown
            continue
    symbols = by_interest(construction, theorem)[:SYMBOLS]
    blocks = [*symbols, *map("".join, itertools.permutations(symbols, 2))]
    for block in blocks:
        yield (block * length)[:length]
    for left, middle, right in itertools.product(symbols, blocks, symbols):
        for start, end in itertools.product(range(NEAR_END + 1), repeat=2):
            if start + end <= length:
                rest = length - start - end
                yield left * start + (middle * rest)[:rest] + right * end
    for left, right in itertools.permutations(symbols, 2):
        for count in range(1, length):
            yield left * count + right * (length - count)
