"""`weightproof prove`: theorems and their verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands.options import Everything, Json, Timeout, With, named, require_directory
from weightproof.constructions.meaning.inputs import InputError
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
    from weightproof.constructions.library import predictors
    from weightproof.machines import proving as machines
    from weightproof.proofs.deadline import TimeUp, clock
    from weightproof.proofs.stated import of_transformed
    from weightproof.reports.proving import Session, payload, report
    from weightproof.sources import resolve

    session = Session.of(timeout)
    try:
        with clock(timeout):
            wanted = named(names, everything, "prove")
            if everything and not asked:
                wanted += [name for name in (*predictors(), *machines.everything()) if name not in wanted]
            simulators = [each for name in wanted if (each := machines.simulated(name)) is not None]
            if simulators and asked:
                raise InputError(f"{simulators[0].argument}: transformations are for constructions; leave out --with")
            simulated = {each.argument for each in simulators}
            sources = [resolve(name, asked or ()) for name in wanted if name not in simulated]
            if everything and not asked:
                sources += [resolve(each.named, each.asked) for each in of_transformed()]
            if smt is not None:
                require_directory(smt, "--smt")
            session.prove(sources, smt, simulators)
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
