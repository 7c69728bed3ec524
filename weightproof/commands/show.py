"""`weightproof show`: a construction, with its weights."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, OrMachine, Param, With


def show(
    name: OrMachine,
    transforms: With = None,
    part: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only this part (repeatable): embedding, layer-1, readout.")
    ] = None,
    param: Param = None,
    dense: Annotated[bool, typer.Option("--dense", help="Write rows and columns of zeros, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show a construction, with its weights, a Turing machine, with its table, or what a transformer's components are
    needed for (components)."""
    from weightproof.kinds import Showing
    from weightproof.named import parameters
    from weightproof.subjects.registry import subject_of

    how = Showing(parameters(param or ()), tuple(part or ()), dense)
    shown.show(subject_of(name, transforms or ()).show(how), as_json)
