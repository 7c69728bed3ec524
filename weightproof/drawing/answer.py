"""What `run --picture` draws, and what it refuses before anything is run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from weightproof.constructions.files import require_place
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import Run, parameter_values
from weightproof.constructions.meaning.trace import trace
from weightproof.drawing.word import Pictured
from weightproof.proofs.quantities.analysis import derived_in_time
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.writing.plain import closed_form

ENDINGS = (".svg", ".png")
LONGEST_DRAWN = 200
"""Symbols of a word that is drawn: a heat map has as many cells as there are pairs of positions."""


def require_drawable(word: str) -> None:
    """InputError where there can be no picture of it."""
    if len(word) > LONGEST_DRAWN:
        raise InputError(f"--picture: a word of {len(word)} symbols is too long to draw; give {LONGEST_DRAWN} or less")


def require_picture(path: Path, word: str) -> None:
    """InputError where there can be no picture of it there."""
    if path.suffix not in ENDINGS:
        raise InputError(f"--picture {path}: a picture is an SVG or a PNG; end its name in .svg or .png")
    require_drawable(word)
    if path.is_dir():
        raise InputError(f"--picture {path}: is a folder; name a file")
    try:
        require_place(path)
    except OSError as error:
        raise InputError(
            f"--picture {path}: {error.strerror}; name a file in a folder that can be written to"
        ) from error


def pictured(construction: Construction, word: str, named: Mapping[str, str], result: Run) -> Pictured:
    """A word that was run at values of parameters, with the closed form where there is one."""
    derivation, values = derived_in_time(construction), parameter_values(construction, named)
    form, at_word = f"none: {derivation}", None
    if isinstance(derivation, Derivation):
        form, at_word = closed_form(derivation), evaluate_logit(derivation, result.tokens, values)
    given = ", ".join(f"{p.name} = {named.get(p.name, p.default)}" for p in construction.parameters)
    traced = trace(construction, result, named)
    return Pictured(construction, word, given, result, traced, form, at_word)
