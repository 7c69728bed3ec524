"""Constructions, kind by kind: encoders that read out a logit, those that predict a token or a class, decoders, and
encoder-decoders, which are shown, and run where they simulate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from weightproof.constructions.library import recipes
from weightproof.constructions.meaning.record import plain
from weightproof.kinds import DECODER, ENCODER, ENCODER_DECODER, PREDICTOR, Measuring, Running, Showing
from weightproof.named import Named, claims_about
from weightproof.reported import Ran, Shown
from weightproof.results import DerivedSteps
from weightproof.subjects.subject import Results, Subject

if TYPE_CHECKING:
    from weightproof.measuring.session import Search
    from weightproof.reports.claiming import ToJudge
    from weightproof.reports.explanation import Derivable, Explanation
    from weightproof.results import Derived


@dataclass(frozen=True)
class Network(Subject):
    """A construction, built-in, of a file, or put together in Python, after the transformations that were asked for."""

    of: Named

    @property
    def argument(self) -> str:  # type: ignore[override]
        return self.of.argument

    @property
    def name(self) -> str:
        return self.of.construction.name

    @property
    def is_named(self) -> bool:  # type: ignore[override]
        return self.of.is_named

    @property
    def source(self) -> Named:
        return self.of

    @property
    def _transforms(self) -> tuple[str, ...]:
        return ("--with",) if self.of.transforms else ()

    @property
    def _alphabet(self) -> Sequence[str]:
        return self.of.construction.language.alphabet

    def _show(self, how: Showing) -> Shown:
        from weightproof.reports.sheet import Sheet

        return Sheet(self.of, how.parts, how.dense)

    def _said(self) -> Sequence[Any]:
        from weightproof.stating import theorems_about

        return [plain(each) for each in theorems_about(self.of)]

    def _results(self) -> Results:
        from weightproof.proofs.prove import prove
        from weightproof.proofs.verdict import Folders, Result
        from weightproof.stating import theorems_about

        theorems = theorems_about(self.of)

        def results(seconds: float, folders: Folders) -> Iterator[Result]:
            yield from prove(self.of.construction, theorems, timeout=seconds, folders=folders)

        return results

    def derivation(self) -> Derivable:
        """What derives it gives up by itself."""
        return replace(super().derivation(), explained=self._explained)

    def _explained(self) -> Explanation:
        from weightproof.appendix.deriving import LogitExplained

        return LogitExplained.of(self.of.construction)

    def _derive(self) -> Derived | DerivedSteps:
        from weightproof.appendix.deriving import derived
        from weightproof.results import Derived

        return Derived(self.argument, derived(self.of.construction))

    @property
    def _without_claims(self) -> str | None:
        if claims_about(self.of) is not None:
            return None
        if self.of.named in recipes():
            return "its theorems say what is printed of it"
        return "define claims = Claims(NAME, ...)" if self.of.is_own else "it is in no paper"

    def _to_judge(self) -> ToJudge:
        from weightproof.reports.claiming import require_plain, source_to_judge

        claims = claims_about(self.of)
        assert claims is not None
        require_plain(self.argument, claims)
        return source_to_judge(self.of, claims)


class EncoderSubject(Network):
    kind = ENCODER

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.reports.running import recognised

        if how.picture is not None:
            from weightproof.reports.drawing import require_picture

            require_picture(how.picture, word)
        answer = recognised(self.of, word, how)
        if how.picture is not None:
            answer.picture(how.picture)
        return answer

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.logits import searches

        return searches(self.of, how)


class Predictor(Network):
    kind = PREDICTOR

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.reports.running import predicted

        return predicted(self.of, word, how)

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.tokens import searches

        return searches(self.of, how)


class DecoderSubject(Network):
    kind = DECODER

    def _run(self, word: str, how: Running) -> Ran:
        from weightproof.decoders.running import generated

        return generated(self.of, word, how)

    @property
    def attentions(self) -> tuple[str, ...]:
        from weightproof.numeric.decoding.layers import IMPLEMENTATIONS

        return IMPLEMENTATIONS

    def _searches(self, how: Measuring) -> Iterable[Search]:
        from weightproof.measuring.prompts import searches
        from weightproof.stating import theorems_about

        return searches(self.of, theorems_about(self.of), how)

    def _derive(self) -> DerivedSteps:
        explanation = self._explained()  # refuses what has no closed form
        return DerivedSteps(replace(self.derivation(), explained=lambda: explanation))

    def _explained(self) -> Explanation:
        from weightproof.decoders.deriving import DecoderExplained

        return DecoderExplained(self.of.construction)


class EncoderDecoderSubject(Network):
    kind = ENCODER_DECODER
