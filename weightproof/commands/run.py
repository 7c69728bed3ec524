"""`weightproof run`: one word, in exact arithmetic and, where asked for, in floating point."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Attention, Device, Json, NameOrFile, Param, Tolerance
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page, waiting
from weightproof.terminal.streams import emit


def run(
    name: NameOrFile,
    word: Annotated[str, typer.Argument(metavar="WORD", help="Without markers; '' is empty, 1{9}(01){4} repeats.")],
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
    from weightproof.constructions.meaning.trace import trace
    from weightproof.reports import tracing
    from weightproof.reports.measuring import require_tolerance
    from weightproof.reports.running import exact, numeric, payload, report
    from weightproof.sources import parameters, resolve

    construction, given, word = resolve(name).construction, parameters(param or ()), expand(word)
    with waiting(f"running {construction.name}"):
        result = exact(construction, word, given, with_trace, not dtype)
        steps = None
        if with_trace and result is not None:
            shown = tracing.shown(construction, len(result.tokens), position or ())
            steps = trace(construction, result, given, shown)
        elif position:
            raise InputError("--position is for the trace of a word; add --trace")
    data = payload(name, construction, word, given, result)
    if dtype:
        require_tolerance(tolerance)
        data["numeric"] = numeric(
            construction, word, given, dtype, device or ("cpu",), attention or ("explicit",), tolerance
        )
    elif device or attention or tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    if as_json:
        return emit(data | ({} if steps is None else {"trace": tracing.payload(steps)}))
    page = open_page()
    report(page, data, construction, word, result)
    if steps is not None:
        tracing.report(page, construction, steps, shown)
    return None
