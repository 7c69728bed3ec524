"""`weightproof claims`: what the papers print, judged."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Json, Timeout, With
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import BAD_INPUT, complain, emit


def claims(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="Whose claims; all, if none.")
    ] = None,
    asked: With = None,
    timeout: Timeout = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="text, md, tex or json.")] = "text",
    as_json: Json = False,
) -> None:
    """Judge what the papers print, or a file of yours claims. A false claim is a finding; the exit status is 1 where a
    verdict is unknown, and 2 where that is for want of time."""
    from weightproof.appendix.claimsheet import as_markdown, as_tex
    from weightproof.proofs.claims.judging import READING
    from weightproof.proofs.deadline import clock
    from weightproof.reports.claimdata import payload
    from weightproof.reports.claiming import late, sections, settled
    from weightproof.reports.claimtext import report
    from weightproof.subjects.registry import claimed, subjects_of

    if form not in ("text", "md", "tex", "json"):
        raise InputError(f"--format {form}: write text, md, tex or json")
    if as_json and form not in ("text", "json"):
        raise InputError(f"--json and --format {form} are two formats: give one")
    seconds = READING if timeout is None else timeout
    with clock(timeout):
        subjects = subjects_of(names, False, "judge", asked or ()) if names else claimed(asked or ())
        found = sections([subject.claims() for subject in subjects], seconds)
    if as_json or form == "json":
        emit(payload(found))
    elif form == "text":
        report(open_page(), found)
    else:
        print({"md": as_markdown, "tex": as_tex}[form](found), end="")
    if (complaint := late(found, seconds)) is not None:  # the limit that was given is the input to mend
        complain(complaint)
        raise typer.Exit(BAD_INPUT)
    raise typer.Exit(0 if settled(found) else 1)
