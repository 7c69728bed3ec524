"""What is asked of a subject beside the verb: the options of a command line, which are arguments in Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

WRITTEN = {
    "parameters": "--param",
    "parts": "--part",
    "dtypes": "--dtype",
    "devices": "--device",
    "attentions": "--attention",
    "positions": "--position",
}
"""Fields that a command line calls otherwise; the others it calls as they are called here."""


def option(name: str) -> str:
    """How a command line writes a field of a request."""
    return WRITTEN.get(name, f"--{name.replace('_', '-')}")


@dataclass(frozen=True)
class Request:
    """The fields of each kind of request are its options; one that has its default was not given."""

    @property
    def given(self) -> tuple[str, ...]:
        """The options that were given, as a command line writes them."""
        usual = type(self)()
        names = (each.name for each in fields(self) if getattr(self, each.name) != getattr(usual, each.name))
        return tuple(map(option, names))


@dataclass(frozen=True)
class Showing(Request):
    """parameters: values as they were written; parts: only these; dense: zeros, too."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    dense: bool = False


@dataclass(frozen=True)
class Running(Request):
    """How a word is run. dtypes: in floating point, too, in these, on these devices, by these kinds of attention;
    tolerance: where logit 0 accepts, |logit| up to it does, too; trace: with every vector, of a long word at these
    positions, too; steps: told one by one; max_steps: not more than so many; picture: drawn to this file."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    attentions: tuple[str, ...] = ()
    tolerance: float | None = None
    trace: bool = False
    positions: tuple[int, ...] = ()
    steps: bool = False
    max_steps: int | None = None
    picture: Path | None = None


@dataclass(frozen=True)
class Measuring(Request):
    """Where rounding is searched: in these formats, on these devices, by these kinds of attention, all or the usual
    ones where none is named; max_length: symbols of the longest words."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    attentions: tuple[str, ...] = ()
    max_length: int = 1_000_000
    tolerance: float | None = None
