"""An experiment of a paper with pairs of sequences as data: a network reads a source, and says a target, token by
token, until it says the end. Nothing here needs PyTorch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from weightproof.constructions.meaning.record import fingerprint
from weightproof.numeric.learning.experiment import Adam, AnyCurve, AnyExperiment, Measure

Pair = tuple[list[int], list[int]]
"""The tokens of a source and of its target, as ids."""
BEYOND: Mapping[tuple[int, int], tuple[Measure, Measure]] = {
    (13, 15): ("BLEU 13-15", "wholly right 13-15"),
    (15, 20): ("BLEU 15-20", "wholly right 15-20"),
    (21, 25): ("BLEU 21-25", "wholly right 21-25"),
    (26, 30): ("BLEU 26-30", "wholly right 26-30"),
}
"""By the tokens of the shortest and of the longest source: what is measured of such sources."""
VASWANI = Adam(beta_2=0.98, epsilon=1e-9)
"""Vaswani et al. (2017), section 5.3."""


@dataclass(frozen=True)
class Translator:
    """An encoder and a decoder of so many layers each, with one head in each block, as Rush, "The Annotated
    Transformer" (2018), has them, but for biases in attention: norms stand before each block, and behind the last layer
    of both; embeddings are multiplied by the root of the width.

    positions: whether sines and cosines are added to them, as in Vaswani et al. (2017), section 3.5; masked: whether a
    position of the encoder sees none behind it. self_residual, cross_residual: whether there are residual connections
    around the attention of the decoder to itself, and to the encoder.
    """

    layers: int
    width: int
    hidden: int
    positions: bool = True
    masked: bool = False
    self_residual: bool = True
    cross_residual: bool = True
    epsilon: float = 1e-5


@dataclass(frozen=True)
class Noam:
    """Rates that rise over so many steps, and fall then: Vaswani et al. (2017), equation 3, times a factor."""

    factor: float
    warmed: int

    def rate(self, number: int, width: int) -> float:
        """At a step, counted from 1."""
        return self.factor * width**-0.5 * min(number**-0.5, number * self.warmed**-1.5)


class Task(ABC):
    """What sources and targets are."""

    @property
    @abstractmethod
    def sources(self) -> int:
        """How many tokens there are of sources, from 0 on."""

    @property
    @abstractmethod
    def targets(self) -> int:
        """How many tokens there are of targets, from 0 on, with that which the decoder takes in first."""

    @property
    @abstractmethod
    def begin(self) -> int:
        """What the decoder takes in first."""

    @property
    @abstractmethod
    def end(self) -> int | None:
        """What it says last; None where it says as many tokens as `most`."""

    @abstractmethod
    def pairs(self, random: Random, many: int, shortest: int, longest: int) -> list[Pair]:
        """So many of them, with sources of so many tokens, markers not counted."""

    @abstractmethod
    def lengths(self, longest: int) -> tuple[int, int]:
        """How many tokens, with markers, the longest source and the longest target have."""

    @abstractmethod
    def most(self, longest: int) -> int:
        """How many tokens are decoded at most."""

    @abstractmethod
    def told(self, shortest: int, longest: int) -> str:
        """The sources in a few words."""


@dataclass(frozen=True)
class Copying(Task):
    """Sentences of so many words, each drawn as likely, are said again. marked: whether the source, too, has a marker
    behind it."""

    words: int
    marked: bool = False
    beyond: int = 5
    """Tokens that are decoded at most beyond the longest source."""

    @property
    def sources(self) -> int:
        return self.words + 1

    @property
    def targets(self) -> int:
        return self.words + 2

    @property
    def begin(self) -> int:
        return self.words + 1

    @property
    def end(self) -> int:
        return self.words

    def pairs(self, random: Random, many: int, shortest: int, longest: int) -> list[Pair]:
        found = []
        for _ in range(many):
            words = random.choices(range(self.words), k=random.randint(shortest, longest))
            target = [*words, self.end]
            found.append((target if self.marked else words, target))
        return found

    def lengths(self, longest: int) -> tuple[int, int]:
        return longest + self.marked, longest + 1

    def most(self, longest: int) -> int:
        return longest + self.beyond

    def told(self, shortest: int, longest: int) -> str:
        return f"{shortest} to {longest} words"


@dataclass(frozen=True)
class Counting(Task):
    """A number from 0 up to before this one goes to those that follow it. All numbers are there, one after the other.
    marked: whether a marker is behind the number."""

    numbers: int
    following: int
    marked: bool = False

    @property
    def begin(self) -> int:
        return 0  # which follows no number

    @property
    def end(self) -> None:
        return None

    @property
    def sources(self) -> int:
        return self.numbers + 1

    @property
    def targets(self) -> int:
        return self.numbers + self.following

    def pairs(self, random: Random, many: int, shortest: int, longest: int) -> list[Pair]:
        if many % self.numbers or (shortest, longest) != (1, 1):
            raise ValueError(f"sources are {self.numbers} numbers, one token each, and all of them are taken")
        marker = [self.numbers] if self.marked else []
        every = [([n, *marker], [*range(n + 1, n + self.following + 1)]) for n in range(self.numbers)]
        return every * (many // self.numbers)

    def lengths(self, longest: int) -> tuple[int, int]:
        return longest + self.marked, self.following

    def most(self, longest: int) -> int:
        return self.following

    def told(self, shortest: int, longest: int) -> str:
        return f"0 to {self.numbers - 1}"


@dataclass(frozen=True)
class PairsCurve(AnyCurve):
    """A network that is trained on pairs whose sources have so many tokens, and tested on others like them. beyond: the
    tokens of sources of other tests, see `BEYOND`."""

    architecture: Translator
    task: Task
    noam: Noam
    shortest: int
    longest: int
    beyond: tuple[tuple[int, int], ...] = ()

    @property
    def lengths(self) -> tuple[int, int]:
        return self.longest, max([self.longest, *(most for _, most in self.beyond)])

    @property
    def varied(self) -> bool:
        return self.shortest < self.longest

    @property
    def trained_on(self) -> str:
        return self.task.told(self.shortest, self.longest)

    @property
    def tested_on(self) -> str:
        """As what is trained on; the names of measures say what else is."""
        return self.trained_on


@dataclass(frozen=True, kw_only=True)
class PairsExperiment(AnyExperiment):
    """With pairs of sequences, which are drawn anew in every epoch. adam: its numbers; words: how many pairs there are
    in a step, in which every token of theirs weighs as much."""

    in_print: ClassVar[Measure] = "BLEU"

    curves: tuple[PairsCurve, ...]
    adam: Adam = VASWANI

    @property
    def step(self) -> str:
        return f"{self.words} pairs"

    def curve(self, name: str) -> PairsCurve:
        return next(curve for curve in self.curves if curve.name == name)

    def sha256(self, curve: PairsCurve) -> str:
        of_curve = (curve.name, curve.architecture, curve.task, curve.noam, curve.shortest, curve.longest, curve.beyond)
        of_all = (self.steps, self.words, self.test_words, self.adam, self.measures)
        return fingerprint([repr((of_curve, of_all))])
