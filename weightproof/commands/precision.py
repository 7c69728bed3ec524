"""`weightproof precision`: where rounding breaks constructions, and where it cannot."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import (
    Attention,
    Device,
    Everything,
    Json,
    Keep,
    Param,
    Scheduler,
    Tolerance,
    With,
    offered,
    workers_of,
)
from weightproof.constructions.meaning.inputs import InputError


def precision(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to measure.", autocompletion=offered),
    ] = None,
    transforms: With = None,
    everything: Everything = False,
    param: Param = None,
    dtype: Annotated[
        list[str] | None, typer.Option(metavar="DTYPE", help="float64, float32, bfloat16, float16 (repeatable).")
    ] = None,
    device: Device = None,
    attention: Attention = None,
    max_length: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Symbols of the longest words, 1,000,000 unless given; of a Turing machine 30 at most."
        ),
    ] = None,
    tolerance: Tolerance = None,
    law: Annotated[
        bool, typer.Option("--law", help="Certify made-up formats, too, and predict failing lengths by how that grows.")
    ] = False,
    keep: Keep = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Run the witnesses of its rows here, and say which hold.")
    ] = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
) -> None:
    """Find the length at which rounding breaks constructions, or the tape on which networks that run a Turing machine
    depart from it, and certify one below which it cannot."""
    from weightproof.kinds import Measuring
    from weightproof.named import parameters
    from weightproof.subjects.registry import measured, replayed, subjects_of

    if replay is not None:
        others = {
            "what is named": names,
            "--with": transforms,
            "--all": everything,
            "--param": param,
            "--dtype": dtype,
            "--device": device,
            "--attention": attention,
            "--tolerance": tolerance is not None,
            "--law": law,
            "--keep": keep,
            "--scheduler": scheduler,
        }
        for name, given in others.items():
            if given:
                raise InputError(f"--replay {replay} runs its rows as they were measured; leave out {name}")
        return shown.show(replayed(replay, max_length), as_json)
    how = Measuring(
        parameters(param or ()),
        tuple(dtype or ()),
        tuple(device or ()),
        tuple(attention or ()),
        Measuring.max_length if max_length is None else max_length,
        tolerance,
        law,
    )
    workers = workers_of(scheduler, names or ())
    subjects = partial(subjects_of, tuple(names or ()), everything, "precision", tuple(transforms or ()))
    shown.show(measured(subjects, how, keep, workers), as_json)
