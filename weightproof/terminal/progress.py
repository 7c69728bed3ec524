"""Progress of long work, on standard error and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from weightproof.terminal.streams import is_terminal


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
