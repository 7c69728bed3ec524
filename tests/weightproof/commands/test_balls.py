"""`run` where exact numbers take too long: in balls, of which no digit is shown that is not certain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import weightproof as wp
from tests.weightproof.decoders.test_decoders import file as file
from weightproof.cli import main
from weightproof.constructions.meaning.inputs import InputError
from weightproof.reports import running

SAID = "in balls of 128 bits, as exact numbers take too long; the digits shown are certain"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is left for exact numbers."""
    monkeypatch.setattr(running, "PATIENCE", 0.0)


@pytest.mark.parametrize(
    ("name", "word", "in_balls", "exactly"),
    [
        ("parity", "0110", "-0.0389610389610389...\n", "-3/77 = -0.0389610389610389...\n"),
        ("noisy-majority", "010", "4      0.180532564802191...\n", "4      0.180532564802191...\n"),
    ],
)
def test_a_run_in_balls_says_so(
    name: str, word: str, in_balls: str, exactly: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", name, word]) == 0
    output = capsys.readouterr().out
    assert SAID in output
    assert in_balls in output
    assert exactly in output or name == "parity"
    assert main(["run", name, word, "--exact"]) == 0
    output = capsys.readouterr().out
    assert "balls" not in output
    assert exactly in output


@pytest.mark.parametrize(("name", "word"), [("parity", "0110"), ("noisy-majority", "010")])
def test_json_says_what_is_exact(name: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", name, word, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["evaluated"] == "interpreter, in balls"
    if name == "parity":
        assert (found["logit"], found["logit_is_exact"]) == ("-0.0389610389610389", False)


def test_a_decoder_is_run_in_balls(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    found, exact = wp.run(file, "011="), wp.run(file, "011=", exact=True)
    assert SAID in str(found)
    assert SAID not in str(exact)
    assert [each["token"] for each in found.data["appended"]] == [each["token"] for each in exact.data["appended"]]
    assert found.data["evaluated"] == "interpreter, in balls"


def test_a_sign_that_balls_leave_open_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """The logit is 0, which no ball shows."""
    with pytest.raises(InputError, match=r"^palindrome: exact numbers take too long, and balls of 2048 bits leave a"):
        wp.run("palindrome", "0110")
    assert wp.run("palindrome", "0110", exact=True).logit == 0


def test_what_shows_exact_numbers_is_run_exactly(tmp_path: Path) -> None:
    assert SAID not in str(wp.run("parity", "01", trace=True))
    assert main(["run", "parity", "01", "--picture", str(tmp_path / "parity.svg")]) == 0
