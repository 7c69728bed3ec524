"""`weightproof threshold`: from which value of a parameter, or from which length on, a theorem is true."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, Timeout, With


def threshold(
    name: NameOrFile,
    transforms: With = None,
    of: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A parameter, or n for the number of positions; the only parameter if none."),
    ] = None,
    theorem: Annotated[
        str | None, typer.Option(metavar="THEOREM", help="Of which one; the first on accepted words.")
    ] = None,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Find from which value of a parameter, or from how many positions on, a theorem is true: exactly, or between a
    value at which a word refutes it and one from which on it is proved. The exit status is 1 where it is proved from
    nowhere on."""
    from weightproof.changing.thresholds import sought
    from weightproof.proofs.deadline import clock
    from weightproof.subjects.registry import subject_of

    with clock(timeout):
        found = sought(subject_of(name, transforms or ()).network("threshold"), of, theorem, timeout)
    shown.show(found, as_json)
