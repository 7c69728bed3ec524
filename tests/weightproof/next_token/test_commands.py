"""What the commands say of networks that predict a token or a class, on the terminal, as JSON and in Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flint import arb

import weightproof as wp
from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.constructions.languages.membership import right_token
from weightproof.constructions.languages.notation import expand
from weightproof.constructions.library import load, predictors
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import logit_difference, tied_outputs
from weightproof.constructions.meaning.record import digest
from weightproof.measuring import tokens
from weightproof.measuring.session import DTYPES, Place, RowSearch
from weightproof.numeric.certificate.bound import output_balls

FILE = """
from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

def majority(word):
    ones, zeros = word.count("1"), word.count("0")
    return None if ones == zeros else "1" if ones > zeros else "0"

construction = Construction(
    name="ranking",
    title="the more frequent symbol",
    source="a test",
    language=Language(
        name="MAJORITY SYMBOL",
        alphabet=("0", "1"),
        member=lambda word: majority(word) is not None,
        characterisation="count('0') != count('1')",
        labels={"0": "count('0') > count('1')", "1": "count('1') > count('0')"},
        label=majority,
    ),
    network=Encoder(
        coordinates=("x", "s"),
        embedding=Embedding({"0": {"x": -1}, "1": {"x": 1}, "CLS": {}}),
        layers=(Layer(heads=(Head(W_V={"s": {"x": 1}}),)),),
        readout=Readout(Linear({"0": {"s": -1}, "1": {"s": WEIGHT}, "CLS": {}}), accept="argmax"),
    ),
)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "ranking.py"
    file.write_text(FILE.replace("WEIGHT", "1"))
    return str(file)


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    out = capsys.readouterr()
    return out.out if status != 2 else out.err


