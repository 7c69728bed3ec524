"""Every word of every length, run: in strict arithmetic, which is the same on every machine, that is a proof.

It holds for sums from left to right and exponentials correctly rounded, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Names
from weightproof.numeric.model.acceptance import Rule
from weightproof.numeric.model.transformer import Transformer

MOST = 9 << 20
"""Symbols of all words that are run, times the positions where time is quadratic: seconds."""
LEAST = 1 << 12
"""Symbols that a run of fewer takes as long as."""
BATCH = 1 << 14


def exhausted(construction: Construction, model: Transformer, names: Names, rule: Rule, safe: int) -> int:
    """The greatest L such that strict arithmetic decides all words of at most L symbols rightly; -1 where none is.

    As far as the words have at most MOST symbols together. safe: up to there they are known to be right.
    """
    assert model.strict is not None
    shortest = 0 if model.network.begin is not None or model.network.end is not None else 1
    length, reached, spent = max(shortest, safe + 1), safe, 0
    while (spent := spent + _cost(construction, model, length)) <= MOST:
        for words in _batches(construction.language.alphabet, length):
            accepted = rule.accepts(model, model.logits(words)).tolist()
            if any(a != is_member(construction, word, names) for word, a in zip(words, accepted, strict=True)):
                return reached
        reached, length = length, length + 1
    return reached


def _cost(construction: Construction, model: Transformer, length: int) -> int:
    """More than MOST where it would be: the number of all words of a certified length does not fit into memory."""
    words = len(construction.language.alphabet) ** min(length, MOST.bit_length())
    return max(LEAST, int(words * length * (length if model.quadratic else 1)))


def _batches(alphabet: tuple[str, ...], length: int) -> Iterator[list[str]]:
    batch: list[str] = []
    for word in product(alphabet, repeat=length):
        batch.append("".join(word))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
