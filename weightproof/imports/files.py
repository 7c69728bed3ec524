"""From a file of tensors to a Python file that defines the construction, with its language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.languages import languages
from weightproof.constructions.library import load_language
from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.imports.importing import Imported, from_torch
from weightproof.imports.writing import python


def convert(given: Path, to: Path, language: str, options: Mapping[str, Any]) -> Imported:
    """Read tensors, and write a Python file that is not there yet; InputError in one line where that cannot be done.

    language: the name of one of ours, or a Python file that defines `language`, whose text the file begins with.
    options: as `from_torch` takes them.
    """
    if to.suffix != ".py":
        raise InputError(f"--as {to}: the construction is written as Python; name a FILE.py")
    if to.exists():
        raise InputError(f"--as {to}: the file is there already; name another one, or remove it")
    of, text = language_of(language)
    name = to.stem.replace("_", "-")
    imported = from_torch(given, language=of, name=name, source=f"weights of {given.name}", **options)
    try:
        write(to, python(imported.construction, text))
    except OSError as error:
        raise InputError(f"--as {to}: {error.strerror}; name a file that can be written") from error
    return imported


def language_of(named: str) -> tuple[Language, str]:
    """The language of that name, or the one that a file defines, and Python that defines it."""
    if named.endswith(".py"):
        path = Path(named)
        return load_language(path), path.read_text(encoding="utf-8")
    known = {name: value for name, value in vars(languages).items() if isinstance(value, Language)}
    for name, language in known.items():
        if named.upper() in (name, language.name):
            return language, f"from {languages.__name__} import {name} as language"
    raise InputError(
        f"no language is called {named!r}; there are {', '.join(known)}, or name a FILE.py that defines one"
    )
