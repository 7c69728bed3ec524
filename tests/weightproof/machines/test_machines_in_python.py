"""`prove` and `derive` in Python, of Turing machines and recurrent networks: by name, by file, and made there."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

import weightproof as wp
from weightproof.cli import main
from weightproof.constructions.library import FAMILIES
from weightproof.constructions.machines.files import find_machine
from weightproof.constructions.machines.numbered import every_rnn, numbered

LINE = "1RB---_0LA---"
"""A machine that is proved at once."""
YAML = """blank: ' '
start state: right
input: '11'
table:
  right:
    1: R
    ' ': {R: done}
  done:
"""


def reader() -> wp.RNN:
    """It holds whether the token just read is a."""
    made = numbered(every_rnn(1, 1, 2), {"f_a_x1": 1, "W_h1_x1": 1})
    return dataclasses.replace(made, name="reader")


def printed(capsys: pytest.CaptureFixture[str], *line: str) -> str:
    main(line)
    return capsys.readouterr().out


def timeless(text: str) -> str:
    return re.sub(r" *\d+\.\d+ s\b|\"seconds\": [\d.]+", "", text)


def as_data(value: Any) -> str:
    return timeless(json.dumps(value.data))


def test_values_say_what_the_commands_say_of_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "once.yaml"
    file.write_text(YAML)
    for given in (LINE, file, "rnn-by-directional"):
        derived, line = wp.derive(given), str(given)
        assert f"{derived}\n" == printed(capsys, "derive", line, "--format", "text")
        assert f"{derived.steps}\n" == printed(capsys, "derive", line, "--format", "text", "--steps")
        assert derived.data == json.loads(printed(capsys, "derive", line, "--json"))
        assert derived.latex == derived.data["latex"]
        assert derived._repr_markdown_().startswith("###")  # type: ignore[union-attr]
    for given in (LINE, file):
        results = wp.prove(given)
        assert timeless(f"{results}\n") == timeless(printed(capsys, "prove", str(given)))
        assert as_data(results) == timeless(json.dumps(json.loads(printed(capsys, "prove", str(given), "--json"))))
        assert [each.theorem for each in results] == ["network", *FAMILIES]
        assert results.as_expected


def test_a_machine_that_was_made_in_python_is_proved_and_derived() -> None:
    machine = find_machine(LINE)
    assert isinstance(machine, wp.TuringMachine)
    own = dataclasses.replace(machine, name="own")
    assert [(each.construction, each.verdict.name) for each in wp.prove(own)] == [("own", "proved")] * 3
    assert wp.derive(own).data["steps"] == wp.derive(LINE).data["steps"]


def test_a_recurrent_network_is_simulated_by_all_families() -> None:
    results = wp.prove(reader())
    assert [(each.theorem, each.verdict.name) for each in results] == [(family, "proved") for family in FAMILIES]
    derived = wp.derive(reader())
    for family in FAMILIES:
        made = [step for step in derived.data["steps"] if step["location"] == f"{family}, step on 'a'"]
        assert [step["after"].get("h1") for step in made if step["rule"] == "feedback"] == ["1"]
        made = [step for step in derived.data["steps"] if step["location"] == f"{family}, step on 'b'"]
        assert ["h1" in step["after"] for step in made if step["rule"] == "feedback"] == [False]
    assert "reader" in str(derived)
    assert re.search(r"h1 = 1", derived.steps)


def test_what_is_not_proved_of_a_recurrent_network_is_not_as_expected() -> None:
    """Weights that are not rational are none that the proof reads."""
    rnn = reader()
    odd = dataclasses.replace(rnn, W_x=wp.Linear({"h1": {"x1": "sqrt(2)/2"}}))
    results = wp.prove(odd)
    assert [each.verdict.name for each in results] == ["unknown"] * len(FAMILIES)
    assert not results.as_expected
    assert "neither a rational number nor a name" in str(results)


def test_a_counterexample_to_what_was_made_in_python_has_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose transformer holds another state is refuted of the network; its word can be run by no command."""
    from weightproof.proofs.simulation import prove

    right = prove.simulation_of

    def wrong(family: str, network: wp.RNN) -> Any:
        other = dataclasses.replace(network, W_x=wp.Linear({"h1": {"x1": "1/2"}}))
        return dataclasses.replace(right(family, other), rnn=network)

    monkeypatch.setattr(prove, "simulation_of", wrong)
    results = wp.prove(reader())
    assert [each.verdict.name for each in results] == ["refuted"] * len(FAMILIES)
    assert not results.as_expected
    assert "at step 1 'h1' is 1/2, not 1" in str(results)
    assert "weightproof run" not in str(results)


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("blank: ' '\nstart state: nowhere\ntable: {right: {1: R}}\n")
    for call, said in (
        (lambda: wp.prove(LINE, [wp.Decides("recognises", "one 1")]), "leave out theorems"),
        (lambda: wp.prove(file), "nowhere"),
        (lambda: wp.derive(file), "nowhere"),
        (lambda: wp.prove(reader(), timeout=0), "no time limit"),
    ):
        with pytest.raises(wp.InputError, match=said):
            call()
