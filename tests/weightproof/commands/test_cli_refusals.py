"""Odd files through every command: a proper answer, or one line and status 2, and never an error of the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.suites import short_suite
from weightproof import cli
from weightproof.cli import main
from weightproof.reports import running

pytestmark = pytest.mark.usefixtures("little_search")

FILE = """
from weightproof import (
    Construction, Embedding, Encoder, Head, Language, Layer, LayerNorm, Linear, Parameter, Readout,
)

alphabet = ("0", "1")
parameters = ()
encoding = {}
characterisation = "count('1') > count('0')"
member = lambda word, **_: word.count("1") > word.count("0")
weight, norm, theorems = 1, None, None
WE = {"0": {"0": 1}, "1": {"1": 1}, "CLS": {}}
position = "first"
# CHANGES
head = Head(W_V={"s": {"1": weight, "0": -1, "p": 1}})
construction = Construction(
    name="odd", title="an odd one", source="a test",
    language=Language(name="CORNER", alphabet=alphabet, member=member, characterisation=characterisation),
    parameters=parameters,
    network=Encoder(
        coordinates=("0", "1", "p", "s"), embedding=Embedding(WE, encoding),
        layers=(Layer(heads=(head,), attention_norm=norm),),
        readout=Readout(Linear({"logit": {"s": 1}}), position), begin="CLS" if "CLS" in WE else None,
    ),
)
if theorems is None:
    del theorems
