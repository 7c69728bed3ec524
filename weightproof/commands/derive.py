"""`weightproof derive`: the derivation of the logit, as a document or as text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import (
    Everything,
    Json,
    Keep,
    Scheduler,
    With,
    offered,
    require_directory,
    workers_of,
)
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import show
from weightproof.terminal.streams import emit, is_terminal

if TYPE_CHECKING:
    from weightproof.reports.explanation import Derivable


def derive(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to derive.", autocompletion=offered),
    ] = None,
    transforms: With = None,
    everything: Everything = False,
    with_steps: Annotated[bool, typer.Option("--steps", help="Every step, in the text.")] = False,
    style: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="latex, md (both with proofs) or text.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write files there.")] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Run pdflatex on it.")] = False,
    keep: Keep = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
) -> None:
    """Derive the logit for words of every length, or of a decoder what it appends to them, or of a Turing machine what
    its network makes of every configuration: as text on a terminal, else as a LaTeX document with proofs, which set the
    exit status."""
    from weightproof.appendix import deriving

    again = partial(_derivable, tuple(names or ()), tuple(transforms or ()), everything)
    wanted = again()
    workers = workers_of(scheduler, names or ())
    if as_json and (style or output or pdf):
        raise InputError("--json goes to standard output; leave out --format, --output and --pdf")
    if as_json:
        data, ending = deriving.payload(again, workers, keep)
        if data is not None:
            emit(data)
        return shown.end(ending)
    chosen = deriving.Format.of(style, output, pdf, with_steps, is_terminal(sys.stdout))
    for option, given in {"--scheduler": scheduler, f"--keep {keep}": keep}.items():
        if given is not None and chosen is deriving.Format.TEXT:
            raise InputError(f"{option} goes with documents and --json; give --format latex or md, without --steps")
    if output is not None:
        require_directory(output, "--output")
    if chosen is deriving.Format.TEXT and output is None:
        return show(deriving.reports(wanted, with_steps))
    return shown.end(deriving.publish(again, chosen, output, pdf, with_steps, workers, keep))


def _derivable(names: Sequence[str], transforms: Sequence[str], everything: bool) -> list[Derivable]:
    from weightproof.subjects.registry import subjects_of

    return [each.derivation() for each in subjects_of(names, everything, "derive", transforms)]
