"""One call of `ablate`, what it shows, and the same as a Python function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.transforms.ablate import PARTS, Part, ablations
from weightproof.proofs.ablating.left import Left, Original
from weightproof.proofs.deadline import clock
from weightproof.reported import Reported
from weightproof.sources import Source
from weightproof.stating import decides
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.plain import explicit_sum, value
from weightproof.terminal.page import Cell, Page, Table
from weightproof.terminal.progress import progress

MEAN = "mean: what the component adds, averaged over all positions of the word, markers included"
EACH = 20.0
"""Seconds of counted work for one component."""
STYLES = {"same": "green", "other": "", "unknown": "bold yellow", "not made": "dim"}


@dataclass
class Session:
    """What one call has reached so far."""

    source: Source
    parts: tuple[Part, ...]
    seconds: float
    """Of counted work, for each component."""
    original: Original | None = None
    rows: list[Left] = field(default_factory=list)
    interrupted: bool = False

    @staticmethod
    def of(source: Source, parts: Sequence[str], timeout: float | None) -> Session:
        """timeout: the limit that the user sets. InputError for what cannot be asked."""
        unknown = [part for part in parts if part not in PARTS]
        if unknown:
            raise InputError(f"--part {unknown[0]}: there is no such part; there are {', '.join(PARTS)}")
        return Session(source, cast("tuple[Part, ...]", tuple(parts)) or PARTS, EACH if timeout is None else timeout)

    def run(self) -> None:
        """Every component in turn; Ctrl-C ends it early and keeps what is there."""
        construction = self.source.construction
        theorem = decides(self.source)
        network = construction.network
        assert isinstance(network, Encoder)
        try:
            with progress(len(list(ablations(network, self.parts)))) as advance:
                self.original = Original.of(construction, theorem, self.seconds)
                for left in self.original.all_left(self.parts):
                    self.rows.append(left)
                    advance(left.ablation.component, len(self.rows))
        except KeyboardInterrupt:
            self.interrupted = True

    def change(self, left: Left) -> str:
        """The logit after the ablation less that before, as a formula; why there is none."""
        if left.change is None or self.original is None:
            return left.no_change
        vocabulary = Vocabulary.of(self.source.construction)
        sums = "".join(f"; {total.symbol} = {explicit_sum(total, vocabulary)}" for total in left.change.sums)
        return value(left.change.value, vocabulary) + sums

    @property
    def settled(self) -> bool:
        """Whether of every component it is known what is left."""
        return not self.interrupted and all(left.verdict != "unknown" for left in self.rows)


def payload(session: Session) -> dict[str, Any]:
    """The JSON."""
    return {
        "construction": session.source.argument,
        "theorem": None if session.original is None else session.original.theorem.name,
        "verdict": None if session.original is None else session.original.result.verdict.name,
        "ablations": [_row(session, left) for left in session.rows],
        "complete": not session.interrupted,
    }


def _row(session: Session, left: Left) -> dict[str, Any]:
    word = left.word
    return {
        "part": left.ablation.part,
        "component": left.ablation.component,
        "ablation": left.ablation.how,
        "language": left.verdict,
        "by": left.by or None,
        "evidence": None if left.evidence is None else left.evidence.value,
        "word": None if word is None else word.word,
        "fate": None if word is None else word.fate,
        "shortest": None if word is None else word.shortest,
        "parameters": None if word is None else word.parameters,
        "change_of_logit": None if left.change is None else session.change(left),
        "reason": left.reason or left.no_change or None,
    }


def report(page: Page, session: Session) -> None:
    """A table of all components, and how many of them the language needs."""
    original = session.original
    if original is None:
        return
    given = " and ".join(original.result.given)
    told = f"{original.result.verdict.name}{f', given {given}' if given else ''}"
    page.line(f"{session.source.construction.name}, {original.theorem.name}: {told}")
    header = ("component", "ablation", "language left", "change of the logit")
    rows: list[list[str | Cell]] = [
        [
            left.ablation.component,
            left.ablation.how,
            Cell(_language(left), STYLES[left.verdict]),
            "-" if left.verdict == "not made" else session.change(left),
        ]
        for left in session.rows
    ]
    if rows:
        page.table(Table(header, rows))
    if any(left.ablation.how == "mean" for left in session.rows):
        page.line(MEAN)
    page.heading(_summary(session))


def _language(left: Left) -> str:
    match left.verdict:
        case "same":
            return f"the same, proved: {left.by}, {left.evidence}"
        case "other":
            assert left.word is not None
            given = ", ".join(f"{name} = {said}" for name, said in left.word.parameters.items())
            least = "shortest " * left.word.shortest
            return f"another: {least}word {left.word.fate} {quoted(left.word.word)}" + f" at {given}" * bool(given)
        case "unknown":
            return f"unknown: {left.reason}"
    return f"not made: {left.reason}"


def _summary(session: Session) -> str:
    counts = {verdict: sum(left.verdict == verdict for left in session.rows) for verdict in STYLES}
    told = {
        "same": "leaving the language as it is",
        "other": "changing it",
        "unknown": "unknown",
        "not made": "not made",
    }
    parts = [f"{counts[verdict]} {text}" for verdict, text in told.items() if counts[verdict]]
    plural = "" if len(session.rows) == 1 else "s"
    return f"{len(session.rows)} ablation{plural}: {', '.join(parts) or 'none'}"


@dataclass(frozen=True, repr=False)
class Ablated(Reported):
    """Each component taken out, with what is left."""

    session: Session

    @property
    def rows(self) -> tuple[Left, ...]:
        return tuple(self.session.rows)

    @property
    def data(self) -> dict[str, Any]:
        return payload(self.session)

    def report(self, page: Page) -> None:
        report(page, self.session)


def ablate(given: str | Path | Construction, *, parts: Sequence[str] = (), timeout: float | None = None) -> Ablated:
    """Take out each component in turn, to 0 and to the mean over the positions of the word, and say what is left.

    parts: "head", "unit", "weight", all if there are none. timeout: seconds for all of it; without,
    work is counted.
    """
    with clock(timeout):
        session = Session.of(subject_of(given).network("ablate"), parts, timeout)
        session.run()
    if session.interrupted:
        raise KeyboardInterrupt
    return Ablated(session)
