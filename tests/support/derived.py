"""The constructions that many suites look at, each read, derived and proved once in a process."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from flint import fmpq

from tests.support.places import EXAMPLES
from weightproof.constructions.library import BUILT_IN, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.values import Number
from weightproof.proofs.deadline import PATIENT
from weightproof.proofs.prove import Proof, proofs
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.theorem import Theorem, by_file, stated
from weightproof.symbolic.algebra.vocabulary import i
from weightproof.symbolic.derivation import Derivation, marker_names
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.forward import derive

PATHS = {path.stem: path for path in EXAMPLES}
NAMES = (*BUILT_IN, *PATHS)
"""The constructions that come with the program, and those of the examples."""


ALL_STATED = stated()
"""The constructions that theorems are stated of, the built-in ones and transformed ones, with these theorems."""


@functools.cache
def construction_of(name: str) -> Construction:
    return ALL_STATED[name][0] if name in ALL_STATED else load_file(PATHS[name]).construction


def file_of(name: str) -> str:
    """The paper, or the file, in which the theorems about a construction stand."""
    return next(file for file, found in by_file().items() if name in found)


def stated_of(name: str) -> tuple[Theorem, ...]:
    return ALL_STATED[name][1]


@functools.cache
def derivation_of(name: str) -> Derivation:
    return derive(construction_of(name))


@functools.cache
def analysis_of(name: str) -> Analysis:
    """With its derivation and its runs, for many theorems about one construction."""
    return Analysis(construction_of(name))


@functools.cache
def proofs_of(name: str) -> dict[str, Proof]:
    """The proofs of all theorems that are stated of a construction, by the theorem's name."""
    found = proofs(construction_of(name), stated_of(name), timeout=PATIENT, analysis=analysis_of(name))
    return {proof.theorem.name: proof for proof in found}


def row_of(derivation: Derivation, position: int, tokens: Sequence[str]) -> str:
    """What the row of the derivation is called that a position of a marked word belongs to."""
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    begin, end = marker_names(network.begin, network.end)
    if network.begin is not None and position == 0:
        return begin
    return end if network.end is not None and position == len(tokens) - 1 else tokens[position]


def vector_of(
    derivation: Derivation, layer: int, position: int, tokens: Sequence[str], parameters: Mapping[str, Number]
) -> dict[str, Number] | None:
    """The derived vector at a position of a marked word after a layer (0: the embedding); None if it is not derived.

    Coordinates that are 0 are absent.
    """
    vector = derivation.streams[layer].get(row_of(derivation, position, tokens))
    if vector is None:
        return None
    word = Word(derivation.vocabulary, tokens, parameters, derivation.scales)
    word.values[i] = fmpq(position)
    for total in derivation.all_sums.values():
        word.values[total.symbol] = word.total(total)
    return {coordinate: word.iverson(value) for coordinate, value in vector.items()}
