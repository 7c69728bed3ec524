"""What `learn` comes to: each curve over its seeds, and what the paper says of it, observed here or not.

That something is observed is apart from true and false: it is said of so many seeds, and nothing follows from it for
others.
"""

from __future__ import annotations

import operator
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.schema import known
from weightproof.document.blocks import Heading, Items, Paragraph, Plain, Styled, Table, Text
from weightproof.learning.kept import Learner
from weightproof.numeric.learning.experiment import AnyCurve, AnyExperiment, Measure, Said
from weightproof.reported import Ending, Reported
from weightproof.terminal.streams import INTERRUPTED

OVER_SEEDS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "least": min,
    "greatest": max,
    "perfect": lambda values: statistics.fmean(value == 1 for value in values),
}
RELATIONS: Mapping[str, Callable[[float, float], bool]] = {"<=": operator.le, ">=": operator.ge}
READING = "the report of training"
HIDDEN: tuple[Measure, ...] = ("training cross-entropy",)
"""In JSON alone."""
STYLES = {True: "green", False: "red", None: "yellow"}
VERDICT = "observed"


@dataclass(frozen=True)
class Spread:
    """Of several seeds: the mean, the median, and between which values their middle half lies."""

    mean: float
    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        if len(values) == 1:
            return cls(*values, *values, *values, *values)
        lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
        return cls(statistics.fmean(values), median, lower, upper)

    def __str__(self) -> str:
        return f"{self.median:.3g} ({self.lower:.3g} to {self.upper:.3g})"


def over_seeds(said: Said, measured: Sequence[Mapping[Measure, float]]) -> float | None:
    """What a statement speaks of, of what was measured of each seed; None where there is none."""
    combine = known(READING, "mean", said.of, OVER_SEEDS)
    values = [known(READING, "measure", said.measure, dict[str, float](each.items())) for each in measured]
    return combine(values) if values else None


@dataclass(frozen=True)
class Observed:
    """One statement of the paper about one curve. here: what it speaks of, as it came out; None where no seed was
    trained to the end."""

    said: Said
    curve: str
    seeds: int
    here: float | None

    @property
    def agrees(self) -> bool | None:
        """Whether it is as the paper says; None where no seed was trained to the end."""
        if self.here is None:
            return None
        return known(READING, "relation", self.said.relation, RELATIONS)(self.here, self.said.bound)


@dataclass(frozen=True)
class Written:
    """Whose network is written as a construction, and where; bits: behind the point of each weight, or, with circuits,
    of what heads score and carry, None where none is rounded."""

    learner: Learner
    file: Path
    bits: int | None
    circuits: bool = False

    @property
    def rounding(self) -> str:
        """What was rounded, and how far, where something was."""
        what = "what heads score and carry" if self.circuits else "each weight"
        return f"{what} rounded to {self.bits} bit{'' if self.bits == 1 else 's'} behind the point"


