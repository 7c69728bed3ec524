"""What is stated of a construction elsewhere, for claims that are theorems like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.prove import Proof, proofs
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.theorem import Compares, Decides, Theorem
from weightproof.proofs.verdict import Unknown, Verdict


@dataclass(frozen=True)
class Stated:
    """A construction under judgement with the theorems about it, for the invariants and the margins.

    known: what was reached for some of them.
    """

    analysis: Analysis
    theorems: Sequence[Theorem] = ()
    known: Sequence[Proof] = ()

    @property
    def invariant(self) -> Expression | None:
        """The invariant of the theorem that the language is recognised, where that takes an induction."""
        known = (t.invariant for t in self.theorems if isinstance(t, Decides) and t.accepts is None)
        return next((invariant for invariant in known if invariant is not None), None)

    def verdict(self, theorem: Theorem) -> Verdict:
        """What is known of a theorem about the construction, or else what its proof comes to."""
        analysis = self.analysis
        for proof in self.known:
            if proof.result.construction == analysis.construction.name and _same(proof.theorem, theorem):
                return proof.result.verdict
        analysis.maybe_derived()
        try:
            [proof] = proofs(analysis.construction, [theorem], timeout=analysis.timeout, analysis=analysis)
        except InputError as error:  # a formula that has no value on some short word
            return Unknown(str(error))
        return proof.result.verdict


def _same(left: Theorem, right: Theorem) -> bool:
    """Whether two theorems say the same, by whatever name and invariant."""
    match left, right:
        case Decides(), Decides():
            left, right = (
                replace(t, name="", statement="", expected="proved", invariant=None, or_else=()) for t in (left, right)
            )
        case Compares(), Compares():
            left = replace(left, name=right.name, expected=right.expected)
    return left == right
