"""Pages of Markdown that lie in one folder, with the one that leads to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from weightproof.constructions.files import write

INDEX = "README"
"""The page that a code host shows of a folder."""


def written(pages: Mapping[str, str], folder: Path) -> None:
    """The pages, by their names, as files of a folder that is there."""
    for name, text in pages.items():
        write(folder / f"{name}.md", text)
