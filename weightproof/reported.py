"""How what a verb returns shows itself: on a page, in JSON, in a notebook, and as the end of a command."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from weightproof.constructions.meaning.construction import Construction
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


class Shown(Reported):
    """What was named, written out."""

    @property
    def construction(self) -> Construction | None:
        """The construction that it is, if it is one."""
        return None


@dataclass(frozen=True, repr=False)
class Ran(Reported):
    """One word, run. must_agree: else something is wrong with the program or with what it was given."""

    word: str
    must_agree: ClassVar[bool] = True

    @property
    @abstractmethod
    def agrees(self) -> bool | None:
        """Whether what ran did what it is to do; None where nothing says what that is, or where no exact run was
        made."""

    @property
    def ending(self) -> Ending:
        return Ending(int(self.must_agree and not self.agrees))
