"""What C-RASP programs are compiled to does what they say, for words of all lengths, and mistakes in weights do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.constructions.crasp.languages import LANGUAGES, MISTAKES, mistaken, path_of
from weightproof.constructions.crasp.compiling import compiled, compiled_file
from weightproof.constructions.crasp.grammar import parsed
from weightproof.constructions.crasp.program import accepts
from weightproof.constructions.meaning.running import run
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown

DECIDES = Decides("decides", "it accepts what the program accepts, and no other word")


TOO_LARGE = ("copy4", "increment")
"""Programs whose network tells more kinds of positions apart than are read."""


@pytest.mark.parametrize("name", [name for name in LANGUAGES if name not in TOO_LARGE])
def test_a_program_is_proved_for_all_lengths(name: str) -> None:
    _, construction = compiled_file(path_of(name))
    [result] = prove(construction, [DECIDES], timeout=240)
    assert isinstance(result.verdict, Proved), result.verdict
    assert result.verdict.scope == "all lengths"


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_program_whose_network_is_too_large_stays_open(name: str) -> None:
    _, construction = compiled_file(path_of(name))
    [result] = prove(construction, [DECIDES], timeout=30)
    assert isinstance(result.verdict, Unknown)
    assert "by covering" in result.verdict.reason


@pytest.mark.parametrize("name", MISTAKES)
def test_weights_of_a_program_with_a_mistake_are_refuted_by_a_word(name: str) -> None:
    program, right = compiled_file(path_of(name))
    wrong = compiled(parsed(mistaken(name), Path("mistaken.cr")))
    [result] = prove(replace(right, network=wrong.network), [DECIDES], timeout=120)
    assert isinstance(result.verdict, Refuted), result.verdict
    word = result.verdict.counterexample.word
    assert run(wrong, word).accepts != accepts(program, word)
