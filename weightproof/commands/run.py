"""`weightproof run`: one word, in exact arithmetic and, where asked for, in floating point."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Attention, Device, Json, NameOrFile, Param, Tolerance, With
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page, waiting
from weightproof.terminal.streams import emit


def run(
    name: NameOrFile,
    word: Annotated[str, typer.Argument(metavar="WORD", help="Without markers; '' is empty, 1{9}(01){4} repeats.")],
    asked: With = None,
    param: Param = None,
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
    as_json: Json = False,
) -> None:
    """Run a construction on a word in exact arithmetic. Exit status 0 says that it ran, not that it is right."""
    from weightproof.constructions.languages.notation import expand
    from weightproof.reports.running import FloatingPoint, answered, payload, report
    from weightproof.sources import parameters, resolve

    source, given, word = resolve(name, asked or ()), parameters(param or ()), expand(word)
    if position and not with_trace:
        raise InputError("--position is for the trace of a word; add --trace")
    floating = None
    if dtype:
        floating = FloatingPoint(dtype, device or ("cpu",), attention or ("explicit",), tolerance)
    elif device or attention or tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    with waiting(f"running {source.construction.name}"):
        answer = answered(source, word, given, floating, with_trace, position or ())
    if as_json:
        return emit(payload(answer))
    return report(open_page(), answer)
