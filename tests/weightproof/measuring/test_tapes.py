"""Float rows of Turing machines: what the command says, and the rows that are kept, which are still what happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.constructions.languages.notation import expand
from weightproof.constructions.library import FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.machines.running import SIMULATORS
from weightproof.measuring.kept import Rows
from weightproof.measuring.session import DTYPES, Place, RowSearch
from weightproof.measuring.tapes import READER, read_by, reader_search, tape_search
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.numeric.simulation.reading import first_misread, misread, reader
from weightproof.numeric.simulation.search import MOST_STEPS, Runs, departures, rounding, simulator

Row = dict[str, Any]
RESULTS = ROOT / "benchmarks" / "results" / "precision-machines-cpu.json"
PROMISED = {
    "construction", "parameters", "dtype", "device", "attention", "rule", "certified_safe_length",
    "first_failing_length", "witness", "mechanism", "searched", "searched_to",
}  # fmt: skip


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    return capsys.readouterr().out


def test_rows_of_a_machine(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("precision", "busy-beaver-3", "--dtype", "float16", "--dtype", "bfloat16")
    payload = json.loads(said(capsys, *asked, "--json"))
    rows = payload["rows"]
    assert payload["complete"] is True
    assert [(row["simulator"], row["dtype"]) for row in rows] == [*product(SIMULATORS, ("bfloat16", "float16"))]
    assert all(row.keys() >= PROMISED for row in rows)
    found = [(row["certified_safe_length"], row["first_failing_length"], row["least"]) for row in rows]
    assert [row["exact_for_ever"] for row in rows[:2]] == [2, 4]
    assert found == [*[(3, 4, True), (4, 5, True)] * 2, (1, 4, True), (2, 5, True)]
    assert [row["exact_for_ever"] for row in rows[2:]] == [None] * 4
    assert (rows[0]["witness"]["word"], rows[0]["witness"]["step"]) == ("1", 24)
    text = said(capsys, *asked)
    assert "busy-beaver-3, rnn, bfloat16, strict" in text
    assert rows[0]["mechanism"] in text


def test_words_that_are_too_short_fail_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("precision", "busy-beaver-3", "--dtype", "float64", "--max-length", "2", "--attention", "explicit")
    row = json.loads(said(capsys, *asked, "--json"))["rows"][0]
    assert (row["certified_safe_length"], row["first_failing_length"], row["searched_to"]) == (2, None, 2)
    assert "none found" in said(capsys, *asked)


def test_rows_that_are_kept_are_not_measured_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.json"
    asked = ("precision", "1RB---_0LA---", "--dtype", "bfloat16", "--keep", str(file), "--json")
    first = said(capsys, *asked)
    assert json.loads(file.read_text()) == json.loads(first)
    said(capsys, "precision", "busy-beaver-3", "--dtype", "bfloat16", "--keep", str(file), "--json")
    assert len(json.loads(file.read_text())["rows"]) == 6
    monkeypatch.setattr(RowSearch, "measured", lambda *given: pytest.fail("measured again"))
    assert json.loads(said(capsys, *asked)) == json.loads(first)


def test_what_is_reached_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, measured, calls = tmp_path / "rows.json", RowSearch.measured, list[RowSearch]()

    def interrupted(search: RowSearch, *given: Any) -> Rows:
        calls.append(search)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return measured(search, *given)

    monkeypatch.setattr(RowSearch, "measured", interrupted)
    asked = ("precision", "busy-beaver-3", "--dtype", "bfloat16", "--keep", str(file), "--json")
    payload = json.loads(said(capsys, *asked, status=130))
    assert (payload["complete"], len(payload["rows"])) == (False, 1)
    assert json.loads(file.read_text()) == payload


def refused(tmp_path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"rows": [{}], "machines": []}')
    yield ("increment", "--with", "remove-centering"), "only constructions are transformed; leave out --with"
    yield ("increment", "--dtype", "float12"), "unknown dtype 'float12'"
    yield ("increment", "--attention", "fused"), "unknown attention 'fused'"
    yield ("increment", "--max-length", "0"), "leaves no word to run"
    yield ("increment", "--keep", str(tmp_path / "no" / "rows.json")), "name a file that can be written"
    yield ("increment", "--keep", str(wrong)), "no results of `precision`"


def test_what_cannot_be_measured_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments, says in refused(tmp_path):
        assert main(("precision", *arguments)) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert says in captured.err


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    data = json.loads(RESULTS.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert data["complete"] is True
    found: list[Row] = data["rows"]
    return found


def search_of(row: Row) -> RowSearch:
    place = Place(*(row[name] for name in ("dtype", "device", "attention", "max_length")))
    if row["construction"] in FAMILIES:
        return reader_search(row["construction"], place)
    return tape_search(row["construction"], machine_of(row), row["simulator"], place)


def machine_of(row: Row) -> TuringMachine:
    machine = find_machine(row["construction"])
    assert machine is not None
    return machine


def missing(rows: list[Row]) -> list[tuple[str, str, str]]:
    """Machines, simulators and dtypes without a row for the weights as they are now."""
    there = {
        (row["construction"], row["simulator"], row["dtype"])
        for row in rows
        if all(row[name] == value for name, value in search_of(row).key.items())
    }
    wanted = [*product(SHIPPED, SIMULATORS, DTYPES), *product(FAMILIES, (READER,), DTYPES)]
    return [place for place in wanted if place not in there]


def crossed(rows: list[Row]) -> list[Row]:
    """Rows certified where they fail or beyond the words that were run, or said to be least with shorter ones left."""
    return [row for row in rows if (_fails_first if row["construction"] in FAMILIES else _is_crossed)(row)]


def _fails_first(row: Row) -> bool:
    failing = row["first_failing_length"]
    return failing is not None and (row["certified_safe_length"] or 0) >= failing


def _is_crossed(row: Row) -> bool:
    return bool(
        (row["certified_safe_length"] or 0) >= row["first_failing_length"]
        or row["least"] != (row["searched_to"] >= row["first_failing_length"] - 1)
        or row["certified_safe_length"] is None
        or (row["exact_for_ever"] is None) != (row["simulator"] != "rnn")
        or (row["exact_for_ever"] or 0) > (row["certified_safe_length"] or 0)
        or row["unfinished"]
    )


def changed(rows: list[Row]) -> list[Row]:
    """Rows whose witness does not depart there, with these very numbers."""
    return [row for row in rows if not _departs(row)]


def _departs(row: Row) -> bool:
    said = row["witness"]
    if row["construction"] in FAMILIES:
        network, word = read_by(row["construction"]).network, expand(said["word"])
        model = EncoderDecoderTransformer(network, ("a", "b"), row["dtype"], row["device"], row["attention"])
        found = misread(model, network.coordinates.index(said["unit"]), [word])
        now = found and (found.step, str(found.computed), found.wanted, len(found.word))
        return now == (said["step"], said["computed"], said["wanted"], row["first_failing_length"])
    network, family = network_of(machine_of(row)), SIMULATORS[row["simulator"]]
    simulation = simulation_of(family, network.rnn) if family else None
    run = simulator(network, simulation, row["dtype"], row["device"], row["attention"])
    word = expand(said["word"])
    found = departures(Runs(network, [word], MOST_STEPS), run([word]))
    if not found:
        return False
    [at] = found
    begun = rounding(network, run, at, row["dtype"])
    first = None if begun is None else {"step": begun.step, "unit": begun.unit, "off": begun.off}
    again = {
        "word": said["word"], "machine_step": at.number, "step": at.step, "unit": at.unit,
        "computed": str(at.computed), "wanted": at.wanted, "first_rounded": first,
    }  # fmt: skip
    return again == said and at.cells == row["first_failing_length"]


def test_every_machine_simulator_and_dtype_is_there(rows: list[Row]) -> None:
    assert missing(rows) == []


def test_certified_lengths_are_below_failing_ones(rows: list[Row]) -> None:
    assert crossed(rows) == []


@pytest.mark.parametrize("name", [*SHIPPED, *FAMILIES])
def test_witnesses_still_depart(rows: list[Row], name: str) -> None:
    again = [row for row in rows if row["construction"] == name and row["witness"] is not None]
    assert again
    assert changed(again) == []


def test_a_family_whose_witness_is_changed_is_noticed(rows: list[Row]) -> None:
    [row] = [row for row in rows if (row["construction"], row["dtype"]) == ("rnn-by-directional", "float16")]
    assert changed([row]) == []
    for other in ({"step": 20}, {"word": "a{17}b"}, {"computed": "0.5"}):
        assert changed([row | {"witness": row["witness"] | other}]) != []


@pytest.mark.controls
def test_positions_are_told_apart_as_long_as_the_format_counts(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("precision", "rnn-by-encoder-decoder", "--dtype", "bfloat16", "--max-length")
    [row] = json.loads(said(capsys, *asked, "275", "--json"))["rows"]
    assert (row["witness"]["step"], row["witness"]["computed"]) == (256, "0.5")
    assert (row["certified_safe_length"], row["first_failing_length"]) == (249, 275)
    simulation = simulation_of("rnn-by-encoder-decoder", reader())
    assert first_misread(simulation, "bfloat16", "cpu", "strict", 254)[0] is None
    [short] = json.loads(said(capsys, *asked, "9", "--json"))["rows"]
    assert (short["first_failing_length"], short["witness"], short["mechanism"]) == (None, None, None)
    assert short["certified_safe_length"] == 9
    assert "holds what it reads" in said(capsys, *asked, "9")


CHANGES: dict[str, tuple[Callable[[list[Row]], list[Any]], dict[str, Any]]] = {
    "other weights": (missing, {"sha256": "0" * 64}),
    "another dtype": (missing, {"dtype": "float32"}),
    "certified too far": (crossed, {"certified_safe_length": 4}),
    "exact for too long": (crossed, {"exact_for_ever": 4}),
    "certified nothing": (crossed, {"certified_safe_length": None}),
    "the least that is kept quiet": (crossed, {"least": False}),
    "a length left out": (crossed, {"searched_to": 2}),
    "another length": (changed, {"first_failing_length": 5}),
}


def of_the_beaver(rows: list[Row]) -> Row:
    place = ("busy-beaver-3", "rnn", "bfloat16")
    [row] = [row for row in rows if (row["construction"], row["simulator"], row["dtype"]) == place]
    return row


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_noticed(rows: list[Row], change: str) -> None:
    check, other = CHANGES[change]
    row = of_the_beaver(rows)
    others = [each for each in rows if each is not row] if check is missing else []
    assert check([*others, row]) == []
    assert len(check([*others, row | other])) == 1


@pytest.mark.parametrize("other", [{"word": "11"}, {"step": 20}, {"computed": "0.25"}, {"unit": "left"}])
def test_a_changed_witness_is_noticed(rows: list[Row], other: Row) -> None:
    row = of_the_beaver(rows)
    assert changed([row | {"witness": row["witness"] | other}]) != []
