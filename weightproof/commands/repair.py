"""`weightproof repair`: the smallest change that makes a refuted construction a proved one."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, Timeout, With


def repair(
    name: NameOrFile,
    transforms: With = None,
    theorem: Annotated[
        str | None, typer.Option(metavar="THEOREM", help="Which one is to be proved; the first on accepted words.")
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Only sign, value, rule, removed, moved, added or two (repeatable)."),
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", help="Go on until N repairs are found.")] = 1,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Search the smallest change of weights, or of a rule, after which a refuted construction is proved, and say which
    lines to edit. The exit status is 1 where none is found."""
    from weightproof.changing.repairing import repaired
    from weightproof.proofs.deadline import clock
    from weightproof.subjects.registry import subject_of

    with clock(timeout):
        found = repaired(subject_of(name, transforms or ()).network("repair"), theorem, kind or (), most, timeout)
    shown.show(found, as_json)
