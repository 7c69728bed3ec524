"""Proves or refutes theorems, one after the other: what was reached, what it rests on, and how long it took."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import ranks
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.certified import written
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.deciding import decide
from weightproof.proofs.next_token.deciding import predicted
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.solving.obligation import to_smt
from weightproof.proofs.solving.solver_process import versions
from weightproof.proofs.spot import require_true
from weightproof.proofs.strategies.appending import as_smt
from weightproof.proofs.theorem import NEVER, Appends, ClosedForm, Decides, OnWords, Predicts, Theorem, hypotheses
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown, Verdict, Written
from weightproof.proofs.wellformed import check


def default_theorems(construction: Construction) -> tuple[Theorem, ...]:
    """That the network recognises its language, or predicts the right tokens."""
    if ranks(construction):
        return (Predicts("predicts", f"predicts the right token of {construction.language.name}"),)
    return (Decides("recognises", f"accepts exactly the words of {construction.language.name}"),)


def prove(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    smt_directory: Path | None = None,
) -> Iterator[Result]:
    """The results of the theorems, one after the other; `theorems` None are the default ones.

    timeout: seconds for all of a theorem; the derivation counts for the theorem that asks for it first.
    smt_directory: where every obligation is written as SMT-LIB 2; results say how many were. Raises InputError before
    the first one where a theorem is malformed.
    """
    for proof in proofs(construction, theorems, timeout=timeout, smt_directory=smt_directory):
        yield proof.result


@dataclass(frozen=True)
class Proof:
    """A theorem with the invariant that was tried last, what was reached, and the obligations that it was taken apart
    into, as far as they were tried."""

    theorem: Theorem
    result: Result
    closed: tuple[Closed, ...]


def proofs(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    smt_directory: Path | None = None,
    analysis: Analysis | None = None,
) -> Iterator[Proof]:
    """As `prove`, with the obligations. analysis: what was derived of the construction, and run, before."""
    wanted = default_theorems(construction) if theorems is None else theorems
    check(construction, wanted)
    known = Analysis(construction) if analysis is None else analysis
    for place, theorem in enumerate(wanted, start=1):
        begin = time.monotonic()
        shown: Theorem = theorem
        found: Expression | None = None
        if isinstance(theorem, Predicts):
            verdict, closed = predicted(known, theorem, timeout)
        else:
            verdict, tried = decide(known, theorem, timeout)
            shown, closed, found = tried.theorem, tuple(tried.closed), tried.found
            if isinstance(verdict, Proved) and verdict.words is None and not isinstance(theorem, Appends):
                # What a decoder appends, and a bounded check, have been run on words.
                undecided = _undecided(known, theorem)
                verdict = verdict if undecided is None else undecided
        result = _result(construction, theorem, verdict, closed, time.monotonic() - begin)
        if isinstance(verdict, Proved) and found is not None:
            result = replace(result, invariant=str(found))
        proof = Proof(shown, result, closed)
        if smt_directory is not None:
            result = replace(result, written=_export(smt_directory, place, construction, proof))
        yield replace(proof, result=result)


RUNS = 30.0
"""Seconds of counted work for the runs that a proof is held against: most take one."""


def _undecided(analysis: Analysis, theorem: OnWords | ClosedForm) -> Unknown | None:
    """As `require_true`, unless the time is up."""
    try:
        runs = Deadline.after(RUNS)
        return runs.during("the runs that the proof is held against", lambda: require_true(analysis, theorem))
    except TimeUp as error:
        return Unknown(str(error), timed_out=True)


def _result(
    construction: Construction, theorem: Theorem, verdict: Verdict, closed: Sequence[Closed], seconds: float
) -> Result:
    answers = [answer for item in closed for answer in item.answers]
    numbers = versions()
    used = [solver for solver in numbers if any(a.solver == solver and a.status == "unsat" for a in answers)]
    return Result(
        construction=construction.name,
        theorem=theorem.name,
        statement=theorem.statement,
        given=hypotheses(theorem),
        accepts=str(theorem.accepts) if isinstance(theorem, Decides) and theorem.accepts is not None else None,
        verdict=verdict,
        expected=theorem.expected,
        solvers=tuple(f"{solver} {numbers[solver]}" for solver in used),
        obligations=dict(Counter(str(item.evidence or "open") for item in closed)),
        seconds=seconds,
        solver_seconds=sum(answer.seconds for answer in answers),
        predicts=_predicts(construction, theorem),
    )


def _predicts(construction: Construction, theorem: Theorem) -> dict[str, str] | None:
    if not isinstance(theorem, Predicts) or theorem.where is None:
        return None
    return {token: str(theorem.where.get(token, NEVER)) for token in construction.language.labels}


def _export(directory: Path, place: int, construction: Construction, proof: Proof) -> Written:
    """place: the number of the theorem."""
    stem = f"{construction.name}-{place}-{proof.result.theorem}"
    if isinstance(proof.theorem, Appends):
        return written(as_smt(construction, proof.theorem), directory, stem)
    match proof.closed, proof.result.verdict:
        case (), Proved():
            return Written(0, "every word was run, and no solver is asked")
        case (), Refuted():
            return Written(0, "a word refutes it, before there is anything to prove")
        case (), _:
            return Written(0, "no obligation was reached")
    scripts = (
        (item.obligation.name, partial(to_smt, item.obligation, integers=True, closed=item.evidence is not None))
        for item in proof.closed
    )
    return written(scripts, directory, stem)
