"""The first step at which a transformer that simulates recurrent networks reads another token than it should."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import torch

from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN, read
from weightproof.constructions.machines.simulation import Simulation
from weightproof.numeric.decoding.encoder_decoder import EncoderDecoderTransformer

DRAWN, BEHIND = 4, 4
"""Random words of a length, and steps behind the end of a word."""


def reader() -> RNN:
    """Of one unit, which holds whether the token just read is a; the other symbol is b."""
    return numbered(every_rnn(1, 1, 2), {"f_a_x1": 1, "W_h1_x1": 1})


def wanted(token: str) -> float:
    """What the unit is to hold after reading it."""
    return float(token == "a")


@dataclass(frozen=True)
class Misread:
    """After `step` the unit is not what the token read there says."""

    word: str
    step: int
    computed: float
    wanted: float


def words_of(length: int) -> list[str]:
    """One symbol up to the last one, two in turn, and drawn ones."""
    drawn = Random(length)
    words = ["a" * (length - 1) + "b", "b" * (length - 1) + "a", ("ab" * length)[:length]]
    return [*words, *("".join(drawn.choices("ab", k=length)) for _ in range(DRAWN))]


def misread(model: EncoderDecoderTransformer, unit: int, words: Sequence[str]) -> Misread | None:
    """The first time that the unit is off by 1/2 or more, on words of one length."""
    tokens: Iterator[tuple[str, ...]] = zip(*(read(reader(), word) for word in words), strict=True)
    steps = range(len(words[0]) + 2 + BEHIND)
    for step, z, here in zip(steps, model.decode(words), tokens, strict=False):
        right = torch.tensor([wanted(token) for token in here])
        found = z[:, unit].double().cpu()
        wrong = ~((found - right).abs() < 0.5)
        if wrong.any():
            first = int(wrong.int().argmax())
            return Misread(words[first], step, float(found[first]), float(right[first]))
    return None


def lengths(longest: int) -> Iterator[int]:
    """Every one up to 32, then each an eighth more than the last."""
    length = 1
    while length <= longest:
        yield length
        length += max(1, length // 8 if length >= 32 else 1)


def first_misread(
    simulation: Simulation, dtype: str, device: str, attention: str, longest: int
) -> tuple[Misread | None, int]:
    """On the shortest of the words that are run, and the length of the longest that were."""
    network = simulation.network
    model = EncoderDecoderTransformer(network, simulation.rnn.alphabet, dtype, device, attention)
    unit, reached = network.coordinates.index(simulation.rnn.units[0]), 0
    for reached in lengths(longest):
        if (found := misread(model, unit, words_of(reached))) is not None:
            return found, reached
    return None, reached
