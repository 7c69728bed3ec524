"""The long suites as tasks: what passes, fails and is skipped comes back from wherever it was run, a worker that is
killed loses nothing, what passed is not run again, and only the same checkout is believed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.long_suites import PARTS, Task, _parts, run
from tests.support.cluster import Running, running
from tests.support.places import ROOT

pytestmark = pytest.mark.xdist_group("cluster")
PASSING = """
import os, pytest

def test_right():
    with open("runs", "a") as runs:
        runs.write("passing\\n")
    with open("by", "w") as by:
        by.write(str(os.getppid()))

@pytest.mark.skip(reason="nothing to see")
def test_left_out():
    pass
"""
FAILING = """
def test_right():
    pass

def test_wrong():
    with open("runs", "a") as runs:
        runs.write("failing\\n")
    assert 6 * 9 == 42
"""
SLOW = """
import os, pathlib, time

def test_slow():
    if not pathlib.Path("begun").exists():
        pathlib.Path("begun.new").write_text(f"{os.getppid()} {os.getpid()}")
        os.rename("begun.new", "begun")
        time.sleep(600)
"""
"""Its first run takes too long, and says in whose process."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One of its own, with this program and few tests."""
    return made(tmp_path / "checkout")


def made(folder: Path) -> Path:
    (folder / "tests").mkdir(parents=True)
    (folder / "weightproof").symlink_to(ROOT / "weightproof")
    (folder / "tests" / "long_suites.py").symlink_to(ROOT / "tests" / "long_suites.py")
    (folder / "tests" / "test_passing.py").write_text(PASSING)
    (folder / "tests" / "test_failing.py").write_text(FAILING)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    return folder


@pytest.fixture
def two(checkout: Path, tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, 2, checkout) as found:
        yield found


def begun(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.long_suites", "-m", "", *arguments]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join((str(checkout), *sys.path))}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=checkout, env=paths, text=True, **pipes)


def called(checkout: Path, *arguments: str) -> tuple[int, str, str]:
    process = begun(checkout, *arguments)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def runs(checkout: Path) -> list[str]:
    """Which files were run, as often as they were."""
    file = checkout / "runs"
    return sorted(file.read_text().split()) if file.exists() else []


@pytest.mark.parametrize("where", ["here", "there"])
def test_what_passes_and_fails_comes_back_and_what_passed_is_not_run_again(
    request: pytest.FixtureRequest, checkout: Path, where: str
) -> None:
    two = request.getfixturevalue("two") if where == "there" else None
    scheduler = () if two is None else ("--scheduler", two.address)
    status, out, err = called(checkout, "--keep", "kept.json", *scheduler)
    assert (status, err) == (1, "")
    assert "tests/test_passing.py: 1 passed, 1 skipped\n" in out
    assert "tests/test_failing.py: 1 passed, 1 failed\n" in out
    assert "assert (6 * 9) == 42" in out
    assert "skipped, 1: nothing to see\n" in out
    assert "2 of 2 tasks are done: 2 passed, 1 failed, 1 skipped\n" in out
    assert out.endswith("tasks taken from kept.json, on which they rest: 0; reached now: 2; kept there by now: 1\n")
    assert runs(checkout) == ["failing", "passing"]
    if two is not None:
        assert int((checkout / "by").read_text()) in [each.pid for each in two.workers]
    status, out, err = called(checkout, "--keep", "kept.json", *scheduler)
    assert (status, err) == (1, "")
    assert "2 of 2 tasks are done: 2 passed, 1 failed, 1 skipped\n" in out
    assert out.endswith("tasks taken from kept.json, on which they rest: 1; reached now: 1; kept there by now: 1\n")
    assert runs(checkout) == ["failing", "failing", "passing"]


def waited_for(file: Path, process: subprocess.Popen[str]) -> str:
    until = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    return file.read_text()


def test_a_task_whose_worker_is_killed_is_done_by_another_one(checkout: Path, two: Running) -> None:
    (checkout / "tests" / "test_slow.py").write_text(SLOW)
    process = begun(checkout, "--scheduler", two.address)
    worker, test = map(int, waited_for(checkout / "begun", process).split())
    assert worker in [each.pid for each in two.workers]
    os.kill(worker, signal.SIGKILL)
    os.kill(test, signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (1, "")
    assert "tests/test_slow.py: 1 passed\n" in out
    assert "3 of 3 tasks are done: 3 passed, 1 failed, 1 skipped\n" in out


def test_a_scheduler_that_goes_away_leaves_what_passed(checkout: Path, two: Running) -> None:
    """And the next call goes on from there, by other means."""
    (checkout / "tests" / "test_slow.py").write_text(SLOW)
    process = begun(checkout, "--keep", "kept.json", "--scheduler", two.address)
    _, test = map(int, waited_for(checkout / "begun", process).split())
    waited_for(checkout / "kept.json", process)
    two.scheduler.kill()
    out, err = process.communicate(timeout=300)
    os.kill(test, signal.SIGKILL)
    assert process.returncode == 2
    assert re.fullmatch(r"tests\.long_suites: the scheduler at \S+ went away after [12] of 3 tasks\n", err)
    assert "tests/test_passing.py: 1 passed" in out
    status, out, err = called(checkout, "--keep", "kept.json")
    assert (status, err) == (1, "")
    assert "tasks taken from kept.json, on which they rest: 1; reached now: 2; kept there by now: 2\n" in out
    assert runs(checkout).count("passing") == 1


def test_an_interruption_keeps_what_passed(checkout: Path) -> None:
    (checkout / "tests" / "test_slow.py").write_text(SLOW)
    process = begun(checkout, "--keep", "kept.json")
    waited_for(checkout / "begun", process)
    waited_for(checkout / "kept.json", process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert re.fullmatch(r"tests\.long_suites: interrupted after [12] of 3 tasks\n", err)
    assert len(json.loads((checkout / "kept.json").read_text())["tasks"]) == 1


def test_what_was_changed_is_run_anew(checkout: Path) -> None:
    """Any tracked file of the checkout; what is not tracked is told by its own tests alone."""
    only = ("--keep", "kept.json", "tests/test_passing.py")
    for change, taken in (("", 0), ("", 1), ("\n# another\n", 0), ("", 1)):
        with (checkout / "tests" / "test_failing.py").open("a") as file:
            file.write(change)
        status, out, _ = called(checkout, *only)
        assert status == 0
        assert f"on which they rest: {taken}; " in out


def test_another_checkout_is_refused(checkout: Path, tmp_path: Path) -> None:
    """Of workers: one whose files differ, and one that has none under git."""
    other = made(tmp_path / "other")
    (other / "tests" / "test_passing.py").write_text(PASSING.replace("right", "same"))
    with running(tmp_path, 1, other) as found:
        status, _, err = called(checkout, "--scheduler", found.address)
    assert status == 2
    assert re.fullmatch(
        r"tests\.long_suites: --scheduler \S+: on a worker all of the checkout is \w+ there, and \w+ here; "
        r"have the same on both\n",
        err,
    )
    assert runs(checkout) == runs(other) == []
    shutil.rmtree(other / ".git")
    (tmp_path / "scheduler.json").unlink()
    with running(tmp_path, 1, other) as found:
        status, _, err = called(checkout, "--scheduler", found.address)
    assert status == 2
    assert f"on a worker {other} is no checkout of git" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("tests/nowhere.py",), "ends with USAGE_ERROR; mend it, or name other tests"),
        (("-k-nothing",), "unrecognized arguments"),
        (("--scheduler", "nonsense"), "no scheduler of Dask answers there"),
        (("--keep", "/dev/full"), "/dev/full: is no ordinary file; name one that holds results of"),
        (("--keep", "nowhere/kept.json"), "name a file that can be written"),
    ],
)
def test_what_cannot_be_done_ends_in_a_line(checkout: Path, arguments: tuple[str, ...], says: str) -> None:
    status, out, err = called(checkout, *arguments)
    assert (status, out) == (2, "")
    assert says in err.splitlines()[-1]
    assert runs(checkout) == []


