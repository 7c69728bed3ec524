"""`weightproof run`: one word, in exact arithmetic and, where asked for, in floating point."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weightproof.commands.options import Attention, Device, Json, OrMachine, Param, Tolerance, With
from weightproof.constructions.machines import turing
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Decoder
from weightproof.terminal.page import open_page, waiting
from weightproof.terminal.streams import emit

if TYPE_CHECKING:
    from weightproof.reports.running import FloatingPoint
    from weightproof.sources import Source

MOST_STEPS, MOST_TOKENS = 1000, 100
"""Steps of a Turing machine, and tokens that a decoder appends, unless more are asked for."""


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
    from weightproof.constructions.languages.notation import expand
    from weightproof.constructions.library import AS_PRINTED, FAMILIES
    from weightproof.constructions.machines.files import find_machine
    from weightproof.constructions.meaning.outputs import ranks
    from weightproof.drawing.answer import draw_answer, require_picture
    from weightproof.kinds import Options, kind_of
    from weightproof.predicting import running as predicting
    from weightproof.reports.running import FloatingPoint, answered, payload, report
    from weightproof.sources import parameters, resolve

    kind, machine = kind_of(name), find_machine(name)
    max_steps = None if max_steps is None else min(max_steps, sys.maxsize - 1)  # more than anything can count
    if picture is not None and (kind or machine or name in FAMILIES | AS_PRINTED):
        raise InputError(f"{name} is no construction; --picture draws encoders that read out a logit")
    if kind is not None:
        if asked or tolerance is not None or position:
            raise InputError(f"{name} is a family or a member of one; leave out --with, --tolerance and --position")
        how = tuple(dtype or ()), tuple(device or ()), tuple(attention or ())
        options = Options(*how, with_trace, steps, max_steps, as_json)
        raise typer.Exit(0 if kind.run(name, expand(word), parameters(param or ()), options) else 1)
    if machine is not None:
        if asked or param or dtype or device or attention or tolerance is not None or with_trace or position:
            raise InputError(
                "a Turing machine is run in exact arithmetic; of the options --steps, --max-steps and --json go"
            )
        word = expand(word, machine.alphabet)
        return run_machine(machine, word, steps, MOST_STEPS if max_steps is None else max_steps, as_json)
    if name in FAMILIES | AS_PRINTED:
        if asked or dtype or device or attention or tolerance is not None or position:
            raise InputError(
                "a family is run in exact arithmetic; of the options --param, --trace, --max-steps and --json go"
            )
        return run_family(name, expand(word), parameters(param or ()), max_steps, with_trace, as_json)
    source, given = resolve(name, asked or ()), parameters(param or ())
    word = expand(word, source.construction.language.alphabet)
    is_decoder = isinstance(source.construction.network, Decoder)
    if (steps or max_steps is not None) and not is_decoder:
        raise InputError("--steps and --max-steps are for Turing machines and decoders; a construction has a --trace")
    if is_decoder and (with_trace or position or tolerance is not None):
        raise InputError(f"{source.construction.name} is a decoder, which has --steps, and no trace or tolerance")
    if position and not with_trace:
        raise InputError("--position is for the trace of a word; add --trace")
    if picture is not None:
        require_picture(picture, source, word)
    floating = None
    if dtype:
        floating = FloatingPoint(dtype, device or ("cpu",), attention or ("explicit",), tolerance)
    elif device or attention or tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    if is_decoder:
        most = MOST_TOKENS if max_steps is None else max_steps
        return run_decoder(source, word, given, most, floating, steps, as_json)
    if ranks(source.construction):
        with waiting(f"running {source.construction.name}"):
            found = predicting.predicted(source, word, given, floating, with_trace, position or ())
        return emit(predicting.payload(found)) if as_json else predicting.report(open_page(), found)
    with waiting(f"running {source.construction.name}"):
        answer = answered(source, word, given, floating, with_trace, position or ())
        if picture is not None:
            draw_answer(picture, answer)
    if as_json:
        return emit(payload(answer))
    return report(open_page(), answer)


def run_decoder(
    source: Source,
    word: str,
    given: dict[str, str],
    most: int,
    floating: FloatingPoint | None,
    every: bool,
    as_json: bool,
) -> None:
    from weightproof.decoders.running import generated, payload, report

    with waiting(f"running {source.construction.name}"):
        found = generated(source, word, given, most, floating)
    if as_json:
        return emit(payload(found))
    return report(open_page(), found, every)


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
