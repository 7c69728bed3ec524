"""What is derived of something that was named, and how it is told: as text, as a section of a document, as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Block, Code, Heading, Paragraph, Plain
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prover import Obligation, Reached
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS
from weightproof.proofs.verdict import Evidence, Proved, Result
from weightproof.reports.proving import Outcome
from weightproof.reports.verdicts import in_a_sentence, resting
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

    title: of its text; brief: the rule of the steps that the text has without being asked for all of them.
    """

    title: str
    brief: str | None = None

    @abstractmethod
    def steps(self) -> Iterator[ShownStep]:
        """All of them, in order; InputError where there is no closed form."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """The derivation as a part of a document."""

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


class WithTheorems(Explanation):
    """One that is told as a section of a document, with the proofs of theorems that exact arithmetic settles."""

    def opening(self) -> Iterator[Block]:
        """What the section has before the derivation."""
        yield Heading(1, self.title)

    def weights(self) -> Iterator[Block]:
        """What it has of the weights, as matrices, between these."""
        yield from ()

    @abstractmethod
    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        """Why a theorem is true, by the obligations that were closed."""


@dataclass(frozen=True)
class Derivable:
    """What was named, as the user named it, and what documents call it; what is derived of it, and its theorems, with
    what they came to.

    content: all that decides what a document tells of it, beside the program, as data. source: the construction that it
    is, if it is one. is_named: a command line can name it.
    """

    argument: str
    name: str
    explained: Callable[[], Explanation]
    settled: Callable[[], Sequence[tuple[Result, Reached]]]
    content: Callable[[], Mapping[str, Any]]
    source: Named | None = None
    is_named: bool = True

    def data(self) -> dict[str, Any]:
        explanation = self.explained()
        return in_time(self.name, lambda: explanation.data(self.argument))

    def report(self, with_steps: bool) -> Sequence[Plain]:
        explanation = self.explained()
        return in_time(self.name, lambda: tuple(explanation.text(with_steps)))

    def section(self, name: str) -> tuple[tuple[Block, ...], tuple[Result, ...]]:
        """The section of that letter of a document, and the results of the theorems in it."""
        explanation, settled = self.explained(), self.settled()
        assert isinstance(explanation, WithTheorems)
        outcomes = [(Outcome(self.argument, self.is_named, result), made) for result, made in settled]
        proofs = theorems(explanation, outcomes, name)
        blocks = in_time(
            self.name, lambda: (*explanation.opening(), *explanation.weights(), *explanation.blocks(), *proofs)
        )
        return blocks, tuple(result for result, _ in settled)


def in_time(name: str, write: Callable[[], T]) -> T:
    """What is written of what was named, or InputError where that takes too long."""
    try:
        return Deadline.after(DERIVATION_SECONDS).during("writing it down", write)
    except TimeUp as late:
        raise InputError(f"{name}: {late}") from late


def theorems(explanation: WithTheorems, settled: Sequence[tuple[Outcome, Reached]], section: str) -> Iterator[Block]:
    """What is stated, the verdicts, and of what is proved the proof."""
    yield Heading(2, "Theorems")
    yield from _counted(settled)
    for number, (outcome, made) in enumerate(settled, start=1):
        result = outcome.result
        yield Heading(4, (f"Theorem {section}.{number} (", *worded(result.theorem), ")"))
        given = f" Given: {', '.join(result.hypotheses)}." if result.hypotheses else ""
        yield Paragraph(("To be shown of ", Code(result.construction), *worded(f": {result.statement}.{given}")))
        yield Paragraph(in_a_sentence(result, outcome.replay))
        if isinstance(result.verdict, Proved):
            yield from explanation.proof(result.theorem, made.exactly)


def _counted(settled: Sequence[tuple[Outcome, Reached]]) -> Iterator[Block]:
    """What the obligations of all proofs rest on."""
    proved = [(outcome.result.verdict, made) for outcome, made in settled]
    counted = [(verdict.evidence, len(made.exactly)) for verdict, made in proved if isinstance(verdict, Proved)]
    bounded = sum(number for evidence, number in counted if evidence is Evidence.BOUNDED)
    if counted:
        gone_through = f"; {bounded} of them are sizes or formats that were gone through one by one" if bounded else ""
        closed = sum(number for _, number in counted)
        yield Paragraph(f"{resting(closed, 0)}, in rational numbers and without a solver{gone_through}.")
