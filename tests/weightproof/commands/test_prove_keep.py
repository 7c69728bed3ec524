"""`prove --keep`: verdicts that are kept as they are reached, taken up again, proved anew where anything that decides
them has changed, or refused."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.children import heed_interruptions
from tests.support.places import ROOT
from tests.weightproof.commands.test_cli_prove import MISTAKEN_FILE
from weightproof.cli import main
from weightproof.constructions.meaning.record import fingerprint
from weightproof.parallel.processes import Processes
from weightproof.proofs.verdict import Evidence, Folders, Proved, Result, Unknown
from weightproof.reports import kept, proving
from weightproof.reports.kept import Key, added, program_sha256, taken_up
from weightproof.reports.proving import VERDICTS, Outcome, Stated, proved
from weightproof.subjects.registry import subject_of
from weightproof.values import data_of

NAMES = ("rnn-by-encoder-decoder", "circuit-by-decoder-as-printed", "parity-feed-forward", "full-adder")
"""A family of transformers, one of decoders of which something is refuted, a family that adds, and a circuit."""
RIGHT_FILE = MISTAKEN_FILE.replace('"-1/2"', "-1")
FROM_FILE = re.compile(
    r"^verdicts taken from (.*), on which they rest: (\d+); reached now: (\d+); kept there by now: (\d+)\n", re.M
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("verdicts.json")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is proved and not taken."""
    names, outcomes = list[str](), Stated.outcomes

    def recorded(stated: Stated, seconds: float, folders: Folders) -> Iterator[Outcome]:
        names.append(stated.argument)
        return outcomes(stated, seconds, folders)

    monkeypatch.setattr(Stated, "outcomes", recorded)
    return names


def timeless(text: str) -> str:
    return re.sub(r" *\d+\.\d+ s\b|\"(solver_)?seconds\": [\d.e-]+", "", text)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["prove", *arguments]) == status
    return capsys.readouterr().out


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(told(capsys, *arguments, "--json", status=status))
    return data


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["prove", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("weightproof: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("weightproof: ").rstrip("\n")


def test_a_second_call_proves_nothing_and_says_the_same(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]
) -> None:
    """To the byte, but for the seconds and the line about the file; the JSON counts what was taken."""
    without, without_data = told(capsys, *NAMES), json_of(capsys, *NAMES)
    assert without_data.pop("taken") == 0
    begun.clear()
    first = told(capsys, *NAMES, "--keep", str(file))
    assert begun == [*NAMES]
    written = file.read_bytes()
    again, data = told(capsys, *NAMES, "--keep", str(file)), json_of(capsys, *NAMES, "--keep", str(file))
    assert (begun, file.read_bytes()) == ([*NAMES], written)
    number = len(data["theorems"])
    assert data.pop("taken") == number
    assert timeless(json.dumps(data)) == timeless(json.dumps(without_data))
    assert {each["verdict"] for each in data["theorems"]} == {"proved", "refuted"}
    for text, taken in ((first, 0), (again, number)):
        [found] = FROM_FILE.findall(text)
        assert found == (str(file), str(taken), str(number - taken), str(number))
        assert timeless(FROM_FILE.sub("", text)) == timeless(without)


def test_what_is_named_beside_is_all_that_is_proved(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]
) -> None:
    """Without a file all of it is."""
    told(capsys, NAMES[2], "--keep", str(file))
    told(capsys, "full-adder", NAMES[2], "--keep", str(file))
    assert begun == [NAMES[2], "full-adder"]
    told(capsys, "full-adder", NAMES[2])
    assert begun == [NAMES[2], "full-adder", "full-adder", NAMES[2]]


def test_a_status_is_kept_with_its_verdict(capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]) -> None:
    Path("mistaken.py").write_text(MISTAKEN_FILE)
    first = json_of(capsys, "mistaken.py", "--keep", str(file), status=1)
    again = json_of(capsys, "mistaken.py", "--keep", str(file), status=1)
    assert begun == ["mistaken.py"]
    assert again["theorems"] == first["theorems"]
    assert again["theorems"][0]["counterexample"]["command"].startswith("weightproof run mistaken.py ")


