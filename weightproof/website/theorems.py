"""What is settled of a network, as the table that its page begins with: each theorem with its statement set as the
document sets it, and a verdict with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weightproof.appendix.arguments import called, in_formulas, in_words
from weightproof.appendix.published import formula, value
from weightproof.constructions.languages.notation import quoted
from weightproof.document.blocks import Code, Heading, Line, Math, Plain, Span, Spans, Styled, Table, joined
from weightproof.proofs.theorem import EVERYTHING, Computes, Theorem
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown
from weightproof.reports.wording import worded

THEOREMS = "Theorems and their evidence"
"""The heading of the table."""
STYLES = {"proved": "bold green", "refuted": "bold red", "unknown": "bold yellow"}
LONGEST_WORD = 24


@dataclass(frozen=True)
class Settled:
    """A result, with the name and the statement of its theorem as they are set."""

    result: Result
    name: Spans
    statement: Spans

    @staticmethod
    def of(result: Result, theorem: Theorem | None = None) -> Settled:
        """theorem: what is stated, where that is data; else it is in words alone."""
        if theorem is None:
            return Settled(result, worded(result.theorem), worded(result.statement))
        words = in_words(theorem)
        without_given = theorem if isinstance(theorem, Computes) else replace(theorem, given=EVERYTHING)
        formulas: list[Spans] = [(_inline(line),) for line in in_formulas(without_given)]
        return Settled(result, called(theorem), (*words, " " if words and formulas else "", *joined(formulas, "; ")))


def _inline(line: Line) -> Math:
    """A line in a line of text; what it supposes stands beside it, in another column."""
    return Math(rf"{line.left} \; {line.relation} \; {' '.join(map(str, line.rights))}")


def table(settled: Sequence[Settled]) -> Iterator[Plain]:
    yield Heading(2, THEOREMS)
    rows = [
        (
            each.name,
            verdict(each.result, with_evidence=False),
            *reversed(_basis(each.result)),
            joined([_given(hypothesis) for hypothesis in each.result.hypotheses], " and ") or "-",
            each.statement,
        )
        for each in settled
    ]
    yield Table(("theorem", "verdict", "evidence", "scope", "given", "statement"), rows)


def _given(hypothesis: str) -> Spans:
    """A formula, or words with formulas in them."""
    return worded(hypothesis) if formula(hypothesis) is None else value(hypothesis)


def verdict(result: Result, with_evidence: bool = True) -> Spans:
    found = result.verdict
    said: Span = Styled(found.name, STYLES[found.name])
    if result.as_expected:
        expected = ", as expected" if isinstance(found, Refuted) else ""
    else:
        expected = f", expected {result.expected}"
    evidence = f" ({_basis(result)[1]})" if with_evidence else ""
    return said, f"{expected}{evidence}"


def _basis(result: Result) -> tuple[Spans, str]:
    """Scope and evidence."""
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            return worded(scope), str(evidence)
        case Refuted(counterexample=found) as refuted:
            word = found.word if len(found.word) <= LONGEST_WORD else f"{found.word[:LONGEST_WORD]}..."
            return ("word ", Code(quoted(word))) if word else ("the empty word",), refuted.rests_on
        case Unknown(reason=reason):
            return (reason,), "-"
    raise TypeError(result.verdict)
