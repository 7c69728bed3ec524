"""The constructions that many suites look at, each read, derived and proved once in a process."""

from __future__ import annotations

import functools

from tests.support.places import EXAMPLES
from weightproof.constructions.library import BUILT_IN, load, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.prove import Proof, proofs, theorems_of
from weightproof.proofs.quantities.subject import Subject
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

PATHS = {path.stem: path for path in EXAMPLES}
NAMES = (*BUILT_IN, *PATHS)
"""The constructions that come with the program, and those of the examples."""


@functools.cache
def construction_of(name: str) -> Construction:
    return load(name) if name in BUILT_IN else load_file(PATHS[name]).construction


@functools.cache
def derivation_of(name: str) -> Derivation:
    return derive(construction_of(name))


@functools.cache
def subject_of(name: str) -> Subject:
    """With its derivation and its runs, for many theorems about one construction."""
    return Subject(construction_of(name))


@functools.cache
def proofs_of(name: str) -> dict[str, Proof]:
    """The proofs of all theorems about a built-in construction, by the theorem's name."""
    return {
        proof.theorem.name: proof
        for proof in proofs(construction_of(name), theorems_of(name), subject=subject_of(name))
    }
