"""The ways out: an object on standard output, a line on standard error, an exit status, and progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

PROGRAM = "weightproof"
BAD_INPUT = 2
INTERRUPTED = 130


def is_terminal(stream: TextIO | None) -> bool:
    """None is a stream that was closed before the program began."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def emit(data: dict[str, Any]) -> None:
    """One JSON object."""
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def complain(message: str) -> None:
    """One line, after everything that was reported, where standard error is open."""
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr)


def warn(message: str) -> None:
    """One line beside what is reported, of what it does not say."""
    complain(f"warning: {message}")


def drop_output() -> None:
    """Python must not fail once more when it flushes what is left at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(total: float) -> Iterator[Callable[[str, float], None]]:
    """A bar with the time left; what it yields is told what is being done, and how much of the total is."""
    if not is_terminal(sys.stderr):
        yield lambda doing, done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda doing, done: bar.update(task, completed=done, description=doing)


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """A spinner on a terminal while something takes its time, nothing elsewhere."""
    if not is_terminal(sys.stderr):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
