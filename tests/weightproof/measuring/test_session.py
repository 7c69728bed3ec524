"""`precision --keep`: what is kept, taken up again, or refused; bad input is refused before any long work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.support.fakes import quickly
from weightproof.cli import main
from weightproof.constructions.library import load
from weightproof.constructions.meaning.record import digest
from weightproof.measuring import logits, session
from weightproof.measuring.kept import Row, Rows, added
from weightproof.measuring.logits import LogitSearch

ARGUMENTS = ("precision", "parity", "palindrome", "--dtype", "float16", "--dtype", "bfloat16", "--max-length", "20")
SUBJECTS = [("parity", "bfloat16"), ("parity", "float16"), ("palindrome", "bfloat16"), ("palindrome", "float16")]
Place = tuple[str, str]
Measured = Callable[..., Iterator[Row]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch, lambda *given: [], effort=1 << 12)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Place]:
    """The subjects that were measured, one after the other."""
    return counted(monkeypatch)


def counted(monkeypatch: pytest.MonkeyPatch, stop: Place | None = None, rows: int = 0) -> list[Place]:
    """As `done`; at the subject `stop` the user interrupts, after so many of its rows."""
    places: list[Place] = []
    rows_of = logits.rows_of

    def measured(search: LogitSearch, *given: Any) -> Iterator[Row]:
        places.append((search.source.argument, search.place.dtype))
        for number, row in enumerate(rows_of(search, *given)):
            if places[-1] == stop and number == rows:
                raise KeyboardInterrupt
            yield row

    monkeypatch.setattr(logits, "rows_of", measured)
    return places


def places_of(path: Path) -> list[Place]:
    kept = json.loads(path.read_text())
    return list(dict.fromkeys((row["construction"], row["dtype"]) for row in kept["rows"]))


def emitted(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == status
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_the_lowest_precision_is_measured_first(done: list[Place], tmp_path: Path) -> None:
    assert main([*ARGUMENTS, "--keep", str(tmp_path / "rows.json")]) == 0
    assert done == SUBJECTS


def test_a_second_call_measures_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    first = emitted(capsys, *ARGUMENTS, "--keep", str(path))
    written = path.read_bytes()
    refuse_work(monkeypatch)
    again = emitted(capsys, *ARGUMENTS, "--keep", str(path))
    assert again["rows"] == first["rows"]
    assert again["laws"] == first["laws"]
    assert again["complete"] is True
    assert path.read_bytes() == written
    assert json.loads(written) == first


def test_a_law_is_measured_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of rows that are there, too, which are not measured again; then failures are predicted from lower precision."""
    more = ("--keep", str(tmp_path / "rows.json"))
    found = emitted(capsys, *ARGUMENTS, *more)
    assert found["laws"] == []
    assert {row["predicted_length"] for row in found["rows"]} == {None}
    done = counted(monkeypatch)
    with_laws = emitted(capsys, *ARGUMENTS, "--law", *more)
    assert [law["construction"] for law in with_laws["laws"]] == ["parity", "palindrome"]
    assert (done, with_laws["rows"]) == ([], found["rows"])
    assert any(row["predicted_length"] for row in emitted(capsys, *ARGUMENTS, "--law")["rows"])


def test_without_a_file_all_is_measured_again(capsys: pytest.CaptureFixture[str], done: list[Place]) -> None:
    assert emitted(capsys, *ARGUMENTS)["rows"] == emitted(capsys, *ARGUMENTS)["rows"]
    assert done == SUBJECTS * 2


