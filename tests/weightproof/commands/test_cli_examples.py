"""`prove FILE.py` on constructions that the suite has never seen, two of them with a mistake."""

from __future__ import annotations

import json
import shlex
from itertools import product
from pathlib import Path

import pytest

from tests.support.places import TESTS
from weightproof.cli import main
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.running import run

EXAMPLES = TESTS / "examples"
MISTAKEN = {"planted_mistake": "011", "planted_late_mistake": "0001111"}
"""File -> the first shortest word that its network decides otherwise than its language."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_every_example_is_settled(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    status = main(["prove", str(path), "--json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    rows = {row["theorem"]: row for row in json.loads(captured.out)["theorems"]}
    recognises = rows["recognises"]
    if path.stem not in MISTAKEN:
        assert status == 0
        assert (recognises["verdict"], recognises["scope"]) == ("proved", "all lengths")
        return
    assert status == 1
    assert (recognises["verdict"], recognises["expected"]) == ("refuted", "proved")
    assert recognises["counterexample"]["word"] == MISTAKEN[path.stem]
    program, *arguments = shlex.split(recognises["counterexample"]["command"])
    assert program == "weightproof"
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agrees"] is False


@pytest.mark.parametrize("stem", MISTAKEN)
def test_the_word_of_a_refutation_is_the_shortest(stem: str) -> None:
    construction = load_file(EXAMPLES / f"{stem}.py").construction
    words = ("".join(word) for n in range(len(MISTAKEN[stem]) + 1) for word in product("01", repeat=n))
    wrong = (word for word in words if run(construction, word).accepts != is_member(construction, word, {}))
    assert next(wrong) == MISTAKEN[stem]


def test_a_refutation_prints_its_word_and_how_to_replay_it(capsys: pytest.CaptureFixture[str]) -> None:
    path = EXAMPLES / "planted_mistake.py"
    assert main(["prove", str(path)]) == 1
    text = capsys.readouterr().out
    assert "refuted, expected proved  word '011'  replayed exactly" in text
    assert f"    weightproof run {path} '011'" in text.splitlines()


def test_several_files_and_names_are_proved_in_the_order_given(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = [str(EXAMPLES / "contains_a.py"), "one", str(EXAMPLES / "more_ones.py")]
    assert main(["prove", *wanted, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["theorems"]
    assert list(dict.fromkeys(row["construction"] for row in rows)) == ["contains-a", "one", "more-ones"]
