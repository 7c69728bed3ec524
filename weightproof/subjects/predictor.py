"""Encoders that take the argmax over tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weightproof.kinds import PREDICTOR, Measuring, Running
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.reported import Ran


class Predictor(Network):
    kind = PREDICTOR

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.reports.running import predicted
        from weightproof.terminal.streams import waiting

        with waiting(f"running {self.of.construction.name}"):
            return predicted(self.of, self._word(word), how)

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.tokens import searches

        return searches(self.of, how)
