"""An experiment of a paper as data: what is trained, on which words, how, and what the paper says came out.

A figure has several curves, each a network that is trained on words of one length and tested on words of another. Every
seed has its own initial weights and its own words, drawn from its number alone. Nothing here needs PyTorch.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.scalars.expressions import Expression

Measure = Literal["accuracy", "cross-entropy", "attention", "training accuracy", "training cross-entropy"]
"""Of the test words: the share that is decided rightly, 1/2 by chance; the mean of -log2 of the probability that is
given to the right answer, in bits; the mean weight that the position that is read gives to position 1, summed over
layers and averaged over heads. Then the first two of the words of the last epoch, each before it was learned from."""
MEASURES: tuple[Measure, ...] = (
    "accuracy",
    "cross-entropy",
    "attention",
    "training accuracy",
    "training cross-entropy",
)


@dataclass(frozen=True)
class Architecture:
    """An encoder of the schema whose weights are free, as `architecture` makes it: position 0, CLS, is read; with `end`
    the last position holds EOS.

    layers of so many heads, each over width/heads coordinates, and of a feed-forward network with so many hidden units;
    layer normalisation with a free gain and bias behind each of both. Attention has no biases. encodings: functions of
    i and n, which are added to the first coordinates, and are not free. scale: of scores, which may use n. epsilon: of
    the norms. alike: whether all layers begin with the same weights, as those of torch.nn.TransformerEncoder do, which
    copies the layer that it is given. normaliser: of scores; with hardmax, the mean over the positions that have the
    greatest, scores have no gradient, so that W_Q and W_K stay as they begin.
    """

    layers: int
    heads: int
    width: int
    hidden: int
    encodings: tuple[str, ...]
    scale: str
    epsilon: str
    alike: bool = True
    end: bool = False
    normaliser: Literal["softmax", "hardmax"] = "softmax"

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Of the residual stream."""
        return tuple(f"x{number}" for number in range(1, self.width + 1))


@dataclass(frozen=True)
class Curve:
    """A network that is trained on words of `length` symbols and tested on words of `tested` symbols.

    varied: whether words of training have any number of symbols from 2 to `length`, each as likely; what networks make
    of positions must not use n then, as one step has words of several lengths. printed: the accuracy after the last
    epoch, the mean over runs, where the paper or a file of its authors has it as a number.
    """

    name: str
    architecture: Architecture
    length: int
    tested: int
    varied: bool = False
    printed: float | None = None

    def __post_init__(self) -> None:
        formulas = (self.architecture.scale, *self.architecture.encodings)
        if self.varied and self.architecture.end:
            raise ValueError(f"{self.name}: words of training have several lengths, and end with a marker")
        if self.varied and any("n" in Expression(formula).names for formula in formulas):
            raise ValueError(f"{self.name}: what is made of positions uses n, of which words of training have several")

    @property
    def trained_on(self) -> str:
        """In a few words."""
        return f"2 to {self.length} symbols" if self.varied else f"{self.length} symbols"


Of = Literal["mean", "median", "least", "greatest"]
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

    language: whose members are accepted. sampled: whether words are drawn as `language.sample` draws them, as the
    source does, or with every symbol as likely. epochs: each of so many steps, each on so many words. rate: of Adam,
    with its other numbers as Kingma and Ba have them. points: epochs after which it is tested, on so many words, drawn
    anew each time.

    seeds: how many are trained unless told; printed_seeds: how many the paper has,
    0 where it does not say. apart: what is not as in print.
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
    apart: tuple[str, ...] = ()

    def curve(self, name: str) -> Curve:
        """That of the name, which is one of them."""
        return next(curve for curve in self.curves if curve.name == name)

    def sha256(self, curve: Curve) -> str:
        """Of all that decides what comes out for a seed: what was trained with another one is no result of this."""
        of_curve = (curve.name, curve.architecture, curve.length, curve.tested, curve.varied)
        decides = (self.language.name, of_curve, self.steps, self.words, self.rate, self.test_words, self.sampled)
        return hashlib.sha256(repr(decides).encode()).hexdigest()
