"""The failure lengths that are kept in the repository: of these weights, bounded from both sides, and still failing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import report

from tests.support.places import ROOT
from weightproof.constructions.languages.notation import expand
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.record import digest
from weightproof.measuring.replaying import HELD, run_again
from weightproof.measuring.session import DTYPES
from weightproof.numeric.model.transformer import Transformer, rules
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.subjects.registry import search_of

pytestmark = pytest.mark.xdist_group("precision results")
RESULTS = ROOT / "benchmarks" / "results" / "precision-cpu.json"
KINDS = ("strict", "explicit", "fused", "matmul")
LONGEST = 2_000
"""Symbols of a witness that is run again."""

Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    data = json.loads(RESULTS.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert data["complete"] is True
    found: list[Row] = data["rows"]
    return found


def unknown(rows: list[Row]) -> list[str]:
    """Constructions, dtypes, kinds of attention and rules without a row for the weights as they are now, of the
    constructions that have rows: the others are not measured yet, as findings/precision says of each."""
    present = {
        (row["construction"], row["dtype"], row["attention"], row["rule"])
        for row in rows
        if row["device"] == "cpu"
        and row["sha256"] == digest(load(row["construction"]))
        and row["parameters"] == {p.name: p.default.source for p in load(row["construction"]).parameters}
    }
    missing = []
    for name, dtype, attention in product({row["construction"]: None for row in rows}, DTYPES, KINDS):
        network = Transformer(load(name)).network
        for rule in rules(network, None):
            if (name, dtype, attention, rule.name) not in present:
                missing.append(f"{name}, {dtype}, {attention}, {rule.name}")
    return missing


def crossed(rows: list[Row]) -> list[str]:
    """Rows whose certified length is not below their failing length, or that lack one of the two."""
    return [place(row) for row in rows if not (covered(row) and bracketed(row))]


def covered(row: Row) -> bool:
    """Whether a row has a certificate exactly where one covers its kind, and a witness exactly where it fails."""
    certifiable = row["attention"] != "fused"
    certified, failing = row["certified_safe_length"] is not None, row["first_failing_length"] is not None
    return certified == certifiable and failing == (row["witness"] is not None)


def bracketed(row: Row) -> bool:
    certified, failing = row["certified_safe_length"], row["first_failing_length"]
    if failing is None:
        return True
    below = max(row["searched_to"], *(known for known in (certified, row["certified_strict"]) if known is not None), -1)
    return bool(below < failing == len(expand(row["witness"]["word"])))


def overstated(rows: list[Row]) -> list[str]:
    """Rows that say more than was searched: the least failure where a shorter word was neither run nor certified, or
    that of the families with a gap below it, luck before the likeliest length."""
    return [
        place(row)
        for row in rows
        if (least(row), of_families(row)) != (row["least"], row["of_families"])
        or not (row["luck"] is None or expected(row))
    ]


def least(row: Row) -> bool:
    """Whether every shorter word was run, or is certified."""
    failing = row["first_failing_length"]
    if failing is None:
        return False
    certified = max(row["certified_safe_length"] or 0, row["certified_strict"] or 0)
    return failing <= certified + 1 or (row["searched"] == "exhaustive" and of_families(row))


def of_families(row: Row) -> bool:
    network = load(row["construction"]).network
    shortest = 0 if network.begin is not None or network.end is not None else 1
    failing = row["first_failing_length"]
    return failing is not None and {*range(shortest, failing)} <= in_full(row)


def in_full(row: Row) -> set[int]:
    return {length for first, last in row["in_full"] for length in range(first, last + 1)}


def expected(row: Row) -> bool:
    """Whether families were run in full where a failure is predicted, or else where the format stops counting."""
    counted = None if row["luck"].startswith("the margin") else 1 << FORMATS[row["dtype"]].precision
    wanted = counted if row["predicted_length"] is None else row["predicted_length"]
    return (wanted is None or wanted in in_full(row)) and "families were run in full at " in row["luck"]


def place(row: Row) -> str:
    return ", ".join(row[name] for name in ("construction", "dtype", "attention", "rule"))


def fails(row: Row) -> bool:
    """Whether the witness of a strict row is still decided wrongly, with the logit that is kept."""
    return run_again(row, 0, search_of).verdict == HELD


def replayed(rows: list[Row]) -> list[Row]:
    return [
        row
        for row in rows
        if row["attention"] == "strict" and row["witness"] and row["first_failing_length"] <= LONGEST
    ]


def test_of_what_is_measured_every_dtype_and_kind_of_attention_is_there(rows: list[Row]) -> None:
    assert unknown(rows) == []


def test_a_construction_that_has_no_rows_is_no_fault_and_is_listed_as_unmeasured(rows: list[Row]) -> None:
    others = [row for row in rows if row["construction"] != "one"]
    assert unknown(others) == crossed(others) == overstated(others) == []
    line = "| one | unmeasured | - | - | - |"
    assert line in report.summary(others, report.unmeasured(names(), others))
    assert line not in report.summary(rows, report.unmeasured(names(), rows))
    assert unknown([*others, next(row for row in rows if row["construction"] == "one")]) != []


def test_certified_lengths_are_below_failing_lengths(rows: list[Row]) -> None:
    assert crossed(rows) == []


def test_the_least_and_luck_are_said_only_of_what_was_searched(rows: list[Row]) -> None:
    assert overstated(rows) == []


def test_the_failure_of_one_in_float16_is_there(rows: list[Row]) -> None:
    [row] = [row for row in rows if place(row) == "one, float16, strict, logit > 0"]
    assert (row["first_failing_length"], row["witness"]["word"], row["luck"]) == (550, "1{540}0{10}", None)
    assert row["predicted_length"] in in_full(row)


def test_every_long_word_of_the_page_on_rounding_is_a_witness_of_a_row() -> None:
    page = (ROOT / "docs" / "rounding.md").read_text()
    files = [json.loads(path.read_text()) for path in RESULTS.parent.glob("precision-*.json")]
    witnesses = {(row.get("witness") or {}).get("word") for data in files for row in data["rows"]}
    words = set(re.findall(r"[`'](\S*\{\d+\}\S*)[`']", page))
    assert words
    assert words <= witnesses


@pytest.mark.parametrize("name", names())
def test_strict_witnesses_still_fail(rows: list[Row], name: str) -> None:
    again = [row for row in replayed(rows) if row["construction"] == name]
    assert [place(row) for row in again if not fails(row)] == []


def test_there_are_witnesses_to_replay(rows: list[Row]) -> None:
    assert {"parity", "one", "palindrome", "dyck1"} <= {row["construction"] for row in replayed(rows)}


CHANGES: dict[str, tuple[Callable[[list[Row]], list[Any]], dict[str, Any]]] = {
    "other weights": (unknown, {"sha256": "0" * 64}),
    "another dtype": (unknown, {"dtype": "float12"}),
    "another parameter": (unknown, {"parameters": {"c": "1"}}),
    "certified too far": (crossed, {"certified_safe_length": 29}),
    "certified too far in strict order": (crossed, {"certified_strict": 29}),
    "certified nothing": (crossed, {"certified_safe_length": None}),
    "another length": (crossed, {"first_failing_length": 28}),
    "searched beyond it": (crossed, {"searched_to": 29}),
    "a gap below the least": (overstated, {"in_full": [[0, 11], [13, 28]]}),
    "the least of the families alone": (overstated, {"certified_strict": 18}),
    "the least that is kept quiet": (overstated, {"least": False}),
    "families that are kept quiet": (overstated, {"of_families": False}),
    "luck without a search": (overstated, {"luck": "for no known reason; families were run in full at 0-28 symbols"}),
    "luck beside the prediction": (overstated, {"luck": "families were run in full at 0-28", "predicted_length": 29}),
}


def witness_of_parity(rows: list[Row]) -> Row:
    [row] = [row for row in rows if place(row) == "parity, bfloat16, strict, logit > 0"]
    return row


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_noticed(rows: list[Row], change: str) -> None:
    check, changed = CHANGES[change]
    row = witness_of_parity(rows)
    others = [other for other in rows if other is not row]
    assert check([*others, row]) == []
    assert len(check([*others, row | changed])) == 1


@pytest.mark.parametrize("changed", [{"word": "1{23}0{5}"}, {"logit": 0.0}, {"member": False}])
def test_a_changed_witness_is_noticed(rows: list[Row], changed: dict[str, Any]) -> None:
    row = witness_of_parity(rows)
    assert fails(row)
    assert not fails(row | {"witness": row["witness"] | changed})
