"""`claims --keep` and `derive --keep`: what is reached is kept as soon as it is, taken up again by the next call, made
anew where anything that decides it has changed, or refused. What they have in common with `prove --keep` is tested
there, in all detail."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.children import heed_interruptions
from tests.support.places import ROOT
from tests.weightproof.commands.test_cli_prove import MISTAKEN_FILE
from weightproof.appendix import sections
from weightproof.appendix.appendix import Written
from weightproof.cli import main
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs.claims import judging
from weightproof.proofs.quantities.outcome import Open
from weightproof.proofs.verdict import Unknown
from weightproof.reports import claiming, kept
from weightproof.reports.claiming import Claimed, Outcomes
from weightproof.reports.explanation import Derivable
from weightproof.subjects.registry import subject_of
from weightproof.values import data_of, value

PRINTED = ("nowak2022-formulas", "bhattamishra2020-formulas", "first-one-layer")
"""Formulas about no network, with functions among their claims, and a construction."""
CIRCUITS = ("full-adder", "parity-of-4", "majority-of-3")
RIGHT_FILE = MISTAKEN_FILE.replace('"-1/2"', "-1")
FROM_FILE = re.compile(
    r"^(?:weightproof: )?(\w+) taken from (\S+), on which they rest: (\d+); reached now: (\d+); "
    r"kept there by now: (\d+)\n",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Case:
    """A command and what is named, each of which is a piece; what: what is counted is called so."""

    command: tuple[str, ...]
    names: tuple[str, ...]
    what: str

    @property
    def call(self) -> tuple[str, ...]:
        return (*self.command, *self.names, "--keep", "kept.json")


CASES = {
    "claims as text": Case(("claims",), PRINTED, "statements"),
    "claims as Markdown": Case(("claims", "--format", "md"), PRINTED, "statements"),
    "claims as LaTeX": Case(("claims", "--format", "tex"), PRINTED, "statements"),
    "derivations as LaTeX": Case(("derive", "--format", "latex"), CIRCUITS, "derivations"),
    "derivations as Markdown": Case(("derive", "--format", "md"), CIRCUITS, "derivations"),
    "derivations as JSON": Case(("derive", "--json"), CIRCUITS, "derivations"),
}
BOTH = [CASES["claims as text"], CASES["derivations as LaTeX"]]
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
both = pytest.mark.parametrize("case", BOTH, ids=["claims", "derive"])


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("kept.json")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pieces that are made in this process, and not taken."""
    return recorded(monkeypatch, lambda name: None)


def recorded(monkeypatch: pytest.MonkeyPatch, before: Callable[[str], None]) -> list[str]:
    """All pieces are made here; before: is told which one is."""
    names = list[str]()
    outcomes, section, data = Claimed.outcomes, sections.section_of, Derivable.data

    def first(name: str) -> None:
        before(name)
        names.append(name)

    def judged(self: Claimed, timeout: float) -> Outcomes:
        first(self.argument)
        return outcomes(self, timeout)

    def written(each: Derivable, number: int) -> Written:
        first(each.argument)
        return section(each, number)

    def told(self: Derivable) -> dict[str, Any]:
        first(self.argument)
        return data(self)

    monkeypatch.setattr(Claimed, "outcomes", judged)
    monkeypatch.setattr(sections, "section_of", written)
    monkeypatch.setattr(Derivable, "data", told)
    monkeypatch.setattr(sections, "processors", lambda: 1)
    return names


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, list[tuple[str, ...]]]:
    """What is printed, without the line about the file, which stands beside documents and beneath a report; and what
    that line says."""
    assert main(arguments) == status
    captured = capsys.readouterr()
    return FROM_FILE.sub("", captured.out), FROM_FILE.findall(captured.out + captured.err)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("weightproof: ")
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("weightproof: ").rstrip("\n")


@every_case
def test_a_second_call_makes_nothing_and_says_the_same(
    capsys: pytest.CaptureFixture[str], file: Path, made: list[str], case: Case
) -> None:
    without, none = told(capsys, *case.command, *case.names)
    assert (none, made) == ([], [*case.names])
    first, [line] = told(capsys, *case.call)
    assert first == without != ""
    number = line[3]
    assert line == (case.what, "kept.json", "0", number, number)
    assert made == [*case.names] * 2
    written = file.read_bytes()
    again, [line] = told(capsys, *case.call)
    assert again == without
    assert line == (case.what, "kept.json", number, "0", number)
    assert (made, file.read_bytes()) == ([*case.names] * 2, written)


