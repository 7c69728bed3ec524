"""`weightproof export`: a construction for another program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands import shown
from weightproof.commands.options import Json, NameOrFile, Param, With


def export(
    name: NameOrFile,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="safetensors, transformer-lens, onnx, edges or coq.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder for the files.")],
    transforms: With = None,
    param: Param = None,
    dtype: Annotated[
        str, typer.Option(metavar="DTYPE", help="Of the rounded weights: float64, float32, bfloat16 or float16.")
    ] = "float64",
    length: Annotated[int | None, typer.Option(metavar="N", help="Symbols of the words of an ONNX network.")] = None,
    max_length: Annotated[
        int | None, typer.Option(metavar="N", help="Symbols of the longest words of position tables.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a construction with its exact and rounded weights, its hash and the names of its theorems for another
    program. The theorems are not proved anew."""
    from weightproof.exports.exporting import Options, exported
    from weightproof.named import parameters
    from weightproof.subjects.registry import subject_of

    options = Options(parameters(param or ()), dtype, length, max_length)
    shown.show(exported(subject_of(name, transforms or ()).network("export"), to, output, options), as_json)
