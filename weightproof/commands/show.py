"""`weightproof show`: a construction, with its weights."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Json, NameOrFile, With
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import emit


def show(
    name: NameOrFile,
    asked: With = None,
    part: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only this part (repeatable): embedding, layer-1, readout.")
    ] = None,
    dense: Annotated[bool, typer.Option("--dense", help="Write rows and columns of zeros, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show a construction, with its weights."""
    from weightproof.reports.payload import full
    from weightproof.reports.sheet import Sheet
    from weightproof.sources import resolve

    source = resolve(name, asked or ())
    if as_json:
        return emit(full(source))
    return Sheet(open_page(), source, dense).write(part or ())
