"""Long work that falls into pieces, done on all cores.

What a piece is made of, a theorem with its network and its obligations, does not travel between processes: each process
makes the list of all pieces anew, and is told by number which ones are its own. Only what comes of them travels.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, Pipe, wait
from queue import SimpleQueue
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
Pieces = Callable[[], Sequence[Callable[[], Iterable[T]]]]
"""Makes the list of all pieces. What it is to be called with in another process has to travel there."""
ENDS = 2.0
"""Seconds that a process has to end in, with the solvers that it asks, when it is told to."""
BEGINS = f"import sys; sys.path[:] = sys.argv[2:]; from {__name__} import work; work(int(sys.argv[1]))"
"""What a process runs: modules come from where this one has them, and the user's program is not begun once more."""


def processors() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(pieces: Pieces[T], order: Sequence[int], workers: int) -> Iterator[tuple[int, int, T]]:
    """What comes of the pieces, as it comes, each with the number of its piece and its place among what comes of that.

    order: the numbers of the pieces in the order in which they are begun. What a process does not finish, as it was
    killed or as there is an error, is done once more here, where an error is told as ever, that of the first piece
    first; its places are the same.
    """
    left, here = [*reversed(order)], list[int]()
    with _processes(pieces, workers) as connections:
        busy = dict[Connection, int]()

        def begin(connection: Connection) -> None:
            with contextlib.suppress(OSError):  # it is gone, and what it was to do stays
                if left:
                    connection.send(left[-1])
                    busy[connection] = left.pop()

        for each in connections:
            begin(each)
        while busy:
            for connection in wait([*busy]):
                assert isinstance(connection, Connection)
                try:
                    found = connection.recv()
                except Exception:  # it has ended, or what it found does not travel
                    here.append(busy.pop(connection))
                    continue
                if found is None:
                    del busy[connection]
                    begin(connection)
                else:
                    yield busy[connection], *found
    if here or left:
        own = pieces()
        for number in sorted((*here, *left)):
            yield from ((number, place, result) for place, result in enumerate(own[number]()))


@contextlib.contextmanager
def _processes(pieces: Pieces[Any], workers: int) -> Iterator[list[Connection]]:
    """Processes that wait for numbers, each at the end of a connection; they end with the block, whatever ends it, and
    with this process, whatever ends that."""
    started, connections = list[subprocess.Popen[bytes]](), list[Connection]()
    try:
        for _ in range(workers):
            ours, theirs = Pipe()
            connections.append(ours)
            with theirs:
                started.append(_started(theirs.fileno()))
            with contextlib.suppress(OSError):
                ours.send(pieces)
        yield [*connections]
    finally:
        for connection in connections:
            connection.close()
        for process in started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDS)
            process.kill()
            process.wait()


def _started(connection: int) -> subprocess.Popen[bytes]:
    """A process that has the connection of that number. What files print when they are read is printed here alone."""
    return subprocess.Popen(
        # -P: nothing in the user's folder is imported, whatever it is called
        [sys.executable, "-P", "-c", BEGINS, str(connection), *sys.path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[connection],
        process_group=0,  # Ctrl-C is for this process, which decides what becomes of that one
    )


def work(number: int) -> None:
    """All that another process does; it ends when nobody is at the other end of its connection, with its solvers."""
    signal.signal(signal.SIGTERM, _end)
    connection, numbers = Connection(number), SimpleQueue[int]()
    pieces = connection.recv()

    def hear() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                numbers.put(connection.recv())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)

    threading.Thread(target=hear, daemon=True).start()
    own = pieces()
    while True:
        for found in enumerate(own[numbers.get()]()):
            connection.send(found)
        connection.send(None)


def _end(*_: object) -> NoReturn:
    """So that solvers are stopped on the way."""
    sys.exit(1)
