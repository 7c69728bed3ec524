"""Circuits on the command line: run, shown, proved, derived, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.constructions.circuits.files import SHIPPED
from weightproof.constructions.library import CIRCUITS

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def weightproof(capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit status, output, errors."""

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_a_run_shows_every_gate(weightproof: Run) -> None:
    status, out, _ = weightproof("run", "full-adder", "110", "--steps")
    assert status == 0
    assert "   0     4  AND(1,2)    1      1\n" in out
    assert "outputs: 01\n" in out
    assert "16 of 16 run, exactly" in out


def test_the_json_of_a_run(weightproof: Run) -> None:
    status, out, _ = weightproof("run", "majority-of-3", "101", "--json", "--param", "bits=5", "--param", "fraction=1")
    found = json.loads(out)
    assert (status, found["agrees"], found["outputs"], found["member"]) == (0, True, "1", None)
    assert found["format"] == {"bits": 5, "fraction": 1, "greatest": "15/2"}
    assert [step["value"] for step in found["steps"]] == [step["token"] for step in found["steps"]]


def test_a_decoder_that_goes_wrong_is_told_with_status_1(weightproof: Run) -> None:
    status, out, _ = weightproof("run", "circuit-by-decoder", "1", "--param", "circuit=AND(1,1)", "--param", "bits=2")
    assert status == 1
    assert "It goes wrong at step 0: the decoder appends 0, the gate is 1." in out
    status, out, _ = weightproof("run", "circuit-by-decoder-as-printed", "0", "--param", "circuit=NOT(1)", "--steps")
    assert status == 1
    assert "a quotient by 0 has no value" in out


@pytest.mark.parametrize(("word", "member"), [("01011", True), ("0110", False)])
def test_a_regular_language_is_run(weightproof: Run, word: str, member: bool) -> None:
    status, out, _ = weightproof("run", "regular:(0|1)*11", word, "--json")
    found = json.loads(out)
    assert (status, found["agrees"], found["member"], found["outputs"]) == (0, True, member, str(int(member)))


def test_a_regular_language_is_proved(weightproof: Run) -> None:
    status, out, _ = weightproof("prove", "regular:(0|1)*11", "--json")
    found = json.loads(out)["theorems"]
    assert status == 0
    assert [(each["verdict"], each["scope"].split(",")[0]) for each in found] == [
        ("proved", "all lengths from 1 on")
    ] * 2


