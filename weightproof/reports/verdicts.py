"""What a document says of a theorem before its proof: the verdict in a sentence, and what obligations rest on."""

from __future__ import annotations

from weightproof.document.blocks import Code, Spans, Styled
from weightproof.proofs.verdict import Covered, Proved, Refuted, Result, Unknown
from weightproof.reports.wording import worded


def in_a_sentence(result: Result, replay: str | None, claimed: str = "") -> Spans:
    """replay: the command, or the line of Python, that runs a word that refutes it, if there is one; claimed: what is
    wrong there, where neither a note nor acceptance says it."""
    verdict = result.verdict
    odd = "" if result.as_expected else f" (expected: {result.expected})"
    match verdict:
        case Proved(scope=scope, evidence=evidence):
            return Styled(f"Proved{odd}"), *worded(f", scope: {scope}; weakest evidence: {evidence}.")
        case Refuted(counterexample=found):
            wrong = (
                found.note
                or claimed
                or (
                    f"the word is {'in' if found.member else 'not in'} the language, and the network "
                    f"{'accepts' if found.accepts else 'rejects'} it"
                )
            )
            name = "Refuted" + (", as expected," if result.as_expected else odd)
            logit = f" with logit {found.logit}" if found.step is None else ""
            word: Spans = (" by the word ", Code(found.word or "(empty)"))
            return Styled(name), *word, *worded(f"{logit}: {wrong}. "), *_replayed(replay, found.counted)
        case Unknown(reason=reason):
            return Styled(f"Unknown{odd}"), *worded(f": {reason}.")
    raise TypeError(verdict)


def _replayed(replay: str | None, counted: bool) -> Spans:
    if replay is not None:
        return "Replay: ", Code(replay), "."
    return ("Counted in balls: the word is too long to be replayed.",) if counted else ()


def resting(closed: int, by_solvers: int) -> str:
    """What obligations rest on, in a clause. by_solvers: those that exact arithmetic does not show."""
    rest = f"all but {by_solvers}, which are marked with the solvers that they rest on" if by_solvers else "all"
    return f"Of {closed} obligations exact arithmetic shows {rest}"


def in_sets(covered: Covered) -> str:
    """How many words are in how many sets, how many were run, and by how much the others are decided."""
    told = f"{covered.words:,} words; {covered.sets:,} sets"
    if covered.margin is not None:
        told += f", on which what is shown is at least {covered.margin} away from 0"
    return told + (f"; {covered.run:,} words run one by one" if covered.run else "")