def test_make_hands_over_who_does_it_and_the_file() -> None:
    def last(*given: str) -> str:
        """What would be run."""
        called = subprocess.run(
            ["make", "--no-print-directory", "-n", "controls", *given],
            cwd=ROOT,
            text=True,
            capture_output=True,
            check=False,
        )
        return (called.stdout or called.stderr).splitlines()[-1].split("-m ", 1)[-1]

    scheduler, keep = "SCHEDULER=tcp://127.0.0.1:8786", "KEEP=passed.json"
    long_suites = "tests.long_suites  --scheduler tcp://127.0.0.1:8786 --keep passed.json"
    assert last(scheduler, keep).split() == long_suites.split()
    assert last(scheduler).split() == long_suites.split()[:3]
    assert last(keep).split() == ["tests.long_suites", *long_suites.split()[3:]]
    assert last().startswith("pytest ")


def test_tests_that_are_not_run_are_a_failure() -> None:
    """A name that pytest does not find, or a process that dies."""
    found = run(Task("some", ("tests/test_long_suites.py::test_that_is_not_there",)))
    assert (found.passed, found.failed) == (0, 1)
    assert "of 1 tests 0 were run" in found.output


def test_a_long_file_is_cut_and_what_belongs_together_is_not() -> None:
    together = [[f"{group} {number}" for number in range(3)] for group in range(20)]
    parts = [*_parts("file", together)]
    assert len(parts) == PARTS
    assert sorted(test for part in parts for test in part.tests) == sorted(test for group in together for test in group)
    assert [part.name for part in parts][:2] == [f"file, 1 of {PARTS}", f"file, 2 of {PARTS}"]
    for group in together:
        assert sum({*group} <= {*part.tests} for part in parts) == 1
    assert [*_parts("file", together[:1])] == [Task("file", tuple(together[0]))]
