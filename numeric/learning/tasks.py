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
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric.learning.architecture import READ, Architecture
from weightproof.numeric.learning.experiment import AnyCurve, AnyExperiment, Experiment
from weightproof.numeric.learning.tensors import FORMAT, tokens
from weightproof.numeric.model.languages import members, random_words
from weightproof.numeric.rounding.formats import over_positions

Tensor = torch.Tensor


def number(experiment: AnyExperiment, curve: AnyCurve, seed: int, purpose: str) -> int:
    """What one seed draws from for a purpose; it does not depend on what others draw, nor on what it drew before."""
    said = f"{experiment.name}, {curve.name}, {seed}, {purpose}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:7], "big")


@dataclass(frozen=True)
class Words:
    """tokens: their ids, [seeds, words, n], with markers, and -1 behind a word that is shorter than others; right, of a
    recogniser: whether each is in the language; of a network that predicts: the row of the output that is to be
    greatest; [seeds, words]."""

    tokens: Tensor
    right: Tensor

    @classmethod
    def together(cls, seeds: Sequence[Words]) -> Words:
        """Of all seeds, in which words have the same number of positions at most."""
        return cls(torch.cat([each.tokens for each in seeds]), torch.cat([each.right for each in seeds]))


def drawn(
    experiment: Experiment,
    construction: Construction,
    words: int,
    shortest: int,
    longest: int,
    numbers: Sequence[int],
    stop: str | None = None,
) -> Words:
    """So many words for each of the numbers. construction: any with the language of the experiment. stop: behind each
    stands the same word with its label, after which that token is right."""
    if experiment.sampled:
        of_seeds = [_sampled(construction, words, shortest, longest, Random(each), stop) for each in numbers]
        return Words.together(of_seeds)
    assert shortest == longest
    generators = [torch.Generator().manual_seed(each) for each in numbers]
    found = torch.stack([random_words(construction, words, longest, each) for each in generators]).long()
    return Words(found, members(construction, found.flatten(0, 1), {}).view(found.shape[:2]))


def _sampled(
    construction: Construction, words: int, shortest: int, longest: int, random: Random, stop: str | None
) -> Words:
    """Of one seed."""
    language, network = construction.language, construction.encoder
    ids = {token: place for place, token in enumerate(tokens(network, language.alphabet))}
    rows = {row: place for place, row in enumerate(network.readout.W.rows)}
    before, behind = ([ids[each] for each in (marker,) if each is not None] for marker in (network.begin, network.end))
    found, right = list[list[int]](), list[int]()
    for _ in range(words):
        word = language.sample(random, random.randint(shortest, longest))
        found.append([*before, *(ids[symbol] for symbol in word), *behind])
        if not network.readout.predicts:
            right.append(language.member(word))
            continue
        assert language.label is not None
        label = language.label(word)
        assert label is not None
        right.append(rows[label])
        if stop is not None:
            found.append([*found[-1], ids[label]])
            right.append(rows[stop])
    n = len(before) + longest + len(behind) + (stop is not None)
    padded = torch.tensor([[*each, *[-1] * (n - len(each))] for each in found])
    return Words(padded[None], torch.tensor(right)[None])


