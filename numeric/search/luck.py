"""Why low precision gets long words right although it cannot count their positions: luck, and its reasons.

A sum of ones that is rounded from left to right stops growing at 2^p, where 1 is half the last place. A decision that
is right beyond owes that to where sums stop, to sums of a single term, or to sums that are not rounded one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.numeric.model.strict import Pass
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.model.words import encode, token_names


def reasons(construction: Construction, model: Transformer, word: str) -> list[str]:
    """What keeps the decision on a long word, one line each; empty where nothing is known to."""
    if model.strict is None:
        return [*_wider_sums(model)]
    return [*_stagnation(construction, model, word), *_single_terms(_pass(construction, model, word))]


def _pass(construction: Construction, model: Transformer, word: str) -> Pass:
    assert model.strict is not None
    ids = encode(construction, [word]).numpy()
    names = {**model.names, "n": fmpq(ids.shape[1])}
    return Pass(model.network, token_names(construction), ids, model.strict, names)


def _denominators(construction: Construction, model: Transformer, word: str) -> dict[tuple[int, int], float]:
    done = _pass(construction, model, word)
    done.logits()
    return {place: float(total) for place, total in done.denominators.items()}


def _stagnation(construction: Construction, model: Transformer, word: str) -> Iterator[str]:
    """The softmax denominators that are the same for the word and for its first half."""
    half = _denominators(construction, model, word[: len(word) // 2])
    for (layer, head), total in _denominators(construction, model, word).items():
        if total == half[layer, head]:
            power = ", a power of two, by which division is exact" if float(np.log2(total)).is_integer() else ""
            yield f"the softmax denominator of layer {layer}, head {head} stagnates at {total:g}{power}"


def _single_terms(done: Pass) -> Iterator[str]:
    """The means with one nonzero term, at the positions that are read: no other term can change their sign."""
    for number, layer in enumerate(done.network.layers):
        for place, head in enumerate(layer.heads, start=1):
            values = done.values(2 * number, head)
            single = [row for row, x in values.items() if np.count_nonzero(x[0]) == 1]
            if single and len(single) == len(values):
                yield f"the sum of layer {number + 1}, head {place} has one nonzero term"


def _wider_sums(model: Transformer) -> Iterator[str]:
    """Whether torch sums ones beyond where the format could count them one by one."""
    most = 1 << model.format.precision
    ones = torch.ones(4 * most, dtype=model.dtype, device=model.device)
    if float(ones.sum()) == 4 * most:
        yield f"torch does not round sums term by term: {4 * most} ones add up, where the format counts to {most}"
