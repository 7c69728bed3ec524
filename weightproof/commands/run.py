"""`weightproof run`: one word, in exact arithmetic and, where asked for, in floating point."""

from __future__ import annotations

import itertools
from typing import Annotated

import typer

from weightproof.commands.options import Attention, Device, Json, OrMachine, Param, Tolerance, With
from weightproof.constructions.machines import turing
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page, waiting
from weightproof.terminal.streams import emit

MOST_STEPS = 1000
"""Of a Turing machine, unless more are asked for."""


def run(
    name: OrMachine,
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
    steps: Annotated[bool, typer.Option("--steps", help="Of a Turing machine, write every step.")] = False,
    max_steps: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Of a Turing machine, stop after N steps; 1000 by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a construction on a word in exact arithmetic, or a Turing machine and the networks that simulate it. Exit
    status 0 says that it ran, not that it is right."""
    from weightproof.constructions.languages.notation import expand
    from weightproof.constructions.library import AS_PRINTED, FAMILIES
    from weightproof.constructions.machines.files import find_machine
    from weightproof.constructions.meaning.outputs import ranks
    from weightproof.predicting import running as predicting
    from weightproof.reports.running import FloatingPoint, answered, payload, report
    from weightproof.sources import parameters, resolve

    if (machine := find_machine(name)) is not None:
        if asked or param or dtype or device or attention or tolerance is not None or with_trace or position:
            raise InputError(
                "a Turing machine is run in exact arithmetic; of the options --steps, --max-steps and --json go"
            )
        return run_machine(machine, expand(word), steps, MOST_STEPS if max_steps is None else max_steps, as_json)
    if name in FAMILIES | AS_PRINTED:
        if asked or dtype or device or attention or tolerance is not None or position:
            raise InputError(
                "a family is run in exact arithmetic; of the options --param, --trace, --max-steps and --json go"
            )
        return run_family(name, expand(word), parameters(param or ()), max_steps, with_trace, as_json)
    if steps or max_steps is not None:
        raise InputError("--steps and --max-steps are for Turing machines; a construction has a --trace")
    source, given, word = resolve(name, asked or ()), parameters(param or ()), expand(word)
    if position and not with_trace:
        raise InputError("--position is for the trace of a word; add --trace")
    floating = None
    if dtype:
        floating = FloatingPoint(dtype, device or ("cpu",), attention or ("explicit",), tolerance)
    elif device or attention or tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    if ranks(source.construction):
        with waiting(f"running {source.construction.name}"):
            found = predicting.predicted(source, word, given, floating, with_trace, position or ())
        return emit(predicting.payload(found)) if as_json else predicting.report(open_page(), found)
    with waiting(f"running {source.construction.name}"):
        answer = answered(source, word, given, floating, with_trace, position or ())
    if as_json:
        return emit(payload(answer))
    return report(open_page(), answer)


def run_machine(machine: TuringMachine, word: str, every: bool, max_steps: int, as_json: bool) -> None:
    from weightproof.machines import report
    from weightproof.machines.running import side_by_side

    with waiting(f"running {machine.name}"):
        steps = list(itertools.islice(side_by_side(machine, word), max_steps + 1))
        halted = turing.step(machine, steps[-1].configuration) is None
    if as_json:
        emit(report.payload(machine, word, steps, halted))
    else:
        report.report(open_page(), machine, word, steps, halted, every)
    if not all(step.agrees for step in steps):
        raise typer.Exit(1)


def run_family(
    family: str, word: str, numbers: dict[str, str], max_steps: int | None, with_trace: bool, as_json: bool
) -> None:
    from weightproof.machines import report
    from weightproof.machines.running import family_steps

    steps = list(family_steps(family, word, numbers, max_steps))
    if as_json:
        emit(report.family_payload(family, word, numbers, steps))
    else:
        report.family_report(open_page(), family, word, numbers, steps, with_trace)
    if any(step.state != step.held for step in steps):
        raise typer.Exit(1)
