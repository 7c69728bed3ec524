"""Derivations of Turing machines: what is written is what the network does, and of another one it is something else."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.constructions.machines.test_turing import shipped
from tests.proofs.simulation.test_simulations_proved import with_weight
from weightproof.cli import main
from weightproof.constructions.library import network_of
from weightproof.constructions.machines import turing
from weightproof.constructions.machines.rnn import saturated, states
from weightproof.document.markdown import page
from weightproof.machines import machine_deriving
from weightproof.machines.machine_deriving import NOTHING, derivation, followed, gathered
from weightproof.proofs.deadline import TimeUp
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.simulation.polynomial import Polynomial, Saturated

NETWORK = network_of(shipped("increment"))


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["derive", *arguments]) == status
    return capsys.readouterr().out


def payload(capsys: pytest.CaptureFixture[str], machine: str) -> Any:
    found = json.loads(told(capsys, machine, "--json"))
    assert set(found) == {"construction", "closed_form", "cases", "steps", "latex"}
    assert found["construction"] == machine
    assert all(set(step) == {"rule", "location", "before", "after", "condition"} for step in found["steps"])
    return found


def test_a_step_of_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    found = payload(capsys, "increment")
    steps = {step["location"]: step for step in found["steps"]}
    first = steps["'right' on '0', step 1 reads '$'"]
    assert first["rule"] == "saturated"
    assert first["before"]["1: right >= 1"] == "1 + y"
    assert first["after"]["1: right >= 1"] == "1"
    assert "1: right >= 2" not in first["after"]
    assert "0 <= y <= 4/5" in first["condition"]
    assert steps["'right' on '0', step 4 reads '$'"]["after"]["left"] == "1/3 + 1/6*x"
    [value] = [case["value"] for case in found["cases"] if case["condition"] == "'right' on '0'"]
    assert value.startswith("state right = 1; left = 1/3 + 1/6*x; right = y")
    assert len(found["cases"]) == 17
    again = steps["half tape with '1' on top"]
    assert (again["rule"], again["before"], again["after"]) == ("again", {"x": "x"}, {"x": "2/3 + 1/6*x"})


def valued(held: Polynomial, atoms: dict[str, Any]) -> Any:
    """With saturated values, too, where they are left open."""
    inner = {name: saturated(name.argument.at(atoms)) for name in held.atoms if isinstance(name, Saturated)}
    return held.at({**atoms, **inner})


@pytest.mark.parametrize("name", ["increment", "busy-beaver-3"])
def test_every_step_is_seen_in_runs(name: str) -> None:
    """The values at the atoms of a configuration are those that the network holds, at each of its steps."""
    machine = shipped(name)
    network, word = network_of(machine), machine.example[:3]
    steps = {each.obligation.name: each for each in dict(followed(network))["Steps of the machine"]}
    configurations = list(itertools.islice(turing.run(machine, word), 6))
    run = list(itertools.islice(states(network.rnn, word), network.first(word) + network.every * 7))
    seen = 0
    for number, at in enumerate(configurations):
        held = run[network.first(word) + network.every * number]
        base = 2 * len(machine.symbols)
        under, beside = at.under_head(machine.blank), (at.left or (machine.blank,))[0]
        names = [f"{at.state!r} on {under!r}{end}" for end in ("", " halts", f" beside {beside!r}")]
        [name] = [each for each in names if each in steps]
        popped = "beside" in name
        rests = {
            "x": base * held["left"] - 2 * machine.symbols.index(beside) if popped else held["left"],
            "y": base * held["right"] - 2 * machine.symbols.index(under),
        }
        atoms = {**rests, "p": held["place"], "w": held["word"], "h": held["halted"]}
        for later, step in enumerate(steps[name].steps, start=1):
            found = run[network.first(word) + network.every * number + later]
            for unit in network.rnn.units:
                value = valued(step.held.get(unit, NOTHING), atoms)
                assert value == found[unit], (name, later, unit)
                seen += 1
    assert seen == len(configurations) * network.every * len(network.rnn.units)


def test_a_derivation_is_of_the_weights() -> None:
    """A digit that is pushed one too large, and a unit without its bias."""
    wrong = with_weight(NETWORK, "3: left, right, '0'", "2: left", "1/3")
    written = page(tuple(derivation(wrong)))
    assert "This does not hold: unit 'left' is" in written
    assert "This does not hold" not in page(tuple(derivation(NETWORK)))
    [step] = [each for each in dict(followed(wrong))["Steps of the machine"] if each.gap is not None]
    assert step.obligation.name == "'right' on '0'"
    assert str(step.steps[-1].held["left"]) != "1/3 + 1/6*x"


def test_a_wrong_network_is_told_in_text_and_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = with_weight(NETWORK, "3: left, right, '0'", "2: left", "1/3")
    monkeypatch.setattr(machine_deriving, "network_of", lambda machine: wrong)
    assert "it does not hold: unit 'left' is" in told(capsys, "increment", "--format", "text")
    found = payload(capsys, "increment")
    assert len(found["cases"]) == 16
    [failed] = [step for step in found["steps"] if step["rule"] == "none"]
    assert (failed["location"], failed["condition"][:12]) == ("'right' on '0'", "unit 'left' ")


def test_what_a_unit_is() -> None:
    written = page(tuple(derivation(NETWORK)))
    top = "step 1: whether `'1'` or a later symbol is on top of the right half"
    assert f"| `1: right >= 2` | {top} | $`6 \\cdot{{}}`$`right` $`-`$ $`3`$ |" in written
    assert "| `right` | step 4: the right half | `loaded` $`+`$ `3: right, ...` |" in written
    assert [*NETWORK.computes] == [*NETWORK.rnn.units]
    assert f"It has {len(NETWORK.rnn.units)} units, and takes 4 steps for one of the machine." in written
    assert written.count("\n| `") == len(NETWORK.rnn.units)


def test_units_have_one_name_only_where_these_are_all_that_begin_with_it() -> None:
    one, two = Polynomial.number(1), Polynomial.number(2)
    names = ("a", "a b", "a c", "a c d", "'a b", "'a c")
    for weights, expected in (
        ({"a b": one, "a c": one, "a c d": one}, {"a ...": one}),
        ({"a b": one, "a c": one}, {"a b": one, "a c": one}),
        ({"a b": one, "a c": one, "a c d": two}, {"a b": one, "a c": one, "a c d": two}),
        ({"'a b": one, "'a c": one}, {"'a b": one, "'a c": one}),
        ({"a": one}, {"a": one}),
    ):
        assert dict(gathered(weights, names)) == expected


@pytest.mark.controls
def test_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "increment", "--format", "md", "-o", str(tmp_path))
    text = (tmp_path / "increment.md").read_text(encoding="utf-8")
    assert "## Theorems" in text
    assert text.count("**Proved**, scope: all words, all steps; weakest evidence: certificate.") == 3
    steps = told(capsys, "increment", "--steps")
    [line] = [line for line in steps.splitlines() if "step 4" in line and "left = 2/3 + 1/6*x; right = y" in line]
    assert "state right = 1" in line
    latex = told(capsys, "1RB1LC_1LA1RB_1LB1RZ")
    assert r"\subsection{Steps of the machine}" in latex
    told(capsys, "increment", "--format", "text", "-o", str(tmp_path))
    text = (tmp_path / "increment.txt").read_text(encoding="utf-8")
    assert text.startswith("increment: Adds 1 to a binary number")
    assert "left = 1/3 + 1/6*x; right = y" in text
    found = json.loads(told(capsys, "increment", "rnn-by-directional", "--json"))
    assert [each["construction"] for each in found["derivations"]] == ["increment", "rnn-by-directional"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_the_document_is_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "busy-beaver-3", "--pdf", "-o", str(tmp_path))
    assert (tmp_path / "derivations.pdf").stat().st_size > 10_000


def test_two_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A machine of a file may be called as a construction is."""
    file = tmp_path / "parity.yaml"
    file.write_text("blank: ' '\nstart state: a\ntable:\n  a:\n    '1': R\n", encoding="utf-8")
    assert main(["derive", "parity", str(file), "-o", str(tmp_path)]) == 2
    assert "two files would be called parity" in capsys.readouterr().err


def test_a_machine_that_takes_too_long_to_write(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def late(*_: object) -> None:
        raise TimeUp("time-out of 30 s in writing it down")

    monkeypatch.setattr(machine_deriving, "derivation", late)
    assert main(["derive", "increment"]) == 2
    assert capsys.readouterr().err == "weightproof: increment: time-out of 30 s in writing it down\n"


def test_a_document_without_a_proof_is_not_all_well(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = shipped("increment")
    subject = subject_of(machine)
    (first, made), *others = right = subject.derivation().settled()
    for settled, as_expected in ((right, True), ([(replace(first, expected="refuted"), made), *others], False)):
        monkeypatch.setattr(type(subject), "_settled", lambda self, found=settled: found)
        assert all(result.as_expected for result in subject.derivation().section("A")[1]) is as_expected
