"""`weightproof site`: all that is known, as pages to read in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, require_directory


def site(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Write the pages there.")],
    rows: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Rows that precision has kept, for the pages (repeatable)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a page for everything built in, for each paper, and one that leads to them: static, to be opened from a
    disk or served. Everything is derived, proved and judged anew; the exit status is 1 where a verdict on a theorem is
    not the expected one."""
    from weightproof.website.building import built, require_own

    require_own(output)
    require_directory(output, "--output")
    shown.show(built(output, rows or ()), as_json)
