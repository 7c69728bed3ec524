"""Deadlines: work that is given up when it has taken too much, and a user's own limit of time.

A `Deadline` is a moment on the clock of counted work, so what is given up is the same on every machine. Beside it there
is one limit by the wall clock, and only where a user sets it: a timer of the process interrupts the main thread
wherever it is, be it deep in SymPy or waiting for a solver. In any other thread there is no timer: there work is only
not begun after its time. A single step inside a library of C is not interrupted either; the timer rings when it
returns.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars import work as counted

T = TypeVar("T")

TIMEOUT = 30.0
"""Seconds of counted work for all of a theorem, unless others are given."""
PATIENT = 180
"""The same for what is written down for good: the pages of what is proved, and proofs for the kernel."""
MOST_SECONDS = 1e7
"""Seconds, some months: the longest limit that a user may set."""
AGAIN = 1.0
"""Seconds after which the timer rings once more: what it raises may be lost in a finaliser, say."""


class TimeUp(Exception):
    """The work was given up, or the user's time was up; says after how many seconds, and in which stage of the work."""


@dataclass(frozen=True, eq=False)
class _Limit:
    """In seconds of counted work."""

    end: float


@dataclass(eq=False)
class _Clock:
    """A user's limit, as `time.monotonic` tells it. told: whether it has ended something; the timer is off then."""

    seconds: float
    end: float
    told: bool = False


class _Alarm(counted.Stopped):
    def __init__(self, limit: _Limit | _Clock) -> None:
        self.limit = limit


_running: list[_Limit] = []
"""The limits of counted work in force, outermost first."""
_clock: _Clock | None = None
"""The user's limit in force."""


@dataclass(frozen=True)
class Deadline:
    """A moment of counted work; seconds: how far off it was when it was set."""

    seconds: float
    end: float

    @staticmethod
    def after(seconds: float) -> Deadline:
        return Deadline(seconds, counted.seconds() + seconds)

    def remaining(self) -> float:
        """Seconds, none once it has passed."""
        return max(self.end - counted.seconds(), 0.0)

    def share(self, part: float) -> Deadline:
        """An earlier one, for a part of the whole."""
        return Deadline(self.seconds, self.end - self.seconds * (1 - part))

    def during(self, stage: str, work: Callable[[], T]) -> T:
        """What the work gives; TimeUp where that takes too much, or where the user's time is up, which the outermost
        of several deadlines tells. stage: what is going on, as in "the derivation"."""
        if _clock is not None and _clock.end <= time.monotonic() and not _running:
            raise _late(_clock, stage)
        if self.remaining() == 0:
            raise self.given_up(stage)
        limit, outer = _Limit(self.end), len(_running)
        try:
            _running.append(limit)
            _watch()
            return work()
        except _Alarm as alarm:
            if alarm.limit is limit:
                raise self.given_up(stage) from None
            if isinstance(alarm.limit, _Clock) and outer == 0:
                raise _late(alarm.limit, stage) from None
            raise
        finally:
            # An alarm may have rung while a limit was put up or taken down: none of the work stays in force.
            del _running[outer:]
            _watch()

    def given_up(self, stage: str) -> TimeUp:
        """What says that a stage of the work takes more than there is."""
        return TimeUp(f"given up after {self.seconds:g} s of counted work, in {stage}")


def _late(clock: _Clock, stage: str) -> TimeUp:
    clock.told = True
    if threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, 0)
    _forget()
    return TimeUp(f"time-out of {clock.seconds:g} s in {stage}")


def _watch() -> None:
    counted.watch(min((limit.end for limit in _running), default=float("inf")), _ring)


def _ring() -> None:
    for limit in _running:
        if limit.end <= counted.seconds():
            raise _Alarm(limit)


@contextlib.contextmanager
def clock(seconds: float | None) -> Iterator[None]:
    """The user's limit on everything inside, in seconds of the wall clock; None is no limit.

    What runs under a `Deadline` then is told there that it is late, and what else there is to do is not begun; TimeUp
    where the time is up anywhere else. InputError where it is no limit.
    """
    global _clock
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"--timeout {seconds:g} is no time limit: give a number of seconds from 0 to {MOST_SECONDS:g}")
    if seconds is None or _clock is not None:
        yield
        return
    mine = _clock = _Clock(seconds, time.monotonic() + seconds)
    try:
        with _timer(seconds):
            yield
    except _Alarm as alarm:
        if alarm.limit is not mine:
            raise
        raise _late(mine, "the whole call") from None
    finally:
        _clock = None


@contextlib.contextmanager
def _timer(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _rung)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _rung(*_: Any) -> None:
    if _clock is not None and not _clock.told:
        raise _Alarm(_clock)


def _forget() -> None:
    """SymPy remembers as undecided what it was in the middle of."""
    from sympy.core.cache import clear_cache

    clear_cache()
