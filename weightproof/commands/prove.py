"""`weightproof prove`: theorems and their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import (
    Everything,
    Json,
    Keep,
    Scheduler,
    Timeout,
    With,
    offered,
    require_counted,
    require_directory,
    workers_of,
)
from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from weightproof.proofs.verdict import Folders
    from weightproof.reports.proving import Stated
    from weightproof.subjects.subject import Subject


def prove(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to prove.", autocompletion=offered),
    ] = None,
    transforms: With = None,
    everything: Everything = False,
    timeout: Timeout = None,
    smt: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every obligation there as SMT-LIB 2.")] = None,
    kernel: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write proofs there for Coq, and have its kernel check them.")
    ] = None,
    covering: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write certificates of proofs by covering there, for check."),
    ] = None,
    keep: Keep = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
) -> None:
    """Prove or refute the theorems of constructions and Turing machines. The exit status is 0 only if every verdict is
    the expected one."""
    from weightproof.proofs.verdict import Folders
    from weightproof.reports.proving import proved

    require_counted(keep, timeout=timeout, smt=smt, kernel=kernel, covering=covering)
    workers = workers_of(scheduler, names or (), timeout=timeout, smt=smt, kernel=kernel, covering=covering)
    folders = Folders(smt, kernel, covering)
    wanted = partial(_stated, tuple(names or ()), tuple(transforms or ()), everything, folders)
    shown.show(proved(wanted, timeout, folders, workers, keep), as_json)


def _stated(names: Sequence[str], transforms: Sequence[str], everything: bool, folders: Folders) -> list[Stated]:
    from weightproof.subjects.registry import subjects_of

    subjects = subjects_of(names, everything, "prove", transforms)
    stated = [each.statements() for each in subjects]
    if folders.kernel is not None:
        from weightproof.proofs.kernel.coq import Coq

        Coq.found()
    own = (("--smt", folders.smt), ("--kernel", folders.kernel), ("--covering", folders.covering))
    for option, folder in own:
        if folder is not None:
            _require_own_files(subjects, option)
            require_directory(folder, option)
    return stated


def _require_own_files(subjects: Sequence[Subject], option: str) -> None:
    """InputError where two of them would be written to files of the same name."""
    from weightproof.proofs.prover import file_name

    files = [file_name(f"{each.name}-") for each in subjects]
    for each, name in zip(subjects, files, strict=True):
        if files.count(name) > 1:
            raise InputError(
                f"{option}: {each.name} is not alone with that name; rename a construction, or leave one out"
            )
