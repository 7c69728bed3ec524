"""What is said of a network, as it is called where it is said: an argument in Python, an option on a command line."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.meaning.inputs import InputError

OPTIONS = {"mapping": "map"}
"""Those that a command line calls otherwise."""


@dataclass(frozen=True)
class Saying:
    """An argument of `from_torch`: alone, or with what could be said with it; `...` stands for whatever fits.

    A list or a tuple is one value. key: of one entry, where it is a mapping.
    """

    name: str
    values: tuple[Any, ...]
    key: object

    def __init__(self, name: str, *values: Any, key: object = None) -> None:
        for field, value in (("name", name), ("values", values), ("key", key)):
            object.__setattr__(self, field, value)

    @property
    def in_python(self) -> str:
        name = self.name if self.key is None else f"{self.name}[{self.key!r}]"
        return f"{name}={' or '.join(map(_in_python, self.values))}" if self.values else name

    @property
    def on_command_line(self) -> str:
        option = f"--{OPTIONS.get(self.name, self.name)}"
        if self.key is not None:
            return f"{option} {self.key}={' or '.join(map(_on_command_line, self.values or (...,)))}"
        return f"{option} {' or '.join(map(_on_command_line, self.values))}" if self.values else option


class Missaid(InputError):
    """What is said of a network and does not fit, or what nobody has said. It reads as the place that it is shown in
    names things: in Python as an error, on a command line by `on_command_line`."""

    def __init__(self, *parts: str | Saying) -> None:
        super().__init__("".join(part if isinstance(part, str) else part.in_python for part in parts))
        self.on_command_line = "".join(part if isinstance(part, str) else part.on_command_line for part in parts)


def _in_python(value: object) -> str:
    return "..." if value is ... else repr(value)


def _on_command_line(value: object) -> str:
    if value is ...:
        return "..."
    return shlex.quote(",".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
