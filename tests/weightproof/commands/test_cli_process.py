"""The program as a user starts it: bad input ends in one line and status 2, an interruption in one line and 130."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.children import heed_interruptions
from tests.support.places import ROOT, TESTS
from weightproof.cli import main
from weightproof.proofs.solving.solvers import Process

PROGRAM = Path(sysconfig.get_path("scripts")) / "weightproof"
Refusal = Callable[..., str]
EXAMPLES = TESTS / "examples"
GOOD_FILE = (EXAMPLES / "more_ones.py").read_text()


def start(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=heed_interruptions,
    )


def one_line(process: subprocess.Popen[str], status: int) -> tuple[str, str]:
    """Standard output, and the one line on standard error."""
    printed, complaint = process.communicate(timeout=600)
    assert process.returncode == status, complaint
    assert is_one_line(complaint)
    return printed, complaint


def is_one_line(complaint: str) -> bool:
    return complaint.startswith("weightproof: ") and complaint.count("\n") == 1 and complaint.endswith("\n")


@pytest.fixture
def refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refusal:
    """The one line with which a command is refused that is called in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def complaint(*arguments: str) -> str:
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert is_one_line(captured.err)
        return captured.err

    return complaint


COMMAND_LINES = [
    ("show nonsense", "unknown construction 'nonsense'; weightproof list has all names"),
    ("run parity 012", "symbol '2' at index 2 of the word is not in the alphabet {0, 1}"),
    ("run parity 01 --param c=0", "parameter c = 0 is outside its domain c > 0"),
    ("run parity 01 --param c=0.5", "write a fraction such as 1/2"),
    (f"run parity {'01' * 30_000}", "a word of 60000 symbols is too long for exact arithmetic; give 20000 or less"),
    ("prove missing.py", "missing.py: no such file; name a Python file"),
    ("prove folder.py", "folder.py: is a directory; name a Python file"),
    ("prove", "name a construction or a FILE.py, or give --all"),
]


@pytest.mark.parametrize(("line", "says"), COMMAND_LINES, ids=[line[:30] for line, _ in COMMAND_LINES])
def test_a_bad_command_line_is_refused_in_one_line(refusal: Refusal, line: str, says: str) -> None:
    Path("folder.py").mkdir()
    assert says in refusal(*line.split())


def changed(old: str, new: str) -> str:
    assert old in GOOD_FILE
    return GOOD_FILE.replace(old, new, 1)


THEOREMS = GOOD_FILE + "\nfrom weightproof import ClosedForm, Decides\n"
FILES = {
    "matrix of numbers": (
        changed('{"s": {"[w=1]": 1, "[w=0]": -1}}', "[[-1, 1]]"),
        "[[-1, 1]] is no mapping from names",
    ),
    "matrix of a wrong shape": (
        changed('Head(W_V={"s": ', 'Head(W_V={"t": '),
        "head 1, W_V: row 't' does not exist; there are '[w=0]', '[w=1]', 's'",
    ),
    "coordinate that does not exist": (
        changed('"[w=1]": 1, "[w=0]": -1', '"[w=2]": 1'),
        "W_V, row 's': coordinate '[w=2]' does not exist; did you mean '[w=",
    ),
    "NaN weight": (changed('"[w=1]": 1, "[w=0]": -1', '"[w=1]": float("nan")'), "NaN and infinity have no place"),
    "float weight": (changed('"[w=1]": 1, "[w=0]": -1', '"[w=1]": 1.5'), "weights are exact: write '3/2'"),
    "no Python": ("a photograph of a cat", "mine.py:1: invalid syntax"),
    "no text": ("a = '\0'", "mine.py: source code string cannot contain null bytes"),
    "raises": ("\nraise RuntimeError('two\\nlines')", "mine.py:2: RuntimeError: two lines"),
    "raises nothing in particular": ("raise KeyError", "mine.py:1: KeyError"),
    "leaves with success": ("import sys\nsys.exit()", "mine.py:2: leaves the program"),
    "leaves with a message": ("raise SystemExit('good bye')", "mine.py:1: leaves the program"),
    "raises what cannot be asked": (
        "class E(Exception):\n  def __str__(self): raise ValueError('no')\nraise E()",
        "mine.py:3: E\n",
    ),
    "raises what answers a number": ("class E(Exception):\n  __str__ = lambda self: 3\nraise E()", "mine.py:3: E\n"),
    "raises a mistake of grammar without a word": ("raise SyntaxError", "mine.py: SyntaxError\n"),
    "language that leaves the program": (
        changed('word.count("1") > word.count("0")', "exit()"),
        "language MORE ONES, member(''): ",
    ),
    "raises what nothing catches": ("raise GeneratorExit", "mine.py:1: GeneratorExit"),
    "no construction": ("x = 1", "mine.py: defines no 'construction'"),
    "another construction": ("construction = 'a house'", "mine.py: 'construction' is of type str"),
    "number of theorems": (THEOREMS + "theorems = 3", "mine.py: 'theorems' is of type int, not a tuple"),
    "one theorem alone": (THEOREMS + "theorems = Decides('a', 'b')", "'theorems' is of type Decides, not a tuple"),
    "no theorem": (THEOREMS + "theorems = ()", "mine.py: 'theorems' is empty"),
    "text as a theorem": (THEOREMS + "theorems = ('it holds',)", "theorems[0] is of type str; write a Decides"),
    "theorem with an unknown name": (
        THEOREMS + "theorems = (Decides('a', 'b', given='n > m'),)",
        "theorems[0]: given: n > m uses m, but may use only n",
    ),
    "member and formula differ": (
        changed('word.count("1") > word.count("0")', 'word.count("1") >= word.count("0")'),
        "member('') is True, but the characterisation says False; mend one of them",
    ),
}


