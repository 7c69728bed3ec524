"""What the subjects have in common that are constructions: encoders, decoders, what takes the argmax over tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from weightproof.constructions.languages.notation import expand
from weightproof.kinds import Showing
from weightproof.reported import Shown
from weightproof.sources import Source, claims_about
from weightproof.subjects.subject import Results, Subject

if TYPE_CHECKING:
    from weightproof.reports.claiming import Section as Judged
    from weightproof.reports.explanation import Derivable, Explanation
    from weightproof.results import Derived, DerivedSteps


@dataclass(frozen=True)
class Network(Subject):
    """A construction, built-in, of a file, or put together in Python, after the transformations that were asked for."""

    of: Source

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
    def source(self) -> Source:
        return self.of

    @property
    def _transforms(self) -> tuple[str, ...]:
        return ("--with",) if self.of.asked else ()

    def _word(self, word: str) -> str:
        return expand(word, self.of.construction.language.alphabet)

    def _show(self, how: Showing) -> Shown:
        from weightproof.reports.sheet import Sheet

        return Sheet(self.of, how.parts, how.dense)

    def _statements(self) -> tuple[int, Results]:
        from weightproof.proofs.prove import prove
        from weightproof.proofs.verdict import Result
        from weightproof.stating import theorems_about

        theorems = theorems_about(self.of)

        def results(seconds: float, smt: Path | None) -> Iterator[Result]:
            yield from prove(self.of.construction, theorems, timeout=seconds, smt_directory=smt)

        return len(theorems), results

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
        return "define claims = Claims(NAME, ...)" if self.of.is_own else "it is in no paper"

    def _judged(self, timeout: float) -> Judged:
        from weightproof.reports.claiming import judged

        section = judged(self.of, timeout=timeout)
        assert section is not None
        return section
