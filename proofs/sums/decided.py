"""What came out of the obligations of a theorem about a family."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict


@dataclass(frozen=True)
class Decided:
    """counterexample: where the theorem fails; gap: the obligation that stayed open, and why; neither where all were
    closed, of which there were so many."""

    obligations: int
    counterexample: Counterexample | None = None
    gap: tuple[str, str] | None = None

    def verdict(self, scope: str) -> Verdict:
        """scope: what a proof is of."""
        if self.counterexample is not None:
            return Refuted(self.counterexample)
        if self.gap is not None:
            obligation, reason = self.gap
            return Unknown(reason, obligation)
        return Proved(scope, Evidence.CERTIFICATE)
