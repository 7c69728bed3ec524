"""Decoders on the command line: what is appended to a word, token after token, and what is proved of that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import weightproof as wp
from weightproof.cli import main

MAJORITY = """
from weightproof import Construction, Decoder, Embedding, FeedForward, Head, Language, Layer, Linear, Parameter, Readout

words = Language("ANY", ("0", "1", "=", "y", "n"), lambda word: True, "0 == 0")
mean = Head(W_V={"ahead": {"1": 1, "0": -1}}, normaliser="hardmax", scale=1, mask="causal")
more = FeedForward(Linear({"more": {"ahead": 1}}), Linear({"y": {"more": 1}}), "step")
network = Decoder(
    coordinates=("0", "1", "=", "done", "ahead", "y"),
    embedding=Embedding({"0": {"0": 1}, "1": {"1": 1}, "=": {"=": 1}, "y": {"done": 1}, "n": {"done": 1}, ".": {}}),
    layers=(Layer(heads=(mean,), feed_forward=more),),
    readout=Readout(Linear({"y": {"=": 1, "y": 1}, "n": {"=": "3/2"}, ".": {"done": "done"}}), "last", "argmax"),
    stop=".",
)
three = Parameter("done", "done > 0", 3)
construction = Construction("says", "Says whether 1 is ahead", "a test", words, network, (three,))
"""
"""Behind "=" it says y where there are more 1s than 0s, and otherwise n; behind y and n it stops."""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "says.py"
    path.write_text(MAJORITY, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["run", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def tokens(found: Any) -> list[str]:
    return [each["token"] for each in found["appended"]]


def test_what_is_appended(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, file, "01101=")
    assert (tokens(found), found["stopped"], found["numeric"]) == (["y", "."], True, [])
    assert found["evaluated"] == "interpreter"
    assert found["appended"][0]["outputs"] == {"y": "2", "n": "3/2", ".": "0"}
    assert set(found) == {"construction", "word", "parameters", "appended", "stopped", "evaluated", "numeric"}
    assert tokens(answer(capsys, file, "0{3}1{3}=")) == ["n", "."]
    assert answer(capsys, file, "0=", "--param", "done=1/2")["appended"][-1]["outputs"]["."] == "1/2"


def test_the_report(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, "0=", "--steps"]) == 0
    out = capsys.readouterr().out
    assert "appends     n ." in out
    assert [line.split() for line in out.splitlines()[-2:]] == [["1", "n", "1", "3/2", "0"], ["2", ".", "0", "0", "3"]]
    assert main(["run", file, "0=", "--max-steps", "1"]) == 0
    assert "It has not stopped after 1 tokens" in capsys.readouterr().out
    assert main(["run", file, "0=", "--max-steps", "0"]) == 0
    assert "nothing yet" in capsys.readouterr().out


def test_floating_point(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The share by which 1 is ahead is exact in neither format, and still positive; where what is to be appended has 3
    and 1.5, something near 1 is added to the other one."""
    found = answer(capsys, file, "01101=", "--dtype", "float32", "--dtype", "bfloat16", "--attention", "strict")
    assert [(row["dtype"], row["tokens"], row["agrees"]) for row in found["numeric"]] == [
        ("float32", ["y", "."], True),
        ("bfloat16", ["y", "."], True),
    ]
    # 257 times 1 and 256 times 0 are even in bfloat16, summed from left to right
    late = answer(capsys, file, "1{257}0{256}=", "--dtype", "bfloat16", "--attention", "strict", "--max-steps", "1")
    assert tokens(late) == ["y"]
    [row] = late["numeric"]
    assert row["agrees"] == (row["tokens"] == ["y"])
    assert not row["agrees"]


REFUSED = {
    "a trace": (("0=", "--trace"), "is a decoder, of which run takes no --trace"),
    "a tolerance": (
        ("0=", "--tolerance", "1", "--dtype", "float32"),
        "of which run takes no --tolerance",
    ),
    "no position": (("",), "the empty word has no position to read out"),
    "a foreign symbol": (("2",), "symbol '2' at index 0"),
    "a parameter": (("0=", "--param", "done=-1"), "done"),
    "a device alone": (("0=", "--device", "cpu"), "add --dtype float32"),
    "too long": (("0{3000}=",), "a word of 3001 symbols is too long"),
}


