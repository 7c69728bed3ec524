"""What stands in docs/training.md is what was kept of training, and what was kept is of the experiments as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.places import ROOT
from tests.support.schemas import faults
from weightproof.learning.report import OVER_SEEDS, Observed
from weightproof.numeric.learning.library import experiments

RESULTS = {
    path.name.removeprefix("learning-").removesuffix("-cpu.json"): json.loads(path.read_text())
    for path in sorted((ROOT / "benchmarks" / "results").glob("learning-*-cpu.json"))
}
PAGE = (ROOT / "docs" / "training.md").read_text()


def test_every_experiment_has_results() -> None:
    assert RESULTS.keys() == experiments().keys()


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_of_the_experiment(name: str) -> None:
    data, experiment = RESULTS[name], experiments()[name]
    assert faults("learn", data) == []
    assert [curve["name"] for curve in data["curves"]] == [curve.name for curve in experiment.curves]
    assert all(curve["seeds"] == [*range(experiment.seeds)] for curve in data["curves"])
    assert all([point["epoch"] for point in curve["points"]] == [*experiment.points] for curve in data["curves"])
    assert data["apart"] == [*experiment.apart]
    last = {curve["name"]: curve["points"][-1] for curve in data["curves"]}
    said = iter(data["said"])
    for each in experiment.said:
        for curve in each.curves:
            row = next(said)
            assert (row["says"], row["curve"], row["read_as"]) == (each.says, curve, each.read_as)
            assert row["agrees"] == Observed(each, curve, experiment.seeds, row["here"]).agrees
            if each.of in last[curve][each.measure]:
                assert row["here"] == last[curve][each.measure][each.of]
            else:
                assert each.of in OVER_SEEDS
    assert next(said, None) is None


def rows(name: str, data: dict[str, Any]) -> Iterator[str]:
    """Those of the table of the page, of one experiment."""
    for curve in data["curves"]:
        found = curve["points"][-1][experiments()[name].in_print]
        spread = f"{found['median']:.3g} ({found['lower']:.3g} to {found['upper']:.3g})"
        printed = "-" if curve["printed"] is None else f"{curve['printed']:.3g}"
        minutes = f"{curve['seconds'] / 60:.1f}"
        cells = (f"`{name}`", curve["name"], f"{found['mean']:.3g}", spread, printed, len(curve["seeds"]), minutes)
        yield f"| {' | '.join(map(str, cells))} |"


def onwards(name: str, data: dict[str, Any]) -> Iterator[str]:
    """Of what begins with an exact solution: mean accuracies before the first step, where they are least, and at the
    end."""
    for curve in data["curves"]:
        means = {point["epoch"]: point["accuracy"]["mean"] for point in curve["points"]}
        if 0 in means:
            least = min(means, key=lambda epoch: means[epoch])
            told = (f"{means[0]:.3g}", f"{means[least]:.3g}, after {least}", f"{[*means.values()][-1]:.3g}")
            yield f"| `{name}` | {' | '.join((curve['name'], *told))} |"


@pytest.mark.parametrize("name", RESULTS)
def test_the_page_has_them(name: str) -> None:
    wanted = [*onwards(name, RESULTS[name]), *rows(name, RESULTS[name])]
    assert [row for row in PAGE.splitlines() if row.startswith(f"| `{name}` | ")] == wanted, "\n".join(wanted)


def test_the_page_says_how_many_agree() -> None:
    said = [each for data in RESULTS.values() for each in data["said"]]
    agree = sum(each["agrees"] for each in said)
    assert f"{agree} of {len(said)} are observed here" in " ".join(PAGE.split())
