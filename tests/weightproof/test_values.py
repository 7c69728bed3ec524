"""Values made anew of data: all that was there comes back, and nothing that does not fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from weightproof.proofs.verdict import (
    Checked,
    Compiled,
    Counterexample,
    Evidence,
    Proved,
    Refuted,
    Result,
    Unchecked,
    Unknown,
    Verdict,
    Written,
    WrongStep,
)
from weightproof.values import Misfit, data_of, value

STEP = WrongStep(3, "u", "1/2", "0", at=2, put_in={"v": "1"}, beside=True)
VERDICTS: dict[str, Verdict] = {
    "proved": Proved("all lengths", Evidence.CERTIFICATE),
    "bounded": Proved("n <= 2", Evidence.BOUNDED, words=7),
    "refuted": Refuted(Counterexample("one", "01é\n", {"c": "log(2)"}, member=True, accepts=False, logit="-1/9")),
    "by kernel": Refuted(Counterexample("one", "", {}, bits=64, note="0 is not above 0"), Evidence.KERNEL),
    "counted": Refuted(Counterexample("one", "0{1000}1", {}, right="1", predicted="0", symbols=1001)),
    "step": Refuted(Counterexample.at(STEP, "machine", "01")),
    "unknown": Unknown("no rule applies", obligation="n odd", timed_out=True),
}


def result(verdict: Verdict, **other: Any) -> Result:
    return Result(
        "one", "t", "s", ("n > 1",), None, verdict, "proved", ("z3 5",), {"open": 1}, 0.1 + 0.2, 1e-9, **other
    )


RESULTS = {name: result(verdict) for name, verdict in VERDICTS.items()} | {
    "with more": result(VERDICTS["proved"], predicts={"a": "n > 1"}, invariant="S1 > 0", written=Written(2, "some")),
    "checked": result(VERDICTS["proved"], kernel=Checked("8.20", (Compiled("a.v", 3, 0.5),), ("an.axiom",))),
    "unchecked": result(VERDICTS["proved"], kernel=Unchecked(written=False, reason="no")),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_comes_back_whole(name: str) -> None:
    data = json.loads(json.dumps(data_of(RESULTS[name])))
    again = value(Result, data)
    assert again == RESULTS[name]
    assert type(again.verdict) is type(RESULTS[name].verdict)
    assert data_of(again) == data_of(RESULTS[name])


def test_evidence_comes_back_as_evidence() -> None:
    assert value(Result, data_of(RESULTS["proved"])).verdict.evidence is Evidence.CERTIFICATE


def leaves(data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands."""
    if not isinstance(data, dict | list):
        return [place]
    inside = data.items() if isinstance(data, dict) else enumerate(data)
    return [place, *(each for name, item in inside for each in leaves(item, (*place, name)))]


def changed(data: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    name, *rest = place
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[name] = changed(data[name], tuple(rest), new)
    return copy


@pytest.mark.parametrize("name", RESULTS)
def test_what_does_not_fit_is_refused_wherever_it_stands(name: str) -> None:
    data = json.loads(json.dumps(data_of(RESULTS[name])))
    for place in leaves(data):
        with pytest.raises(Misfit):
            value(Result, changed(data, place, [[]]))


@pytest.mark.parametrize("name", RESULTS)
def test_a_field_more_or_less_is_refused(name: str) -> None:
    data = json.loads(json.dumps(data_of(RESULTS[name])))
    for field in data:
        with pytest.raises(Misfit):
            value(Result, {key: each for key, each in data.items() if key != field})
    with pytest.raises(Misfit):
        value(Result, data | {"more": 1})


def test_a_verdict_is_told_by_its_name() -> None:
    data = data_of(VERDICTS["proved"])
    for name in ("refuted", "unknown", "", None):
        with pytest.raises(Misfit):
            value(Verdict, data | {"name": name})


@pytest.mark.parametrize(
    ("kind", "data"),
    [(int, True), (bool, 1), (float, True), (str, 1), (int, 1.0), (float, "1"), (type(None), 0), (Evidence, "none")],
)
def test_no_value_passes_for_one_of_another_type(kind: Any, data: object) -> None:
    with pytest.raises(Misfit):
        value(kind, data)


def test_a_misfit_says_where_and_what() -> None:
    data = data_of(RESULTS["proved"]) | {"seconds": "x" * 99}
    with pytest.raises(Misfit) as told:
        value(tuple[Result, ...], [data], "theorems")
    assert str(told.value) == f"theorems[0].seconds is '{'x' * 36}..."


@dataclass(frozen=True)
class One:
    number: Sequence[float]


@dataclass(frozen=True)
class Other(One):
    """With the same fields."""


@dataclass(frozen=True)
class Holding:
    first: One
    both: tuple[str, tuple[One, ...]]
    some: frozenset[str]
    open: Any = None


def test_of_classes_with_the_same_fields_each_comes_back_as_itself() -> None:
    held = Holding(Other((1.5,)), ("a", (One((2.0,)), Other(()))), frozenset("cab"), {"x": [1, None]})
    data = json.loads(json.dumps(data_of(held)))
    assert value(Holding, data) == held
    assert data["some"] == ["a", "b", "c"]
    for place in (("first", "is"), ("both", 1, 0, "is")):
        with pytest.raises(Misfit):
            value(Holding, changed(data, place, "Holding"))
    with pytest.raises(Misfit):  # no kind is what a class made of it is not
        value(Other, data_of(One(())))
    with pytest.raises(Misfit):
        value(Holding, changed(data, ("both",), ["a"]))
