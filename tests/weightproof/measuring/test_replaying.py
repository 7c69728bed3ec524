"""`precision --replay`: what holds is said to, and a planted mistake is not; rows of all kinds."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import weightproof as wp
from tests.support.places import ROOT
from weightproof.cli import app, main
from weightproof.measuring import replaying
from weightproof.measuring.kept import ENCODER, LAW, PREDICTING, Row, read
from weightproof.measuring.replaying import HELD, LONGER, NONE, NOT_HELD, NOT_RUN, run_again
from weightproof.subjects.registry import search_of

RESULTS = ROOT / "benchmarks" / "results"


def kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"precision-{name}.json").read_text())
    return found


def row_of(file: str, **has: object) -> Row:
    """The first that has all this, and a witness."""
    rows: list[Row] = kept(file)["rows"]
    return next(row for row in rows if row["witness"] and all(row[name] == value for name, value in has.items()))


PARITY = row_of("cpu", construction="parity", dtype="bfloat16", attention="strict", rule="logit > 0")
WITHIN = row_of("cpu", construction="palindrome", dtype="float16", attention="strict", rule="|logit| <= 1e-07")
TRANSFORMED = row_of("normalised-cpu", construction="parity --with remove-centering --with layer-norm:epsilon=0")
TOKEN = row_of("predicting-cpu", attention="strict", dtype="float16")
MACHINE = row_of("machines-cpu", construction="increment", simulator="directional")
FAMILY = row_of("machines-cpu", simulator="of a reader", dtype="float16")
ADDED = row_of("sums-cpu", construction="modular-addition", dtype="float16")
ODD = row_of("sums-cpu", rule="argmax, alone, of odd moduli", dtype="float16")
COUNTED = row_of("sums-cpu", construction="parity-feed-forward", dtype="float16")
EACH = {
    "parity": PARITY,
    "within": WITHIN,
    "transformed": TRANSFORMED,
    "token": TOKEN,
    "machine": MACHINE,
    "family": FAMILY,
    "added": ADDED,
    "odd": ODD,
    "counted": COUNTED,
}


def changed(row: Row, **witness: object) -> Row:
    return row | {"witness": row["witness"] | witness}


def verdict(row: Row) -> str:
    return run_again(row, 0, search_of).verdict


@pytest.mark.parametrize("kind", EACH)
def test_a_strict_witness_of_every_kind_holds_to_the_bit(kind: str) -> None:
    found = run_again(EACH[kind], 7, search_of)
    assert (found.place, found.verdict, found.same) == (7, HELD, True), found.said


RIGHT = {
    "parity": "1{22}0{7}",
    "within": "0" * WITHIN["first_failing_length"],
    "transformed": "1",
    "token": "0{15}",
    "machine": "0",
    "family": "b{19}",
    "added": "1 2",
    "odd": "1 2",
    "counted": "1{1025}0",
}
"""Words as long as the witnesses, as far as that can be, which are decided rightly."""


@pytest.mark.parametrize("kind", EACH)
def test_a_word_that_is_decided_rightly_is_no_witness(kind: str) -> None:
    found = run_again(changed(EACH[kind], word=RIGHT[kind]), 0, search_of)
    assert found.verdict == NOT_HELD, found.said
    assert found.said


NUMBERS: dict[str, dict[str, Any]] = {
    "parity": {"logit": PARITY["witness"]["logit"] * (1 + 2**-50)},
    "within": {"logit": "nan"},
    "transformed": {"logit": 0.0},
    "token": {"outputs": dict.fromkeys(TOKEN["witness"]["outputs"], "0.0")},
    "machine": {"computed": "0.5"},
    "family": {"computed": "0.25"},
    "added": {"computed": [2.0, 2.0]},
    "odd": {"got": ODD["witness"]["got"] + 1},
    "counted": {"computed": 1.5},
}


@pytest.mark.parametrize("kind", EACH)
def test_other_bits_are_no_strict_witness(kind: str) -> None:
    found = run_again(changed(EACH[kind], **NUMBERS[kind]), 0, search_of)
    assert (found.verdict, found.same) == (NOT_HELD, False)
    assert found.said.endswith("strict arithmetic gives the same bits everywhere, and these are not the row's")


def test_other_bits_of_a_kernel_are_told_and_no_more() -> None:
    row = row_of("cpu", construction="first-one-layer", dtype="bfloat16", attention="explicit", rule="logit > 0")
    assert run_again(row, 0, search_of).verdict == HELD
    other = run_again(changed(row, logit=0.123), 0, search_of)
    assert (other.verdict, other.same) == (HELD, False)


def test_no_kernel_is_run_in_the_place_of_another() -> None:
    """Nor in the place of one that is not known."""
    row = row_of("cpu", construction="first-one-layer", dtype="bfloat16", attention="explicit", rule="logit > 0")
    fused = row | {"attention": "fused", "kernel": "flash"}
    assert run_again(fused, 0, search_of).verdict in (HELD, NOT_HELD)
    for kernel, was in ((None, "one that is not known"), ("efficient", "efficient")):
        found = run_again(fused | {"kernel": kernel}, 0, search_of)
        assert (found.verdict, found.said) == (NOT_RUN, f"attention is fused by flash here, and was by {was}")
    found = run_again(row | {"kernel": "flash"}, 0, search_of)
    assert (found.verdict, found.said) == (NOT_RUN, "attention is fused by no kernel here, and was by flash")


def test_a_word_for_which_there_is_no_memory_is_not_run() -> None:
    class Greedy:
        def again(self, row: Row) -> Any:
            raise MemoryError

    found = run_again(PARITY, 0, lambda row: Greedy())  # type: ignore[arg-type, return-value]
    assert (found.verdict, found.said) == (NOT_RUN, "parity: the word needs more memory than there is")


@pytest.mark.parametrize("kind", EACH)
def test_a_row_of_another_rule_is_not_held_by_its_own(kind: str) -> None:
    found = run_again(EACH[kind] | {"rule": "another"}, 0, search_of)
    assert found.verdict == NOT_HELD
    assert "'another'" in found.said


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (changed(PARITY, member=False), "rejects a member of 29 symbols"),
        (changed(PARITY, accepts=True), "rejects a member"),
        (PARITY | {"first_failing_length": 28}, "of 29 symbols"),
        (PARITY | {"rule": "logit > 1"}, "no rule of acceptance is called 'logit > 1'"),
        (changed(PARITY, word="2{29}"), "symbol '2' at index 0"),
        (changed(PARITY, word="1{"), "not understood"),
        (changed(TOKEN, right="0"), "comes '5'"),
        (MACHINE | {"first_failing_length": 99}, "cells of tape"),
        (changed(MACHINE, word="7"), "not in the alphabet"),
        (changed(FAMILY, word="c"), "not in the alphabet"),
        (changed(ADDED, word="1"), "not two residues"),
        (changed(ADDED, word="1 900"), "not two residues modulo 107"),
        (changed(ADDED, expected=3), "is computed as"),
        (changed(COUNTED, word="01{1025}"), "ones in front"),
        ({name: PARITY[name] for name in PARITY if name != ENCODER}, "its rows have a 'tolerance'"),
        ({name: TOKEN[name] for name in TOKEN if name != PREDICTING}, "its rows have a 'searched_in_full'"),
        (changed(COUNTED, word="1{3000}"), "more than float16 counts"),
        (changed(COUNTED, word=""), "a word of 0 bits is not run"),
        (changed(COUNTED | {"dtype": "float64"}, word="1{100000000}"), "a word of 100000000 bits is not run"),
        (changed(ADDED, got=True), "is computed as"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_a_row_says_of_its_witness_is_held_against_it(row: Row, says: str) -> None:
    found = run_again(row, 0, search_of)
    assert found.verdict == NOT_HELD
    assert says in found.said


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (PARITY | {"sha256": "0" * 64}, "its weights have changed since: the network has the SHA-256 5e4d8a1d15cc..."),
        (MACHINE | {"sha256": "0" * 64}, "its weights have changed since"),
        (ADDED | {"sha256": "0" * 64}, "its weights have changed since"),
        (PARITY | {"attention": "explicit", "device": "cuda:99"}, "'cuda:99'"),
        (PARITY | {"device": "cuda"}, "cuda"),
        (PARITY | {"construction": "nowhere.py"}, "nowhere.py"),
        (PARITY | {"construction": "no\0where.py"}, "no file has such a name"),
        (PARITY | {"construction": "\ud800.py"}, "no file has such a name"),
        (PARITY | {"construction": "pariti"}, "pariti"),
        (PARITY | {"construction": "parity --with nothing"}, "nothing"),
        (PARITY | {"construction": "parity --with 'nothing"}, "cannot be read: No closing quotation"),
        (PARITY | {"construction": "increment --with layer-norm"}, "only constructions are transformed"),
        (PARITY | {"construction": "full-adder"}, "is a circuit"),
        (PARITY | {"parameters": {"c": "-1"}}, "c"),
        (ADDED | {"parameters": {"k": "2"}}, "is not measured with these parameters"),
        (MACHINE | {"simulator": "another"}, "or by that simulator"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_cannot_be_run_here_says_why(row: Row, says: str) -> None:
    found = run_again(row, 0, search_of)
    assert (found.verdict, found.same) == (NOT_RUN, None)
    assert says in found.said


def test_a_network_of_the_user_that_was_changed_since_is_not_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the measurement on, with a file whose name has a blank."""
    monkeypatch.chdir(tmp_path)
    source = Path("a file.py")
    source.write_text((ROOT / "tests" / "examples" / "planted_mistake.py").read_text())
    options = ("--dtype", "float16", "--max-length", "3", "--keep", "rows.json", "--json")
    assert main(["precision", f"./{source}", *options]) == 0
    found = wp.replay("rows.json")
    assert found.holds
    assert found.of(HELD)
    assert found.data["witnesses"][0]["command"].startswith("weightproof run './a file.py' ")
    text = source.read_text()
    source.write_text(f"{text}# with another last line\n")
    assert wp.replay("rows.json").of(HELD) == found.of(HELD)
    source.write_text(text.replace('"-1/4"', '"-1/3"'))
    assert [each.verdict for each in wp.replay("rows.json").witnesses] == [NOT_RUN] * len(found.of(HELD))


