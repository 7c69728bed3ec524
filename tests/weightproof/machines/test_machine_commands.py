"""Turing machines on the command line: listed, drawn, and run beside the networks that simulate them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from weightproof.cli import main
from weightproof.constructions.library import FAMILIES, simulation_of
from weightproof.constructions.machines.files import SHIPPED
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.machines import running
from weightproof.proofs.simulation.prove import OF_SIZES

LOOP = "1RB1LA_1LA1RB"
"""A machine that never halts."""


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    assert main([*arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    return capsys.readouterr().out


MARKED = "blank: ' '\nstart state: go\ntable: {go: {%s: {write: '0', R}, '0': L}}\n"
"""Of a machine that writes a 0 in the place of every symbol, and halts behind the word."""


@pytest.mark.parametrize("symbol", [*"#$_|{}()\\'", '"', "é"])
def test_every_character_is_a_symbol_of_a_tape(capsys: pytest.CaptureFixture[str], tmp_path: Path, symbol: str) -> None:
    """Also those that the recurrent network has for markers, and those of the notation of words."""
    path = tmp_path / "mine.yaml"
    path.write_text(MARKED % json.dumps(symbol, ensure_ascii=False), encoding="utf-8")
    run = answer(capsys, "run", str(path), symbol * 2, "--steps")
    assert (run["halted"], run["agrees"], len(run["steps"])) == (True, True, 3)


def test_where_the_markers_are_symbols_the_network_has_others() -> None:
    row = {symbol: {} for symbol in "#$a"}
    rnn = RNN("mine", ("#", "$", "a"), ("u",), ("x",), Embedding(row), Linear({}), Linear({}))
    assert rnn.tokens == ("##", "#", "$", "a", "$$")
    assert replace(rnn, alphabet=("a",)).tokens == ("#", "a", "$")
    for family in FAMILIES:
        encoder = simulation_of(family, rnn).network.encoder
        assert (encoder.begin, encoder.end) == ("##", "$$")


@pytest.mark.controls
def test_a_machine_with_markers_on_its_tape_is_proved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MARKED % "'#'", encoding="utf-8")
    found = answer(capsys, "prove", str(path))["theorems"]
    assert {each["verdict"] for each in found} == {"proved"}


def test_more_steps_than_can_be_counted_are_no_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "run", "increment", "1", "--max-steps", "9" * 20)["halted"] is True


def test_a_run_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    run = answer(capsys, "run", "increment", "1011", "--steps")
    assert (run["halted"], run["agrees"], len(run["steps"])) == (True, True, 9)
    assert [step["step"] for step in run["steps"]] == list(range(9))
    assert [step["state"] for step in run["steps"]] == ["right"] * 5 + ["carry"] * 3 + ["done"]
    last = run["steps"][-1]
    assert (last["tape"], last["head"], last["from"]) == ("1100", 0, 0)
    assert last["rnn"] == last["transformer"] == last["directional"]
    # .4422 in base 6
    assert last["rnn"] == {"state right": "0", "state carry": "0", "state done": "1", "left": "0", "right": "511/648"}


def test_the_report_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "run", "increment", "11", "--steps")
    assert [line.split()[:2] for line in text.splitlines()[2:9]] == [
        *(["0", "right"], ["1", "right"], ["2", "right"], ["3", "carry"]),
        *(["4", "carry"], ["5", "carry"], ["6", "done"]),
    ]
    assert "[ ]100  done . .0422" in text
    assert "It halts in state 'done' after 6 steps." in text
    assert "agree at every step, exactly" in text
    assert len(printed(capsys, "run", "increment", "11").splitlines()) == len(text.splitlines()) - 6


def test_a_machine_that_does_not_halt_is_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    run = answer(capsys, "run", LOOP, "", "--max-steps", "7")
    assert (run["halted"], run["agrees"], len(run["steps"])) == (False, True, 8)
    assert "It has not halted after 7 steps; raise --max-steps" in printed(capsys, "run", LOOP, "", "--max-steps", "7")


def test_a_simulator_that_differs_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a unit of no configuration, and in one of them."""

    def forgetful(unit: str) -> None:
        def family(name: str, rnn: RNN) -> Simulation:
            whole = simulation_of(name, rnn)
            feedback = {name: row for name, row in whole.network.feedback.weights.items() if name != unit}
            return replace(whole, network=replace(whole.network, feedback=Linear(feedback)))

        monkeypatch.setattr(running, "simulation_of", family)

    for unit in ("begun", "right"):
        forgetful(unit)
        run = answer(capsys, "run", "increment", "1", status=1)
        assert run["agrees"] is False
        assert "They differ first at step" in printed(capsys, "run", "increment", "1", status=1)


