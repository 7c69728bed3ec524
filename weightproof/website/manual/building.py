"""The manual, made by MkDocs."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from weightproof.extras import require

CONFIGURATION = Path(__file__).with_name("manual.yml")
CHECKOUT = Path(__file__).resolve().parents[3]
OF_SERVERS = ("404.html", "objects.inv", "sitemap.xml*", "search/search_index.json")
"""What is searched stands in a script, too, which a page from a disk can read."""
OF_THE_THEME = ("*.map", "assets/javascripts/lunr/*")
"""What is of use to whoever mends it, and what searches in other languages."""
LEFT_OUT = (*OF_SERVERS, *OF_THE_THEME)


class Unbuildable(Exception):
    """What MkDocs warns of, as a link that leads nowhere."""


@functools.cache
def manual() -> Mapping[str, bytes]:
    """Its files by name; none where there are no pages to make it of, as where the program was installed from a wheel.

    InputError where MkDocs is not installed; Unbuildable where a page is wrong.
    """
    if not (CHECKOUT / "pyproject.toml").is_file():
        return MappingProxyType({})
    for library in ("mkdocs-material", "mkdocstrings-python"):
        require(library)
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    warned = _Warned()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(warned)
    try:
        with TemporaryDirectory() as folder:
            build(load_config(str(CONFIGURATION), site_dir=folder))
            made = {path.relative_to(folder).as_posix(): path for path in sorted(Path(folder).rglob("*"))}
            kept = {name: path for name, path in made.items() if path.is_file() and not _is_left_out(name)}
            return MappingProxyType({name: path.read_bytes() for name, path in kept.items()})
    except Abort as error:
        raise Unbuildable("; ".join(warned.said)) from error
    finally:
        logger.removeHandler(warned)


def _is_left_out(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in LEFT_OUT)


class _Warned(logging.Handler):
    """Keeps what is warned of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())
