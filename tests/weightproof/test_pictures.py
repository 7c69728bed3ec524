"""What the pictures and findings/precision are made from: curves on words that are known, results that are refused."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb, exp, floor, log2
from pathlib import Path
from typing import Any

import covering
import cross_entropy
import curves
import numpy as np
import pictures
import pytest
import report
import weight
from flint import arb

from tests.support.places import ROOT
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.inputs import InputError

LONGEST = 260
"""Lines of a page."""
RESULTS = ROOT / "benchmarks" / "results"


def test_a_logit_of_zero_leaves_one_bit() -> None:
    assert curves.cross_entropy(np.zeros(4), np.array([True, False, True, False])) == 1


def test_cross_entropy_is_that_of_the_right_answer() -> None:
    """A sigmoid of 3/4 for a member costs log2(4/3) bits, for another word 2."""
    logit = np.log([3.0])
    assert curves.cross_entropy(logit, np.array([True])) == pytest.approx(np.log2(4 / 3))
    assert curves.cross_entropy(logit, np.array([False])) == pytest.approx(2)


def test_cross_entropy_does_not_overflow() -> None:
    assert curves.cross_entropy(np.array([1e4]), np.array([False])) == pytest.approx(1e4 / np.log(2))


def test_accuracy_is_the_share_of_right_decisions() -> None:
    members = np.array([True, False, True, True])
    assert curves.accuracy(members, members) == 1
    assert curves.accuracy(~members, members) == 0
    assert curves.accuracy(np.array([True, True, True, True]), members) == 0.75


def test_the_words_of_a_curve_are_the_same_every_time() -> None:
    assert curves.drawn(PARITY, "random", 9, 5) == curves.drawn(PARITY, "random", 9, 5)
    assert len(curves.drawn(PARITY, "random", 9, 5)) == 5
    assert "1" * 9 in curves.drawn(PARITY, "each count", 9, 100)


def test_lengths_are_spaced_over_the_decades() -> None:
    lengths = curves.spaced(1000, 10)
    assert (lengths[0], lengths[-1]) == (10, 1000)
    assert list(lengths) == sorted(set(lengths))


def test_a_curve_is_measured() -> None:
    curve = curves.Curve(
        "p", "parity", "log(2)", "bfloat16", "strict", "logit > 0", "each count", (2, 29), symbols=10**6
    )
    found = curve.measured()
    assert found["values"][0] == 1
    assert found["values"][1] < 1  # 1{23}0{6} is the shortest word that fails
    assert found["counts"] == [len(curves.drawn(PARITY, "each count", n, 1000)) for n in (2, 29)]


def test_the_committed_curves_are_those_that_are_measured() -> None:
    found = json.loads((RESULTS / "curves-cpu.json").read_text())
    assert found["machine"].keys() >= {"processor", "threads", "libraries", "date"}
    assert [
        {key: row[key] for key in curve.key} for row, curve in zip(found["curves"], curves.curves(), strict=True)
    ] == [curve.key for curve in curves.curves()]
    for row in found["curves"]:
        assert len(row["lengths"]) == len(row["values"]) == len(row["counts"])


@pytest.mark.controls
def test_every_picture_is_drawn_and_always_the_same(tmp_path: Path) -> None:
    first, second = (pictures.draw(RESULTS, tmp_path / name) for name in ("one", "two"))
    assert [path.stem for path in first] == [*pictures.PICTURES]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(first, second, strict=True))
    committed = {path.name for path in (ROOT / "benchmarks" / "pictures").glob("*.png")}
    assert committed == {path.name for path in first}


BROKEN = {
    "missing": (None, "No such file or directory; make it with: make precision"),
    "no JSON": ("{", "no such results; make them anew with: make precision"),
    "no rows": ('{"rows": 3}', "no such results; make them anew"),
    "without a row": ('{"rows": []}', "no row with construction parity, dtype bfloat16"),
}


@pytest.mark.parametrize(("content", "says"), BROKEN.values(), ids=BROKEN)
def test_results_that_cannot_be_drawn_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, says: str
) -> None:
    parity = "accuracy-parity"  # the first that is drawn from the file
    monkeypatch.setattr(pictures, "PICTURES", {parity: pictures.PICTURES[parity]})
    for name in (pictures.CURVES, pictures.LONG):
        (tmp_path / name).write_bytes((RESULTS / name).read_bytes())
    if content is not None:
        (tmp_path / pictures.PRECISION).write_text(content)
    with pytest.raises(InputError) as refused:
        pictures.draw(tmp_path, tmp_path / "pictures")
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_report_in_the_repository_is_made_from_the_results() -> None:
    there = {path.stem: path.read_text() for path in (ROOT / "findings" / "precision").glob("*.md")}
    now = report.pages()
    assert there.keys() == now.keys(), "a page is missing, or of what is gone; run: make report"
    assert [name for name, text in now.items() if there[name] != text] == [], "out of date; run: make report"


def test_a_page_of_the_report_is_of_a_size_that_a_person_reads() -> None:
    assert {name for name, text in report.pages().items() if len(text.splitlines()) > LONGEST} == set()


def test_a_failure_is_not_missed_that_another_search_found() -> None:
    row = {"construction": "one", "dtype": "float16", "attention": "strict", "rule": "r", "luck": None, "kernel": None}
    far = row | {"first_failing_length": None, "predicted_length": 544, "probed_to": 9_000}
    near, found = far | {"probed_to": 800}, far | {"first_failing_length": 550, "probed_to": 550}
    assert report.predicted([near, far])[2:] == ["| one | float16 | strict | r | 544 | 9,000 |"]
    assert report.predicted([far, found])[2:] == report.predicted([found, far])[2:] == []


def test_the_page_shows_the_table_of_the_results() -> None:
    rows = [*report.load("precision-cpu.json")["rows"], *report.load("precision-long-cpu.json")["rows"]]
    table = "\n".join(report.summary(rows))
    assert table in (ROOT / "docs/rounding.md").read_text()


def test_a_published_claim_is_broken_by_a_short_witness_alone() -> None:
    row = {
        "first_failing_length": 5858,
        "certified_safe_length": 499,
        "witness": {"word": "1{5858}"},
        "probed_to": 9000,
        "in_full": [[0, 200], [300, 310]],
    }
    assert list(
        report.published(
            [row | {"construction": "parity", "dtype": "float32", "attention": "a", "kernel": "k", "rule": "r"}]
        )
    ) == ["- parity, a (k), r: **broken** by `1{5858}`."]
    longer = row | {"first_failing_length": 158_695}
    assert "not broken, nor proved" in report._verdict(longer)
    assert "proved up to 12,000" in report._verdict(longer | {"certified_safe_length": 12_000})
    said = report._verdict(row | {"first_failing_length": None})
    assert "families in full at 0-200, 300-310 symbols, and looked at up to 9,000" in said


def test_a_published_claim_is_judged_on_published_code_first() -> None:
    row = {"construction": "one", "dtype": "float32", "rule": "r", "first_failing_length": 9, "witness": {"word": "1"}}
    row |= {"certified_safe_length": None, "kernel": None}
    rows = [row | {"attention": kind} for kind in ("strict", "explicit", "matmul")]
    assert [line.split(", ")[1] for line in report.published(rows)] == ["matmul", "strict", "explicit"]


def test_what_is_measured_under_a_norm_is_what_the_interpreter_contains() -> None:
    row = cross_entropy.measured("first", "1/100000", 10, 5)
    assert row["float64"] == row["exact"]
    assert (row["words"], row["all"]) == (5, "0.119517")


def test_the_committed_cross_entropies_agree_to_six_digits() -> None:
    rows = json.loads((RESULTS / "cross-entropy-cpu.json").read_text())["rows"]
    assert [(row["construction"], row["epsilon"], row["length"]) for row in rows] == [
        (name, epsilon, length)
        for name in cross_entropy.FIGURE
        for epsilon in curves.NORMS
        for length in cross_entropy.LENGTHS
    ]
    assert all(row["float64"] == row["exact"] for row in rows)
    assert all(len(row["exact"].replace(".", "").lstrip("0")) == cross_entropy.DIGITS for row in rows)


def place(weight_: Fraction, ones: int) -> tuple[int, Fraction]:
    """The position below which the 1s are counted to stand, and how far beyond it."""
    return floor(weight_ * ones), weight_ * ones % 1


def is_right(weight_: Fraction, ones: int) -> bool:
    """By appendix A of Chiang and Cholak (2022), for odd n: with the mark shared by two positions, the odd one has
    n + 1 times its share and the even one n - 1 times."""
    n = weight.LENGTH + 1
    below, beyond = place(weight_, ones)
    marked = {at: share for at, share in ((below, 1 - beyond), (below + 1, beyond)) if at < n}
    odd, even = (sum(share for at, share in marked.items() if at % 2 == which) for which in (1, 0))
    return (odd * (n + 1) > even * (n - 1)) == (ones % 2 == 1)


def is_open(weight_: Fraction, ones: int) -> bool:
    n = weight.LENGTH + 1
    below, beyond = place(weight_, ones)
    return below >= n or abs(beyond - Fraction(1, 2)) <= Fraction(1, n)


def check_of_one_weight(row: dict[str, Any]) -> None:
    """The line to the last bit; the points but for counts within 1/n of the middle of two positions, where norms move
    the point at which both weigh the same, and those beyond the word, where no position has the mark, the logit is 0
    and rounding decides. A cost is that of the accuracy, as each logit is 3 or -3."""
    at, length = Fraction(row["weight"]), weight.LENGTH
    assert row["derived accuracy"] == sum(comb(length, k) for k in range(length + 1) if is_right(at, k)) / 2**length
    counts = [word.count("1") for word in curves.drawn(PARITY, "random", length, weight.WORDS)]
    open_ones = [k for k in counts if is_open(at, k)]
    sure = sum(is_right(at, k) for k in counts if k not in open_ones)
    assert sure <= round(row["accuracy"] * weight.WORDS) <= sure + len(open_ones)
    costs = row["accuracy"] * log2(1 + exp(-3)) + (1 - row["accuracy"]) * log2(1 + exp(3))
    # A norm and a product leave a logit within 8 units of roundoff, a sum of 1,000 terms in pairs another 20.
    assert row["cross-entropy"] == pytest.approx(costs, rel=2**-47)


def test_one_weight_is_measured_and_derived() -> None:
    """Where the weight is right all are; at 19/20 20 of 40 are counted as 19, which turns most decisions round."""
    right, wrong = weight.rows(("1", "19/20"))
    check_of_one_weight(right)
    check_of_one_weight(wrong)
    assert (right["accuracy"], right["derived accuracy"]) == (1, 1)
    with pytest.raises(AssertionError):
        check_of_one_weight(right | {"weight": "19/20"})
    with pytest.raises(AssertionError):
        check_of_one_weight(right | {"accuracy": 0.999})


def test_the_committed_weights_are_those_that_are_measured() -> None:
    rows = json.loads((RESULTS / "weight-cpu.json").read_text())["rows"]
    assert [row["weight"] for row in rows] == [*weight.WEIGHTS]
    for row in rows:
        check_of_one_weight(row)


def test_what_covering_costs_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    found = covering.measured(1, 4, 8)
    assert (found["verdict"], found["words"]) == ("proved", 2**7)
    assert found["run"] <= 2**7
    monkeypatch.setattr(covering, "ABOVE", -covering.ABOVE)  # some word is below 0
    assert covering.measured(1, 4, 8)["verdict"] == "refuted"


def test_the_committed_costs_are_of_what_is_measured() -> None:
    rows = json.loads((RESULTS / "covering-cpu.json").read_text())["rows"]
    points = {(grows, *point) for grows, series in covering.points() for point in series}
    assert {(row["grows"], row["layers"], row["width"], row["n"]) for row in rows} <= points
    for row in rows:
        assert row["verdict"] == "proved"
        assert row["words"] == 2 ** (row["n"] - 1)
        assert row["seconds"] <= covering.MOST


def test_digits_are_those_of_every_number_in_a_ball() -> None:
    assert cross_entropy.digits(arb(0.5, 1e-9)) == ["0.500000", "+/-", "1.01e-9"][0]
    assert "+/-" in cross_entropy.digits(arb(0.5, 1e-3))


def test_bits_are_those_of_the_right_answer() -> None:
    logit = arb(3).log()
    assert cross_entropy.bits(logit, True).overlaps((arb(4) / 3).log() / arb(2).log())
    assert cross_entropy.bits(logit, False).overlaps(arb(2))
