"""Decoders: what they append to a word, token after token. An encoder-decoder is shown, and run where it simulates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from weightproof.kinds import DECODER, ENCODER_DECODER, Running
from weightproof.results import DerivedSteps, Ran
from weightproof.subjects.encoder import floating_point
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.reports.explanation import Explanation

MOST_TOKENS = 100
"""Tokens that a decoder appends, unless more are asked for."""


class DecoderSubject(Network):
    kind = DECODER

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.decoders.running import generated, payload, report
        from weightproof.terminal.progress import waiting

        most = MOST_TOKENS if how.max_steps is None else how.max_steps
        spelt, floating = self._word(word), floating_point(how)
        with waiting(f"running {self.of.construction.name}"):
            found = generated(self.of, spelt, how.parameters, most, floating)
        return Ran(spelt, None, partial(payload, found), partial(report, found=found, every=how.steps), False)

    def _derive(self) -> DerivedSteps:
        explanation = self._explained()  # refuses what has no closed form
        return DerivedSteps(replace(self.derivation(), explained=lambda: explanation))

    def _explained(self) -> Explanation:
        from weightproof.decoders.deriving import DecoderExplained

        return DecoderExplained(self.of.construction)


class EncoderDecoderSubject(Network):
    kind = ENCODER_DECODER
