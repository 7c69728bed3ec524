"""`weightproof compile`: a construction from a C-RASP program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json


def compile_(
    given: Annotated[Path, typer.Argument(metavar="FILE.cr", help="A C-RASP program.")],
    to: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.py", help="Where to write it; else to standard output."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the construction that a C-RASP program is compiled to, as Python, with every weight. All other commands
    take the program itself, too: prove FILE.cr shows that the weights do what it says."""
    from weightproof.imports.programs import compiled

    found = compiled(given, to)
    if to is None and not as_json:
        sys.stdout.write(found.text)
        return
    shown.show(found, as_json)
