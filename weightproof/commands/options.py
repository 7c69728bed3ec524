"""Arguments and options that several commands have."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from weightproof.parallel.pieces import Workers


def offered(context: typer.Context, incomplete: str) -> list[str]:
    """What a shell offers for a name: what is built in and takes the command. It offers files where nothing is."""
    from weightproof.subjects.registry import taken

    return [name for name in taken(context.info_name or "") if name.startswith(incomplete)]


Json = Annotated[bool, typer.Option("--json", help="Write one JSON object instead of a report.")]
NameOrFile = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE.py",
        help="A built-in construction, or a file of yours, a program FILE.cr among them.",
        autocompletion=offered,
    ),
]
OrMachine = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE.py|MACHINE",
        autocompletion=offered,
        help="A construction, also of a program FILE.cr, or a Turing machine: built-in, of a .yaml file, or a line "
        "like 1RB1LC_1LA1RB_1LB1RZ.",
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="TRANSFORM", help="Transform it first, as layer-norm:epsilon=0 (repeatable)."),
]
Everything = Annotated[bool, typer.Option("--all", help="All that is built in.")]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", help="For the whole call. Without it work is counted, not time."),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Have workers of Dask do it, as tcp://host:8786."),
]
Keep = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep there what is reached; what it has is not reached again."),
]
Param = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An exact parameter value, as c=1 (repeatable).")
]
Device = Annotated[
    list[str] | None, typer.Option(metavar="DEVICE", help="Where to run it, as cpu or cuda (repeatable).")
]
Attention = Annotated[
    list[str] | None, typer.Option(metavar="KIND", help="How to: strict, explicit, matmul or fused (repeatable).")
]
Tolerance = Annotated[
    float | None, typer.Option(metavar="T", help="Where logit 0 accepts: count |logit| <= T as 0, too.")
]


def workers_of(scheduler: str | None, names: Sequence[str], **others: object) -> Workers | None:
    """Those that a scheduler has; None where none is named. InputError where a file is named, which others need not
    have, or an option is given by which they could not go."""
    if scheduler is None:
        return None
    for name in names:
        if Path(name).suffix:
            raise InputError(f"--scheduler: its workers have what is built in, and need not have {name}; leave one out")
    for option, given in others.items():
        if given:
            raise InputError(f"--scheduler: its workers cannot be told --{option}; leave one out")
    from weightproof.parallel.cluster import Cluster

    return Cluster(scheduler)


def require_counted(keep: Path | None, **others: object) -> None:
    """InputError where a file is named, and an option is given by which a clock decides, or something is written that a
    file has not."""
    for option, given in others.items():
        if keep is not None and given is not None:
            raise InputError(f"--keep {keep} keeps what counted work reaches, and nothing else; leave out --{option}")


def require_directory(path: Path, option: str) -> None:
    """Make a directory that can be written to, or say now, not after the first proof, that there is none."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        raise InputError(f"{option} {path}: {error.strerror}; name a directory that can be written to") from error
