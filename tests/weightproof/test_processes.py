"""Pieces of long work in other processes: nothing is lost or told twice, whatever becomes of a process."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from weightproof.reports.processes import spread

Counted = Callable[[], Iterator[tuple[int, bool]]]


def counting(upto: int, ends: str) -> Iterator[tuple[int, bool]]:
    """Numbers, each with whether it was counted elsewhere; ends: what becomes of a process behind them."""
    elsewhere = multiprocessing.parent_process() is not None
    yield from ((number, elsewhere) for number in range(upto))
    if ends == "killed" and elsewhere:
        os.kill(os.getpid(), signal.SIGKILL)
    if ends == "mistaken":
        raise ValueError("a mistake")


def pieces(*ends: str) -> list[Counted]:
    return [partial(counting, upto, each) for upto, each in enumerate(ends)]


def test_pieces_are_done_in_other_processes_and_each_result_has_its_place() -> None:
    results = spread(partial(pieces, *["well"] * 4), [3, 1, 2, 0], 2)
    expected = {(number, place): (place, True) for number in range(4) for place in range(number)}
    assert {(number, place): result for number, place, result in results} == expected


def test_what_a_process_that_is_killed_leaves_is_done_here() -> None:
    results = spread(partial(pieces, "well", "killed", "killed", "well"), [1, 2, 3, 0], 2)
    expected = {(number, place): (place, False) for number in range(4) for place in range(number)}
    assert {(number, place): result for number, place, result in results} == expected


def test_an_error_is_told_here_as_it_would_be_without_other_processes() -> None:
    with pytest.raises(ValueError, match="a mistake") as told:
        list(spread(partial(pieces, "well", "mistaken"), [1, 0], 2))
    assert told.traceback[-1].name == "counting"


def test_whoever_stops_leaves_no_process_behind() -> None:
    results = spread(partial(pieces, "well", "well"), [1, 0], 2)
    next(results)
    assert multiprocessing.active_children()
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