"""

REFUSED = {
    "a power of a power": ("weight = '9**9**9'", "'9**9**9' has no value: a power with exponent 387420489"),
    "a huge power": ("weight = '10**10**10'", "a power with exponent 10000000000 is too large"),
    "a root of a negative number": ("weight = 'sqrt(-1)'", "'sqrt(-1)' has no value: square root of a negative number"),
    "a logarithm of zero": ("weight = 'log(0)'", "'log(0)' has no value: logarithm of a number that is not positive"),
    "a quotient by zero": ("weight = '1/0'", "'1/0' has no value: division by zero"),
    "a quotient by what comes to zero": ("weight = '1/(sqrt(8) - 2*sqrt(2))'", "has no value: division by zero"),
    "a quotient by zero at this width": ("weight = '1/(d - 4)'", "'1/(d - 4)' has no value at d = 4: division by zero"),
    "a quotient by zero at the default": (
        "weight = '1/(c - 1)'; parameters = (Parameter('c', 'c > 0', 1),)",
        "'1/(c - 1)' has no value at c = 1: division by zero",
    ),
    "a root by a power": ("weight = '(-2)**(1/2)'", "powers take integers as exponents, or fractions of"),
    "a power of a sum": ("weight = '(1 + exp(1))**5000'", "a power with exponent 5000 is too large"),
    "thousands of digits": ("weight = '7**2000*7**2000'", "is a number of some 33"),
    "thousands of digits in a fraction": ("weight = '1/7**9000'", "is a number of some 75"),
    "a domain from beyond": ("parameters = (Parameter('c', 'c > 9**9**9', 1),)", "parameter c: a power with exponent"),
    "a default from beyond": ("parameters = (Parameter('c', 'c > 0', 'log(0)'),)", "default: 'log(0)' has no value"),
    "a negative epsilon": ("norm = LayerNorm(-1)", "layer 1, attention_norm: epsilon -1 is negative; give 0 or more"),
    "a null character": ("alphabet = ('\\0', '1')", "symbol '\\x00' of the alphabet cannot be printed"),
    "a tabulator": ("alphabet = ('\\t', '1')", "symbol '\\t' of the alphabet cannot be printed"),
    "half a surrogate": ("alphabet = ('\\ud800', '1')", "symbol '\\ud800' of the alphabet cannot be printed"),
    "a null character in a marker": ("WE = {**WE, 'CLS\\0': {}}", "is no name"),
    "a count up to half a position": (
        "characterisation = \"count('1', n/2) > 0\"",
        "count('1', j) takes a whole position j, not 1/2",
    ),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "show": (), "run": ("01",), "prove": (), "derive": (), "precision": ("--dtype", "float32", "--max-length", "8"),
}  # fmt: skip


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    return tmp_path / "odd.py"


def answer(capsys: pytest.CaptureFixture[str], path: Path, command: str, changes: str, *more: str) -> tuple[int, str]:
    """The exit status, and the line on standard error, if any."""
    path.write_text(FILE.replace("# CHANGES", changes))
    status = main([command, str(path), *COMMANDS.get(command, ()), *more])
    complaint = capsys.readouterr().err
    assert "internal error" not in complaint, complaint
    assert complaint.count("\n") <= 1
    return status, complaint


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_meaning_is_refused_when_it_is_built(
    capsys: pytest.CaptureFixture[str], odd: Path, name: str, command: str
) -> None:
    changes, says = REFUSED[name]
    status, complaint = answer(capsys, odd, command, changes)
    assert status == 2
    assert complaint.startswith(f"weightproof: {odd}")
    assert says in complaint


CONSTANT = "WE = {'0': {'0': 1, '1': 1, 'p': 1, 's': 1}, '1': {'1': 1}, 'CLS': {}}; norm = LayerNorm(0)"
ODD = {
    "remainders summed": "encoding = {'p': '(i % 3 != 0)'}",
    "an encoding that has no value somewhere": "encoding = {'p': 'log(i)'}",
    "a quotient that has no value somewhere": "encoding = {'p': '1/(i - 2)'}",
    "a root of a parameter": "weight = 'sqrt(c)'; parameters = (Parameter('c', 'c > -1', 1),)",
    "a constant vector normalised": CONSTANT,
    "a truth value added": "encoding = {'p': '(i > 3) + 1'}",
    "a truth value added in a formula": "characterisation = \"(count('1') > count('0')) + 1 == 2\"",
    "a count up to a square": "characterisation = \"count('1', n*n) > count('0')\"",
    "a token at a square": "characterisation = \"count('1') > count('0') and not w[n*n] == '1'\"",
    "a domain from 10**300 on": "weight = 'c'; parameters = (Parameter('c', 'c > 10**300', '10**301'),)",
    "a domain from exp(exp(10)) on": "parameters = (Parameter('c', 'c > exp(exp(10))', 'exp(exp(11))'),)",
    "a domain down to -10**300": "weight = 'exp(c)'; parameters = (Parameter('c', 'c > -10**300', 1),)",
    "one letter read last": (
        "alphabet = ('1',); WE = {'1': {'1': 1}}; position = 'last'; weight = 'c'; characterisation = 'n >= 1';"
        "member = lambda word, **_: len(word) > 0; parameters = (Parameter('c', 'c > 0', 1),)"
    ),
    "an exponential of a huge number": "weight = 'exp(10**100)'",
    "a theorem about a truth value": (
        "from weightproof import Decides\ntheorems = (Decides('a', 'b', given='(n > 3) + 1 > 1'),)"
    ),
    "a theorem about a power": ("from weightproof import Margin\ntheorems = (Margin('accepted', '9**9**9'),)"),
}


@pytest.mark.parametrize("command", short_suite(COMMANDS, [command for command in COMMANDS if command != "precision"]))
@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_answered_or_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], odd: Path, name: str, command: str
) -> None:
    status, complaint = answer(capsys, odd, command, ODD[name])
    says_why = (1, 2) if command == "derive" else (2,)  # a document does not say at its end what is not as expected
    assert bool(complaint) == (status in says_why)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("a truth value added", 1),  # all words of some length are accepted
        ("a truth value added in a formula", 0),
        ("a theorem about a truth value", 0),
        ("one letter read last", 0),
        ("remainders summed", 1),  # a word with as many 1s as 0s is accepted
        ("a count up to a square", 1),
    ],
)
def test_what_is_odd_but_meaningful_is_settled(
    capsys: pytest.CaptureFixture[str], odd: Path, name: str, status: int
) -> None:
    assert answer(capsys, odd, "prove", ODD[name]) == (status, "")


def test_a_truth_value_counts_as_its_bracket_in_a_run_too(capsys: pytest.CaptureFixture[str], odd: Path) -> None:
    formula = "characterisation = \"(count('1') > count('0')) + 1 == 3\"; member = lambda word: False"
    assert answer(capsys, odd, "run", formula) == (0, "")
    assert answer(capsys, odd, "prove", formula)[0] == 1  # no word is a member, and 1 is accepted


@pytest.mark.parametrize("interpreted", [200, 1])
def test_the_run_of_a_constant_vector_names_the_word(
    capsys: pytest.CaptureFixture[str], odd: Path, monkeypatch: pytest.MonkeyPatch, interpreted: int
) -> None:
    """By the linear pass as by the interpreter."""
    monkeypatch.setattr(running, "INTERPRETED", interpreted)
    status, complaint = answer(capsys, odd, "run", CONSTANT + "; weight = 0")
    assert status in (0, 2)
    flat = "WE = {'0': {}, '1': {}, 'CLS': {}}; norm = LayerNorm(0)"
    status, complaint = answer(capsys, odd, "run", flat)
    assert status == 2
    assert "no exact value on '01': layer normalisation of a constant vector with epsilon 0" in complaint


@pytest.mark.parametrize("command", [["list"], ["prove", "one"], ["derive", "one"], ["show", "one"]])
def test_an_error_that_is_ours_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: Sequence[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines") from KeyError("the cause")

    monkeypatch.setattr(cli, "_invoke", broken)
    assert main(command) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    begin = f"weightproof: internal error in 'weightproof {' '.join(command)}': RuntimeError: two lines (test_cli_ref"
    assert captured.err.startswith(begin)
    assert captured.err.endswith("this is a fault of weightproof, not of the input: please report it with this line\n")
    assert captured.err.count("\n") == 1


def test_an_assertion_that_fails_is_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: Path
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("weightproof.proofs.deciding.obligations", broken)
    odd.write_text(FILE)
    assert main(["prove", str(odd)]) == 2
    assert "internal error in 'weightproof prove" in capsys.readouterr().err


def test_an_interruption_is_no_internal_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_invoke", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err == "weightproof: interrupted before there was a result\n"
