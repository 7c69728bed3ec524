"""What is printed of a proof by covering, and of a word that is the shortest wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weightproof.cli import main

FILE = """
from tests.proofs.covering.trained import TRAINED as construction
from weightproof import Decides

theorems = (
    Decides("to 17", "accepts MAJ", up_to=17),
    Decides("to 50", "accepts MAJ", up_to=50, expected="refuted"),
    Decides("all", "accepts MAJ", expected="refuted"),
)
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "covered.py"
    path.write_text(FILE)
    return str(path)


def test_sets_and_margins_are_told(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", file]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "proved n <= 17 covering" in shown
    assert "trained, to 17: 131,071 words; 33 sets, on which what is shown is at least" in shown
    assert "no shorter word is wrong: all of n <= 41 positions are covered" in shown
    assert shown.count("no shorter word") == 2


def test_json_has_them(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", file, "--json"]) == 0
    covered, refuted, of_all = json.loads(capsys.readouterr().out)["theorems"]
    assert (covered["evidence"], covered["scope"], covered["words"]) == ("covering", "n <= 17", None)
    assert covered["covered"]["words"] == 2**17 - 1
    assert covered["covered"]["sets"] > 0
    assert float(covered["covered"]["margin"]) > 0
    assert (refuted["covered"], refuted["right_up_to"]) == (None, 41)
    assert of_all["right_up_to"] == 41
    assert len(of_all["counterexample"]["word"]) == 41
