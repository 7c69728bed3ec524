"""Which files show to Coq what is settled of a theorem: its proof, or its refutation."""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.development import Development, development
from weightproof.proofs.kernel.refuting import refutation
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import AboutLogits, Decides
from weightproof.proofs.verdict import Proved, Refuted, Verdict


def settled(construction: Construction, theorem: AboutLogits, verdict: Verdict) -> Development:
    """The files for a verdict. Unwritten, with the step that is missing, where a part of it cannot be written."""
    match verdict:
        case Proved():
            return development(construction, theorem)
        case Refuted(counterexample=found) if isinstance(theorem, Decides):
            return refutation(construction, theorem, found)
        case Refuted():
            raise Unwritten("a refutation of a theorem that does not say which words are accepted")
        case _:
            raise Unwritten("it is neither proved nor refuted")
