"""The files for a theorem whose verdict is not known yet: those for the one that is expected."""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.deadline import TIMEOUT
from weightproof.proofs.kernel.development import Development, development
from weightproof.proofs.kernel.settling import settled
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import AboutLogits


def as_expected(construction: Construction, theorem: AboutLogits, timeout: float = TIMEOUT) -> Development:
    """The proof, or the refutation by a word that is looked for in so many seconds. Unwritten, with what is missing,
    where it cannot be written."""
    if theorem.expected == "proved":
        return development(construction, theorem)
    [result] = prove(construction, [theorem], timeout=timeout)
    return settled(construction, theorem, result.verdict)
