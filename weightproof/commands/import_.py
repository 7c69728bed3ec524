"""`weightproof import`: a construction from a file of tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weightproof.commands.options import Json
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Paragraph
from weightproof.terminal.page import show
from weightproof.terminal.streams import emit, warn


def import_(
    given: Annotated[Path, typer.Argument(metavar="FILE.safetensors", help="The weights, by name.")],
    to: Annotated[Path, typer.Option("--as", metavar="FILE.py", help="Where to write the construction.")],
    language: Annotated[
        str, typer.Option(metavar="NAME|FILE.py", help="What it is said to recognise: PARITY, or a file of yours.")
    ],
    tokens: Annotated[str, typer.Option(metavar="A,B,C", help="In the order of the rows of the embedding.")],
    begin: Annotated[str | None, typer.Option(metavar="TOKEN", help="The marker before the word.")] = None,
    end: Annotated[str | None, typer.Option(metavar="TOKEN", help="The marker behind the word.")] = None,
    position: Annotated[
        list[str] | None,
        typer.Option(metavar="K=EXPR", help="Position encoding of coordinate K, from 0: 3=i/n (repeatable)."),
    ] = None,
    embedding: Annotated[str | None, typer.Option(metavar="KEY", help="Which tensor embeds the tokens.")] = None,
    readout: Annotated[str | None, typer.Option(metavar="KEY", help="Which linear map is read out.")] = None,
    read: Annotated[
        str | None, typer.Option(metavar="WHERE", help="What is read: first, last, sum or mean; else first.")
    ] = None,
    classes: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="What each of several outputs is for, in their order.")
    ] = None,
    member: Annotated[str | None, typer.Option(metavar="CLASS", help="Of two classes the one of members.")] = None,
    accept: Annotated[
        str | None,
        typer.Option(metavar="RULE", help="'logit > 0', or with >=, =, < or <=; of classes argmax or argmin."),
    ] = None,
    stop: Annotated[str | None, typer.Option(metavar="TOKEN", help="Behind which no token is predicted.")] = None,
    heads: Annotated[int | None, typer.Option(metavar="N", help="Of each layer, where tensors are torch's.")] = None,
    activation: Annotated[str | None, typer.Option(metavar="NAME", help="Of hidden units, as relu.")] = None,
    norms: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE", help="post, after each residual connection; pre, before attention and units; or none."
        ),
    ] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="EPS", help="Of the norms.")] = None,
    scale: Annotated[str | None, typer.Option(metavar="EXPR", help="Of the scores; else 1/sqrt(d_head).")] = None,
    mask: Annotated[str | None, typer.Option(metavar="MASK", help="none or causal.")] = None,
    theta: Annotated[float | None, typer.Option(metavar="BASE", help="Of rotary positions, as 10000.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="What TransformerLens or transformers say of the network."),
    ] = None,
    coordinates: Annotated[str | None, typer.Option(metavar="A,B,C", help="Names of the coordinates.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="No weight; leave it out (repeatable).")
    ] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="KEY=KEY", help="Its name or its beginning, as one that is read (repeatable)."),
    ] = None,
    recognise: Annotated[
        bool, typer.Option("--recognise", help="Take short expressions for numbers near to one, and list them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the construction that a file of tensors is, as Python. Only safetensors are read: nothing is executed."""
    from weightproof.imports.importing import convert
    from weightproof.imports.saying import Missaid

    options = {
        "tokens": _listed(tokens),
        "begin": begin,
        "end": end,
        "position": dict(map(_placed, position or ())),
        "embedding": embedding,
        "readout": readout,
        "read": read,
        "classes": None if classes is None else _listed(classes),
        "member": member,
        "accept": accept,
        "stop": stop,
        "heads": heads,
        "activation": activation,
        "norms": norms,
        "epsilon": epsilon,
        "scale": scale,
        "mask": mask,
        "theta": theta,
        "config": config,
        "coordinates": None if coordinates is None else _listed(coordinates),
        "ignore": tuple(ignore or ()),
        "mapping": dict(map(_mapped, map_ or ())),
        "recognise": recognise,
    }
    try:
        imported = convert(given, to, language, options)
    except Missaid as error:
        raise InputError(error.on_command_line) from error
    for warning in imported.warnings:
        warn(warning)
    if as_json:
        return emit(imported.data | {"file": str(to)})
    return show([*imported.summary(), Paragraph(f"written to {to}; prove it with: weightproof prove {to}")])


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


def _mapped(text: str) -> tuple[str, str]:
    """KEY=KEY."""
    own, _, read = text.partition("=")
    if not own.strip() or not read.strip():
        raise InputError(f"cannot read --map {text!r}: write KEY=KEY, for instance blocks=transformer.h")
    return own.strip(), read.strip()


def _placed(text: str) -> tuple[int, str]:
    """K=EXPR; the first = ends the number."""
    column, _, said = text.partition("=")
    if not column.strip().isdigit() or not said.strip():
        raise InputError(f"cannot read --position {text!r}: write K=EXPR, for instance 3=i/n")
    return int(column), said.strip()