@pytest.mark.parametrize(("arguments", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(file: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str) -> None:
    assert main(["run", file, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err


def test_in_python_it_is_run_as_by_the_command(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = wp.run(file, "0=", max_steps=3)
    assert ran.agrees is None
    assert main(["run", file, "0=", "--max-steps", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == ran.data


STATED = (
    MAJORITY.replace('"done": "done"', '"done": 3')
    + """from weightproof import Appends

theorems = (
    Appends("=", "y", "count('1') > count('0')"),
    Appends("=", "n", "count('1') <= count('0')"),
    *(Appends(said, ".") for said in "yn"),
    Appends("=", "n", "count('1') < 2*count('0')", name="too much", expected="refuted"),
)
"""
)


def prove(capsys: pytest.CaptureFixture[str], file: str, status: int, *arguments: str) -> Any:
    assert main(["prove", file, *arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)["theorems"]


def test_what_is_appended_is_proved(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text(STATED, encoding="utf-8")
    found = prove(capsys, file, 0)
    assert [each["verdict"] for each in found] == ["proved"] * 4 + ["refuted"]
    assert found[0]["theorem"] == "'y' behind '=', count('1') > count('0')"
    assert (found[0]["scope"], found[0]["evidence"]) == ("all words, all steps", "certificate")
    assert found[0]["given"] == ["count('1') > count('0')"]
    wrong = found[4]["counterexample"]
    assert (wrong["word"], wrong["expected"], wrong["found"]) == ("00111=", "n", "y")
    assert tokens(answer(capsys, file, wrong["word"]))[0] == "y"
    assert main(["derive", file, "--format", "md"]) == 0
    assert "**Refuted, as expected,** by the word `00111=`: at step 1" in capsys.readouterr().out


def test_a_changed_weight_is_refuted(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The share of 0s counts half."""
    changed = STATED.replace('"0": -1}}', '"0": "-1/2"}}')
    assert changed != STATED
    Path(file).write_text(changed, encoding="utf-8")
    assert [each["verdict"] for each in prove(capsys, file, 1)] == ["proved", "refuted", "proved", "proved", "refuted"]


def test_it_has_a_time_limit(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text(STATED, encoding="utf-8")
    assert prove(capsys, file, 2, "--timeout", "1e-9") == []


MALFORMED = {
    "behind what": ("Appends('x', 'y')", "behind is 'x', neither a symbol nor the marker of the beginning"),
    "what": ("Appends('y', 'x')", "token is 'x', neither a symbol nor '.'"),
    "given what": ("Appends('y', '.', 'count('x') > 0')", "given"),
    "given a parameter": ("Appends('y', '.', 'done > 0')", "given"),
}


@pytest.mark.parametrize(("theorem", "says"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_theorems(file: str, capsys: pytest.CaptureFixture[str], theorem: str, says: str) -> None:
    Path(file).write_text(f"{MAJORITY}\nfrom weightproof import Appends\ntheorems = ({theorem},)\n", encoding="utf-8")
    assert main(["prove", file]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert says in err


def test_an_encoder_appends_nothing() -> None:
    with pytest.raises(wp.InputError, match="the network appends no tokens; only decoders do"):
        wp.prove("parity", [wp.Appends("0", "1")])


WITHOUT_LAYERS = """
from weightproof import Appends, Construction, Decoder, Embedding, Language, Linear, Readout

construction = Construction("alternates", "a and b in turn", "a test",
    Language("ANY", ("a", "b"), lambda word: True, "n >= 1"),
    Decoder(("[a]", "[b]", "[C]"), Embedding({"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {"[C]": 1}}), layers=(), begin="C",
    readout=Readout(Linear({"a": {"[b]": 1, "[C]": 1}, "b": {"[a]": WEIGHT}}), "last", "argmax")))
theorems = (Appends("a", "b"), Appends("b", "a"), Appends("C", "a"))
"""


def test_a_decoder_without_layers_is_derived_and_proved(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text(WITHOUT_LAYERS.replace("WEIGHT", "1"), encoding="utf-8")
    assert [each["verdict"] for each in prove(capsys, file, 0)] == ["proved"] * 3
    assert main(["derive", file, "--format", "text"]) == 0
    assert "alternates: a and b in turn" in capsys.readouterr().out
    Path(file).write_text(WITHOUT_LAYERS.replace("WEIGHT", "-1"), encoding="utf-8")
    assert [each["verdict"] for each in prove(capsys, file, 1)] == ["refuted", "proved", "proved"]
