"""`--with` on every command that takes a construction: what it transforms, what it says, and how it is replayed."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flint import arb

from tests.support.places import EXAMPLES
from weightproof.cli import main
from weightproof.constructions.library import load
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.by_name import transformed
from weightproof.named import resolve, source_of
from weightproof.numeric.certificate.bound import output_balls
from weightproof.proofs.theorem import Decides
from weightproof.stating import theorems_about

WITHOUT = ("--with", "remove-centering")
NORMALISED = (*WITHOUT, "--with", "layer-norm:epsilon=0")
BIASED = """
from weightproof import Construction, Embedding, Encoder, FeedForward, Layer, Linear, Readout, load
construction = Construction("biased", "a bias", "here", load("one").language, Encoder(
    coordinates=("a",), embedding=Embedding({"0": {}, "1": {"a": 1}, "CLS": {}}),
    layers=(Layer(feed_forward=FeedForward(Linear({"h": {"a": 1}}, {"h": 1}), Linear({"a": {"h": 1}}))),),
    readout=Readout(Linear({"logit": {"a": 1}}))))
"""


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status = main([*arguments, "--json"])
    captured = capsys.readouterr()
    assert status in (0, 1), captured.err
    return json.loads(captured.out)


@pytest.mark.controls
def test_every_command_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    named = "one --with remove-centering"
    assert answer(capsys, "show", "one", *WITHOUT)["name"] == "one+remove-centering"
    assert answer(capsys, "run", "one", "1", *WITHOUT)["construction"] == named
    assert answer(capsys, "prove", "one", *WITHOUT)["theorems"][0]["verdict"] == "proved"
    assert answer(capsys, "derive", "one", *WITHOUT)["construction"] == named
    claims = answer(capsys, "claims", "one", *WITHOUT)["claims"]
    assert {claim["construction"] for claim in claims} == {"one+remove-centering"}
    assert "true" in {claim["verdict"] for claim in claims}
    options = ("--dtype", "float16", "--max-length", "8")
    assert {row["construction"] for row in answer(capsys, "precision", "one", *WITHOUT, *options)["rows"]} == {named}


def test_the_transformed_construction_is_named_as_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(answer(capsys, "show", "one", *WITHOUT)["network"]["coordinates"]) == 14
    assert answer(capsys, "run", "one", "1", *WITHOUT)["construction"] == "one --with remove-centering"
    [theorem] = answer(capsys, "prove", "one", *WITHOUT)["theorems"]
    assert (theorem["theorem"], theorem["verdict"]) == ("recognises", "proved")


def test_transformations_are_made_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(answer(capsys, "show", "one", *NORMALISED)["network"]["coordinates"]) == 14
    run = answer(capsys, "run", "parity", "101", *NORMALISED, "--dtype", "float64")
    assert run["logit_decimal"].startswith("-0.2091631818580")
    of = transformed(load("parity"), ["remove-centering", "layer-norm:epsilon=0"])
    assert output_balls(of, "101", dtype="float64")["logit"].contains(arb(run["numeric"][0]["logit"]))


def test_a_construction_made_in_python_has_not_the_theorems_of_its_namesake() -> None:
    mine = replace(load("one"), title="mine")
    assert [theorem.name for theorem in theorems_about(source_of(mine))] == ["recognises"]


@pytest.mark.parametrize("options", [("--trace",), ("--trace", "--json")])
def test_a_vector_without_a_value_is_left_blank(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    assert main(["run", "parity", "1", *NORMALISED, "--with", "sharpen:eta=1/100", *options]) == 0
    assert "4.60016601932489" in capsys.readouterr().out


def test_theorems_that_say_what_is_accepted_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    [theorem] = answer(capsys, "prove", "palindrome-margin", *WITHOUT)["theorems"]
    assert (theorem["given"], theorem["verdict"]) == (["exp(c) >= 2"], "proved")


def test_margins_are_stated_of_the_very_construction() -> None:
    """With one eta it is another logit; who accepts what stays stated, without what was supposed of eta."""
    exactly, alike = (
        theorems_about(resolve("palindrome-margin", [asked])) for asked in ("sharpen", "sharpen:eta=1/50")
    )
    assert [theorem.name.split(",")[0] for theorem in exactly] == ["recognises", "margin", "margin"]
    [recognises] = alike
    assert isinstance(recognises, Decides)
    assert recognises.given == Expression("exp(c) >= 2")
    assert recognises.invariant is None


def test_what_is_refuted_of_all_parameters_is_not_expected_of_one_value(capsys: pytest.CaptureFixture[str]) -> None:
    """For eta = 1/50 there is no word, as there is for some eta."""
    [theorem] = answer(capsys, "prove", "one", "--with", "sharpen:eta=1/50")["theorems"]
    assert (theorem["theorem"], theorem["verdict"], theorem["expected"]) == ("recognises", "proved", "proved")


def test_a_theorem_about_a_parameter_is_read_at_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    theorems = answer(capsys, "prove", "first-one-layer", "--with", "fix:c=1")["theorems"]
    assert [(theorem["theorem"], theorem["given"][:1], theorem["verdict"]) for theorem in theorems] == [
        ("recognises", [], "refuted"),  # from some length on
        ("right above log(n-1)", ["exp(1) > n - 1"], "proved"),
        ("wrong up to log(n-1)", ["exp(1) <= n - 1 and w[1] == '1' and (count('1') == 1)"], "proved"),
        ("where it accepts", [], "proved"),
    ]


@pytest.mark.parametrize(
    ("eta", "names"),
    [("1/50", ["recognises"]), ("2", ["recognises", "rejects where it should accept"]), ("log(2)", ["recognises"])],
)
def test_what_supposes_another_value_is_left_out(eta: str, names: list[str]) -> None:
    """Whether it recognises its language is asked in any case."""
    assert [theorem.name for theorem in theorems_about(resolve("one", [f"sharpen:eta={eta}"]))] == names


def test_a_counterexample_is_replayed_with_the_same_transformations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "one", "--with", "sharpen:eta=2"]) == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("weightproof run")]
    assert "--with sharpen:eta=2" in line
    assert main(shlex.split(line)[1:]) == 0
    assert "agrees no" in " ".join(capsys.readouterr().out.split())


def test_a_file_is_transformed_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    example = next(str(path) for path in EXAMPLES if path.stem == "more_ones")
    [theorem] = answer(capsys, "prove", example, *WITHOUT)["theorems"]
    assert theorem["verdict"] == "proved"
    file = tmp_path / "biased.py"
    file.write_text(BIASED, encoding="utf-8")
    assert main(["prove", str(file), *NORMALISED]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the bias of 'h' stays what it is where the norm scales the rest" in said


@pytest.mark.parametrize("command", ["show", "prove", "derive", "claims", "precision"])
def test_what_cannot_be_transformed_is_one_line(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, "one", "--with", "sharpen:eta=-1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "weightproof: --with sharpen:eta=-1: one: eta = -1 is no positive number of nats\n"


def test_the_document_has_a_file_for_it(tmp_path: Path) -> None:
    assert main(["derive", "one", *WITHOUT, "--with", "fix:c=1", "--output", str(tmp_path)]) == 2
    assert main(["derive", "one", *WITHOUT, "--output", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.glob("*.tex")] != []
