"""Encoders that take the argmax over tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weightproof.kinds import PREDICTOR, Measuring, Running
from weightproof.subjects.encoder import floating_point, require_trace
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.ran import Answered


class Predictor(Network):
    kind = PREDICTOR

    def _run(self, word: str, how: Running) -> Answered:
        from weightproof.next_token.running import predicted
        from weightproof.ran import Answered
        from weightproof.terminal.progress import waiting

        require_trace(how)
        spelt, floating = self._word(word), floating_point(how)
        with waiting(f"running {self.of.construction.name}"):
            return Answered.of(predicted(self.of, spelt, how.parameters, floating, how.trace, how.positions))

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.tokens import searches

        return searches(self.of, how)
