"""The manual, made by MkDocs."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from weightproof.extras import require

CONFIGURATION = Path(__file__).with_name("manual.yml")
CHECKOUT = Path(__file__).resolve().parents[3]
LEFT_OUT = ("404.html", "objects.inv", "sitemap.xml", "sitemap.xml.gz", "search/search_index.json")
"""What is of use to a server alone; what is searched stands in a script, too, which a page from a disk can read."""


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
            kept = {name: path for name, path in made.items() if path.is_file() and name not in LEFT_OUT}
            return MappingProxyType({name: path.read_bytes() for name, path in kept.items()})
    except Abort as error:
        raise Unbuildable("; ".join(warned.said)) from error
    finally:
        logger.removeHandler(warned)


class _Warned(logging.Handler):
    """Keeps what is warned of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())
