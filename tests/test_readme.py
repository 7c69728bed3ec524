"""Every command and every Python line of the README and of the pages in docs/ is run, and what it prints is what the
page says; only durations and rates may differ. The files that the README writes are there on every page. The notebook
is run by tests/weightproof/site/test_notebook.py.

``python -m tests.test_readme`` writes the current output into the README, and into the pages named on the command line.
"""

from __future__ import annotations

import doctest
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from tests.support.places import ROOT
from tests.support.suites import short_suite

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
GUIDES = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "findings" / "README.md"]
"""Pages without commands that are run."""
WRITTEN = ("python", "yaml", "crasp")
"""Blocks that are files, of the name in their first line."""
BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    """A line that starts with "$ ", and the lines under it."""

    line: str
    printed: list[str] = field(default_factory=list)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in (f"$ {self.line}", *self.printed))


def commands(body: str) -> list[Command]:
    found: list[Command] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:]))
        else:
            assert found, f"a console block starts with output: {line}"
            found[-1].printed.append(line)
    return found


TRAINED = "training"
"""The page whose commands train networks."""


class Shell:
    """A folder in which the README's files are written and its commands run, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.status = 0
        program = folder / "bin" / "weightproof"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m weightproof "$@"\n')
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}
        for block in BLOCK.finditer(README.read_text()):
            if block["kind"] in WRITTEN:
                self.write(block["body"])

    def write(self, body: str) -> None:
        name = re.match(r"(?:#|//) (\w+\.(?:py|yaml|cr))(?:: .+)?\n", body)
        assert name is not None, "a file starts with a comment that names it"
        (self.folder / name[1]).write_text(body)

    def run(self, line: str) -> list[str]:
        """What a command prints on both streams."""
        result = subprocess.run(
            ["bash", "-c", f"(exit {self.status})\n{line}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.status = result.returncode
        return result.stdout.splitlines()

    def interpret(self, body: str) -> str:
        """The examples of a Python session, each followed by what it prints."""
        program = "import sys; from tests.test_readme import interpret; interpret(sys.stdin.read())"
        result = subprocess.run(
            [sys.executable, "-c", program],
            input=body,
            capture_output=True,
            cwd=self.folder,
            env=self.environment,
            text=True,
        )
        return result.stdout + result.stderr


def interpret(session: str) -> None:
    """Prints a session as this interpreter has it."""
    scope: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(session):
        for number, line in enumerate(example.source.splitlines()):
            print("..." if number else ">>>", line)
        exec(compile(example.source, "page", "single"), scope)


def without_durations(lines: list[str]) -> list[list[str]]:
    return [re.sub(r"\d+\.\d+ s\b|[\d,]+ a second", "TIME", line).split() for line in lines]


def compared(page: Path, lines: list[str]) -> list[list[str]]:
    """What is compared of what a command prints: of the page of training, on which numbers rest on how a kind of
    processor rounds, all but numbers."""
    rows = without_durations(lines)
    return [[re.sub(r"\d[\d.,e-]*", "N", word) for word in row] for row in rows] if page.stem == TRAINED else rows


def targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def replays(shell: Shell, told: str, line: str) -> bool:
    """The command under a counterexample shows the network and its language at odds, or what it simulates; or, where a
    lemma fails, what is told of a step in the line above it; or the token that is appended; or the logit of which a
    claim or a comparison is wrong."""
    printed = shell.run(line.strip())
    rows = [row.split() for row in printed]
    claimed = re.search(r"; logit: printed .*, derived (?P<logit>\S+), on the word ", told)
    claimed = claimed or re.search(r": fails on '.*', logit (?P<logit>\S+)$", told)
    if claimed := claimed or re.search(r" has logit (?P<logit>\S+); the logit is not ", told):
        return ["logit", claimed["logit"]] in [row[:2] for row in rows]
    if line.endswith("--trace"):
        step, name, found = re.search(r"at step (\d+) '(.*)' is (\S+), not", told).groups()  # type: ignore[union-attr]
        after = printed[printed.index(f"  step {step}") + 1 :]
        block = itertools.takewhile(lambda row: not row.startswith("  step"), after)
        *_, output = [row for row in block if row.split()[:1] == ["output"]]
        return f"{name} = {found}" in output.strip().removeprefix("output").strip().split(", ")
    if appended := re.search(r"at step (\d+) 'the token' is (\S+), not ", told):
        return [*appended.groups()] in [row[:2] for row in rows]
    return ["agrees", "no"] in rows or any(row[:3] == ["They", "differ", "first"] for row in rows)


@pytest.mark.parametrize("page", short_suite(PAGES, [README]), ids=lambda page: page.stem)
def test_every_command_prints_what_the_page_says(page: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    ran = 0
    for block in BLOCK.finditer(page.read_text()):
        if block["kind"] in WRITTEN:
            shell.write(block["body"])
            continue
        if block["kind"] == "pycon":
            ran += block["body"].count(">>> ")
            assert shell.interpret(block["body"]) == block["body"]
            continue
        assert block["kind"] == "console", "a code block that this test does not run"
        for command in commands(block["body"]):
            ran += 1
            if command.line.startswith("make "):  # running it would run this test again
                assert set(command.line.split()[1:]) <= targets(), command.line
            else:
                printed = shell.run(command.line)
                assert compared(page, printed) == compared(page, command.printed), command.line
                pairs = list(itertools.pairwise(printed))
                counterexamples = [pair for pair in pairs if pair[1].startswith("    weightproof run ")]
                assert all(replays(shell, *pair) for pair in counterexamples), counterexamples
    assert ran > 0


def test_the_pages_show_refutations_and_python() -> None:
    """What the test above replays and interprets is there to be."""
    kinds = Counter(block["kind"] for page in PAGES for block in BLOCK.finditer(page.read_text()))
    assert kinds["pycon"] >= 1
    assert kinds["python"] >= 2
    assert sum(page.read_text().count("\n    weightproof run ") for page in PAGES) >= 6


def missing(text: str, folder: Path) -> list[str]:
    """The files, folders and targets of make that a page in a folder names, and that are not there."""
    prose = BLOCK.sub("", text)
    named = [(path, ROOT / path) for path in re.findall(r"`((?:[\w-]+/)+(?:[\w-]+\.\w+)?)`", prose)]
    linked = [(path, folder / path) for path in re.findall(r"\]\((?!https:)([^#)]+)", prose)]
    made = [f"make {name}" for name in re.findall(r"`make ([\w-]+)`", prose) if name not in targets()]
    return [*(name for name, path in (*named, *linked) if not path.exists()), *made]


@pytest.mark.parametrize("page", [*PAGES, *GUIDES], ids=lambda page: page.stem)
def test_every_path_on_the_page_exists(page: Path) -> None:
    assert missing(page.read_text(), page.parent) == []


def test_a_path_that_is_not_there_is_noticed() -> None:
    text = "`proofs/theorem.py` `proofs/theory.py` `tests/none/` `make report` `make nothing` [page](docs/nothing.md)"
    assert missing(text, ROOT) == ["proofs/theory.py", "tests/none/", "docs/nothing.md", "make nothing"]


def test_the_citation_says_what_the_package_says() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (cited["version"], cited["license"]) == (package["version"], package["license"])
    assert cited["authors"] == [{"name": re.findall(r"Copyright .* (The .*)", (ROOT / "LICENSE").read_text())[0]}]


def test_the_readme_leads_to_every_page() -> None:
    linked = {README.parent / path for path in re.findall(r"\]\((.+?)\)", README.read_text())}
    assert linked >= {*PAGES, *GUIDES} - {README}
    assert linked >= {ROOT / "findings" / kind / "README.md" for kind in ("claims", "precision", "trust")}


def refreshed(text: str, folder: Path) -> str:
    """A page with the output that its commands have now; where only durations differ, those that it has."""
    shell = Shell(folder)

    def current(command: Command) -> Command:
        if command.line.startswith("make "):
            return command
        printed = shell.run(command.line)
        same = without_durations(printed) == without_durations(command.printed)
        return command if same else Command(command.line, printed)

    def block(match: re.Match[str]) -> str:
        if match["kind"] in WRITTEN:
            shell.write(match["body"])
            return match[0]
        if match["kind"] == "pycon":
            return f"```{match['kind']}\n{shell.interpret(match['body'])}```"
        printed = "".join(current(command).text() for command in commands(match["body"]))
        return f"```{match['kind']}\n{printed}```"

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    for page in (README, *map(Path, sys.argv[1:])):
        with tempfile.TemporaryDirectory() as scratch:
            page.write_text(refreshed(page.read_text(), Path(scratch)))
