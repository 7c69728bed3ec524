"""`weightproof prove`: theorems and their verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Everything, Json, Timeout, With, require_directory


def prove(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to prove.")] = None,
    transforms: With = None,
    everything: Everything = False,
    timeout: Timeout = None,
    smt: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every obligation there as SMT-LIB 2.")] = None,
    as_json: Json = False,
) -> None:
    """Prove or refute the theorems of constructions and Turing machines. The exit status is 0 only if every verdict is
    the expected one."""
    from weightproof.reports.proving import Stated, proved
    from weightproof.subjects.registry import subjects_of

    def wanted() -> list[Stated]:
        named = [each.statements() for each in subjects_of(names or (), everything, "prove", transforms or ())]
        if smt is not None:
            require_directory(smt, "--smt")
        return named

    shown.show(proved(wanted, timeout, smt), as_json)
