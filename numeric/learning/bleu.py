"""BLEU, by which what is decoded is compared with what is right: Papineni et al. (2002)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = 4


def bleu(found: Sequence[Sequence[int]], right: Sequence[Sequence[int]], orders: int = ORDERS) -> float:
    """Of a corpus, in percent, with one reference each: the geometric mean of the shares of n-grams that are in the
    reference, too, none oftener than there, for n from 1 on, times the penalty for brevity (section 2.3). It is 0 where
    there is no such n-gram."""
    logs = 0.0
    for order in range(1, orders + 1):
        matched = total = 0
        for ours, theirs in zip(found, right, strict=True):
            here = grams(ours, order)
            matched += (here & grams(theirs, order)).total()
            total += here.total()
        if not matched:
            return 0.0
        logs += math.log(matched / total) / orders
    length, reference = sum(map(len, found)), sum(map(len, right))
    return 100 * math.exp(min(0.0, 1 - reference / length) + logs)


def grams(tokens: Sequence[int], order: int) -> Counter[tuple[int, ...]]:
    """How often each run of so many tokens is there."""
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))
