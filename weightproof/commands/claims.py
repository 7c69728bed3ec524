"""`weightproof claims`: what the papers print, judged."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, Timeout, With
from weightproof.constructions.meaning.inputs import InputError


def claims(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="Whose claims; all, if none.")
    ] = None,
    transforms: With = None,
    timeout: Timeout = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="text, md, tex or json.")] = "text",
    as_json: Json = False,
) -> None:
    """Judge what the papers print, or a file of yours claims. A false claim is a finding; the exit status is 1 where a
    verdict is unknown, and 2 where that is for want of time."""
    from weightproof.appendix.published import as_markdown, as_tex
    from weightproof.proofs.claims.judging import READING
    from weightproof.proofs.deadline import clock
    from weightproof.reports.claiming import sections
    from weightproof.results import Judgements
    from weightproof.subjects.registry import claimed, subjects_of

    if form not in ("text", "md", "tex", "json"):
        raise InputError(f"--format {form}: write text, md, tex or json")
    if as_json and form not in ("text", "json"):
        raise InputError(f"--json and --format {form} are two formats: give one")
    seconds = READING if timeout is None else timeout
    with clock(timeout):
        subjects = subjects_of(names, False, "claims", transforms or ()) if names else claimed(transforms or ())
        found = Judgements(tuple(sections([subject.claims() for subject in subjects], seconds)), seconds)
    if form in ("md", "tex"):
        print({"md": as_markdown, "tex": as_tex}[form](found.sections), end="")
        shown.end(found)
    else:
        shown.show(found, as_json or form == "json")
