"""`weightproof precision`: where rounding breaks constructions, and where it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands.options import Attention, Device, Everything, Json, Param, Tolerance, With, named
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import InputError
from weightproof.sources import Source
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import INTERRUPTED, complain, emit


def precision(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py|MACHINE", help="What to measure.")] = None,
    asked: With = None,
    everything: Everything = False,
    param: Param = None,
    dtype: Annotated[
        list[str] | None, typer.Option(metavar="DTYPE", help="float64, float32, bfloat16, float16 (repeatable).")
    ] = None,
    device: Device = None,
    attention: Attention = None,
    max_length: Annotated[
        int, typer.Option(metavar="N", help="Symbols of the longest words; of a Turing machine 30 at most.")
    ] = 1_000_000,
    tolerance: Tolerance = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep rows there; those it has are not measured again.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the length at which rounding breaks constructions, or the tape on which networks that run a Turing machine
    depart from it, and certify one below which it cannot."""
    from weightproof.constructions.library import FAMILIES
    from weightproof.constructions.machines.files import find_machine
    from weightproof.constructions.meaning.outputs import ranks
    from weightproof.kinds import kind_of
    from weightproof.reports.measuring import subjects
    from weightproof.reports.precision import DTYPES, Session, report
    from weightproof.sources import parameters, resolve

    wanted = named(names, everything, "measure")
    if any(kind_of(name) is not None for name in wanted):
        if not all(kind_of(name) is not None for name in wanted) or asked or param or tolerance is not None:
            raise InputError(f"{wanted[0]}: measure families apart, without --with, --param and --tolerance")
        how = dtype or DTYPES, device or ("cpu",), attention or ("strict",), max_length
        return measure_kinds(wanted, *how, output, as_json)
    machines = [(name, machine) for name in wanted if (machine := find_machine(name)) is not None]
    simulators = [name for name in wanted if name in FAMILIES]
    if machines or simulators:
        if len(machines) + len(simulators) < len(wanted) or asked or param or tolerance is not None:
            raise InputError(
                f"{[*(name for name, _ in machines), *simulators][0]}: measure Turing machines and families apart from "
                "constructions, without --with, --param and --tolerance"
            )
        options = dtype or DTYPES, device or ("cpu",), attention or ("strict",), max_length
        return measure_machines(machines, simulators, *options, output, as_json)
    sources = [resolve(name, asked or ()) for name in wanted]
    given = parameters(param or ())
    ranking = [source for source in sources if ranks(source.construction)]
    if ranking:
        if len(ranking) < len(sources) or tolerance is not None:
            raise InputError(
                f"{ranking[0].argument}: it takes the argmax over tokens; measure such networks apart from others, "
                "without --tolerance"
            )
        how = dtype or DTYPES, device or ("cpu",), attention or ("explicit",), max_length
        return predictions(ranking, given, *how, output, as_json)
    todo = subjects(
        sources, given, dtype or DTYPES, device or ("cpu",), attention or ("strict",), max_length, tolerance
    )
    session = Session(output)
    session.measure(todo)
    if as_json:
        emit(session.payload())
    else:
        report(open_page(), session)
    if session.interrupted:
        complain(f"interrupted after {len(session.rows)} rows" + (f"; they are in {output}" if output else ""))
        raise typer.Exit(INTERRUPTED)


def measure_kinds(
    names: Sequence[str],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
    max_length: int,
    output: Path | None,
    as_json: bool,
) -> None:
    from weightproof.kinds import kind_of
    from weightproof.measurable import report, session

    kinds = [(name, kind) for name in names if (kind := kind_of(name)) is not None]
    wanted = [each for name, kind in kinds for each in kind.measure(name, dtypes, devices, attentions, max_length)]
    payload, interrupted = session(wanted, output)
    if as_json:
        emit(payload)
    else:
        report(open_page(), payload["rows"])
    if interrupted:
        complain(f"interrupted after {len(payload['rows'])} rows" + (f"; they are in {output}" if output else ""))
        raise typer.Exit(INTERRUPTED)


def predictions(
    sources: Sequence[Source],
    given: Mapping[str, str],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
    max_length: int,
    output: Path | None,
    as_json: bool,
) -> None:
    from weightproof.measurable import session
    from weightproof.predicting.precision import report, searches

    payload, interrupted = session(searches(sources, given, dtypes, devices, attentions, max_length), output)
    if as_json:
        emit(payload)
    else:
        report(open_page(), payload["rows"])
    if interrupted:
        complain(f"interrupted after {len(payload['rows'])} rows" + (f"; they are in {output}" if output else ""))
        raise typer.Exit(INTERRUPTED)


def measure_machines(
    machines: Sequence[tuple[str, TuringMachine]],
    simulators: Sequence[str],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
    max_length: int,
    output: Path | None,
    as_json: bool,
) -> None:
    from weightproof.machines.precision import families, measurable, report, subjects
    from weightproof.measurable import session

    options = dtypes, devices, attentions, max_length
    wanted = [
        *map(measurable, subjects(machines, *options)),
        *map(measurable, families(simulators, *options)),
    ]
    payload, interrupted = session(wanted, output)
    if as_json:
        emit(payload)
    else:
        report(open_page(), payload["rows"])
    if interrupted:
        complain(f"interrupted after {len(payload['rows'])} rows" + (f"; they are in {output}" if output else ""))
        raise typer.Exit(INTERRUPTED)
