"""Counted work: the clock by which a derivation, a proof or a search is given up.

It moves with what is done, and never by itself: the same work counts the same on every machine, busy or not, so that no
verdict depends on how fast an answer came. What costs most counts itself where it is done: exact arithmetic, runs of
the interpreter, elimination, normal forms, and the solvers, which count their own steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable

STEPS_A_SECOND = 1_000_000
"""So many steps are told as a second: about what a usual machine does in one."""


class Stopped(BaseException):
    """Work is to end where it is. No error, so that nothing on the way catches it but who set the limit."""


_done = 0
_end = math.inf
_ring: Callable[[], None] | None = None


def seconds() -> float:
    """What the clock shows: the steps since the program was started, told in seconds."""
    return _done / STEPS_A_SECOND


def spend(steps: int) -> None:
    """Count steps that are being done. Where that passes the moment that is watched, the watcher is called."""
    global _done
    _done += steps
    if _done >= _end and _ring is not None:
        _ring()


def watch(end: float, ring: Callable[[], None]) -> None:
    """Call `ring` at every count from the moment `end` on, in seconds as `seconds` tells them; infinity is never."""
    global _end, _ring
    _end, _ring = end * STEPS_A_SECOND, ring
