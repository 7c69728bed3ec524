"""Files that a command has written into a folder of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Heading, Plain, pairs
from weightproof.reported import Reported


@dataclass(frozen=True, repr=False)
class Filed(Reported):
    """The files by name; sizes: in bytes."""

    folder: Path
    sizes: Mapping[str, int]

    @property
    @abstractmethod
    def title(self) -> str:
        """What they are, in a line."""

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.folder / name for name in self.sizes)

    @property
    def data(self) -> dict[str, Any]:
        files = [{"name": name, "bytes": size} for name, size in self.sizes.items()]
        return {"folder": str(self.folder), "files": files}

    def report(self) -> Iterator[Plain]:
        yield Heading(3, self.title)
        yield pairs([(str(self.folder / name), f"{size:,} bytes") for name, size in self.sizes.items()])


def filed(folder: Path, contents: Mapping[str, bytes]) -> dict[str, int]:
    """Write files by name, into a folder that is made where it is not there; their sizes. InputError where it cannot be
    written to."""
    try:
        for name, content in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write(folder / name, content)
    except OSError as error:
        raise InputError(f"-o {folder}: {error.strerror}; name a folder that can be written to") from error
    return {name: len(content) for name, content in contents.items()}
