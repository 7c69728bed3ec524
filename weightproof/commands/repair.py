"""`weightproof repair`: the smallest change that makes a refuted construction a proved one."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Json, NameOrFile, Timeout, With
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import INTERRUPTED, complain, emit


def repair(
    name: NameOrFile,
    asked: With = None,
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
    from weightproof.proofs.deadline import clock
    from weightproof.repairing.report import payload, report
    from weightproof.repairing.session import Session
    from weightproof.subjects.registry import subject_of

    with clock(timeout):
        session = Session.of(subject_of(name, asked or ()).network("repair"), theorem, kind or (), most, timeout)
        session.run()
    if as_json:
        emit(payload(session))
    else:
        report(open_page(), session)
    if (complaint := session.complaint()) is not None:
        complain(complaint)
    raise typer.Exit(INTERRUPTED if session.interrupted else 0 if session.is_repaired else 1)
