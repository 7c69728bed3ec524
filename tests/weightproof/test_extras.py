"""What is installed on request: proofs do without it, what needs it says how to get it, and `doctor` lists it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

import weightproof as wp
from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.constructions.library import apart
from weightproof.extras import LIBRARIES, told
from weightproof.parallel.program import program
from weightproof.reports import installed

EXTRAS = ("numeric", "pictures", "exports", "site", "cluster")
ON_REQUEST = [library.module for library in LIBRARIES if library.extra]
EACH = """
import json, sys
from weightproof.cli import main

for module in json.loads(sys.argv[1]):
    sys.modules[module] = None  # as if it were not installed
for arguments in json.loads(sys.argv[2]):
    print("status", main(arguments), file=sys.stderr)
"""


def without(modules: Sequence[str], folder: Path, *lines: str) -> list[str]:
    """What command lines write to standard error, with their status, where modules are not installed."""
    arguments = (json.dumps(modules), json.dumps([line.split() for line in lines]))
    command = [sys.executable, "-c", EACH, *arguments]
    path = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True, check=True)
    return ended.stderr.splitlines()


def test_proofs_need_nothing_that_is_installed_on_request(tmp_path: Path) -> None:
    """The commands of the README about a file, too."""
    [file] = re.findall(r"```python\n(# majority\.py\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "majority.py").write_text(file)
    lines = ("list", "show parity", "prove majority.py", "claims first-one-layer", "derive parity", "run parity 01")
    more = ("run one 1{200}", "prove increment", "prove modular-addition", "export one --to edges -o edges", "doctor")
    assert without(ON_REQUEST, tmp_path, *lines, *more) == ["status 0"] * (len(lines) + len(more))


NEEDING = {
    "run one 01 --dtype float32": ("torch", "numeric"),
    "precision one": ("torch", "numeric"),
    "import a.safetensors --as a.py --language PARITY --tokens 0,1,CLS": ("torch", "numeric"),
    "export one --to safetensors -o out": ("torch", "numeric"),
    "run one 01 --picture a.svg": ("matplotlib", "pictures"),
    "export one --to onnx --length 2 -o out": ("onnx", "exports"),
}


def test_what_needs_more_says_in_one_line_how_to_get_it(tmp_path: Path) -> None:
    modules = ["torch", "matplotlib", "onnx"]
    said = without(modules, tmp_path, *NEEDING)
    assert len(said) == 2 * len(NEEDING)
    for line, (library, extra) in zip(said[::2], NEEDING.values(), strict=True):
        assert line.startswith(f"weightproof: {library} is not installed, which this needs (")
        assert line.endswith(f"; run: pip install 'weightproof[{extra}]'")
    assert said[1::2] == ["status 2"] * len(NEEDING)


@pytest.mark.parametrize("use", ["wp.Transformer", "wp.run('one', '01', dtype='float32')", "wp.precision('one')"])
def test_python_says_the_same(use: str) -> None:
    program = f"import sys; sys.modules['torch'] = None\nimport weightproof as wp\ntry: {use}\n"
    program += "except wp.InputError as error: print(error)"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert ended.stdout.endswith("; run: pip install 'weightproof[numeric]'\n"), ended.stderr


def test_another_module_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(ModuleNotFoundError), told():
        import nothing_of_this_name  # type: ignore[import-not-found]  # noqa: F401


def named(requirements: list[str]) -> set[str]:
    """The packages, without versions."""
    return {re.split(r"[<>=\[ ]", each)[0] for each in requirements} - {"weightproof"}


def test_the_libraries_are_those_of_the_package() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = package["optional-dependencies"]
    assert {x.name for x in LIBRARIES if not x.extra} <= named(package["dependencies"])
    for extra in EXTRAS:
        assert {x.name for x in LIBRARIES if x.extra == extra} == named(optional[extra])
    assert {x.extra for x in LIBRARIES} == {"", *EXTRAS}
    table = (ROOT / "README.md").read_text()
    assert all(f"| `weightproof[{extra}]` |" in table for extra in EXTRAS)


def test_the_program_of_another_machine_has_the_same_library_for_floating_point() -> None:
    """Results of `precision` depend on it, and what has it not is another program than what has."""
    assert program()["torch"] == __import__("torch").__version__
    assert "onnx" not in program()


def test_doctor_lists_what_is_here_and_how_to_get_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    parts = {part["name"]: part for part in json.loads(capsys.readouterr().out)["parts"]}
    assert parts.keys() >= {"python", "pdflatex", "coqc", "cpu", "cuda", *(library.name for library in LIBRARIES)}
    assert parts["torch"]["version"] == __import__("torch").__version__
    assert parts["torch"]["get"] == "pip install 'weightproof[numeric]'"
    assert main(["doctor"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    for row in rows[: len(parts)]:
        name, *_ = row.split()
        place = header.index("here")
        assert row[place - 2 : place] == "  "
        here = parts[name]["version"]
        assert row[place:].startswith(here or "no")
        assert row.endswith(parts[name]["get"]) is (here is None)


def test_doctor_ends_with_1_where_something_is_not_here_that_all_needs(tmp_path: Path) -> None:
    line, status = without(["cvc5"], tmp_path, "doctor")
    assert line == "weightproof: cvc5 is needed and not here; run: pip install 'cvc5'"
    assert status == "status 1"


def test_a_program_that_is_not_on_the_path_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    versions = {part.name: part.version for part in installed.installed().parts}
    assert (versions["pdflatex"], versions["coqc"]) == (None, None)


def completed(*words: str) -> list[str]:
    """What bash offers at the end of a command line, by the script that the program writes for it."""
    program = f"""
        weightproof() {{ {sys.executable} -m weightproof "$@"; }}
        env() {{ command env PYTHONPATH={ROOT} "${{@:1:$#-1}}" {sys.executable} -m weightproof; }}
        eval "$(_WEIGHTPROOF_COMPLETE=source_bash weightproof | grep -v '^complete ')"
        COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
        _weightproof_completion weightproof
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    ended = subprocess.run(["bash", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    return ended.stdout.split()


def test_a_shell_is_offered_commands_and_names_that_the_command_takes() -> None:
    assert completed("weightproof", "pr") == ["prove", "precision"]
    networks = ["parity", *(name for name in apart() if name.startswith("parity"))]
    assert completed("weightproof", "prove", "parity") == [*networks, "parity-of-4", "parity-feed-forward"]
    assert completed("weightproof", "export", "parity") == networks
    assert completed("weightproof", "claims", "nowak") == ["nowak2022-formulas"]
    assert completed("weightproof", "prove", "nothing-of-this") == []


def test_what_is_offered_is_taken() -> None:
    from weightproof.subjects.registry import subject_of, taken

    assert all("repair" in subject_of(name).kind.takes for name in taken("repair"))
    assert set(wp.names()) <= set(taken("prove"))
