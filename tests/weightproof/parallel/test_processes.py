"""Pieces of long work in other processes: nothing is lost or told twice, whatever becomes of a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from weightproof.parallel.processes import Processes

Counted = Callable[[], Iterator[tuple[int, int]]]
HERE = os.getpid()


def counting(upto: int, ends: str, here: int) -> Iterator[tuple[int, int]]:
    """Numbers, each with the process that counted it; ends: what becomes of another process than this one behind
    them."""
    yield from ((number, os.getpid()) for number in range(upto))
    if ends == "killed" and os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    if ends == "mistaken":
        raise ValueError(f"mistake {upto}")
    if ends == "long":
        time.sleep(60)


def pieces(here: int, *ends: str) -> list[Counted]:
    return [partial(counting, upto, each, here) for upto, each in enumerate(ends)]


def by_two(*ends: str) -> Iterator[tuple[int, int, tuple[int, int]]]:
    return Processes(2).spread(partial(pieces, HERE, *ends), [*reversed(range(len(ends)))])


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_pieces_are_done_in_other_processes_and_each_result_has_its_place() -> None:
    results = {(number, place): result for number, place, result in by_two(*["well"] * 4)}
    assert {key: counted for key, (counted, _) in results.items()} == {
        (number, place): place for number in range(4) for place in range(number)
    }
    assert HERE not in {process for _, process in results.values()}


def test_what_a_process_that_is_killed_leaves_is_done_here() -> None:
    results = {(number, place): result for number, place, result in by_two("well", "killed", "killed", "well")}
    assert results == {
        (number, place): (place, results[number, place][1]) for number in range(4) for place in range(number)
    }
    assert {results[1, 0][1], results[2, 0][1]} == {HERE}


def test_an_error_is_told_here_as_it_would_be_without_other_processes() -> None:
    with pytest.raises(ValueError, match="mistake 1") as told:
        list(by_two("well", "mistaken", "mistaken"))
    assert told.traceback[-1].name == "counting"


def test_whoever_stops_leaves_no_process_behind() -> None:
    interrupted = signal.getsignal(signal.SIGINT)
    results = by_two("well", "well", "long")
    _, _, (_, process) = next(results)
    assert lives(process)
    results.close()  # type: ignore[attr-defined]
    assert not lives(process)
    assert signal.getsignal(signal.SIGINT) is interrupted


def test_whoever_is_killed_leaves_no_process_behind() -> None:
    program = f"from {__name__} import by_two\nfor found in by_two('long', 'long'): print(found[2][1], flush=True)"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=paths) as child:
        assert child.stdout is not None
        process = int(child.stdout.readline())
        assert lives(process)
        child.kill()
    until = time.monotonic() + 10
    while lives(process) and time.monotonic() < until:
        time.sleep(0.01)
    assert not lives(process)


def test_another_thread_than_the_first_spreads_its_work_too() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(lambda: [*by_two("well", "well")]).result()) == 1


def test_nothing_in_the_user_s_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor the user's program once more: a process begins with modules of the library, whatever files are called."""
    for name in ("pickle", "signal", "struct"):
        (tmp_path / f"{name}.py").write_text("open('was run', 'w')\n")
    monkeypatch.chdir(tmp_path)
    assert HERE not in {process for _, _, (_, process) in by_two("well", "well", "well")}
    assert not (tmp_path / "was run").exists()
