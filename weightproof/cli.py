"""The commands. Each one loads what it needs, computes, and writes one report or one JSON object.

Whatever is wrong with the input ends in one line on standard error and exit status 2, decided in one place: `main`.
Whatever is wrong with the program itself does, too, and the line says so.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

from constructions.exact import Undecided
from constructions.expressions import ExpressionError
from constructions.interpreter import InputError
from constructions.validation import ConstructionError
from proofs.deadline import TimeUp
from weightproof.page import Cell, Table, is_terminal, open_page, waiting

PROGRAM = "weightproof"
BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name=PROGRAM,
    help="Settles what is true of hand-built transformers from the formal-language literature.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Write one JSON object instead of a report.")]
NameOrFile = Annotated[str, typer.Argument(metavar="NAME|FILE.py", help="A built-in construction, or a file of yours.")]


@app.callback()
def _group() -> None:
    pass


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the built-in constructions."""
    from constructions.library import load, names
    from weightproof.payload import overview

    rows = [overview(load(name)) for name in names()]
    if as_json:
        return _emit({"constructions": rows})
    columns = ("name", "language", "source", "layers", "heads", "width")
    cells: list[list[str | Cell]] = [
        [
            Cell(row["name"], "bold"),
            *(str(row[column]) for column in columns[1:]),
            ", ".join(parameter["domain"] for parameter in row["parameters"]) or "-",
        ]
        for row in rows
    ]
    return open_page().table(Table((*columns, "parameters"), cells, right=frozenset({"layers", "heads", "width"})))


@app.command()
def show(
    name: NameOrFile,
    part: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only this part (repeatable): embedding, layer-1, readout.")
    ] = None,
    dense: Annotated[bool, typer.Option("--dense", help="Write rows and columns of zeros, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show a construction: its weights, and what its source claims."""
    from weightproof.payload import full
    from weightproof.sheet import Sheet
    from weightproof.sources import resolve

    construction = resolve(name).construction
    if as_json:
        return _emit(full(construction))
    return Sheet(open_page(), construction, dense).write(part or ())


@app.command()
def run(
    name: NameOrFile,
    word: Annotated[str, typer.Argument(metavar="WORD", help="Without markers; '' is empty, 1{9}(01){4} repeats.")],
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An exact parameter value, as c=1 (repeatable).")
    ] = None,
    dtype: Annotated[
        list[str] | None, typer.Option(metavar="DTYPE", help="Run in floating point, too, as float32 (repeatable).")
    ] = None,
    device: Annotated[
        list[str] | None, typer.Option(metavar="DEVICE", help="Where to run it, as cpu or cuda (repeatable).")
    ] = None,
    attention: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="How to: strict, explicit or fused (repeatable).")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(metavar="T", help="Where logit 0 accepts: count |logit| <= T as 0, too.")
    ] = None,
    with_trace: Annotated[
        bool, typer.Option("--trace", help="Write every vector, attention weight and hidden unit, layer by layer.")
    ] = False,
    position: Annotated[
        list[int] | None, typer.Option(metavar="P", help="In the trace of a long word, show position P (repeatable).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a construction on a word in exact arithmetic. Exit status 0 says that it ran, not that it is right."""
    from constructions.notation import expand
    from constructions.trace import trace
    from weightproof import tracing
    from weightproof.measuring import require_tolerance
    from weightproof.running import exact, numeric, payload, report
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
        return _emit(data | ({} if steps is None else {"trace": tracing.payload(steps)}))
    page = open_page()
    report(page, data, construction, word, result)
    if steps is not None:
        tracing.report(page, construction, steps, shown)
    return None


@app.command()
def derive(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="What to derive.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every built-in construction.")] = False,
    with_steps: Annotated[bool, typer.Option("--steps", help="Every step, in the text.")] = False,
    style: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="latex, md (both with proofs) or text.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write files there.")] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Run pdflatex on it.")] = False,
    as_json: Json = False,
) -> None:
    """Derive the logit for words of every length, as a LaTeX document with proofs, which set the exit status."""
    from constructions.library import names as built_in
    from weightproof import deriving
    from weightproof.sources import resolve

    wanted = list(dict.fromkeys((*(built_in() if everything else ()), *(names or ()))))
    if not wanted:
        raise InputError("nothing to derive: name a construction or a FILE.py, or give --all")
    if as_json and (style or output or pdf):
        raise InputError("--json goes to standard output; leave out --format, --output and --pdf")
    sources = [resolve(name) for name in wanted]
    if as_json:
        return _emit(deriving.payloads(sources))
    chosen = deriving.Format.of(style, output, pdf, with_steps)
    if output is not None:
        _make_directory(output, "--output")
    if chosen is deriving.Format.TEXT and output is None:
        return deriving.reports(open_page(), sources, with_steps)
    if not deriving.publish(sources, chosen, output, pdf, with_steps):
        raise typer.Exit(1)
    return None