NO_WITNESS = next(row for row in kept("cpu")["rows"] if row["witness"] is None)
LONG = row_of("sums-cpu", construction="parity-feed-forward", dtype="float32")


def file_of(folder: Path, *rows: Row) -> Path:
    """Rows of encoders have their laws, which say nothing here."""
    nothing = {"form": None, "rate": None}
    laws = [{name: row[name] for name in LAW} | nothing for row in rows if ENCODER in row]
    machine = kept("cpu")["machines"][0]
    little = ("processor", "system", "python", "accelerator", "libraries")  # all that was recorded once
    machines = [machine, {name: machine[name] for name in little} | {"threads": 1, "date": "2026-11-22"}]
    path = folder / "rows.json"
    found = {"machines": machines, "rows": [row | {"machine": 1} for row in rows], "laws": laws, "complete": True}
    path.write_text(json.dumps(found))
    return path


def test_a_file_comes_to_a_table_and_a_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(tmp_path, PARITY, NO_WITNESS, COUNTED, PARITY | {"sha256": "0" * 64})
    assert main(["precision", "--replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == ("2 of 2 hold, strict 2 to the bit; 1 cannot be run here; 1 row has no witness")
    assert "- 1: parity: its weights have changed since" in out
    assert "Not held" not in out
    wrong = file_of(tmp_path, PARITY, changed(PARITY, word="1{22}0{7}"), COUNTED)
    assert main(["precision", "--replay", str(wrong), "--max-length", "500"]) == 1
    out = capsys.readouterr().out
    assert "Not held: parity, bfloat16, strict, logit > 0\n  here: logit " in out
    assert "  the row: member True, accepts False, logit -7.62939453125e-06, exact_logit 1/" in out
    assert "  weightproof run parity '1{22}0{7}' --param c='log(2)' --dtype bfloat16" in out
    assert "there: 2026-11-22: x86_64, 1 thread, " in out
    assert "CPU: not recorded" in out
    assert "1 is longer than 500" in out


def test_a_file_of_which_nothing_can_be_run_has_shown_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(tmp_path, NO_WITNESS, PARITY | {"sha256": "0" * 64})
    assert main(["precision", "--replay", str(path)]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "0 of 0 hold; 1 cannot be run here; 1 row has no witness"
    assert "nothing was looked at, no witness can be run here: parity: its weights have changed since" in said.err
    assert said.err.count("\n") == 1
    assert main(["precision", "--replay", str(file_of(tmp_path, NO_WITNESS))]) == 0
    assert main(["precision", "--replay", str(file_of(tmp_path, COUNTED)), "--max-length", "5"]) == 0
    assert capsys.readouterr().err == ""


def test_the_json_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(tmp_path, NO_WITNESS, changed(PARITY, logit=1.0), COUNTED, LONG)
    assert main(["precision", "--replay", str(path), "--max-length", "2000", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    verdicts = [NONE, NOT_HELD, HELD, LONGER]
    assert [each["verdict"] for each in data["witnesses"]] == verdicts
    assert data["counts"] == {name: verdicts.count(name) for name in (HELD, NOT_HELD, NOT_RUN, LONGER, NONE)}
    assert [each["same_bits"] for each in data["witnesses"]] == [None, False, True, None]
    assert data["complete"] is True
    assert data["machine"]["capability"]
    found = wp.replay(path, max_length=2000)
    assert json.loads(json.dumps(found.data)) == data
    assert not found.holds


def test_rows_are_run_as_they_were_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever else the command takes is refused."""
    path = str(file_of(tmp_path, PARITY))
    assert "leave out what is named" in refused(capsys, path, "parity")
    assert "--max-length -1 leaves no word to run" in refused(capsys, path, "--max-length", "-1")
    command: Any = get_command(app).commands["precision"]  # type: ignore[attr-defined]
    for option in command.params:
        name = option.opts[0]
        if option.param_type_name == "option" and name not in ("--replay", "--max-length", "--json"):
            given = (name,) if option.is_flag else (name, "0")
            assert f"leave out {name}" in refused(capsys, path, *given)


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"machines": [], "rows": [3], "laws": []}'])
def test_what_is_no_file_of_rows_is_refused(
    content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.json"
    if content is not None:
        path.write_text(content)
    assert str(path) in refused(capsys, str(path))
    for no_file in (str(tmp_path), "/dev/zero"):  # which has no end
        assert f"{no_file}: is no ordinary file" in refused(capsys, no_file)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["precision", "--replay", *arguments]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    return captured.err


def test_other_processes_come_to_the_same_and_the_longest_is_run_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(tmp_path, COUNTED, PARITY, ODD, changed(PARITY, logit=1.0), ADDED)
    alone = wp.replay(path)
    begun = list[int]()

    class Elsewhere:
        def __init__(self, number: int) -> None:
            assert number == 2

        def spread(self, pieces: Callable[[], Any], order: Sequence[int]) -> Iterator[tuple[int, int, Any]]:
            own = pickle.loads(pickle.dumps(pieces))()
            for number in order:
                begun.append(number)
                yield from ((number, place, each) for place, each in enumerate(own[number]()))

    monkeypatch.setattr(replaying, "Processes", Elsewhere)
    monkeypatch.setattr(replaying, "processors", lambda: 2)
    monkeypatch.setattr(replaying, "MANY", 4)
    monkeypatch.setattr(replaying, "BESIDE", 1000 * replaying.PER_SYMBOL)
    assert wp.replay(path).witnesses == alone.witnesses
    assert begun == [4, 2, 1, 3]  # the longest first


def test_what_was_reached_is_kept_where_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(tmp_path, PARITY, COUNTED, NO_WITNESS)
    real = replaying.run_again

    def interrupted(row: Row, *others: Any) -> replaying.Witness:
        if row["rule"] == COUNTED["rule"]:
            raise KeyboardInterrupt
        return real(row, *others)

    monkeypatch.setattr(replaying, "run_again", interrupted)
    assert main(["precision", "--replay", str(path)]) == 130
    captured = capsys.readouterr()
    assert "1 of 1 hold" in captured.out
    assert captured.err == "weightproof: interrupted after 1 of 2 witnesses\n"
    with pytest.raises(KeyboardInterrupt):
        wp.replay(path)


def test_rows_are_read_and_left_as_they_are(tmp_path: Path) -> None:
    path = file_of(tmp_path, PARITY)
    before = path.read_bytes()
    rows = copy.deepcopy(read(path))
    assert wp.replay(path).rows == rows
    assert path.read_bytes() == before
