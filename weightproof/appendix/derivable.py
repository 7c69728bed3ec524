"""What `derive` writes, of whatever was named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Block, Plain
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS
from weightproof.sources import Source

T = TypeVar("T")


@dataclass(frozen=True)
class Derivable:
    """What was named, as the user named it, and what documents call it; what is derived of it: as JSON, as a section
    with whether all verdicts in it are the expected ones, and as text, with its steps or without.

    source: the construction that it is, if it is one; documents tell those in several processes.
    """

    argument: str
    name: str
    payload: Callable[[], dict[str, Any]]
    section: Callable[[], tuple[tuple[Block, ...], bool]]
    report: Callable[[bool], Iterable[Plain]]
    source: Source | None = None

    def in_time(self) -> Derivable:
        """The same, where nothing else gives up what takes too long: InputError then."""
        return Derivable(
            self.argument,
            self.name,
            lambda: in_time(self.name, self.payload),
            self.section,
            lambda with_steps: in_time(self.name, lambda: tuple(self.report(with_steps))),
            self.source,
        )


def in_time(name: str, write: Callable[[], T]) -> T:
    """What is written of what was named, or InputError where that takes too long."""
    try:
        return Deadline.after(DERIVATION_SECONDS).during("writing it down", write)
    except TimeUp as late:
        raise InputError(f"{name}: {late}") from late
