"""What the Python interface returns of one word that was run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.exact import Real
from weightproof.reported import Reported
from weightproof.terminal.page import Page

if TYPE_CHECKING:
    from weightproof.constructions.meaning.interpreter import Run
    from weightproof.predicting.running import Predicted
    from weightproof.reports.running import Answer


@dataclass(frozen=True, repr=False)
class Ran(Reported):
    """One word, run. logit: exact, None where the word is too long for exact arithmetic; so are accepts, agrees.

    Of a network that takes the argmax over tokens logit and accepts are None; prediction is what it predicts.
    """

    answer: Answer | Predicted

    @property
    def construction(self) -> Construction:
        return self.answer.construction

    @property
    def word(self) -> str:
        return self.answer.word

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
        from weightproof.predicting.running import Predicted

        found = self.answer.found if isinstance(self.answer, Predicted) else None
        return None if found is None else found.token

    @property
    def agrees(self) -> bool | None:
        """Whether the network decides as the language does, or predicts the right token."""
        from weightproof.predicting.running import Predicted

        if isinstance(self.answer, Predicted):
            return self.answer.agrees
        return None if self.accepts is None else self.accepts == self.member

    @property
    def _exact(self) -> Run | None:
        from weightproof.reports.running import Answer

        return self.answer.exact if isinstance(self.answer, Answer) else None

    @property
    def data(self) -> dict[str, Any]:
        from weightproof.predicting import running as predicting
        from weightproof.reports.running import payload

        answer = self.answer
        return predicting.payload(answer) if isinstance(answer, predicting.Predicted) else payload(answer)

    def picture(self, path: str | Path) -> None:
        """Draw attention, the residual stream and the logit with its closed form to an SVG or a PNG, as the name ends.

        InputError for a network that takes the argmax over tokens, for a word of more than 200 symbols, and where the
        file cannot be written.
        """
        from weightproof.drawing.answer import draw_answer, require_picture
        from weightproof.reports.running import Answer
        from weightproof.sources import source_of

        require_picture(Path(path), source_of(self.construction), self.word)
        assert isinstance(self.answer, Answer)
        draw_answer(Path(path), self.answer)

    def report(self, page: Page) -> None:
        from weightproof.predicting import running as predicting
        from weightproof.reports.running import report

        if isinstance(self.answer, predicting.Predicted):
            predicting.report(page, self.answer)
        else:
            report(page, self.answer)
