"""What the user named: a built-in construction or a file, and parameter values."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weightproof.constructions.library import (
    load,
    load_claims,
    load_file,
    load_program,
    of_papers,
)
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.transforms.by_name import transformed

if TYPE_CHECKING:
    from weightproof.constructions.claims.published import Claims, Published


@dataclass(frozen=True)
class Named:
    """A construction as the user named it. theorems and claims are None where the user has given none.

    is_own: it is the user's, or transformed, not a built-in one as it stands. is_named: a command line can name it; one
    that was put together in Python has no name there. named: the name or the file; transforms: the transformations;
    original: what they were applied to, where there are any.
    """

    named: str
    construction: Construction
    is_own: bool
    theorems: tuple[Any, ...] | None = None
    claims: Claims | None = None
    is_named: bool = True
    transforms: tuple[str, ...] = ()
    original: Construction | None = None

    @property
    def is_printed(self) -> bool:
        """Whether its claims are about it as it stands, and not about the original that it was transformed from."""
        return not self.transforms or printed(self.named, self.transforms) is not None

    @property
    def argument(self) -> str:
        """What a command line says."""
        return "".join((self.named, *(f" --with {shlex.quote(item)}" for item in self.transforms)))


def parted(argument: str) -> tuple[str, tuple[str, ...]]:
    """The name or the file, and the transformations, of what `Named.argument` says; InputError where quotes do not
    match."""
    named, *transforms = argument.split(" --with ")
    try:
        return named, tuple("".join(shlex.split(each)) for each in transforms)
    except ValueError as error:
        raise InputError(f"{argument}: its transformations cannot be read: {error}") from error


def source_of(given: str | Path | Construction, theorems: Sequence[Any] | None = None) -> Named:
    """What is named, or the construction itself; theorems: those to prove in place of its own.

    A construction that is a built-in one has its theorems and claims. InputError as in `resolve`.
    """
    match given:
        case Construction() if given.name in of_papers() and load(given.name) == given:
            source = resolve(given.name)
        case Construction():
            source = Named(given.name, given, is_own=True, is_named=False)
        case _:
            source = resolve(str(given))
    return source if theorems is None else replace(source, theorems=tuple(theorems))


def resolve(argument: str, transforms: Sequence[str] = ()) -> Named:
    """NAME, FILE.py, or a program, FILE.cr, after the transformations asked for; InputError says in one line what is
    wrong with it."""
    if argument.endswith((".py", ".cr")) or os.sep in argument:
        file = (load_program if argument.endswith(".cr") else load_file)(Path(argument))
        source = Named(argument, file.construction, True, file.theorems, file.claims)
    else:
        source = Named(argument, load(argument), is_own=False)
    return _transformed(source, tuple(transforms)) if transforms else source


def _transformed(source: Named, transforms: tuple[str, ...]) -> Named:
    """Where nothing is printed of the transformed construction, what is claimed of the original is claimed of it, too,
    as far as it can be read of it."""
    construction = transformed(source.construction, transforms)
    about = printed(source.named, transforms)
    if about is None and (known := claims_about(source)) is not None:
        from weightproof.constructions.claims.published import Claims

        readable = tuple(claim for claim in known.claims if _is_readable(claim, construction))
        about = Claims(construction.name, *readable) if readable else None
    return Named(
        source.named, construction, True, source.theorems, about, transforms=transforms, original=source.construction
    )


def printed(named: str, transforms: tuple[str, ...] = ()) -> Claims | None:
    """What is printed about a built-in construction, after the transformations asked for; None where nothing is, as of
    a user's file."""
    return load_claims(named, transforms) if named in of_papers() else None


def _is_readable(claim: Published, construction: Construction) -> bool:
    from weightproof.constructions.claims.problems import check_claims
    from weightproof.constructions.claims.published import Claims

    try:
        check_claims(Claims(construction.name, claim), construction)
    except ConstructionError:
        return False
    return True


def claims_about(source: Named) -> Claims | None:
    """What is printed about a built-in construction, or claimed in a user's file; None where nothing is."""
    return source.claims if source.is_own else printed(source.named)


def parameters(given: Sequence[str]) -> dict[str, str]:
    """The values of `--param NAME=VALUE`, each name once."""
    values: dict[str, str] = {}
    for item in given:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not (name and equals and value):
            raise InputError(f"cannot read --param {shlex.quote(item)}: write NAME=VALUE, for instance c=1/2")
        if name in values:
            raise InputError(f"--param {name} is given twice; give it one value")
        values[name] = value
    return values
