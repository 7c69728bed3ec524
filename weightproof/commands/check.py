"""`weightproof check`: a proof by covering, checked by its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, With
from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from weightproof.named import Named


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

    shown.show(checked(partial(_source, name, tuple(transforms or ())), certificate), as_json)


def _source(name: str, transforms: Sequence[str]) -> Named:
    from weightproof.subjects.registry import subject_of

    subject = subject_of(name, transforms)
    if subject.source is None:
        raise InputError(f"{name} is {subject.kind.noun}, and no construction, of which alone there are certificates")
    return subject.source
