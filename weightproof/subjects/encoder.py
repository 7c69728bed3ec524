"""Encoders that read out a logit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weightproof.kinds import ENCODER, Measuring, Running
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.reported import Ran


class EncoderSubject(Network):
    kind = ENCODER

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.reports.running import recognised
        from weightproof.terminal.streams import waiting

        spelt = self._word(word)
        if how.picture is not None:
            from weightproof.drawing.answer import require_picture

            require_picture(how.picture, spelt)
        with waiting(f"running {self.of.construction.name}"):
            answer = recognised(self.of, spelt, how)
            if how.picture is not None:
                answer.picture(how.picture)
        return answer

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.logits import searches

        return searches(self.of, how)
