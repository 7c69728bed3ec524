"""A Dask cluster on this machine: a scheduler and workers that are processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.places import ROOT


@dataclass
class Running:
    """A scheduler and its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: Sequence[subprocess.Popen[bytes]]


@contextmanager
def running(folder: Path, workers: int, checkout: Path = ROOT) -> Iterator[Running]:
    """Workers whose program is that of a checkout; all of it ends with the block."""
    file = folder / "scheduler.json"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join((str(checkout), *sys.path))}

    def started(command: str, *options: str) -> subprocess.Popen[bytes]:
        how = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
        program = [sys.executable, "-m", f"distributed.cli.dask_{command}", *how, *options]
        return subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=paths, cwd=folder)

    with ExitStack() as ends:

        def ended(process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
            ends.callback(process.wait)
            ends.callback(process.kill)
            return process

        scheduler = ended(started("scheduler", "--port", "0"))
        until = time.monotonic() + 60
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < until
            time.sleep(0.05)
        each = [ended(started("worker", "--nthreads", "1", "--no-nanny")) for _ in range(workers)]
        yield Running(json.loads(file.read_text())["address"], scheduler, each)
