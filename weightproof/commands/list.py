"""`weightproof list`: the built-in constructions, Turing machines and families of transformers."""

from __future__ import annotations

from weightproof.commands.options import Json
from weightproof.terminal.page import Cell, Table, open_page
from weightproof.terminal.streams import emit


def list_(as_json: Json = False) -> None:
    """List the built-in constructions, Turing machines and families of transformers."""
    from weightproof.constructions.library import AS_PRINTED, FAMILIES, load, names, predictors
    from weightproof.constructions.machines.files import SHIPPED, find_machine
    from weightproof.machines import report as machines
    from weightproof.reports.payload import overview

    rows = [overview(load(name)) for name in (*names(), *predictors())]
    found = [machines.overview(machine) for name in SHIPPED if (machine := find_machine(name)) is not None]
    families = (*FAMILIES, *AS_PRINTED)
    if as_json:
        return emit({"constructions": rows, "machines": found, "families": [{"name": name} for name in families]})
    columns = ("name", "language", "source", "layers", "heads", "width")
    page = open_page()
    for kind in (names(), predictors()):  # what reads out a logit, and what takes the argmax over tokens
        cells: list[list[str | Cell]] = [
            [
                Cell(row["name"], "bold"),
                *(str(row[column]) for column in columns[1:]),
                ", ".join(parameter["domain"] for parameter in row["parameters"]) or "-",
            ]
            for row in rows
            if row["name"] in kind
        ]
        page.table(Table((*columns, "parameters"), cells, right=frozenset({"layers", "heads", "width"})))
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
    named = ("Turing machine", "what it does", "states", "symbols", "units")
    page.table(Table(named, tables, right=frozenset({"states", "units"})))
    page.line("")
    return page.line(f"transformers for every recurrent network: {', '.join(families)}")