@pytest.mark.parametrize(("text", "says"), FILES.values(), ids=FILES)
def test_a_bad_file_is_refused_in_one_line(refusal: Refusal, text: str, says: str) -> None:
    Path("mine.py").write_text(text)
    complaint = refusal("prove", "mine.py")
    assert complaint.startswith("weightproof: mine.py")
    assert says in complaint


@pytest.mark.parametrize("kind", ["no Python", "leaves with success", "raises what nothing catches"])
def test_the_program_ends_with_the_same_line_and_status(tmp_path: Path, kind: str) -> None:
    """What leaves a process is tried in one of its own."""
    text, says = FILES[kind]
    (tmp_path / "mine.py").write_text(text)
    printed, complaint = one_line(start("prove", "mine.py", folder=tmp_path), 2)
    assert printed == ""
    assert says in complaint


def test_the_empty_word_needs_a_position(tmp_path: Path) -> None:
    text = GOOD_FILE.replace(', "CLS": {}', "").replace("coordinates=", "begin=None, coordinates=")
    (tmp_path / "mine.py").write_text(text)
    printed, complaint = one_line(start("run", "mine.py", "", folder=tmp_path), 2)
    assert printed == ""
    assert "the empty word has no position to read out; give a word" in complaint


def test_a_full_disk_ends_in_one_line(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        process = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.returncode == 2
    assert process.stderr == "weightproof: standard output: No space left on device; make room, or write elsewhere\n"


def test_a_reader_that_leaves_is_no_error_worth_a_word(tmp_path: Path) -> None:
    process = start("show", "parity", folder=tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait() == 1


def test_a_time_limit_ends_whatever_runs_in_one_line(tmp_path: Path) -> None:
    """It bounds the reading of a file, too."""
    (tmp_path / "mine.py").write_text("while True: pass\n")
    begin = time.monotonic()
    printed, complaint = one_line(start("prove", "mine.py", "--timeout", "0.5", folder=tmp_path), 2)
    assert (printed, complaint) == (
        "",
        "weightproof: time-out of 0.5 s in the whole call; give more with --timeout SECONDS\n",
    )
    assert time.monotonic() - begin < 60


def test_an_interruption_while_a_file_runs_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("print('begun', flush=True)\nwhile True: pass\n")
    process = start("prove", "mine.py", folder=tmp_path)
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    os.killpg(process.pid, signal.SIGINT)
    printed, _ = one_line(process, 130)
    assert printed == ""


def test_an_interruption_of_a_long_run_ends_in_one_line(tmp_path: Path) -> None:
    started = "import sys\nprint('begun', file=sys.stderr, flush=True)\n"
    slow = changed("member=lambda word: ", "member=lambda word: [None for _ in range(10**9 * (len(word) > 9))] or ")
    (tmp_path / "mine.py").write_text(started + slow)
    process = start("run", "mine.py", "0" * 10, folder=tmp_path)
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    os.killpg(process.pid, signal.SIGINT)
    one_line(process, 130)


def test_an_interruption_does_not_reach_the_solvers() -> None:
    process = Process("z3")
    assert process.ask("(check-sat)", 60).status == "sat"
    assert process.child is not None
    group = os.getpgid(process.child.pid)
    process.stop()
    assert group != os.getpgid(0)


def test_nothing_in_the_folder_is_loaded_but_the_file_that_is_named(tmp_path: Path) -> None:
    for name in ("z3", "cvc5", "json", "sympy", "proofs", "constructions", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded a file that nobody named')")
    process = start("prove", str(EXAMPLES / "as_many.py"), "--json", folder=tmp_path)
    printed, complaint = process.communicate(timeout=600)
    assert (process.returncode, complaint) == (0, "")
    proved = json.loads(printed)["theorems"][0]
    assert (proved["verdict"], len(proved["solvers"])) == ("proved", 2)


def test_what_a_file_prints_is_kept_out_of_the_json(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GOOD_FILE + "\nprint('here I am')\n")
    printed, complaint = start("prove", "mine.py", "--json", folder=tmp_path).communicate(timeout=600)
    assert json.loads(printed)["theorems"][0]["verdict"] == "proved"
    assert complaint == "here I am\n"


def test_output_that_is_closed_is_told_so(tmp_path: Path) -> None:
    command = f'"{PROGRAM}" list >&-; "{PROGRAM}" list >&- 2>&-; echo $?'
    process = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert process.stdout == "2\n"
    assert is_one_line(process.stderr)
    assert "standard output is closed" in process.stderr


def in_python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What stands in the folder is found before what is installed."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, preexec_fn=heed_interruptions
    )


def test_an_interruption_while_modules_load_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    ended = in_python(tmp_path, "-m", "weightproof", "list")
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == "weightproof: interrupted before there was a result\n"


@pytest.mark.parametrize("arguments", [["-c", "import weightproof"], ["-m", "weightproof", "list"]])
def test_a_checkout_without_symbolic_links_says_so_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    """There git writes a file with the name of the folder in the place of each."""
    package = tmp_path / "weightproof"
    package.mkdir()
    for name in ("__init__.py", "__main__.py"):
        (package / name).write_bytes((ROOT / "weightproof" / name).read_bytes())
    links = [path.name for path in (ROOT / "weightproof").iterdir() if path.is_symlink()]
    assert sorted(links) == ["constructions", "numeric", "proofs", "symbolic"]
    for name in links:
        (package / name).write_text(f"../{name}")
    ended = in_python(tmp_path, *arguments)
    assert ended.returncode != 0
    assert ended.stderr.count("\n") == 1
    assert "constructions, symbolic, proofs, numeric should be symbolic links" in ended.stderr
    assert "git config core.symlinks true" in ended.stderr
