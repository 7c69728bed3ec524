"""`weightproof show`: a construction, with its weights."""

from __future__ import annotations

from typing import Annotated

import typer

from weightproof.commands.options import Json, OrMachine, Param, With
from weightproof.constructions.meaning.inputs import InputError
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import emit


def show(
    name: OrMachine,
    asked: With = None,
    part: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only this part (repeatable): embedding, layer-1, readout.")
    ] = None,
    param: Param = None,
    dense: Annotated[bool, typer.Option("--dense", help="Write rows and columns of zeros, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show a construction, with its weights, a Turing machine, with its table, or what a transformer's components are
    needed for (components)."""
    from weightproof.constructions.machines.files import find_machine
    from weightproof.kinds import kind_of
    from weightproof.machines import COMPONENTS
    from weightproof.reports.payload import full
    from weightproof.reports.sheet import Sheet
    from weightproof.sources import parameters, resolve

    if (kind := kind_of(name)) is not None:
        if asked or part or dense:
            raise InputError(f"{name} is a family or a member of one; of the options --param and --json go")
        return kind.show(name, parameters(param or ()), as_json)
    if param:
        raise InputError("--param says which member of a family is shown; a construction is shown with its parameters")
    if (machine := find_machine(name)) is not None:
        from weightproof.machines import report as machines

        if asked or part or dense:
            raise InputError("a Turing machine is shown by its table; of the options --json goes")
        return emit(machines.full(machine)) if as_json else machines.draw(open_page(), machine)
    if name == COMPONENTS:
        from weightproof.machines import components

        if asked or part or dense:
            raise InputError("the components of a transformer are shown as a table; of the options --json goes")
        return emit(components.payload()) if as_json else components.draw(open_page())
    source = resolve(name, asked or ())
    if as_json:
        return emit(full(source))
    return Sheet(open_page(), source, dense).write(part or ())
