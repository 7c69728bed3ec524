"""The command line: the commands, and what becomes of errors.

Whatever is wrong with the input ends in one line on standard error and exit status 2, decided in one place: `main`.
Whatever is wrong with the program itself does, too, and the line says so.
"""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from weightproof.commands.ablate import ablate
from weightproof.commands.check import check
from weightproof.commands.claims import claims
from weightproof.commands.compile_ import compile_
from weightproof.commands.derive import derive
from weightproof.commands.doctor import doctor
from weightproof.commands.export import export
from weightproof.commands.import_ import import_
from weightproof.commands.learn import learn
from weightproof.commands.list import list_
from weightproof.commands.precision import precision
from weightproof.commands.prove import prove
from weightproof.commands.repair import repair
from weightproof.commands.run import run
from weightproof.commands.show import show
from weightproof.commands.site import site
from weightproof.commands.threshold import threshold
from weightproof.constructions.meaning.inputs import ConstructionError, InputError, said
from weightproof.constructions.meaning.schema import UnknownChoice
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import ExpressionError
from weightproof.extras import told
from weightproof.parallel.pieces import Gone
from weightproof.proofs.deadline import TimeUp
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, PROGRAM, complain, drop_output, is_terminal

ASKED = f"_{PROGRAM.upper()}_COMPLETE"
"""What a shell sets when it asks what may come next on a command line."""
app = typer.Typer(
    name=PROGRAM,
    help="Settles what is true of hand-built transformers from the formal-language literature.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _told_version(asked: bool) -> None:
    if asked:
        print(f"{PROGRAM} {version(PROGRAM)}")
        raise typer.Exit


@app.callback()
def _group(
    asked: Annotated[
        bool, typer.Option("--version", callback=_told_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


app.command("list")(list_)
app.command("import")(import_)
app.command("compile")(compile_)
for command in (
    show,
    run,
    derive,
    prove,
    check,
    threshold,
    repair,
    ablate,
    claims,
    precision,
    learn,
    export,
    site,
    doctor,
):
    app.command()(command)


def _invoke(arguments: list[str]) -> int:
    """The exit status of a command. The command's own `main` would end without a word when it is interrupted; it does
    answer a shell that asks what may come next."""
    try:
        if ASKED in os.environ:
            get_command(app).main(arguments, PROGRAM)
        with told(), get_command(app).make_context(PROGRAM, arguments) as context:
            context.command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except SystemExit as ended:  # of what typer has for shells
        return int(ended.code or 0)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:
        complain("standard output is closed, and nothing can be written there; leave it open, or give > FILE")
        return BAD_INPUT
    app.rich_markup_mode = "rich" if is_terminal(sys.stdout) else None
    try:
        status = _invoke(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted before there was a result")
        return INTERRUPTED
    except typer.TyperException as error:
        complain(_usage(error))
        return BAD_INPUT
    except (InputError, ConstructionError, ExpressionError, UnknownChoice, Undecided, TimeUp, Gone) as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader has gone
        drop_output()
        return 1
    except OSError as error:  # a full disk, say
        if error.filename is None:
            drop_output()
        complain(f"{error.filename or 'standard output'}: {error.strerror}; make room, or write elsewhere")
        return BAD_INPUT
    except Exception as error:
        complain(_internal(error, given))
        return BAD_INPUT
    return status


def _usage(error: typer.TyperException) -> str:
    """The line about a command line that cannot be read. What begins with - is taken for an option."""
    message = error.format_message()
    told = f"{message}{'' if message.endswith(('.', '?')) else '.'}"
    if (name := vars(error).get("option_name")) is not None and "possibilities" in vars(error):
        told += f" A word or a file that begins with - stands behind --, as in: run NAME -- {name}."
    return f"{told} See '{PROGRAM} --help'."


def _internal(error: Exception, given: Sequence[str]) -> str:
    """The line about an error that is none of the input's: what was being done, what went wrong, and where."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    kind, message = type(error).__name__, said(error)
    what = kind if message == kind else f"{kind}: {message}"
    return (
        f"internal error in '{PROGRAM} {shlex.join(given)}': {what} ({Path(innermost.filename).name}, line "
        f"{innermost.lineno}); this is a fault of {PROGRAM}, not of the input: please report it with this line"
    )
