"""The examples by theme: each construction, what is said of it, and its planted mistakes."""

from __future__ import annotations

import functools
import runpy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random

from tests.support.places import NEWCOMERS
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.theorem import Theorem

SHORT = {1: 12, 2: 6, 3: 4, 4: 3}
"""Symbols of the words that are all run, by the size of the alphabet."""
LATE = 12
"""A late mistake shows on no word of up to so many symbols that was run."""


@dataclass(frozen=True)
class Newcomer:
    """early, late: the construction with a mistake that shows at once, and with one that shows on long words only."""

    construction: Construction
    theorems: tuple[Theorem, ...]
    early: Construction
    late: Construction


@functools.cache
def newcomer(name: str) -> Newcomer:
    """One of them, by the name of its file."""
    [path] = [path for path in NEWCOMERS if path.stem == name]
    file = load_file(path)
    early, late = _mistakes(path, file.construction)
    return Newcomer(file.construction, file.theorems or default_theorems(file.construction), early, late)


def _mistakes(path: Path, construction: Construction) -> Iterator[Construction]:
    for said, network in runpy.run_path(str(path))["mistakes"].items():
        yield replace(construction, name=f"{construction.name}, {said}", network=network)


def short_words(construction: Construction) -> list[str]:
    """All words of up to SHORT symbols."""
    alphabet = construction.language.alphabet
    lengths = range(SHORT[len(alphabet)] + 1)
    return ["".join(word) for length in lengths for word in product(alphabet, repeat=length)]


def longer_words(construction: Construction, longest: int, many: int = 12) -> list[str]:
    """So many random words of up to `longest` symbols, longer than those, and the longest ones of one symbol each."""
    random, alphabet = Random(0), construction.language.alphabet
    lengths = [random.randint(SHORT[len(alphabet)], longest) for _ in range(many)]
    drawn = ["".join(random.choices(alphabet, k=length)) for length in lengths]
    return [*drawn, *(symbol * longest for symbol in alphabet)]


def is_right(construction: Construction, word: str) -> bool:
    """Whether the network decides a word as the membership function does, at the default parameters."""
    return run(construction, word).accepts == is_member(construction, word, parameter_values(construction))
