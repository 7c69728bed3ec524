"""Rows of `precision` in a file: what is read is checked, what is added takes nothing away."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.measuring.kept import Row, Rows, added, taken_up

NETWORK: Row = {"construction": "mine.py", "sha256": "0" * 64, "parameters": {"c": "1"}}
LAW: Row = {**NETWORK, "tolerance": None, "form": "power", "rate": 0.5, "text": "u^-0.50", "points": [[8, 16]]}
FAMILY: Row = {
    **NETWORK,
    "dtype": "float16",
    "device": "cpu",
    "attention": "strict",
    "kernel": None,
    "max_length": 30,
    "rule": "argmax, alone",
    "certified_safe_length": None,
    "first_failing_length": 3,
    "least": True,
    "witness": {"word": "010"},
    "mechanism": None,
    "searched": "exhaustive",
    "searched_to": 2,
    "refused": None,
    "machine": 0,
}
SIMULATED: Row = {**FAMILY, "simulator": "rnn", "witness": {"word": "010", "step": 2, "unit": "x", "computed": "0.5"}}
PREDICTING: Row = {**FAMILY, "searched_in_full": 2, "witness": {"word": "010", "right": "1", "outputs": {"1": "0.5"}}}
ENCODER: Row = {
    **FAMILY,
    "tolerance": None,
    "witness": {"word": "010", "member": True, "accepts": False, "logit": "nan"},
    "predicted_length": None,
    "luck": None,
    "followed": False,
    "of_families": False,
    "only_in_batches": None,
    "in_full": [[0, 2]],
    "in_part": [],
}
ANOTHER: Row = {**FAMILY, "dtype": "bfloat16"}
HERE = {"processor": "x86_64", "threads": 2, "libraries": {"torch": "2.13.0"}, "date": "2026-11-22"}
THERE = HERE | {"processor": "aarch64"}


def written(path: Path, rows: list[Any], laws: list[Any], machines: list[Any]) -> Path:
    path.write_text(json.dumps({"machines": machines, "rows": rows, "laws": laws, "complete": True}))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.json"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "benchmarks" / "results").glob("precision-*.json")), ids=lambda p: p.name
)
def test_the_results_of_the_repository_are_whole(path: Path) -> None:
    kept = json.loads(path.read_text())
    assert taken_up(path).data == kept


def test_rows_of_all_kinds_stand_in_one_file(file: Path) -> None:
    rows = [FAMILY, SIMULATED, PREDICTING, ENCODER]
    assert taken_up(written(file, rows, [LAW], [HERE])) == Rows((HERE,), tuple(rows), (LAW,), True)


WRONG: list[tuple[Row, str, Any, str]] = [
    (FAMILY, "construction", 3, "rows[1] 'construction' is 3, and not a text"),
    (FAMILY, "sha256", "0" * 63, "and not 64 hexadecimal digits"),
    (FAMILY, "parameters", {"c": 1}, "rows[1], mine.py: 'parameters' is {'c': 1}, and not an object of texts"),
    (FAMILY, "dtype", "float12", "'dtype' is 'float12', and not one of float64, float32, bfloat16, float16"),
    (FAMILY, "dtype", ["float16"], "'dtype' is ['float16'], and not one of"),
    (FAMILY, "attention", "loud", "'attention' is 'loud', and not one of strict, explicit"),
    (FAMILY, "max_length", "30", "'max_length' is '30', and not a whole number from 0 on"),
    (FAMILY, "certified_safe_length", 1.5, "'certified_safe_length' is 1.5, and not a whole number, or null"),
    (FAMILY, "first_failing_length", -1, "'first_failing_length' is -1, and not a whole number from 0 on, or null"),
    (FAMILY, "least", 1, "'least' is 1, and not true or false"),
    (FAMILY, "witness", {}, "'witness' is {}, and not an object with a text 'word', or null"),
    (FAMILY, "witness", "010", "'witness' is '010', and not an object with"),
    (FAMILY, "searched_to", True, "'searched_to' is True, and not a whole number"),
    (FAMILY, "machine", 2, "'machine' is 2, of which there are only 1"),
    (FAMILY, "machine", -1, "'machine' is -1, and not a whole number from 0 on"),
    (SIMULATED, "witness", {"word": "0"}, "and not an object with a text 'word' and a whole number 'step' and a text"),
    (PREDICTING, "witness", {"word": "0"}, "and not an object with a text 'word' and a text 'right' and an object of"),
    (
        ENCODER,
        "witness",
        {"word": "0"},
        "with a text 'word' and true or false 'member' and true or false 'accepts' and",
    ),
    (ENCODER, "witness", ENCODER["witness"] | {"logit": "much"}, "and not an object with a text 'word' and true or"),
    (ENCODER, "first_failing_length", None, "has one of 'witness' and 'first_failing_length', and not the other"),
    (ENCODER, "witness", None, "has one of 'witness' and 'first_failing_length', and not the other"),
    (ENCODER, "witness", ENCODER["witness"] | {"logit": 10**400}, "and not an object with a text 'word' and true or"),
    (ENCODER, "tolerance", 10**400, "'tolerance' is 1000000000000000000000000000000000000..., and not a number from 0"),
    (ENCODER, "tolerance", -1, "'tolerance' is -1, and not a number from 0 on, or null"),
    (ENCODER, "tolerance", float("nan"), "'tolerance' is nan, and not a number from 0 on, or null"),
    (ENCODER, "in_full", [[0, 2, 3]], "'in_full' is [[0, 2, 3]], and not a list of pairs of whole numbers"),
    (ENCODER, "in_part", "x" * 100, "'in_part' is 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., and not a list of objects"),
]


def refused(capsys: pytest.CaptureFixture[str], file: Path) -> str:
    """By a command, before anything is measured; what is there is left."""
    before = file.read_bytes()
    assert main(["precision", "increment", "--keep", str(file)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith(f"weightproof: {file}: ")
    assert file.read_bytes() == before
    return captured.err


@pytest.mark.parametrize(
    ("row", "name", "value", "says"), WRONG, ids=[f"{name} {value!r:.9}" for _, name, value, _ in WRONG]
)
def test_a_row_with_a_mistake_is_told_by_file_row_and_key(
    capsys: pytest.CaptureFixture[str], file: Path, row: Row, name: str, value: Any, says: str
) -> None:
    assert says in refused(capsys, written(file, [FAMILY, row | {name: value}], [LAW], [HERE]))


@pytest.mark.parametrize("name", sorted(ENCODER.keys() - {"tolerance"}))
def test_a_row_without_a_key_is_told_so(capsys: pytest.CaptureFixture[str], file: Path, name: str) -> None:
    row = {key: value for key, value in ENCODER.items() if key != name}
    assert f"has no {name!r}" in refused(capsys, written(file, [row], [LAW], [HERE]))


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ({"rows": [], "machines": []}, "'laws' is no list"),
        ({"rows": 3, "machines": [], "laws": []}, "'rows' is no list"),
        ({"rows": [3], "machines": [], "laws": []}, "rows[0] is no object"),
        ({"rows": [], "machines": [3], "laws": []}, "machines[0] is no object"),
        ({"rows": [], "machines": [{}], "laws": []}, "machines[0] has no 'processor'"),
        ({"rows": [], "machines": [HERE | {"cpu": 3}], "laws": []}, "machines[0] 'cpu' is 3, and not a text, or null"),
        ({"rows": [], "machines": [HERE | {"blas": "mkl"}], "laws": []}, "'blas' is 'mkl', and not an object of texts"),
        ({"rows": [], "machines": [], "laws": [LAW | {"form": "line"}]}, "laws[0], mine.py: 'form' is 'line', and not"),
        ({"rows": [], "machines": [], "laws": [LAW | {"rate": "1"}]}, "'rate' is '1', and not a number, or null"),
    ],
)
def test_what_holds_no_rows_is_told_so(
    capsys: pytest.CaptureFixture[str], file: Path, kept: dict[str, Any], says: str
) -> None:
    file.write_text(json.dumps(kept))
    assert says in refused(capsys, file)


def test_of_a_search_that_both_have_the_first_rows_stay() -> None:
    first = Rows((HERE,), (ENCODER, ENCODER | {"rule": "another"}), (LAW,))
    again = Rows((THERE,), (ENCODER | {"searched_to": 5}, SIMULATED), (LAW | {"rate": 3.0},))
    assert first.joined(again) == Rows((HERE, THERE), (*first.rows, SIMULATED | {"machine": 1}), (LAW,))
    assert first.joined(first) == first
    assert first.joined(Rows()) == first
    assert Rows().joined(first) == first


@pytest.mark.parametrize("name", ["construction", "sha256", "parameters", "dtype", "device", "attention", "max_length"])
def test_another_search_is_another(name: str) -> None:
    other = SIMULATED | {name: "another"}
    assert Rows((HERE,), (SIMULATED,)).joined(Rows((HERE,), (other,))).rows == (SIMULATED, other)


def test_what_others_have_put_there_is_kept(file: Path) -> None:
    """Neither of two that began with an empty file loses what the other has measured, nor the laws of a third."""
    one, other = taken_up(file), taken_up(file)
    one = added(one, Rows((HERE,), (ENCODER,), (LAW,)), file, complete=False)
    other = added(other, Rows((THERE,), (SIMULATED,)), file, complete=False)
    one = added(one, Rows((HERE,), (ANOTHER,)), file, complete=True)
    rows = (ENCODER, SIMULATED | {"machine": 1}, ANOTHER)
    assert taken_up(file) == one == Rows((HERE, THERE), rows, (LAW,), True)
    assert other.rows == rows[:2]


def test_a_file_that_is_removed_meanwhile_loses_nothing(file: Path) -> None:
    known = added(Rows(), Rows((HERE,), (ENCODER,), (LAW,)), file, complete=False)
    file.unlink()
    added(known, Rows((HERE,), (ANOTHER,)), file, complete=False)
    assert taken_up(file).rows == (ENCODER, ANOTHER)


def test_processes_that_write_one_file_lose_no_row(file: Path) -> None:
    def add(first: int) -> None:
        known = taken_up(file)
        for length in range(first, first + 15):
            known = added(known, Rows((HERE,), (FAMILY | {"max_length": length},)), file, complete=False)

    processes = [multiprocessing.get_context("fork").Process(target=add, args=(100 * n,)) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    lengths = sorted(row["max_length"] for row in taken_up(file).rows)
    assert lengths == [100 * n + place for n in range(3) for place in range(15)]
    assert [*file.parent.iterdir()] == [file]


MEASURED = ["precision", "parity-feed-forward", "--max-length", "3", "--dtype", "float16"]
"""A search of a moment."""


def test_a_full_disk_loses_no_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """And the next call measures what is missing."""
    assert main([*MEASURED, "--keep", str(file)]) == 0
    before = file.read_bytes()
    capsys.readouterr()

    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert main([*MEASURED, "--dtype", "bfloat16", "--keep", str(file)]) == 2
    complaint = f"weightproof: {file}: No space left on device; make room, or write elsewhere\n"
    assert capsys.readouterr().err == complaint
    assert file.read_bytes() == before
    assert [*file.parent.iterdir()] == [file]
    assert main([*MEASURED, "--dtype", "bfloat16", "--keep", str(file)]) == 0
    assert [row["dtype"] for row in taken_up(file).rows] == ["float16", "bfloat16"]


def test_rows_of_another_kind_leave_laws_as_they_are(file: Path) -> None:
    """A law that is lost would make the file of no use for the rows that it is about."""
    written(file, [ENCODER], [LAW], [HERE])
    assert main([*MEASURED, "--keep", str(file)]) == 0
    kept = taken_up(file)
    assert kept.rows[0] == ENCODER
    assert kept.laws == (LAW,)
    assert [row["construction"] for row in kept.rows] == ["mine.py", "parity-feed-forward"]


@pytest.mark.controls
def test_two_commands_on_one_file_at_a_time(file: Path) -> None:
    """Each search is asked for twice: rows in, rows out."""

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "weightproof", "precision", *arguments, "--keep", str(file)]
        options = ["--max-length", "3", "--dtype", "bfloat16", "--dtype", "float16"]
        return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    processes = [start(name) for name in ("increment", "parity-feed-forward") for _ in range(2)]
    for process in processes:
        assert (process.communicate()[1], process.returncode) == ("", 0)
    kept = taken_up(file)
    searches = [(row["construction"], row.get("simulator"), row["dtype"], row["rule"]) for row in kept.rows]
    assert len(searches) == len({*searches}) == 3 * 2 + 2