def test_a_file_of_ones_own_is_proved_and_shown(weightproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.aag"
    path.write_text((ROOT / "constructions/circuits/shipped/full-adder.aag").read_text())
    status, out, _ = weightproof("prove", str(path))
    assert status == 0
    assert "all inputs" in out
    status, out, _ = weightproof("show", str(path))
    assert "AND(1,2)" in out


@pytest.mark.parametrize("name", [*CIRCUITS, *SHIPPED])
def test_everything_is_shown_and_derived(weightproof: Run, name: str) -> None:
    status, out, _ = weightproof("show", name, "--json")
    assert status == 0
    assert json.loads(out)["name"] == name
    status, out, _ = weightproof("derive", name, "--json")
    found = json.loads(out)
    assert status == 0
    assert {step["rule"] for step in found["steps"]} == {"look-up", "feed-forward", "argmax"}
    assert found["latex"]


def test_the_formats_of_a_family_are_a_table(weightproof: Run) -> None:
    _, out, _ = weightproof("show", "circuit-by-decoder", "--json")
    table = {(row["bits"], row["fraction"]): row for row in json.loads(out)["formats"]}
    assert len(table) == 2 + 3 + 4 + 5 + 6 + 7 + 8
    assert not table[2, 0]["computes_every_circuit"]
    assert table[2, 0]["exp_rounded_to_0"]
    assert table[3, 0]["computes_every_circuit"]
    assert not table[4, 2]["exp_rounded_to_0"]
    _, out, _ = weightproof("show", "circuit-by-decoder-as-printed", "--json")
    printed = json.loads(out)["formats"]
    assert not any(row["computes_every_circuit"] for row in printed)
    for row in (row for row in printed if row["exp_rounded_to_0"]):
        given = [f"--param={name}={row[name]}" for name in ("bits", "fraction")]
        assert weightproof("run", "circuit-by-decoder-as-printed", "0", "--param=circuit=NOT(1)", *given)[0] == 1


SMALLEST = {(2, 1): 4, (3, 2): 5, (4, 2): 5, (4, 3): 6, (8, 7): 11, (63, 57): 64}
"""Of formats in which exp(-B) is not rounded to 0: the bits of the smallest that is enough. Three bits, one of them
behind the point, round it to 0, too, but the sum of a unit saturates there."""


@pytest.mark.parametrize(("bits", "fraction"), SMALLEST)
def test_a_small_format_is_refused_with_the_smallest_that_works(weightproof: Run, bits: int, fraction: int) -> None:
    enough = SMALLEST[bits, fraction]
    said = ("run", "full-adder", "110", "--param", f"fraction={fraction}", "--param")
    status, out, err = weightproof(*said, f"bits={bits}")
    assert (status, out) == (2, "")
    assert err.endswith(
        f"is not rounded to 0, so that what is not looked for has a weight; with {fraction} behind the "
        f"point it takes at least {enough} bits\n"
    )
    assert weightproof(*said, f"bits={enough}")[0] == 0
    assert weightproof(*said, f"bits={enough - 1}")[0] != 0


CYCLE = "aag 3 1 0 1 2\n2\n6\n4 6 2\n6 4 2\n"
REFUSED = [
    (("run", "full-adder", "11"), "an input of 2 bits; it reads 3"),
    (("run", "full-adder", "11a"), "'a' at index 2 of the input is neither 0 nor 1"),
    (("run", "circuit-by-decoder", "1"), "say which circuit"),
    (("run", "circuit-by-decoder", "1", "--param", "circuit=OR(1,1)"), "OR(1,1)"),
    (("run", "full-adder", "110", "--param", "bits=4", "--param", "fraction=58"), "give more bits"),
    (("run", "full-adder", "110", "--param", "fraction=63"), "with 64 bits no more than 57 may stand behind the point"),
    (("run", "full-adder", "110", "--param", "bits=x"), "give a whole number from 2 to 64"),
    (("run", "full-adder", "110", "--param", "c=1"), "no parameter 'c'; it has bits, fraction"),
    (("run", "full-adder", "110", "--dtype", "float32"), "full-adder is a circuit, of which run takes no --dtype"),
    (("run", "full-adder", "110", "--with", "sharpen"), "leave out --with"),
    (("run", "regular:1*", ""), "give a word"),
    (("run", "regular:(0|", "0"), "regular expression '(0|'"),
    (("prove", "regular:(ab)*"), "invalid transition symbol"),
    (("show", "regular:1*"), "is a regular language, with a circuit for each length; show takes:"),
    (("derive", "regular:1*"), "is a regular language, with a circuit for each length; derive takes:"),
    (("show", "circuit-by-decoder", "--param", "circuit=NOT(1)"), "show takes no --param"),
    (("precision", "full-adder"), "full-adder is a circuit; precision takes:"),
    (("prove", "full-adder", "--with", "sharpen"), "leave out --with"),
    (("run", "no-such.aag", "1"), "no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(weightproof: Run, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = weightproof(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_cycle_is_refused_with_its_line(weightproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "cycle.aag"
    path.write_text(CYCLE)
    status, _, err = weightproof("prove", str(path))
    assert status == 2
    assert "cycle" in err


def test_a_late_proof_is_unknown(weightproof: Run) -> None:
    status, out, err = weightproof("prove", "circuit-by-decoder", "--timeout", "0.01", "--json")
    found = json.loads(out)
    assert status == 2
    assert all(each["verdict"] == "unknown" for each in found["theorems"])
    assert "give more with --timeout" in err


@pytest.mark.parametrize(("steps", "outputs"), [("0", "??"), ("1", "??"), ("9" * 20, "01")])
def test_of_a_run_that_was_stopped_the_outputs_are_open(weightproof: Run, steps: str, outputs: str) -> None:
    status, out, _ = weightproof("run", "full-adder", "110", "--max-steps", steps)
    assert status == 0
    assert f"outputs: {outputs}\n" in out
