"""What is predicted after every word up to a length, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from weightproof.constructions.meaning.interpreter import Vector
from weightproof.constructions.meaning.running import predict
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.next_token.replaying import certain_misprediction, is_predicted, right_tokens
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting.refute import BITS
from weightproof.proofs.running.every import Check, Said, checked, in_balls_or_exactly
from weightproof.proofs.running.forward import Outputs
from weightproof.proofs.theorem import Predicts
from weightproof.proofs.verdict import Counterexample, Verdict


def every_prediction(analysis: Analysis, theorem: Predicts, most: int) -> Verdict | None:
    """As `every_word`; words after which no token is right are not run, and not counted."""
    return checked(_Predicted(analysis, theorem), most)


@dataclass
class _Predicted(Check):
    analysis: Analysis
    theorem: Predicts
    words: int = 0

    def _said(self, true: Callable[[Expression], bool]) -> Iterable[tuple[str, bool]]:
        return right_tokens(self.analysis.construction, self.theorem, true)

    def _by_enclosures(self, found: Outputs, number: int, said: Said) -> bool | None:
        values = found.values[number]
        for token, wanted in said:
            place = found.names.index(token)
            over = values[[place]] - values[[k for k in range(len(found.names)) if k != place]]
            if not over.positive.all() and not (over.negative | over.zero).any():
                return None
            if over.positive.all() != wanted:
                return False
        return True

    def _by_the_interpreter(self, word: str, said: Said) -> bool:
        found = in_balls_or_exactly(lambda bits: predict(self.analysis.construction, word, {}, bits))
        return all(wanted == (found is not None and is_predicted(found, token)) for token, wanted in said)

    def _replayed(self, word: str) -> Counterexample | None:
        return certain_misprediction(self.analysis, self.theorem, word, {})

    def _outputs(self, word: str) -> Vector:
        return predict(self.analysis.construction, word, {}, BITS).outputs