@app.command()
def prove(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="What to prove.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every built-in construction.")] = False,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="For all of a theorem.")] = 30.0,
    smt: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every obligation there as SMT-LIB 2.")] = None,
    as_json: Json = False,
) -> None:
    """Prove or refute the theorems of constructions. The exit status is 0 only if every verdict is the expected one."""
    from constructions.library import names as built_in
    from weightproof.proving import Session, report
    from weightproof.sources import resolve

    wanted = list(dict.fromkeys((*(built_in() if everything else ()), *(names or ()))))
    if not wanted:
        raise InputError("nothing to prove: name a construction or a FILE.py, or give --all")
    if not (timeout > 0 and math.isfinite(timeout)):
        raise InputError(f"--timeout {timeout:g} is no time limit: give a positive number of seconds")
    sources = [resolve(name) for name in wanted]
    if smt is not None:
        _make_directory(smt, "--smt")
    session = Session(timeout)
    session.prove(sources, smt)
    if as_json:
        _emit(session.payload())
    else:
        report(open_page(), session)
    if (complaint := session.complaint()) is not None:
        _complain(complaint)
    if session.interrupted:
        raise typer.Exit(INTERRUPTED)
    if complaint is not None:  # a time-out: the limit that was given is the input to mend
        raise typer.Exit(BAD_INPUT)
    raise typer.Exit(0 if session.as_expected() else 1)


@app.command()
def claims(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="Whose claims; all, if none.")
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="text, md, tex or json.")] = "text",
    as_json: Json = False,
) -> None:
    """Judge what the papers print. A false claim is a finding; the exit status is 1 only where a verdict is unknown."""
    from weightproof.claimdata import payload
    from weightproof.claiming import sections, settled
    from weightproof.claimsheet import as_markdown, as_tex
    from weightproof.claimtext import report

    if form not in ("text", "md", "tex", "json"):
        raise InputError(f"--format {form}: write text, md, tex or json")
    if as_json and form not in ("text", "json"):
        raise InputError(f"--json and --format {form} are two formats: give one")
    found = sections(names or ())
    if as_json or form == "json":
        _emit(payload(found))
    elif form == "text":
        report(open_page(), found)
    else:
        print({"md": as_markdown, "tex": as_tex}[form](found), end="")
    raise typer.Exit(0 if settled(found) else 1)


@app.command()
def precision(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME|FILE.py", help="What to measure.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every built-in construction.")] = False,
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An exact parameter value, as c=1 (repeatable).")
    ] = None,
    dtype: Annotated[
        list[str] | None, typer.Option(metavar="DTYPE", help="float64, float32, bfloat16, float16 (repeatable).")
    ] = None,
    device: Annotated[
        list[str] | None, typer.Option(metavar="DEVICE", help="Where to run, as cpu or cuda (repeatable).")
    ] = None,
    attention: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="How to: strict, explicit or fused (repeatable).")
    ] = None,
    max_length: Annotated[int, typer.Option(metavar="N", help="Symbols of the longest words.")] = 1_000_000,
    tolerance: Annotated[
        float | None, typer.Option(metavar="T", help="Where logit 0 accepts: count |logit| <= T as 0, too.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep rows there; those it has are not measured again.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the length at which rounding breaks constructions, and certify one below which it cannot."""
    from constructions.library import names as built_in
    from weightproof.measuring import subjects
    from weightproof.precision import DTYPES, Session, report
    from weightproof.sources import parameters, resolve

    wanted = list(dict.fromkeys((*(built_in() if everything else ()), *(names or ()))))
    if not wanted:
        raise InputError("nothing to measure: name a construction or a FILE.py, or give --all")
    sources = [resolve(name) for name in wanted]
    given = parameters(param or ())
    todo = subjects(
        sources, given, dtype or DTYPES, device or ("cpu",), attention or ("strict",), max_length, tolerance
    )
    session = Session(output)
    session.measure(todo)
    if as_json:
        _emit(session.payload())
    else:
        report(open_page(), session)
    if session.interrupted:
        _complain(f"interrupted after {len(session.rows)} rows" + (f"; they are in {output}" if output else ""))
        raise typer.Exit(INTERRUPTED)


def _make_directory(path: Path, option: str) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()  # found out now, not after the first proof
    except OSError as error:
        raise InputError(f"{option} {path}: {error.strerror}; name a directory that can be written to") from error


def _emit(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def _complain(message: str) -> None:
    sys.stdout.flush()
    print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr)


def _drop_output() -> None:
    """Python must not fail once more when it flushes what is left at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _invoke(arguments: list[str]) -> int:
    """The exit status of a command. The command's own `main` would end without a word when it is interrupted."""
    try:
        with get_command(app).make_context(PROGRAM, arguments) as context:
            context.command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    app.rich_markup_mode = "rich" if is_terminal(sys.stdout) else None
    try:
        status = _invoke(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain("interrupted before there was a result")
        return INTERRUPTED
    except typer.TyperException as error:
        message = error.format_message()
        _complain(f"{message}{'' if message.endswith(('.', '?')) else '.'} See '{PROGRAM} --help'.")
        return BAD_INPUT
    except (InputError, ConstructionError, ExpressionError, Undecided, TimeUp) as error:
        _complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader has gone
        _drop_output()
        return 1
    except OSError as error:  # a full disk, say
        _drop_output()
        _complain(f"{error.filename or 'standard output'}: {error.strerror}; make room, or write elsewhere")
        return BAD_INPUT
    except Exception as error:
        _complain(_internal(error, given))
        return BAD_INPUT
    return status


def _internal(error: Exception, given: Sequence[str]) -> str:
    """The line about an error that is none of the input's: what was being done, what went wrong, and where."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    what = ": ".join(part for part in (type(error).__name__, str(error)) if part)
    return (
        f"internal error in '{PROGRAM} {shlex.join(given)}': {what} ({Path(innermost.filename).name}, line "
        f"{innermost.lineno}); this is a fault of {PROGRAM}, not of the input: please report it with this line"
    )
