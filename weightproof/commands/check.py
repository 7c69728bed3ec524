"""`weightproof check`: a proof by covering, checked by its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, With


def check(
    name: NameOrFile,
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="A file that prove --covering has written.")
    ],
    transforms: With = None,
    as_json: Json = False,
) -> None:
    """Check a proof by covering: that its sets are all words of the theorem, and each is as it should be, by a second
    reading of the network. The exit status is 1 where the certificate shows less."""
    from weightproof.reports.certificates import checked

    shown.show(checked(name, transforms or (), certificate), as_json)
