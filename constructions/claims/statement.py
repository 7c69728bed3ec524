"""What all kinds of statements have in common, and what statements are about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Statement:
    """What print says, as data. Each kind says what it needs of its subject; who judges it stands in the table of
    `proofs.claims.judging`."""

    @property
    def transcribed(self) -> bool:
        """Whether it is compared with data that were typed from the same page; all else is derived."""
        return False

    def problems(self, about: Any) -> Iterator[str]:
        """What is wrong with it as a statement about a construction, or in a topic."""
        yield from ()


@dataclass(frozen=True)
class Topic:
    """What claims are about that is no single construction. noun: what that is; kind: of statements that are made of
    it; names: of what statements and corrections may speak."""

    noun: str
    kind: type[Statement]
    names: Collection[str]
