"""`weightproof claims`: what the papers print, judged."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import (
    Json,
    Keep,
    Scheduler,
    Timeout,
    With,
    offered,
    require_counted,
    require_directory,
    workers_of,
)
from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from weightproof.results import Judgements


def claims(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE.py", help="Whose claims; all, if none.", autocompletion=offered),
    ] = None,
    paper: Annotated[
        str | None, typer.Option(metavar="PAPER", help="All that one paper prints, worst first, as chiang2022.")
    ] = None,
    transforms: With = None,
    timeout: Timeout = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="text, md, tex or json.")] = "text",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write a page for each paper there, as Markdown."),
    ] = None,
    keep: Keep = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
) -> None:
    """Judge what the papers print, or a file of yours claims. A false claim is a finding; the exit status is 1 where a
    verdict is unknown, and 2 where that is for want of time."""
    from weightproof.appendix import papers
    from weightproof.document.pages import written
    from weightproof.proofs.claims.judging import READING
    from weightproof.proofs.deadline import clock
    from weightproof.reports.claiming import sections
    from weightproof.results import Judgements
    from weightproof.subjects.registry import to_judge

    if form not in ("text", "md", "tex", "json"):
        raise InputError(f"--format {form}: write text, md, tex or json")
    if as_json and form not in ("text", "json"):
        raise InputError(f"--json and --format {form} are two formats: give one")
    if paper is not None and (names or transforms):
        raise InputError("--paper is all that the paper prints: leave out the names and --with, or --paper")
    if output is not None:
        if names or paper or transforms or as_json or form not in ("text", "md"):
            raise InputError("--output writes pages of Markdown for all papers: leave out what to judge, and how")
        require_directory(output, "--output")
    require_counted(keep, timeout=timeout)
    seconds = READING if timeout is None else timeout
    workers = workers_of(scheduler, names or (), timeout=timeout)
    with clock(timeout):
        wanted = partial(to_judge, tuple(names or ()), paper, tuple(transforms or ()))
        judged = sections(wanted, seconds, workers, here=timeout is not None, file=keep)
    found = Judgements(judged, seconds, paper is not None)
    if judged.interrupted:  # a report of a part would have to judge corrections that were not reached
        return shown.end(found.ending)
    if form == "json" or as_json or (form == "text" and output is None):
        return shown.show(found, as_json or form == "json")
    if output is None:
        print(_written(found, form), end="")
    elif found.complete:  # pages of a part would be no pages of the papers
        written(papers.pages(found.sections), output)
    shown.end(found.ending_beside)


def _written(found: Judgements, form: str) -> str:
    from weightproof.appendix.published import as_markdown, as_tex, fragment
    from weightproof.document.markdown import markdown

    if form == "md":
        return markdown(tuple(found.told())) if found.of_paper else as_markdown(found.sections)
    return fragment(found.told()) if found.of_paper else as_tex(found.sections)
