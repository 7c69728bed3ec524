"""`weightproof prove`: theorems and their verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands.options import Everything, Json, Timeout, With, require_directory
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, complain, emit


def prove(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to prove.")] = None,
    asked: With = None,
    everything: Everything = False,
    timeout: Timeout = None,
    smt: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every obligation there as SMT-LIB 2.")] = None,
    as_json: Json = False,
) -> None:
    """Prove or refute the theorems of constructions and Turing machines. The exit status is 0 only if every verdict is
    the expected one."""
    from weightproof.proofs.deadline import TimeUp, clock
    from weightproof.reports.proving import Session, payload, report
    from weightproof.subjects.registry import subjects_of

    session = Session.of(timeout)
    try:
        with clock(timeout):
            wanted = [each.statements() for each in subjects_of(names or (), everything, "prove", asked or ())]
            if smt is not None:
                require_directory(smt, "--smt")
            session.prove(wanted, smt)
    except TimeUp as late:
        session.late = late
    if as_json:
        emit(payload(session.outcomes, complete=session.complete))
    else:
        report(open_page(), session.outcomes)
    if (complaint := session.complaint()) is not None:
        complain(complaint)
    if session.interrupted:
        raise typer.Exit(INTERRUPTED)
    if complaint is not None:  # a time-out: the limit that was given is the input to mend
        raise typer.Exit(BAD_INPUT)
    raise typer.Exit(0 if session.as_expected() else 1)
