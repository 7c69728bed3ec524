"""`threshold`: from which value of a parameter, or from how many positions on, a theorem is true; as a command shows it
and as Python gets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.document.blocks import Code, Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline, TimeUp, clock
from weightproof.proofs.theorem import Decides, said_scope
from weightproof.proofs.thresholds import EACH, Answer, OfParameter, Positions, Question, Scale, Search
from weightproof.proofs.verdict import Proved, Refuted, weakest
from weightproof.reported import Ending, Reported
from weightproof.reports import proving
from weightproof.reports.proving import Outcome
from weightproof.stating import decides
from weightproof.subjects.registry import subject_of
from weightproof.terminal.streams import INTERRUPTED, progress

ALL = 300.0
"""Seconds of counted work for all questions."""
LIKELY = 20
"""Questions, about, that a threshold takes: for the bar that shows how far it is."""
RELATIONS = {"from": ">=", "above": ">", "at": "="}
STYLES = {"proved": "green", "refuted": "red", "unknown": "bold yellow"}


@dataclass(frozen=True, repr=False)
class Threshold(Reported):
    """What was asked, and between which values the least one lies from which on the theorem is true. seconds: of
    counted work, for all of it; timed_out: whether they were not enough; interrupted: what was reached before."""

    source: Named
    theorem: Decides
    search: Search
    seconds: float
    timed_out: bool
    interrupted: bool

    @property
    def holds(self) -> str | None:
        """From where on it is proved, as a formula; None where it is from nowhere on."""
        return None if self.search.holds is None else self._said(self.search.holds)

    @property
    def fails_at(self) -> str | None:
        """The greatest value at which a word refutes it, if one does."""
        return None if self.search.fails_at is None else str(self.search.fails_at)

    @property
    def ending(self) -> Ending:
        """Status 1 where it is proved from nowhere on."""
        if self.interrupted:
            asked = len(self.search.answers)
            return Ending(INTERRUPTED, f"interrupted after {asked} questions; what was reached is above")
        more = f"given up after {self.seconds:g} s; give more with --timeout SECONDS" if self.timed_out else None
        return Ending(int(self.search.holds is None), more)

    @property
    def data(self) -> dict[str, Any]:
        search = self.search
        return {
            "construction": self.source.argument,
            "theorem": self.theorem.name,
            "of": search.scale.name,
            "holds": self.holds,
            "fails_at": self.fails_at,
            "exact": search.is_exact,
            "asked": [self._row(answer) for answer in search.answers],
            "timed_out": self.timed_out,
            "complete": not self.interrupted,
        }

    def report(self) -> Iterator[Plain]:
        """What is proved, the word that refutes most, what was asked, and the threshold."""
        search, name = self.search, self.search.scale.name
        yield Paragraph(f"{self.source.construction.name}, {self.theorem.name}: {self.theorem.statement}")
        header = ("asked of", "verdict", "by", "time")
        yield Table(header, [self._told(answer) for answer in search.answers], right=frozenset({"time"}))
        if search.fails is not None and search.fails_at is not None:
            found = self._outcome(search.fails)
            assert found.counterexample is not None
            yield Paragraph(f"{name} = {_with_decimal(search.fails_at)}: {proving.failure(found.counterexample)}")
            if found.replay is not None:
                yield Paragraph(Code(found.replay), 1)
        yield Heading(3, self._summary())

    def _summary(self) -> str:
        search, name = self.search, self.search.scale.name
        if search.holds is None:
            return f"proved from no value of {name} on"
        proofs = [each.result.verdict for each in search.proofs]
        evidence = weakest(verdict.evidence for verdict in proofs if isinstance(verdict, Proved))
        reach, begin = RELATIONS[search.holds.reach], _with_decimal(search.holds.value)
        how = f"proved for every {name} {reach} {begin}, {said_scope(self.theorem)}, {evidence}"
        if search.holds == search.scale.everywhere:
            return f"{how}: there is no threshold"
        if (fails_at := search.fails_at) is None:
            return f"{how}; no word refutes it below"
        exactly = ", and that is the threshold" if search.is_exact else ""
        return f"{how}; refuted at {name} = {_with_decimal(fails_at)}{exactly}"

    def _said(self, question: Question) -> str:
        return f"{self.search.scale.name} {RELATIONS[question.reach]} {question.value}"

    def _outcome(self, answer: Answer) -> Outcome:
        return Outcome(self.source.argument, self.source.is_named, answer.result)

    def _told(self, answer: Answer) -> list[Text]:
        verdict, name = answer.result.verdict, self.search.scale.name
        match verdict:
            case Proved(evidence=evidence):
                by = str(evidence)
            case Refuted():
                by = f"at {name} = {answer.fails_at}"
            case _:
                by = verdict.reason
        return [
            self._said(answer.question),
            Styled(verdict.name, STYLES[verdict.name]),
            by,
            f"{answer.result.seconds:.2f} s",
        ]

    def _row(self, answer: Answer) -> dict[str, Any]:
        return {
            "values": self._said(answer.question),
            "fails_at": None if answer.fails_at is None else str(answer.fails_at),
            "answer": proving.as_data([self._outcome(answer)])["theorems"][0],
        }


def _with_decimal(value: Expression) -> str:
    """A value, and where it is no whole number a decimal beside it."""
    text = str(value)
    return text if text.lstrip("-").isdigit() else f"{text} ({float(ball(evaluate(value, {}))):.6g})"


def sought(source: Named, of: str | None, named: str | None, timeout: float | None) -> Threshold:
    """Asks until nothing more would tell; Ctrl-C ends it early and keeps what is there. InputError for what cannot be
    asked.

    of: the name of a parameter, or n; None is the only parameter, or n where there is none. named: the theorem.
    timeout: the limit that the user sets, which is that on the work as well.
    """
    theorem, seconds = decides(source, named), ALL if timeout is None else timeout
    search, timed_out, interrupted = Search(_scale(source, theorem, of)), False, False
    deadline = Deadline.after(seconds)
    try:
        with progress(LIKELY) as advance:
            while (question := search.next) is not None:
                advance(f"{search.scale.name} {RELATIONS[question.reach]} {question.value}", len(search.answers))
                deadline.during("the questions", lambda: search.ask(question, min(EACH, seconds)))
    except TimeUp:
        timed_out = True
    except KeyboardInterrupt:
        interrupted = True
    return Threshold(source, theorem, search, seconds, timed_out, interrupted)


def _scale(source: Named, theorem: Decides, of: str | None) -> Scale:
    construction = source.construction
    parameters = {parameter.name: parameter for parameter in construction.parameters}
    names = (*parameters, "n")
    if of is None and len(parameters) > 1:
        raise InputError(f"{source.argument}: of what is the threshold? say --of one of {', '.join(names)}")
    wanted = names[0] if of is None else of
    if wanted not in names:
        raise InputError(f"--of {of}: {source.argument} has no such parameter; there are {', '.join(names)}")
    return (
        OfParameter(construction, theorem, parameters[wanted])
        if wanted in parameters
        else Positions(construction, theorem)
    )


def threshold(
    given: str | Path | Construction, *, of: str | None = None, theorem: str | None = None, timeout: float | None = None
) -> Threshold:
    """Find from which value of a parameter, or from how many positions on, a theorem is true.

    of: the name of a parameter, or n for the number of positions; the only parameter if nothing is said. theorem: which
    one, the first on accepted words if none is named. timeout: seconds for all of it; without, work is counted.
    """
    with clock(timeout):
        found = sought(subject_of(given).network("threshold"), of, theorem, timeout)
    if found.interrupted:
        raise KeyboardInterrupt
    return found
