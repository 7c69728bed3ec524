"""The three ways out: an object on standard output, a line on standard error, an exit status."""

from __future__ import annotations

import json
import os
import sys
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