def test_a_file_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("blank: ' '\nstart state: a\ntable:\n  a:\n    0: {write: 1, R}\n", encoding="utf-8")
    run = answer(capsys, "run", str(path), "00")
    assert (run["machine"], run["steps"][-1]["tape"], run["halted"]) == ("mine", "11 ", True)
    drawn = printed(capsys, "show", str(path))
    assert "halts  '1' R a" in drawn
    assert answer(capsys, "show", str(path))["table"] == {"a": {"0": {"write": "1", "move": "R", "state": "a"}}}


def test_a_family_runs_a_network_of_one_unit(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = ("--param", "f_a_x1=1", "--param", "W_h1_x1=1")
    wrong = answer(capsys, "run", "rnn-by-encoder-decoder-as-printed", "aaa", *numbers, status=1)
    assert (wrong["agrees"], len(wrong["steps"])) == (False, 11)
    assert [step["step"] for step in wrong["steps"] if step["rnn"] != step["transformer"]] == [3]
    held = {"rnn": {"h1": "1"}, "transformer": {"h1": "0"}, "output": {"h1": "0", "x x1": "0", "t": "3", "1": "0"}}
    assert wrong["steps"][3] == wrong["steps"][3] | {"step": 3, "token": "a", **held}
    [layer] = wrong["steps"][3]["layers"]
    assert layer["weights"] == [["0", "0", "0", "0", "1"]]
    assert (layer["attended"]["t"], layer["hidden"]["gone t"], layer["update"]["t"]) == ("4", "1", "-1")
    text = printed(capsys, "run", "rnn-by-encoder-decoder-as-printed", "aaa", *numbers, status=1)
    assert "They differ first at step 3." in text
    right = answer(capsys, "run", "rnn-by-encoder-decoder", "aaa", *numbers, "--max-steps", "5")
    assert (right["agrees"], len(right["steps"])) == (True, 5)
    assert "They agree at every step" in printed(capsys, "run", "rnn-by-encoder-decoder", "aaa", *numbers)


def test_simulations_are_proved_and_refuted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    proved = answer(capsys, "prove", "increment", "rnn-by-directional")["theorems"]
    assert [row["construction"] for row in proved] == ["increment"] * 3 + ["rnn-by-directional"] * 7
    assert {(row["verdict"], row["scope"], row["evidence"]) for row in proved} == {
        ("proved", "all words, all steps", "certificate"),
        ("proved", OF_SIZES, "certificate"),
    }
    refuted, lemma = answer(capsys, "prove", "rnn-by-encoder-decoder-as-printed")["theorems"]
    assert (refuted["verdict"], refuted["expected"]) == ("refuted", "refuted")
    found = refuted["counterexample"]
    assert (found["word"], found["step"], found["unit"], found["expected"], found["found"]) == (
        "aaa",
        3,
        "h1",
        "1",
        "0",
    )
    command = found["command"]
    assert command.startswith("weightproof run rnn-by-encoder-decoder-as-printed 'aaa' --param f_a_x1=1")
    assert "They differ first at step 3." in printed(capsys, *shlex.split(command)[1:], status=1)
    assert (lemma["theorem"], lemma["verdict"], lemma["counterexample"]["unit"]) == ("lemma C.4", "refuted", "t")
    traced = printed(capsys, *shlex.split(lemma["counterexample"]["command"])[1:])
    step = traced.split("  step 2\n")[1].split("  step 3\n")[0]
    assert step.rstrip().endswith("output                t = 1")
    text = printed(capsys, "prove", "rnn-by-encoder-decoder-as-printed")
    assert "'aaa': at step 3 'h1' is 0, not 1" in text
    path = tmp_path / "mine.yaml"
    path.write_text("blank: ' '\nstart state: a\ntable:\n  a:\n    0: {write: 1, R}\n", encoding="utf-8")
    assert {row["verdict"] for row in answer(capsys, "prove", str(path))["theorems"]} == {"proved"}


def test_machines_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "list")["machines"]
    assert [row["name"] for row in listed] == list(SHIPPED)
    assert all(row["title"] and row["units"] > 50 for row in listed)
    assert all(row["name"] in printed(capsys, "list") for row in listed)


