"""How values of the Python interface show themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod

from weightproof.terminal.page import Page, plain


class Reported(ABC):
    """A value whose text is its report, as the command line writes it; in a notebook the same as Markdown."""

    @abstractmethod
    def report(self, page: Page) -> None:
        """Writes what the command prints."""

    def __repr__(self) -> str:
        return plain(self.report)

    def _repr_markdown_(self) -> str:
        from weightproof.document.page import as_markdown

        return as_markdown(self.report)
