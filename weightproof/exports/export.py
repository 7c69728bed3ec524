"""Writes a construction in a format of another program into a folder."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values
from weightproof.document.blocks import Heading, Plain, pairs
from weightproof.exports.exporting import Exporting, Options
from weightproof.reported import Reported
from weightproof.sources import Source

FORMATS = {"safetensors": "weights", "transformer-lens": "lens", "onnx": "verifying", "edges": "edges"}
"""Name -> module of this package, whose function `files` makes the contents of files by name."""


@dataclass(frozen=True, repr=False)
class Exported(Reported):
    """The files of an export."""

    name: str
    sha256: str
    format: str
    folder: Path
    sizes: dict[str, int]

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.folder / name for name in self.sizes)

    @property
    def data(self) -> dict[str, Any]:
        """What --json prints; sizes are bytes."""
        return {
            "construction": self.name,
            "sha256": self.sha256,
            "format": self.format,
            "folder": str(self.folder),
            "files": [{"name": name, "bytes": size} for name, size in self.sizes.items()],
        }

    def report(self) -> Iterator[Plain]:
        yield Heading(3, f"{self.name} as {self.format}")
        yield pairs([(str(self.folder / name), f"{size:,} bytes") for name, size in self.sizes.items()])


def exported(source: Source, format: str, folder: Path, options: Options) -> Exported:
    """Write it; the folder is made where it is not there. InputError for what the format cannot hold."""
    from weightproof.numeric.rounding.formats import FORMATS as DTYPES

    if format not in FORMATS:
        raise InputError(f"--to {format}: no such format; there are {', '.join(FORMATS)}")
    if options.dtype not in DTYPES:
        raise InputError(f"unknown dtype {options.dtype!r}; there are {', '.join(DTYPES)}")
    if options.max_length is not None and options.max_length < 1:
        raise InputError(f"--max-length {options.max_length} leaves no word: give 1 or more")
    parameter_values(source.construction, options.given)
    contents = importlib.import_module(f"weightproof.exports.{FORMATS[format]}").files(Exporting(source, options))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            write(folder / name, content)
    except OSError as error:
        raise InputError(f"-o {folder}: {error.strerror}; name a folder that can be written to") from error
    sizes = {name: len(content) for name, content in contents.items()}
    return Exported(source.construction.name, digest(source.construction), format, folder, sizes)
