"""What a program means, its weights and its formula are the same on all short words, and what it is said to be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.constructions.crasp.drawn import drawn
from tests.constructions.crasp.languages import FOLDER, LANGUAGES, MISTAKES, mistaken, path_of
from weightproof.constructions.crasp.compiling import compiled
from weightproof.constructions.crasp.formula import TooLong
from weightproof.constructions.crasp.grammar import parsed, read_program
from weightproof.constructions.crasp.plain import Uncompiled
from weightproof.constructions.crasp.program import Program, accepts, vectors
from weightproof.constructions.languages.membership import check_membership
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.formulas import holds

BY_NAME = pytest.mark.parametrize("name", LANGUAGES)


def program_of(text: str) -> Program:
    return parsed(text, Path("drawn.cr"))


def words(alphabet: tuple[str, ...], longest: int) -> Iterator[str]:
    return ("".join(word) for length in range(longest + 1) for word in product(alphabet, repeat=length))


def formula_holds(construction: Construction, word: str) -> bool:
    tokens = add_markers(construction.encoder, word)
    return holds(construction.language.characterisation, {}, tokens, construction.alphabet)


def differences(program: Program, construction: Construction, longest: int) -> list[str]:
    """Words on which weights or formula say otherwise than the program."""
    return [
        word
        for word in words(program.alphabet, longest)
        if {accepts(program, word)} != {bool(run(construction, word).accepts), formula_holds(construction, word)}
    ]


def test_every_program_of_the_folder_has_its_language() -> None:
    assert {path.stem for path in FOLDER.glob("*.cr")} == LANGUAGES.keys()


@BY_NAME
def test_it_accepts_its_language(name: str) -> None:
    program, case = read_program(path_of(name)), LANGUAGES[name]
    assert not accepts(program, "")
    told = [
        word for word in words(program.alphabet, case.longest) if word and accepts(program, word) != case.member(word)
    ]
    assert told == []
    assert {word: accepts(program, word) for word in case.words} == dict(case.words)
    assert any(accepts(program, word) for word in (*words(program.alphabet, case.longest), *case.words))


@BY_NAME
def test_its_weights_and_its_formula_say_what_it_says(name: str) -> None:
    program = read_program(path_of(name))
    construction = compiled(program)
    check_membership(construction)
    longest = min(LANGUAGES[name].longest, 6 if len(program.alphabet) == 2 else 4)
    assert differences(program, construction, longest) == []
    for word, verdict in LANGUAGES[name].words.items():
        assert run(construction, word).accepts is verdict
        assert formula_holds(construction, word) is verdict


@pytest.mark.parametrize("seed", range(0, 324, 12))
def test_so_do_those_of_programs_that_are_drawn(seed: int) -> None:
    compared = 0
    for each in range(seed, seed + 12):
        program = program_of(drawn(Random(each)))
        try:
            construction = compiled(program)
        except (Uncompiled, TooLong):
            continue
        assert differences(program, construction, 3) == [], each
        compared += 1
    assert compared > 6


@pytest.mark.controls
@pytest.mark.parametrize("seed", range(324, 3324, 100))
def test_so_do_those_of_many_programs_that_are_drawn(seed: int) -> None:
    for each in range(seed, seed + 100):
        program = program_of(drawn(Random(each)))
        try:
            construction = compiled(program)
        except (Uncompiled, TooLong):
            continue
        assert differences(program, construction, 4) == [], each


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_program_is_one_of_its_weights_and_of_its_formula(name: str) -> None:
    program, case = program_of(mistaken(name)), LANGUAGES[name]
    construction = compiled(program)
    wrong = [word for word in (*words(program.alphabet, case.longest), *case.words) if word]
    wrong = [word for word in wrong if accepts(program, word) != case.member(word)]
    assert wrong
    assert {run(construction, word).accepts for word in wrong[:1]} == {accepts(program, wrong[0])}
    assert formula_holds(construction, wrong[0]) is accepts(program, wrong[0])


def test_weights_of_another_program_are_seen() -> None:
    """The comparison above can fail."""
    right, wrong = (program_of(f'D = # "a" {sign} # "b"') for sign in (">", ">="))
    assert differences(right, compiled(right), 3) == []
    assert differences(right, compiled(wrong), 3) == ["ab", "ba"]


def test_each_line_has_a_value_at_each_position() -> None:
    program = program_of(
        'C = # "a"\n'
        'before = # [j < i] "a"\n'
        'back = #[j == i - 2] "a"\n'
        "odd = i % 2 == 1\n"
        "most = max(C, 2) - min(C, 1)\n"
        "chosen = 2 * C if odd else 7\n"
        "D = chosen > 3\n"
    )
    assert dict(vectors(program, "aab")) == {
        "C": [1, 2, 2],
        "before": [0, 1, 2],
        "back": [0, 0, 1],
        "odd": [False, True, False],
        "most": [1, 1, 1],
        "chosen": [7, 4, 7],
        "D": [True, True, True],
    }


def test_the_marker_is_nowhere_counted() -> None:
    """What is always true is counted as often as there are symbols, and never of the empty word."""
    program = program_of(
        '#alphabet "a"\nalways = !false\nD = # always == # true && # [j < i] always >= 0 && !(# true == 0)'
    )
    construction = compiled(program)
    assert differences(program, construction, 4) == []
    assert not run(construction, "").accepts
    assert not formula_holds(construction, "")


SAME = {
    "twice": "D = # P + # (# 'a' > 1) > 3",
    "less": "D = # P - # (# 'a' > 1) + # 'b' > 1",
    "both": "D = P && # 'a' > 1 && !(# 'b' > 1 && P)",
    "one of both": "D = P || # 'a' > 1 || # P == 1",
}


@pytest.mark.parametrize("what", SAME)
def test_what_is_written_twice_is_counted_twice(what: str) -> None:
    """By its name, and as it is said: one coordinate has both."""
    program = program_of(f"P = # 'a' > 1\n{SAME[what]}".replace("'", '"'))
    assert differences(program, compiled(program), 6) == []


def test_what_no_word_has_and_what_every_word_has() -> None:
    for text, verdict in (("false", False), ("true", True), ("0 == 0", True), ("# false > 0", False)):
        program = program_of(f'#alphabet "a" "b"\nD = {text}')
        construction = compiled(program)
        assert differences(program, construction, 3) == []
        assert accepts(program, "ab") is verdict
