"""Pieces of long work, done by other processes of this computer."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from queue import SimpleQueue
from typing import Any, NoReturn, TypeVar

import cloudpickle

from weightproof.parallel.pieces import Pieces, here

T = TypeVar("T")
ENDS = 2.0
"""Seconds that a process has to end in, with the solvers that it asks, when it is told to."""
BEGINS = f"import sys; sys.path[:] = sys.argv[2:]; from {__name__} import work; work(int(sys.argv[1]))"
"""What a process runs: modules come from where this one has them, and the user's program is not begun once more."""


def processors() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Processes:
    """So many, which end with the work."""

    number: int

    def spread(self, pieces: Pieces[T], order: Sequence[int]) -> Iterator[tuple[int, int, T]]:
        """As `Workers` has it."""
        left, failed = [*reversed(order)], list[int]()
        with _processes(pieces, self.number) as connections:
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
                        found = pickle.loads(connection.recv_bytes())
                    except Exception:  # it has ended, or what it found does not travel
                        failed.append(busy.pop(connection))
                        continue
                    if found is None:
                        del busy[connection]
                        begin(connection)
                    else:
                        yield busy[connection], *found
        if failed or left:
            yield from here(pieces, (*failed, *left))


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
                ours.send_bytes(cloudpickle.dumps(pieces))
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
    pieces = pickle.loads(connection.recv_bytes())

    def hear() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                numbers.put(connection.recv())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)

    threading.Thread(target=hear, daemon=True).start()
    own = pieces()
    while True:
        for found in enumerate(own[numbers.get()]()):
            connection.send_bytes(cloudpickle.dumps(found))
        connection.send_bytes(cloudpickle.dumps(None))


def _end(*_: object) -> NoReturn:
    """So that solvers are stopped on the way."""
    sys.exit(1)
