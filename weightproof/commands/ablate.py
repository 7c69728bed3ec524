"""`weightproof ablate`: what is left of a construction without each of its components."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, Timeout, With


def ablate(
    name: NameOrFile,
    transforms: With = None,
    part: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only head, unit or weight (repeatable).")
    ] = None,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Take out each head and hidden unit, to 0 and to the mean over the positions of the word, and each weight, to 0:
    what language is left, and how the logit changes. The exit status is 1 where that is unknown of one."""
    from weightproof.changing.ablating import ablated
    from weightproof.proofs.deadline import clock
    from weightproof.subjects.registry import subject_of

    with clock(timeout):
        found = ablated(subject_of(name, transforms or ()).network("ablate"), part or (), timeout)
    shown.show(found, as_json)
