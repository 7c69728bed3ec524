"""Long work that falls into pieces, done on all cores.

What a piece is made of, a theorem with its network and its obligations, does not travel between processes: each process
makes the list of all pieces anew, and is told by number which ones are its own. Only what comes of them travels.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
Pieces = Callable[[], Sequence[Callable[[], Iterable[T]]]]
"""Makes the list of all pieces. What it is to be called with in another process has to travel there."""
ENDS = 2.0
"""Seconds that a process has to end in, with the solvers that it asks, when it is told to."""


def processors() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(pieces: Pieces[T], order: Sequence[int], workers: int) -> Iterator[tuple[int, int, T]]:
    """What comes of the pieces, as it comes, each with the number of its piece and its place among what comes of that.

    order: the numbers of the pieces in the order in which they are begun. What a process does not finish, as it was
    killed or as there is an error, is done once more here, where an error is told as ever; its places are the same.
    """
    left, here = [*reversed(order)], list[int]()
    with _processes(pieces, workers) as connections:
        busy = dict[Connection, int]()

        def begin(connection: Connection) -> None:
            with contextlib.suppress(OSError):  # it is gone, and what it was to do stays
                connection.send(left[-1] if left else None)
                if left:
                    busy[connection] = left.pop()

        for each in connections:
            begin(each)
        while busy:
            for connection in wait([*busy]):
                assert isinstance(connection, Connection)
                try:
                    found = connection.recv()
                except (EOFError, OSError):
                    here.append(busy.pop(connection))
                    continue
                if found is None:
                    del busy[connection]
                    begin(connection)
                else:
                    yield busy[connection], *found
    if here or left:
        own = pieces()
        for number in (*here, *reversed(left)):
            yield from ((number, place, result) for place, result in enumerate(own[number]()))


@contextlib.contextmanager
def _processes(pieces: Pieces[Any], workers: int) -> Iterator[list[Connection]]:
    """Processes that wait for numbers, each at the end of a connection; they end with the block, whatever ends it."""
    context, started = multiprocessing.get_context("spawn"), []
    connections: list[Connection] = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # for them, who inherit it: Ctrl-C is for this process
    try:
        for _ in range(workers):
            ours, theirs = multiprocessing.Pipe()
            process = context.Process(target=_work, args=(pieces, theirs), daemon=True)
            process.start()
            theirs.close()
            started.append(process)
            connections.append(ours)
        signal.signal(signal.SIGINT, before)
        yield [*connections]
    finally:
        signal.signal(signal.SIGINT, before)
        for connection in connections:
            connection.close()
        for process in started:
            process.terminate()
        for process in started:
            process.join(ENDS)
            process.kill()


def _work(pieces: Pieces[Any], connection: Connection) -> None:
    signal.signal(signal.SIGTERM, _end)
    with contextlib.suppress(Exception):  # it comes once more where this process is missed
        own = pieces()
        while (number := connection.recv()) is not None:
            for found in enumerate(own[number]()):
                connection.send(found)
            connection.send(None)


def _end(*_: object) -> NoReturn:
    """So that solvers are stopped on the way."""
    sys.exit(1)
