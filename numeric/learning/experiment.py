"""An experiment of a paper as data: what is trained, on which words, how, and what the paper says came out.

A figure has several curves, each a network that is trained on words of one length and tested on words of another. Every
seed has its own initial weights and its own words, drawn from its number alone. Experiments with pairs of sequences
are in `sequences`, and have the same parts. Nothing here needs PyTorch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal, get_args

from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.numeric.learning.architecture import Architecture

Measure = Literal[
    "accuracy",
    "cross-entropy",
    "attention",
    "validation accuracy",
    "heads",
    "training accuracy",
    "training cross-entropy",
    "BLEU",
    "wholly right",
    "BLEU 13-15",
    "wholly right 13-15",
    "BLEU 15-20",
    "wholly right 15-20",
    "BLEU 21-25",
    "wholly right 21-25",
    "BLEU 26-30",
    "wholly right 26-30",
    "most distinct",
    "longest",
]
"""Of the test words: the share that is decided rightly, 1/2 by chance; the mean of -log2 of the probability that is
given to the right answer, in bits; the mean weight that the first position, which is read, gives to position 1, summed
over layers and averaged over heads. Of words of validation: the first of these. How many heads are left. Then the first
two of the words of the last epoch, each before it was learned from.

Of pairs of sequences the first two are of tokens, each behind the right ones. The others are of what is decoded: BLEU
in percent (Papineni et al. 2002), and the share of outputs that are wholly right, of sources as long as those of
training, and of longer ones. Of all outputs: how many distinct tokens that has which has most of them, and how many
tokens the longest has."""
MEASURES: tuple[Measure, ...] = get_args(Measure)
OF_TRAINING: tuple[Measure, Measure] = ("training accuracy", "training cross-entropy")
"""There are none before the first epoch."""
LEARNED: tuple[Measure, ...] = ("accuracy", "cross-entropy", *OF_TRAINING)
"""Those that every experiment has."""
OF_FIRST: tuple[Measure, ...] = ("accuracy", "cross-entropy", "attention", *OF_TRAINING)
"""Where the first position is read."""
Rule = Literal["separation", "Shapley"]
"""What a head is worth: how many words the best line through its outputs separates, alone; or its Shapley value, of
what all sets of heads separate."""


@dataclass(frozen=True)
class Adam:
    """Its numbers, those of Kingma and Ba (2015), algorithm 1, unless told. decay: the share of each weight that is
    taken away before a step, times the rate: Loshchilov and Hutter (2019), algorithm 2."""

    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8
    decay: float = 0


@dataclass(frozen=True)
class Halving:
    """Whenever so great a share of the words of validation is decided rightly, half of the heads that are left are
    dropped, down to one: those with the least value by the rule (see `heads`)."""

    rule: Rule
    share: float


@dataclass(frozen=True)
class AnyCurve(ABC):
    """A network that is trained. printed: what is measured after the last epoch, the mean over runs, where the paper or
    a file of its authors has it as a number: see `AnyExperiment.in_print`."""

    name: str
    _: KW_ONLY
    printed: float | None = None

    @property
    @abstractmethod
    def lengths(self) -> tuple[int, int]:
        """Of the longest words of training, and of tests."""

    @property
    @abstractmethod
    def varied(self) -> bool:
        """Whether words of several lengths stand in one step."""

    @property
    @abstractmethod
    def trained_on(self) -> str:
        """In a few words."""

    @property
    @abstractmethod
    def tested_on(self) -> str:
        """In a few words."""

    @property
    def chooses(self) -> bool:
        """Whether the weights of one epoch are chosen, which are tested; otherwise those of the last are."""
        return False


@dataclass(frozen=True)
class Curve(AnyCurve):
    """A network that is trained on words of `length` symbols and tested on words of `tested` symbols.

    shortest: of words of training, which have any number of symbols from that to `length`, each as likely; None where
    all have `length`. Where words of several lengths stand in one step, what networks make of positions must not use n.
    tested_from: the same of words of tests. validated: from how many symbols to how many the words have by which the
    weights of one epoch are chosen, which are tested; None where those of the last are. heads: how many of them are
    there from the beginning, None for all; halving: when the others are dropped.
    """

    architecture: Architecture
    length: int
    tested: int
    shortest: int | None = None
    tested_from: int | None = None
    validated: tuple[int, int] | None = None
    heads: int | None = None
    halving: Halving | None = None

    def __post_init__(self) -> None:
        network = self.architecture.network
        heads = [head.scale for layer in network.layers for head in layer.heads]
        formulas = (*heads, *network.embedding.PE.values())
        if self.varied and any("n" in formula.names for formula in formulas):
            raise ValueError(f"{self.name}: what is made of positions uses n, of which words of training have several")
        if self.varied and not self.architecture.counts:
            raise ValueError(f"{self.name}: words of several lengths are trained on where equal positions are equal")

    @property
    def lengths(self) -> tuple[int, int]:
        return self.length, self.tested

    @property
    def chooses(self) -> bool:
        return self.validated is not None

    @property
    def varied(self) -> bool:
        return self.shortest is not None or self.tested_from is not None

    @property
    def trained_on(self) -> str:
        return _symbols(self.shortest, self.length)

    @property
    def tested_on(self) -> str:
        return _symbols(self.tested_from, self.tested)


def _symbols(least: int | None, most: int) -> str:
    return f"{most} symbols" if least is None else f"{least} to {most} symbols"


Of = Literal["mean", "median", "least", "greatest", "perfect"]
"""Over seeds; the last is the share of them that reach 1."""
Bounded = Literal["<=", ">="]


@dataclass(frozen=True)
class Said:
    """What a paper says came out, in its words, and how that is read here: of each of the curves, the mean, say, over
    seeds of what is measured after the last epoch lies on that side of the bound. The bound is ours where the words
    have no number."""

    place: str
    says: str
    curves: tuple[str, ...]
    of: Of
    measure: Measure
    relation: Bounded
    bound: float

    @property
    def read_as(self) -> str:
        """In a few words."""
        return f"{self.of} {self.measure} {self.relation} {self.bound:g}"


@dataclass(frozen=True, kw_only=True)
class AnyExperiment(ABC):
    """name: as the command line has it; title: what it is about; source, figure: where it is printed.

    epochs: each of so many steps, each on so many words; points: epochs after which it is tested, on so many words; 0
    is before the first. measures: what is measured then. seeds: how many are trained unless told; printed_seeds: how
    many the paper has, 0 where it does not say. apart: what is not as in print.
    """

    in_print: ClassVar[Measure] = "accuracy"
    """What the printed numbers of curves are."""

    name: str
    title: str
    source: str
    figure: str
    curves: tuple[AnyCurve, ...]
    said: tuple[Said, ...]
    epochs: int
    steps: int
    words: int
    points: tuple[int, ...]
    test_words: int
    seeds: int
    printed_seeds: int
    measures: tuple[Measure, ...]
    apart: tuple[str, ...] = ()

    @property
    @abstractmethod
    def step(self) -> str:
        """What is learned from in one, in a few words."""

    @abstractmethod
    def curve(self, name: str) -> AnyCurve:
        """That of the name, which is one of them."""

    @abstractmethod
    def sha256(self, curve: Any) -> str:
        """Of all that decides what comes out for a seed: what was trained with another one is no result of this."""


@dataclass(frozen=True, kw_only=True)
class Experiment(AnyExperiment):
    """With words of a language.

    language: whose members are accepted, or whose labels are predicted. sampled: whether words are drawn as
    `language.sample` draws them, as the source does, or with every symbol as likely. stop: the token that is to come
    after every word and its label, which is trained, too. kept: from how many words, drawn once for a seed, every epoch
    takes its own, in another order; None where they are drawn anew. rate: of Adam, with its other numbers as they are
    unless told; warmed: over how many steps it rises from 0; decay: of weights, see `Adam`.
    """

    language: Language
    curves: tuple[Curve, ...]
    rate: float
    sampled: bool = False
    stop: str | None = None
    kept: int | None = None
    warmed: int = 0
    decay: float = 0
    measures: tuple[Measure, ...] = OF_FIRST

    @property
    def step(self) -> str:
        return f"{self.words} words" if self.words != 1 else "one word"

    def curve(self, name: str) -> Curve:
        return next(curve for curve in self.curves if curve.name == name)

    def sha256(self, curve: Curve) -> str:
        architecture, words = curve.architecture, (curve.length, curve.shortest, curve.tested, curve.tested_from)
        of_curve = (curve.name, words, curve.validated, curve.heads, curve.halving)
        of_all = (self.language.name, self.stop, self.sampled, self.steps, self.words, self.kept, self.test_words)
        how = (self.rate, self.warmed, self.decay, self.measures)
        began = (dict(architecture.begins), architecture.alike, architecture.fixed)
        return fingerprint([repr((of_curve, of_all, how, began)), plain(architecture.network)])
