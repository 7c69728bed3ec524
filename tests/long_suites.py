"""The long suites as tasks that have nothing to do with each other, done by all cores or by the workers of a Dask
cluster, and gone on with after an interruption.

`python -m tests.long_suites [--scheduler ADDRESS] [--keep FILE] [-m MARKS] [PLACE ...]`: a task is a file of tests, or
a part of a long one. Each is run by pytest in the checkout of whoever does it, which has to be this one: the same
tracked files, the same Python and libraries.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cloudpickle
import pytest

import weightproof
from weightproof.constructions.meaning.inputs import InputError
from weightproof.parallel.cluster import Cluster, Different
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.parallel.program import difference
from weightproof.reports.kept import Asked, InFile, Keeping, Shelf
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED
from weightproof.values import data_of, value


def checkout() -> Path:
    """Of whoever asks: here, or where a worker has its program from."""
    return Path(weightproof.__file__).parents[1]


PARTS = 8
"""Into so many tasks a file is cut at most: to begin pytest takes seconds, and some files take an hour."""


@dataclass(frozen=True)
class Task:
    """Tests of one file, by their ids."""

    name: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """How many tests of a task passed, failed and were skipped, these by the reason; output: of pytest, where one
    failed, or where it did not run all of them."""

    passed: int
    failed: int
    skipped: dict[str, int]
    output: str = ""

    def __str__(self) -> str:
        counts = {"passed": self.passed, "failed": self.failed, "skipped": sum(self.skipped.values())}
        return ", ".join(f"{number} {what}" for what, number in counts.items() if number)


OUTCOMES = Shelf[Outcome]("python -m tests.long_suites", "tasks", "outcome", Outcome, lambda found: not found.output)
"""What failed is not kept: it is run anew."""


class _Collecting:
    """A plugin of pytest that has the tests of a call: by their files, those that are to be run by one process
    together."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, list[str]]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            group = item.get_closest_marker("xdist_group")
            together = self.found.setdefault(item.nodeid.partition("::")[0], {})
            together.setdefault("" if group is None else group.args[0], []).append(item.nodeid)


def tasks(marks: str, places: Sequence[str]) -> list[Task]:
    """InputError where pytest finds none, or cannot read one."""
    collecting = _Collecting()
    with open(os.devnull, "w") as nowhere:
        there, sys.stdout = sys.stdout, nowhere
        try:
            status = pytest.main(
                ["--collect-only", "-q", "-p", "no:cacheprovider", "-m", marks, *places], plugins=[collecting]
            )
        finally:
            sys.stdout = there
    if status != pytest.ExitCode.OK:
        told = f"pytest --collect-only -m {marks!r} {' '.join(places)}".rstrip()
        raise InputError(f"{told} ends with {pytest.ExitCode(status).name}; mend it, or name other tests")
    return [task for file, together in collecting.found.items() for task in _parts(file, [*together.values()])]


def _parts(file: str, together: Sequence[Sequence[str]]) -> Iterator[Task]:
    number = min(PARTS, len(together))
    for place in range(number):
        tests = tuple(test for some in together[place::number] for test in some)
        yield Task(file if number == 1 else f"{file}, {place + 1} of {number}", tests)


def content() -> dict[str, str]:
    """What decides the outcome of a test, by its name: the SHA-256 of all tracked files as they are now, Python, and
    all that is installed; InputError where there is no checkout."""
    root = checkout()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
    if listed.returncode or not listed.stdout:
        raise InputError(f"{root} is no checkout of git; the program has to be installed from one, as `make` does")
    found = sha256()
    for name in sorted(filter(None, listed.stdout.split(b"\0"))):
        path = root / os.fsdecode(name)
        content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes() if path.exists() else b""
        found.update(b"%s\0%d\0" % (name, len(content)) + content)
    installed = {each.metadata["Name"]: each.version for each in distributions()}
    return {
        "all of the checkout": found.hexdigest(),
        "Python": platform.python_version(),
        **dict(sorted(installed.items())),
    }