@dataclass(frozen=True)
class Seen:
    """What a network sees of words: which tokens stand at each place, [seeds, words, places, tokens], one of them 1;
    encodings, [places, width]; logs, of how many positions each place stands for, -inf where it stands for none,
    [seeds, words, places], None where it always is one. The first place is position 0.

    after_first: the place of position 1; read: the place that is read, where it is one; [seeds, words] each. n: how
    many positions the longest has.
    """

    n: int
    tokens: Tensor
    encodings: Tensor
    logs: Tensor | None
    after_first: Tensor
    read: Tensor | None

    def of(self, words: slice) -> Seen:
        """Of some words."""
        logs, read = (None if each is None else each[:, words] for each in (self.logs, self.read))
        return Seen(self.n, self.tokens[:, words], self.encodings, logs, self.after_first[:, words], read)

    def of_seed(self, seed: slice) -> Seen:
        """Of some seeds."""
        tensors = (None if each is None else each[seed] for each in (self.logs, self.after_first, self.read))
        logs, after_first, read = tensors
        assert after_first is not None
        return Seen(self.n, self.tokens[seed], self.encodings, logs, after_first, read)

    def at(self, words: Tensor) -> Seen:
        """Of these words of each seed, [seeds, words]; positions are counted."""
        assert self.logs is not None
        assert self.read is not None
        logs = self.logs.gather(1, words[:, :, None].expand(-1, -1, self.logs.shape[2]))
        after_first, read = (each.gather(1, words) for each in (self.after_first, self.read))
        of_words = self.tokens[:, :1].expand(-1, words.shape[1], -1, -1)  # places are those of all words
        return Seen(self.n, of_words, self.encodings, logs, after_first, read)

    def to(self, place: torch.device) -> Seen:
        """On a device."""
        tensors = (self.tokens, self.encodings, self.logs, self.after_first, self.read)
        return Seen(self.n, *(None if each is None else each.to(place) for each in tensors))  # type: ignore[arg-type]


def seen(architecture: Architecture, symbols: Sequence[str], ids: Tensor, together: bool = True) -> Seen:
    """Of words, token ids [seeds, words, n], -1 behind them. together: whether equal positions are counted, where that
    makes fewer, and the network allows it; where words have several lengths they always are."""
    network, n = architecture.network, ids.shape[2]
    number, alphabet = len(tokens(network, symbols)), len(symbols)
    encodings, classes = encoded(network, n)
    kinds = int(classes.max()) + 1
    places, behind = 1 + (number - 1) * kinds, ids < 0
    read = READ[network.readout.position]
    varied = bool(behind.any())
    assert not varied or architecture.counts
    if not varied and (not together or places >= n or not architecture.counts):
        one_hot = torch.nn.functional.one_hot(ids, number).float()
        ones = torch.ones(ids.shape[:2], dtype=torch.long)
        return Seen(n, one_hot, encodings, None, ones, None if read is None else ones * (read % n))
    others = ids - (ids > alphabet).long()  # all tokens but that of position 0, counted from 0
    place = torch.where(behind, places, 1 + others * kinds + classes)[:, :, 1:]  # one more, for what is behind
    counts = torch.zeros(*ids.shape[:2], places + 1)
    counts[:, :, 0] = 1
    counts = counts.scatter_add_(2, place, torch.ones(()).expand(place.shape))[:, :, :places]
    rest = torch.tensor([each for each in range(number) if each != alphabet])
    of_places = torch.cat([torch.tensor([alphabet]), rest.repeat_interleave(kinds)])
    one_hot = torch.nn.functional.one_hot(of_places, number).float().expand(*ids.shape[:2], -1, -1)
    first = torch.stack([encodings[classes == kind][0] for kind in range(kinds)])  # all of a class are equal
    last = place.gather(2, (~behind).sum(2, keepdim=True) - 2)[:, :, 0]
    return Seen(
        n,
        one_hot,
        torch.cat([encodings[:1], first.repeat(number - 1, 1)]),
        counts.log(),
        place[:, :, 0],
        last if read else torch.zeros_like(last),
    )


def encoded(network: Encoder, n: int) -> tuple[Tensor, Tensor]:
    """The encodings at n positions, [n, width], each rounded once; and their classes, [n], equal where these are."""
    return _encoded(tuple(network.embedding.PE.items()), network.coordinates, n)


@lru_cache(maxsize=16)
def _encoded(
    encodings: tuple[tuple[str, Expression], ...], coordinates: tuple[str, ...], n: int
) -> tuple[Tensor, Tensor]:
    table = torch.zeros(n, len(coordinates))
    for coordinate, formula in encodings:
        values = over_positions(formula, {"n": fmpq(n), "d": fmpq(len(coordinates))}, n, FORMAT)
        table[:, coordinates.index(coordinate)] = torch.from_numpy(values)
    return table, torch.unique(table, dim=0, return_inverse=True)[1]
