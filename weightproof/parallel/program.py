"""What decides what is computed: the program, Python and the libraries. Results of two processes are results of one
program only where they agree in it."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder of the program, with those of its rooms."""
READ = (".py", ".v", ".json", ".aag", ".yaml")
"""How files end that the program reads."""


@cache
def program() -> Mapping[str, str]:
    """By their names: the version of Python and of every library that decides what comes out, and the SHA-256 of its
    own files. "none" where a library is not here."""
    return program_now()


def program_now() -> Mapping[str, str]:
    """As `program`, of files as they are now: some may be read later than this process began."""
    return {"weightproof": _files(), "Python": platform.python_version(), **dict(map(_library, _needed()))}


def beside(name: str) -> Mapping[str, str]:
    """What else decides what is made of a file of that name: by their paths, the SHA-256 of the file and of all modules
    that have been read and are neither the program's nor installed; nothing where there is no such file."""
    if not os.path.isfile(name):
        return {}
    installed = [str(ROOT), *(sysconfig.get_path(each) for each in ("stdlib", "platstdlib", "purelib", "platlib"))]
    origins = (getattr(getattr(module, "__spec__", None), "origin", None) for module in [*sys.modules.values()])
    paths = {Path(each) for each in origins if isinstance(each, str) and os.path.isfile(each)}
    own = sorted(path for path in paths if not any(path.is_relative_to(folder) for folder in installed))
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(name), *own)}


def difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str | None:
    """The first thing in which two programs differ, as "sympy is 1.13 there, and 1.14 here"; None where they agree."""
    for name in dict.fromkeys((*ours, *theirs)):
        here, there = ours.get(name, "none"), theirs.get(name, "none")
        if here != there:
            return f"{name} is {there[:12]} there, and {here[:12]} here"
    return None


def _files() -> str:
    found = hashlib.sha256()
    paths = (Path(folder) / name for folder, _, names in os.walk(ROOT, followlinks=True) for name in names)
    for path in sorted(path for path in paths if path.suffix in READ):
        content = path.read_bytes()
        found.update(f"{path.relative_to(ROOT).as_posix()}\n{len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def _needed() -> list[str]:
    """The libraries that are needed without any extra, and those that compute in floating point."""
    every = [each for each in requires("weightproof") or () if re.search(r'extra == "(?!numeric")', each) is None]
    return [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in every]


def _library(name: str) -> tuple[str, str]:
    try:
        return name, version(name)
    except PackageNotFoundError:
        return name, "none"
