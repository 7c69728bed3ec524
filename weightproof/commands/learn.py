"""`weightproof learn`: experiments of papers with training, beside what the papers say came out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, Keep, Scheduler, workers_of
from weightproof.constructions.meaning.inputs import InputError


def offered(incomplete: str) -> list[str]:
    """What a shell offers for a name."""
    from weightproof.numeric.learning.library import experiments

    return [name for name in experiments() if name.startswith(incomplete)]


def learn(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="An experiment; all are listed, if none.", autocompletion=offered),
    ] = None,
    seeds: Annotated[int | None, typer.Option(metavar="K", help="How many; what is kept is not trained again.")] = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", help="How long; as the experiment has it.")] = None,
    curve: Annotated[
        list[str] | None, typer.Option(metavar="CURVE", help="Only this one of its curves (repeatable).")
    ] = None,
    device: Annotated[str, typer.Option(metavar="DEVICE", help="Where to train, cpu or cuda.")] = "cpu",
    keep: Keep = None,
    scheduler: Scheduler = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.py", help="Write the network of the best seed, as a construction."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Of this seed, and not of the best, from 0 on.")] = None,
    snap: Annotated[
        bool, typer.Option("--snap", help="Write it with the fewest bits of each weight that decide its words.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Train the networks of an experiment of a paper, many seeds at once, and compare what comes out with what the
    paper says. A trained network is a construction with exact weights, which other commands take."""
    from weightproof.learning.learning import Training, learned, listed

    if name is None:
        others = {"--seeds": seeds, "--epochs": epochs, "--curve": curve, "--keep": keep, "--scheduler": scheduler}
        for option, given in {**others, "--output": output, "--seed": seed, "--snap": snap or None}.items():
            if given is not None:
                raise InputError(f"{option}: name an experiment; weightproof learn lists them")
        return shown.show(listed(), as_json)
    if seed is not None and output is None:
        raise InputError(f"--seed {seed} says whose network is written; give --output FILE.py, too")
    if snap and output is None:
        raise InputError("--snap says how a network is written; give --output FILE.py, too")
    how = Training(seeds, epochs, tuple(curve or ()), device)
    shown.show(learned(name, how, keep, workers_of(scheduler, ()), output, seed, snap), as_json)
