"""`compile`, and programs in the place of constructions."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path

import pytest

import weightproof as wp
from tests.constructions.crasp.languages import LANGUAGES, path_of
from weightproof.cli import main
from weightproof.constructions.crasp.grammar import read_program
from weightproof.constructions.crasp.program import accepts
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_file_defines_what_the_program_is(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same weights and formula; and the function that is written there says what the program says."""
    to = tmp_path / "compiled.py"
    assert main(["compile", str(path_of(name)), "-o", str(to)]) == 0
    assert capsys.readouterr().out.endswith(f"written to {to}; prove it with: weightproof prove {to}\n")
    made, program = load_file(to).construction, read_program(path_of(name))
    assert digest(made) == digest(wp.load(path_of(name)))
    assert made.title == program.title
    longest = 7 if len(made.alphabet) == 2 else 4
    for length in range(longest + 1):
        for word in map("".join, product(made.alphabet, repeat=length)):
            assert made.language.member(word) is accepts(program, word), word
    assert {word: made.language.member(word) for word in LANGUAGES[name].words} == dict(LANGUAGES[name].words)


AWKWARD = """#alphabet "\\" "'" "a"
word = # "a"
i_ = # [j < i] !"\\"
lambda = # ("'" || # "'" > 1) + # [j < i] true
sum = min(word, 2) if "a" else max(i_, lambda) - 1
part_0 = #[j == i - 2] "a" == 1 || #[j == i - 1] !"a" == 1
len = 2 * sum + word > 3 || i % 3 == 1
D = !len && (part_0 || word > 1)
"""


def test_names_and_symbols_that_python_has_uses_for(tmp_path: Path) -> None:
    given, to = tmp_path / "awkward.cr", tmp_path / "awkward.py"
    given.write_text(AWKWARD.replace("", ""))
    assert main(["compile", str(given), "-o", str(to)]) == 0
    made, program = load_file(to).construction, read_program(given)
    verdicts = set()
    for length in range(6):
        for word in map("".join, product(made.alphabet, repeat=length)):
            verdicts.add(accepts(program, word))
            assert made.language.member(word) is accepts(program, word), word
    assert verdicts == {True, False}


def test_without_a_name_it_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = str(path_of("dyck1"))
    assert main(["compile", given]) == 0
    text = capsys.readouterr().out
    assert main(["compile", given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["python"] == text
    (tmp_path / "printed.py").write_text(text)
    assert digest(load_file(tmp_path / "printed.py").construction) == digest(wp.load(given))


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


def test_what_cannot_be_written_or_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, there = str(path_of("dyck1")), tmp_path / "there.py"
    there.write_text("mine")
    assert "the file is there already; name another one" in complaint(capsys, "compile", given, "-o", str(there))
    assert there.read_text() == "mine"
    assert "name a FILE.py" in complaint(capsys, "compile", given, "-o", str(tmp_path / "made.txt"))
    nowhere = str(tmp_path / "none" / "made.py")
    assert f"-o {nowhere}: No such file or directory" in complaint(capsys, "compile", given, "-o", nowhere)
    assert "none.cr: no such file; name a C-RASP program" in complaint(capsys, "compile", "none.cr")
    assert "none.cr: no such file; name a C-RASP program" in complaint(capsys, "prove", "none.cr")


def test_every_command_takes_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(path_of("two_thirds"), "mine.cr")
    assert main(["run", "mine.cr", "aab"]) == 0
    assert main(["prove", "mine.cr"]) == 0
    assert main(["derive", "mine.cr", "--format", "text"]) == 0
    assert main(["show", "mine.cr", "--with", "scale-attention-by-log-length"]) == 0
    assert main(["precision", "mine.cr", "--dtype", "float16", "--max-length", "5"]) == 0
    assert main(["export", "mine.cr", "--to", "edges", "-o", "out"]) == 0
    assert "define claims = Claims(NAME, ...)" in complaint(capsys, "claims", "mine.cr")
    assert wp.run("mine.cr", "aab").logit == wp.run(wp.load("mine.cr"), "aab").logit


def test_a_mistake_in_the_weights_is_found(tmp_path: Path) -> None:
    to = tmp_path / "mistaken.py"
    assert main(["compile", str(path_of("majority")), "-o", str(to)]) == 0
    right = to.read_text()
    wrong = right.replace('"1/(i+1)": "-1/2"', '"1/(i+1)": "1/2"')
    assert wrong != right
    to.write_text(wrong)
    [result] = wp.prove(to)
    assert result.verdict.name == "refuted"


def test_a_program_and_its_formula_are_held_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program says is compared with its formula when its file is read: a translation with a fault is refused."""
    from weightproof.constructions.crasp import compiling

    right = compiling.formula(compiling.plain(read_program(path_of("majority"))))
    monkeypatch.setattr(compiling, "formula", lambda _: type(right)(right.source.replace(">", ">=")))
    with pytest.raises(InputError, match="but the characterisation says"):
        wp.load(path_of("majority"))