@pytest.mark.parametrize(
    ("case", "at"), [*((case, 1) for case in CASES.values()), *((case, at) for case in BOTH for at in (0, 2))]
)
def test_an_interruption_keeps_what_is_finished(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, case: Case, at: int
) -> None:
    """And the next call makes the rest, no more, and writes what one that was never interrupted does."""
    without, _ = told(capsys, *case.command, *case.names)

    def interrupt(name: str) -> None:
        if name == case.names[at]:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        recorded(patch, interrupt)
        assert main(case.call) == 130
    captured = capsys.readouterr()
    assert re.fullmatch(
        rf"weightproof: interrupted after \d+ {case.what[:-1]}s?; kept.json holds \d+ of them\n", captured.err
    )
    assert file.exists() is (at > 0)
    names = recorded(monkeypatch, lambda name: None)
    again, [line] = told(capsys, *case.call)
    assert (again, names) == (without, [*case.names[at:]])
    assert (int(line[2]) > 0, int(line[3]) > 0) == (at > 0, True)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
@both
def test_a_process_that_is_ended_leaves_what_it_reached(
    capsys: pytest.CaptureFixture[str], made: list[str], file: Path, case: Case, ending: signal.Signals
) -> None:
    """Each core has a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    names = (*case.names, "one")  # which takes longer
    command = [sys.executable, "-m", "weightproof", *case.command, *names, "--keep", "kept.json"]
    process = subprocess.Popen(
        command,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=heed_interruptions,
    )
    until = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)
    process.send_signal(ending)
    complaint = process.communicate()[1]
    if ending == signal.SIGINT:
        assert process.returncode == 130
        assert re.fullmatch(r"weightproof: interrupted after \d+ \w+; kept.json holds \d+ of them\n", complaint)
    else:
        assert process.returncode == -signal.SIGKILL
    again, [line] = told(capsys, *case.command, *names, "--keep", "kept.json")
    assert int(line[2]) > 0
    assert 0 < len(made) < len(names)
    made.clear()
    assert told(capsys, *case.command, *names)[0] == again
    assert made == [*names]


def test_a_page_for_each_paper_is_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """Of all papers, here of some pieces; pages of a part are not written."""
    listed = [subject_of(name).claims() for name in PRINTED]
    monkeypatch.setattr("weightproof.subjects.registry.to_judge", lambda *given: listed)

    def pages(folder: str) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}

    def interrupt(name: str) -> None:
        if name == PRINTED[1]:
            raise KeyboardInterrupt

    assert main(["claims", "--output", "without"]) == 0
    with monkeypatch.context() as patch:
        recorded(patch, interrupt)
        assert main(["claims", "--output", "pages", "--keep", "kept.json"]) == 130
    assert pages("pages") == {}
    names = recorded(monkeypatch, lambda name: None)
    capsys.readouterr()
    assert main(["claims", "--output", "pages", "--keep", "kept.json"]) == 0
    assert names == [*PRINTED[1:]]
    assert pages("pages") == pages("without") != {}
    shown = capsys.readouterr()
    assert (shown.out, len(FROM_FILE.findall(shown.err))) == ("", 1)


def test_the_json_of_claims_says_how_many_were_taken(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    def data(*more: str) -> dict[str, Any]:
        assert main(["claims", *PRINTED[:2], "--json", *more]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    without, first, again = data(), data("--keep", "kept.json"), data("--keep", "kept.json")
    assert (without["taken"], first["taken"], again["taken"]) == (0, 0, len(without["claims"]))
    assert {**again, "taken": 0} == first == without
    assert without["complete"]


def test_a_call_takes_what_others_have_reached(capsys: pytest.CaptureFixture[str], file: Path, made: list[str]) -> None:
    """Whatever else is named beside it; a section is kept under its letter, and apart from the JSON."""
    for arguments, new in (
        (("claims", PRINTED[0]), [PRINTED[0]]),
        (("claims", "--format", "md", PRINTED[1], PRINTED[0]), [PRINTED[1]]),
    ):
        told(capsys, *arguments, "--keep", "kept.json")
        assert made == new
        made.clear()
    for arguments, new in (
        (("derive", "--format", "latex", *CIRCUITS[:2]), [*CIRCUITS[:2]]),
        (("derive", "--format", "md", *CIRCUITS), [CIRCUITS[2]]),
        (("derive", "--format", "md", *CIRCUITS[1:]), [*CIRCUITS[1:]]),
        (("derive", "--json", *CIRCUITS), [*CIRCUITS]),
        (("derive", "--json", *CIRCUITS[1:]), []),
        (("derive", "--format", "latex", *CIRCUITS), []),
    ):
        told(capsys, *arguments, "--keep", "sections.json")
        assert made == new
        made.clear()


# What decides.

CLAIMED = """
from weightproof import Claims, statements
claims = Claims("mine", "somewhere", "it: More ones than zeros.", statements.Accepts("count('1') > {}count('0')"))
"""


def name_of(file: str) -> str:
    found = re.search(r'name="([^"]*)"', file)
    assert found is not None
    return found[1]


@both
def test_what_was_changed_is_made_anew(
    capsys: pytest.CaptureFixture[str], file: Path, made: list[str], case: Case
) -> None:
    """One weight, one claim, and then the way back."""
    claimed = CLAIMED.replace('"mine"', repr(name_of(RIGHT_FILE)))
    right, wrong = RIGHT_FILE + claimed.format(""), MISTAKEN_FILE + claimed.format("")
    other = RIGHT_FILE + claimed.format("2*")
    texts = {}
    for content, is_new in (
        (right, True),
        (wrong, True),
        (other, True),
        (right, False),
        (wrong, False),
        (other, False),
    ):
        Path("mine.py").write_text(content)
        status = int(case.command[0] == "derive" and content == wrong)
        text, _ = told(capsys, *case.command, "mine.py", "--keep", "kept.json", status=status)
        assert made == ["mine.py"] * is_new
        assert texts.setdefault(content, text) == text
        made.clear()
    assert len({*texts.values()}) == 3


def test_a_claim_that_is_read_elsewhere_is_judged_anew(
    capsys: pytest.CaptureFixture[str], file: Path, made: list[str]
) -> None:
    """With the file as it was."""
    claimed = CLAIMED.replace('"mine"', repr(name_of(RIGHT_FILE)))
    claimed = claimed.replace('"it: More ones than zeros."', 'open("said").read()').format("")
    Path("mine.py").write_text(RIGHT_FILE + claimed)
    for said, is_new in (("it: More ones.", True), ("it: More of them.", True), ("it: More ones.", False)):
        Path("said").write_text(said)
        for case in BOTH:
            told(capsys, *case.command, "mine.py", "--keep", f"{case.what}.json")
            assert made == ["mine.py"] * is_new
            made.clear()


@both
def test_another_program_makes_it_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, made: list[str], case: Case
) -> None:
    ours = dict(kept.program_now())
    for change, is_new in (({}, True), ({"sympy": "0.1"}, True), ({"weightproof": "0" * 64}, True), ({}, False)):
        monkeypatch.setattr(kept, "program_now", lambda change=change: ours | change)
        told(capsys, *case.command, case.names[0], "--keep", "kept.json")
        assert made == [case.names[0]] * is_new
        made.clear()


@both
def test_what_is_changed_while_it_is_made_is_not_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, case: Case
) -> None:
    def change(name: str) -> None:
        monkeypatch.setattr(kept, "program_now", lambda: {"weightproof": "0" * 64})

    recorded(monkeypatch, change)
    _, [line] = told(capsys, *case.command, case.names[0], "--keep", "kept.json")
    assert (line[2], line[4]) == ("0", "0")
    assert not file.exists()


def test_what_is_open_is_judged_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """One reading is enough."""
    judge = judging.judge_printed

    def late(claims: Sequence[Any], timeout: float = 1.0) -> tuple[judging.Judgement, ...]:
        first, *others = judge(claims, timeout)
        given_up = judging.of_outcomes(first.claim, [Open("too late", timed_out=True)], None)
        assert given_up is not None
        return (given_up, *others)

    with monkeypatch.context() as patch:
        patch.setattr(judging, "judge_printed", late)
        assert main(["claims", PRINTED[0], "--keep", "kept.json"]) == 2
    assert not file.exists()
    assert told(capsys, "claims", PRINTED[0], "--keep", "kept.json")[1][-1][2] == "0"
    assert file.exists()


def unsettled(section: Written, how: str) -> Written:
    [first, *others] = section.results
    if how == "claim":
        return replace(section, is_judged=False)
    return replace(section, results=(replace(first, verdict=Unknown("too late", timed_out=True)), *others))


@pytest.mark.parametrize("how", ["theorem", "claim"])
def test_a_section_in_which_something_is_open_is_made_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, how: str
) -> None:
    made = sections.section_of
    with monkeypatch.context() as patch:
        patch.setattr(sections, "section_of", lambda each, number: unsettled(made(each, number), how))
        main(["derive", "full-adder", "--keep", "kept.json"])
    assert not file.exists()
    told(capsys, "derive", "full-adder", "--keep", "kept.json")
    assert file.exists()


def test_a_section_knows_whether_its_claims_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    derivable = subject_of("one").derivation()
    assert sections.section_of(derivable, 0).is_judged
    monkeypatch.setattr(claiming, "are_settled", lambda outcomes: False)
    assert not sections.section_of(derivable, 0).is_judged


def test_what_has_no_derivation_is_tried_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    def no_time(self: Derivable) -> dict[str, Any]:
        raise InputError("it takes too long")

    with monkeypatch.context() as patch:
        patch.setattr(Derivable, "data", no_time)
        patch.setattr(sections, "processors", lambda: 1)
        text, [line] = told(capsys, "derive", *CIRCUITS, "--json", "--keep", "kept.json")
    assert [each["reason"] for each in json.loads(text)["derivations"]] == ["it takes too long"] * 3
    assert line[4] == "0"
    assert not file.exists()


# The file.


def places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = data.items() if isinstance(data, dict) else enumerate(data)
    for name, each in inside:
        yield (*place, name)
        if isinstance(each, dict | list):
            yield from places(each, (*place, name))


@both
def test_damage_is_found_wherever_it_is(
    capsys: pytest.CaptureFixture[str], file: Path, made: list[str], case: Case
) -> None:
    """Of the values, of those that are gone, and of the end of the file."""
    call = (*case.command, case.names[0], "--keep", "kept.json")
    told(capsys, *call)
    [listed], text = json.loads(file.read_text()), file.read_text()
    made.clear()
    every = [*places(json.loads(text)[listed])]
    for place in every[:: len(every) // 30]:
        data = json.loads(text)
        *before, last = place
        part = data[listed]
        for name in before:
            part = part[name]
        part[last] = "another" if part[last] != "another" else "one"
        file.write_text(json.dumps(data))
        says = refused(capsys, *call)
        assert says.startswith(f"kept.json: {listed}[0]")
        assert says.endswith("; delete it there, or name another file")
    file.write_text(text[:-20])
    assert refused(capsys, *call).startswith(f"kept.json: no results of `{case.command[0]}`")
    assert made == []


@both
def test_what_is_written_by_hand_has_to_fit(
    capsys: pytest.CaptureFixture[str], file: Path, made: list[str], case: Case
) -> None:
    call = (*case.command, case.names[0], "--keep", "kept.json")
    told(capsys, *call)
    data = json.loads(file.read_text())
    [listed] = data
    [entry] = data[listed]
    made.clear()
    for wrong in ([], {}, [[]], [[{"is": "Holds"}]], {"is": "Written", "results": []}, 3, None):
        bare = {name: each for name, each in entry.items() if name != "sha256"}
        [found] = {*bare} - {"subject", "content", "program"}
        bare[found] = wrong
        file.write_text(json.dumps({listed: [bare | {"sha256": fingerprint(bare)}]}))
        says = refused(capsys, *call)
        assert says.startswith(f"kept.json: {case.names[0]}: ")
        assert says.endswith("; delete it there, or name another file")
    assert made == []


@both
def test_what_is_no_file_of_the_command_is_refused_before_any_work(
    capsys: pytest.CaptureFixture[str], made: list[str], case: Case
) -> None:
    os.mkfifo("pipe")
    Path("other.json").write_text('{"verdicts": []}')
    for place, says in (
        ("pipe", f"pipe: is no ordinary file; name one that holds results of `{case.command[0]}`, or will"),
        ("/dev/full", "/dev/full: is no ordinary file"),
        ("/", "--keep /: Is a directory; name a file that can be written"),
        ("no/kept.json", "name a file that can be written"),
        ("other.json", f"other.json: no results of `{case.command[0]}`"),
    ):
        assert says in refused(capsys, *case.command, *case.names, "--keep", place)
    assert made == []


@both
def test_a_full_disk_loses_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path, case: Case
) -> None:
    call = (*case.command, case.names[0], "--keep", "kept.json")
    told(capsys, *call)
    before = file.read_bytes()

    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        line = refused(capsys, *case.call)
    assert line == "kept.json: No space left on device; make room, or write elsewhere"
    assert file.read_bytes() == before
    assert [*Path().iterdir()] == [file]


def test_what_does_not_go_with_a_file_is_refused_by_name(capsys: pytest.CaptureFixture[str], made: list[str]) -> None:
    line = refused(capsys, "claims", "one", "--keep", "kept.json", "--timeout", "9")
    assert line == "--keep kept.json keeps what counted work reaches, and nothing else; leave out --timeout"
    for text in (("--steps",), ("--format", "text")):
        line = refused(capsys, "derive", "one", "--keep", "kept.json", *text)
        assert line == "--keep kept.json goes with documents and --json; give --format latex or md, without --steps"
    assert made == []


@pytest.mark.parametrize("name", [*PRINTED, "one"])
def test_outcomes_come_back_whole(name: str) -> None:
    """As they were, each of its class, through JSON."""
    claimed = subject_of(name).claims()
    section = claimed.to_judge().judged(judging.READING)
    again = value(Outcomes, json.loads(json.dumps(data_of(section.outcomes))))
    assert again == section.outcomes
    assert claimed.section(again).judgements == section.judgements
    assert claimed.section(again).corrections == section.corrections
    assert claimed.asked.wrong(again[1:]) is not None
    assert claimed.asked.wrong((again[0] * 9, *again[1:])) is not None
