"""`weightproof derive`: the derivation of the logit, as a document or as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands.options import Everything, Json, With, named, require_directory
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import emit


def derive(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="What to derive.")] = None,
    asked: With = None,
    everything: Everything = False,
    with_steps: Annotated[bool, typer.Option("--steps", help="Every step, in the text.")] = False,
    style: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="latex, md (both with proofs) or text.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write files there.")] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Run pdflatex on it.")] = False,
    as_json: Json = False,
) -> None:
    """Derive the logit for words of every length, as a LaTeX document with proofs, which set the exit status."""
    from weightproof.appendix import deriving
    from weightproof.constructions.library import AS_PRINTED, FAMILIES
    from weightproof.sources import resolve

    known = (*FAMILIES, *AS_PRINTED)
    wanted = named(names, everything, "derive")
    families = [name for name in dict.fromkeys([*wanted, *(known if everything else ())]) if name in known]
    if asked and families and not everything:
        raise InputError(f"{families[0]} is a family of simulators, which takes no transformation; leave out --with")
    if as_json and (style or output or pdf):
        raise InputError("--json goes to standard output; leave out --format, --output and --pdf")
    sources = [resolve(name, asked or ()) for name in wanted if name not in known]
    families = [] if asked else families
    if as_json:
        return emit(deriving.payloads(sources, families))
    chosen = deriving.Format.of(style, output, pdf, with_steps)
    if output is not None:
        require_directory(output, "--output")
    if chosen is deriving.Format.TEXT and output is None:
        return deriving.reports(open_page(), sources, families, with_steps)
    if not deriving.publish(sources, families, chosen, output, pdf, with_steps):
        raise typer.Exit(1)
    return None
