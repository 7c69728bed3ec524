"""An experiment of a paper as data: what is trained, on which words, how, and what the paper says came out.

A figure has several curves, each a network that is trained on words of one length and tested on words of another. Every
seed has its own initial weights and its own words, drawn from its number alone. Nothing here needs PyTorch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

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
]
"""Of the test words: the share that is decided rightly, 1/2 by chance; the mean of -log2 of the probability that is
given to the right answer, in bits; the mean weight that the first position, which is read, gives to position 1, summed
over layers and averaged over heads. Of words of validation: the first of these. How many heads are left. Then the first
two of the words of the last epoch, each before it was learned from."""
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
class Halving:
    """Whenever so great a share of the words of validation is decided rightly, half of the heads that are left are
    dropped, down to one: those with the least value by the rule (see `heads`)."""

    rule: Rule
    share: float


@dataclass(frozen=True)
class Curve:
    """A network that is trained on words of `length` symbols and tested on words of `tested` symbols.

    shortest: of words of training, which have any number of symbols from that to `length`, each as likely; None where
    all have `length`. Where words of several lengths stand in one step, what networks make of positions must not use n.
    tested_from: the same of words of tests. validated: from how many symbols to how many the words have by which the
    weights of one epoch are chosen, which are tested; None where those of the last are. heads: how many of them are
    there from the beginning, None for all; halving: when the others are dropped. printed: the accuracy after the last
    epoch, the mean over runs, where the paper or a file of its authors has it as a number.
    """

    name: str
    architecture: Architecture
    length: int
    tested: int
    shortest: int | None = None
    tested_from: int | None = None
    validated: tuple[int, int] | None = None
    heads: int | None = None
    halving: Halving | None = None
    printed: float | None = None

    def __post_init__(self) -> None:
        network = self.architecture.network
        heads = [head.scale for layer in network.layers for head in layer.heads]
        formulas = (*heads, *network.embedding.PE.values())
        if self.varied and any("n" in formula.names for formula in formulas):
            raise ValueError(f"{self.name}: what is made of positions uses n, of which words of training have several")
        if self.varied and not self.architecture.counts:
            raise ValueError(f"{self.name}: words of several lengths are trained on where equal positions are equal")

    @property
    def varied(self) -> bool:
        """Whether words of several lengths stand in one step."""
        return self.shortest is not None or self.tested_from is not None

    @property
    def trained_on(self) -> str:
        """In a few words."""
        return _symbols(self.shortest, self.length)

    @property
    def tested_on(self) -> str:
        """In a few words."""
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


@dataclass(frozen=True)
class Experiment:
    """name: as the command line has it; title: what it is about; source, figure: where it is printed.

    language: whose members are accepted, or whose labels are predicted. sampled: whether words are drawn as
    `language.sample` draws them, as the source does, or with every symbol as likely. stop: the token that is to come
    after every word and its label, which is trained, too. epochs: each of so many steps, each on so many words; kept:
    from how many words, drawn once for a seed, every epoch takes these, in another order; None where they are drawn
    anew. rate: of Adam, with its other numbers as Kingma and Ba have them; warmed: over how many steps it rises from 0;
    decay: of weights, apart from the gradient, as Loshchilov and Hutter have it. points: epochs after which it is
    tested, on so many words; 0 is before the first. measures: what is measured then.

    seeds: how many are trained unless told; printed_seeds: how many the paper has, 0 where it does not say. apart: what
    is not as in print.
    """

    name: str
    title: str
    source: str
    figure: str
    language: Language
    curves: tuple[Curve, ...]
    said: tuple[Said, ...]
    epochs: int
    steps: int
    words: int
    rate: float
    points: tuple[int, ...]
    test_words: int
    seeds: int
    printed_seeds: int
    sampled: bool = False
    stop: str | None = None
    kept: int | None = None
    warmed: int = 0
    decay: float = 0
    measures: tuple[Measure, ...] = OF_FIRST
    apart: tuple[str, ...] = ()

    def curve(self, name: str) -> Curve:
        """That of the name, which is one of them."""
        return next(curve for curve in self.curves if curve.name == name)

    def sha256(self, curve: Curve) -> str:
        """Of all that decides what comes out for a seed: what was trained with another one is no result of this."""
        architecture, words = curve.architecture, (curve.length, curve.shortest, curve.tested, curve.tested_from)
        of_curve = (curve.name, words, curve.validated, curve.heads, curve.halving)
        of_all = (self.language.name, self.stop, self.sampled, self.steps, self.words, self.kept, self.test_words)
        how = (self.rate, self.warmed, self.decay, self.measures)
        began = (dict(architecture.begins), architecture.alike, architecture.fixed)
        return fingerprint([repr((of_curve, of_all, how, began)), plain(architecture.network)])
