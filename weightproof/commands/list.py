"""`weightproof list`: the built-in constructions."""

from __future__ import annotations

from weightproof.commands.options import Json
from weightproof.terminal.page import Cell, Table, open_page
from weightproof.terminal.streams import emit


def list_(as_json: Json = False) -> None:
    """List the built-in constructions."""
    from weightproof.constructions.library import load, names
    from weightproof.reports.payload import overview

    rows = [overview(load(name)) for name in names()]
    if as_json:
        return emit({"constructions": rows})
    columns = ("name", "language", "source", "layers", "heads", "width")
    cells: list[list[str | Cell]] = [
        [
            Cell(row["name"], "bold"),
            *(str(row[column]) for column in columns[1:]),
            ", ".join(parameter["domain"] for parameter in row["parameters"]) or "-",
        ]
        for row in rows
    ]
    return open_page().table(Table((*columns, "parameters"), cells, right=frozenset({"layers", "heads", "width"})))
