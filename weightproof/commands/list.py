"""`weightproof list`: the built-in constructions, Turing machines and families of transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weightproof.commands.options import Json
from weightproof.document.blocks import Paragraph, Plain, Styled, Table, Text
from weightproof.kinds import KINDS
from weightproof.terminal.page import show
from weightproof.terminal.streams import emit

if TYPE_CHECKING:
    from weightproof.subjects.subject import Listing


def list_(
    commands: Annotated[bool, typer.Option("--commands", help="List which commands take which kind of thing.")] = False,
    as_json: Json = False,
) -> None:
    """List the built-in constructions, Turing machines and families of transformers."""
    if commands and not as_json:
        return show([_commands()])
    from weightproof.constructions.library import apart, entries, load, names, predictors, recipes, trained
    from weightproof.reports.sheet import overview
    from weightproof.subjects.registry import listings

    rows = [overview(load(name)) for name in (*names(), *predictors())]
    others = list(listings())
    if as_json:
        kinds = [
            {"kind": kind.plural, "takes": {verb: sorted(kind.takes[verb]) for verb in kind.takes}} for kind in KINDS
        ]
        found = {
            "constructions": rows,
            "apart": [overview(load(name)) for name in apart()],
            "entries": [{"name": name} for name in entries()],
            "recipes": [{"name": name} for name in recipes()],
            "trained": [{"name": name} for name in trained()],
        }
        return emit(found | {each.name: each.rows for each in others} | {"kinds": kinds})
    return show(_report(rows, others))


def _report(rows: Sequence[Mapping[str, Any]], others: Sequence[Listing]) -> Iterator[Plain]:
    from weightproof.constructions.library import apart, entries, names, recipes, trained

    for some in (rows[: len(names())], rows[len(names()) :]):  # those that accept, and those that predict a token
        yield _constructions(some)
        yield Paragraph("")
    for each in others:
        if each.table is not None:
            yield each.table
            yield Paragraph("")
    for each in others:
        if each.line:
            yield Paragraph(each.line)
    yield Paragraph(f"encoders that are not derived, or of one length: {', '.join(apart())}")
    yield Paragraph(f"entries of a contest, decoders that add: {', '.join(entries())}")
    yield Paragraph(f"recipes, parts of networks, each tried on words: {', '.join(recipes())}")
    yield Paragraph(f"networks that training found: {', '.join(trained())}")


def _commands() -> Table:
    """A column for each command would be too wide for a terminal of 80 columns."""
    return Table(("what is named", "what takes it"), [(kind.plural, ", ".join(kind.takes)) for kind in KINDS])


def _constructions(rows: Sequence[Mapping[str, Any]]) -> Table:
    columns = ("name", "language", "source", "layers", "heads", "width")
    cells: list[list[Text]] = [
        [
            Styled(row["name"]),
            *(str(row[column]) for column in columns[1:]),
            ", ".join(parameter["domain"] for parameter in row["parameters"]) or "-",
        ]
        for row in rows
    ]
    return Table((*columns, "parameters"), cells, right=frozenset({"layers", "heads", "width"}))
