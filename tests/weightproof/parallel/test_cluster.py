"""Pieces of long work on a Dask cluster: a scheduler and workers that are processes of their own. The same comes of
them, nothing is lost with a worker, and what ends the work is told in a line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.cluster import Running, running
from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.constructions.meaning.inputs import InputError
from weightproof.parallel import cluster
from weightproof.parallel.cluster import Cluster
from weightproof.parallel.pieces import Gone
from weightproof.parallel.program import difference, program

HERE = os.getpid()
pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("two"), 2) as found:
        yield found


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Running]:
    """A cluster that a test may destroy."""
    with running(tmp_path, 2) as found:
        yield found


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    status = main(arguments)
    output = capsys.readouterr()
    return status, json.loads(output.out) if output.out else None, output.err


def without_seconds(found: Any) -> str:
    theorems = [{**each, "seconds": None, "solver_seconds": None} for each in found["theorems"]]
    return json.dumps({**found, "theorems": theorems})


PROVED = ("one", "first", "parity-feed-forward")


def test_the_same_is_proved(capsys: pytest.CaptureFixture[str], two: Running) -> None:
    here, there = (told(capsys, "prove", *PROVED, "--json", *where) for where in ((), ("--scheduler", two.address)))
    assert here[0] == there[0] == 0
    assert without_seconds(here[1]) == without_seconds(there[1])
    assert len(here[1]["theorems"]) >= len(PROVED)


def test_the_same_is_kept(capsys: pytest.CaptureFixture[str], two: Running, tmp_path: Path) -> None:
    """And where nothing is left to prove, nobody is asked for a scheduler."""
    file, names = str(tmp_path / "verdicts.json"), ("parity-feed-forward", "full-adder")
    here = told(capsys, "prove", *names, "--json")
    assert told(capsys, "prove", names[0], "--json", "--keep", file)[0] == 0
    for address, taken in ((two.address, 3), ("tcp://127.0.0.1:1", 4)):
        there = told(capsys, "prove", *names, "--json", "--keep", file, "--scheduler", address)
        assert there[1]["taken"] == taken
        assert (there[0], there[2]) == (here[0], here[2])
        assert without_seconds({**there[1], "taken": 0}) == without_seconds(here[1])


def test_the_same_is_judged(capsys: pytest.CaptureFixture[str], two: Running) -> None:
    """To the byte: only outcomes travel, and no statement with a function in it."""
    names = ("first", "noisy-majority-as-printed", "bhattamishra2020-formulas")
    here, there = (told(capsys, "claims", *names, "--json", *where) for where in ((), ("--scheduler", two.address)))
    assert here == there
    assert here[0] == 0


def test_the_same_is_learned(capsys: pytest.CaptureFixture[str], two: Running) -> None:
    """Two curves by two workers."""
    asked = (
        "learn",
        "nowak2022-first",
        "--curve",
        "n=10",
        "--curve",
        "n=30",
        "--seeds",
        "2",
        "--epochs",
        "1",
        "--json",
    )
    here, there = (told(capsys, *asked, *where) for where in ((), ("--scheduler", two.address)))
    assert here[0] == there[0] == 0
    for found in (here[1], there[1]):
        found["curves"] = [{**curve, "seconds": None} for curve in found["curves"]]
    assert here == there


def test_the_same_is_measured_and_kept(capsys: pytest.CaptureFixture[str], two: Running, tmp_path: Path) -> None:
    asked = (
        "precision",
        "one",
        "parity-feed-forward",
        "--max-length",
        "5",
        "--dtype",
        "float16",
        "--dtype",
        "float32",
        "--json",
    )
    here, there = (
        told(capsys, *asked, "--keep", str(tmp_path / name), *where)
        for name, where in (("here", ()), ("there", ("--scheduler", two.address)))
    )
    assert here[0] == there[0] == 0
    assert here[1]["rows"] == there[1]["rows"]
    kept = json.loads((tmp_path / "there").read_text())
    assert kept["complete"]
    assert sorted(map(str, kept["rows"])) == sorted(map(str, there[1]["rows"]))
    assert told(capsys, *asked, "--keep", str(tmp_path / "there"), "--scheduler", two.address) == there


def test_the_same_is_written(capsys: pytest.CaptureFixture[str], two: Running) -> None:
    asked = ("derive", "one", "first", "--format", "md")
    texts = []
    for where in ((), ("--scheduler", two.address)):
        assert main([*asked, *where]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != ""


KEPT = {
    "claims": ("claims", "bhattamishra2020-formulas", "fraknoi2024-formulas", "first"),
    "documents": ("derive", "--format", "latex", "full-adder", "majority-of-3", "parity-of-4"),
    "JSON": ("derive", "--json", "full-adder", "majority-of-3", "parity-of-4"),
}


@pytest.mark.parametrize("call", KEPT.values(), ids=KEPT)
def test_the_same_is_kept_of_claims_and_derivations(
    capsys: pytest.CaptureFixture[str], two: Running, tmp_path: Path, call: tuple[str, ...]
) -> None:
    """One piece is there from a call without a scheduler; where none is missing, nobody is asked for one."""

    def shown(*arguments: str) -> tuple[str, list[str]]:
        """Without the line about the file, and how many it says were taken, and reached."""
        assert main([*call, *arguments]) == 0
        output = capsys.readouterr()
        lines = re.findall(r".* taken from .*: (\d+); reached now: (\d+); .*\n", output.out + output.err)
        return re.sub(r".* taken from .*\n", "", output.out), *lines

    file = str(tmp_path / "kept.json")
    (whole,) = shown()
    assert main([*call[:-2], "--keep", file]) == 0
    capsys.readouterr()
    text, there = shown("--keep", file, "--scheduler", two.address)
    assert text == whole
    assert "0" not in there
    text, there = shown("--keep", file, "--scheduler", "tcp://127.0.0.1:1")
    assert (text, there[1]) == (whole, "0")


@pytest.mark.parametrize("call", [KEPT["claims"], KEPT["documents"]], ids=["claims", "derive"])
def test_what_there_is_when_the_scheduler_goes_away_is_kept(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    own: Running,
    tmp_path: Path,
    call: tuple[str, ...],
) -> None:
    """And gone on with, here or elsewhere."""
    spread, file = Cluster.spread, str(tmp_path / "kept.json")

    def until(self: Cluster, *given: Any) -> Iterator[Any]:
        yield next(found := spread(self, *given))
        own.scheduler.kill()
        yield from found

    with monkeypatch.context() as patch:
        patch.setattr(Cluster, "spread", until)
        assert main([*call, "--keep", file, "--scheduler", own.address]) == 2
    line = capsys.readouterr().err
    assert re.fullmatch(
        r"weightproof: the scheduler at .* went away after .*; .*kept.json holds [1-9]\d* of them\n", line
    )
    assert main([*call, "--keep", file]) == 0
    output = capsys.readouterr()
    [(taken, reached)] = re.findall(r"they rest: (\d+); reached now: (\d+);", output.out + output.err)
    assert int(taken) > 0
    assert int(reached) > 0


Slow = Callable[[], Iterator[tuple[int, int]]]


def slow(number: int) -> Iterator[tuple[int, int]]:
    time.sleep(0.5)
    yield number, os.getpid()


def pieces(number: int) -> list[Slow]:
    return [partial(slow, each) for each in range(number)]


def mistaken() -> list[Slow]:
    def fails(number: int) -> Iterator[tuple[int, int]]:
        yield from slow(number)
        raise ValueError(f"mistake {number}")

    return [partial(slow, 0), partial(fails, 1), partial(fails, 2)]


def test_a_worker_that_is_killed_loses_nothing(own: Running) -> None:
    found = list[tuple[int, int, tuple[int, int]]]()
    for each in Cluster(own.address).spread(partial(pieces, 12), range(12)):
        found.append(each)
        if len(found) == 3:
            own.workers[0].kill()
    assert sorted((number, place, result[0]) for number, place, result in found) == [(n, 0, n) for n in range(12)]
    done = [process for _, _, (_, process) in found]
    assert {*done[-5:]} == {own.workers[1].pid}
    assert HERE not in done


def test_an_error_is_told_as_it_is_here(two: Running) -> None:
    with pytest.raises(ValueError, match="mistake 1") as caught:
        list(Cluster(two.address).spread(mistaken, range(3)))
    assert caught.traceback[-1].name == "fails"


def test_a_scheduler_that_goes_away_is_told(own: Running) -> None:
    found = Cluster(own.address).spread(partial(pieces, 40), range(40))
    next(found)
    own.scheduler.kill()
    with pytest.raises(Gone, match=f"the scheduler at {own.address} went away"):
        list(found)


def test_what_is_proved_when_the_scheduler_goes_away_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, own: Running
) -> None:
    spread = Cluster.spread

    def until(self: Cluster, *given: Any) -> Iterator[Any]:
        for each in spread(self, *given):
            yield each
            own.scheduler.kill()

    monkeypatch.setattr(Cluster, "spread", until)
    status, found, complaint = told(capsys, "prove", *PROVED, "--json", "--scheduler", own.address)
    assert status == 2
    assert complaint.startswith(f"weightproof: the scheduler at {own.address} went away after ")
    assert complaint.count("\n") == 1
    assert found["theorems"]
    assert not found["complete"]
    assert all(theorem["as_expected"] for theorem in found["theorems"])


def refused(address: str) -> str:
    with pytest.raises(InputError) as caught:
        list(Cluster(address).spread(partial(pieces, 1), range(1)))
    return str(caught.value)


def test_a_worker_with_another_program_is_refused(monkeypatch: pytest.MonkeyPatch, two: Running) -> None:
    monkeypatch.setattr(cluster, "program", lambda: {**program(), "sympy": "0.1"})
    assert f"{program()['sympy']} there, and 0.1 here; install the same on both" in refused(two.address)


def test_so_is_one_that_comes_late(monkeypatch: pytest.MonkeyPatch, two: Running) -> None:
    """Each worker compares before it begins."""
    monkeypatch.setattr(cluster, "program", lambda: {**program(), "sympy": "0.1"})
    monkeypatch.setattr(Cluster, "_require_workers", lambda self, client: None)
    assert "sympy is " in refused(two.address)


def test_where_there_is_no_scheduler_or_no_worker_or_no_dask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cluster, "ANSWERS", 1.0)
    with running(tmp_path, 0) as none:
        assert refused(none.address).startswith(f"--scheduler {none.address}: it has no workers")
    assert "no scheduler of Dask answers there" in refused(none.address)
    assert "no scheduler of Dask answers there" in refused("nonsense")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert refused("tcp://127.0.0.1:1").endswith("pip install 'weightproof[cluster]'")


def test_an_address_that_nobody_can_read_is_told_in_one_line() -> None:
    """By a process: a client that was half made would complain when it ends."""
    command = [sys.executable, "-m", "weightproof", "prove", "one", "--scheduler", "nonsense"]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, text=True, capture_output=True, env=paths, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "no scheduler of Dask answers there" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("prove", "mine.py"), "need not have mine.py"),
        (("claims", "--timeout", "5"), "cannot be told --timeout"),
        (("prove", "one", "--smt", "there"), "cannot be told --smt"),
        (("derive", "one", "--steps"), "give --format latex or md, without --steps"),
        (("precision", "--replay", "rows.json"), "leave out --scheduler"),
    ],
)
def test_what_workers_cannot_be_told_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    status, _, error = told(capsys, *arguments, "--scheduler", "tcp://127.0.0.1:1")
    assert status == 2
    assert complaint in error


def test_programs_differ_where_a_version_or_a_file_does() -> None:
    ours = program()
    assert difference(ours, dict(ours)) is None
    assert difference(ours, {**ours, "Python": "2.7"}) == f"Python is 2.7 there, and {ours['Python']} here"
    assert difference(ours, {name: each for name, each in ours.items() if name != "cvc5"}) is not None
    assert {"weightproof", "Python", "sympy", "z3-solver", "cvc5", "python-flint"} <= {*ours}
