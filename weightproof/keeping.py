"""A file of JSON in which a command keeps what it reaches as soon as it does, and from which its next call goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from weightproof.constructions.files import require_place, write
from weightproof.constructions.meaning.inputs import InputError

T = TypeVar("T")


def taken_up(file: Path, read: Callable[[Path], T]) -> T:
    """What earlier calls have kept there, as it is read; InputError where nothing could be written."""
    try:
        require_place(file)
        return read(file)
    except OSError as error:
        raise InputError(f"--keep {file}: {error.strerror}; name a file that can be written") from error


def content(file: Path, command: str, lists: tuple[str, ...]) -> dict[str, Any]:
    """The JSON object, which has those lists; they are empty where there is no file. InputError for anything else than
    what the command writes. A device or a pipe is no file: what is read there need not end."""
    if file.exists() and not file.is_file():
        raise InputError(f"{file}: is no ordinary file; name one that holds results of `{command}`, or will")
    other = f"{file}: no results of `{command}`"
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {name: [] for name in lists}
    except (ValueError, RecursionError) as error:
        raise InputError(f"{other}; name another file, or delete it") from error
    if not isinstance(kept, dict):
        raise InputError(f"{other}; name another file, or delete it")
    for name in lists:
        if not isinstance(kept.get(name), list):
            raise InputError(f"{other}: {name!r} is no list; name another file, or delete it")
    return kept


def put(file: Path, data: dict[str, Any]) -> None:
    """All that is kept, in the place of what was, what lists have in a line each; OSError, with the name of the file,
    where there is no room."""
    parts = (f"{json.dumps(name)}: {_in_lines(each)}" for name, each in data.items())
    write(file, "{\n" + ",\n".join(parts) + "\n}\n")


def _in_lines(data: Any) -> str:
    if not isinstance(data, list | tuple):
        return json.dumps(data, ensure_ascii=False)
    return "[" + ",".join(f"\n {json.dumps(each, ensure_ascii=False)}" for each in data) + "\n]"
