"""What a construction makes of one word, as the Python interface returns it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import Run
from weightproof.constructions.scalars.exact import Real
from weightproof.kinds import PREDICTOR, require
from weightproof.next_token import running as predicting
from weightproof.next_token.running import Predicted
from weightproof.reports import running
from weightproof.reports.running import Answer
from weightproof.results import Ran


@dataclass(frozen=True)
class Picture:
    """An SVG, which shows itself in a notebook."""

    svg: str

    def __repr__(self) -> str:
        return f"a picture of {len(self.svg):,} characters of SVG, which a notebook shows"

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, repr=False, kw_only=True)
class Answered(Ran):
    """One word, run by a construction. logit: exact, None where the word is too long for exact arithmetic; so are
    accepts, agrees.

    Of a network that takes the argmax over tokens logit and accepts are None; prediction is what it predicts.
    """

    answer: Answer | Predicted

    @staticmethod
    def of(answer: Answer | Predicted) -> Answered:
        """That the network agrees with the language is a finding, not a must."""
        if isinstance(answer, Predicted):
            payload, write = partial(predicting.payload, answer), partial(predicting.report, answer=answer)
        else:
            payload, write = partial(running.payload, answer), partial(running.report, answer=answer)
        return Answered(answer.word, answer.agrees, payload, write, must_agree=False, answer=answer)

    @property
    def construction(self) -> Construction:
        return self.answer.construction

    @property
    def member(self) -> bool:
        """Whether the word is in the language."""
        return self.answer.member

    @property
    def logit(self) -> Real | None:
        return None if self._exact is None else self._exact.logit

    @property
    def accepts(self) -> bool | None:
        return None if self._exact is None else self._exact.accepts

    @property
    def evaluated(self) -> str | None:
        """By what the exact answer was computed, as in the JSON; None where there is none."""
        found: str | None = self.data["evaluated"]
        return found

    @property
    def prediction(self) -> str | None:
        """The token with the greatest output, the first of them; None of a network that reads out a logit."""
        found = self.answer.found if isinstance(self.answer, Predicted) else None
        return None if found is None else found.token

    @property
    def _exact(self) -> Run | None:
        return self.answer.exact if isinstance(self.answer, Answer) else None

    def picture(self, path: str | Path | None = None) -> Picture:
        """Attention, the residual stream and the logit with its closed form, drawn, and written to an SVG or a PNG, as
        the name ends, if one is given.

        InputError for a network that takes the argmax over tokens, for a word of more than 200 symbols, and where the
        file cannot be written.
        """
        from weightproof.drawing.answer import pictured, require_drawable, require_picture
        from weightproof.drawing.word import draw, drawn

        if isinstance(self.answer, Predicted):
            require(self.answer.argument, PREDICTOR, "run", ["--picture"])
        assert isinstance(self.answer, Answer)
        require_drawable(self.word) if path is None else require_picture(Path(path), self.word)
        shown = pictured(self.answer)
        if path is not None:
            draw(shown, Path(path))
        return Picture(drawn(shown, "svg").decode())