def test_what_is_unknown_is_tried_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(proving, "TIMEOUT", 1e-9)
        data = json_of(capsys, "full-adder", "--keep", str(file), status=2)
    assert [each["verdict"] for each in data["theorems"]] == ["unknown"]
    assert not file.exists()
    data = json_of(capsys, "full-adder", "--keep", str(file))
    assert ([each["verdict"] for each in data["theorems"]], data["taken"]) == (["proved"], 0)


# What decides a verdict.


def test_a_construction_that_was_changed_is_proved_anew(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """One weight, and then the way back."""
    mine = Path("mine.py")
    for text, verdict, taken in (
        (RIGHT_FILE, "proved", 0),
        (MISTAKEN_FILE, "refuted", 0),
        (RIGHT_FILE, "proved", 1),
        (MISTAKEN_FILE, "refuted", 1),
    ):
        mine.write_text(text)
        data = json_of(capsys, "mine.py", "--keep", str(file), status=int(verdict != "proved"))
        assert ([each["verdict"] for each in data["theorems"]], data["taken"]) == ([verdict], taken)


def test_numbers_that_a_file_reads_elsewhere_are_part_of_the_construction(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    Path("mine.py").write_text(MISTAKEN_FILE.replace('"-1/2"', 'open("weight").read()'))
    for weight, verdict in (("-1", "proved"), ("-1/2", "refuted")):
        Path("weight").write_text(weight)
        data = json_of(capsys, "mine.py", "--keep", str(file), status=int(verdict != "proved"))
        assert ([each["verdict"] for each in data["theorems"]], data["taken"]) == ([verdict], 0)


def test_a_theorem_that_is_stated_otherwise_is_proved_anew(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """A statement that is read elsewhere, with the file as it was."""
    stated = (
        '\nfrom weightproof import Decides\ntheorems = (Decides("recognises", "it", given=open("given").read()),)\n'
    )
    Path("mine.py").write_text(RIGHT_FILE + stated)
    for given, taken in (("n >= 2", 0), ("n >= 3", 0), ("n >= 2", 1)):
        Path("given").write_text(given)
        data = json_of(capsys, "mine.py", "--keep", str(file))
        assert ([each["given"] for each in data["theorems"]], data["taken"]) == ([[given]], taken)


def test_a_language_that_is_imported_is_part_of_what_decides(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """Its function is code, of which no weight and no formula knows."""
    monkeypatch.syspath_prepend(str(Path.cwd()))
    beside = Path("beside_mine.py")
    Path("mine.py").write_text(
        "from beside_mine import member\n"
        + RIGHT_FILE.replace('lambda word: word.count("1") > word.count("0")', "member")
    )
    for name, taken in (("word", 0), ("given", 0), ("word", 1)):
        beside.write_text(f'def member({name}):\n    return {name}.count("1") > {name}.count("0")\n')
        monkeypatch.delitem(sys.modules, "beside_mine", raising=False)
        assert json_of(capsys, "mine.py", "--keep", str(file))["taken"] == taken


def test_a_machine_of_a_file_is_told_by_what_is_in_it(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = (ROOT / "constructions/machines/shipped/busy-beaver-3.yaml").read_text()
    for content, taken in ((text, False), (f"{text}\n# another\n", False), (text, True)):
        Path("machine.yaml").write_text(content)
        assert bool(json_of(capsys, "machine.yaml", "--keep", str(file))["taken"]) is taken


def test_another_program_proves_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """Another version of a library, or other files; what the first has kept stays."""
    ours = dict(kept.program_now())
    taken = []
    for change in ({}, {"sympy": "0.1"}, {"weightproof": "0" * 64}, {"Python": "3.0"}, {}, {"sympy": "0.1"}):
        monkeypatch.setattr(kept, "program_now", lambda change=change: ours | change)
        taken.append(json_of(capsys, "full-adder", "--keep", str(file))["taken"] > 0)
    assert taken == [False, False, False, False, True, True]
    assert len(json.loads(file.read_text())["verdicts"]) == 4


@pytest.mark.parametrize("what", ["construction", "program"])
def test_what_is_changed_while_it_is_proved_is_not_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, what: str
) -> None:
    """Another process may have read it as it is, or as it was."""
    mine, results = Path("mine.py"), Stated.outcomes
    mine.write_text(RIGHT_FILE)

    def changing(stated: Stated, seconds: float, folders: Folders) -> Iterator[Outcome]:
        if what == "construction":
            mine.write_text(MISTAKEN_FILE)
        else:
            monkeypatch.setattr(kept, "program_now", lambda: {"weightproof": "0" * 64})
        return results(stated, seconds, folders)

    monkeypatch.setattr(Stated, "outcomes", changing)
    assert FROM_FILE.findall(told(capsys, "mine.py", "--keep", str(file))) == [(str(file), "0", "1", "0")]
    assert not file.exists()


# Interruptions.


@pytest.mark.parametrize("at", [0, 2])
def test_an_interruption_keeps_what_is_finished(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, at: int
) -> None:
    """And the next call proves the rest; between two theorems of the thing that is named there."""
    results = Stated.outcomes

    def ending(stated: Stated, seconds: float, folders: Folders) -> Iterator[Outcome]:
        found = results(stated, seconds, folders)
        if stated.argument == NAMES[at]:
            yield next(found)
            raise KeyboardInterrupt
        yield from found

    with monkeypatch.context() as patch:
        patch.setattr(Stated, "outcomes", ending)
        assert main(["prove", *NAMES, "--keep", str(file), "--json"]) == 130
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    reached, complete = len(data["theorems"]), sum(subject_of(name).statements().number for name in NAMES[:at])
    assert (reached, data["complete"]) == (complete + 1, False)
    theorems = "1 theorem" if reached == 1 else f"{reached} theorems"
    line = f"weightproof: interrupted after {theorems}; what was reached is above; {file} holds {complete} of them\n"
    assert captured.err == line
    assert file.exists() is (at > 0)
    again = json_of(capsys, *NAMES, "--keep", str(file))
    assert again.pop("taken") == complete
    without = json_of(capsys, *NAMES)
    del without["taken"]
    assert timeless(json.dumps(again)) == timeless(json.dumps(without))


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_process_that_is_ended_leaves_what_it_reached(
    capsys: pytest.CaptureFixture[str], file: Path, ending: signal.Signals
) -> None:
    names = (*NAMES, "parity")
    command = [sys.executable, "-m", "weightproof", "prove", *names, "--keep", str(file)]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, text=True, env=paths, preexec_fn=heed_interruptions, **pipes)
    until = time.monotonic() + 120
    while not (file.exists() and len(json.loads(file.read_text())["verdicts"]) >= 2):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(ending)
    complaint = process.communicate()[1]
    if ending == signal.SIGINT:
        assert process.returncode == 130
        assert re.fullmatch(r"weightproof: interrupted after \d+ theorems; .* holds \d+ of them\n", complaint)
    else:
        assert process.returncode == -signal.SIGKILL
    again = json_of(capsys, *names, "--keep", str(file))
    assert 0 < again.pop("taken") < len(again["theorems"])
    without = json_of(capsys, *names)
    del without["taken"]
    assert timeless(json.dumps(again)) == timeless(json.dumps(without))


def test_other_processes_prove_what_is_missing(file: Path) -> None:
    """By the number of each, of all that is named."""
    wanted = [subject_of(name).statements() for name in NAMES]
    proved(lambda: wanted[1:3], None, file=file)

    def stated() -> list[Stated]:
        return [subject_of(name).statements() for name in NAMES]

    found = proved(stated, None, workers=Processes(2), file=file)
    alone = proved(stated, None)
    assert found.kept is not None
    assert (found.kept.taken, found.kept.kept) == (wanted[1].number + wanted[2].number, len(found))
    assert [timeless(json.dumps(each)) for each in found.data["theorems"]] == [
        timeless(json.dumps(each)) for each in alone.data["theorems"]
    ]


# The file.

PROVED = Result("a", "t", "s", (), None, Proved("all lengths", Evidence.CERTIFICATE), "proved", (), {}, 1.5, 0.5)


def key(subject: str) -> Key:
    return Key(subject, "", program_sha256())


def test_of_two_writers_none_loses_anything(file: Path) -> None:
    """Nor what both have reached: the first one's is kept."""

    def add(writer: int) -> None:
        for number in range(15):
            added(VERDICTS, file, key(f"{writer} {number}"), (PROVED,))
            added(VERDICTS, file, key(f"both {number}"), (PROVED,))

    processes = [multiprocessing.get_context("fork").Process(target=add, args=(writer,)) for writer in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    keys = [key(f"{writer} {number}") for writer in (0, 1, 2, "both") for number in range(15)]
    assert taken_up(VERDICTS, file, keys) == dict.fromkeys(keys, (PROVED,))
    assert len(json.loads(file.read_text())["verdicts"]) == 60
    assert [*Path().iterdir()] == [file]


def test_a_full_disk_loses_no_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    told(capsys, "full-adder", "--keep", str(file))
    before = file.read_bytes()

    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        line = refused(capsys, "full-adder", NAMES[2], "--keep", str(file))
    assert line == f"{file}: No space left on device; make room, or write elsewhere"
    assert file.read_bytes() == before
    assert [*Path().iterdir()] == [file]
    assert json_of(capsys, "full-adder", NAMES[2], "--keep", str(file))["taken"] > 0


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (
            "/proc/verdicts.json",
            "--keep /proc/verdicts.json: No such file or directory; name a file that can be written",
        ),
        ("/nowhere/verdicts.json", "name a file that can be written"),
        ("/dev/null/verdicts.json", "name a file that can be written"),
        ("/", "--keep /: Is a directory; name a file that can be written"),
        ("/dev/full", "/dev/full: is no ordinary file; name one that holds results of `prove`, or will"),
        ("/dev/null", "/dev/null: is no ordinary file; name one that holds results of `prove`, or will"),
    ],
)
def test_a_place_that_is_no_file_is_refused_before_any_work(
    capsys: pytest.CaptureFixture[str], begun: list[str], place: str, says: str
) -> None:
    assert says in refused(capsys, "one", "--keep", place)
    assert begun == []


MALFORMED = {
    "no JSON": ("verdicts", "no results of `prove`; name another file, or delete it"),
    "empty": ("", "no results of `prove`; name another file, or delete it"),
    "no object": ("[]", "no results of `prove`; name another file, or delete it"),
    "ten thousand brackets": ("[" * 10_000, "no results of `prove`; name another file, or delete it"),
    "rows": ('{"rows": []}', "no results of `prove`: 'verdicts' is no list; name another file, or delete it"),
    "no list": ('{"verdicts": {}}', "no results of `prove`: 'verdicts' is no list; name another file, or delete it"),
    "a number": ('{"verdicts": [3]}', "verdicts[0] is no object; delete it there, or name another file"),
    "no digest": ('{"verdicts": [{}]}', "verdicts[0] is not as it was written, by its digest; delete it there, or"),
}


@pytest.mark.parametrize(("content", "says"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_refused_and_left_as_it_is(
    capsys: pytest.CaptureFixture[str], begun: list[str], file: Path, content: str, says: str
) -> None:
    file.write_text(content)
    assert refused(capsys, "one", "--keep", str(file)).startswith(f"{file}: {says}")
    assert (file.read_text(), begun) == (content, [])


def places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside: Mapping[Any, Any] = data if isinstance(data, dict) else dict(enumerate(data))
    for name, each in inside.items():
        yield (*place, name)
        if isinstance(each, dict | list):
            yield from places(each, (*place, name))


def test_damage_is_found_wherever_it_is(capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]) -> None:
    """Of every value, every field that is gone, and of the end of the file."""
    told(capsys, "circuit-by-decoder-as-printed", "--keep", str(file))
    text = file.read_text()
    begun.clear()
    for place in places(json.loads(text)["verdicts"]):
        for gone in (False, True):
            data = json.loads(text)
            *before, last = place
            part = data["verdicts"]
            for name in before:
                part = part[name]
            if gone:
                del part[last]
            else:
                part[last] = "another" if part[last] != "another" else "one"
            if data["verdicts"]:
                file.write_text(json.dumps(data))
                says = refused(capsys, "circuit-by-decoder-as-printed", "--keep", str(file))
                assert says.startswith(f"{file}: verdicts[0]")
                assert says.endswith("; delete it there, or name another file")
    file.write_text(text[:-20])
    assert "no results of `prove`" in refused(capsys, "circuit-by-decoder-as-printed", "--keep", str(file))
    assert begun == []


def written_by_hand(file: Path, subject: str, theorems: object, **other: object) -> None:
    entry = {**vars(subject_of(subject).statements().asked.key(program_sha256())), "theorems": theorems, **other}
    file.write_text(json.dumps({"verdicts": [entry | {"sha256": fingerprint(entry)}]}))


@pytest.mark.parametrize(
    ("theorems", "says"),
    [
        (None, "full-adder: theorems is None;"),
        ([{}], "full-adder: theorems[0] is {};"),
        ([data_of(PROVED) | {"seconds": "long"}], "full-adder: theorems[0].seconds is 'long';"),
        ([data_of(PROVED) | {"verdict": {"name": "true"}}], "full-adder: theorems[0].verdict is {'name': 'true'};"),
    ],
)
def test_what_is_written_by_hand_has_to_fit(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str], theorems: object, says: str
) -> None:
    written_by_hand(file, "full-adder", theorems)
    line = refused(capsys, "full-adder", "--keep", str(file))
    assert line == f"{file}: {says} delete it there, or name another file"
    assert begun == []


def test_what_is_written_by_hand_is_believed_and_the_report_says_so(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]
) -> None:
    """A digest is no signature: nobody has derived this verdict, and it rests on the file."""
    number = subject_of("full-adder").statements().number
    written_by_hand(file, "full-adder", [data_of(PROVED)] * number)
    [found] = FROM_FILE.findall(told(capsys, "full-adder", "--keep", str(file)))
    assert found == (str(file), str(number), "0", str(number))
    assert begun == []


def test_another_number_of_theorems_than_are_stated_is_refused(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str]
) -> None:
    written_by_hand(file, "full-adder", [data_of(PROVED)] * 9)
    line = refused(capsys, "full-adder", "--keep", str(file))
    assert line.startswith(f"{file}: full-adder: 9 verdicts, and ")
    assert begun == []


@pytest.mark.parametrize("option", ["--timeout", "--smt", "--kernel"])
def test_what_does_not_go_with_a_file_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], file: Path, begun: list[str], option: str
) -> None:
    line = refused(capsys, "one", "--keep", str(file), option, "9")
    assert line == f"--keep {file} keeps what counted work reaches, and nothing else; leave out {option}"
    assert begun == []


def test_an_unknown_verdict_is_not_put_there(file: Path) -> None:
    unknown = Result("a", "t", "s", (), None, Unknown("no rule"), "proved", (), {}, 1.5, 0.5)
    assert not added(VERDICTS, file, key("a"), (PROVED, unknown))
    assert not file.exists()
    assert added(VERDICTS, file, key("a"), (PROVED, PROVED))