def run(task: Task) -> Outcome:
    """By a process of its own, in this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        how = ["-q", "-p", "no:cacheprovider", f"--junit-xml={report}", "-o", "junit_family=xunit1"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *how, *task.tests],
            cwd=checkout(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        cases = [*ElementTree.parse(report).iter("testcase")] if report.exists() else []
    bad = sum(any(each.tag in ("failure", "error") for each in case) for case in cases)
    reasons = Counter(each.get("message", "") for case in cases for each in case if each.tag == "skipped")
    passed = len(cases) - bad - reasons.total()
    missing = len(task.tests) - len(cases)
    if done.returncode == 0 and not bad and not missing:
        return Outcome(passed, 0, dict(reasons))
    told = f"{done.stdout}\npytest ended with {done.returncode}; of {len(task.tests)} tests {len(cases)} were run\n"
    return Outcome(passed, max(bad, 1), dict(reasons), told)


def _pieces(wanted: Sequence[Task], ours: Mapping[str, str]) -> list[Callable[[], Iterator[Any]]]:
    return [partial(_piece, each, ours) for each in wanted]


def _piece(task: Task, ours: Mapping[str, str]) -> Iterator[Any]:
    """As data: whoever asked has the class."""
    try:
        told = difference(ours, {name: each for name, each in content().items() if name in ours})
    except InputError as error:
        raise Different(f"on a worker {error}") from error
    if told is not None:
        raise Different(f"on a worker {told}; have the same on both")
    yield data_of(run(task))


def _content(task: Task) -> Mapping[str, Any]:
    return {**content(), "tests": task.tests}


def done(wanted: Sequence[Task], workers: Workers, file: Path | None, tell: Callable[[str], None]) -> int:
    """All of them, told as they end; the exit status."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have the program, and need not have this file
    keeping = Keeping.begun(OUTCOMES, file, [Asked(each.name, partial(_content, each)) for each in wanted])
    found, kept = dict(keeping.taken), 0
    ending, status = "", 0
    try:
        spread = workers.spread(partial(_pieces, wanted, content()), keeping.missing) if keeping.missing else ()
        for number, _, data in spread:
            found[number] = value(Outcome, data)
            tell(f"{wanted[number].name}: {found[number]}")
            kept += keeping.added(number, found[number])
    except KeyboardInterrupt:
        ending, status = "interrupted", INTERRUPTED
    except Gone as error:
        ending, status = str(error), BAD_INPUT
    for number in sorted(found):
        if found[number].output:
            tell(f"\n{wanted[number].name}\n{found[number].output}")
    reasons = Counter[str]()
    for each in found.values():
        reasons.update(each.skipped)
    for reason, times in sorted(reasons.items()):
        tell(f"skipped, {times}: {reason}")
    all_of_it = Outcome(
        sum(each.passed for each in found.values()), sum(each.failed for each in found.values()), reasons
    )
    tell(f"{len(found)} of {len(wanted)} tasks are done: {all_of_it}" if found else "no task is done")
    if file is not None:
        tell(InFile(file, "tasks", len(keeping.taken), len(keeping.taken) + kept).told(len(found)))
    if ending:
        print(f"tests.long_suites: {ending} after {len(found)} of {len(wanted)} tasks", file=sys.stderr)
    return status or int(all_of_it.failed > 0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long_suites", description=(__doc__ or "").partition("\n\n")[0]
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="have workers of Dask do it; all cores, if none is named"
    )
    parser.add_argument(
        "--keep", metavar="FILE", type=Path, help="keep there what passes; what it has is not run again"
    )
    parser.add_argument("-m", dest="marks", metavar="MARKS", default="controls", help="which tests, as of pytest")
    parser.add_argument(
        "places", metavar="PLACE", nargs="*", help="files and folders of tests, all unless one is named"
    )
    given = parser.parse_args(arguments)
    workers = Processes(processors()) if given.scheduler is None else Cluster(given.scheduler)
    try:
        return done(tasks(given.marks, given.places), workers, given.keep, partial(print, flush=True))
    except (InputError, OSError) as error:
        print(f"tests.long_suites: {error}", file=sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
