"""A file whose language is a regular expression: proved, refuted, run, shown and derived on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weightproof.cli import main

FILE = r"""
from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

before = Head(
    W_V={"( before": {"[w=(]": 1}, ") before": {"[w=)]": 1, "[w=CLS]": 1}},
    W_Q={"own": {"i": 1}, "one": {"one": 1}},
    W_K={"own": {"one": 1}, "one": {"i": -1, "one": -1}},
    score="-|dot|",
    normaliser="hardmax",
    scale=1,
)
last = Head(W_V={"open": {"[w=(]": 1}}, W_Q={"q": {"one": 1}}, W_K={"q": {"i": 1}}, normaliser="hardmax", scale=1)
same = FeedForward(
    Linear({"((": {"[w=(]": 1, "( before": 1}, "))": {"[w=)]": 1, ") before": 1}}, {"((": -1, "))": -1}),
    Linear({"wrong": {"((": 1, "))": 1}}),
)
construction = Construction(
    name="flat",
    title="flat brackets",
    source="a test",
    language=Language(
        name="FLAT",
        alphabet=("(", ")"),
        member=lambda w: w == "()" * (len(w) // 2),
        characterisation=r"matches('(\(\))*')",
    ),
    network=Encoder(
        coordinates=("[w=(]", "[w=)]", "[w=CLS]", "i", "one", "( before", ") before", "open", "wrong"),
        embedding=Embedding(WE={"CLS": {"[w=CLS]": 1}, "(": {"[w=(]": 1}, ")": {"[w=)]": 1}}, PE={"i": "i", "one": 1}),
        layers=(Layer(heads=(before, last), feed_forward=same),),
        readout=Readout(Linear({"logit": {"wrong": -1, "open": -1}}), position="sum", accept="logit >= 0"),
    ),
)
"""
RIGHT = r"(\(\))*"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flat.py"
    path.write_text(FILE)
    return path


def changed(file: Path, expression: str) -> str:
    assert RIGHT in FILE
    path = file.with_name("changed.py")
    path.write_text(FILE.replace(RIGHT, expression))
    return str(path)


def test_it_is_proved_for_all_lengths(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", str(file), "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["theorems"]
    assert (row["verdict"], row["scope"]) == ("proved", "all lengths")


def test_another_one_is_refuted_by_a_word(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is longer than those on which the definition is compared with the membership function."""
    assert main(["prove", changed(file, r"(\(\)){0,6}"), "--json"]) == 1
    [row] = json.loads(capsys.readouterr().out)["theorems"]
    assert (row["verdict"], row["counterexample"]["word"]) == ("refuted", "()" * 7)


def test_words_are_run(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for word, member in (("", True), ("()()", True), ("(", False), ("())", False)):
        assert main(["run", str(file), word, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["member"], found["agrees"]) == (member, True)


def test_it_is_written_out(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(file)]) == 0
    assert r"matches('(\(\))*')" in capsys.readouterr().out
    assert main(["derive", str(file), "--format", "md"]) == 0
    assert r"w \text{ matches } \texttt{(\textbackslash{}(\textbackslash{}))*}" in capsys.readouterr().out


def test_a_proof_says_what_is_counted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = r"count('((') + count('))') + sum((w[j] == '(')*(not matches('(.*\\))?')) for j in positions) == 0"
    file.write_text(FILE.replace(f"r\"matches('{RIGHT}')\"", f"r\"{said} and w[1] != ')'\""))
    assert main(["derive", str(file), "--format", "md"]) == 0
    printed = capsys.readouterr().out
    assert "Proof, by finite automata" in printed
    assert r"w_{x - 1} = \texttt{(} \land w_{x} = \texttt{(}" in printed
    assert r"w_{x} = \texttt{(} \land (\lnot w \text{ matches } \texttt{(.*\textbackslash{}))?})" in printed


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (r"(\(\))*?", "regular expression, column 8, '?': the shortest repetition"),
        ("(a|b)*", "matches('(a|b)*') speaks of 'a', which is no symbol"),
        (r"^(\(\))*", "regular expression, column 1, '^': anchors are not read"),
    ],
)
def test_what_is_none_is_refused_in_one_line(
    file: Path, expression: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", changed(file, expression)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said in line
