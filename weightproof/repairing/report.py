"""What a call of `repair` shows: the word that refutes, the lines to edit, and what was searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weightproof.proofs.repairing.candidates import Edit
from weightproof.proofs.repairing.search import BY_WORDS, OUTCOMES, Repair, Search, Tried
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.repairing.lines import lines
from weightproof.repairing.session import Session
from weightproof.reports import proving
from weightproof.terminal.page import Cell, Page, Table

SHOWN = 5
"""Candidates that stay open, which are written out."""


def payload(session: Session) -> dict[str, Any]:
    """The JSON."""
    search, before = session.search, session.before
    theorems = [] if before is None else proving.payload([before])["theorems"]
    return {
        "construction": session.source.argument,
        "theorem": session.theorem.name,
        "before": theorems[0] if theorems else None,
        "repairs": [_repair(session, repair) for repair in search.found],
        "searched": [_searched(tried) for tried in search.tried],
        "open": [{"edits": _edits(left.candidate.edits), "reason": left.reason} for left in search.left],
        "candidates": candidates(search),
        "seconds": search.seconds,
        "seconds_of_discarding": search.discarding,
        "timed_out": search.timed_out,
        "complete": not session.interrupted,
    }


def candidates(search: Search) -> int:
    """How many were tried."""
    return sum(tried.candidates for tried in search.tried)


def _repair(session: Session, repair: Repair) -> dict[str, Any]:
    verdict = repair.result.verdict
    assert isinstance(verdict, Proved)
    return {
        "kind": repair.kind,
        "edits": _edits(repair.edits),
        "lines": [vars(line) for line in lines(session.source, repair.edits)],
        "verdict": verdict.name,
        "scope": verdict.scope,
        "evidence": verdict.evidence.value,
        "given": list(repair.result.given),
    }


def _edits(edits: Sequence[Edit]) -> list[dict[str, str]]:
    return [{"place": edit.place.label, "old": edit.old, "new": edit.new} for edit in edits]


def _searched(tried: Tried) -> dict[str, Any]:
    outcomes = {name.replace(" ", "_"): tried.outcomes[name] for name in OUTCOMES}
    return {"kind": tried.kind, "candidates": tried.candidates, "of": tried.count, **outcomes}


def report(page: Page, session: Session) -> None:
    """The verdict before, each repair with its lines to edit, and what became of all candidates."""
    before = session.before
    if before is None:
        return
    place = f"{session.source.construction.name}, {session.theorem.name}"
    match before.result.verdict:
        case Proved(scope=scope):
            return page.line(f"{place}: proved, {scope}; there is nothing to repair")
        case Unknown(reason=reason):
            return page.line(f"{place}: unknown, and no word refutes it, so nothing is to be repaired: {reason}")
        case Refuted(counterexample=word):
            page.line(f"{place}: refuted")
            page.line(proving.failure(word), indent=1)
            if before.replay is not None:
                page.command(before.replay, indent=2)
    for repair in session.search.found:
        _found(page, session, repair)
    _tried(page, session)


def _found(page: Page, session: Session, repair: Repair) -> None:
    page.heading(f"Repair: {repair.kind}")
    rows: list[list[str | Cell]] = [[edit.place.label, edit.old, Cell(edit.new, "bold green")] for edit in repair.edits]
    page.table(Table(("place", "old", "new"), rows))
    for line in lines(session.source, repair.edits):
        page.line(f"{line.file}:{line.number}")
        page.command(f"- {line.old}", indent=1)
        page.command(f"+ {line.new}", indent=1)
    verdict, given = repair.result.verdict, " and ".join(repair.result.given)
    assert isinstance(verdict, Proved)
    case = f"given {given}, " if given else ""
    page.line(f"proved, {case}{verdict.scope}, {verdict.evidence}: {repair.result.statement}")


def _tried(page: Page, session: Session) -> None:
    search = session.search
    if not search.found:
        page.heading("No repair found")
    page.heading("Searched")
    header = ("change", "candidates", *OUTCOMES)
    rows = [[tried.kind, _of(tried), *(str(tried.outcomes[name]) for name in OUTCOMES)] for tried in search.tried]
    page.table(Table(header, rows, right=frozenset(header[1:])))
    if search.left:
        page.heading("Neither refuted nor proved")
        for left in search.left[:SHOWN]:
            edits = "; ".join(f"{edit.place.label}: {edit.old} -> {edit.new}" for edit in left.candidate.edits)
            page.line(f"{edits}: {left.reason}", indent=1)
        if len(search.left) > SHOWN:
            page.line(f"and {len(search.left) - SHOWN} more, which --json lists", indent=1)
    page.heading(_summary(search))


def _of(tried: Tried) -> str:
    return str(tried.count) if tried.candidates == tried.count else f"{tried.candidates} of {tried.count}"


def _summary(search: Search) -> str:
    count = candidates(search)
    proofs = sum(tried.proofs for tried in search.tried)
    by_words = sum(tried.outcomes[BY_WORDS] for tried in search.tried)
    rate = f", {by_words / search.discarding:,.0f} a second" if search.discarding > 0 else ""
    return (
        f"{count:,} candidates in {search.seconds:.1f} s; {by_words:,} discarded by words{rate}; "
        f"{proofs} tried by the prover"
    )
