"""`weightproof list`: the built-in constructions, Turing machines and families of transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weightproof.commands.options import Json
from weightproof.terminal.page import Cell, Table, open_page
from weightproof.terminal.streams import emit


def list_(as_json: Json = False) -> None:
    """List the built-in constructions, Turing machines and families of transformers."""
    from weightproof.constructions.library import AS_PRINTED, FAMILIES, FORMULAS, load, names, predictors
    from weightproof.constructions.machines.files import SHIPPED, find_machine
    from weightproof.kinds import kinds
    from weightproof.machines import report as machines
    from weightproof.reports.payload import overview

    rows = [overview(load(name)) for name in (*names(), *predictors())]
    found = [machines.overview(machine) for name in SHIPPED if (machine := find_machine(name)) is not None]
    families = (*FAMILIES, *AS_PRINTED)
    if as_json:
        listed = {"families": families, "formulas": tuple(FORMULAS)}
        named = {kind: [{"name": name} for name in those] for kind, those in listed.items()}
        others = {kind.HEADING: kind.listed() for kind in kinds()}
        return emit({"constructions": rows, "machines": found, **named, **others})
    page = open_page()
    for some in (rows[: len(names())], rows[len(names()) :]):  # those that accept, and those that predict a token
        page.table(_constructions(some))
        page.line("")
    tables: list[list[str | Cell]] = [
        [
            Cell(row["name"], "bold"),
            row["title"],
            str(len(row["states"])),
            " ".join(map(repr, row["symbols"])),
            str(row["units"]),
        ]
        for row in found
    ]
    header = ("Turing machine", "what it does", "states", "symbols", "units")
    page.table(Table(header, tables, right=frozenset({"states", "units"})))
    page.line("")
    for kind in kinds():
        page.table(kind.overview())
        page.line("")
    page.line(f"transformers for every recurrent network: {', '.join(families)}")
    return page.line(f"printed formulas, for claims alone: {', '.join(FORMULAS)}")


def _constructions(rows: Sequence[Mapping[str, Any]]) -> Table:
    columns = ("name", "language", "source", "layers", "heads", "width")
    cells: list[list[str | Cell]] = [
        [
            Cell(row["name"], "bold"),
            *(str(row[column]) for column in columns[1:]),
            ", ".join(parameter["domain"] for parameter in row["parameters"]) or "-",
        ]
        for row in rows
    ]
    return Table((*columns, "parameters"), cells, right=frozenset({"layers", "heads", "width"}))