def test_one_subject_more_is_all_that_is_measured(
    capsys: pytest.CaptureFixture[str], done: list[Place], tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    emitted(capsys, "precision", "one", "--dtype", "bfloat16", "--max-length", "20", "--keep", str(path))
    emitted(capsys, *ARGUMENTS, "--keep", str(path))
    assert done == [("one", "bfloat16"), *SUBJECTS]
    data = emitted(capsys, "precision", "one", "--dtype", "bfloat16", "--max-length", "20", "--keep", str(path))
    assert {row["construction"] for row in data["rows"]} == {"one"}
    assert len(done) == 5
    assert {*places_of(path)} == {*done}


def test_a_row_that_is_kept_predicts_for_what_is_measured_later(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["precision", "parity", "--law", "--max-length", "40", "--keep", str(tmp_path / "rows.json")]
    emitted(capsys, *options, "--dtype", "bfloat16")
    rows = emitted(capsys, *options, "--dtype", "float16")["rows"]
    lower = {row["rule"]: row for row in emitted(capsys, *options, "--dtype", "bfloat16")["rows"]}
    assert lower["logit > 0"]["first_failing_length"] is not None
    for row in rows:
        assert row["predicted_length"] == round(lower[row["rule"]]["first_failing_length"] * 2**1.5)


def test_higher_precision_predicts_nothing_for_lower(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["precision", "palindrome", "--max-length", "9", "--keep", str(tmp_path / "rows.json")]
    [higher] = emitted(capsys, *options, "--dtype", "float32")["rows"]
    [lower] = emitted(capsys, *options, "--dtype", "float16")["rows"]
    assert higher["first_failing_length"] is not None
    assert lower["predicted_length"] is None


CHANGES: list[tuple[str, object]] = [
    ("sha256", "0" * 64),
    ("parameters", {"c": "1"}),
    ("device", "cuda"),
    ("attention", "explicit"),
    ("max_length", 19),
    ("tolerance", 0.5),
    ("construction", "mine.py"),
]


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=[name for name, _ in CHANGES])
def test_a_row_of_another_subject_is_not_taken_up(
    capsys: pytest.CaptureFixture[str], done: list[Place], tmp_path: Path, name: str, value: object
) -> None:
    path = tmp_path / "rows.json"
    options = ("precision", "parity", "--dtype", "bfloat16", "--max-length", "20", "--keep", str(path))
    first = emitted(capsys, *options)
    kept = json.loads(path.read_text())
    for part in (*kept["rows"], *kept["laws"]):
        if name in part:
            part[name] = value
    path.write_text(json.dumps(kept))
    assert emitted(capsys, *options)["rows"] == first["rows"]
    assert done == [("parity", "bfloat16")] * 2
    assert len(json.loads(path.read_text())["rows"]) == 4


def test_other_parameters_are_another_subject(
    capsys: pytest.CaptureFixture[str], done: list[Place], tmp_path: Path
) -> None:
    options = ["precision", "parity", "--dtype", "bfloat16", "--max-length", "9", "--keep", str(tmp_path / "a.json")]
    given = [emitted(capsys, *options, *more)["rows"][0]["parameters"] for more in ([], ["--param", "c=1"])]
    assert given == [{"c": "log(2)"}, {"c": "1"}]
    assert len(done) == 2
    assert emitted(capsys, *options, "--param", "c=log(2)")["rows"][0]["sha256"] == digest(load("parity"))
    assert len(done) == 2


@pytest.mark.parametrize("rows", [0, 1])
def test_an_interruption_keeps_what_is_finished(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rows: int
) -> None:
    path = tmp_path / "rows.json"
    with monkeypatch.context() as patch:
        counted(patch, ("parity", "float16"), rows)
        assert main([*ARGUMENTS, "--keep", str(path), "--json"]) == 130
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert data["complete"] is False
    assert {(row["construction"], row["dtype"]) for row in data["rows"]} == {("parity", "bfloat16")}
    assert captured.err == f"weightproof: interrupted after 2 rows; they are in {path}\n"
    kept = json.loads(path.read_text())
    assert (kept["complete"], kept["rows"]) == (False, data["rows"])

    done = counted(monkeypatch)
    data = emitted(capsys, *ARGUMENTS, "--keep", str(path))
    assert done == SUBJECTS[1:]
    assert data["complete"] is True
    assert json.loads(path.read_text())["complete"] is True
    assert data["rows"] == emitted(capsys, *ARGUMENTS)["rows"]


def test_an_interruption_before_the_first_row_has_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nor is there a file that they could be in."""

    def proving(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(logits, "proved_margins", proving)
    assert main([*ARGUMENTS, "--keep", str(tmp_path / "rows.json")]) == 130
    captured = capsys.readouterr()
    assert captured.err == "weightproof: interrupted after 0 rows\n"
    assert not (tmp_path / "rows.json").exists()
    assert captured.out.splitlines()[0].startswith("construction")


def test_rows_are_kept_one_subject_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where the program is killed, not interrupted: what it wrote is whole, and does not claim to be complete."""
    path, found = tmp_path / "rows.json", list[list[Place]]()

    def save(*given: Any) -> Rows:
        results = added(*given)
        found.append(places_of(path))
        assert json.loads(path.read_text())["complete"] is (len(found) == 4)
        return results

    monkeypatch.setattr(session, "added", save)
    assert main([*ARGUMENTS, "--keep", str(path)]) == 0
    assert found == [SUBJECTS[: number + 1] for number in range(4)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.json"]


def refuse_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*given: object) -> None:
        pytest.fail("long work has begun")

    for name in ("rows_of", "proved_margins"):
        monkeypatch.setattr(logits, name, work)
    monkeypatch.setattr("weightproof.numeric.certificate.scaling.certified_points", work)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["precision", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("weightproof: ")
    assert captured.err.count("\n") == 1
    return captured.err


BROKEN = {
    "no JSON": "rows",
    "empty": "",
    "no text": "\udcff",
    "no object": "[]",
    "a number": "3",
    "ten thousand brackets": "[" * 10_000,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_and_left_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    """What is wrong with single rows: see `test_kept.py`."""
    refuse_work(monkeypatch)
    path = tmp_path / "rows.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    for name in ("parity", "increment"):
        line = refused(capsys, name, "--keep", str(path))
        assert line == f"weightproof: {path}: no results of `precision`; name another file, or delete it\n"
    assert path.read_bytes() == content.encode("utf-8", "surrogateescape")


BAD: list[tuple[str, str]] = [
    ("", "nothing to measure: name a construction or a FILE.py, or give --all"),
    ("nonsense", "unknown construction 'nonsense'"),
    ("missing.py", "missing.py: no such file"),
    ("parity nonsense", "unknown construction 'nonsense'"),
    ("parity --dtype float12", "unknown dtype 'float12'; there are float64, float32, bfloat16, float16"),
    ("parity --dtype float32 --dtype float12", "unknown dtype 'float12'"),
    ("parity --attention loud", "unknown attention 'loud'; there are strict, explicit, fused, matmul"),
    ("parity --device nowhere", "unknown device 'nowhere'"),
    ("parity --device meta", "device 'meta' is not supported"),
    ("parity --device cuda --attention explicit", "device 'cuda' is not available on this machine; take cpu"),
    ("parity --device cuda --attention strict", "device 'cuda' is not available"),
    ("parity --max-length 0", "--max-length 0 leaves no word to run: give 1 or more"),
    ("parity --max-length -5", "--max-length -5 leaves no word to run"),
    ("parity --max-length many", "--max-length"),
    ("parity --max-length 1000000000000000", "GiB, and there are"),
    ("parity --attention explicit --max-length 1000000000000", "GiB, and there are"),
    ("dyck1 --max-length 1000000000000", "GiB, and there are"),
    ("palindrome --tolerance -1", "--tolerance -1 is no tolerance: give a number such as 1e-7"),
    ("palindrome --tolerance nan", "--tolerance nan is no tolerance"),
    ("palindrome --tolerance inf", "--tolerance inf is no tolerance"),
    ("palindrome --tolerance small", "--tolerance"),
    ("parity --param c=0", "c = 0 is outside its domain c > 0"),
    ("parity --param b=1", "no parameter 'b'; it has c"),
    ("parity one --param b=1", "none of the constructions has a parameter 'b'"),
    ("parity one --param c=0", "c = 0 is outside its domain c > 0"),
    ("parity --param c", "write NAME=VALUE"),
    ("parity --keep /dev/null/rows.json", "/dev/null/rows.json"),
    ("parity --keep /proc/rows.json", "--keep /proc/rows.json"),
    ("parity --keep /nowhere/rows.json", "name a file that can be written"),
    ("parity --keep /dev/full", "/dev/full: is no ordinary file"),
    ("parity --keep /dev/null", "/dev/null: is no ordinary file"),
    ("parity --keep /", "--keep /: Is a directory; name a file that can be written"),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line or "nothing" for line, _ in BAD])
def test_bad_input_is_refused_before_any_long_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str, says: str
) -> None:
    refuse_work(monkeypatch)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert says in refused(capsys, *line.split())


def test_long_work_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_work(monkeypatch)
    with pytest.raises(pytest.fail.Exception, match="long work has begun"):
        main(["precision", "parity", "--dtype", "bfloat16", "--max-length", "1"])


def dtypes_measured(done: Sequence[Place]) -> list[str]:
    return [dtype for _, dtype in done]


def test_what_is_named_twice_is_measured_once(capsys: pytest.CaptureFixture[str], done: list[Place]) -> None:
    twice = "parity parity --dtype bfloat16 --dtype bfloat16 --attention strict --attention strict --device cpu"
    rows = emitted(capsys, "precision", *twice.split(), "--max-length", "4")["rows"]
    assert [row["rule"] for row in rows] == ["logit > 0", "probability > 1/2"]
    assert dtypes_measured(done) == ["bfloat16"]


def test_a_parameter_goes_to_the_constructions_that_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["precision", "one", "first", "--dtype", "bfloat16", "--max-length", "4", "--param", "c=2"]
    given = {row["construction"]: row["parameters"] for row in emitted(capsys, *options)["rows"]}
    assert given == {"one": {}, "first": {"c": "2"}}


def test_all_four_dtypes_and_strict_attention_are_the_default(
    capsys: pytest.CaptureFixture[str], done: list[Place]
) -> None:
    rows = emitted(capsys, "precision", "palindrome", "--max-length", "3")["rows"]
    assert dtypes_measured(done) == ["bfloat16", "float16", "float32", "float64"]
    assert {(row["device"], row["attention"]) for row in rows} == {("cpu", "strict")}


def test_networks_of_all_kinds_are_measured_together(capsys: pytest.CaptureFixture[str]) -> None:
    """In one call, one file and one table; a parameter goes to those that have it."""
    named = ("one", "first", "noisy-majority", "increment", "rnn-by-directional", "modular-addition")
    options = ("--dtype", "bfloat16", "--max-length", "3", "--param", "c=1")
    rows = emitted(capsys, "precision", *named, *options)["rows"]
    assert list(dict.fromkeys(row["construction"] for row in rows)) == [*named]
    assert [row["parameters"] for row in rows if row["construction"] == "first"] == [{"c": "1"}] * 2
    assert main(["precision", *named, *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "construction"
    assert [line.split()[0] for line in lines[1 : lines.index("")][: len(rows)]] == [
        row["construction"] for row in rows
    ]


HARD = """
from dataclasses import replace
import weightproof as wp
one = wp.load("one")
[layer] = one.network.layers
layer = replace(layer, heads=tuple(replace(head, normaliser="hardmax") for head in layer.heads))
construction = replace(one, name="hard", network=replace(one.network, layers=(layer,)))
"""


def test_a_search_without_a_fused_kernel_has_a_row_that_says_so(
    capsys: pytest.CaptureFixture[str], done: list[Place], tmp_path: Path
) -> None:
    """The other one is measured; a run is refused; and both are kept."""
    path, rows = tmp_path / "hard.py", tmp_path / "rows.json"
    path.write_text(HARD)
    how = ("--dtype", "float16", "--attention", "fused", "--max-length", "9", "--keep", str(rows))
    found = emitted(capsys, "precision", str(path), "one", *how)["rows"]
    assert [row["kernel"] for row in found] == ["flash"] * 3
    says = "hard: layer 1: fused attention has no hardmax over dot scores; take explicit"
    assert [(row["refused"], row["rule"]) for row in found] == [
        (says, "logit > 0"), (None, "logit > 0"), (None, "probability > 1/2"),
    ]  # fmt: skip
    assert (found[0]["searched"], found[0]["first_failing_length"], found[0]["certified_safe_length"]) == (
        "nothing", None, None,
    )  # fmt: skip
    assert main(["precision", str(path), "one", *how]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"hard\.py .* flash +logit > 0 +- +refused", shown)
    assert says in shown
    assert done == [("one", "float16")]
    assert main(["run", str(path), "0110", "--dtype", "float16", "--attention", "fused"]) == 2
    assert capsys.readouterr().err == f"weightproof: {says}\n"


def test_rows_of_a_kernel_that_is_not_known_are_not_taken_up(
    capsys: pytest.CaptureFixture[str], done: list[Place], tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    how = ("--dtype", "float16", "--attention", "fused", "--max-length", "9", "--keep", str(path))
    old = emitted(capsys, "precision", "one", *how)
    path.write_text(json.dumps(old | {"rows": [row | {"kernel": None} for row in old["rows"]]}))
    new = emitted(capsys, "precision", "one", *how)["rows"]
    assert done == [("one", "float16")] * 2
    assert [row["kernel"] for row in new] == ["flash"] * 2
    assert [row["kernel"] for row in json.loads(path.read_text())["rows"]] == [None, None, "flash", "flash"]