@dataclass(frozen=True, repr=False)
class Learned(Reported):
    """An experiment as it came out here. learners: of each curve that was asked for, by its name; epochs: to which
    training goes; written: the network of one of them."""

    experiment: AnyExperiment
    learners: Mapping[str, tuple[Learner, ...]]
    epochs: int
    written: Written | None
    complaint: str | None
    interrupted: bool

    @property
    def observed(self) -> tuple[Observed, ...]:
        """What the paper says of the curves that were asked for."""
        return tuple(
            self._observed(said, name) for said in self.experiment.said for name in said.curves if name in self.learners
        )

    def _observed(self, said: Said, name: str) -> Observed:
        ended = [each for each in self.learners[name] if each.state.epoch >= self.experiment.epochs]
        return Observed(said, name, len(ended), over_seeds(said, [each.points[-1][1] for each in ended]))

    def spread(self, curve: str, measure: Measure) -> dict[int, Spread]:
        """What was measured, over seeds, by epochs after which all of them were."""
        every = [dict(each.points) for each in self.learners[curve]]
        epochs = [epoch for epoch in every[0] if all(epoch in each for each in every)] if every else []
        found = {epoch: [each[epoch].get(measure) for each in every] for epoch in epochs}
        return {
            epoch: Spread.of([value for value in values if value is not None])
            for epoch, values in found.items()
            if None not in values
        }

    @property
    def ending(self) -> Ending:
        return Ending(INTERRUPTED if self.interrupted else int(self.complaint is not None), self.complaint)

    @property
    def data(self) -> dict[str, Any]:
        experiment = self.experiment
        return {
            "experiment": experiment.name,
            "title": experiment.title,
            "source": experiment.source,
            "figure": experiment.figure,
            "epochs": self.epochs,
            "printed_seeds": experiment.printed_seeds,
            "apart": [*experiment.apart],
            "curves": [self._curve(experiment.curve(name)) for name in self.learners],
            "said": [
                {
                    "place": each.said.place,
                    "says": each.said.says,
                    "curve": each.curve,
                    "read_as": each.said.read_as,
                    "here": each.here,
                    "verdict": VERDICT,
                    "agrees": each.agrees,
                    "seeds": each.seeds,
                }
                for each in self.observed
            ],
            "written": None if self.written is None else str(self.written.file),
            "bits": None if self.written is None else self.written.bits,
            "complete": self.complaint is None,
        }

    def _curve(self, curve: AnyCurve) -> dict[str, Any]:
        learners = self.learners[curve.name]
        spreads = {measure: self.spread(curve.name, measure) for measure in self.experiment.measures}
        return {
            "name": curve.name,
            "trained_length": curve.lengths[0],
            "tested_length": curve.lengths[1],
            "varied": curve.varied,
            "printed": curve.printed,
            "seeds": [each.seed for each in learners],
            "seconds": round(sum(each.seconds for each in learners), 3),
            "points": [
                {
                    "epoch": epoch,
                    **{name: vars(spread[epoch]) for name, spread in spreads.items() if epoch in spread},
                }
                for epoch in spreads["accuracy"]
            ],
        }

    def report(self) -> Iterator[Plain]:
        """What was trained, each curve after its last epoch, what the paper says, and what is not as in print."""
        experiment = self.experiment
        yield Paragraph(f"{experiment.name}: {experiment.title}")
        yield Paragraph(f"{experiment.source}, {experiment.figure}; in print {_runs(experiment.printed_seeds)}")
        yield Paragraph(
            f"Each epoch has {experiment.steps} steps on {experiment.step}; after the last one, the median over seeds, "
            f"and between what the middle half lies; in print: the mean {experiment.in_print}:"
        )
        shown = [name for name in experiment.measures if name not in HIDDEN]
        header = ("curve", "trained on", "tested on", "seeds", "epochs", *shown, "in print", "time")
        rows = [row for name in self.learners if (row := self._row(experiment.curve(name), shown)) is not None]
        yield Table(header, rows, right=frozenset({"seeds", "epochs", "in print", "time"}))
        if self.observed:
            yield Heading(3, "What the paper says, and what is observed here")
            columns = ("place", "curve", "says", "read as", "here", "agrees", "seeds")
            yield Table(columns, [_told(each) for each in self.observed], right=frozenset({"here", "seeds"}))
        if experiment.apart:
            yield Heading(3, "What is not as in print")
            yield Items(experiment.apart)
        if self.written is not None:
            learner, file, bits = self.written.learner, self.written.file, self.written.bits
            rounded = "" if bits is None else f", {self.written.rounding}"
            written = f"{learner.curve}, seed {learner.seed}, is written to {file}{rounded}"
            yield Paragraph(f"{written}; prove it with: weightproof prove {file}")

    def _row(self, curve: AnyCurve, shown: Sequence[Measure]) -> list[Text] | None:
        learners = self.learners[curve.name]
        if not (spreads := {measure: self.spread(curve.name, measure) for measure in shown})["accuracy"]:
            return None
        epoch = max(spreads["accuracy"])
        seconds = sum(each.seconds for each in learners)
        return [
            curve.name,
            curve.trained_on,
            curve.tested_on,
            str(len(learners)),
            str(epoch),
            *(str(spread.get(epoch, "-")) for spread in spreads.values()),
            "-" if curve.printed is None else f"{curve.printed:.3g}",
            f"{seconds:.1f} s",
        ]


def _runs(number: int) -> str:
    return f"{number} runs" if number else "it is not said of how many runs"


def _told(each: Observed) -> list[Text]:
    said = {True: "yes", False: "no", None: "not trained so long"}[each.agrees]
    return [
        each.said.place,
        each.curve,
        each.said.says,
        each.said.read_as,
        "-" if each.here is None else f"{each.here:.4g}",
        Styled(said, STYLES[each.agrees]),
        str(each.seeds),
    ]


@dataclass(frozen=True, repr=False)
class Experiments(Reported):
    """What can be trained."""

    experiments: tuple[AnyExperiment, ...]

    @property
    def data(self) -> dict[str, Any]:
        return {
            "experiments": [
                {
                    "name": each.name,
                    "title": each.title,
                    "source": each.source,
                    "figure": each.figure,
                    "curves": [curve.name for curve in each.curves],
                    "seeds": each.seeds,
                    "epochs": each.epochs,
                }
                for each in self.experiments
            ],
            "missing": [{"place": place, "why": why} for place, why in MISSING],
        }

    def report(self) -> Iterator[Plain]:
        """Names, where they are printed, and what cannot be trained here."""
        rows = [
            (
                each.name,
                each.title,
                f"{each.source}, {each.figure}",
                str(len(each.curves)),
                str(each.seeds),
                str(each.epochs),
            )
            for each in self.experiments
        ]
        header = ("experiment", "what", "printed in", "curves", "seeds", "epochs")
        yield Table(header, rows, right=frozenset({"curves", "seeds", "epochs"}))
        yield Heading(3, "What cannot be trained here")
        yield Items(tuple(f"{place}: {why}" for place, why in MISSING))


MISSING = (
    (
        "Nowak et al. (2022), section 4.2, figure 5, left",
        "ONE with the encodings i/n, by which no two of 1000 positions are alike; it is here with those of FIRST.",
    ),
    (
        "Bhattamishra et al. (2020), section 5, table 2",
        "translation from German to English, and from English to Vietnamese; its corpora are no part of this program "
        "and cannot be had here.",
    ),
    (
        "Fraknoi (2024), section 4",
        "modular addition, which it reports from other papers, and of experiments of its own without numbers.",
    ),
    (
        "Fraknoi (2024), section 5.4, figures 4 to 8, and section 5.5, figure 9",
        "heads of one network by pairs, and 64 heads beside one; halving them, and Shapley values, are here.",
    ),
    (
        "Chiang and Cholak (2022), section 5.4, table 1",
        "translation from English to Vietnamese; its corpus is no part of this program and cannot be had here.",
    ),
)
"""Experiments in print that are none of these, and why."""
