"""What a document needs to know of constructions: each is derived once, and its theorems are proved once."""

from __future__ import annotations

from collections.abc import Sequence

from constructions.schema import Construction
from proofs.prove import proofs
from symbolic.derivation import Derivation
from symbolic.forward import derive
from symbolic.vocabulary import Underivable
from weightproof.appendix import Subject
from weightproof.progress import progress
from weightproof.proving import theorems_about
from weightproof.sources import Source


def subjects(sources: Sequence[Source]) -> list[Subject]:
    """Derivations and proofs, in the order given; a construction without a derivation says why."""
    jobs = [(source, theorems_about(source)) for source in sources]
    found: list[Subject] = []
    done = 0
    with progress(sum(len(theorems) for _, theorems in jobs)) as advance:
        for source, theorems in jobs:
            construction = source.construction
            advance(construction.name, done)
            derivation, reason = _attempt(construction)
            proved = []
            for proof in proofs(construction, theorems, derivation=derivation):
                proved.append(proof)
                done += 1
                advance(construction.name, done)
            found.append(Subject(construction, derivation, reason, tuple(proved), source.argument))
    return found


def _attempt(construction: Construction) -> tuple[Derivation | None, str]:
    try:
        return derive(construction), ""
    except Underivable as error:
        return None, str(error)


def as_expected(found: Sequence[Subject]) -> bool:
    return all(proof.result.as_expected for subject in found for proof in subject.proofs or ())
