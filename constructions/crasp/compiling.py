"""A program as a construction: its weights, which are said to recognise what the program accepts."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from weightproof.constructions.crasp.formula import TooLong, formula
from weightproof.constructions.crasp.grammar import read_program
from weightproof.constructions.crasp.plain import Uncompiled, plain
from weightproof.constructions.crasp.program import Program, accepts
from weightproof.constructions.crasp.weights import network
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError


def compiled_file(path: Path) -> tuple[Program, Construction]:
    """The program of a file, and its construction; InputError with the place of what is wrong."""
    program = read_program(path)
    try:
        return program, compiled(program)
    except Uncompiled as error:
        raise InputError(f"{path}:{error.line}: {error}") from error
    except TooLong as error:
        raise InputError(
            f"{path}: the words that it accepts cannot be written as one formula: {error}; shorten it"
        ) from error


def compiled(program: Program) -> Construction:
    """Its network reads the last position, and accepts where the last line is true there. The language is what the
    program means: as a function, position by position, and as a formula. Uncompiled, TooLong."""
    simple = plain(program)
    language = Language(
        name=program.name.upper(),
        alphabet=program.alphabet,
        member=partial(accepts, program),
        characterisation=formula(simple),
        description=program.title,
    )
    return Construction(
        name=program.name,
        title=program.title or f"{program.name} by counting",
        source="a C-RASP program",
        language=language,
        network=network(simple),
    )
