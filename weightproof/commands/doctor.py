"""`weightproof doctor`: what is installed."""

from __future__ import annotations

from weightproof.commands import shown
from weightproof.commands.options import Json


def doctor(as_json: Json = False) -> None:
    """Tell which libraries and programs are here, what each adds, and how to get the others. Exit status 1 where one is
    not here that everything needs."""
    from weightproof.reports.installed import installed

    shown.show(installed(), as_json)
