"""What is derived of something that was named, and how it is told: as text, as a section of a document, as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Block, Heading, Paragraph, Plain, Table
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown
from weightproof.reports.wording import worded

T = TypeVar("T")
UNDERIVABLE = "none"
"""The rule of what no rule covers."""


@dataclass(frozen=True)
class ShownStep:
    """A step as it is shown: which rule was applied where, to what, and what came of it, each one text, or texts by
    name; condition: under which, or why, if there is anything to say."""

    rule: str
    location: str
    before: Any
    after: Any
    condition: str | None = None

    def text(self) -> Iterator[Plain]:
        """What came of it, with its reason."""
        if self.rule == UNDERIVABLE:
            yield Paragraph(f"{self.location}: there is no closed form: {self.condition}", 1)
            return
        yield Paragraph(f"{self.location}: {self.rule}", 1)
        if self.condition is not None:
            yield Paragraph(self.condition, 2)
        if isinstance(self.after, str):
            yield Paragraph(self.after, 2)
        else:
            yield from (Paragraph(f"{name} = {value}", 2) for name, value in (self.after or {"all": "0"}).items())


class Explanation(ABC):
    """A derivation of any kind. What it is told by is the same for all; each kind has its steps and its formulas.

    title: of its text; shares: of the width of a page, for the columns of the table of theorems; brief: the rule of
    the steps that the text has without being asked for all of them.
    """

    title: str
    shares: tuple[float, float, float] = (0.25, 0.5, 0.25)
    brief: str | None = None

    @abstractmethod
    def steps(self) -> Iterator[ShownStep]:
        """All of them, in order; InputError where there is no closed form."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """The derivation as a part of a document."""

    def opening(self) -> Iterator[Block]:
        """What a section of a document has before the derivation."""
        yield Heading(1, self.title)

    def weights(self) -> Iterator[Block]:
        """What it has of the weights, as matrices, between these."""
        yield from ()

    def lead(self) -> Iterator[Plain]:
        """What the text has before its steps."""
        yield from ()

    @property
    def closed_form(self) -> Any:
        return None

    @property
    def cases(self) -> list[dict[str, Any]] | None:
        return None

    @property
    def beside(self) -> Mapping[str, Any]:
        """What the JSON has of this kind alone."""
        return {}

    def text(self, with_steps: bool) -> Iterator[Plain]:
        yield Heading(3, self.title)
        yield from self.lead()
        for step in self.steps():
            if with_steps or step.rule == self.brief:
                yield from step.text()

    def data(self, argument: str) -> dict[str, Any]:
        """The JSON."""
        from weightproof.document.tex import fragment

        return {
            "construction": argument,
            "closed_form": self.closed_form,
            "cases": self.cases,
            **self.beside,
            "steps": [vars(step) for step in self.steps()],
            "latex": fragment(tuple(self.blocks())),
        }


@dataclass(frozen=True)
class Derivable:
    """What was named, as the user named it, and what documents call it; what is derived of it, and its theorems.

    source: the construction that it is, if it is one; documents tell those in several processes.
    """

    argument: str
    name: str
    explained: Callable[[], Explanation]
    results: Callable[[], Sequence[Result]]
    source: Named | None = None

    def data(self) -> dict[str, Any]:
        explanation = self.explained()
        return in_time(self.name, lambda: explanation.data(self.argument))

    def report(self, with_steps: bool) -> Sequence[Plain]:
        explanation = self.explained()
        return in_time(self.name, lambda: tuple(explanation.text(with_steps)))

    def section(self) -> tuple[tuple[Block, ...], tuple[Result, ...]]:
        """The section of a document, and the results of the theorems in it."""
        explanation, results = self.explained(), self.results()
        table = theorems(results, explanation.shares)
        blocks = in_time(
            self.name, lambda: (*explanation.opening(), *explanation.weights(), *explanation.blocks(), *table)
        )
        return blocks, tuple(results)


def in_time(name: str, write: Callable[[], T]) -> T:
    """What is written of what was named, or InputError where that takes too long."""
    try:
        return Deadline.after(DERIVATION_SECONDS).during("writing it down", write)
    except TimeUp as late:
        raise InputError(f"{name}: {late}") from late


def theorems(results: Sequence[Result], shares: tuple[float, float, float]) -> Iterator[Block]:
    """What is stated, and the verdicts."""
    yield Heading(2, "Theorems")
    rows = [tuple(map(worded, (each.theorem, each.statement, _verdict(each)))) for each in results]
    yield Table(("theorem", "statement", "verdict"), rows, shares)


def _verdict(result: Result) -> str:
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            return f"proved: {scope}; {evidence.value}"
        case Refuted(counterexample=found):
            given = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
            return f"refuted on {quoted(found.word)}{f' ({given})' if given else ''}: {found.note}"
        case Unknown(reason=reason):
            return f"unknown: {reason}"
