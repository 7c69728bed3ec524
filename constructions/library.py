"""Finds constructions: the built-in ones by name, a user's own by file. Nothing else is ever loaded."""

from __future__ import annotations

import importlib
import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from constructions.interpreter import InputError
from constructions.schema import Construction

BUILT_IN: dict[str, tuple[str, str]] = {
    "parity": ("parity", "construction"),
    "first": ("first", "construction"),
    "first-one-layer": ("first_one_layer", "construction"),
    "one": ("one", "construction"),
    "palindrome": ("palindrome", "construction"),
    "palindrome-as-printed": ("palindrome", "as_printed"),
    "dyck1": ("dyck1", "construction"),
    "dyck1-depth": ("dyck1_depth", "construction"),
}
"""Name -> module of this package, attribute."""


@dataclass(frozen=True)
class UserFile:
    """What a user's file defines: its construction, and its theorems where it has any (None: the default ones)."""

    path: Path
    construction: Construction
    theorems: tuple[Any, ...] | None


def names() -> tuple[str, ...]:
    return tuple(BUILT_IN)


def load(name: str) -> Construction:
    """The built-in construction of that name; InputError if there is none."""
    if name not in BUILT_IN:
        raise InputError(f"unknown construction {name!r}; there are {', '.join(BUILT_IN)} (or name a FILE.py)")
    module, attribute = BUILT_IN[name]
    construction: Construction = getattr(importlib.import_module(f"constructions.{module}"), attribute)
    return construction


def load_file(path: Path) -> UserFile:
    """Run a user's Python file and take its `construction` and `theorems`; InputError says in one line what is wrong.

    The file is executed: it is code that the user named and trusts.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        scope = runpy.run_path(str(path))
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno}: {error.msg}") from error
    except Exception as error:
        line = _line_within(error, path)
        message = " ".join(str(error).split()) or type(error).__name__
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        raise InputError(f"{path}:{line}: {kind}{message}") from error
    construction = scope.get("construction")
    if not isinstance(construction, Construction):
        raise InputError(f"{path}: defines no 'construction' of type Construction")
    theorems = scope.get("theorems")
    if theorems is not None and not isinstance(theorems, tuple | list):
        raise InputError(f"{path}: 'theorems' is a {type(theorems).__name__}, not a tuple of theorems")
    return UserFile(path, construction, None if theorems is None else tuple(theorems))


def _line_within(error: BaseException, path: Path) -> int:
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(path):
            line = step.tb_lineno
        step = step.tb_next
    return line
