"""Encoders that read out a logit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import ENCODER, Measuring, Running
from weightproof.subjects.network import Network

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.ran import Answered
    from weightproof.reports.running import FloatingPoint


class EncoderSubject(Network):
    kind = ENCODER

    def _run(self, word: str, how: Running) -> Answered:
        from weightproof.ran import Answered
        from weightproof.reports.running import answered
        from weightproof.terminal.progress import waiting

        require_trace(how)
        spelt, floating = self._word(word), floating_point(how)
        if how.picture is not None:
            from weightproof.drawing.answer import pictured, require_picture
            from weightproof.drawing.word import draw

            require_picture(how.picture, spelt)
        with waiting(f"running {self.of.construction.name}"):
            answer = answered(self.of, spelt, how.parameters, floating, how.trace, how.positions)
            if how.picture is not None:
                draw(pictured(answer), how.picture)
        return Answered.of(answer)

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.logits import searches

        return searches(self.of, how)


def require_trace(how: Running) -> None:
    if how.positions and not how.trace:
        raise InputError("--position is for the trace of a word; add --trace")


def floating_point(how: Running) -> FloatingPoint | None:
    """In which formats and how a word is run beside its exact run; InputError for how without formats."""
    from weightproof.reports.running import FloatingPoint

    if how.dtypes:
        return FloatingPoint(how.dtypes, how.devices or ("cpu",), how.attentions or ("explicit",), how.tolerance)
    if how.devices or how.attentions or how.tolerance is not None:
        raise InputError("--device, --attention and --tolerance are for floating point; add --dtype float32, say")
    return None