def test_components_are_proved_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    proved = answer(capsys, "prove", "components")["theorems"]
    assert {(row["construction"], row["verdict"]) for row in proved} == {("components", "proved")}
    told = answer(capsys, "show", "components")
    shown, sizes = told["components"], told["sizes"]
    assert {row["evidence"] for row in shown} == {"sampled", "certificate"}
    named = [name for row in shown for name in (*row["without"], *row["impossible"])]
    assert named == [row["theorem"] for row in proved][: len(named)]
    text = printed(capsys, "show", "components")
    for row in shown:
        [line] = [line for line in text.splitlines() if line.startswith(f"{row['component']}  ")]
        assert line.split()[-2:] == [row["judged"], row["evidence"]]
        assert row["note"] in text
    assert f"sampled: {sizes}" in text
    assert all(name in text for name in named)


def refused() -> Iterator[tuple[tuple[str, ...], str]]:
    yield ("run", "increment", "12"), "increment: symbol '2' at index 1 of the word is not in the alphabet {0, 1}"
    yield ("run", "increment", "1{3000}"), "a word of 3000 symbols is too long for a machine; give 2000 or less"
    yield ("run", "increment", "1", "--trace"), "increment is a Turing machine, of which run takes no --trace"
    yield ("run", "increment", "1", "--max-steps", "-1"), "--max-steps"
    yield ("run", "1RB2LA_1LA1RB", "1"), "writes 2, but has no column for it"
    yield ("run", "no.yaml", "1"), "no.yaml: no such file"
    yield ("show", "increment", "--dense"), "increment is a Turing machine, of which show takes no --dense"
    yield ("show", "components", "--dense"), "of which show takes no --dense"
    yield ("prove", "components", "--with", "remove-centering"), "only constructions are transformed; leave out --with"
    yield ("run", "parity", "1", "--steps"), "of which run takes no --steps"
    yield ("run", "rnn-by-directional", "b"), "symbol 'b' at index 0 of the word is not in the alphabet {a}"
    yield ("run", "rnn-by-directional", "a", "--param", "b=1"), "no number 'b'; it has f_a_x1"
    yield ("run", "rnn-by-directional", "a", "--position", "0"), "of which run takes no --position"
    yield ("prove", "increment", "--with", "remove-centering"), "only constructions are transformed; leave out --with"
    yield (
        ("claims", "rnn-by-directional"),
        "rnn-by-directional: no claims are known about it; ask for",
    )
    for machine in ("increment", "1RB1LC_1LA1RB_1LB1RZ"):
        says = f"{machine} is a Turing machine; claims takes:"
        yield ("claims", "parity", machine), says
    yield ("derive", "increment", "--with", "sharpen"), "only constructions are transformed; leave out --with"
    yield ("derive", "increment", "--json", "-o", "."), "--json goes to standard output"
    yield ("derive", "increment", "increment.yaml"), "increment.yaml: no such file"


@pytest.mark.parametrize(("arguments", "says"), list(refused()))
def test_what_cannot_be_done_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("weightproof: ")
    assert captured.err.count("\n") == 1
    assert says in captured.err
