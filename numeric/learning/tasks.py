"""The words of an experiment: drawn for each seed from its number alone, labelled, and brought into the form in which
networks are run on them.

Positions that have the same token and the same encoding have the same vector in every layer, where every position sees
all others: they are computed once, and counted. Of FIRST's words there are five kinds of positions, at every length.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric.learning.experiment import Architecture, Curve, Experiment
from weightproof.numeric.model.languages import members, random_words
from weightproof.numeric.rounding.formats import FORMATS, over_positions

Tensor = torch.Tensor
FORMAT = FORMATS["float32"]


def number(experiment: Experiment, curve: Curve, seed: int, purpose: str) -> int:
    """What one seed draws from for a purpose; it does not depend on what others draw, nor on what it drew before."""
    said = f"{experiment.name}, {curve.name}, {seed}, {purpose}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:7], "big")


@dataclass(frozen=True)
class Words:
    """tokens: their ids, [seeds, words, n], with markers, and -1 behind a word that is shorter than others; right:
    whether each is in the language, [seeds, words]."""

    tokens: Tensor
    right: Tensor


def drawn(
    experiment: Experiment, construction: Construction, words: int, shortest: int, longest: int, numbers: Sequence[int]
) -> Words:
    """So many words for each of the numbers. construction: any with the language of the experiment."""
    if experiment.sampled:
        found = [_sampled(construction, words, shortest, longest, Random(each)) for each in numbers]
        return Words(torch.stack([each.tokens for each in found]), torch.stack([each.right for each in found]))
    assert shortest == longest
    generators = [torch.Generator().manual_seed(each) for each in numbers]
    tokens = torch.stack([random_words(construction, words, longest, each) for each in generators]).long()
    return Words(tokens, members(construction, tokens.flatten(0, 1), {}).view(tokens.shape[:2]))


def _sampled(construction: Construction, words: int, shortest: int, longest: int, random: Random) -> Words:
    """Of one seed."""
    language, first = construction.language, len(construction.alphabet)
    end = construction.encoder.end is not None
    tokens = torch.full((words, longest + 1 + end), -1)
    tokens[:, 0] = first
    ids = {symbol: place for place, symbol in enumerate(language.alphabet)}
    right = []
    for row in tokens:
        word = language.sample(random, random.randint(shortest, longest))
        row[1 : len(word) + 1] = torch.tensor([ids[symbol] for symbol in word])
        row[len(word) + 1 : len(word) + 1 + end] = first + 1
        right.append(language.member(word))
    return Words(tokens, torch.tensor(right))


@dataclass(frozen=True)
class Seen:
    """What a network sees of words: which tokens stand at each place, [seeds, words, places, tokens], one of them 1;
    encodings, [places, width]; logs, of how many positions each place stands for, -inf where it stands for none,
    [seeds, words, places], None where it always is one. The first place is position 0.

    after_first: the place of position 1.
    """

    tokens: Tensor
    encodings: Tensor
    logs: Tensor | None
    after_first: Tensor


def seen(architecture: Architecture, tokens: Tensor, alphabet: int, together: bool = True) -> Seen:
    """Of words, token ids [seeds, words, n], -1 behind them. together: whether equal positions are counted, where that
    makes fewer; where words have several lengths they always are."""
    n = tokens.shape[2]
    encodings, classes = encoded(architecture, n)
    kinds = int(classes.max()) + 1
    places, behind = 1 + alphabet * kinds, tokens < 0
    varied = bool(behind.any())
    if not varied and (not together or places >= n or architecture.end):
        one_hot = torch.nn.functional.one_hot(tokens, alphabet + 1 + architecture.end).float()
        return Seen(one_hot, encodings, None, torch.ones(tokens.shape[:2], dtype=torch.long))
    place = torch.where(behind, places, 1 + tokens * kinds + classes)[:, :, 1:]  # one more, for what is behind
    counts = torch.zeros(*tokens.shape[:2], places + 1)
    counts[:, :, 0] = 1
    counts = counts.scatter_add_(2, place, torch.ones(()).expand(place.shape))[:, :, :places]
    of_places = torch.cat([torch.tensor([alphabet]), torch.arange(alphabet).repeat_interleave(kinds)])
    one_hot = torch.nn.functional.one_hot(of_places, alphabet + 1).float().expand(*tokens.shape[:2], -1, -1)
    first = torch.stack([encodings[classes == kind][0] for kind in range(kinds)])  # all of a class are equal
    return Seen(one_hot, torch.cat([encodings[:1], first.repeat(alphabet, 1)]), counts.log(), place[:, :, 0])


@lru_cache(maxsize=16)
def encoded(architecture: Architecture, n: int) -> tuple[Tensor, Tensor]:
    """The encodings at n positions, [n, width], each rounded once; and their classes, [n], equal where these are."""
    table = torch.zeros(n, architecture.width)
    for column, formula in enumerate(architecture.encodings):
        values = over_positions(Expression(formula), {"n": fmpq(n), "d": fmpq(architecture.width)}, n, FORMAT)
        table[:, column] = torch.from_numpy(values)
    return table, torch.unique(table, dim=0, return_inverse=True)[1]