def data(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    return json.loads(said(capsys, *arguments, "--json", status=status))


def test_list_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    names = [row["name"] for row in data(capsys, "list")["constructions"]]
    assert names[-len(predictors()) :] == list(predictors())


def test_run(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "run", "noisy-majority", "12", "--param", "N=3", "--dtype", "float32", "--trace")
    assert (found["token"], found["right"], found["agrees"], found["decided"]) == ("4", "5", False, True)
    assert (found["logit"], found["accepts"], found["member"]) == (None, None, True)
    assert set(found["outputs"]) == {"[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"}
    [row] = found["numeric"]
    assert (row["token"], row["agrees"]) == ("4", False)
    assert row["outputs"].keys() == found["outputs"].keys()
    assert max(row["outputs"], key=row["outputs"].get) == "4"
    assert [step["after"] for step in found["trace"]] == ["embedding", "after layer 1"]
    text = said(capsys, "run", "noisy-majority", "12", "--param", "N=3")
    assert "predicts    4\nright       5\nagrees      no" in text


def test_run_where_no_token_is_right(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "run", path, "01")
    assert (found["right"], found["agrees"], found["decided"], found["member"]) == (None, None, False, False)
    assert "no output is said to be" in said(capsys, "run", path, "01")


def test_run_refuses_what_it_cannot(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "too long for exact arithmetic" in said(capsys, "run", path, "1{3000}", status=2)
    refused = said(capsys, "run", path, "1", "--dtype", "float32", "--tolerance", "1e-3", status=2)
    assert "of which run takes no --tolerance" in refused


def test_prove(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    [theorem] = data(capsys, "prove", path)["theorems"]
    assert (theorem["theorem"], theorem["verdict"], theorem["scope"]) == ("predicts", "proved", "all lengths")
    assert theorem["predicts"] is None


def test_prove_refutes_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mistaken.py"
    file.write_text(FILE.replace("WEIGHT", "-2"))
    [theorem] = data(capsys, "prove", str(file), status=1)["theorems"]
    found = theorem["counterexample"]
    assert (found["word"], found["right"], found["predicted"]) == ("0", "0", "1")
    again = data(capsys, *found["command"].replace("'", "").split()[1:])
    assert (again["token"], again["agrees"]) == ("1", False)


def test_prove_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "prove", "noisy-majority-as-printed")
    assert "noisy-majority-as-printed, where it is right, '4': never" in text
    assert "word '0'" in text


def test_derive(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "derive", "noisy-majority")
    assert list(found["outputs"]) == ["[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"]
    assert found["outputs"]["="] == "0"
    assert found["outputs"]["4"] == found["closed_form"]
    text = said(capsys, "derive", "noisy-majority", "--format", "text")
    assert text.count("logit = ") == 4
    assert r"\mathrm{logit}" in found["latex"]


def test_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "derive", "noisy-majority-as-printed", "--format", "md")
    assert "The logit above is the output of `4`" in text
    assert "The right output is `5` where" in text
    assert "is predicted, of those that are right," in text
    pairs = ["4' not over '5", "5' over '4", "5' over '[BOS]", "5' over '[EOS]", "5' not over '4"]
    headed = re.findall(r"^\*\*Output\*\* (.*)\*\*\.\*\*$", text, re.M)
    assert [re.sub(r"[`*]", "", each).strip("'") for each in headed] == pairs


def test_show_says_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert "5 is right iff" in said(capsys, "show", "noisy-majority")
    assert data(capsys, "show", "noisy-majority")["language"]["labels"] == {
        "4": "count('0') >= count('1')",
        "5": "count('0') < count('1')",
    }


def test_claims(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = {
        claim["id"]: claim["verdict"] for claim in data(capsys, "claims", "noisy-majority-as-printed")["claims"]
    }
    assert verdicts["noisy-majority/y"] == "true"
    assert verdicts["noisy-majority/y-a"] == "false"
    assert verdicts["noisy-majority/solves"] == "false"
    assert verdicts["noisy-majority/c"] == "true"
    assert "unknown" not in verdicts.values()


def test_in_python() -> None:
    ran = wp.run("noisy-majority", "1", N=5)
    assert (ran.prediction, ran.agrees, ran.logit, ran.accepts) == ("5", True, None, None)
    assert ran.data["token"] == "5"
    assert "predicts" in repr(ran)
    assert wp.run("parity", "1").prediction is None
    results = wp.prove("noisy-majority-silent-2")
    assert results.as_expected
    assert "exp(N)" in wp.derive("noisy-majority").closed_form


def test_no_transformation_and_no_logit_of_all_outputs() -> None:
    with pytest.raises(InputError, match="predicts a token or a class"):
        wp.transformed("noisy-majority", "layer-norm")
    with pytest.raises(InputError, match="reads out no logit"):
        wp.Transformer(load("noisy-majority")).accepts(["0"])


def test_precision(capsys: pytest.CaptureFixture[str]) -> None:
    how = ("--attention", "strict", "--dtype", "bfloat16", "--dtype", "float64", "--max-length", "12")
    rows = data(capsys, "precision", "noisy-majority", *how)["rows"]
    found = {row["dtype"]: row for row in rows}
    assert (found["bfloat16"]["first_failing_length"], found["bfloat16"]["least"]) == (2, True)
    witness = found["bfloat16"]["witness"]
    assert float(witness["outputs"][witness["right"]]) <= max(
        float(output) for token, output in witness["outputs"].items() if token != witness["right"]
    )
    assert float(witness["exact_outputs"][witness["right"]]) > 0
    assert found["float64"]["first_failing_length"] is None
    assert (found["float64"]["searched_to"], found["float64"]["certified_safe_length"]) == (12, 12)
    assert found["bfloat16"]["certified_safe_length"] == 1


@pytest.mark.parametrize(("runs", "certified", "least"), [(3_000, None, True), (3, None, False), (3, 1, True)])
def test_the_least_is_said_after_all_shorter_words_the_empty_one_too(
    monkeypatch: pytest.MonkeyPatch, runs: int, certified: int | None, least: bool
) -> None:
    """The words of one symbol are run, or certified, or some of them are run."""
    monkeypatch.setattr(tokens, "ALL", runs)
    monkeypatch.setattr(tokens, "_certified", lambda *given: certified)
    construction, place = load("noisy-majority"), Place("bfloat16", "cpu", "strict", 12)
    row = tokens._found(construction, {}, place, {})
    assert (row["first_failing_length"], row["least"]) == (2, least)
    assert next(tokens._words(construction, 3)) == (0, [""], True)


def test_precision_counts_no_word_that_exact_arithmetic_loses(capsys: pytest.CaptureFixture[str]) -> None:
    """With N = 3 the word 12 is lost whatever the format."""
    options = ("--dtype", "float64", "--max-length", "4", "--param", "N=3")
    [row] = data(capsys, "precision", "noisy-majority", *options)["rows"]
    assert row["first_failing_length"] is None


def test_precision_refuses_what_it_cannot(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "of which precision takes no --tolerance" in said(capsys, "precision", path, "--tolerance", "1e-7", status=2)
    assert "leaves no word to run" in said(capsys, "precision", path, "--max-length", "0", status=2)


def test_rows_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    kept = tmp_path / "rows.json"
    options = ("precision", "noisy-majority", "--dtype", "bfloat16", "--max-length", "3", "--keep", str(kept))
    first = data(capsys, *options)["rows"]
    monkeypatch.setattr(RowSearch, "measured", lambda *_: pytest.fail("measured again"))
    assert data(capsys, *options)["rows"] == first == json.loads(kept.read_text())["rows"]
    with pytest.raises(pytest.fail.Exception, match="measured again"):
        main([*options, "--param", "N=4"])


def test_the_rows_in_the_repository_are_of_these_networks_and_their_words_are_lost() -> None:
    rows = json.loads((ROOT / "benchmarks/results/precision-predicting-cpu.json").read_text())["rows"]
    assert {(row["construction"], row["dtype"]) for row in rows} == {
        (name, dtype) for name in predictors() if "as-printed" not in name for dtype in DTYPES
    }
    lost = [row for row in rows if row["witness"] is not None]
    assert all(row["sha256"] == digest(load(row["construction"])) for row in rows)
    assert {row["dtype"] for row in lost} == {"bfloat16", "float16", "float32"}
    for row in lost:
        construction, witness = load(row["construction"]), row["witness"]
        word, kept = expand(witness["word"]), {token: float(value) for token, value in witness["outputs"].items()}
        assert right_token(construction, word) == witness["right"]
        assert kept[witness["right"]] <= max(x for token, x in kept.items() if token != witness["right"])
        assert kept.keys() == tied_outputs(construction).keys()
        assert [token for token, value in kept.items() if not _is_computed(row, token, word, value)] == []


SHORT = 64
"""Symbols of a word of which balls are computed in a moment."""


def _is_computed(row: dict[str, Any], token: str, word: str, kept: float) -> bool:
    """Whether the output that is kept is what is computed here: by strict arithmetic to the bit; by torch, whose
    kernels sum in another order on every processor, as far as rounding can make the two differ."""
    construction = load(row["construction"])
    how = {"dtype": row["dtype"], "attention": row["attention"]}
    if row["attention"] != "strict" and len(word) > SHORT:
        return True
    model = wp.Transformer(construction, row["parameters"], **how)
    here = model.outputs([word])[0, model.rows.index(token)].item()
    if row["attention"] == "strict":
        return bool(here == kept)
    ball = output_balls(logit_difference(construction, token), word, row["parameters"], row["dtype"])["logit"]
    return ball.contains(arb(here)) and ball.contains(arb(kept))


def test_an_output_that_is_not_computed_is_noticed() -> None:
    rows = json.loads((ROOT / "benchmarks/results/precision-predicting-cpu.json").read_text())["rows"]
    some = [row for row in rows if row["dtype"] == "float16" and row["construction"] == "noisy-majority"]
    assert {row["attention"] for row in some} == {"strict", "explicit"}
    for row in some:
        word, kept = expand(row["witness"]["word"]), float(row["witness"]["outputs"]["4"])
        assert _is_computed(row, "4", word, kept)
        assert not _is_computed(row, "4", word, kept * 1.25 + 0.25)
