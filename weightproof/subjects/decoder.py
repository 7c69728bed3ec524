"""Decoders: what they append to a word, token after token. An encoder-decoder is shown, and run where it simulates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weightproof.kinds import DECODER, ENCODER_DECODER, Running
from weightproof.reported import Ran
from weightproof.results import DerivedSteps
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.reports.explanation import Explanation


class DecoderSubject(Network):
    kind = DECODER

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.decoders.running import generated
        from weightproof.terminal.streams import waiting

        with waiting(f"running {self.of.construction.name}"):
            return generated(self.of, self._word(word), how)

    def _derive(self) -> DerivedSteps:
        explanation = self._explained()  # refuses what has no closed form
        return DerivedSteps(replace(self.derivation(), explained=lambda: explanation))

    def _explained(self) -> Explanation:
        from weightproof.decoders.deriving import DecoderExplained

        return DecoderExplained(self.of.construction)


class EncoderDecoderSubject(Network):
    kind = ENCODER_DECODER
