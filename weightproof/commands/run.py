"""`weightproof run`: one word, in exact arithmetic and, where asked for, in floating point."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Attention, Device, Json, OrMachine, Param, Tolerance, With


def run(
    name: OrMachine,
    word: Annotated[str, typer.Argument(metavar="WORD", help="Without markers; '' is empty, 1{9}(01){4} repeats.")],
    transforms: With = None,
    param: Param = None,
    exact: Annotated[bool, typer.Option("--exact", help="Not in balls, however long exact numbers take.")] = False,
    dtype: Annotated[
        list[str] | None, typer.Option(metavar="DTYPE", help="Run in floating point, too, as float32 (repeatable).")
    ] = None,
    device: Device = None,
    attention: Attention = None,
    tolerance: Tolerance = None,
    with_trace: Annotated[
        bool, typer.Option("--trace", help="Write every vector, attention weight and hidden unit, layer by layer.")
    ] = False,
    position: Annotated[
        list[int] | None, typer.Option(metavar="P", help="In the trace of a long word, show position P (repeatable).")
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Of a machine or a decoder, write every step.")] = False,
    max_steps: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Stop a machine after N steps (1000), a decoder after N tokens (100)."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw attention, residual stream and logit to FILE.svg or FILE.png."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a construction on a word in exact arithmetic, or a Turing machine and the networks that simulate it. Exit
    status 0 says that it ran, not that it is right."""
    from weightproof.kinds import Running
    from weightproof.named import parameters
    from weightproof.subjects.registry import subject_of

    how = Running(
        parameters(param or ()),
        tuple(dtype or ()),
        tuple(device or ()),
        tuple(attention or ()),
        tolerance,
        with_trace,
        tuple(position or ()),
        steps,
        max_steps,
        picture,
        exact,
    )
    shown.show(subject_of(name, transforms or ()).run(word, how), as_json)
