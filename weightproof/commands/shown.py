"""How every command shows what its verb returned."""

from __future__ import annotations

import typer

from weightproof.reported import Ending, Reported
from weightproof.terminal import page
from weightproof.terminal.streams import complain, emit


def show(found: Reported, as_json: bool) -> None:
    """The report, or the JSON; then the line about what did not run to its end, and the exit status."""
    if as_json:
        emit(found.data)
    else:
        page.show(found.report())
    end(found.ending)


def end(ending: Ending) -> None:
    """What is behind the report."""
    if ending.complaint is not None:
        complain(ending.complaint)
    if ending.status:
        raise typer.Exit(ending.status)
