"""`ablate`: what is left of a language when a component is taken out, as a command shows it and as Python gets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.transforms.ablate import PARTS, Part, ablations
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.named import Named
from weightproof.proofs.ablating import Effect, Original
from weightproof.proofs.deadline import clock
from weightproof.reported import Ending, Reported
from weightproof.stating import decides
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.plain import explicit_sum, value
from weightproof.terminal.streams import INTERRUPTED, progress

MEAN = "mean: what the component adds, averaged over all positions of the word, markers included"
EACH = 20.0
"""Seconds of counted work for one component."""
STYLES = {"same": "green", "other": "", "unknown": "bold yellow", "not made": "dim"}


@dataclass(frozen=True, repr=False)
class Ablated(Reported):
    """Each component taken out, with what is left of the language; interrupted: what was reached before."""

    source: Named
    original: Original | None
    rows: tuple[Effect, ...]
    interrupted: bool

    def change(self, effect: Effect) -> str:
        """The logit after the ablation less that before, as a formula; why there is none."""
        if effect.change is None or self.original is None:
            return effect.no_change
        vocabulary = Vocabulary.of(self.source.construction)
        sums = "".join(f"; {total.symbol} = {explicit_sum(total, vocabulary)}" for total in effect.change.sums)
        return value(effect.change.value, vocabulary) + sums

    @property
    def ending(self) -> Ending:
        if self.interrupted:
            return Ending(INTERRUPTED, f"interrupted after {len(self.rows)} ablations; what was reached is above")
        return Ending(int(any(effect.verdict == "unknown" for effect in self.rows)))

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.source.argument,
            "theorem": None if self.original is None else self.original.theorem.name,
            "verdict": None if self.original is None else self.original.result.verdict.name,
            "ablations": [_row(self, effect) for effect in self.rows],
            "complete": not self.interrupted,
        }

    def report(self) -> Iterator[Plain]:
        """A table of all components, and how many of them the language needs."""
        original = self.original
        if original is None:
            return
        given = " and ".join(original.result.hypotheses)
        told = f"{original.result.verdict.name}{f', given {given}' if given else ''}"
        yield Paragraph(f"{self.source.construction.name}, {original.theorem.name}: {told}")
        header = ("component", "ablation", "language left", "change of the logit")
        rows: list[list[Text]] = [
            [
                effect.ablation.component,
                effect.ablation.how,
                Styled(_language(effect), STYLES[effect.verdict]),
                "-" if effect.verdict == "not made" else self.change(effect),
            ]
            for effect in self.rows
        ]
        if rows:
            yield Table(header, rows)
        if any(effect.ablation.how == "mean" for effect in self.rows):
            yield Paragraph(MEAN)
        yield Heading(3, _summary(self.rows))


def ablated(source: Named, named: Sequence[str], timeout: float | None) -> Ablated:
    """Every component in turn; Ctrl-C ends it early and keeps what is there. InputError for what cannot be asked.

    named: parts, all if there are none; timeout: the limit that the user sets, which is that on the work as well.
    """
    unknown = [part for part in named if part not in PARTS]
    if unknown:
        raise InputError(f"--part {unknown[0]}: there is no such part; there are {', '.join(PARTS)}")
    parts = cast("tuple[Part, ...]", tuple(named)) or PARTS
    theorem, network = decides(source), source.construction.encoder
    original, rows, interrupted = None, list[Effect](), False
    try:
        with progress(len(list(ablations(network, parts)))) as advance:
            original = Original.of(source.construction, theorem, EACH if timeout is None else timeout)
            for effect in original.effects(parts):
                rows.append(effect)
                advance(effect.ablation.component, len(rows))
    except KeyboardInterrupt:
        interrupted = True
    return Ablated(source, original, tuple(rows), interrupted)


def _row(found: Ablated, effect: Effect) -> dict[str, Any]:
    word = effect.word
    return {
        "part": effect.ablation.part,
        "component": effect.ablation.component,
        "ablation": effect.ablation.how,
        "language": effect.verdict,
        "by": effect.by or None,
        "evidence": None if effect.evidence is None else effect.evidence.value,
        "word": None if word is None else word.word,
        "fate": None if word is None else word.fate,
        "shortest": None if word is None else word.shortest,
        "parameters": None if word is None else word.parameters,
        "change_of_logit": None if effect.change is None else found.change(effect),
        "reason": effect.reason or effect.no_change or None,
    }


def _language(effect: Effect) -> str:
    match effect.verdict:
        case "same":
            return f"the same, proved: {effect.by}, {effect.evidence}"
        case "other":
            assert effect.word is not None
            given = ", ".join(f"{name} = {said}" for name, said in effect.word.parameters.items())
            least = "shortest " * effect.word.shortest
            return f"another: {least}word {effect.word.fate} {quoted(effect.word.word)}" + f" at {given}" * bool(given)
        case "unknown":
            return f"unknown: {effect.reason}"
    return f"not made: {effect.reason}"


def _summary(rows: Sequence[Effect]) -> str:
    counts = {verdict: sum(effect.verdict == verdict for effect in rows) for verdict in STYLES}
    told = {
        "same": "leaving the language as it is",
        "other": "changing it",
        "unknown": "unknown",
        "not made": "not made",
    }
    parts = [f"{counts[verdict]} {text}" for verdict, text in told.items() if counts[verdict]]
    plural = "" if len(rows) == 1 else "s"
    return f"{len(rows)} ablation{plural}: {', '.join(parts) or 'none'}"


def ablate(given: str | Path | Construction, *, parts: Sequence[str] = (), timeout: float | None = None) -> Ablated:
    """Take out each component in turn, to 0 and to the mean over the positions of the word, and say what is left.

    parts: "head", "unit", "weight", all if there are none. timeout: seconds for all of it; without,
    work is counted.
    """
    with clock(timeout):
        found = ablated(subject_of(given).network("ablate"), parts, timeout)
    if found.interrupted:
        raise KeyboardInterrupt
    return found
