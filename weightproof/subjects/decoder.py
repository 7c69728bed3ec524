"""Decoders: what they append to a word, token after token. An encoder-decoder is shown, and run where it simulates."""

from __future__ import annotations

from functools import partial

from weightproof.kinds import DECODER, ENCODER_DECODER, Running
from weightproof.results import DerivedSteps, Ran
from weightproof.subjects.encoder import floating_point
from weightproof.subjects.network import Network
from weightproof.subjects.subject import Payload, Report, Section

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
        from weightproof.decoders.deriving import require_closed_form

        require_closed_form(self.of.construction)
        return DerivedSteps(self.derivation())

    def _derivation(self) -> tuple[Payload, Section, Report]:
        from weightproof.decoders.deriving import derivation, payload, report

        construction = self.of.construction
        return (
            partial(payload, self.argument, construction),
            lambda: (derivation(construction), True),
            lambda with_steps: report(construction, with_steps),
        )


class EncoderDecoderSubject(Network):
    kind = ENCODER_DECODER
