"""How what a verb returns shows itself: on a page, in JSON, in a notebook, and as the end of a command."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from weightproof.document.blocks import Plain
from weightproof.terminal.page import plain


@dataclass(frozen=True)
class Ending:
    """How a command ends: its exit status, and one line about what did not run to its end, if anything."""

    status: int = 0
    complaint: str | None = None


class Reported(ABC):
    """A value whose text is its report, as the command line writes it; in a notebook the same as Markdown."""

    @abstractmethod
    def report(self) -> Iterable[Plain]:
        """What the command prints."""

    @property
    @abstractmethod
    def data(self) -> dict[str, Any]:
        """What the command prints with --json."""

    @property
    def ending(self) -> Ending:
        return Ending()

    def __repr__(self) -> str:
        return plain(self.report())

    def _repr_markdown_(self) -> str:
        from weightproof.document.markdown import markdown

        return markdown(tuple(self.report()))
