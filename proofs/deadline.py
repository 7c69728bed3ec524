"""Deadlines: work that is stopped in the middle when its time is up.

A timer of the process interrupts the main thread wherever it is, be it deep in SymPy or waiting for a solver. In any
other thread there is no timer: there work is only not begun after its time. A single step inside a library of C is not
interrupted either; the timer rings when it returns.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds for all of a theorem, unless others are given."""
LONGEST = 1e8
"""Seconds, three years, of the farthest deadline: there are no timers for longer ones."""
AGAIN = 1.0
"""Seconds after which the timer rings once more: what it raises may be lost in a finaliser, say."""


class TimeUp(Exception):
    """The time was up; says after how many seconds, and in which stage of the work."""


@dataclass(frozen=True, eq=False)
class _Limit:
    end: float


class _Alarm(BaseException):
    """No error, so that nothing on the way catches it but the limit that has run out."""

    def __init__(self, limit: _Limit) -> None:
        self.limit = limit


_running: list[_Limit] = []
"""The limits in force, outermost first."""


@dataclass(frozen=True)
class Deadline:
    """A moment; seconds: how far off it was when it was set."""

    seconds: float
    end: float

    @staticmethod
    def after(seconds: float) -> Deadline:
        within = min(seconds, LONGEST)
        return Deadline(within, time.monotonic() + within)

    def left(self) -> float:
        """Seconds, none once it has passed."""
        return max(self.end - time.monotonic(), 0.0)

    def share(self, part: float) -> Deadline:
        """An earlier one, for a part of the whole time."""
        return Deadline(self.seconds, self.end - self.seconds * (1 - part))

    def during(self, stage: str, work: Callable[[], T]) -> T:
        """What the work gives; TimeUp where that takes too long. stage: what is going on, as in "the derivation"."""
        late = TimeUp(f"time-out of {self.seconds:g} s in {stage}")
        if self.left() == 0:
            raise late
        if threading.current_thread() is not threading.main_thread():
            return work()
        limit, outer, before = _Limit(self.end), len(_running), None
        try:
            before = signal.signal(signal.SIGALRM, _ring)
            try:
                _running.append(limit)
                _wind()
                return work()
            finally:
                _running.remove(limit)
        except _Alarm as alarm:
            # It may have rung while a limit was taken down, this one or one of the work: none stays in force.
            del _running[outer:]
            if alarm.limit is not limit:  # an outer one
                raise
            _forget()
            raise late from None
        finally:
            _wind()
            if before is not None:
                signal.signal(signal.SIGALRM, before)


def _forget() -> None:
    """SymPy remembers as undecided what it was in the middle of."""
    from sympy.core.cache import clear_cache

    clear_cache()


def _wind() -> None:
    """Sets the timer to the next limit that runs out; off where there is none."""
    if _running:
        left = min(limit.end for limit in _running) - time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6), AGAIN)
    else:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(*_: Any) -> None:
    now = time.monotonic()
    for limit in _running:
        if limit.end <= now:
            raise _Alarm(limit)
