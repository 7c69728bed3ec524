"""`doctor`: what is installed here, what each part adds, and how to get what is not."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from weightproof.constructions.meaning.inputs import InputError
from weightproof.document import tex
from weightproof.document.blocks import Paragraph, Plain, Styled, Table, Text
from weightproof.extras import LIBRARIES, Library, install
from weightproof.parallel.processes import processors
from weightproof.proofs.kernel.coq import HOW_TO_GET_IT, Coq
from weightproof.reported import Ending, Reported


@dataclass(frozen=True)
class Part:
    """version: None where it is not here; needed: nothing works without it; adds: what works with it; get: how to get
    it."""

    name: str
    version: str | None
    needed: bool
    adds: str
    get: str


@dataclass(frozen=True, repr=False)
class Installed(Reported):
    """The parts that are here, and those that are not."""

    parts: tuple[Part, ...]

    @property
    def data(self) -> dict[str, Any]:
        return {"parts": [asdict(part) for part in self.parts]}

    def report(self) -> Iterator[Plain]:
        yield Table(("part", "here", "what it adds", "how to get it"), [_row(part) for part in self.parts])
        yield Paragraph("")
        lacking = [part.name for part in self.parts if part.version is None]
        yield Paragraph(f"{len(self.parts) - len(lacking)} of {len(self.parts)} parts are here")

    @property
    def ending(self) -> Ending:
        """Status 1 where something is not here without which nothing works."""
        lacking = [part for part in self.parts if part.needed and part.version is None]
        if not lacking:
            return Ending()
        return Ending(1, f"{', '.join(part.name for part in lacking)} is needed and not here; run: {lacking[0].get}")


def _row(part: Part) -> tuple[Text, ...]:
    if part.version is not None:
        return part.name, part.version, part.adds, ""
    lacking = Styled("needed", "bold red") if part.needed else Styled("no", "yellow")
    return part.name, lacking, part.adds, part.get


def installed() -> Installed:
    """Looked up now: libraries, programs and devices."""
    return Installed(tuple(_parts()))


def _parts() -> Iterator[Part]:
    yield Part("python", platform.python_version(), True, "everything", "https://www.python.org/downloads")
    for library in LIBRARIES:
        yield Part(library.name, _version(library), not library.extra, library.adds, install(library))
    yield Part("pdflatex", _pdflatex(), False, "derive --pdf", tex.INSTALL)
    yield Part("coqc", _coqc(), False, "prove --kernel", HOW_TO_GET_IT)
    yield Part("cpu", f"{platform.machine()}, {processors()} usable", True, "everything", "-")
    yield Part("cuda", _cuda(), False, "--device cuda", "a GPU that torch can use")


def _version(library: Library) -> str | None:
    if importlib.util.find_spec(library.module) is None:
        return None
    try:
        return version(library.name)
    except PackageNotFoundError:  # it is there without what pip writes down
        return "unknown"


def _pdflatex() -> str | None:
    """As it says itself; "unknown" where it says nothing."""
    if (path := shutil.which(tex.PROGRAM)) is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60).stdout.splitlines()
    return said[0] if said else "unknown"


def _coqc() -> str | None:
    try:
        return Coq.found().version
    except InputError:  # none, or one that is too old
        return None


def _cuda() -> str | None:
    if importlib.util.find_spec("torch") is None:
        return None
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else None
